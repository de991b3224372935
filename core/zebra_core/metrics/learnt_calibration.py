"""What an attacker's own calibration can still do: learnt on one run of a safeguard, judged on another.

Ref: csl2022, section 5.3 (eq. 15 and 16, Fig. 8). Oracle calibration needs the very trials under attack;
an attacker has only others, from another run of the safeguard or from other speakers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray, ScoreCounts
from zebra_core.metrics.ece import ece_bits, laplace, pav, softplus
from zebra_core.metrics.error_rates import cllr_bits
from zebra_core.metrics.zebra import d_ece_bits

_NO_SPREAD = 1e-300  # half the range of the middle half of the scores: less cannot be divided by
_FARTHEST = 1e100


@dataclass(frozen=True)
class LinearCalibration:
    """LLR = slope · score + offset, by logistic regression."""

    slope: float
    offset: float  # natural log
    bounded: bool  # the classes were separable: the slope would be infinite without Laplace's rule

    @classmethod
    def fit(cls, counts: ScoreCounts, prior: float = 0.5) -> Self:
        """Minimise the cross-entropy of the training trials with both classes weighted to `prior`.

        At prior ½ that is their Cllr. `prior` lies strictly between 0 and 1. Where one threshold separates
        the classes without error (in either direction), the slope has no finite optimum; one target and one
        nontarget are then added at each end of the scores, as Laplace's rule does for the PAV, and `bounded`
        says so. Scores that do not differ teach nothing: slope and offset are 0. O(m) a step, about ten.
        Ref: Brümmer and de Villiers, "The BOSARIS toolkit user guide", 2011.
        """
        low, middle, high = np.quantile(counts.score / 2.0, (0.25, 0.5, 0.75))  # halves cannot overflow
        spread = float(high - low)
        if spread < _NO_SPREAD:
            return cls(0.0, 0.0, bounded=False)
        bounded = _separable(counts)
        if bounded:
            counts = _with_dummies_at_the_ends(counts)
        # Half of the distinct scores are brought to −1 … 1, so that steps and tolerances mean the same for
        # scores of any unit; outliers stay where squares do not overflow.
        scaled = np.clip((counts.score / 2.0 - middle) / (spread / 2.0), -_FARTHEST, _FARTHEST)
        loss = _LogisticLoss(
            ScoreCounts(scaled, counts.n_target, counts.n_nontarget), math.log(prior) - math.log1p(-prior)
        )
        found = scipy.optimize.minimize(
            loss.value,
            np.zeros(2),
            method="trust-exact",
            jac=loss.gradient,
            hess=loss.hessian,
            options={"gtol": 1e-10, "maxiter": 200, "max_trust_radius": 1e6},
        )
        slope, offset = float(found.x[0]) / spread, float(found.x[1])
        return cls(slope, offset - slope * float(2.0 * middle), bounded)

    def llr(self, score: FloatArray) -> FloatArray:
        """The natural-log LLR of every score, same shape and order."""
        with np.errstate(over="ignore"):  # a score from another world gets an infinite LLR, rightly judged
            return np.asarray(self.slope * score + self.offset)


@dataclass(frozen=True, eq=False)
class IsotonicCalibration:
    """The PAV with Laplace's rule as a map for all scores.

    Constant from a block's lowest to its highest training score, linear from there to the next block's
    lowest, constant outside.
    """

    score: FloatArray  # shape (k,), ascending: where the map bends
    llr_there: FloatArray  # shape (k,), ascending, natural log

    @classmethod
    def fit(cls, counts: ScoreCounts) -> Self:
        """Learn the map from training scores; O(m). Ref: csl2022, section 5.3; Brümmer and du Preez 2013."""
        blocks = laplace(pav(counts))
        ends = np.stack([blocks.first[:-1], blocks.first[1:] - 1], axis=1)
        distinct = np.stack([np.ones(len(ends), dtype=np.bool_), ends[:, 0] != ends[:, 1]], axis=1)
        return cls(counts.score[ends[distinct]], np.repeat(blocks.llr, 2).reshape(-1, 2)[distinct])

    def llr(self, score: FloatArray) -> FloatArray:
        """The natural-log LLR of every score, same shape and order."""
        return np.interp(score, self.score, self.llr_there)


@dataclass(frozen=True, eq=False)
class JudgedLlrs:
    """What LLRs of an attacker are worth on the trials they were made for."""

    c_ece_bits: float  # D_ECE of these LLRs; negative: the attacker is better off without them
    cllr_bits: float
    actual_bits: FloatArray  # their ECE at the priors of `LearntCalibration`, shape (p,)

    def as_json(self) -> dict[str, float | None]:
        """The figures for `zebra calibration --json`; None where infinite."""
        figures = {"c_ece_bits": self.c_ece_bits, "cllr_bits": self.cllr_bits}
        return {name: value if math.isfinite(value) else None for name, value in figures.items()}


@dataclass(frozen=True, eq=False)
class LearntCalibration:
    """Both calibrations learnt on one run of a safeguard and judged on another."""

    prior_log_odds: FloatArray  # natural log, shape (p,)
    linear_map: LinearCalibration
    linear: JudgedLlrs
    isotonic: JudgedLlrs

    def as_json(self) -> dict[str, dict[str, float | None]]:
        """The object that `zebra calibration --json` prints."""
        return {"linear": self.linear.as_json(), "isotonic": self.isotonic.as_json()}


def attack(
    train: ScoreCounts, test: ScoreCounts, prior_log_odds: FloatArray, prior: float = 0.5
) -> LearntCalibration:
    """Learn both calibrations on one run, f0, and judge them on another, f1 (csl2022, eq. 15 and 16).

    `prior` weights the classes in the logistic regression, `prior_log_odds` (natural log, shape (p,)) are
    where ECE profiles are computed. The scores are taken as they are; what they mean plays no part.
    """
    linear, isotonic = LinearCalibration.fit(train, prior), IsotonicCalibration.fit(train)
    return LearntCalibration(
        prior_log_odds=prior_log_odds,
        linear_map=linear,
        linear=judge(linear.llr(test.score), test, prior_log_odds),
        isotonic=judge(isotonic.llr(test.score), test, prior_log_odds),
    )


def judge(llr: FloatArray, counts: ScoreCounts, prior_log_odds: FloatArray) -> JudgedLlrs:
    """Judge the natural-log LLRs, shape (m,), that the distinct scores of `counts` were given."""
    shares = counts.target_share, counts.nontarget_share
    return JudgedLlrs(
        c_ece_bits=d_ece_bits(llr, *shares),
        cllr_bits=cllr_bits(llr, *shares),
        actual_bits=ece_bits(prior_log_odds, llr, *shares),
    )


@dataclass(frozen=True, eq=False)
class _LogisticLoss:
    """Cross-entropy in nats over (slope, offset), with its first two derivatives."""

    counts: ScoreCounts
    log_odds: float

    def value(self, at: FloatArray) -> float:
        logit = self._logit(at)
        target, nontarget = self._weights()
        return float(target @ softplus(-logit) + nontarget @ softplus(logit))

    def gradient(self, at: FloatArray) -> FloatArray:
        logit = self._logit(at)
        target, nontarget = self._weights()
        slope = nontarget * scipy.special.expit(logit) - target * scipy.special.expit(-logit)
        return np.array([slope @ self.counts.score, slope.sum()])

    def hessian(self, at: FloatArray) -> FloatArray:
        logit = self._logit(at)
        target, nontarget = self._weights()
        curve = (target + nontarget) * scipy.special.expit(logit) * scipy.special.expit(-logit)
        mixed = curve @ self.counts.score
        return np.array([[curve @ self.counts.score**2, mixed], [mixed, curve.sum()]])

    def _logit(self, at: FloatArray) -> FloatArray:
        return np.asarray(at[0] * self.counts.score + at[1] + self.log_odds)

    def _weights(self) -> tuple[FloatArray, FloatArray]:
        prior = scipy.special.expit(self.log_odds)
        return prior * self.counts.target_share, (1.0 - prior) * self.counts.nontarget_share


def _separable(counts: ScoreCounts) -> bool:
    """Whether no target lies below a nontarget or none above one; a tie at the threshold changes nothing."""
    target, nontarget = np.flatnonzero(counts.n_target), np.flatnonzero(counts.n_nontarget)
    return bool(nontarget[-1] <= target[0] or target[-1] <= nontarget[0])


def _with_dummies_at_the_ends(counts: ScoreCounts) -> ScoreCounts:
    n_target, n_nontarget = counts.n_target.copy(), counts.n_nontarget.copy()
    for end in (0, -1):
        n_target[end] += 1
        n_nontarget[end] += 1
    return ScoreCounts(counts.score, n_target, n_nontarget)
