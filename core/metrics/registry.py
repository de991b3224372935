"""Every figure of an assessment in a row: what it is called, counted in, and how it is drawn again.

Evidence, columns, tables of results and intervals are made of these rows. The words of a figure are in the
texts, under its code: `column.<code>` and `column.<code>-means`, and `uncertainty.<key, with dashes>`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.samples import Sample
from zebra_core.metrics.verification import cllr_bits, eer, rocch_eer
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, d_ece_bits, worst_case_log10_lr
from zebra_core.wording import wording
from zebra_core.wording.texts import grouped, visible

Value = float | str | None


@dataclass(frozen=True)
class Unit:
    """How a number is shown: what it is multiplied by, and what follows it."""

    factor: float = 1.0
    suffix: str = ""


BIT, PERCENT, PLAIN = Unit(suffix=" bit"), Unit(100.0, " %"), Unit()


@dataclass(frozen=True)
class Format:
    """How a figure is written: its unit, its words below a head that has the unit, its type in the schema."""

    unit: Unit
    words: Callable[[Any], str]  # of its value, which may be None only where the words know what to say
    schema: Mapping[str, object]

    def alone(self, value: Value) -> str:
        """With the unit, where no head has it."""
        return self.words(value) + (self.unit.suffix if self.unit == BIT else "")


_NUMBER: Mapping[str, object] = {"type": ["number", "null"]}
DISCLOSED = Format(BIT, wording.disclosure, _NUMBER)
STRENGTH = Format(PLAIN, wording.log10_lr, _NUMBER)
RATE = Format(PERCENT, wording.percent, _NUMBER)
COST = Format(BIT, wording.bits, _NUMBER)
INDEX = Format(PLAIN, wording.bits, _NUMBER)
COUNT = Format(PLAIN, grouped, {"type": "integer", "minimum": 0})
LETTER = Format(PLAIN, visible, {"type": "string"})


class Discloses(Enum):
    """What a larger value says about disclosure."""

    MORE = "more"
    LESS = "less"
    NEITHER = "neither"


@dataclass(frozen=True)
class Drawn:
    """How a figure is computed again where speakers are drawn, and what is known of its values.

    `row` is its place, from 0, in the arrays of draws, which projects keep: it never changes, and new figures
    come last.
    """

    row: int
    of: Callable[[Sample], float | None]
    lowest: float  # no interval leaves this range
    highest: float
    is_optimistic: bool = False  # the plain PAV makes it look better for the adversary than it is
    has_null: bool = False  # what it would be without any disclosure is computed, too
    is_paired: bool = False  # safeguards are compared by it; not by a maximum, which does not resample


@dataclass(frozen=True)
class ColumnLook:
    """How a comparison shows a figure."""

    bar_end: float | None = None  # the value that fills the bar in its cell; None for no bar
    is_shown_first: bool = True  # in the window, until the user chooses


@dataclass(frozen=True)
class Metric:
    """One figure of an assessment."""

    code: str  # of its words
    key: str  # in evidence, in `zebra assess --json` and above results.csv
    of: Callable[[Assessment], Value]
    format: Format
    discloses: Discloses = Discloses.NEITHER
    drawn: Drawn | None = None  # None: there are no intervals of it
    column: ColumnLook | None = None  # None: no column of a comparison
    is_promised: bool = True  # one of the keys of `zebra assess --json`; else it is in the evidence only

    def as_json(self, found: Assessment) -> object:
        """Its value unrounded; None where it is not measurable or not finite."""
        value = self.of(found)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        return value

    def shown(self, found: Assessment) -> str:
        """Its value in words, below a head that has the unit."""
        return self.format.words(self.of(found))


_MORE, _LESS = Discloses.MORE, Discloses.LESS
_ABOVE_ALL = math.inf
_CHANCE = 0.5  # the error rate of guessing

METRICS = (
    Metric("n_target", "n_target", lambda found: found.n_target, COUNT),
    Metric("n_nontarget", "n_nontarget", lambda found: found.n_nontarget, COUNT),
    Metric(
        "d_ece",
        "d_ece_bits",
        lambda found: found.d_ece_bits,
        DISCLOSED,
        _MORE,
        Drawn(
            0,
            lambda sample: d_ece_bits(*sample.oracle),
            *(0.0, FULL_DISCLOSURE_BITS),
            is_optimistic=True,
            has_null=True,
            is_paired=True,
        ),
        ColumnLook(FULL_DISCLOSURE_BITS),
    ),
    Metric(
        "worst_case",
        "worst_case_log10_lr",
        lambda found: found.worst_case_log10_lr,
        STRENGTH,
        _MORE,
        Drawn(
            1,
            lambda sample: worst_case_log10_lr(sample.smoothed),
            *(0.0, _ABOVE_ALL),
            has_null=True,
        ),
        ColumnLook(6.0),
    ),
    Metric(
        "ceiling",
        "worst_case_ceiling_log10_lr",
        lambda found: found.worst_case_ceiling_log10_lr,
        STRENGTH,
        column=ColumnLook(),
    ),
    Metric("tag", "tag", lambda found: found.tag, LETTER),
    Metric(
        "eer",
        "eer",
        lambda found: found.eer,
        RATE,
        _LESS,
        Drawn(2, lambda sample: eer(sample.counts), 0.0, 1.0, has_null=True, is_paired=True),
        ColumnLook(_CHANCE, is_shown_first=False),
    ),
    Metric(
        "rocch_eer",
        "rocch_eer",
        lambda found: found.rocch_eer,
        RATE,
        _LESS,
        Drawn(3, lambda sample: rocch_eer(sample.plain), 0.0, 0.5, is_optimistic=True),
        ColumnLook(_CHANCE),
    ),
    Metric(
        "cllr",
        "cllr_bits",
        lambda found: found.cllr_bits,
        COST,
        drawn=Drawn(5, lambda sample: sample.cllr_bits, 0.0, _ABOVE_ALL),
        column=ColumnLook(is_shown_first=False),
    ),
    Metric(
        "min_cllr",
        "min_cllr_bits",
        lambda found: found.min_cllr_bits,
        COST,
        _LESS,
        Drawn(
            4,
            lambda sample: cllr_bits(*sample.oracle),
            *(0.0, 1.0),
            is_optimistic=True,
            has_null=True,
            is_paired=True,
        ),
        ColumnLook(1.0),
    ),
    Metric(
        "linkability",
        "linkability",
        lambda found: found.linkability,
        INDEX,
        _MORE,
        Drawn(6, lambda sample: sample.linkability, 0.0, 1.0),
        ColumnLook(1.0),
    ),
    Metric(
        "linkability_by_chance", "linkability_by_chance", lambda found: found.linkability_by_chance, INDEX
    ),
    Metric(
        "unordered",
        "d_ece_unordered_bits",
        lambda found: found.cross_fitted.d_ece_unordered_bits,
        COST,
        _MORE,
    ),
    Metric(
        "strongest_for",
        "strongest_for_log10_lr",
        lambda found: found.strongest_for_log10_lr,
        STRENGTH,
        _MORE,
        column=ColumnLook(is_shown_first=False),
        is_promised=False,
    ),
    Metric(
        "strongest_against",
        "strongest_against_log10_lr",
        lambda found: found.strongest_against_log10_lr,
        STRENGTH,
        column=ColumnLook(is_shown_first=False),
        is_promised=False,
    ),
)
"""In the order of `zebra assess --json`, which is a promise, and of columns; new ones come last."""

DRAWN: Mapping[str, Drawn] = dict(
    sorted(
        ((each.key, each.drawn) for each in METRICS if each.drawn is not None),
        key=lambda named: named[1].row,
    )
)
"""The figures that have intervals, by key, in the order of the rows of their draws."""


def metric(code: str) -> Metric:
    """The figure of this code. Raises KeyError."""
    return {each.code: each for each in METRICS}[code]
