"""No more digits than so few trials bear, where no interval says how many that are.

No digit of a rate, a share or a cost in bits is finer than 1/√n, n being the number of trials of the rarer
class: a rate of n independent trials is not known better, and those of one speaker are not independent. What
would leave no digit at all is told as less than the smallest number that can be shown. Base-10 LLRs of single
comparisons rest on a handful of trials: they have one decimal.
"""

from __future__ import annotations

import math

from zebra_core.wording.texts import say, with_decimal_sign

MINUS = "−"
_MOST_DECIMALS, _MOST_OF_PERCENT = 3, 2
_HIGHEST_FACTOR_OF_BITS = 1.0


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
    """A base-10 LLR; tags begin at whole numbers, and none is reached by rounding."""
    size = abs(log10_lr)
    is_rounded_up = size < round(size, places) == round(size)
    return rounded(log10_lr, max(places, 2) if is_rounded_up else places)
