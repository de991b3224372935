"""Intervals from bootstrap draws and a jackknife: percentiles, and percentiles freed of the PAV's bias.

Estimates have any shape (…); draws (R, …) and values of the jackknife (g, …) run along the first axis. NaN
among them, where a figure was not measurable, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.error_rates import cllr_bits
from zebra_core.metrics.registry import BIT, HITS, METRICS, PERCENT, PLAIN, STRENGTH, NumberUnit
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, d_ece_bits
from zebra_core.wording.texts import (
    MINUS,
    decimals_for,
    log10_lr,
    rounded,
    say,
    with_decimal_sign,
    zebra_number,
)

PAV_RATE = 2.0 / 3.0
"""The optimism of the PAV's figures falls as n^(−2/3): the square of isotonic regression's cube-root rate."""

_LEAST_FREEDOM = 3.0  # fewer cannot be told from so few clusters


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, in the unit of its figure."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def has_width(self) -> bool:
        """Whether it says how many digits a figure bears: it is no point, and its high end is finite."""
        return self.low < self.high < math.inf


def of_largest(found: Sequence[Interval | None]) -> Interval | None:
    """An interval of the largest of several figures, whichever it is, from intervals that hold at once.

    From their largest lower to their largest upper end; None where one of them is not known, or none is.
    """
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found):
        return None
    return Interval(max(each.low for each in known), max(each.high for each in known))


def percentile(
    draws: FloatArray, level: float, n_clusters: int, freedom: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Expanded percentiles of the draws, two of shape (…); `freedom` in the place of n − 1 for Student's t.

    Plain percentiles are too narrow for few clusters, as a normal quantile would be in place of Student's
    and division by n in place of n − 1. The tails are made smaller so that for a mean both are set right:
    Φ(−√(n/(n − 1))·t). Ref: Hesterberg 2015, "What teachers should know about the bootstrap", section 4.3.
    """
    t = scipy.special.stdtrit(freedom or n_clusters - 1, (1.0 + level) / 2.0)
    tail = float(scipy.special.ndtr(-t * np.sqrt(n_clusters / (n_clusters - 1.0))))
    # The one that leaves out NaN takes figure by figure, at least twice as long for a profile.
    of_draws = np.nanquantile if np.isnan(draws).any() else np.quantile
    low, high = of_draws(draws, [tail, 1.0 - tail], axis=0)
    return np.asarray(low), np.asarray(high)


def freedom(left_out: FloatArray) -> float:
    """How many degrees of freedom the spread of a figure has, from its jackknife (g,): 3 to g − 1.

    Where few clusters make most of it (some have many trials, or few errors are left) it is known as badly
    as with so few: 2/(b/g − (g − 3)/(g(g − 1))), b the kurtosis of what each cluster adds, which is g − 1 for
    a normal one. Ref: Satterthwaite 1946; the variance of a variance, Mood, Graybill and Boes 1974, VI.2.3.
    """
    added = left_out[~np.isnan(left_out)]
    g, most = len(added), float(max(len(added) - 1, _LEAST_FREEDOM))
    distance = added - added.mean() if g else added
    square = float(np.mean(distance**2)) if g else 0.0
    if g <= _LEAST_FREEDOM or square <= 0.0:
        return most
    kurtosis = float(np.mean(distance**4)) / square**2
    spread = kurtosis / g - (g - 3.0) / (g * (g - 1.0))
    return min(max(2.0 / spread, _LEAST_FREEDOM), most) if spread > 0.0 else most


def jackknife_bias(estimate: ArrayLike, left_out: FloatArray, rate: float = PAV_RATE) -> FloatArray:
    """By how much the estimate is too high where its bias falls as n^(−rate), shape (…).

    With one of g equal groups left out the bias grows by the factor (1 − 1/g)^(−rate), and so the mean of
    such values tells it. With rate 1 it is Quenouille's jackknife; for other rates Schucany, Gray and Owen
    1971. The PAV's rate is that of Groeneboom 1985 and Chernoff 1964.
    """
    grown = (1.0 - 1.0 / len(left_out)) ** -rate
    return np.asarray((np.nanmean(left_out, axis=0) - np.asarray(estimate)) / (grown - 1.0))


def corrected(
    estimate: ArrayLike,
    draws: FloatArray,
    left_out: FloatArray,
    level: float,
    n_clusters: int,
    lowest: ArrayLike = -np.inf,
    highest: ArrayLike = np.inf,
) -> tuple[FloatArray, FloatArray]:
    """Percentiles of the draws, moved so that their mean is the estimate without its bias; two of (…).

    The PAV adapts to the very trials that it is judged on, and to repeated ones still more: the draws lie
    above the plain figure, which lies above the truth. Their spread is right, their place is not. Without its
    bias an estimate may leave its range; then the draws lie around the end of the range, for an interval of
    no width would claim that nothing is left to be known. No interval leaves the range.
    """
    low, high = percentile(draws, level, n_clusters)
    place = np.clip(np.asarray(estimate) - jackknife_bias(estimate, left_out), lowest, highest)
    shift = place - np.nanmean(draws, axis=0)
    return np.clip(low + shift, lowest, highest), np.clip(high + shift, lowest, highest)


# Scales on which the draws of a figure spread about evenly wherever it lies; there it loses its optimism.
#
# Near full disclosure a figure can hardly rise any more, and its draws crowd together: an interval of their
# spread is too narrow, and says so on one side only. On the logarithm of what is left to the end they spread
# alike. There, too, the optimism of the PAV is about the same multiple of what the draws show of it: they
# adapt to trials that adapted already. In simulations the multiple was 1.6 to 2.0 on these scales, at 20 and
# 60 speakers and from an EER of 2 to one of 44 % (1.8 to 2.8 on the plain scale). Ref: Efron and Tibshirani
# 1993, chapter 10 (bias by the bootstrap) and 12 (intervals on another scale).


OPTIMISM = 1.7
"""The optimism of the plain figure, as a multiple of what its draws have above it."""

_FEW = 0.025
"""Where more of the draws than this are at an end of the scale, it does not tell how they spread."""

_SAME = 1e-6  # nearer than that on the scale, the tangent is taken in the place of the secant


class IntervalScale(Enum):
    """What an interval is worked out on."""

    LEFT = "left"  # −ln(highest − x): for D_ECE, which ends at full disclosure
    LOG = "log"  # ln x: for costs and rates that end at 0
    LOGIT = "logit"  # ln x/(highest − x): for rates with two ends


@dataclass(frozen=True)
class BoundedScale:
    """A scale for figures up to `highest`; what is nearer to an end than `least` is put there.

    Draws may show no error at all, and lie at the end itself.
    """

    scale: IntervalScale
    highest: float
    least: float

    @classmethod
    def of(cls, scale: IntervalScale, highest: float, values: FloatArray) -> BoundedScale:
        """The scale for these values; those at an end are put half as near as the nearest of the others."""
        inside = _inside(scale, highest, values)
        return cls(scale, highest, float(inside.min()) / 2.0 if len(inside) else 1e-6 * highest)

    def there(self, values: ArrayLike) -> FloatArray:
        """Values on the scale; it ascends."""
        x = np.asarray(values, dtype=np.float64)
        if self.scale is IntervalScale.LEFT:
            return -np.log(np.maximum(self.highest - x, self.least))
        log = np.log(np.maximum(x, self.least))
        if self.scale is IntervalScale.LOG:
            return log
        return np.asarray(log - np.log(np.maximum(self.highest - x, self.least)))

    def back(self, values: ArrayLike) -> FloatArray:
        """The values that lie at these places of the scale: the inverse of `there`."""
        y = np.asarray(values, dtype=np.float64)
        if self.scale is IntervalScale.LEFT:
            return np.asarray(self.highest - np.exp(-y))
        if self.scale is IntervalScale.LOG:
            return np.exp(y)
        return np.asarray(self.highest / (1.0 + np.exp(-y)))

    def slope(self, one: float, other: float) -> float:
        """By how much figures differ for what they differ on the scale, between these two; above 0."""
        low, high = sorted(self.there([one, other]).tolist())
        if high - low < _SAME:
            low, high = low - _SAME, high + _SAME
        ends = self.back([low, high])
        return float((ends[1] - ends[0]) / (high - low))


def _inside(scale: IntervalScale, highest: float, values: FloatArray) -> FloatArray:
    """How far from the end of the scale, or the nearer one of two, the values are that are not there."""
    ends = {
        IntervalScale.LEFT: highest - values,
        IntervalScale.LOG: values,
        IntervalScale.LOGIT: np.minimum(values, highest - values),
    }[scale]
    return np.asarray(ends[ends > 1e-12 * highest])


def is_spread(draws: FloatArray, scale: IntervalScale, highest: float) -> bool:
    """Whether draws (R,) without NaN spread on the scale, and not many of them are at an end of it.

    An end is infinitely far away there. Where four speakers err, e^(−4) of the draws have none of them.
    """
    return len(_inside(scale, highest, draws)) >= (1.0 - _FEW) * len(draws)


def without_optimism(
    estimate: float, draws: FloatArray, scale: IntervalScale, ends: tuple[float, float], *, optimistic: bool
) -> float:
    """The figure without the optimism of small sets, within its ends; as it is where it has none.

    `draws` (R,) without NaN.
    """
    if not optimistic:
        return estimate
    straight = BoundedScale.of(scale, ends[1], np.append(draws, estimate))
    place = straight.there(estimate)
    shown = float(straight.there(draws).mean()) - place
    return float(np.clip(straight.back(place - OPTIMISM * shown), *ends))


def moved_to(
    draws: FloatArray, about: FloatArray, ends: tuple[float, float], scale: IntervalScale | None
) -> FloatArray:
    """The draws (R,) with the mean of others, on the scale if there is one, within their ends; NaN stay."""
    if np.isnan(draws).all() or np.isnan(about).all() or np.array_equal(draws, about, equal_nan=True):
        return draws
    straight = BoundedScale.of(scale, ends[1], np.concatenate([draws, about])) if scale else None
    there, mean = (straight.there(one) if straight else one for one in (draws, about))
    found = there + (np.nanmean(mean) - np.nanmean(there))
    return np.clip(straight.back(found) if straight else found, *ends)


def on_scale(
    place: float,
    draws: FloatArray,
    left_out: FloatArray,
    level: float,
    n_clusters: int,
    scale: IntervalScale,
    ends: tuple[float, float],
) -> Interval:
    """Expanded percentiles of the draws (R,) on the scale, moved so that their mean is the figure `place`.

    `left_out`, (g,), is the jackknife: few speakers who make most of the spread widen the interval. None
    leaves the ends, and every one holds `place`. Where all draws are `place` it has no width.
    """
    if (draws == place).all():
        return Interval(place, place)
    straight = BoundedScale.of(scale, ends[1], np.append(draws, place))
    moved = straight.there(draws)
    low, high = percentile(moved, level, n_clusters, freedom(straight.there(left_out)))
    at, middle = straight.there(place), moved.mean()
    found = straight.back(np.stack([low, high]) - middle + at)
    low, high = np.clip(found, *ends)
    return Interval(min(float(low), place), max(float(high), place))


# What may hide behind few errors or none: that none was seen does not say that none are made.
#
# Drawing speakers again never shows an error that none of them made. Of n speakers who all are recognised, a
# share of up to 1 − (1 − level)^(1/n) may not be (3/n for 95 %, the rule of three): the exact binomial bound.
# A few errors are no better evidence than none, so that no interval ends before that, however little its
# draws spread. Targets that are not recognised score as nontargets do; the same is disclosed where as many
# nontargets score as targets do. Ref: Clopper and Pearson 1934; Hanley and Lippman-Hand 1983.


_ROUNDING = 1e-9

AtError = Callable[[float], float]
"""A figure as a function of the share of speakers who are not recognised, 0 … 1."""


def most_errors(n: int, level: float) -> float:
    """Which share of people may not be recognised though n were, all of them, at this level of confidence."""
    return float(1.0 - (1.0 - level) ** (1.0 / n))


def d_ece_at(error: float) -> float:
    """D_ECE in bits where this share of the targets scores as nontargets do, and all others above them."""
    return FULL_DISCLOSURE_BITS if error <= 0.0 else d_ece_bits(*_two_scores(error))


def min_cllr_at(error: float) -> float:
    """Min Cllr in bits where this share of the targets scores as nontargets do, and all others above them."""
    return 0.0 if error <= 0.0 else cllr_bits(*_two_scores(error))


def eer_at(error: float) -> float:
    """EER where this share e of the targets scores as nontargets do: at x of these above, e·(1 − x) = x."""
    return error / (1.0 + error)


RATE_AT_ERROR: Sequence[AtError] = (lambda error: 1.0 - error, lambda error: error)
"""Rates of people are bounded so at both ends: what always happened may not happen, and the other way."""

AT_ERROR: Mapping[str, Sequence[AtError]] = {
    "d_ece_bits": (d_ece_at,),
    "eer": (eer_at,),
    "rocch_eer": (eer_at,),
    "min_cllr_bits": (min_cllr_at,),
    **dict.fromkeys(HITS, RATE_AT_ERROR),
}
"""The figures that are bounded so, by key."""


def is_perfect(estimate: float, draws: FloatArray, best: float) -> bool:
    """Whether neither the figure nor any of its draws, (R,), shows an error, so that all are the best."""
    there = draws[~np.isnan(draws)]
    return bool(abs(estimate - best) <= _ROUNDING and (np.abs(there - best) <= _ROUNDING).all())


def no_narrower(found: Interval, at_error: Sequence[AtError], n: int, level: float) -> Interval:
    """The interval of n speakers, ending nowhere before that of as many without any error.

    So a set of trials with fewer errors never has the worse bound.
    """
    low, high, share = found.low, found.high, most_errors(n, level)
    for at in at_error:
        end = at(share)
        low, high = (min(low, end), high) if end < at(0.0) else (low, max(high, end))
    return Interval(low, high)


def _two_scores(error: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    return np.array([np.log(error), np.inf]), np.array([error, 1.0 - error]), np.array([1.0, 0.0])


# Figures with their uncertainty in words: no digits that the data do not support.


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
