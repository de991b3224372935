"""An assessment with all that is compared of it, and the group within which it may be ranked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.similarity import VoiceSimilarity, gain_db, loss
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attributes import NamedAttribute, in_a_cell
from zebra_core.project.by_group import D_ECE, GroupsOfPeople, figure_in_words
from zebra_core.project.items import (
    Condition,
    Entry,
    attack_as_said,
    dataset_as_said,
)
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.linking_points import PeoplePoint
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.uncertainty.shown import rounded
from zebra_core.uncertainty.trust import Trust
from zebra_core.uncertainty.weighted import FIGURES
from zebra_core.wording.texts import clauses, say, visible, visible_name, with_aside, written


@dataclass(frozen=True)
class ComparisonGroup:
    """What all rows of a group have in common."""

    dataset: str
    condition: Condition | None
    attacker: str  # knowledge, recogniser and back end, as far as they were stated

    @classmethod
    def of(cls, entry: Entry) -> ComparisonGroup:
        """The group of an entry."""
        return cls(entry.dataset, entry.condition, entry.attack)

    @property
    def is_of_unprotected(self) -> bool:
        """Whether neither side was protected: these rows are what the others are measured against."""
        return self.condition is Condition.OO

    def __str__(self) -> str:
        condition = self.condition.value if self.condition else say("comparison.condition-unknown")
        said = say(f"comparison.condition-{self.condition.value}") if self.condition else condition
        parts = [
            visible_name(dataset_as_said(self.dataset)),
            said,
            visible_name(attack_as_said(self.attacker)),
        ]
        return " · ".join(part for part in parts if part)


AnsweredCell = tuple[float, str]
"""A figure of the answer, and how it is said there."""


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonRow:
    """One assessment with everything that is compared. None: not given, not defined, or not of this group."""

    entry: Entry
    group: ComparisonGroup
    baseline: Assessment | None  # of unprotected speech of the same dataset; None for that speech itself
    similarity: VoiceSimilarity | None
    utility: Utility
    c_ece_bits: float | None  # of linear calibration that an attacker learns on another run
    rank: int | None = None  # within its group, 1 discloses least by any reading; equal ones are equal
    ranks: tuple[int, int] | None = None  # the best and the worst that settled differences leave open
    people: Reidentification | None = None  # how well they are linked and singled out, where somebody asked
    inference: tuple[NamedAttribute, ...] = ()  # what is told of attributes, where somebody asked
    voices_trust: Trust | None = None  # how sure the figures of the matrices are, where somebody asked
    by_group: tuple[GroupsOfPeople, ...] = ()  # what groups of people disclose, where somebody asked
    uniqueness: Uniqueness | None = None  # how many people share their attributes, where somebody asked
    average: AnsweredCell | None = None  # what it discloses on average, as the answer says it
    named: AnsweredCell | None = None  # how often the right person is named, likewise
    exposed: AnsweredCell | None = None  # what the most exposed person gives away, likewise

    def __repr__(self) -> str:
        return f"<ComparisonRow: {self.entry.full_name}>"

    @property
    def assessment(self) -> Assessment:
        """The assessment."""
        return self.entry.assessment

    @property
    def system(self) -> str:
        """The safeguard and its run."""
        return self.entry.name_and_run

    @property
    def de_id(self) -> float | None:
        """De-identification, from the similarity matrices of the safeguard."""
        return self.similarity.de_id if self.similarity else None

    @property
    def g_vd_db(self) -> float | None:
        """Gain of voice distinctiveness in dB, from the similarity matrices of the safeguard."""
        return self.similarity.g_vd_db if self.similarity else None

    @property
    def d_ece_loss(self) -> float | None:
        """D_ECE^(OP/OO) of these trials (csl2022, eq. 17), a share: 1 is full de-identification."""
        if self.baseline is None or self.group.condition is not Condition.OP:
            return None
        return loss(self.assessment.d_ece_bits, self.baseline.d_ece_bits)

    @property
    def min_cllr_loss(self) -> float | None:
        """C_llr^min(OP/OO) of these trials (csl2022, eq. 18), a share: 1 is full de-identification."""
        if self.baseline is None or self.group.condition is not Condition.OP:
            return None
        return loss(self.assessment.one_minus_min_cllr, self.baseline.one_minus_min_cllr)

    @property
    def d_ece_gain_db(self) -> float | None:
        """G_D_ECE^(PP/OO) of these trials (csl2022, eq. 19), in dB: 0 keeps voices distinct."""
        if self.baseline is None or self.group.condition is not Condition.PP:
            return None
        return gain_db(self.assessment.d_ece_bits, self.baseline.d_ece_bits)

    @property
    def min_cllr_gain_db(self) -> float | None:
        """G_C_llr^min(PP/OO) of these trials (csl2022, eq. 20), in dB: 0 keeps voices distinct."""
        if self.baseline is None or self.group.condition is not Condition.PP:
            return None
        return gain_db(self.assessment.one_minus_min_cllr, self.baseline.one_minus_min_cllr)

    def utility_interval(self, code: str) -> Interval | None:
        """The interval over speakers of "wer", "cer" or "uar"; None where too few are known."""
        trust = self.entry.trust
        settings = trust.uncertainty.settings if trust else BootstrapSettings()
        draws = self.utility.draws(code, settings)
        return draws.interval(settings.level) if draws else None

    @property
    def linkage(self) -> PeoplePoint | None:
        """π_link of single recordings among all who are enrolled."""
        return self.people.linkage_of(1)[-1] if self.people else None

    @property
    def singling_out(self) -> PeoplePoint | None:
        """π_sing of single recordings among all who can be singled out."""
        points = self.people.singling_out_of(1) if self.people else ()
        return points[-1] if points else None

    def certainty_as_json(self) -> dict[str, float | None]:
        """Ranks that are left open, and both ends of every interval, unrounded; None where nobody asked."""
        found = self.entry.trust.uncertainty.intervals if self.entry.trust else {}
        ends: dict[str, float | None] = dict(
            zip(("rank_low", "rank_high"), self.ranks or (None, None), strict=True)
        )
        for name in FIGURES:
            interval = found.get(name)
            ends[f"{name}_low"] = interval.low if interval and math.isfinite(interval.low) else None
            ends[f"{name}_high"] = interval.high if interval and math.isfinite(interval.high) else None
        return ends


# A column of a comparison: what it is sorted by, what is shown, and which way is better.


NOTHING = "–"

Value = str | float | None


class BetterDirection(Enum):
    """Which way a figure speaks for a safeguard."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


@dataclass(frozen=True)
class ComparisonColumn:
    """A column: what is sorted by, what is shown, and which way is better for those who are protected.

    `bar_end` is the value that fills a cell's bar, which begins at 0; None for no bar. Its words are in the
    texts: `column.<code>` is the head with the unit, `column.<code>-means` says it in a sentence. `kept_as`
    is its key in JSON, CSV and frames, `more` what stands beside it; "" where its value stands there already.
    """

    code: str
    value: Callable[[ComparisonRow], Value]
    shown: Callable[[ComparisonRow], str]
    better: BetterDirection = BetterDirection.NEITHER
    bar_end: float | None = None
    is_text: bool = False
    is_shown_first: bool = True  # in the window, until the user chooses
    figure: str = ""  # the key of the figure whose interval it shows, where it shows one
    kept_as: str = ""
    more: Callable[[ComparisonRow], dict[str, Any]] | None = None

    @property
    def key(self) -> str:
        """What it is called wherever it is asked for."""
        return self.kept_as or self.figure or self.code

    def as_json(self, row: ComparisonRow) -> dict[str, Any]:
        """What it keeps of a row, unrounded; None where it is undefined."""
        return {self.kept_as: self.value(row), **(self.more(row) if self.more else {})}

    @property
    def head(self) -> str:
        """What stands above it."""
        return say(f"column.{self.code}")

    @property
    def meaning(self) -> str:
        """What it tells, in a sentence, and which way is better."""
        return " ".join([say(f"column.{self.code}-means"), *self._direction()])

    def _direction(self) -> list[str]:
        return (
            [say(f"column.better-{self.better.value}")] if self.better is not BetterDirection.NEITHER else []
        )


def kept_as_json(row: ComparisonRow, columns: Iterable[ComparisonColumn]) -> dict[str, Any]:
    """What columns keep of a row, unrounded, by key; None (null) where it is undefined."""
    return {key: value for one in columns for key, value in one.as_json(row).items()}


def ends(key: str, interval: Interval | None) -> dict[str, float | None]:
    """Both ends of an interval under the key of its figure."""
    return {
        f"{key}_low": interval.low if interval else None,
        f"{key}_high": interval.high if interval else None,
    }


def text_column(code: str, of: Callable[[ComparisonRow], str], *, first: bool = True) -> ComparisonColumn:
    """A column of words."""
    # Sorted by the text itself; shown on one line with nothing invisible in it.
    return ComparisonColumn(
        code, of, lambda row: visible(of(row), 400) or NOTHING, is_text=True, is_shown_first=first
    )


def figure_column(
    code: str,
    of: Callable[[ComparisonRow], float | None],
    word: Callable[[float], str],
    better: BetterDirection = BetterDirection.NEITHER,
    bar_end: float | None = None,
    *,
    first: bool = True,
) -> ComparisonColumn:
    """A column of numbers, each in words of its own."""

    def shown(row: ComparisonRow) -> str:
        value = of(row)
        return NOTHING if value is None else word(value)

    return ComparisonColumn(code, of, shown, better, bar_end, is_shown_first=first)


# Columns that take their time: how well people are linked and singled out, what is told of attributes.


def _rank_bits(row: ComparisonRow) -> float | None:
    return row.people.ranks.mean_bits if row.people else None


def _ranks(row: ComparisonRow) -> str:
    """The mean over ranks, and the most that any discloses."""
    ranks = row.people.ranks if row.people else None
    return (
        NOTHING
        if ranks is None
        else f"{written(ranks.mean_bits, '.1f')} / {written(ranks.worst_bits, '.1f')}"
    )


def _of_people(code: str, of: Callable[[ComparisonRow], PeoplePoint | None]) -> ComparisonColumn:
    """A probability among so many people, with its interval where that is known."""

    def value(row: ComparisonRow) -> float | None:
        point = of(row)
        return point.probability if point else None

    def shown(row: ComparisonRow) -> str:
        point = of(row)
        if point is None:
            return NOTHING
        interval = point.interval
        share = rounded("eer", point.probability, point.people, interval)
        said = say("people.among", share=share, people=point.people)
        if interval is None:
            return said
        low, high = (rounded("eer", end, point.people, interval) for end in (interval.low, interval.high))
        return with_aside(said, say("uncertainty.between", low=low, high=high))

    def more(row: ComparisonRow) -> dict[str, Any]:
        point = of(row)
        return {
            f"{code}_people": point.people if point else None,
            **ends(code, point.interval if point else None),
            f"{code}_above_guessing": point.above_guessing if point else None,
        }

    return ComparisonColumn(
        code,
        value,
        shown,
        BetterDirection.LOWER,
        1.0,
        is_shown_first=False,
        kept_as=f"{code}_probability",
        more=more,
    )


def _answered(code: str, of: Callable[[ComparisonRow], AnsweredCell | None]) -> ComparisonColumn:
    """A figure of the answer, in its words."""

    def value(row: ComparisonRow) -> float | None:
        return found[0] if (found := of(row)) else None

    def shown(row: ComparisonRow) -> str:
        return found[1] if (found := of(row)) else NOTHING

    return ComparisonColumn(code, value, shown, BetterDirection.LOWER, is_shown_first=False)


ANSWER_COLUMNS = (
    _answered("average", lambda row: row.average),
    _answered("named", lambda row: row.named),
    _answered("exposed", lambda row: row.exposed),
)
"""What the answer says of each attack."""

PEOPLE_COLUMNS = (
    _of_people("linkage", lambda row: row.linkage),
    _of_people("singling_out", lambda row: row.singling_out),
    ComparisonColumn(
        "rank_disclosure",
        _rank_bits,
        _ranks,
        BetterDirection.LOWER,
        is_shown_first=False,
        kept_as="rank_disclosure_mean_bits",
        more=lambda row: {"rank_disclosure_worst_bits": row.people.ranks.worst_bits if row.people else None},
    ),
)
"""What is compared of people, where somebody asked: it takes its time."""


def _of_attributes(code: str, figure: str, bar_end: float) -> ComparisonColumn:
    """A figure of every attribute that came along, by its name; sorted by the largest."""

    def value(row: ComparisonRow) -> float | None:
        cells = [found.figures[figure].value for _, found in row.inference if figure in found.figures]
        return max(cells, default=None)

    def shown(row: ComparisonRow) -> str:
        cells = (in_a_cell(name, found, figure) for name, found in row.inference if figure in found.figures)
        return clauses(cells) or NOTHING

    return ComparisonColumn(code, value, shown, BetterDirection.LOWER, bar_end, is_shown_first=False)


INFERENCE_COLUMNS = (
    _of_attributes("attribute_similarity", "similarity", FULL_DISCLOSURE_BITS),
    _of_attributes("attribute_recall", "recall", 1.0),
    _of_attributes("attribute_accuracy", "accuracy", 1.0),
    _of_attributes("attribute_information", "information", 1.0),
)
"""What is told of attributes of the speakers, where labels of any came along."""


def _highest_of_groups(row: ComparisonRow) -> float | None:
    """D_ECE of the group that discloses most."""
    values = [group.value_of(D_ECE) for found in row.by_group for group in found.judged]
    return max((value for value in values if value is not None), default=None)


def _of_groups(row: ComparisonRow) -> str:
    """D_ECE of each group by its value."""
    cells = (
        f"{visible(f'{found.attribute}={group.value}', 40)} "
        f"{figure_in_words(D_ECE, group.value_of(D_ECE), with_unit=False)}"
        for found in row.by_group
        for group in found.groups
    )
    return clauses(cells) or NOTHING


BY_GROUP_COLUMN = ComparisonColumn(
    "by_group",
    _highest_of_groups,
    _of_groups,
    BetterDirection.LOWER,
    FULL_DISCLOSURE_BITS,
    is_shown_first=False,
)
"""What groups of people disclose, where somebody asked for groups."""
