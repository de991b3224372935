"""Oracle calibration: the best non-decreasing map from score to LLR on these very trials (PAV)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PavBlocks:
    """What pool-adjacent-violators makes of distinct scores: runs of them that share one LLR.

    Shapes are (b,) except `first`, (b + 1,): block k holds the distinct scores first[k] … first[k + 1] − 1.
    Counts are those of the real trials, also under Laplace's rule. `llr` is the natural-log likelihood
    ratio, strictly ascending, relative to the prior odds of the real counts; it may end in −inf and +inf
    unless Laplace's rule was used.
    """

    first: IntArray
    n_target: IntArray
    n_nontarget: IntArray
    llr: FloatArray

    @property
    def target_share(self) -> FloatArray:
        """The share of all target trials in each block, shape (b,)."""
        return np.asarray(self.n_target / self.n_target.sum())

    @property
    def nontarget_share(self) -> FloatArray:
        """The share of all nontarget trials in each block, shape (b,)."""
        return np.asarray(self.n_nontarget / self.n_nontarget.sum())

    @property
    def llr_by_score(self) -> FloatArray:
        """The LLR of every distinct score, shape (m,), ascending."""
        return np.repeat(self.llr, np.diff(self.first))


def pav(counts: ScoreCounts) -> PavBlocks:
    """Plain PAV: isotonic regression of the class on the score, with equal scores pooled beforehand.

    O(m). Where a block holds only one class its LLR is infinite. Ref: Brümmer and du Preez 2009, "The PAV
    algorithm optimizes binary proper scoring rules"; the ZEBRA paper, section 2.
    """
    n_target, n_nontarget, first = _pool(counts.n_target, counts.n_nontarget)
    llr = _llr(n_target, n_nontarget, counts.total_target, counts.total_nontarget)
    return PavBlocks(first, n_target, n_nontarget, llr)


def laplace(plain: PavBlocks) -> PavBlocks:
    """The same under Laplace's rule of succession: all LLRs are finite.

    One target and one nontarget are added beyond each end of the scores; the prior odds that turn posterior
    odds into LRs remain those of the real counts. Pooling may go on from the plain blocks, for violators
    may be pooled in any order. Ref: the ZEBRA paper, footnote 6.
    """
    n_target, n_nontarget, first_block = _pool(
        _with_dummies(plain.n_target), _with_dummies(plain.n_nontarget)
    )
    llr = _llr(n_target, n_nontarget, int(plain.n_target.sum()), int(plain.n_nontarget.sum()))

    # Back to the real trials: block edges without the two dummies, and no block made of a dummy alone.
    edges = np.clip(first_block - 1, 0, len(plain.n_target))
    real = np.diff(edges) > 0
    starts = edges[:-1][real]
    return PavBlocks(
        first=plain.first[np.append(starts, len(plain.n_target))],
        n_target=np.add.reduceat(plain.n_target, starts),
        n_nontarget=np.add.reduceat(plain.n_nontarget, starts),
        llr=llr[real],
    )


def _with_dummies(counts: IntArray) -> IntArray:
    return np.concatenate([[1], counts, [1]])


def _pool(n_target: IntArray, n_nontarget: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Pool adjacent violators: counts of the blocks, and where each begins (with the end as last entry)."""
    n_trials = n_target + n_nontarget
    first = isotonic_regression(n_target / n_trials, weights=n_trials).blocks.astype(np.int64)
    while True:
        targets = np.add.reduceat(n_target, first[:-1])
        nontargets = np.add.reduceat(n_nontarget, first[:-1])
        # Means of counts are rounded; whole numbers decide whether neighbours are really in order.
        violates = targets[:-1] * nontargets[1:] >= targets[1:] * nontargets[:-1]
        if not violates.any():
            return targets, nontargets, first
        first = first[np.concatenate([[True], ~violates, [True]])]


def _llr(n_target: IntArray, n_nontarget: IntArray, total_target: int, total_nontarget: int) -> FloatArray:
    """The natural log of the ratio of both classes' shares: exact near 0, infinite where one is empty."""
    for_target = n_target * float(total_nontarget)
    for_nontarget = n_nontarget * float(total_target)
    excess = for_target - for_nontarget
    # log1p of the excess over the smaller side cancels nowhere and is exactly 0 where both are equal.
    smaller = np.minimum(for_target, for_nontarget)
    with np.errstate(divide="ignore"):
        return np.asarray(np.copysign(np.log1p(np.abs(excess) / smaller), excess))
