"""What stands under the cursor of a figure, in words."""

from __future__ import annotations

import math

from core.figures.figure import Line
from core.texts import grouped, say
from core.wording import bits, percent


def ece_read_out(line: Line, point: int) -> str:
    """Prior, odds and ECE at one point of an ECE profile."""
    log_odds = float(line.x[point])
    return say(
        "figure.ece-read-out",
        prior=percent(prior_of(log_odds)),
        odds=odds(log_odds),
        ece=bits(float(line.y[point])),
        label=line.label,
    )


def prior_of(log_odds: float) -> float:
    """The probability behind natural log-odds."""
    # 1 + tanh keeps both tails exact enough to be shown and cannot overflow.
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


def odds(log_odds: float) -> str:
    """Odds as people say them: 1 : 2.7, 1 : 1, 2 981 : 1."""
    ratio = math.exp(abs(log_odds))
    number = grouped(round(ratio)) if ratio >= 100.0 else f"{ratio:.1f}".removesuffix(".0")
    return f"{number} : 1" if log_odds > 0.0 else f"1 : {number}"
