"""The conventional figures of speaker verification: EER, ROCCH-EER, Cllr, linkability."""

from __future__ import annotations

import math

import numpy as np

from zebra_core.evidence.counts import BinCounts, ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.calibration import PavBlocks
from zebra_core.metrics.ece import ece_bits, ece_bits_of_each
from zebra_core.metrics.error_rates import ErrorRates

MOST_LINKABILITY_BINS = 100
TARGETS_PER_LINKABILITY_BIN = 10
FALSE_ALARM_RATES = (1e-2, 1e-3, 1e-4)
"""Where hits are reported: an attacker who must not be wrong often."""


def eer(counts: ScoreCounts) -> float:
    """The equal error rate over the distinct scores, a fraction; see `ErrorRates.equal`."""
    return ErrorRates.of(counts).equal()


def rocch_eer(plain: PavBlocks) -> float:
    """The equal error rate on the convex hull of the ROC, a fraction; exact, from plain PAV blocks."""
    return ErrorRates.of(plain).equal()


def hits_at_false_alarm_rates(rates: ErrorRates) -> dict[float, float | None]:
    """The true-positive rate at each of `FALSE_ALARM_RATES`; see `ErrorRates.hits_at`."""
    return {rate: rates.hits_at(rate) for rate in FALSE_ALARM_RATES}


def cllr_bits(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> float:
    """Log-likelihood-ratio cost of natural-log LLRs, in bits: 0 is perfect, 1 says nothing.

    It is the ECE at prior ½. Arguments as in `ece.ece_bits`. Ref: Brümmer and du Preez 2006.
    """
    return float(ece_bits(0.0, llr, target_share, nontarget_share)[0])


def cllr_bits_of_each(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> FloatArray:
    """`cllr_bits` of several sets of LLRs at once: arguments (w, m), result (w,)."""
    return ece_bits_of_each(np.zeros(1), llr, target_share, nontarget_share)[:, 0]


def linkability(counts: ScoreCounts) -> float | None:
    """Global linkability D_sys, 0 … 1, as the VoicePrivacy evaluations compute it; None: not measurable.

    Histograms of both classes over the common range of scores with min(⌊N_target / 10⌋, 100) bins; in each
    bin D = 2·LR/(1 + LR) − 1 where LR > 1, else 0 (1 where only targets fall); trapezoid rule over the bin
    centres. That rule ignores the outer halves of the edge bins, so with fewer than two bins (under 20
    targets), with one distinct score, or with all target mass in the edge bins it measures nothing.
    Ref: Gomez-Barrero et al. 2018, adapted by Maouche et al. 2020.
    """
    edges = linkability_bins(counts)
    if edges is None:
        return None
    return linkability_of(counts.within(edges), counts.total_target, counts.total_nontarget)


def local_linkability(counts: ScoreCounts) -> tuple[FloatArray, FloatArray] | None:
    """Scores s, the centres of the bins of `linkability`, and local linkability D(s) there, 0 … 1; (b,) both.

    D_sys is the integral of D(s) times the density of target scores, by the same trapezoid rule; None where
    that is not measurable. Ref: Gomez-Barrero et al. 2018, eq. 9, with ω = 1; ISO/IEC 30136.
    """
    edges = linkability_bins(counts)
    if edges is None or linkability(counts) is None:
        return None
    binned = counts.within(edges)
    local = _local_linkability(
        binned.n_target / counts.total_target, binned.n_nontarget / counts.total_nontarget
    )
    return edges[:-1] / 2.0 + edges[1:] / 2.0, local


def _local_linkability(target: FloatArray, nontarget: FloatArray) -> FloatArray:
    """max(0, 2·LR/(1 + LR) − 1) of the shares of both classes in bins, any shape: (p − q)/(p + q) or 0."""
    local = np.zeros(target.shape)
    np.divide(target - nontarget, target + nontarget, out=local, where=target > nontarget)
    return local


def linkability_bins(counts: ScoreCounts) -> FloatArray | None:
    """The edges of the bins of `linkability`; None where there are too few targets, or one distinct score."""
    bins = min(counts.total_target // TARGETS_PER_LINKABILITY_BIN, MOST_LINKABILITY_BINS)
    return None if bins < 2 or len(counts.score) == 1 else counts.even_edges(bins)


def linkability_by_chance(counts: ScoreCounts) -> float | None:
    """What `linkability` gives on average where the same scores are dealt out to the trials by chance.

    It is not 0: bins in which there happen to be more targets count, and others do not make up for them.
    Trials are taken for independent. None where linkability is not measurable.
    """
    edges = linkability_bins(counts)
    if edges is None:
        return None
    binned = counts.within(edges)
    if linkability_of(binned, counts.total_target, counts.total_nontarget) is None:
        return None
    weight = np.ones(len(edges) - 1)
    weight[[0, -1]] = 0.5  # of the trapezoid rule
    sizes = (binned.n_target + binned.n_nontarget).tolist()
    masses = [_mass_by_chance(size, counts.total_target, counts.total_nontarget) for size in sizes]
    return float(weight @ masses)


def _mass_by_chance(size: int, n_target: int, n_nontarget: int) -> float:
    """The expected D · density · width of a bin with `size` trials, whose targets are hypergeometric."""
    total = n_target + n_nontarget
    share = n_target / total
    spread = 10.0 * math.sqrt(size * share * (1.0 - share) * (total - size) / max(total - 1, 1)) + 10.0
    low = max(0, size - n_nontarget, math.floor(size * share - spread))
    high = min(size, n_target, math.ceil(size * share + spread))
    inside = np.arange(low, high + 1, dtype=np.float64)
    log_p = log_choose(n_target, inside) + log_choose(n_nontarget, size - inside)
    p = np.exp(log_p - log_p.max())
    target, nontarget = inside / n_target, (size - inside) / n_nontarget
    above = np.maximum(target - nontarget, 0.0)
    return float(p @ (above * target / np.maximum(target + nontarget, np.finfo(float).tiny)) / p.sum())


def log_choose(n: int, k: FloatArray | IntArray) -> FloatArray:
    """The natural logarithm of the number of ways to choose k (m,) of n."""
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def linkability_of(binned: BinCounts, total_target: int, total_nontarget: int) -> float | None:
    """The `linkability` of trials that are binned already; None with all target mass in the edge bins."""
    found = linkability_of_each(binned, np.array(total_target), np.array(total_nontarget))
    return None if np.isnan(found) else float(found)


def linkability_of_each(binned: BinCounts, total_target: IntArray, total_nontarget: IntArray) -> FloatArray:
    """`linkability_of` several weightings at once: counts (w, b), totals and result (w,); NaN for None."""
    target = binned.n_target / total_target[..., np.newaxis]
    nontarget = binned.n_nontarget / total_nontarget[..., np.newaxis]
    mass = _local_linkability(target, nontarget) * target  # D · density · bin width
    found = ((mass[..., 1:] + mass[..., :-1]) / 2.0).sum(axis=-1)
    return np.where(binned.n_target[..., 1:-1].any(axis=-1), found, np.nan)
