"""Oracle calibration: the best non-decreasing map from score to LLR on these very trials (PAV)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray

_EXACTLY_TOGETHER = 100_000  # trials of a weighting: means of more may lie too close to be told apart
_AT_ONCE = 32  # weightings pooled together


@dataclass(frozen=True, eq=False)
class PavBlocks:
    """What pool-adjacent-violators makes of distinct scores: runs of them that share one LLR.

    Shapes are (b,) except `first`, (b + 1,): block k holds the distinct scores first[k] … first[k + 1] − 1.
    Counts are those of the real trials, also under Laplace's rule. `llr` is the natural-log likelihood
    ratio, strictly ascending, relative to the prior odds of the real counts; it may end in −inf and +inf
    unless Laplace's rule was used. Of several weightings of the same scores all have a row, (w, b): rows with
    fewer blocks end in empty ones, without trials and with the LLR of the last that has some.
    """

    first: IntArray
    n_target: IntArray
    n_nontarget: IntArray
    llr: FloatArray

    @property
    def target_share(self) -> FloatArray:
        """The share of all target trials in each block, shape (…, b)."""
        return np.asarray(self.n_target / self.n_target.sum(axis=-1, keepdims=True))

    @property
    def nontarget_share(self) -> FloatArray:
        """The share of all nontarget trials in each block, shape (…, b)."""
        return np.asarray(self.n_nontarget / self.n_nontarget.sum(axis=-1, keepdims=True))

    @property
    def llr_by_score(self) -> FloatArray:
        """The LLR of every distinct score, shape (…, m), ascending."""
        return self.by_score(self.llr)

    def by_score(self, values: FloatArray) -> FloatArray:
        """The values of the blocks, shape (…, b), for every distinct score, (…, m)."""
        by_score = np.repeat(values.ravel(), np.diff(self.first).ravel())
        return by_score.reshape(*values.shape[:-1], -1)

    @classmethod
    def of_rows(
        cls, row: IntArray, first: IntArray, counts: tuple[IntArray, IntArray], llr: FloatArray, m: int
    ) -> PavBlocks:
        """Blocks of weightings one after the other, all of shape (blocks,): of weighting `row`, of m scores.

        Every weighting, from 0 without gaps, has a block at least.
        """
        n_blocks = np.bincount(row)
        place = np.arange(int(n_blocks.max()))
        begin = (np.cumsum(n_blocks) - n_blocks)[:, np.newaxis]
        is_there = place < n_blocks[:, np.newaxis]
        at = begin + np.minimum(place, n_blocks[:, np.newaxis] - 1)
        firsts = np.full((len(n_blocks), len(place) + 1), m, dtype=np.int64)
        firsts[:, :-1][is_there] = first
        n_target, n_nontarget = (np.where(is_there, of[at], 0) for of in counts)
        return cls(firsts, n_target, n_nontarget, llr[at])

    @property
    def of_the_only_row(self) -> PavBlocks:
        """The blocks of one weighting, without the axis of weightings."""
        return PavBlocks(self.first[0], self.n_target[0], self.n_nontarget[0], self.llr[0])


def pav(counts: ScoreCounts) -> PavBlocks:
    """Plain PAV: isotonic regression of the class on the score, with equal scores pooled beforehand.

    O(m). Where a block holds only one class its LLR is infinite. Ref: Brümmer and du Preez 2009, "The PAV
    algorithm optimizes binary proper scoring rules"; the ZEBRA paper, section 2.
    """
    n_target, n_nontarget, first = _pool(counts.n_target, counts.n_nontarget)
    llr = _llr(n_target, n_nontarget, counts.total_target, counts.total_nontarget)
    return PavBlocks(first, n_target, n_nontarget, llr)


def pav_of_each(n_target: IntArray, n_nontarget: IntArray) -> PavBlocks:
    """`pav` of several weightings of the same m ascending scores at once, counts (w, m); O(w · m).

    Each weighting must have trials of both classes; it need not have any at every score: one without trials
    is in the block before it, or in the first. To be told apart for certain, weightings of very many trials
    are pooled one by one.
    """
    w, m = n_target.shape
    totals = n_target.sum(axis=1), n_nontarget.sum(axis=1)
    at_once = _AT_ONCE if int((totals[0] + totals[1]).max()) <= _EXACTLY_TOGETHER else 1
    parts = [slice(start, start + at_once) for start in range(0, w, at_once)]
    pooled = [_pool_each(n_target[part], n_nontarget[part]) for part in parts]
    row = np.concatenate([of[0] + part.start for of, part in zip(pooled, parts, strict=True)])
    first, targets, nontargets = (np.concatenate([of[k] for of in pooled]) for k in (1, 2, 3))
    llr = _llr(targets, nontargets, totals[0][row], totals[1][row])
    return PavBlocks.of_rows(row, first, (targets, nontargets), llr, m)


def laplace(plain: PavBlocks) -> PavBlocks:
    """PAV under Laplace's rule of succession, made from the plain blocks: all LLRs are finite.

    One target and one nontarget are added beyond each end of the scores; the prior odds that turn posterior
    odds into LRs remain those of the real counts. Pooling goes on from the plain blocks, for violators
    may be pooled in any order: each end takes in those plain blocks that stand not above, or not below, it.
    Of several weightings each has its own. Ref: the ZEBRA paper, footnote 6.
    """
    if plain.llr.ndim == 1:
        first, targets, nontargets = (
            of[np.newaxis] for of in (plain.first, plain.n_target, plain.n_nontarget)
        )
        return laplace(PavBlocks(first, targets, nontargets, plain.llr[np.newaxis])).of_the_only_row
    targets, nontargets = plain.n_target, plain.n_nontarget
    is_there = targets + nontargets > 0
    size = np.count_nonzero(is_there, axis=1)
    low = _pooled(targets, nontargets)
    high = _pooled(nontargets[:, ::-1], targets[:, ::-1]) - (targets.shape[1] - size)  # the empty are last
    both = low + high > size  # both take in the only block: what is added, it has once
    low, high = np.where(both, size, low), np.where(both, 0, high)
    end = (size - high)[:, np.newaxis]
    place = np.arange(targets.shape[1])
    begins = is_there & ((place == 0) | ((place >= low[:, np.newaxis]) & (place <= end)))
    is_added = ((place == 0) & (low[:, np.newaxis] > 0)) | (place == end)
    row = np.nonzero(begins)[0]
    start = np.flatnonzero(begins[is_there])
    n_target, n_nontarget = (np.add.reduceat(of[is_there], start) for of in (targets, nontargets))
    added = is_added[begins].astype(np.int64)  # what is added where it pools nothing is left out again
    totals = (of.sum(axis=1)[row] for of in (targets, nontargets))
    llr = _llr(n_target + added, n_nontarget + added, *totals)
    first = plain.first[:, :-1][begins]
    return PavBlocks.of_rows(row, first, (n_target, n_nontarget), llr, int(plain.first[0, -1]))


def _pooled(n_target: IntArray, n_nontarget: IntArray) -> IntArray:
    """How many blocks of each row, (w, b), are pooled from the first on with a trial of each class below.

    Plain blocks ascend: once one stands above the pool, so do all that follow.
    """
    targets = 1 + np.cumsum(n_target, axis=1) - n_target
    nontargets = 1 + np.cumsum(n_nontarget, axis=1) - n_nontarget
    stands_above = targets * n_nontarget < n_target * nontargets
    size = n_target.shape[1]
    return np.asarray(np.where(stands_above.any(axis=1), stands_above.argmax(axis=1), size))


def _pool(n_target: IntArray, n_nontarget: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Pool adjacent violators: counts of the blocks, and where each begins (with the end as last entry)."""
    n_trials = n_target + n_nontarget
    first = _isotonic(n_target / n_trials, n_trials)
    first, targets, nontargets = _in_order(first, n_target, n_nontarget)
    return targets, nontargets, first


def _pool_each(n_target: IntArray, n_nontarget: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """The blocks of all rows one after the other: row, first score, counts of either class.

    One regression serves all rows: those after the first are lifted above the ones before, so that nothing
    is pooled across them. The means of at most `_EXACTLY_TOGETHER` trials lie further apart than lifting
    rounds them.
    """
    m = n_target.shape[1]
    n_trials = n_target + n_nontarget
    there = np.flatnonzero(n_trials)
    row = there // m
    targets, nontargets, trials = (of.ravel()[there] for of in (n_target, n_nontarget, n_trials))
    is_last = np.append(row[1:] != row[:-1], False)
    first, targets, nontargets = _in_order(
        _isotonic(targets / trials + 2.0 * row, trials), targets, nontargets, np.flatnonzero(is_last) + 1
    )
    row = row[first[:-1]]
    score = there[first[:-1]] - row * m
    score[np.flatnonzero(np.append(True, row[1:] != row[:-1]))] = 0
    return row, score, targets, nontargets


def _isotonic(share: FloatArray, weight: IntArray) -> IntArray:
    """Where the blocks of the isotonic regression begin, with the end as last entry."""
    return np.asarray(scipy.optimize.isotonic_regression(share, weights=weight).blocks.astype(np.int64))


def _in_order(
    first: IntArray, n_target: IntArray, n_nontarget: IntArray, borders: IntArray | None = None
) -> tuple[IntArray, IntArray, IntArray]:
    """Where blocks begin, and their counts, after neighbours are joined that are not really in order.

    Means of counts are rounded; whole numbers decide. Nothing is joined across `borders`.
    """
    while True:
        targets = np.add.reduceat(n_target, first[:-1])
        nontargets = np.add.reduceat(n_nontarget, first[:-1])
        violates = targets[:-1] * nontargets[1:] >= targets[1:] * nontargets[:-1]
        if borders is not None:
            violates[np.searchsorted(first, borders) - 1] = False
        if not violates.any():
            return first, targets, nontargets
        first = first[np.concatenate([[True], ~violates, [True]])]


def _llr(
    n_target: IntArray, n_nontarget: IntArray, total_target: int | IntArray, total_nontarget: int | IntArray
) -> FloatArray:
    """The natural log of the ratio of both classes' shares: exact near 0, infinite where one is empty."""
    for_target = n_target * np.float64(total_nontarget)
    for_nontarget = n_nontarget * np.float64(total_target)
    excess = for_target - for_nontarget
    # log1p of the excess over the smaller side cancels nowhere and is exactly 0 where both are equal.
    smaller = np.minimum(for_target, for_nontarget)
    with np.errstate(divide="ignore"):
        return np.asarray(np.copysign(np.log1p(np.abs(excess) / smaller), excess))
