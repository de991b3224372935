"""What groups of people within an assessment disclose, by an attribute of theirs, and whether they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import TypeVar

from zebra_core.errors import ZebraError
from zebra_core.evidence.trials import Trials
from zebra_core.evidence.value_types import (
    Count,
    NumberOrNone,
    Positive,
    array_of,
    json_object,
    note,
    nullable,
    object_as_json,
)
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.registry import BIT
from zebra_core.project.attackers import groups_of_attacks
from zebra_core.project.items import OTHER_COUNTS, Condition, Entry
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.study import MOST_EXPOSED, MostExposed
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, IndependentDifference
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.resampling import FigureDraws
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.wording.texts import clauses, listed, rounded, say, visible, visible_name, with_aside

D_ECE, EER, LINKAGE = "d_ece_bits", "eer", "linkage"
TESTED = (D_ECE, EER, LINKAGE)
"""The figures whose differences between groups are tested, all pairs by all of them together."""

FEWEST_PEOPLE = FEWEST_SPEAKERS
"""Smaller groups are named, and not judged."""

MOST_AMONG = 20
"""People are linked among so many of their own group, or as many as the smallest group has."""

_SEX = frozenset({"sex", "gender"})
_OF_SEX = "spk2gender"
"""What Kaldi calls a list of speakers and their sex."""

_WORDS_OF_SEX = (
    {"f", "w", "female", "weiblich", "féminin", "femenino", "woman", "women", "frau", "femme", "mujer"},
    {"m", "h", "male", "männlich", "masculin", "masculino", "man", "men", "mann", "homme", "hombre"},
)
_LONGEST = 60  # characters of a name or value
_MOST_NAMED = 10
_FEW_BITS = 0.01  # below them a third decimal tells what two would not

GROUP_DIFFERENCE = json_object(
    "PeopleGroupDifference",
    figure=note(str, "d_ece_bits, eer or linkage"),
    first=note(Count, "a place in groups, from 0"),
    second=Count,
    value=note(float, "first minus second, D_ECE without the optimism of small sets"),
    p=note(float, "of this test alone"),
    p_family=note(float, "corrected for all pairs by all figures (Holm)"),
    settled=bool,
)
PEOPLE_GROUP = json_object(
    "PeopleGroup",
    value=note(str, "of the attribute, as in its file"),
    speakers=note(Count, "with target trials"),
    n_target=note(nullable(Count), "null, as all figures, where the group is not judged"),
    n_nontarget=nullable(Count),
    d_ece_bits=note(NumberOrNone, "as computed, of the trials of this group alone"),
    d_ece_corrected_bits=note(NumberOrNone, "without the optimism of small sets"),
    d_ece_low=note(NumberOrNone, "of the interval over the speakers of the group"),
    d_ece_high=NumberOrNone,
    eer=NumberOrNone,
    eer_low=NumberOrNone,
    eer_high=NumberOrNone,
    linkage=note(NumberOrNone, "π_link among so many people of the group"),
    linkage_low=NumberOrNone,
    linkage_high=NumberOrNone,
    most_exposed=note(nullable(MOST_EXPOSED), "of the group, by a calibration of its own"),
)
GROUPS_OF_PEOPLE = json_object(
    "GroupsOfPeople",
    attribute=note(str, "the name of its file without what follows a point"),
    groups=note(array_of(PEOPLE_GROUP), "by the value, ascending"),
    people=note(Count, "who take part in the assessment"),
    without_value=note(Count, "of them, whose value is not known"),
    own_nontargets=note(bool, "false: nontargets are between a group and others, for it has none of its own"),
    among=note(nullable(Positive), "how many people linkage is among; null where it cannot be measured"),
    differences=array_of(GROUP_DIFFERENCE),
    level=float,
    seed=Count,
    replicates=Positive,
    remarks=list[str],
)


def attribute_name(file: str) -> str:
    """What an attribute is called: the name of its file without what follows a point."""
    return PurePath(file).stem if file else file


def means_attribute(said: str, file: str) -> bool:
    """Whether these words mean the attribute in a file; Kaldi's list of speakers is of their sex."""
    name = attribute_name(file).casefold()
    return said.casefold() in {name, file.casefold(), *(_SEX if name == _OF_SEX else ())}


@dataclass(frozen=True, eq=False)
class PeopleGroup:
    """People who share the value of an attribute; `n_speakers` of them have target trials.

    With their trials, assessment, intervals, how often they are linked, and who is most exposed: all None
    where the group is not judged.
    """

    value: str
    n_speakers: int
    trials: Trials | None = None
    assessment: Assessment | None = None
    trust: AssessmentTrust | None = None
    linkage: FigureDraws | None = None
    most_exposed: MostExposed | None = None

    @property
    def is_judged(self) -> bool:
        """Whether there are people and trials enough."""
        return self.assessment is not None

    @property
    def figures(self) -> dict[str, FigureDraws]:
        """The draws of every figure that is compared, by its key, as far as there are any."""
        found = {} if self.trust is None else self.trust.uncertainty.figures
        known = {figure: found[figure] for figure in (D_ECE, EER) if figure in found}
        return known if self.linkage is None else {**known, LINKAGE: self.linkage}

    def value_of(self, figure: str) -> float | None:
        """A figure as it is shown beside its interval; None where it is not known."""
        draws, level = self.figures.get(figure), self.level
        return None if draws is None else draws.beside(draws.interval(level))

    def interval_of(self, figure: str) -> Interval | None:
        """The interval of a figure over the speakers of the group; None where it is not known."""
        draws = self.figures.get(figure)
        return None if draws is None else draws.interval(self.level)

    @property
    def level(self) -> float:
        """The level of the intervals."""
        return self.trust.uncertainty.settings.level if self.trust else BootstrapSettings().level

    def entry_of(self, entry: Entry) -> Entry:
        """The assessment of this group alone, under the labels of the whole; the group must be judged."""
        assert self.assessment is not None  # noqa: S101 - for the type checker: whoever asks has looked
        assert self.trust is not None  # noqa: S101 - likewise
        whole = entry.assessment
        found = replace(
            self.assessment, files=whole.files, remarks_on_files=whole.remarks_on_files, audit=whole.audit
        )
        return replace(
            entry, trials=self.trials, assessment=found, measured=replace(self.trust, figures=found)
        )

    def as_json(self) -> dict[str, object]:
        """The object in `by_group`; the keys and their order are a promise."""
        found, draws = self.assessment, self.figures
        given: dict[str, object] = {
            "speakers": self.n_speakers,
            "n_target": found.n_target if found else None,
            "n_nontarget": found.n_nontarget if found else None,
            "d_ece_corrected_bits": draws[D_ECE].corrected if D_ECE in draws else None,
            "most_exposed": self.most_exposed.as_json() if self.most_exposed else None,
        }
        for figure, key in ((D_ECE, "d_ece"), (EER, "eer"), (LINKAGE, "linkage")):
            interval = self.interval_of(figure)
            given |= {
                figure: draws[figure].estimate if figure in draws else None,
                f"{key}_low": interval.low if interval else None,
                f"{key}_high": interval.high if interval else None,
            }
        return object_as_json(PEOPLE_GROUP, self, **given)


@dataclass(frozen=True, eq=False)
class GroupsOfPeople:
    """The groups of an assessment by one attribute, with the differences between those that are judged.

    Of `n_people` who take part `n_without` have no known value. People are linked `among` so many of their
    own group; None where that cannot be measured, for the reason `without_linkage`. `of_own` says whether
    the nontarget trials of a group are between two of its own people.
    """

    attribute: str
    groups: tuple[PeopleGroup, ...]
    n_without: int
    n_people: int
    differences: tuple[IndependentDifference, ...]
    settings: BootstrapSettings
    among: int | None
    of_own: bool
    without_linkage: ZebraError | None = None

    @property
    def judged(self) -> tuple[PeopleGroup, ...]:
        """The groups that have figures."""
        return tuple(each for each in self.groups if each.is_judged)

    def group(self, value: str) -> PeopleGroup | None:
        """The group with this value, of a sex also by another usual word; None where nobody has it."""
        of_sex = _WORDS_OF_SEX if means_attribute("sex", self.attribute) else ()
        alike = [words for words in of_sex if value.casefold() in words]
        found = [each for each in self.groups for words in alike if each.value.casefold() in words]
        own = (each for each in self.groups if each.value == value)
        return next(own, found[0] if len(found) == 1 else None)

    def largest(self, figure: str = D_ECE) -> IndependentDifference | None:
        """The largest settled difference of a figure or, where none is, the largest; None without any."""
        own = [each for each in self.differences if each.figure == figure]
        return max(own, key=lambda each: (each.is_settled, abs(each.value)), default=None)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be told beside the figures, in sentences."""
        told = []
        if not self.groups:
            return (say("by-group.nobody", attribute=visible(self.attribute, _LONGEST)),)
        if len(self.groups) == 1:
            value = self.groups[0].value
            told.append(say("by-group.one-value", attribute=visible(self.attribute, _LONGEST), value=value))
        if few := [each for each in self.groups if not each.is_judged]:
            named_with_people = [with_aside(each.value, str(each.n_speakers)) for each in few]
            names = listed(named_with_people, _MOST_NAMED)
            told.append(say("by-group.few", count=len(few), names=names, fewest=FEWEST_PEOPLE))
        if self.n_without:
            attribute = visible(self.attribute, _LONGEST)
            counts = {"people": self.n_people, "count": self.n_without}
            told.append(say("by-group.without", attribute=attribute, **counts))
        if self.judged and not self.of_own:
            told.append(say("by-group.others"))
        if self.judged and self.without_linkage:
            told.append(say("by-group.no-linkage", reason=str(self.without_linkage)))
        return tuple(told)

    def sentence(self, entry: Entry, attack: str) -> str:
        """Which group is protected least and most, and whether that is settled; else empty.

        `attack` says under which one, "the strongest attack" say.
        """
        found = self.largest()
        if found is None:
            return ""
        told = [self._on_the_largest(entry, found, attack)]
        told += [self._also(each) for figure in (EER, LINKAGE) if (each := self.largest(figure))]
        return " ".join(filter(None, told))

    def _on_the_largest(self, entry: Entry, found: IndependentDifference, attack: str) -> str:
        more, less = self._in_order(found)
        values = [figure_in_words(D_ECE, each.value_of(D_ECE), with_unit=False) for each in (more, less)]
        any_settled = any(each.is_settled for each in self.differences)
        if not any_settled and values[0] == values[1]:
            name = visible_name(entry.name_and_run, _LONGEST)
            return say("by-group.alike", name=name, attribute=visible(self.attribute, _LONGEST))
        what = "unprotected" if entry.condition is Condition.OO else "protected"
        return say(
            f"by-group.{what}-{'settled' if found.is_settled else 'open'}",
            name=visible_name(entry.name_and_run, _LONGEST),
            attack=attack,
            attribute=visible(self.attribute, _LONGEST),
            less=more.value,
            more=less.value,
            high=values[0],
            low=values[1],
        )

    def _also(self, found: IndependentDifference) -> str:
        """Another figure whose difference is settled; else empty."""
        if not found.is_settled:
            return ""
        more, less = self._in_order(found)
        high, low = (figure_in_words(found.figure, each.value_of(found.figure)) for each in (more, less))
        facts = {"less": more.value, "more": less.value, "high": high, "low": low}
        return say(f"by-group.also-{found.figure}", people=self.among, **facts)

    def _in_order(self, found: IndependentDifference) -> tuple[PeopleGroup, PeopleGroup]:
        """The two, the one that is protected less first."""
        one, other = self.groups[found.first], self.groups[found.second]
        discloses_more = found.value > 0.0 if found.figure != EER else found.value < 0.0
        return (one, other) if discloses_more else (other, one)

    @property
    def are_compared(self) -> bool:
        """Whether two groups are judged, so that there is something to compare."""
        return len(self.judged) > 1

    def lines(self, entry: Entry, attack: str) -> list[str]:
        """A line for each group that is judged, and the sentence, for the shell."""
        rows = [(visible(each.value, _LONGEST), self.in_a_line(each)) for each in self.judged]
        width = max((len(value) for value, _ in rows), default=0)
        told = self.sentence(entry, attack)
        return [*(f"  {value.ljust(width)}  {said}" for value, said in rows), *([told] if told else [])]

    def in_a_line(self, group: PeopleGroup) -> str:
        """How many people there are, and every figure of the group with its interval."""
        told = [say("by-group.people", count=group.n_speakers)]
        told += [
            say(f"by-group.figure-{figure}", value=with_ends(group, figure), people=self.among)
            for figure in group.figures
        ]
        if group.most_exposed is not None:
            row, code = group.most_exposed.row, "" if group.most_exposed.is_alone else "-highest"
            bits = figure_in_words(D_ECE, row.estimate_bits)
            told.append(say(f"by-group.exposed{code}", speaker=visible_name(row.speaker), bits=bits))
        return clauses(told)

    def as_json(self) -> dict[str, object]:
        """One object of `by_group`; the keys and their order are a promise."""
        return object_as_json(
            GROUPS_OF_PEOPLE,
            self,
            groups=[each.as_json() for each in self.groups],
            people=self.n_people,
            without_value=self.n_without,
            own_nontargets=self.of_own,
            differences=[
                object_as_json(GROUP_DIFFERENCE, each, p=each.p_value, settled=each.is_settled)
                for each in self.differences
            ],
            level=self.settings.level,
            seed=self.settings.seed,
            replicates=self.settings.replicates,
            remarks=list(self.remarks),
        )


def figure_in_words(figure: str, value: float | None, *, with_unit: bool = True) -> str:
    """A figure of a group: bits with two decimals, or three below 0.01; rates in per cent without any."""
    if value is None:
        return "–"
    if figure != D_ECE:
        return f"{rounded(100.0 * value, 0)} %"
    bits = rounded(value, 3 if 0.0 < value < _FEW_BITS else 2)
    return f"{bits}{BIT.suffix}" if with_unit else bits


def with_ends(group: PeopleGroup, figure: str) -> str:
    """A figure with both ends of its interval."""
    value, interval = group.value_of(figure), group.interval_of(figure)
    if interval is None:
        return figure_in_words(figure, value)
    low, high = (figure_in_words(figure, end, with_unit=False) for end in (interval.low, interval.high))
    between = say("uncertainty.between", low=low, high=high)
    return with_aside(figure_in_words(figure, value), between)


def columns_as_json(found: Sequence[GroupsOfPeople]) -> dict[str, float | None]:
    """D_ECE of every group with both ends of its interval, as columns of a table."""
    columns: dict[str, float | None] = {}
    for by_one in found:
        for each in by_one.groups:
            interval, key = each.interval_of(D_ECE), f"{by_one.attribute}={each.value}_{D_ECE}"
            columns |= {
                key: each.value_of(D_ECE),
                f"{key}_low": interval.low if interval else None,
                f"{key}_high": interval.high if interval else None,
            }
    return columns


def attacks_in_words(entries: Sequence[Entry]) -> dict[str, str]:
    """What a sentence calls the attack of each assessment, by its id: the strongest of several, or this."""
    strongest = {group.strongest.id for group in groups_of_attacks(entries) if len(group.attacks) > 1}
    return {
        entry.id: say(f"by-group.{'strongest' if entry.id in strongest else 'this'}-attack")
        for entry in entries
    }


# What was found of entries, one by one, and why nothing was found of others.


T = TypeVar("T")


class EntryFindings(dict[str, T]):
    """The findings by the id of their entry; `missing` says why there are none of an entry.

    Figures of other counts than those of the files must not be reported at all: that is raised.
    """

    def __init__(
        self, found: Mapping[str, T] | None = None, missing: Mapping[str, ZebraError] | None = None
    ) -> None:
        super().__init__(found or {})
        self.missing = dict(missing or {})

    @classmethod
    def each(
        cls,
        entries: Sequence[Entry],
        compute: Callable[[Entry, Progress], T | None],
        on_progress: Progress = no_progress,
    ) -> EntryFindings[T]:
        """What is computed of each of them, where there is anything; `on_progress` may raise Cancelled."""
        made = cls()
        for number, entry in enumerate(entries):
            part = part_of(on_progress, number / len(entries), (number + 1) / len(entries))
            part(0.0)
            made.keep(entry, partial(compute, entry, part))
        on_progress(1.0)
        return made

    def keep(self, entry: Entry, compute: Callable[[], T | None]) -> T | None:
        """What is computed of an entry, where there is anything; else why it cannot be is kept."""
        try:
            if found := compute():
                self[entry.id] = found
        except ZebraError as error:
            if error.code == OTHER_COUNTS:
                raise
            self.missing[entry.id] = error
        return self.get(entry.id)

    def add(self, other: EntryFindings[T]) -> None:
        """Take over what was found of others, and why nothing was."""
        self.update(other)
        self.missing |= other.missing
