"""What attacks one safeguard in one dataset, and which of these attackers is the strongest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK, StatedAttack
from zebra_core.evidence.value_types import Count, NumberOrNone, json_object, note, object_as_json
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.items import (
    WITHOUT_NETWORK,
    Attacker,
    Condition,
    Entry,
    Item,
    Population,
    is_corrected,
    name_with_dataset,
)
from zebra_core.project.project import Project
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.uncertainty.intervals import Interval, of_largest, with_interval
from zebra_core.uncertainty.one_sided import confidence_of_each, one_sided
from zebra_core.uncertainty.resampling import FigureDraws
from zebra_core.uncertainty.shown import fewer, with_unit
from zebra_core.wording.texts import say, visible_name, written

_LONGEST_NAME = 120  # characters

KNOWLEDGE = {attacker.value: place for place, attacker in enumerate(Attacker)}
"""How much an attacker knows, from 0; words of the user's own are not among them."""

ATTACK_GROUP = json_object(
    "AttackGroup",
    dataset=str,
    safeguard=str,
    run=str,
    assessments=note(list[Count], "places in the assessments, from 0"),
    unprotected=note(list[Count], "what shows whether the recogniser works"),
    strongest=note(Count, "a place in the assessments"),
    normalisation=note(Normalisation | None, "of the strongest: null where its scores are as given"),
    d_ece_bits=note(float, "what the strongest finds"),
    is_corrected=note(bool, "whether figures are without the optimism of small sets"),
    interval=note(list[float] | None, "of whoever finds most: it holds for all of them at once"),
    level=NumberOrNone,
)


@dataclass(frozen=True, eq=False)
class AttackGroup:
    """Everything that attacks the speech of one safeguard, in one of its runs, of one dataset.

    Unprotected speech attacks nothing: how well it is recognised is the power check of the dataset.
    """

    dataset: str
    safeguard: str
    run: str
    attacks: tuple[Entry, ...]  # one at least, in the order of the project
    power_checks: tuple[Entry, ...]  # unprotected speech of the same dataset

    @cached_property
    def strongest(self) -> Entry:
        """The attack that these data bear out as the strongest: that of the highest lower end of D_ECE.

        Ends hold for all attacks at once. Without them it is the one that finds most; of those that find as
        much the one that knows most, else the first. Several attackers together lead only where they find
        more than each of them. In all cases by the reading of the scores that discloses most.
        """

        def strength(entry: Entry) -> tuple[float, float, int, bool]:
            knows = KNOWLEDGE.get(entry.attacker, -1)
            bits, found = self.bits_of(entry), self._intervals.get(entry.id)
            is_by_reading = entry.assessment.reading is not EvidenceReading.GIVEN
            low = found.low if found else bits if is_by_reading or not self._intervals else 0.0
            return low, bits, knows, entry.recogniser not in WITHOUT_NETWORK

        return max(self.attacks, key=strength)

    @property
    def bits(self) -> float:
        """What the strongest attacker finds, D_ECE in bits."""
        return self.bits_of(self.strongest)

    @property
    def is_corrected(self) -> bool:
        """Whether figures are compared without the optimism of small sets."""
        return is_corrected(self.attacks)

    @property
    def level(self) -> float | None:
        """The level of the interval; None where it is not known of all attackers, or not of one level."""
        levels = {entry.trust.uncertainty.settings.level if entry.trust else None for entry in self.attacks}
        return levels.pop() if len(levels) == 1 else None

    def bits_of(self, entry: Entry) -> float:
        """What one of them finds, as it is compared with what the others find."""
        found = Population.of(entry)
        return found.by_reading_bits if self.is_corrected else entry.assessment.disclosed_by_reading_bits

    @cached_property
    def _intervals(self) -> dict[str, Interval]:
        """The intervals of all attacks that have one, which hold at once, by the id of the attack.

        None of an attack that discloses more by another reading.
        """
        known = [
            (entry, entry.trust.uncertainty.figures["d_ece_bits"])
            for entry in self.attacks
            if entry.trust is not None and entry.assessment.reading is EvidenceReading.GIVEN
        ]
        if self.level is None:
            return {}
        ids = (entry.id for entry, _ in known)
        return dict(zip(ids, simultaneous(known, self.level), strict=True))

    @property
    def interval(self) -> Interval | None:
        """What the strongest attacker finds, whichever of them that is: from the largest lower to the largest
        upper end of intervals that hold at once. None where one of them is not known.

        The largest of several figures is not the figure of the one that came out largest: taken alone, its
        interval would be too narrow, and too high.
        """
        return of_largest([self._intervals.get(entry.id) for entry in self.attacks])

    def as_json(self, places: Mapping[str, int]) -> dict[str, object]:
        """Plain values, unrounded; assessments by their place, null where nobody asked for intervals."""
        found = self.interval
        return object_as_json(
            ATTACK_GROUP,
            self,
            assessments=sorted({places[entry.as_given.id] for entry in self.attacks}),
            unprotected=sorted({places[entry.as_given.id] for entry in self.power_checks}),
            strongest=places[self.strongest.as_given.id],
            d_ece_bits=self.bits,
            interval=[found.low, found.high] if found else None,
            level=self.level if found else None,
            normalisation=self.strongest.normalisation,
        )

    @property
    def who(self) -> str:
        """The name of the strongest attack with its dataset, for people."""
        return visible_name(name_with_dataset(self.strongest), _LONGEST_NAME)

    @property
    def shown_bits(self) -> str:
        """What the strongest finds, with the interval of whoever finds most where there is one."""
        found = self.interval
        if found is None or self.level is None:
            return with_unit("d_ece_bits", self.bits, fewer(self.strongest.assessment))
        return with_interval("d_ece_bits", self.bits, found)

    @property
    def in_words(self) -> str:
        """Who of several attackers finds most, and what; empty for a single one."""
        if len(self.attacks) < 2:
            return ""
        facts = {"count": len(self.attacks), "name": self.who, "bits": self.shown_bits}
        if self.interval is None or self.level is None:
            return say("attacker-section.strongest-uncorrected", **facts)
        return say("attacker-section.strongest", level=written(100.0 * self.level, "g"), **facts)


def simultaneous(drawn: Sequence[tuple[Entry, FigureDraws]], level: float) -> list[Interval]:
    """Intervals of one figure of several attacks that hold at once at this level, in their order.

    Draws of normalised scores are pairs of those as given, and these are joined by their draws
    (`confidence_of_each`); assessments by Bonferroni. The outer of percentiles and Student's bounds, for
    tails so small have few draws in them. A single attack has its own interval.
    """
    if len(drawn) == 1:
        return [draws.interval(level) for _, draws in drawn]
    together: dict[str, list[FigureDraws]] = {}
    for entry, draws in drawn:
        together.setdefault(entry.as_given.id, []).append(draws)
    confidence = 0.5 + Family(max(1, len(together)), level).level_of_each / 2.0
    of_each = {given: confidence_of_each(alike, confidence) for given, alike in together.items()}
    return [one_sided(draws, of_each[entry.as_given.id]) for entry, draws in drawn]


def strongest_reading(entry: Entry) -> Entry:
    """The assessment, or that of the normalised scores that are borne out to disclose more."""
    return AttackGroup("", entry.name, "", entry.readings, ()).strongest


def attack_groups(project: Project) -> tuple[AttackGroup, ...]:
    """What attacks each safeguard in each dataset, in the order of the project."""
    return groups_of_attacks(project.attacks)


def groups_of_attacks(entries: Sequence[Entry]) -> tuple[AttackGroup, ...]:
    """What attacks each safeguard in each dataset among these assessments, in their order.

    The same scores normalised are further attacks, where they are among these.
    An assessment whose condition nobody has stated counts as an attack: only what was said to be unprotected
    is left out. Runs of a safeguard are speech of their own, and stand apart.
    """
    attacks: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.condition is not Condition.OO:
            attacks.setdefault((entry.dataset, entry.name, entry.run), []).append(entry)
    unprotected = unprotected_of(entries)
    return tuple(
        AttackGroup(*key, tuple(members), unprotected.get(key[0], ())) for key, members in attacks.items()
    )


def unprotected_of(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Unprotected speech by its dataset, in the order of the entries."""
    found: dict[str, tuple[Entry, ...]] = {}
    for entry in entries:
        if entry.condition is Condition.OO:
            found[entry.dataset] = (*found.get(entry.dataset, ()), entry)
    return found


def knows(entry: Entry) -> int | None:
    """How much its attacker knows, from 0 (ignorant); None where nobody said, or in other words."""
    return KNOWLEDGE.get(entry.attacker)


# What the user says about the attack on several assessments at once, where nothing was known before.


LONGEST = 200  # characters of each
_BETWEEN = re.compile(r"[-_\s]+")


@dataclass(frozen=True)
class AttackWords(StatedAttack):
    """The user's words about an attack; empty where nothing is said.

    What the attacker knows is said of protected speech alone, all else of unprotected speech as well.
    """

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.attack)

    @classmethod
    def typed(cls, **words: str) -> AttackWords:
        """Words that a user typed: "Lazy informed" becomes "lazy-informed". Raises InputError if too long."""
        plain = {name: " ".join(text.split()) for name, text in words.items()}
        for name, text in plain.items():
            if len(text) > LONGEST:
                raise InputError("attack-too-long", name=name.replace("_", " "), most=LONGEST)
        said = cls(**plain)
        return replace(said, attacker=_as_evaluations_say(said.attacker))

    def said_in(self, project: Project) -> Project:
        """The project with these words wherever it has none."""
        return replace(project, items=tuple(map(self.said_of, project.items))) if self else project

    def said_of(self, item: Item) -> Item:
        """The item with these words where it has none of its own; matrices have no attacker."""
        for entry in item.entries:
            words = replace(self, attacker="") if entry.is_original else self
            said = {name: text or words.attacked_by[name] for name, text in entry.attacked_by.items()}
            if said != entry.attacked_by:
                return entry.attacked_as(said)
        return item


def lacking(items: Iterable[Item]) -> dict[str, int]:
    """Of how many assessments nobody stated each part of `ATTACK`; OO needs no attacker's knowledge."""
    entries = [entry for item in items for entry in item.entries]
    counts = {name: sum(not entry.attacked_by[name] for entry in entries) for name in ATTACK}
    return counts | {"attacker": sum(not (entry.is_original or entry.attacker) for entry in entries)}


def _as_evaluations_say(attacker: str) -> str:
    """The value of Attacker that is meant; any other words unchanged."""
    known = {_BETWEEN.sub(" ", each.value): each.value for each in Attacker}
    return known.get(_BETWEEN.sub(" ", attacker.lower()), attacker)
