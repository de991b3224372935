"""What may hide behind perfect separation: that no error was seen does not say that none are made.

Drawing speakers again never shows an error that none of them made: every draw is alike, and an interval of
them has no width. Of n speakers without any error up to a share 1 − (1 − level)^(1/n) may make errors (3/n
for 95 %, the rule of three). Scores with so high an EER disclose least where they say nothing but "same" or
"different": the ROC of every other passes above theirs. So the same share bounds D_ECE and min Cllr.
Ref: Hanley and Lippman-Hand 1983; Blackwell 1953, for what is least informative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.verification import cllr_bits
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, d_ece_bits
from zebra_core.uncertainty.intervals import Interval

_ROUNDING = 1e-9

AtError = Callable[[float], float]
"""A figure of scores that say only "same" or "different", as a function of their EER, 0 … 0.5."""


def most_errors(n: int, level: float) -> float:
    """Which share of n units without any error may err, at this level of confidence; at most a half."""
    return float(min(0.5, 1.0 - (1.0 - level) ** (1.0 / n)))


def d_ece_at(error: float) -> float:
    """D_ECE in bits where both kinds of error are made in this share of the trials."""
    return FULL_DISCLOSURE_BITS if error <= 0.0 else d_ece_bits(*_two_answers(error))


def min_cllr_at(error: float) -> float:
    """Min Cllr in bits where both kinds of error are made in this share of trials: an answer's entropy."""
    return 0.0 if error <= 0.0 else cllr_bits(*_two_answers(error))


def eer_at(error: float) -> float:
    """EER where both kinds of error are made in this share of the trials."""
    return error


AT_ERROR: Mapping[str, AtError] = {
    "d_ece_bits": d_ece_at,
    "eer": eer_at,
    "rocch_eer": eer_at,
    "min_cllr_bits": min_cllr_at,
}
"""The figures that are bounded so, by key."""


def is_perfect(estimate: float, draws: FloatArray, at_error: AtError) -> bool:
    """Whether neither the figure nor any of its draws, (R,), shows an error."""
    best = at_error(0.0)
    there = draws[~np.isnan(draws)]
    return bool(abs(estimate - best) <= _ROUNDING and (np.abs(there - best) <= _ROUNDING).all())


def interval_of_perfect(at_error: AtError, n: int, level: float) -> Interval:
    """The interval from no error to as many as n speakers without any leave open."""
    ends = sorted((at_error(0.0), at_error(most_errors(n, level))))
    return Interval(*ends)


def _two_answers(error: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    llr = float(np.log1p(-error) - np.log(error))
    return np.array([-llr, llr]), np.array([error, 1.0 - error]), np.array([1.0 - error, error])
