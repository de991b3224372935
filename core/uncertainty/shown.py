"""Figures of an assessment with no more digits than they bear.

Where the interval of a figure is known, its half-width decides: one significant digit of it is shown, two
where the first is a 1, and the figure has as many decimals. Where it is not known, the number of trials
decides, see `wording.digits`. CSV and JSON have all digits.
"""

from __future__ import annotations

import math

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.metric import COST, DISCLOSED, INDEX, NOTHING, RATE, STRENGTH
from zebra_core.metrics.registry import METRICS
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import UNITS, below_its_unit, with_interval
from zebra_core.uncertainty.trust import Trust
from zebra_core.wording import digits
from zebra_core.wording.texts import say

_BY_KEY = {metric.key: metric for metric in METRICS}
_UNITS = {**{metric.key: metric.format.unit for metric in METRICS}, **UNITS}
_STRENGTHS = frozenset(metric.key for metric in METRICS if metric.format is STRENGTH)
_ESTIMATED = (DISCLOSED, STRENGTH, RATE, COST, INDEX)
_OF_DECIBELS = 1
_OF_CEILINGS = 2


def fewer(found: Assessment) -> int:
    """How many trials the rarer class has."""
    return min(found.n_target, found.n_nontarget)


def decimals(figure: str, n: int, interval: Interval | None = None) -> int:
    """How many decimals the figure bears in its unit, with this interval or from n trials of a class."""
    unit = _UNITS[figure]
    if interval is not None and _has_width(interval):
        return digits.decimals_for((interval.high - interval.low) / 2.0 * unit.factor)
    if figure in _STRENGTHS or unit.suffix == " dB":
        return _OF_DECIBELS
    return digits.decimals_of(n, unit.factor)


def rounded(figure: str, value: float | None, n: int, interval: Interval | None = None) -> str:
    """A figure below a head that has its unit; per cent stand in every cell."""
    places, unit = decimals(figure, n, interval), _UNITS[figure]
    if value is None or not math.isfinite(value):
        return digits.rounded(value, places)
    if figure in _STRENGTHS:
        return digits.strength(value, places)
    suffix = "" if unit.suffix == " bit" else unit.suffix
    return f"{digits.rounded(value * unit.factor, places)}{suffix}"


def worst_case(log10_lr: float, ceiling_log10_lr: float, interval: Interval | None = None) -> str:
    """A worst case with its sign; with two decimals where fewer would put it above its own ceiling."""
    places = decimals("worst_case_log10_lr", 1, interval)
    if round(abs(log10_lr), places) > abs(ceiling_log10_lr):
        return digits.strength(log10_lr, _OF_CEILINGS)
    return digits.strength(log10_lr, places)


def with_unit(figure: str, value: float | None, n: int, interval: Interval | None = None) -> str:
    """The same with its unit, where no head has it."""
    has_number = value is not None and math.isfinite(value)
    bit = " bit" if has_number and _UNITS[figure].suffix == " bit" else ""
    return f"{rounded(figure, value, n, interval)}{bit}"


def as_computed(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """A figure as it was computed, rounded, below a head that has its unit; a dash where it says nothing."""
    metric = _BY_KEY[figure]
    if metric.format not in _ESTIMATED or not metric.says_something_of(found):
        return metric.shown(found)  # what is counted or was stated is no estimate
    return rounded(figure, _value(figure, found), fewer(found), interval_of(figure, trust))


def in_a_cell(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """A figure with its interval where that is known, or as computed; below a head that has its unit."""
    interval = interval_of(figure, trust)
    if trust is None or interval is None or not _has_width(interval):
        return as_computed(figure, found, trust)
    return below_its_unit(figure, trust.uncertainty.shown(figure), interval)


def in_a_sentence(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """The same with its unit."""
    interval = interval_of(figure, trust)
    if trust is None or interval is None or not _has_width(interval):
        return with_unit(figure, _value(figure, found), fewer(found), interval)
    return with_interval(figure, trust.uncertainty.shown(figure), interval)


def leading(found: Assessment, trust: Trust | None = None) -> str:
    """D_ECE in bits as it leads: without the optimism of small sets where that is known; below its head."""
    value = leading_bits(found, trust)
    return rounded("d_ece_bits", value, fewer(found), interval_of("d_ece_bits", trust))


def leading_bits(found: Assessment, trust: Trust | None = None) -> float:
    """The same as a number."""
    return found.d_ece_bits if trust is None else trust.uncertainty.shown("d_ece_bits")


def corrected(found: Assessment, trust: Trust | None) -> tuple[str, str]:
    """D_ECE without the optimism of small sets, below its head, and the ends of its interval; or dashes."""
    interval = interval_of("d_ece_bits", trust)
    if interval is None:
        return NOTHING, ""
    n = fewer(found)
    low, high = (rounded("d_ece_bits", end, n, interval) for end in (interval.low, interval.high))
    return leading(found, trust), say("uncertainty.between", low=low, high=high)


def interval_of(figure: str, trust: Trust | None) -> Interval | None:
    """The interval of the figure, where it is known."""
    return trust.uncertainty.interval(figure) if trust else None


def _value(figure: str, found: Assessment) -> float | None:
    value = _BY_KEY[figure].of(found)
    return None if isinstance(value, str) else value


def _has_width(interval: Interval) -> bool:
    return interval.low < interval.high < math.inf
