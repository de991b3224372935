"""The figures once more, slowly and from the papers alone: none of the program's own routines is used."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from zebra_core.evidence.trials import BoolArray, FloatArray

_FAR = 36.0  # log-odds beyond which the prior has less than 1e-15 of its range
_PANELS = 288


def minimax_shares(n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """Isotonic regression of the share of targets at each distinct score: the max-min of means, (m,).

    Ref: Robertson, Wright and Dykstra 1988, section 1.4. O(m^3) on purpose: nothing is pooled.
    """
    target = np.concatenate([[0.0], np.cumsum(n_target)])
    both = np.concatenate([[0.0], np.cumsum(n_target + n_nontarget)])
    m = len(n_target)
    return np.array(
        [
            max(
                min((target[end] - target[start]) / (both[end] - both[start]) for end in range(k + 1, m + 1))
                for start in range(k + 1)
            )
            for k in range(m)
        ]
    )


def at_scores(score: FloatArray, is_target: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The distinct scores, and how many trials of either class have each: three of (m,)."""
    distinct = np.unique(score)
    target = np.array([np.sum(score[is_target] == one) for one in distinct], dtype=np.float64)
    nontarget = np.array([np.sum(score[~is_target] == one) for one in distinct], dtype=np.float64)
    return distinct, target, nontarget


def oracle_llrs(n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """The natural-log LLR of each distinct score, from posterior odds and those of the counts; (m,)."""
    share = minimax_shares(n_target, n_nontarget)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(share) - np.log1p(-share) - np.log(n_target.sum() / n_nontarget.sum()))


def worst_case(n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """The largest |log10 LR| under Laplace's rule: a target and a nontarget more beyond either end."""
    if len(n_target) == 1:
        return 0.0
    ends = [np.concatenate([[1.0], of, [1.0]]) for of in (n_target, n_nontarget)]
    share = minimax_shares(*ends)[1:-1]
    odds = np.log(share) - np.log1p(-share) - np.log(n_target.sum() / n_nontarget.sum())
    return float(np.abs(odds).max() / np.log(10.0))


def ece(log_odds: FloatArray, llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """ZEBRA paper, eq. 4, in bits, at each prior; (p,)."""
    prior, rest = 1.0 / (1.0 + np.exp(-log_odds)), 1.0 / (1.0 + np.exp(log_odds))
    of, no = n_target > 0, n_nontarget > 0
    missed = np.logaddexp(0.0, -llr[of][:, np.newaxis] - log_odds).T @ n_target[of] / n_target.sum()
    false = np.logaddexp(0.0, llr[no][:, np.newaxis] + log_odds).T @ n_nontarget[no] / n_nontarget.sum()
    return np.asarray((prior * missed + rest * false) / np.log(2.0))


def d_ece(llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """ZEBRA paper, eq. 5: the area between the entropy of the prior and ECE, by Gauss and Legendre."""
    node, weight = np.polynomial.legendre.leggauss(16)
    edge = np.linspace(-_FAR, _FAR, _PANELS + 1)
    half = (edge[1] - edge[0]) / 2.0
    log_odds = (edge[:-1, np.newaxis] + half * (node + 1.0)).ravel()
    prior, rest = 1.0 / (1.0 + np.exp(-log_odds)), 1.0 / (1.0 + np.exp(log_odds))
    entropy = (prior * np.logaddexp(0.0, -log_odds) + rest * np.logaddexp(0.0, log_odds)) / np.log(2.0)
    gap = (entropy - ece(log_odds, llr, n_target, n_nontarget)) * prior * rest
    return float(gap @ np.tile(weight * half, _PANELS))


def cllr(llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """ECE at even odds, which is Cllr (Brümmer and du Preez 2006), in bits."""
    return float(ece(np.zeros(1), llr, n_target, n_nontarget)[0])


def eer(score: FloatArray, is_target: BoolArray) -> float:
    """Both error rates at every threshold, and where the broken line through them meets the diagonal."""
    points = [
        (float(np.mean(score[is_target] < at)), float(np.mean(score[~is_target] >= at)))
        for at in [-np.inf, *np.unique(score), np.inf]
    ]
    return min(_on_diagonal(*pair) for pair in pairwise(points))


def rocch_eer(score: FloatArray, is_target: BoolArray) -> float:
    """The least error at which any mixture of two thresholds has equal rates."""
    points = [
        (float(np.mean(score[is_target] < at)), float(np.mean(score[~is_target] >= at)))
        for at in [-np.inf, *np.unique(score), np.inf]
    ]
    return min(_on_diagonal(one, other) for one in points for other in points)


def _on_diagonal(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Where the line between two operating points has equal rates; infinite where it has them nowhere."""
    before, after = one[0] - one[1], other[0] - other[1]
    if before == 0.0:
        return one[0]
    if before * after > 0.0 or before == after:
        return float("inf")
    return one[0] + (other[0] - one[0]) * before / (before - after)
