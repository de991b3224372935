"""Order of attackers in a report, the strongest first, and a sentence about attackers who know nothing."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.attackers import groups_of_attacks, knows
from zebra_core.project.items import Attacker, Condition, Entry, Population
from zebra_core.wording.texts import say


def strongest_first(entries: Sequence[Entry]) -> list[Entry]:
    """Assessments of protected speech by attacker, the strongest first, then those of unprotected speech.

    The strongest attacker of a safeguard in a dataset is the one that finds most, and among equals the
    one that knows most; these come first. Both they and the others are sorted by what the attacker knows,
    and remain in the order of the project where that is alike. An attacker in the user's own words, or
    not stated, comes after those that are known to know more than nothing. If no attacker is stated at
    all, the order stays but for unprotected speech.
    """
    if not any(entry.attacker for entry in entries):
        return sorted(entries, key=lambda entry: entry.condition is Condition.OO)
    leading = {group.strongest.id for group in groups_of_attacks(entries)}
    return sorted(
        entries,
        key=lambda entry: (entry.condition is Condition.OO, entry.id not in leading, -_knowledge(entry)),
    )


def strongest_of_groups(entries: Sequence[Entry]) -> list[Entry]:
    """The strongest attacker of each safeguard in a dataset, those who find most first.

    Unprotected speech comes last, likewise: it is a yardstick, and never an answer.
    """
    groups = sorted(groups_of_attacks(entries), key=lambda group: -group.bits)
    unprotected = [entry for entry in entries if entry.condition is Condition.OO]
    unprotected.sort(key=lambda entry: -Population.of(entry).by_reading_bits)
    return [*(group.strongest for group in groups), *unprotected]


def on_the_attacker(entry: Entry) -> str:
    """A sentence on what an attacker who knows nothing means; empty for every other attacker."""
    is_ignorant = entry.condition is not Condition.OO and entry.attacker == Attacker.IGNORANT.value
    return say("attacker-section.most-favourable") if is_ignorant else ""


def _knowledge(entry: Entry) -> float:
    """How much the attacker knows; if unknown, a value just above "nothing"."""
    known = knows(entry)
    return 0.5 if known is None else known
