"""Figures of two arrays, labels and scores, as scikit-learn's metrics take them: no files, no assessment.

`y_true` is true where a trial compares a speaker with themselves, of shape (n,); `y_score`, (n,), is higher
the more alike. Where a figure judges LLRs these are natural logarithms. All raise InputError as `Trials`
does: for shapes that disagree, scores that are not finite, or where one class is empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from zebra_core.errors import InputError
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, Trials
from zebra_core.metrics import claimed_llrs, ece, verification, zebra
from zebra_core.metrics.calibration import PavBlocks, laplace, pav
from zebra_core.metrics.error_rates import ErrorRates


def d_ece_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The population disclosure D_ECE in bits, 0 … 1/(2 ln 2); see `zebra.d_ece_bits`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> round(d_ece_bits([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]), 4)  # told apart without an error
    0.7213
    """
    return zebra.d_ece_bits(*_oracle(y_true, y_score))


def worst_case_log10_lr(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The individual disclosure: the largest |log10 LR| of any trial, by PAV with Laplace's rule.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> round(worst_case_log10_lr([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]), 3)
    0.477
    """
    return zebra.worst_case_log10_lr(laplace(_blocks(y_true, y_score)))


def eer(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The equal error rate, a fraction; see `ErrorRates.equal`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> eer([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0])
    0.5
    """
    return verification.eer(_counts(y_true, y_score))


def rocch_eer(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The equal error rate on the convex hull of the ROC, a fraction.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> rocch_eer([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0])
    0.25
    """
    return verification.rocch_eer(_blocks(y_true, y_score))


def cllr_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The log-likelihood-ratio cost of natural-log LLRs, in bits: 0 is perfect, 1 says nothing.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> cllr_bits([1, 0], [0.0, 0.0])
    1.0
    """
    counts = _counts(y_true, y_score)
    return verification.cllr_bits(
        counts.score, counts.n_target / counts.total_target, counts.n_nontarget / counts.total_nontarget
    )


def min_cllr_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """`cllr_bits` of the LLRs that PAV makes of these scores: no calibration makes it less.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> min_cllr_bits([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0])
    0.0
    """
    return verification.cllr_bits(*_oracle(y_true, y_score))


def pav_llr(y_true: ArrayLike, y_score: ArrayLike) -> FloatArray:
    """The natural-log LLR of each trial by pool-adjacent-violators, ties pooled; (n,), perhaps ±inf.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> pav_llr([1, 0, 1, 0], [2.0, 1.0, 1.0, 0.0])
    array([ inf,   0.,   0., -inf])
    """
    trials = _trials(y_true, y_score)
    counts = ScoreCounts.of(trials.score, trials.is_target)
    return pav(counts).llr_by_score[np.searchsorted(counts.score, trials.score)]


def dev_pav(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """How far PAV lies from natural-log LLRs on the mean, in powers of ten (devPAV): 0 where calibrated.

    Not a number where no LLR that PAV gives is finite; see `claimed_llrs.dev_pav_log10`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> round(dev_pav([1, 0, 1, 0], [2.0, 1.0, 1.0, 0.0]), 3)  # 1 is worth 0: 1/ln 10 too much
    0.434
    """
    counts = _counts(y_true, y_score)
    found = claimed_llrs.dev_pav_log10(counts, pav(counts))
    return float("nan") if found is None else found


def invariance_bounds(y_true: ArrayLike, y_score: ArrayLike) -> tuple[float, float]:
    """The lowest and the highest log10 LR that so many trials bear out, of natural-log LLRs.

    See `claimed_llrs.InvarianceBounds`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> low, high = invariance_bounds([1, 1, 0, 0], [9.0, 9.0, -9.0, -9.0])
    >>> round(low, 3), round(high, 3)  # 2½ of 3 against ½ of 3: a factor of 5
    (-0.699, 0.699)
    """
    found = claimed_llrs.InvarianceBounds.of(_counts(y_true, y_score))
    return found.low, found.high


def linkability_d_sys(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The global linkability D_sys, 0 … 1 (Gomez-Barrero et al. 2018); not a number where not measurable.

    That is so below 20 targets; see `verification.linkability`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> linkability_d_sys([1, 0], [1.0, 0.0])
    nan
    """
    found = verification.linkability(_counts(y_true, y_score))
    return float("nan") if found is None else found


def det_curve(y_true: ArrayLike, y_score: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """False-alarm rates, miss rates and thresholds, (m,) each, as scikit-learn's of this name has them.

    Thresholds are the distinct scores, ascending; a trial is accepted from its threshold on.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Examples
    --------
    >>> det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    (array([1. , 0.5, 0.5, 0. ]), array([0. , 0. , 0.5, 0.5]), array([0.1 , 0.35, 0.4 , 0.8 ]))
    """
    counts = _counts(y_true, y_score)
    rates = ErrorRates.of(counts)
    return rates.false_alarm[:-1], rates.miss[:-1], counts.score


def ece_curve(
    y_true: ArrayLike, y_score: ArrayLike, prior_log10_odds: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The empirical cross-entropy at these priors, in bits, (p,) each.

    That of the scores as natural-log LLRs, that after PAV, and the entropy of the prior.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.
    `prior_log10_odds`
        Prior odds as powers of ten, (p,).

    Examples
    --------
    >>> actual, least, prior = ece_curve([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0], [0.0])
    >>> float(least[0]), float(prior[0])
    (0.0, 1.0)
    """
    counts = _counts(y_true, y_score)
    log_odds = np.atleast_1d(np.asarray(prior_log10_odds, dtype=np.float64)) * np.log(10.0)
    actual = ece.ece_bits(
        log_odds,
        counts.score,
        counts.n_target / counts.total_target,
        counts.n_nontarget / counts.total_nontarget,
    )
    blocks = pav(counts)
    least = ece.ece_bits(log_odds, blocks.llr, blocks.target_share, blocks.nontarget_share)
    return actual, least, ece.prior_entropy_bits(log_odds)


def _trials(y_true: ArrayLike, y_score: ArrayLike) -> Trials:
    labels = np.asarray(y_true)
    if not np.isin(labels, (0, 1)).all():
        raise InputError("array-not-labels", found=str(labels[~np.isin(labels, (0, 1))][0]))
    return Trials(np.asarray(y_score, dtype=np.float64), labels.astype(np.bool_))


def _counts(y_true: ArrayLike, y_score: ArrayLike) -> ScoreCounts:
    trials = _trials(y_true, y_score)
    return ScoreCounts.of(trials.score, trials.is_target)


def _blocks(y_true: ArrayLike, y_score: ArrayLike) -> PavBlocks:
    return pav(_counts(y_true, y_score))


def _oracle(y_true: ArrayLike, y_score: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    blocks = _blocks(y_true, y_score)
    return blocks.llr, blocks.target_share, blocks.nontarget_share
