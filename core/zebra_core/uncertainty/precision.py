"""Figures with their uncertainty in words: no digits that the data do not support."""

from __future__ import annotations

import math
from collections.abc import Mapping

from zebra_core.metrics.metric import BIT, PERCENT, PLAIN, STRENGTH, NumberUnit
from zebra_core.metrics.registry import METRICS
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.intervals import Interval
from zebra_core.wording.numbers import MINUS, decimals_for, log10_lr, rounded, zebra_number
from zebra_core.wording.texts import say, with_decimal_sign

UNITS: Mapping[str, NumberUnit] = {
    **{metric.key: metric.format.unit for metric in METRICS if metric.drawn},
    "d_ece_strongest_bits": BIT,
    "d_diag": PLAIN,
    "de_id": PERCENT,
    "g_vd_db": NumberUnit(sign=" dB"),
    **{f"d_diag_{setting}": PLAIN for setting in ("oo", "op", "pp")},
    **{f"d_ece_bits_{setting}": BIT for setting in ("oo", "op", "pp")},
    **{f"min_cllr_bits_{setting}": BIT for setting in ("oo", "op", "pp")},
    "d_ece_op_oo": PERCENT,
    "min_cllr_op_oo": PERCENT,
    "g_d_ece_db": NumberUnit(sign=" dB"),
    "g_cllr_db": NumberUnit(sign=" dB"),
}

_SCALES = {
    "d_ece_bits": FULL_DISCLOSURE_BITS,
    "d_ece_strongest_bits": FULL_DISCLOSURE_BITS,
    "eer": 1.0,
    "rocch_eer": 1.0,
    "min_cllr_bits": 1.0,
}
"""The width of the scale of figures that have two ends."""

_WHOLE = 0.9
"""An interval of so much of the scale says as little as the whole."""

STRENGTHS = frozenset(metric.key for metric in METRICS if metric.format is STRENGTH)


def figure_name(figure: str) -> str:
    """What a figure is called in tables."""
    return say(f"uncertainty.{figure.replace('_', '-')}")


def in_words(figure: str, value: float) -> str:
    """A figure alone with the digits it has everywhere: three decimals, two for rates in percent and LLRs."""
    return log10_lr(value) if figure in STRENGTHS else _alone(value, UNITS[figure])


def difference_in_words(figure: str, value: float) -> str:
    """The difference of two figures in words; that of two rates is in percentage points."""
    return _alone(value, _unit_of_difference(figure))


def difference_with_interval(figure: str, value: float, interval: Interval) -> str:
    """The difference of two figures as `with_interval` shows one, its interval no wider than the scale."""
    if not interval.has_width:
        return difference_in_words(figure, value)
    return _with_interval(value, within_scale(figure, interval), _unit_of_difference(figure))


def below_its_unit(figure: str, value: float, interval: Interval, decimals: int | None = None) -> str:
    """A figure with its interval for a column whose head has the unit; only per cent stand in every cell.

    With so many decimals as its interval has, or as are given; with both ends, so that all cells are alike.
    """
    if not interval.has_width:
        return in_words(figure, value).removesuffix(BIT.suffix)
    unit = UNITS[figure]
    if decimals is None:
        half = (interval.high - interval.low) / 2.0 * unit.factor
        decimals = decimals_for(half, fewest_decimals(unit))
    unit = unit if unit.suffix == " %" else NumberUnit(unit.factor)
    return _with_interval(value, interval, unit, decimals, is_in_column=True)


def with_interval(
    figure: str,
    value: float,
    interval: Interval | None,
    decimals: int | None = None,
    *,
    is_in_column: bool = False,
) -> str:
    """A figure with its interval: "0.21 ± 0.04 bit", or "0.21 (0.14 … 0.23) bit" where ± would not say it.

    The interval has one significant digit in its half-width, or two where the first is a 1, and the figure as
    many decimals, unless others are given. Without an interval, or with one of no width, the figure stands
    alone; where it is the whole scale, too few speakers are said to be there. In a column all have both ends.
    """
    if interval is None or not interval.has_width:
        return in_words(figure, value)
    if is_whole_scale(figure, interval):
        return say("uncertainty.whole-scale", value=plain_beside(figure, value, interval))
    return _with_interval(value, interval, UNITS[figure], decimals, is_in_column=is_in_column)


def is_whole_scale(figure: str, interval: Interval) -> bool:
    """Whether an interval leaves nearly all of the figure's scale open, so that it says nothing."""
    return interval.high - interval.low >= _WHOLE * _SCALES.get(figure, math.inf)


def plain_beside(figure: str, value: float, interval: Interval | None) -> str:
    """A figure with as many decimals as this interval has; with those it has everywhere without one."""
    if interval is None or not interval.has_width or not math.isfinite(value):
        return in_words(figure, value)
    unit = UNITS[figure]
    places = decimals_for((interval.high - interval.low) / 2.0 * unit.factor, fewest_decimals(unit))
    return f"{rounded(value * unit.factor, places)}{unit.suffix}"


def fewest_decimals(unit: NumberUnit) -> int:
    """How many decimals are shown however wide an interval is: a tenth of a bit is a seventh of all."""
    return 2 if unit == BIT else 0


def within_scale(figure: str, interval: Interval) -> Interval:
    """An interval of a difference that ends where two figures on their scale can differ no more."""
    most = _SCALES.get(figure, math.inf)
    return Interval(max(interval.low, -most), min(interval.high, most))


def _unit_of_difference(figure: str) -> NumberUnit:
    unit = UNITS[figure]
    return NumberUnit(unit.factor, say("uncertainty.points")) if unit.suffix == " %" else unit


def _with_interval(
    value: float,
    interval: Interval,
    unit: NumberUnit,
    decimals: int | None = None,
    *,
    is_in_column: bool = False,
) -> str:
    """A value with ± where both ends, rounded as shown, are what that comes to; else with both its ends.

    A value beyond them leads as it was computed: then they are said to be those of the corrected one.
    """
    shown, low, high = (number * unit.factor for number in (value, interval.low, interval.high))
    half = (high - low) / 2.0
    decimals = decimals_for(half, fewest_decimals(unit)) if decimals is None else decimals
    middle, to_either = round(shown, decimals), round(half, decimals)
    plain_ends = (_fixed(end, decimals) for end in (middle - to_either, middle + to_either))
    if not is_in_column and tuple(plain_ends) == (_fixed(low, decimals), _fixed(high, decimals)):
        return f"{_fixed(shown, decimals)} ± {_fixed(half, decimals)}{unit.suffix}"
    ends = say("uncertainty.between", low=_fixed(low, decimals), high=_fixed(high, decimals))
    if not round(low, decimals) <= middle <= round(high, decimals):
        ends = say("uncertainty.ends-corrected", ends=ends)
    return f"{_fixed(shown, decimals)} ({ends}){unit.suffix}"


def _alone(value: float, unit: NumberUnit) -> str:
    size = abs(value * unit.factor)
    shown = zebra_number(size) if unit.factor == 1.0 else f"{size:.2f}"
    sign = MINUS if value < 0.0 and float(shown) else ""
    return f"{sign}{with_decimal_sign(shown)}{unit.suffix}"


def _fixed(number: float, decimals: int) -> str:
    shown = f"{abs(number):.{decimals}f}"
    return with_decimal_sign(f"{MINUS}{shown}" if number < 0.0 and float(shown) else shown)
