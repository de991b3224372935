"""What attacks one safeguard in one dataset, and which of these attackers is the strongest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from zebra_core.evidence.value_types import Count, NumberOrNone, json_object, note, object_as_json
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.basis import is_corrected
from zebra_core.project.headline import Population
from zebra_core.project.items import WITHOUT_NETWORK, Attacker, Condition, Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.uncertainty.intervals import Interval, of_largest
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.precision import with_interval
from zebra_core.uncertainty.shown import fewer, with_unit
from zebra_core.wording.texts import say, visible, written

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
        """The attack that finds most; of those that find as much the one that knows most, else the first.

        Several attackers together lead only where they find more than each of them.

        By D_ECE without the optimism of small sets where all of them stand so, else as it was computed; in
        both cases by the reading of the scores that discloses most.
        """

        def strength(entry: Entry) -> tuple[float, int, bool]:
            knows = KNOWLEDGE.get(entry.attacker, -1)
            return self.bits_of(entry), knows, entry.recogniser not in WITHOUT_NETWORK

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

    def interval_of(self, entry: Entry) -> Interval | None:
        """The interval of one, wide enough that those of all attackers hold at once (Bonferroni).

        The outer of percentiles and Student's bounds, for tails so small have few draws in them. None where
        nobody asked, and where another reading discloses more: that one has no interval.
        """
        level, trust = self.level, entry.trust
        if (
            level is None
            or trust is None
            or Population.of(entry).by_reading_bits != Population.of(entry).bits
        ):
            return None
        if len(self.attacks) == 1:
            return trust.uncertainty.interval("d_ece_bits")
        confidence = 0.5 + Family(len(self.attacks), level).level_of_each / 2.0
        return one_sided(trust.uncertainty.figures["d_ece_bits"], confidence)

    @cached_property
    def interval(self) -> Interval | None:
        """What the strongest attacker finds, whichever of them that is: from the largest lower to the largest
        upper end of intervals that hold at once. None where one of them is not known.

        The largest of several figures is not the figure of the one that came out largest: taken alone, its
        interval would be too narrow, and too high.
        """
        return of_largest([self.interval_of(entry) for entry in self.attacks])

    def as_json(self, places: Mapping[str, int]) -> dict[str, object]:
        """Plain values, unrounded; assessments by their place, null where nobody asked for intervals."""
        found = self.interval
        return object_as_json(
            ATTACK_GROUP,
            self,
            assessments=[places[entry.id] for entry in self.attacks],
            unprotected=[places[entry.id] for entry in self.power_checks],
            strongest=places[self.strongest.id],
            d_ece_bits=self.bits,
            interval=[found.low, found.high] if found else None,
            level=self.level if found else None,
        )

    @property
    def who(self) -> str:
        """The name of the strongest attack with its dataset, for people."""
        return visible(name_with_dataset(self.strongest), _LONGEST_NAME)

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


def attack_groups(project: Project) -> tuple[AttackGroup, ...]:
    """What attacks each safeguard in each dataset, in the order of the project."""
    return groups_of_attacks(project.entries)


def groups_of_attacks(entries: Sequence[Entry]) -> tuple[AttackGroup, ...]:
    """What attacks each safeguard in each dataset among these assessments, in their order.

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
