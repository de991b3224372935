"""What is said of a figure beside its value: its unit, its words, how it is drawn again, where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.evidence.value_types import Count, NumberOrNone, Type
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.calibration import PavBlocks, laplace, pav_of_each
from zebra_core.metrics.error_rates import RatesOfEach, rates_of_each
from zebra_core.wording import numbers
from zebra_core.wording.texts import grouped, knows, say, visible

ByClass = tuple[FloatArray, FloatArray, FloatArray]
"""Natural-log LLRs with their shares of the target and of the nontarget trials, each of shape (…, m)."""


@dataclass(frozen=True, eq=False)
class DrawnTrials:
    """Trials as w draws left them, counted by m distinct scores or runs of one class; all have both classes.

    `n_target` and `n_nontarget` are of shape (w, m). What does not follow from counts of runs is given, (w,):
    the cost of the scores as they are, and linkability in the bins of the undrawn trials, NaN where it is
    not measurable; None where nobody computed it.
    """

    n_target: IntArray
    n_nontarget: IntArray
    cllr_bits: FloatArray | None = None
    linkability: FloatArray | None = None

    @cached_property
    def plain(self) -> PavBlocks:
        """The plain PAV of each draw."""
        return pav_of_each(self.n_target, self.n_nontarget)

    @cached_property
    def smoothed(self) -> PavBlocks:
        """The PAV under Laplace's rule."""
        return laplace(self.plain)

    @cached_property
    def oracle(self) -> ByClass:
        """The LLRs of the plain PAV, (w, b)."""
        return self.plain.llr, self.plain.target_share, self.plain.nontarget_share

    @cached_property
    def rates(self) -> RatesOfEach:
        """Misses and false alarms above each distinct score or run."""
        return rates_of_each(self.n_target, self.n_nontarget)

    @property
    def are_equal(self) -> BoolArray:
        """Whether all scores that were drawn are one, (w,)."""
        return np.asarray(np.count_nonzero(self.n_target + self.n_nontarget, axis=1) == 1)


NOTHING = "–"  # where a figure is not shown

Value = float | str | None


@dataclass(frozen=True)
class NumberUnit:
    """How a number is shown: what it is multiplied by, and what follows it: a sign, or a word by its code."""

    factor: float = 1.0
    sign: str = ""
    word: str = ""

    @property
    def suffix(self) -> str:
        """What follows it, in the current language."""
        return f" {say(self.word)}" if self.word else self.sign


BIT, PERCENT, PLAIN = NumberUnit(word="word.bit"), NumberUnit(100.0, " %"), NumberUnit()


@dataclass(frozen=True)
class Format:
    """How a figure is written: its unit, its words below a head that has the unit, its type in evidence."""

    unit: NumberUnit
    words: Callable[[Any], str]  # of its value, which may be None only where the words know what to say
    type: Type = NumberOrNone

    def alone(self, value: Value) -> str:
        """A value in words with its unit, for places where no head has it."""
        return self.words(value) + (self.unit.suffix if self.unit == BIT else "")


DISCLOSED = Format(BIT, numbers.disclosure)
STRENGTH = Format(PLAIN, numbers.log10_lr)
RATE = Format(PERCENT, numbers.percent)
COST = Format(BIT, numbers.bits)
INDEX = Format(PLAIN, numbers.bits)
PRIOR = Format(PLAIN, lambda one_in: say("word.one-in", count=one_in), Annotated[int, Meta(ge=2)])
COUNT = Format(PLAIN, grouped, Count)
LETTER = Format(PLAIN, visible, str)


class DisclosureDirection(Enum):
    """What a larger value says about disclosure."""

    MORE = "more"
    LESS = "less"
    NEITHER = "neither"


class PairedFamily(Enum):
    """Figures by which safeguards are tested against each other, and for whose tests p-values are corrected.

    Who joins a family makes all p-values of its figures larger, those that were published, too.
    """

    DISCLOSURE = "disclosure"


@dataclass(frozen=True)
class ResampledFigure:
    """How a figure is computed again where speakers are drawn, and what is known of its values.

    `row` is its place, from 0, in the arrays of draws, which projects keep: it never changes, and new figures
    come last.
    """

    row: int
    of: Callable[[DrawnTrials], FloatArray | None]  # (w,), NaN where not measurable
    lowest: float  # no interval leaves this range
    highest: float
    is_optimistic: bool = False  # the plain PAV makes it look better for the attacker than it is
    has_null: bool = False  # what it would be without any disclosure is computed, too
    tested_with: PairedFamily | None = None  # never for a maximum, which does not resample


@dataclass(frozen=True)
class ColumnLook:
    """How a comparison shows a figure."""

    bar_end: float | None = None  # the value that fills the bar in its cell; None for no bar
    is_shown_first: bool = True  # in the window, until the user chooses


class ReportTable(Enum):
    """A table of the report's results."""

    DISCLOSURE = "disclosure"
    CALIBRATION = "calibration"
    FEW_FALSE_ALARMS = "few-false-alarms"


def _nothing(_: Assessment) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Metric:
    """One figure of an assessment."""

    code: str  # of its words
    key: str  # in evidence, in `zebra assess --json` and above results.csv
    of: Callable[[Assessment], Value]
    format: Format
    discloses: DisclosureDirection = DisclosureDirection.NEITHER
    drawn: ResampledFigure | None = None  # None: there are no intervals of it
    column: ColumnLook | None = None  # None: no column of a comparison
    table: ReportTable | None = None  # of the report; None for no table
    card: int | None = None  # its place, from 0, among the small figures of the overview
    facts: Callable[[Assessment], Mapping[str, str]] = _nothing  # what its words name, in words
    needs_llrs: bool = False  # it says nothing of raw scores, and is not shown of them
    is_promised: bool = True  # one of the keys of `zebra assess --json`; else it is in the evidence only
    stands_alone: bool = True  # under its key; else it stands in both in an object of several, as `hits_at`
    missing: str = ""  # the text that says, with its facts, why it is not measurable; "" where none does

    def as_json(self, found: Assessment) -> object:
        """The figure unrounded; None where it is not measurable or not finite."""
        value = self.of(found)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        return value

    def shown(self, found: Assessment) -> str:
        """The figure in words, below a head that has the unit; a dash where it says nothing."""
        return self.format.words(self.of(found)) if self.says_something_of(found) else NOTHING

    def alone(self, found: Assessment) -> str:
        """The figure in words with its unit, where no head has it; a dash where it says nothing."""
        return self.format.alone(self.of(found)) if self.says_something_of(found) else NOTHING

    def says_something_of(self, found: Assessment) -> bool:
        """Whether it may be shown: Cllr of raw scores is a number, and means nothing."""
        return found.has_llrs or not self.needs_llrs

    def why_missing(self, found: Assessment) -> str:
        """Why it is not measurable; empty where it is, or where nothing is known of that."""
        return say(self.missing, **self.facts(found)) if self.missing and self.of(found) is None else ""

    def text(self, code: str, found: Assessment) -> str:
        """What a text says of it here, with its facts put in; nothing where there is no such text."""
        return say(code, **self.facts(found)) if knows(code) else ""
