"""Empirical cross-entropy: what an adversary still lacks, in bits, over the prior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from core.trials import FloatArray

LN2 = math.log(2.0)
_CHUNK = 1 << 14  # scores worked on at once: keeps the intermediate table in the cache


@dataclass(frozen=True, eq=False)
class EceProfile:
    """ECE over the prior, all in bits and of shape (p,).

    `default_bits` is perfect privacy (the prior entropy), `min_bits` the adversary with oracle calibration,
    `actual_bits` one who takes the scores for LLRs.
    """

    prior_log_odds: FloatArray  # natural log-odds of the target prior, ascending
    default_bits: FloatArray
    min_bits: FloatArray
    actual_bits: FloatArray


def prior_entropy_bits(prior_log_odds: ArrayLike) -> FloatArray:
    """The entropy of the prior (ZEBRA paper, eq. 1), at natural log-odds of any shape: 0 … 1 bit."""
    log_odds = np.asarray(prior_log_odds, dtype=np.float64)
    prior = expit(log_odds)
    nats = prior * np.logaddexp(0.0, -log_odds) + expit(-log_odds) * np.logaddexp(0.0, log_odds)
    return np.asarray(nats / LN2)


def ece_bits(
    prior_log_odds: ArrayLike, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray
) -> FloatArray:
    """Empirical cross-entropy of LLRs (ZEBRA paper, eq. 4), at each of the priors; shape (p,).

    `llr` (natural log, shape (m,), any order) occurs in the share `target_share` of the target trials and
    `nontarget_share` of the nontarget trials; each sums to 1. An infinite LLR is allowed: where it is wrong
    the result is infinite. `prior_log_odds` are finite.
    """
    log_odds = np.atleast_1d(np.asarray(prior_log_odds, dtype=np.float64))
    target_cost = _mean_softplus(-llr, target_share, -log_odds)
    nontarget_cost = _mean_softplus(llr, nontarget_share, log_odds)
    return np.asarray((expit(log_odds) * target_cost + expit(-log_odds) * nontarget_cost) / LN2)


def _mean_softplus(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """Σ share · ln(1 + exp(x + shift)) for every shift, without overflow; shape of `shifts`."""
    present = share > 0.0  # a class that is not there must not turn an infinite LLR into 0 · inf
    x, share = x[present], share[present]
    total = np.zeros(len(shifts))
    for start in range(0, len(x), _CHUNK):
        part = slice(start, start + _CHUNK)
        total += np.logaddexp(0.0, x[part] + shifts[:, np.newaxis]) @ share[part]
    return total
