"""Figures of two arrays, labels and scores, as scikit-learn's metrics take them: no files, no assessment.

`y_true` is true where a trial compares a speaker with themselves, of shape (n,); `y_score`, (n,), is higher
the more alike. Where a figure judges LLRs these are natural logarithms.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from zebra_core.errors import InputError
from zebra_core.evidence.trials import FloatArray, ScoreCounts, Trials
from zebra_core.metrics import ece, error_rates, zebra
from zebra_core.metrics.ece import PavBlocks, laplace, pav
from zebra_core.metrics.error_rates import ErrorRates, normalised_dcf


def d_ece_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The population disclosure D_ECE; see `zebra.d_ece_bits`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        In bits, 0 … 1/(2 ln 2).

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import d_ece_bits
    >>> round(d_ece_bits([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]), 4)  # without an error
    0.7213
    """
    return zebra.d_ece_bits(*_oracle(y_true, y_score))


def worst_case_log10_lr(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The individual disclosure, by PAV with Laplace's rule.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        The largest |log10 LR| of any trial.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import worst_case_log10_lr
    >>> round(worst_case_log10_lr([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0]), 3)  # log10 of 3
    0.477
    """
    return zebra.worst_case_log10_lr(laplace(_blocks(y_true, y_score)))


def eer(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The equal error rate; see `ErrorRates.equal`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        A fraction.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import eer
    >>> eer([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0])
    0.5
    """
    return error_rates.eer(_counts(y_true, y_score))


def rocch_eer(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The equal error rate on the convex hull of the ROC.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        A fraction.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import rocch_eer
    >>> rocch_eer([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0])
    0.25
    """
    return error_rates.rocch_eer(_blocks(y_true, y_score))


def min_dcf(
    y_true: ArrayLike, y_score: ArrayLike, *, prior: float = 0.01, c_miss: float = 1.0, c_fa: float = 1.0
) -> float:
    """The least detection cost of any threshold on the scores (minDCF), normalised as NIST does.

    It is C_miss·π·P_miss + C_fa·(1 − π)·P_fa, over the cost of the better decision without scores. Ref:
    Brümmer and de Villiers 2011; see `costs.normalised_dcf`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.
    `prior`
        That of target trials, between 0 and 1; usual are 0.01 and 0.05.
    `c_miss`, `c_fa`
        What a miss and a false alarm cost, above 0.

    Returns
    -------
    float
        0 … 1: at 1 the scores are of no use at this prior.

    Raises
    ------
    InputError
        As `eer` does, and for another prior or cost.

    Examples
    --------
    >>> from zebra_core import min_dcf
    >>> round(min_dcf([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0]), 3)  # half of the targets
    0.5
    """
    return normalised_dcf(_log_odds(prior, c_miss, c_fa), _blocks(y_true, y_score))


def actual_dcf(
    y_true: ArrayLike, y_score: ArrayLike, *, prior: float = 0.01, c_miss: float = 1.0, c_fa: float = 1.0
) -> float:
    """The detection cost of natural-log LLRs that are decided upon as they are, normalised as `min_dcf` is.

    Accepted is from ln(C_fa·(1 − π) / (C_miss·π)) on.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and LLRs, (n,) each.
    `prior`, `c_miss`, `c_fa`
        As in `min_dcf`, which refuses the same.

    Returns
    -------
    float
        `min_dcf` or more; above 1 the LLRs mislead.

    Examples
    --------
    >>> from zebra_core import actual_dcf
    >>> round(actual_dcf([1, 1, 0, 0], [9.0, 1.0, 2.0, 0.0]), 3)  # from ln 99 = 4.6 on
    0.5
    """
    return normalised_dcf(_log_odds(prior, c_miss, c_fa), _counts(y_true, y_score))


def _log_odds(prior: float, c_miss: float, c_fa: float) -> float:
    """The natural log-odds at which equal costs come to the same. Raises InputError."""
    if not (0.0 < prior < 1.0 and c_miss > 0.0 and c_fa > 0.0):
        raise InputError("costs", prior=prior, miss=c_miss, false_alarm=c_fa)
    return math.log(prior * c_miss / ((1.0 - prior) * c_fa))


def cllr_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The log-likelihood-ratio cost of natural-log LLRs.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and LLRs, (n,) each.

    Returns
    -------
    float
        In bits: 0 is perfect, 1 says nothing.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import cllr_bits
    >>> cllr_bits([1, 0], [0.0, 0.0])
    1.0
    """
    counts = _counts(y_true, y_score)
    return error_rates.cllr_bits(
        counts.score, counts.n_target / counts.total_target, counts.n_nontarget / counts.total_nontarget
    )


def min_cllr_bits(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """`cllr_bits` of the LLRs that PAV makes of these scores: no calibration makes it less.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        In bits, 0 … 1.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import min_cllr_bits
    >>> min_cllr_bits([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0])
    0.0
    """
    return error_rates.cllr_bits(*_oracle(y_true, y_score))


def pav_llr(y_true: ArrayLike, y_score: ArrayLike) -> FloatArray:
    """The LLR of each trial by pool-adjacent-violators, ties pooled.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    ndarray
        Natural-log LLRs, (n,), perhaps ±inf.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import pav_llr
    >>> pav_llr([1, 0, 1, 0], [2.0, 1.0, 1.0, 0.0])
    array([ inf,   0.,   0., -inf])
    """
    trials = _trials(y_true, y_score)
    counts = ScoreCounts.of(trials.score, trials.is_target)
    return pav(counts).llr_by_score[np.searchsorted(counts.score, trials.score)]


def dev_pav(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """How far PAV lies from natural-log LLRs on the mean, in powers of ten (devPAV): 0 where calibrated.

    See `claimed_llrs.dev_pav_log10` (Vergeer, van Schaik and Sjerps 2021).

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        0 or more; not a number where PAV gives no finite LLR.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import dev_pav
    >>> round(dev_pav([1, 0, 1, 0], [2.0, 1.0, 1.0, 0.0]), 3)
    0.434
    """
    counts = _counts(y_true, y_score)
    found = error_rates.dev_pav_log10(counts, pav(counts))
    return float("nan") if found is None else found


def invariance_bounds(y_true: ArrayLike, y_score: ArrayLike) -> tuple[float, float]:
    """The lowest and the highest log10 LR that so many trials bear out, of natural-log LLRs.

    See `claimed_llrs.InvarianceBounds`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    tuple of float
        Powers of ten, the first at most 0, the second at least 0.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import invariance_bounds
    >>> low, high = invariance_bounds([1, 1, 0, 0], [9.0, 9.0, -9.0, -9.0])
    >>> round(low, 3), round(high, 3)  # 2½ of 3 against ½ of 3: a factor of 5
    (-0.699, 0.699)
    """
    found = error_rates.InvarianceBounds.of(_counts(y_true, y_score))
    return found.low, found.high


def linkability_d_sys(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """The global linkability D_sys (Gomez-Barrero et al. 2018); see `error_rates.linkability`.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    float
        0 … 1; not a number where not measurable, as below 20 targets.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import linkability_d_sys
    >>> y_true = np.arange(400) < 100
    >>> y_score = np.random.default_rng(0).normal(size=400) + 2.0 * y_true
    >>> round(linkability_d_sys(y_true, y_score), 2)
    0.56
    >>> linkability_d_sys([1, 0], [1.0, 0.0])
    nan
    """
    found = error_rates.linkability(_counts(y_true, y_score))
    return float("nan") if found is None else found


def det_curve(y_true: ArrayLike, y_score: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The rates of both errors at the thresholds where they change, as scikit-learn's of this name has them.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.

    Returns
    -------
    false_alarm, miss, thresholds
        False-alarm rates, miss rates and thresholds, (m,) each. Thresholds are the distinct scores,
        ascending; a trial is accepted from its threshold on. They begin at the last one without a miss, and
        end at the first one with the fewest false alarms.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import det_curve
    >>> false_alarm, miss, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> thresholds
    array([0.35, 0.4 , 0.8 ])
    >>> false_alarm, miss
    (array([0.5, 0.5, 0. ]), array([0. , 0.5, 0.5]))
    """
    counts = _counts(y_true, y_score)
    rates = ErrorRates.of(counts)
    false_alarm, miss = rates.false_alarm[:-1], rates.miss[:-1]
    kept = slice(np.flatnonzero(miss == 0.0)[-1], np.flatnonzero(false_alarm == false_alarm[-1])[0] + 1)
    return false_alarm[kept], miss[kept], counts.score[kept]


def ece_curve(
    y_true: ArrayLike, y_score: ArrayLike, prior_log10_odds: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The empirical cross-entropy at these priors.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and scores, (n,) each.
    `prior_log10_odds`
        Prior odds as powers of ten, (p,).

    Returns
    -------
    actual, least, prior
        That of the scores as natural-log LLRs, that after PAV, and the entropy of the prior; in bits, (p,)
        each.

    Raises
    ------
    InputError
        Where shapes disagree, a label is neither 0 nor 1, a score is not finite, or one class is empty.

    Examples
    --------
    >>> from zebra_core import ece_curve
    >>> actual, least, prior = ece_curve([1, 1, 0, 0], [3.0, 2.0, 1.0, 0.0], [-1.0, 0.0])
    >>> actual.round(2), least, prior.round(2)
    (array([0.3 , 0.79]), array([0., 0.]), array([0.44, 1.  ]))
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
    return Trials.from_arrays(score=y_score, is_target=y_true)


def _counts(y_true: ArrayLike, y_score: ArrayLike) -> ScoreCounts:
    trials = _trials(y_true, y_score)
    return ScoreCounts.of(trials.score, trials.is_target)


def _blocks(y_true: ArrayLike, y_score: ArrayLike) -> PavBlocks:
    return pav(_counts(y_true, y_score))


def _oracle(y_true: ArrayLike, y_score: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    blocks = _blocks(y_true, y_score)
    return blocks.llr, blocks.target_share, blocks.nontarget_share
