"""Empirical cross-entropy: what an attacker still lacks, in bits, over the prior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray, IntArray, ScoreCounts

LN2 = math.log(2.0)
_TABLE = 1 << 18  # numbers worked on at once: keeps the intermediate tables in the cache
_CHUNK = 1 << 14  # scores worked on at once, for the same reason
_FAR = 40.0  # beyond ±40 softplus is a straight line or an exponential to within 1e-17 of its value
_CELL = 0.5  # width of the cells that scores are gathered in
_NODES = 12  # Chebyshev nodes in a cell
_FEW = 2048  # fewer scores are summed one by one
_WIDEST = 300.0  # log-odds: far beyond any prior that means something; exp(2 · 300 + 40) does not overflow


@dataclass(frozen=True, eq=False)
class EceProfile:
    """ECE over the prior, all in bits and of shape (p,).

    `default_bits` is perfect privacy (the prior entropy), `min_bits` the attacker with oracle calibration,
    `actual_bits` one who takes the scores for LLRs.
    """

    prior_log_odds: FloatArray  # natural log-odds of the target prior, ascending
    default_bits: FloatArray
    min_bits: FloatArray
    actual_bits: FloatArray

    @property
    def nece_min(self) -> FloatArray:
        """The minimum ECE as a share of the prior entropy, shape (p,): 1 says nothing, 0 is perfect."""
        return np.asarray(self.min_bits / self.default_bits)

    @property
    def nece_actual(self) -> FloatArray:
        """The actual ECE as a share of the prior entropy, shape (p,); above 1 it misleads."""
        return np.asarray(self.actual_bits / self.default_bits)


def prior_entropy_bits(prior_log_odds: ArrayLike) -> FloatArray:
    """The entropy of the prior (ZEBRA paper, eq. 1), at natural log-odds of any shape: 0 … 1 bit."""
    log_odds = np.asarray(prior_log_odds, dtype=np.float64)
    prior = scipy.special.expit(log_odds)
    nats = prior * np.logaddexp(0.0, -log_odds) + scipy.special.expit(-log_odds) * np.logaddexp(0.0, log_odds)
    return np.asarray(nats / LN2)


def ece_bits(
    prior_log_odds: ArrayLike, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray
) -> FloatArray:
    """Empirical cross-entropy of LLRs (ZEBRA paper, eq. 4), at each of the priors; shape (p,).

    `llr` (natural log, shape (m,), any order) occurs in the share `target_share` of the target trials and
    `nontarget_share` of the nontarget trials; each sums to 1. An infinite LLR is allowed: where it is wrong
    the result is infinite. `prior_log_odds` are finite.

    O(m + p): many LLRs are gathered in cells, with a relative error below 1e-13 (see `_gathered`).
    """
    log_odds = np.atleast_1d(np.asarray(prior_log_odds, dtype=np.float64))
    target_cost = _mean_softplus(-llr, target_share, -log_odds)
    nontarget_cost = _mean_softplus(llr, nontarget_share, log_odds)
    prior, complement = scipy.special.expit(log_odds), scipy.special.expit(-log_odds)
    return np.asarray((prior * target_cost + complement * nontarget_cost) / LN2)


def ece_bits_of_each(
    prior_log_odds: FloatArray, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray
) -> FloatArray:
    """`ece_bits` of several sets of LLRs at once, term by term: arguments (w, m), at priors (p,); (w, p)."""
    target_cost = _summed(-llr, target_share, -prior_log_odds)
    nontarget_cost = _summed(llr, nontarget_share, prior_log_odds)
    prior, complement = scipy.special.expit(prior_log_odds), scipy.special.expit(-prior_log_odds)
    return np.asarray((prior * target_cost + complement * nontarget_cost) / LN2)


def softplus(x: ArrayLike) -> FloatArray:
    """ln(1 + exp(x)) without overflow, and with all its digits where it is tiny; any shape, ±inf allowed."""
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def _mean_softplus(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """Σ share · softplus(x + shift) for every shift; shape of `shifts`."""
    present = share > 0.0  # a class that is not there must not turn an infinite LLR into 0 · inf
    x, share = x[present], share[present]
    # Gathering must save more than it costs.
    if len(share) > _FEW and len(shifts) > _NODES and np.abs(shifts).max() < _WIDEST:
        return _gathered(x, share, shifts)
    return np.asarray(_summed(x[np.newaxis], share[np.newaxis], shifts)[0])


def _summed(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """The sum of `_mean_softplus` for each row of x and share, (w, m), term by term; (w, shifts)."""
    costs = (share > 0.0) & (x > -np.inf)  # what is right beyond doubt costs nothing
    x = np.where(costs, x, 0.0)
    share = np.where(costs, share, 0.0)
    is_near = np.abs(x).max(initial=0.0) + np.abs(shifts).max() < _WIDEST
    odds, shift_odds = (np.exp(x), np.exp(shifts)) if is_near else (x, shifts)
    total: FloatArray = np.zeros((len(x), len(shifts)))
    rows = max(1, _TABLE // (len(shifts) * max(1, x.shape[1])))
    columns = max(1, _TABLE // len(shifts))
    for row in range(0, len(x), rows):
        for column in range(0, x.shape[1], columns):
            part = slice(row, row + rows), slice(column, column + columns)
            values = odds[part][:, :, np.newaxis]
            # Where nothing overflows, one logarithm for each pair will do.
            values = np.log1p(shift_odds * values) if is_near else softplus(values + shift_odds)
            total[part[0]] += _weighted_rows(values, share[part])
    return total


def _weighted_rows(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Σ weight · value over the axis in the middle, (w, m, p): one after the other, whatever w is."""
    if values.shape[2] > 1:
        return np.asarray(np.einsum("wmp,wm->wp", values, weight))
    row = np.repeat(np.arange(len(values)), values.shape[1])
    return np.asarray(np.bincount(row, (values[:, :, 0] * weight).ravel(), len(values))[:, np.newaxis])


def _gathered(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """The sum of `_mean_softplus` in O(m + p): far scores in closed form, near ones at Chebyshev nodes.

    In a cell of half-width h = ¼ softplus is replaced by its interpolation at n = 12 Chebyshev nodes. Its
    singularities lie at ±iπ, so it is analytic in the Bernstein ellipse with ρ = 20 (half-axes 2.5), where
    it exceeds its value at the centre at most by a factor of about exp(2.5). The relative error of each term
    is then below 4 · exp(2.5) · ρ^(1 − n) / (ρ − 1) ≈ 1.3e-14. All shares are positive: nothing cancels.
    """
    widest = float(np.abs(shifts).max())
    reach = widest + _FAR
    high, low = x > reach, x < -reach
    total = shifts * share[high].sum() + _weighted(x[high], share[high])
    # exp(x + shift) in two factors, neither of which overflows.
    total += np.exp(shifts - widest) * _weighted(np.exp(x[low] + widest), share[low])
    near = ~(high | low)
    node, weight = _weighted_nodes(x[near], share[near], reach)
    # Near enough for exp(node) · exp(shift) not to overflow: one logarithm for each pair, and no exponential.
    odds, shift_odds = np.exp(node), np.exp(shifts)[:, np.newaxis]
    step = max(1, _TABLE // len(shifts))
    for start in range(0, len(odds), step):
        part = slice(start, start + step)
        total += _weighted(np.log1p(shift_odds * odds[part]), weight[part])
    return np.asarray(total)


def _weighted(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Σ weight · value over the last axis.

    Not `@`: BLAS would call its threads together for each of these small products, which costs more than the
    sums, and many times more where other threads are busy.
    """
    return np.asarray(np.einsum("...j,j->...", values, weight))


def _weighted_nodes(x: FloatArray, share: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights with Σ weight · f(node) ≈ Σ share · f(x), for |x| ≤ reach and smooth f."""
    n_cells = math.ceil(2.0 * reach / _CELL)
    moments = np.zeros((_NODES, n_cells))  # Σ share · T_j(u) of the scores of a cell, −1 ≤ u ≤ 1 across it
    for start in range(0, len(x), _CHUNK):
        part = slice(start, start + _CHUNK)
        place = (x[part] + reach) / _CELL
        cell = np.minimum(place.astype(np.intp), n_cells - 1)
        u = 2.0 * (place - cell) - 1.0
        # Scores come in order as a rule, so that a cell's are neighbours and few sums remain to be placed.
        start_of_run = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
        cell_of_run = cell[start_of_run]
        before, now = u * share[part], share[part]  # T_(−1) = T_1
        u *= 2.0
        for j in range(_NODES):
            moments[j] += np.bincount(cell_of_run, np.add.reduceat(now, start_of_run), n_cells)
            before, now = now, u * now - before
    angle = math.pi * (np.arange(_NODES) + 0.5) / _NODES
    to_nodes = 2.0 / _NODES * np.cos(np.outer(angle, np.arange(_NODES)))  # discrete orthogonality of the T_j
    to_nodes[:, 0] /= 2.0
    occupied = np.flatnonzero(moments[0])
    centre = (occupied + 0.5) * _CELL - reach
    node = centre + np.cos(angle)[:, np.newaxis] * (_CELL / 2.0)
    return node.ravel(), np.einsum("nj,jc->nc", to_nodes, moments[:, occupied]).ravel()


# Oracle calibration: the best non-decreasing map from score to LLR on these very trials (PAV).


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
