"""Oracle calibration: the best non-decreasing map from score to LLR on these very trials (PAV)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

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
    """PAV under Laplace's rule of succession, made from the plain blocks: all LLRs are finite.

    One target and one nontarget are added beyond each end of the scores; the prior odds that turn posterior
    odds into LRs remain those of the real counts. Pooling goes on from the plain blocks, for violators
    may be pooled in any order: each end takes in those plain blocks that stand not above, or not below, it.
    Ref: the ZEBRA paper, footnote 6.
    """
    targets, nontargets = plain.n_target.tolist(), plain.n_nontarget.tolist()
    size = len(targets)
    low, high = _pooled(targets, nontargets), _pooled(nontargets[::-1], targets[::-1])
    ends = [0] * (low > 0) + [-1] * (high > 0)  # what is added where it pools nothing is left out again
    if low + high > size:  # both take in the only block: what is added, it has once
        low, high = size, 0
    end = size - high
    starts = [0] * (low > 0) + list(range(low, end)) + [end] * (high > 0)
    n_target, n_nontarget = (
        np.array([sum(of[:low])] * (low > 0) + of[low:end] + [sum(of[end:])] * (high > 0), np.int64)
        for of in (targets, nontargets)
    )
    added = np.zeros(len(starts), np.int64)
    added[ends] = 1
    return PavBlocks(
        first=plain.first[[*starts, size]],
        n_target=n_target,
        n_nontarget=n_nontarget,
        llr=_llr(n_target + added, n_nontarget + added, sum(targets), sum(nontargets)),
    )


def _pooled(n_target: list[int], n_nontarget: list[int]) -> int:
    """How many plain blocks, from the first, are pooled with a target and a nontarget trial below them.

    These blocks ascend: once one stands above the pool, so do all that follow.
    """
    targets = nontargets = 1
    for count, (of_target, of_nontarget) in enumerate(zip(n_target, n_nontarget, strict=True)):
        if targets * of_nontarget < of_target * nontargets:
            return count
        targets += of_target
        nontargets += of_nontarget
    return len(n_target)


def _pool(n_target: IntArray, n_nontarget: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Pool adjacent violators: counts of the blocks, and where each begins (with the end as last entry)."""
    n_trials = n_target + n_nontarget
    first = scipy.optimize.isotonic_regression(n_target / n_trials, weights=n_trials).blocks.astype(np.int64)
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
