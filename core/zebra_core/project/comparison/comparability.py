"""What may be ranked against what, and what attacks of different strength say about each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zebra_core.evidence.files import distinguishing_names
from zebra_core.evidence.remarks import Remark, Severity, and_more
from zebra_core.project.attackers import groups_of_attacks
from zebra_core.project.checks.checklist import family_of
from zebra_core.project.checks.excess import excess
from zebra_core.project.headline import Population
from zebra_core.project.items import Attacker, Entry, distinct_names, may_be_alike
from zebra_core.wording.names import in_sentence
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import in_english, say, visible

REPEATED = ("repeated-scores", "repeated-originals")
"""The remarks on scores that others have, too: all but one can be left out."""
_OF_SCORES = ("scores", "both", "target-scores", "nontarget-scores")  # roles of files
_FEWEST_DISTINCT = 20  # scores: fewer may be as frequent in two files by chance
_LONGEST_PLACE, _MOST_PLACES = 200, 6


@dataclass(frozen=True, eq=False)
class RepeatedScores:
    """Assessments of different things that have the same scores: a file was copied, or the originals read.

    `groups` are of the same safeguards, as under several conditions; each has two assessments at least, those
    of unprotected speech first, else in the order of the project.
    """

    groups: tuple[tuple[Entry, ...], ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them."""
        return tuple(one for group in self.groups for one in group)

    @property
    def copies(self) -> tuple[Entry, ...]:
        """All but the one of each group that may be kept."""
        return tuple(one for group in self.groups for one in group[1:])

    @property
    def of_originals(self) -> tuple[Entry, ...]:
        """The assessments of protected speech that have the scores of unprotected speech."""
        return tuple(one for one in self.entries if not one.is_original and self.groups[0][0].is_original)

    @property
    def remark(self) -> Remark:
        """What that means, which files they are, and what to do."""
        files = dict.fromkeys(
            file.path / file.member for one in self.entries for file in one.files if file.role in _OF_SCORES
        )
        facts: dict[str, object] = {
            "files": and_more(distinguishing_names(list(files)), _MOST_PLACES, _LONGEST_PLACE)
        }
        if self.of_originals:
            facts["names"] = in_sentence(_each_once(one.name_and_run for one in self.of_originals))
            return Remark("repeated-originals", facts, Severity.WARNING, section="comparability")
        plain = [_each_once(one.name_and_run for one in group) for group in self.groups]
        is_plain = all(len(names) == len(group) for names, group in zip(plain, self.groups, strict=True))
        facts["names"] = in_sentence(plain[0] if is_plain else distinct_names(self.entries))
        return Remark("repeated-scores", facts, Severity.WARNING, section="comparability")


def repeated_scores(entries: Iterable[Entry]) -> tuple[RepeatedScores, ...]:
    """The ticked assessments that have the same scores, however these are written and in whichever order.

    Runs of one safeguard may have the same: it may leave nothing to chance. So may attackers who differ in
    what they learnt alone, and protected and unprotected speech where the words alone are heard.
    """
    alike: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        counts = entry.assessment.counts
        is_told = len(counts.score) >= _FEWEST_DISTINCT
        of_file = () if is_told else tuple(one.sha256 for one in entry.files if one.role in _OF_SCORES)
        by_voice = entry.recogniser != in_english("attack.words")
        if entry.is_ticked and by_voice and (is_told or of_file):
            alike.setdefault((counts.digest, *of_file), []).append(entry)
    groups: dict[object, list[tuple[Entry, ...]]] = {}
    for several in alike.values():
        if len({(one.name, one.dataset, one.condition) for one in several}) > 1:
            several.sort(key=lambda one: not one.is_original)
            key = several[0].is_original, frozenset(one.name_and_run for one in several)
            groups.setdefault(key, []).append(tuple(several))
    return tuple(RepeatedScores(tuple(each)) for each in groups.values())


def why_not_ranked(entries: Sequence[Entry]) -> Remark | None:
    """Why these must not be put in an order of merit, or None where they may.

    Figures are comparable where the same speech was attacked in the same way: one dataset, one condition that
    is stated, one attacker. An attacker that nobody stated is another one than any that is stated. A single
    entry, or none, is always in order. The unprotected baseline is of another condition: leave it out.
    """
    if len(entries) < 2:
        return None
    if len(datasets := _each_once(entry.own_dataset for entry in entries)) > 1:
        return _refusal("datasets", found=_listed(datasets))
    if len(conditions := _each_once(_condition(entry) for entry in entries)) > 1:
        return _refusal("conditions", found=_listed(conditions))
    if entries[0].condition is None:
        return _refusal("condition-not-stated")
    if len(attackers := _each_once(entry.attack_in_words for entry in entries)) > 1:
        return _refusal("attackers", found=_listed(attackers))
    return None


def remarks_on_attacks(entries: Sequence[Entry]) -> dict[str, tuple[Remark, ...]]:
    """What speaks against attacks beside others, by the id of the entry: the same scores, or too weak a one.

    Too weak is a semi-informed attacker who learns less than a lazy-informed one.

    The semi-informed one can do all that the lazy-informed one can, so a lower D_ECE tells of its attack, not
    of the safeguard. Compared are entries of the same safeguard, dataset and run, of the same condition where
    both state one, and of what may be one recogniser; of several back ends of either attacker the one that
    learns most. Where chance explains it there is no remark: the check list judges by the same test, and with
    the same family.
    """
    family = family_of(groups_of_attacks(entries))

    def is_beyond_chance(lazy: Entry, semi: Entry) -> bool:
        more = excess(lazy, semi)
        return more.bits > 0.0 and more.p_value <= family.settled_up_to  # never where it is NaN: not tested

    by_attacker: dict[str, list[Entry]] = {}
    for entry in entries:
        by_attacker.setdefault(entry.attacker, []).append(entry)
    semi_informed = by_attacker.get(Attacker.SEMI_INFORMED.value, [])
    lazy = by_attacker.get(Attacker.LAZY_INFORMED.value, [])
    found: dict[str, tuple[Remark, ...]] = {}
    for repeated in repeated_scores(entries):
        found |= dict.fromkeys((one.id for one in repeated.entries), (repeated.remark,))
    for entry in semi_informed:
        most = max((one for one in lazy if _attack_alike(one, entry)), key=_bits, default=entry)
        is_best = entry is max((one for one in semi_informed if _attack_alike(one, entry)), key=_bits)
        if is_best and _bits(entry) < _bits(most) and is_beyond_chance(most, entry):
            found[entry.id] = (*found.get(entry.id, ()), _weaker(entry, most))
    return found


def _weaker(entry: Entry, most: Entry) -> Remark:
    bits = {"semi": disclosure(_bits(entry)), "lazy": disclosure(_bits(most))}
    facts: dict[str, object] = {"name": entry.own_name, **bits}
    return Remark("weaker-than-lazy", facts, Severity.WARNING, section="comparability")


def _bits(entry: Entry) -> float:
    return Population.of(entry).by_reading_bits


def _safeguard(entry: Entry) -> tuple[str, str, str]:
    return entry.name, entry.dataset, entry.run


def _attack_alike(one: Entry, other: Entry) -> bool:
    """Whether both attack the same speech, under what may be one condition and with one recogniser."""
    return (
        _safeguard(one) == _safeguard(other)
        and len({one.condition, other.condition} - {None}) < 2
        and may_be_alike(one.recogniser, other.recogniser)
    )


def _refusal(code: str, **facts: object) -> Remark:
    return Remark(code, facts, section="comparability")


def _condition(entry: Entry) -> str:
    return entry.condition.value if entry.condition else ""


def _each_once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _listed(values: Sequence[str]) -> str:
    return ", ".join(visible(value) if value else say("comparability.not-stated") for value in values)
