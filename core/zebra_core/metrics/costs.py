"""Detection costs over the prior: the Bayes error of the decisions that LLRs lead to, and the least possible.

A detection cost with costs of its own is a Bayes error at another prior, whose odds are multiplied by the
ratio of the costs: nothing is lost by equal costs. Ref: Brümmer and de Villiers, "The BOSARIS toolkit user
guide", 2011, sections 2 to 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.calibration import PavBlocks
from zebra_core.metrics.error_rates import ErrorRates

_MOST_LOG_ODDS = 700.0  # exp() of more is infinite
_ON_THE_THRESHOLD = 1e-9  # natural log-odds


@dataclass(frozen=True)
class DecisionErrors:
    """What one rule decides wrongly, fractions of each class."""

    of_target: float  # rejected
    of_nontarget: float  # accepted


@dataclass(frozen=True, eq=False)
class BayesErrorProfile:
    """Bayes error over the prior (APE plot), fractions of shape (p,).

    `default` decides by the prior alone, `minimum` by oracle-calibrated LLRs, `actual` by the LLRs as they
    are. The greatest value that `minimum` takes at any prior is the ROCCH-EER.
    """

    prior_log_odds: FloatArray  # natural log-odds of the target prior, ascending
    default: FloatArray
    minimum: FloatArray
    actual: FloatArray

    @property
    def normalised_minimum(self) -> FloatArray:
        """`minimum` over `default` (normalised Bayes error, NBER), shape (p,): 0 … 1."""
        return np.asarray(self.minimum / self.default)

    @property
    def normalised_actual(self) -> FloatArray:
        """`actual` over `default`, shape (p,); above 1 the LLRs are worse than deciding without them."""
        return np.asarray(self.actual / self.default)


def bayes_error_profile(
    prior_log_odds: ArrayLike, llr: FloatArray, rates: ErrorRates, plain: PavBlocks
) -> BayesErrorProfile:
    """The profile at priors of shape (p,), natural log-odds; finite at any prior, also ±700 and beyond.

    `llr` of shape (m,) ascends (natural log), `rates` has the error rates at its values, and `plain` are the
    plain PAV blocks of the same trials. O(p log m).
    """
    log_odds = _bounded(prior_log_odds)
    return BayesErrorProfile(
        prior_log_odds=log_odds,
        default=scipy.special.expit(-np.abs(log_odds)),
        minimum=minimum_dcf(log_odds, plain),
        actual=rates.bayes_error(log_odds, bayes_thresholds(log_odds, llr)),
    )


def minimum_dcf(prior_log_odds: ArrayLike, plain: PavBlocks) -> FloatArray:
    """The least Bayes error that any threshold on the scores has, at priors of shape (p,); a fraction.

    Exact: the best threshold at a prior is a corner of the ROC's convex hull, the one that oracle-calibrated
    LLRs would choose.
    """
    log_odds = _bounded(prior_log_odds)
    return ErrorRates.of(plain).bayes_error(log_odds, bayes_thresholds(log_odds, plain.llr))


def normalised_dcf(prior_log_odds: float, decided: ScoreCounts | PavBlocks) -> float:
    """The Bayes error at a prior over that without scores, as NIST normalises detection costs.

    Of PAV blocks it is the minimum (minDCF), of natural-log LLRs as they are the actual DCF; 1 is no better
    than deciding without scores. The log-odds are natural.
    """
    log_odds = _bounded(prior_log_odds)
    at = int(bayes_thresholds(log_odds, decided.llr if isinstance(decided, PavBlocks) else decided.score)[0])
    missed = decided.n_target[:at].sum() / decided.n_target.sum()
    accepted = decided.n_nontarget[at:].sum() / decided.n_nontarget.sum()
    target, nontarget = np.exp(-np.logaddexp(0.0, [-log_odds[0], log_odds[0]]))
    return float((target * missed + nontarget * accepted) / min(target, nontarget))


def oracle_decision_errors(prior_log_odds: float, plain: PavBlocks) -> DecisionErrors:
    """The shares of either class that an oracle-calibrated attacker decides wrongly; fractions.

    `prior_log_odds` are natural. Accepted is where the posterior reaches ½; an LLR within 1e-9 of that is on
    it, for LRs of counts do meet it, and rounding must not decide. Weighted by the prior, both shares sum
    to `minimum_dcf`. Ref: Brümmer and de Villiers, as above.
    """
    at = int(bayes_thresholds(_bounded(prior_log_odds) + _ON_THE_THRESHOLD, plain.llr)[0])
    rejected, accepted = plain.n_target[:at].sum(), plain.n_nontarget[at:].sum()
    return DecisionErrors(float(rejected / plain.n_target.sum()), float(accepted / plain.n_nontarget.sum()))


def bayes_thresholds(prior_log_odds: FloatArray, llr: FloatArray) -> IntArray:
    """Which threshold of `ErrorRates` is Bayes' at each prior: accept where llr ≥ −log-odds; shape (p,).

    `llr` of shape (m,) ascends. An LLR on the threshold is accepted; either decision would cost the same.
    """
    return np.searchsorted(llr, -prior_log_odds, side="left").astype(np.int64)


def _bounded(prior_log_odds: ArrayLike) -> FloatArray:
    """Finite log-odds of shape (p,), so that neither prior of the two underflows to nothing."""
    log_odds = np.atleast_1d(np.asarray(prior_log_odds, dtype=np.float64))
    return np.clip(log_odds, -_MOST_LOG_ODDS, _MOST_LOG_ODDS)
