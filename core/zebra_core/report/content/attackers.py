"""Whose attack leads: who finds most comes first, and what an attacker who knows nothing means is said."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.attackers import groups_of_attacks, knows
from zebra_core.project.items import Attacker, Condition, Entry
from zebra_core.wording.texts import say


def strongest_first(entries: Sequence[Entry]) -> list[Entry]:
    """Protected speech by its attacker, the strongest first, then speech without protection.

    Of all that attack one safeguard in one dataset the strongest is the one that finds most, and of
    those that find as much the one that knows most; these come before the others, and among either what the
    attacker knows decides. In the order of the project where attackers are alike. One whose attacker has
    words of the user's own, or was not stated, comes after those that are known to know more than nothing.
    Where nobody has said anything of an attacker, nothing changes places.
    """
    if not any(entry.attacker for entry in entries):
        return list(entries)
    leading = {group.strongest.id for group in groups_of_attacks(entries)}
    return sorted(
        entries,
        key=lambda entry: (entry.condition is Condition.OO, entry.id not in leading, -_knowledge(entry)),
    )


def on_the_attacker(entry: Entry) -> str:
    """What an attacker who knows nothing means; empty for every other one."""
    is_ignorant = entry.condition is not Condition.OO and entry.attacker == Attacker.IGNORANT.value
    return say("attacker-section.most-favourable") if is_ignorant else ""


def _knowledge(entry: Entry) -> float:
    """How much the attacker knows; where it is not known how much, more than nothing and less than others."""
    known = knows(entry)
    return 0.5 if known is None else known
