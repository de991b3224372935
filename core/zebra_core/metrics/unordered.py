"""What scores disclose to somebody who supposes no order of them.

Calibration in the usual sense is non-decreasing: it finds nothing in scores that run the wrong way, and
little where same-speaker trials stand in both tails. Here the LR is a smooth ratio of two densities, learnt
on other speakers than it is judged on (`cross_fitting`), so that it does not flatter: where nothing is
disclosed it comes to about 0 or less. Ref: Scott 1985, "Averaged shifted histograms".
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.cross_fitting import FoldCounts
from zebra_core.metrics.zebra import d_ece_bits

_SHIFTS = 4
_BINS_BY_ROOT = 1.5  # bins for each cube root of the number of target trials
_FEWEST_BINS, _MOST_BINS = 2, 24
_ADDED = 2.0  # trials of either class, spread like all: what pulls the ratio towards 1


def unordered_llr(n_target: IntArray, n_nontarget: IntArray) -> FloatArray:
    """A smooth natural-log LR of every bin, learnt without any order; shapes as `cross_fitting.Learn` says.

    Bins are placed by rank in a mixture that holds both classes in equal parts, and pooled into
    1.5·T^(1/3) cells of equal shares of it (2 … 24), four times, shifted by 1/8, 3/8, 5/8 and 7/8 of a cell.
    Two trials of either class, spread over the cells as the mixture is, are added to each. The posterior for
    equal priors is the mean of those of the four.
    """
    total_target, total_nontarget = int(n_target.sum()), int(n_nontarget.sum())
    if not (total_target and total_nontarget):
        return np.zeros(len(n_target))
    mixture = (n_target / total_target + n_nontarget / total_nontarget) / 2.0
    rank = np.cumsum(mixture) - mixture / 2.0
    cells = min(max(round(_BINS_BY_ROOT * total_target ** (1.0 / 3.0)), _FEWEST_BINS), _MOST_BINS)
    shift = np.arange(_SHIFTS)[:, np.newaxis]
    cell = np.clip(rank * cells + (shift + 0.5) / _SHIFTS, 0, cells).astype(np.int64)
    cell += shift * (cells + 1)  # those of each shift behind those of the last

    def pooled(values: FloatArray | IntArray) -> FloatArray:
        return np.asarray(np.bincount(cell.ravel(), np.tile(values, _SHIFTS), _SHIFTS * (cells + 1)))

    added = _ADDED * pooled(mixture)
    target = (pooled(n_target) + added) / (total_target + _ADDED)
    nontarget = (pooled(n_nontarget) + added) / (total_nontarget + _ADDED)
    # A bin that nobody was learnt on may fall into an empty cell: nothing is known of it.
    both = target + nontarget
    share = np.divide(target, both, out=np.full(len(both), 0.5), where=both > 0.0)
    posterior = (share[cell] / _SHIFTS).sum(axis=0)
    return np.asarray(np.log(posterior) - np.log1p(-posterior))


def d_ece_unordered_bits(folds: FoldCounts, llr: FloatArray) -> float:
    """D_ECE in bits of the LLRs (k, k, g) that trials got by their folds; below 0 where these mislead."""
    target, nontarget = folds.n_target.ravel(), folds.n_nontarget.ravel()
    return d_ece_bits(llr.ravel(), target / target.sum(), nontarget / nontarget.sum())
