"""Every figure of an assessment in a row: what it is called, counted in, how it is drawn, where it stands.

Evidence and its schema, tables, columns, the facts of the window and intervals are made of these rows. The
words of a figure are in the texts, under its code: `column.<code>`, `table.<code>` and `fact.<code>` are its
names there, `column.<code>-means` and `fact.<code>-means` say what it means, `uncertainty.<key, with dashes>`
names it beside intervals; `table.<code>-below`, what stands below it, and `evidence.<code>`, what the schema
says of it, may be missing.
"""

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
from zebra_core.metrics.ece import PavBlocks, laplace, pav_of_each
from zebra_core.metrics.error_rates import (
    FALSE_ALARM_RATES,
    RatesOfEach,
    cllr_bits_of_each,
    equal_error_rates,
    hits_of_each,
    normalised_dcf,
    rates_of_each,
)
from zebra_core.metrics.zebra import (
    FULL_DISCLOSURE_BITS,
    d_ece_bits_of_each,
    worst_case_log10_lr_of_each,
)
from zebra_core.wording import texts
from zebra_core.wording.texts import decimals_of, grouped, knows, log10_lr, rounded, say, strength, visible

# What is said of a figure beside its value: its unit, its words, how it is drawn again, where it stands.


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


DISCLOSED = Format(BIT, texts.disclosure)
STRENGTH = Format(PLAIN, texts.log10_lr)
RATE = Format(PERCENT, texts.percent)
COST = Format(BIT, texts.bits)
INDEX = Format(PLAIN, texts.bits)
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


_MORE, _LESS = DisclosureDirection.MORE, DisclosureDirection.LESS
_ABOVE_ALL = math.inf
_CHANCE = 0.5  # the error rate of guessing
_OTHER_PRIOR_ONE_IN = 20  # 0.05, of the detection costs that stand beside those at the prior considered
_FEW_FOR_HISTOGRAMS = 100  # target trials: histograms have a bin for ten of them


def _at_the_prior(found: Assessment) -> Mapping[str, str]:
    return {"one_in": grouped(found.settings.prior_one_in)}


def hits_key(false_alarms: float) -> str:
    """The key of the true-positive rate at one of `FALSE_ALARM_RATES`, as `hits_at_0_01`."""
    return f"hits_at_{false_alarms:g}".replace(".", "_")


def _hits_at(place: int, rate: float) -> Metric:
    """The true-positive rate at a false-alarm rate, `place` of which come before it."""
    return Metric(
        f"hits_at_1e{round(-math.log10(rate))}",
        hits_key(rate),
        lambda found: found.hits_at[rate],
        RATE,
        _MORE,
        ResampledFigure(
            7 + place,
            lambda drawn: hits_of_each(*drawn.rates, drawn.n_nontarget.sum(axis=1), rate),
            *(0.0, 1.0),
        ),
        ColumnLook(1.0, is_shown_first=False),
        ReportTable.FEW_FALSE_ALARMS,
        facts=lambda found: {"count": grouped(found.n_nontarget)},
        stands_alone=False,
        missing="table.hits-missing",
    )


def _detection_costs(ending: str, one_in: Callable[[Assessment], int]) -> tuple[Metric, Metric]:
    """MinDCF and the actual DCF at a prior, C_miss = C_fa = 1."""

    def log_odds(found: Assessment) -> float:
        return -math.log(one_in(found) - 1)

    def cost(code: str, of: Callable[[Assessment], float], *, needs_llrs: bool) -> Metric:
        return Metric(
            f"{code}{ending}",
            f"{code}{ending}",
            of,
            INDEX,
            column=ColumnLook(1.0, is_shown_first=False),
            table=ReportTable.FEW_FALSE_ALARMS,
            facts=lambda found: {"one_in": grouped(one_in(found))},
            needs_llrs=needs_llrs,
        )

    return (
        cost("min_dcf", lambda found: normalised_dcf(log_odds(found), found.plain), needs_llrs=False),
        cost("actual_dcf", lambda found: normalised_dcf(log_odds(found), found.llrs), needs_llrs=True),
    )


METRICS = (
    Metric("n_target", "n_target", lambda found: found.n_target, COUNT),
    Metric("n_nontarget", "n_nontarget", lambda found: found.n_nontarget, COUNT),
    Metric(
        "d_ece",
        "d_ece_bits",
        lambda found: found.d_ece_bits,
        DISCLOSED,
        _MORE,
        ResampledFigure(
            0,
            lambda drawn: d_ece_bits_of_each(*drawn.oracle),
            *(0.0, FULL_DISCLOSURE_BITS),
            is_optimistic=True,
            has_null=True,
            tested_with=PairedFamily.DISCLOSURE,
        ),
        ColumnLook(FULL_DISCLOSURE_BITS),
        ReportTable.DISCLOSURE,
    ),
    Metric(
        "worst_case",
        "worst_case_log10_lr",
        lambda found: found.worst_case_log10_lr,
        STRENGTH,
        _MORE,
        ResampledFigure(
            1,
            lambda drawn: worst_case_log10_lr_of_each(drawn.smoothed, drawn.are_equal),
            *(0.0, _ABOVE_ALL),
            has_null=True,
        ),
        ColumnLook(6.0),
        ReportTable.DISCLOSURE,
        facts=lambda found: {
            "of_others": strength(found.cross_fitted.worst_case_log10_lr),
            "tag": found.cross_fitted_tag,
        },
    ),
    Metric(
        "strongest_for",
        "strongest_for_log10_lr",
        lambda found: found.strongest_for_log10_lr,
        STRENGTH,
        _MORE,
        column=ColumnLook(is_shown_first=False),
        table=ReportTable.DISCLOSURE,
        facts=lambda found: {"ceiling": log10_lr(found.ceilings_log10_lr[1])},
        is_promised=False,
    ),
    Metric(
        "strongest_against",
        "strongest_against_log10_lr",
        lambda found: found.strongest_against_log10_lr,
        STRENGTH,
        column=ColumnLook(is_shown_first=False),
        table=ReportTable.DISCLOSURE,
        facts=lambda found: {"ceiling": log10_lr(found.ceilings_log10_lr[0])},
        is_promised=False,
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
        ResampledFigure(
            2,
            lambda drawn: equal_error_rates(*drawn.rates),
            *(0.0, 1.0),
            has_null=True,
            tested_with=PairedFamily.DISCLOSURE,
        ),
        ColumnLook(_CHANCE, is_shown_first=False),
        ReportTable.CALIBRATION,
        card=0,
    ),
    Metric(
        "rocch_eer",
        "rocch_eer",
        lambda found: found.rocch_eer,
        RATE,
        _LESS,
        ResampledFigure(
            3,
            lambda drawn: equal_error_rates(*rates_of_each(drawn.plain.n_target, drawn.plain.n_nontarget)),
            *(0.0, 0.5),
            is_optimistic=True,
        ),
        ColumnLook(_CHANCE),
        ReportTable.CALIBRATION,
        card=3,
    ),
    Metric(
        "cllr",
        "cllr_bits",
        lambda found: found.cllr_bits,
        COST,
        drawn=ResampledFigure(5, lambda drawn: drawn.cllr_bits, 0.0, _ABOVE_ALL),
        column=ColumnLook(is_shown_first=False),
        table=ReportTable.CALIBRATION,
        card=1,
        needs_llrs=True,
    ),
    Metric(
        "min_cllr",
        "min_cllr_bits",
        lambda found: found.min_cllr_bits,
        COST,
        _LESS,
        ResampledFigure(
            4,
            lambda drawn: cllr_bits_of_each(*drawn.oracle),
            *(0.0, 1.0),
            is_optimistic=True,
            has_null=True,
            tested_with=PairedFamily.DISCLOSURE,
        ),
        ColumnLook(1.0),
        ReportTable.CALIBRATION,
        card=4,
    ),
    Metric(
        "linkability",
        "linkability",
        lambda found: found.linkability,
        INDEX,
        _MORE,
        ResampledFigure(6, lambda drawn: drawn.linkability, 0.0, 1.0),
        ColumnLook(1.0),
        ReportTable.DISCLOSURE,
        card=2,
        facts=lambda found: {
            "by_chance": rounded(
                found.linkability_by_chance, decimals_of(min(found.n_target, found.n_nontarget))
            ),
            "caveat": say("fact.linkability-rough") if found.n_target < _FEW_FOR_HISTOGRAMS else "",
        },
    ),
    Metric(
        "linkability_by_chance",
        "linkability_by_chance",
        lambda found: found.linkability_by_chance,
        INDEX,
    ),
    Metric(
        "unordered",
        "d_ece_unordered_bits",
        lambda found: found.cross_fitted.d_ece_unordered_bits,
        COST,
        _MORE,
    ),
    Metric(
        "prior",
        "prior_one_in",
        lambda found: found.settings.prior_one_in,
        PRIOR,
        column=ColumnLook(is_shown_first=False),
        card=6,
    ),
    Metric(
        "wrong_target",
        "wrong_target_share",
        lambda found: found.wrong_decisions.of_target,
        RATE,
        column=ColumnLook(1.0, is_shown_first=False),
        table=ReportTable.CALIBRATION,
        card=7,
        facts=_at_the_prior,
    ),
    Metric(
        "wrong_nontarget",
        "wrong_nontarget_share",
        lambda found: found.wrong_decisions.of_nontarget,
        RATE,
        column=ColumnLook(1.0, is_shown_first=False),
        table=ReportTable.CALIBRATION,
        card=8,
        facts=_at_the_prior,
    ),
    *(_hits_at(place, rate) for place, rate in enumerate(FALSE_ALARM_RATES)),
    Metric(
        "dev_pav",
        "dev_pav_log10",
        lambda found: found.dev_pav_log10,
        INDEX,
        column=ColumnLook(is_shown_first=False),
        table=ReportTable.CALIBRATION,
        needs_llrs=True,
    ),
    Metric(
        "invariance_low",
        "invariance_low_log10_lr",
        lambda found: found.invariance.low if found.invariance else None,
        STRENGTH,
        needs_llrs=True,
    ),
    Metric(
        "invariance_high",
        "invariance_high_log10_lr",
        lambda found: found.invariance.high if found.invariance else None,
        STRENGTH,
        needs_llrs=True,
    ),
    *_detection_costs("", lambda found: found.settings.prior_one_in),
    *_detection_costs("_0_05", lambda _found: _OTHER_PRIOR_ONE_IN),
)
"""In the order of `zebra assess --json`, which is a promise, and of columns; new ones come last."""

ON_CARD: Mapping[int, Metric] = {each.card: each for each in METRICS if each.card is not None}
"""The small figures of the overview, by their places."""

HITS = tuple(hits_key(rate) for rate in FALSE_ALARM_RATES)
"""The keys of the true-positive rates at few false alarms."""

DRAWN: Mapping[str, ResampledFigure] = dict(
    sorted(
        ((each.key, each.drawn) for each in METRICS if each.drawn is not None),
        key=lambda named: named[1].row,
    )
)
"""The figures that have intervals, by key, in the order of the rows of their draws."""


def drawn_values(found: Assessment) -> dict[str, float]:
    """The figures that have intervals, by key in the order of `DRAWN`; NaN where one is not measurable."""
    values = {each.key: each.of(found) for each in METRICS if each.drawn is not None}
    return {key: math.nan if (value := values[key]) is None else float(value) for key in DRAWN}


def metric(code: str) -> Metric:
    """The figure of this code. Raises KeyError."""
    return {each.code: each for each in METRICS}[code]
