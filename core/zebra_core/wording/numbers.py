"""Numbers as people read them: the same digits and the same words on screen, on paper and in the shell.

Where no interval says how many digits a figure bears, its trials do. No digit of a rate, a share or a cost
in bits is finer than 1/√n, n being the number of trials of the rarer class: a rate of n independent trials is
not known better, and those of one speaker are not independent. What would leave no digit at all is told as
less than the smallest number that can be shown. Base-10 LLRs of single comparisons rest on a handful of
trials: they have one decimal.
"""

from __future__ import annotations

import math
import re

from zebra_core.wording.texts import grouped, say, with_decimal_sign, written

MINUS = "−"
_MOST_DECIMALS, _MOST_OF_PERCENT = 3, 2
_HIGHEST_FACTOR_OF_BITS = 1.0
SMALLEST_FIXED = 5e-4  # below it three decimals would show nothing
_ROUNDING = 5e-5  # what two decimals cannot tell from everything, as after a correction for small sets
SMALLEST_LLR = 5e-3
_OF_LEGENDS = 2  # decimals of a base-10 LLR
_ON_A_WHOLE, _MOST_BELOW_WHOLE = 1e-9, 10  # as near as this it is the whole number
_NUMBER = re.compile(r"[+\-−]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def decimals_for(half_width: float, least: int = 0) -> int:
    """How many decimals show its first significant digit, or two where the first is a 1; -1 is tens."""
    exponent = math.floor(math.log10(half_width))
    first_is_one = half_width / 10.0**exponent < 1.95
    return max(least, -exponent + int(first_is_one))


def decimals_of(n: int, factor: float = 1.0) -> int:
    """How many decimals a figure of n trials has after it is multiplied by `factor` (100 for per cent)."""
    most = _MOST_DECIMALS if factor == _HIGHEST_FACTOR_OF_BITS else _MOST_OF_PERCENT
    return min(most, decimals_for(factor / math.sqrt(max(n, 1))))


def rounded(value: float | None, places: int) -> str:
    """A number with so many decimals, or in tens with -1; where there is none, why."""
    if value is None or math.isnan(value):
        return say("word.not-measurable")
    if math.isinf(value):
        return say("word.infinite")
    if value == 0.0:
        return "0"
    fixed = f".{max(places, 0)}f"
    shown = format(round(abs(value), places), fixed)
    if not float(shown):
        least = with_decimal_sign(format(10.0**-places, fixed))
        return with_decimal_sign(shown) if value < 0.0 else say("word.less-than", value=least)
    return with_decimal_sign(f"{MINUS}{shown}" if value < 0.0 else shown)


def strength(log10_lr: float, places: int = 1) -> str:
    """A base-10 LLR; no whole number, where tags begin, is reached by rounding."""
    return rounded(log10_lr, decimals_below_whole(log10_lr, places))


def decimals_below_whole(log10_lr: float, places: int) -> int:
    """As many decimals as are given, or as keep a base-10 LLR on its side of the whole number above it.

    Tags begin at whole numbers, and none is reached by rounding: 1.998 is not shown as 2.0.
    """
    size = abs(log10_lr)
    above = math.ceil(size)
    if not above or above - size < _ON_A_WHOLE:
        return places
    return next(more for more in range(places, _MOST_BELOW_WHOLE + 1) if round(size, more) < above)


def zebra_number(value: float) -> str:
    """A figure as the reference toolkit prints it: three decimals, tiny ones as 2e-05, zero as 0."""
    if value == 0.0:
        return "0"
    return f"{value:.3f}" if value >= SMALLEST_FIXED else f"{value:.0e}"


def disclosure(bits: float) -> str:
    """D_ECE for legends and badges: three decimals, or as small as it is."""
    return with_decimal_sign(zebra_number(bits))


def log10_lr(value: float) -> str:
    """A base-10 LLR for legends and badges: two decimals, more below a whole number, or as small as it is."""
    if value == 0.0:
        return "0"
    fixed = f".{decimals_below_whole(value, _OF_LEGENDS)}f"
    shown = written(abs(value), fixed if abs(value) >= SMALLEST_LLR else ".0e")
    return f"−{shown}" if value < 0.0 else shown


def percent(share: float | None) -> str:
    """A rate as a percentage with two decimals; "not measurable" where it is None."""
    return say("word.not-measurable") if share is None else f"{written(100.0 * share, '.2f')} %"


def percent_as_stated(share: float) -> str:
    """A rate that somebody has set as a percentage, with the digits that it has: 0.1 %."""
    return f"{written(100.0 * share, 'g')} %"


def bits(value: float | None) -> str:
    """A cost in bits, or an index from 0 to 1, with three decimals; where there is no number, why."""
    if value is None or math.isnan(value):
        return say("word.not-measurable")
    return say("word.infinite") if math.isinf(value) else written(value, ".3f")


def share(value: float) -> str:
    """A share in whole per cent, unless that would show nothing or everything where it is neither."""
    per_cent = 100.0 * value
    decimals = 0 if value == 0.0 or 1.0 <= per_cent <= 99.0 or value >= 1.0 - _ROUNDING else 2
    return f"{written(per_cent, f'.{decimals}f')} %"


def signed(value: float) -> str:
    """A figure in bits that may be negative, with three decimals and a true minus sign."""
    return f"−{bits(-value)}" if value < 0.0 else bits(value)


def of_hundred(share: float) -> str:
    """How many of a hundred attempts; a small share that is not 0 keeps a digit."""
    percent = 100.0 * share
    return written(percent, ".0f" if percent >= 0.995 or percent <= 0.0 else ".1g")


def odds_in_words(worst_case: float) -> str:
    """What the worst case |log10 LR| makes of even prior odds, which are named with it."""
    if worst_case == 0.0:
        return say("odds.even")
    return say("odds.exact" if worst_case < 1.0 else "odds.about", odds=odds_to_one(worst_case))


def right_of_hundred(worst_case: float) -> str:
    """In how many of 100 cases the side that |log10 LR| speaks for is right, at even prior odds.

    With as many digits as keep it below 100.
    """
    wrong = 100.0 / (1.0 + 10.0**worst_case)
    places = max(0, -math.floor(math.log10(wrong) + 1e-3))
    return written(100.0 - wrong, f".{places}f")


def odds_to_one(worst_case: float) -> str:
    """How many to one, in as few digits as it bears, without a word."""
    ratio = 10.0**worst_case
    return written(ratio, ".1f") if worst_case < 1.0 else grouped(_about(ratio))


def odds_alone(worst_case: float) -> str:
    """The same without the condition, for where it is said once for many."""
    return say("odds.exact-alone" if worst_case < 1.0 else "odds.about-alone", odds=odds_to_one(worst_case))


def _about(number: float) -> int:
    """The number rounded to two digits: nobody should read more into it."""
    return int(round(number, 1 - math.floor(math.log10(number))))


def decibels(value: float | None) -> str:
    """A gain in dB with two decimals and a true minus sign; "not measurable" where it is None."""
    if value is None:
        return say("word.not-measurable")
    shown = written(abs(value), ".2f")
    return f"−{shown} dB" if round(value, 2) < 0.0 else f"{shown} dB"


def typed_number(text: str) -> float | None:
    """The number, with a point or a comma; None for anything else, `1_0`, `٥`, `nan` and `inf` among it.

    It is infinite where it is too large for a float.
    """
    if not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", ".").replace("−", "-"))
