"""What a figure is worth against that of unprotected speech: losses as shares, gains in decibels.

Source: csl2022, eq. 9 and 17 (losses), eq. 10, 19 and 20 (gains).
"""

from __future__ import annotations

import math

NOTHING = 1e-12
"""Not above this a figure counts as 0, by which nothing can be divided."""


def is_nothing(figure: float | None) -> bool:
    """Whether the figure is known, and is 0 but for rounding."""
    return figure is not None and figure <= NOTHING


def loss(after: float | None, before: float | None) -> float | None:
    """1 − after/before, a share; None where either is missing or `before` is 0."""
    if after is None or before is None or is_nothing(before):
        return None
    return 1.0 - after / before


def gain_db(after: float | None, before: float | None) -> float | None:
    """10·log10(after/before), in dB; None where either is missing or 0."""
    if after is None or before is None or is_nothing(before) or is_nothing(after):
        return None
    return 10.0 * math.log10(after / before)
