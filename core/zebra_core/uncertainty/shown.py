"""Figures of an assessment with no more digits than they bear.

Where the interval of a figure is known, its half-width decides: one significant digit of it is shown, two
where the first is a 1, and the figure has as many decimals. Where it is not known, the number of trials
decides, see `wording.texts`. Bits have two decimals at least, and shares are whole per
cent. CSV and JSON have all digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.registry import BIT, COST, DISCLOSED, INDEX, METRICS, NOTHING, RATE, STRENGTH
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.intervals import STRENGTHS, UNITS, Interval, below_its_unit, fewest_decimals
from zebra_core.uncertainty.trust import Trust
from zebra_core.wording import texts
from zebra_core.wording.texts import say

_BY_KEY = {metric.key: metric for metric in METRICS}
_UNITS = {**{metric.key: metric.format.unit for metric in METRICS}, **UNITS}
_ESTIMATED = (DISCLOSED, STRENGTH, RATE, COST, INDEX)
_OF_STRENGTHS = 1  # and of decibels
_OF_CEILINGS = 2


def fewer(found: Assessment) -> int:
    """How many trials the rarer class has."""
    return min(found.n_target, found.n_nontarget)


def decimals(figure: str, n: int, interval: Interval | None = None) -> int:
    """How many decimals the figure bears in its unit, with this interval or from n trials of a class."""
    unit = _UNITS[figure]
    if interval is not None and interval.has_width:
        return texts.decimals_for((interval.high - interval.low) / 2.0 * unit.factor, fewest_decimals(unit))
    if figure in STRENGTHS or unit.suffix == " dB":
        return _OF_STRENGTHS
    return max(texts.decimals_of(n, unit.factor), fewest_decimals(unit))


def rounded(figure: str, value: float | None, n: int, interval: Interval | None = None) -> str:
    """A figure below a head that has its unit; per cent stand in every cell."""
    places, unit = decimals(figure, n, interval), _UNITS[figure]
    if value is None or not math.isfinite(value):
        return texts.rounded(value, places)
    if figure in STRENGTHS:
        return texts.strength(value, places)
    suffix = "" if unit == BIT else unit.suffix
    return f"{texts.rounded(value * unit.factor, places)}{suffix}"


def places_below(log10_lr: float, ceiling_log10_lr: float) -> int:
    """How many decimals a strength without an interval has: one, or two where that would pass its ceiling."""
    return _below_ceilings(_OF_STRENGTHS, [(log10_lr, ceiling_log10_lr)])


def strength_decimals(
    found: Assessment, trust: Trust | None = None, figure: str = "worst_case_log10_lr"
) -> int:
    """How many decimals the worst case has with its interval, or the strongest evidence of one side.

    As many as the interval of the worst case bears; two where fewer would put it above its ceiling.
    """
    interval = interval_of("worst_case_log10_lr", trust)
    places = decimals("worst_case_log10_lr", 1, interval)
    if interval is not None:
        places = _below_ceilings(places, [(interval.high, found.worst_case_ceiling_log10_lr)])
    against, in_favour = found.ceilings_log10_lr
    own = {
        "strongest_for_log10_lr": (found.strongest_for_log10_lr, in_favour),
        "strongest_against_log10_lr": (found.strongest_against_log10_lr, against),
    }.get(figure, (found.strongest_log10_lr, found.strongest_ceiling_log10_lr))
    return texts.decimals_below_whole(own[0], _below_ceilings(places, [own]))


def _below_ceilings(places: int, ends: Iterable[tuple[float, float]]) -> int:
    is_above = any(round(abs(value), places) > abs(ceiling) for value, ceiling in ends)
    return max(places, _OF_CEILINGS) if is_above else places


def with_unit(figure: str, value: float | None, n: int, interval: Interval | None = None) -> str:
    """A figure as `rounded` shows it with its unit, where no head has it."""
    has_number = value is not None and math.isfinite(value)
    bit = BIT.suffix if has_number and _UNITS[figure] == BIT else ""
    return f"{rounded(figure, value, n, interval)}{bit}"


def as_printed(figure: str, found: Assessment) -> str:
    """A figure as it was computed, with the digits of the reference toolkit, to be compared with a paper."""
    return _BY_KEY[figure].shown(found).removesuffix(BIT.suffix)


def as_computed(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """A figure as it was computed, rounded, below a head that has its unit; a dash where it says nothing."""
    metric = _BY_KEY[figure]
    if metric.format not in _ESTIMATED or not metric.says_something_of(found):
        return metric.shown(found)  # what is counted or was stated is no estimate
    if metric.format is STRENGTH:
        value = _value(figure, found)
        return NOTHING if value is None else texts.strength(value, strength_decimals(found, trust, figure))
    return rounded(figure, _value(figure, found), fewer(found), interval_of(figure, trust))


def in_a_legend(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """A figure as it leads, for legends: as the toolkit rounds it, or with the digits of its interval."""
    interval = interval_of(figure, trust)
    if trust is None or interval is None:
        return _BY_KEY[figure].shown(found)
    if figure in STRENGTHS:
        return as_computed(figure, found, trust)
    return rounded(figure, trust.uncertainty.shown(figure), fewer(found), interval)


def in_a_cell(figure: str, found: Assessment, trust: Trust | None = None) -> str:
    """A figure with its interval where that is known, or as computed; below a head that has its unit."""
    interval = interval_of(figure, trust)
    says_nothing = not _BY_KEY[figure].says_something_of(found)
    if trust is None or interval is None or not interval.has_width or says_nothing:
        return as_computed(figure, found, trust)
    places = strength_decimals(found, trust) if figure in STRENGTHS else None
    return below_its_unit(figure, trust.uncertainty.shown(figure), interval, places)


def leading(found: Assessment, trust: Trust | None = None) -> str:
    """D_ECE in bits as it leads: without the optimism of small sets where that is known; below its head."""
    value = leading_bits(found, trust)
    return rounded("d_ece_bits", value, fewer(found), interval_of("d_ece_bits", trust))


def leading_bits(found: Assessment, trust: Trust | None = None) -> float:
    """D_ECE in bits as `leading` shows it, as a number."""
    return found.d_ece_bits if trust is None else trust.uncertainty.shown("d_ece_bits")


def corrected(found: Assessment, trust: Trust | None) -> tuple[str, str]:
    """D_ECE without the optimism of small sets, below its head, and the ends of its interval; or dashes."""
    interval = interval_of("d_ece_bits", trust)
    if trust is None or interval is None:
        return NOTHING, ""
    n = fewer(found)
    draws = trust.uncertainty.figures["d_ece_bits"]
    return rounded("d_ece_bits", draws.corrected_shown, n, interval), _between("d_ece_bits", interval, n)


def with_ends(figure: str, found: Assessment, trust: Trust | None = None) -> tuple[str, str]:
    """A figure below its head, and the ends of its interval; behind them, in brackets, as it was computed.

    That only where it is without the optimism of small sets, and with the same digits. Where it leads as
    computed and is not within its interval, that is said to be of the corrected figure. Without an interval
    as it was computed, and nothing.
    """
    interval = interval_of(figure, trust)
    says_nothing = not _BY_KEY[figure].says_something_of(found)
    if trust is None or interval is None or not interval.has_width or says_nothing:
        return as_computed(figure, found, trust), ""
    n = fewer(found)
    value, ends = trust.uncertainty.shown(figure), _between(figure, interval, n)
    shown = rounded(figure, value, n, interval)
    if not trust.uncertainty.is_corrected(figure):
        return shown, ends if value in interval else say("uncertainty.ends-corrected", ends=ends)
    return shown, say("table.as-computed", ends=ends, value=as_computed(figure, found, trust))


def _between(figure: str, interval: Interval, n: int) -> str:
    low, high = (rounded(figure, end, n, interval) for end in (interval.low, interval.high))
    return say("uncertainty.between", low=low.removesuffix(" %"), high=high)


def share_of(whole: float, part: float, n: int, interval: Interval | None = None) -> str:
    """A part in per cent of a whole, with the digits that the interval of the part bears, or n trials.

    Of trials alone no decimals, unless that would show nothing or everything.
    """
    value = 100.0 * part / whole
    if interval is not None and interval.has_width:
        places = texts.decimals_for(50.0 * (interval.high - interval.low) / whole)
    else:
        places = texts.decimals_for(100.0 / math.sqrt(max(n, 1)))
        places = min(places, 0 if 1.0 <= value <= 99.0 or part == whole else 2)
    return f"{texts.rounded(value, places)} %"


def share_of_full(bits: float, found: Assessment, trust: Trust | None = None) -> str:
    """D_ECE in bits as a share of full disclosure, with the digits of its interval, or of its trials."""
    return share_of(FULL_DISCLOSURE_BITS, bits, fewer(found), interval_of("d_ece_bits", trust))


def interval_of(figure: str, trust: Trust | None) -> Interval | None:
    """The interval of the figure, where it is known."""
    return trust.uncertainty.interval(figure) if trust else None


def _value(figure: str, found: Assessment) -> float | None:
    value = _BY_KEY[figure].of(found)
    return None if isinstance(value, str) else value
