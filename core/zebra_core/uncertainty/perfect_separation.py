"""What may hide behind few errors or none: that none was seen does not say that none are made.

Drawing speakers again never shows an error that none of them made. Of n speakers who all are recognised, a
share of up to 1 − (1 − level)^(1/n) may not be (3/n for 95 %, the rule of three): the exact binomial bound. A
few errors are no better evidence than none, so that no interval ends before that, however little its draws
spread. Targets that are not recognised score as nontargets do; the same is disclosed where as many nontargets
score as targets do.
Ref: Clopper and Pearson 1934; Hanley and Lippman-Hand 1983.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.registry import HITS
from zebra_core.metrics.verification import cllr_bits
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, d_ece_bits
from zebra_core.uncertainty.intervals import Interval

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
