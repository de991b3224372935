"""Similarity rank disclosure: what the rank of the true speaker among all templates gives away, in bits.

Ref: Bäckström, Vali, Nguyen and Rech 2025, "Privacy disclosure of similarity rank in speech and language
processing", arXiv 2508.05250.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray
from zebra_core.metrics.error_rates import log_choose
from zebra_core.speakers.candidates import PoolScores

_DUST = 1e-9  # of a count, from adding up
_STEPS = 60
_GRID = 97  # places along a limit, between which the likeliest is sought
_FLAT = 1e-9  # of a logarithm of a likelihood: what is likelier by less may be so by digits alone
_STEEPEST = 12.0  # |ln| of the two shapes: ranks that are all alike have no finite best ones
_STILL = 1e-9  # a step so small is the last: the next would be its square
_HOLLOW = (
    1e-6  # a curvature is flat, as far as digits tell, with less of a determinant than this of its diagonal
)


@dataclass(frozen=True, eq=False)
class RankDisclosure:
    """The distribution p(k) of the rank k = 1 … people, (people,), and what a rank discloses.

    Rank k discloses log2(people · p(k)) bits: how much more probable the true one is there than by chance.
    Between the ends of the other two lie 95 % of the sets without disclosure; None where nobody asked.
    """

    probability: FloatArray
    mean_undisclosed: tuple[float, float] | None = None
    worst_undisclosed: tuple[float, float] | None = None

    @property
    def people(self) -> int:
        """Among how many the rank is."""
        return len(self.probability)

    @property
    def bits(self) -> FloatArray:
        """What each rank discloses, (people,); −∞ where a rank never occurs."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log2(self.people * self.probability))

    @property
    def mean_bits(self) -> float:
        """Σ p(k)·log2(people·p(k)): 0 where every rank is as likely, log2(people) where one is certain."""
        seen = self.probability > 0.0
        return max(0.0, float(self.probability[seen] @ self.bits[seen]))

    @property
    def worst_bits(self) -> float:
        """The most that any rank discloses."""
        return float(self.bits.max())


def rank_disclosure(n_higher: ArrayLike, people: int, n_tied: ArrayLike | None = None) -> RankDisclosure:
    """The disclosure of the own person's rank among so many people, by recordings.

    `n_higher` (t,) others score higher, `n_tied` (t,) the same: each order of these is as likely, so that
    constant scores disclose nothing. Without `n_tied` each tie counts for the own person, as in the
    reference. By the likeliest beta-binomial distribution, however many recordings there are: a histogram,
    which the reference takes of many, has 0.07 bit of chance in it at ten recordings for each rank.
    """
    higher = np.asarray(n_higher, dtype=np.int64)
    tied = np.zeros_like(higher) if n_tied is None else np.asarray(n_tied, dtype=np.int64)
    return rank_disclosures(higher[np.newaxis], people, tied[np.newaxis])[0]


def rank_disclosures(n_higher: IntArray, people: int, n_tied: IntArray) -> list[RankDisclosure]:
    """`rank_disclosure` of several sets of as many recordings, (sets, t), at once."""
    counts = _counts_of_ranks(n_higher, n_tied, np.ones(n_higher.shape), people)
    return [RankDisclosure(each) for each in _fitted(counts)]


def weighted_rank_bits(pooled: PoolScores, times: IntArray) -> FloatArray:
    """The mean disclosure of ranks where each person is there so many times, `times` (R, n): (R,).

    Copies of one person are never candidates for each other: a rank among fewer others is that of the same
    share of all. NaN where nobody with a recording is left.
    """
    people, own, weights = len(pooled.score), pooled.own, times.astype(np.float64)
    others = np.maximum(times.sum(axis=1)[:, np.newaxis] - times[:, own], 1)
    share = (people - 1) / others
    higher = np.rint((weights @ pooled.higher) * share).astype(np.int64)
    tied = np.rint((weights @ pooled.tied) * share).astype(np.int64)
    tied = np.minimum(tied, people - 1 - higher)
    weight = times[:, own].astype(np.float64)
    found, is_there = np.full(len(times), np.nan), weight.sum(axis=1) > 0.0
    counts = _counts_of_ranks(higher[is_there], tied[is_there], weight[is_there], people)
    if is_there.any():
        found[is_there] = [RankDisclosure(each).mean_bits for each in _fitted(counts)]
    return found


def _counts_of_ranks(higher: IntArray, tied: IntArray, weight: FloatArray, people: int) -> FloatArray:
    """How much weight each rank has, (sets, people); recordings, (sets, t), that tie spread it evenly."""
    sets = np.broadcast_to(np.arange(len(higher))[:, np.newaxis], higher.shape)
    steps, each = np.zeros((len(higher), people + 1)), weight / (tied + 1)
    np.add.at(steps, (sets, higher), each)
    np.add.at(steps, (sets, higher + tied + 1), -each)
    count = np.cumsum(steps, axis=1)[:, :people]
    return np.where(count < _DUST, 0.0, count)


def _fitted(counts: FloatArray) -> FloatArray:
    """The likeliest beta-binomials for counts of 0 … n higher ones, (sets, n + 1)."""
    log_shapes, is_found = _likeliest(counts)
    for place in np.flatnonzero(~is_found).tolist():
        log_shapes[:, place] = _at_limits(counts[place], log_shapes[:, place])
    n = counts.shape[1] - 1
    p = np.exp(_log_beta_binomial(np.arange(n + 1), n, log_shapes[..., np.newaxis]))
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def _likeliest(counts: FloatArray) -> tuple[FloatArray, BoolArray]:
    """The likeliest shapes a and b of each set, as logarithms, (2, sets), and where found, (sets,).

    By Newton's steps for all sets together. The log-likelihood of a recording with k higher and n − k lower
    ones is Σ ln(a + j) over j < k, and Σ ln(b + j) over j < n − k, less Σ ln(a + b + j) over j < n: sums that
    keep the digits which differences of digamma functions lose for large shapes. Not found are those at the
    limits, and those where digits do not tell which are the likeliest: of two people only a : b is known.
    """
    above, below = np.cumsum(counts[:, :0:-1], axis=1)[:, ::-1], np.cumsum(counts[:, :-1], axis=1)[:, ::-1]
    times, total = np.ascontiguousarray([above, below]), counts.sum(axis=1)  # of each j
    j = np.arange(counts.shape[1] - 1)
    at, is_found = np.zeros((2, len(counts))), np.zeros(len(counts), dtype=np.bool_)
    for _ in range(_STEPS):
        shape = np.exp(at)
        each, both = 1.0 / (shape[..., np.newaxis] + j), 1.0 / (shape.sum(axis=0)[:, np.newaxis] + j)
        slope = shape * (total * both.sum(axis=1) - (times * each).sum(axis=2))
        second = total * (both**2).sum(axis=1)
        curve = shape**2 * ((times * each**2).sum(axis=2) - second) + slope
        mixed = -shape[0] * shape[1] * second
        is_hollow = (curve[0] > 0.0) & (curve[0] * curve[1] - mixed**2 > _HOLLOW * np.abs(curve.prod(axis=0)))
        spread = np.hypot((curve[0] - curve[1]) / 2.0, mixed)  # of the curvatures on both sides of their mean
        curve = curve + np.where(is_hollow, 0.0, 1.1 * spread - curve.mean(axis=0))
        step = (curve[::-1] * slope - mixed * slope[::-1]) / (curve.prod(axis=0) - mixed**2)
        length = np.abs(step).max(axis=0)
        step /= np.maximum(length, 1.0)
        at = np.where(is_found, at, np.clip(at - step, -_STEEPEST, _STEEPEST))
        is_found |= is_hollow & (length < _STILL) & (np.abs(at) < _STEEPEST).all(axis=0)
        if is_found.all():
            break
    return at, is_found


def _at_limits(count: FloatArray, inside: FloatArray) -> FloatArray:
    """The likeliest shapes, as logarithms, (2,), for counts (n + 1,) of one set: at a limit, or `inside`.

    Inside only where that is clearly likelier: where the likelihood is flat, a search ends wherever the
    digits of a machine leave it.
    """
    ends = [_at_limit(count, fixed, end) for end in (_STEEPEST, -_STEEPEST) for fixed in (0, 1)]
    own, *costs = (float(_cost(shapes, count)) for shapes in (inside, *ends))
    least = min(costs)
    same = _FLAT * max(1.0, abs(least))
    return (
        inside
        if own < least - same
        else next(shapes for shapes, cost in zip(ends, costs, strict=True) if cost <= least + same)
    )


def _at_limit(count: FloatArray, fixed: int, end: float) -> FloatArray:
    """The likeliest shapes, as logarithms, with one at a limit; with both, where digits tell no better."""

    def shapes(free: FloatArray | float) -> FloatArray:
        pair = np.full_like(free, end), np.asarray(free)
        return np.stack(pair[:: 1 if fixed == 0 else -1])

    def slope(free: float) -> float:
        return float(_slope(shapes(free), count)[1 - fixed])

    grid = np.linspace(-_STEEPEST, _STEEPEST, _GRID)
    place = int(np.argmin(_cost(shapes(grid), count)))
    last = shapes(grid[0 if grid[place] < 0.0 else -1])
    low, high = grid[max(place - 1, 0)], grid[min(place + 1, _GRID - 1)]
    if not slope(low) < 0.0 < slope(high):
        return last
    found = shapes(scipy.optimize.brentq(slope, low, high, xtol=1e-14))
    own, others = (float(_cost(each, count)) for each in (found, last))
    return found if own < others - _FLAT * max(1.0, abs(others)) else last


def _cost(log_shapes: FloatArray, count: FloatArray) -> FloatArray:
    """−ln likelihood of counts (n + 1,), but for what no shape changes; for log_shapes (2, …)."""
    shapes, j = np.exp(log_shapes)[..., np.newaxis], np.arange(len(count) - 1)
    above, below = np.cumsum(count[:0:-1])[::-1], np.cumsum(count[:-1])[::-1]
    both = count.sum() * np.log(shapes.sum(axis=0) + j).sum(axis=-1)
    return np.asarray(both - np.log(shapes[0] + j) @ above - np.log(shapes[1] + j) @ below)


def _slope(log_shapes: FloatArray, count: FloatArray) -> FloatArray:
    """How `_cost` rises with either of them, (2,)."""
    (a, b), j = np.exp(log_shapes), np.arange(len(count) - 1)
    above, below = np.cumsum(count[:0:-1])[::-1], np.cumsum(count[:-1])[::-1]
    both = count.sum() * (1.0 / (a + b + j)).sum()
    return np.array([a * (both - above @ (1.0 / (a + j))), b * (both - below @ (1.0 / (b + j)))])


def _log_beta_binomial(k: IntArray, n: int, log_shape: FloatArray) -> FloatArray:
    """The logarithm of P(k) of n with shapes exp(log_shape), (2,) or (2, sets, 1)."""
    a, b = np.exp(log_shape)
    return np.asarray(log_choose(n, k) + scipy.special.betaln(k + a, n - k + b) - scipy.special.betaln(a, b))


# Identification: at which rank the true speaker is found among all enrolled ones (CMC).


LARGEST_TABLE = 1 << 26


@dataclass(frozen=True, eq=False)
class Ranks:
    """For each test segment that was compared with every enrolled speaker: who came before the true one.

    Attributes
    ----------
    `speakers`
        The names of the speakers.
    `n_enrolled`
        Out of how many speakers ranks are.
    `tests`
        The names of the t test segments; empty where segments were only ranked, not named.
    `speaker`
        The true speaker of each, (t,), a code into `speakers`.
    `n_higher`, `n_tied`
        How many enrolled speakers have a higher score than the true one, and how many others the same; (t,).
    `n_left_out`
        How many test segments were not compared with all, or their speaker is not enrolled or not known.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, rank_true_speakers
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> ranks = rank_true_speakers(SpeakerTrials.of_trials(trials))
    >>> dict(zip(ranks.tests, ranks.expected_rank.tolist()))  # for ben-1 ann comes first
    {'ben-1': 2.0, 'cem-1': 1.0, 'ann-1': 1.0}
    >>> ranks.cmc().round(2), ranks.chance().round(2)
    (array([0.67, 1.  , 1.  ]), array([0.33, 0.67, 1.  ]))
    """

    speakers: tuple[str, ...]
    n_enrolled: int
    tests: tuple[str, ...]
    speaker: CodeArray
    n_higher: IntArray
    n_tied: IntArray
    n_left_out: int

    @property
    def expected_rank(self) -> FloatArray:
        """The rank of the true speaker, 1 … n_enrolled, the mean over all orders of those who tie."""
        return 1.0 + self.n_higher + self.n_tied / 2.0

    def hit_rate(self, k: int) -> float:
        """The share of test segments whose true speaker is among the first k; ties are drawn by lot."""
        return float(np.clip((k - self.n_higher) / (self.n_tied + 1.0), 0.0, 1.0).mean())

    def cmc(self) -> FloatArray:
        """The cumulative match characteristic: the hit rate in the first 1, 2 … n_enrolled; ends at 1."""
        return np.array([self.hit_rate(k) for k in range(1, self.n_enrolled + 1)])

    def chance(self) -> FloatArray:
        """The hit rates of guessing."""
        return np.arange(1, self.n_enrolled + 1) / self.n_enrolled

    def mean_ranks(self) -> dict[str, float]:
        """The mean rank of every speaker of whom a segment was ranked."""
        count = np.bincount(self.speaker, minlength=len(self.speakers))
        total = np.bincount(self.speaker, self.expected_rank, len(self.speakers))
        return {self.speakers[k]: float(total[k] / count[k]) for k in np.flatnonzero(count)}


def ranks_of_counts(counts: SpeakerCounts) -> Ranks | None:
    """Ranks from an engine; None where somebody is enrolled more than once, or no recording was ranked.

    It knows only the best score of each speaker.
    """
    if counts.ranked is None or not counts.ranked.is_single:
        return None
    every, ranked = counts.ranked, counts.ranked.complete
    if not len(ranked.speaker):
        return None
    speaker, left_out = ranked.speaker.astype(np.int32), every.n_tests - len(ranked.speaker)
    return Ranks(counts.speakers, ranked.n_enrolled, (), speaker, ranked.n_higher, ranked.n_tied, left_out)


def rank_true_speakers(trials: SpeakerTrials) -> Ranks | None:
    """Rank the enrolled speakers for each test segment by their score, the highest first.

    A speaker with several enrolled segments has the mean of their scores.

    Parameters
    ----------
    `trials`
        They say who speaks (`SpeakerTrials.of_trials`).

    Returns
    -------
    Ranks or None
        None where no test segment was compared with all enrolled speakers: a rank among some of them would
        mean nothing. None, too, where a table of all segments and enrolled speakers would have more than
        LARGEST_TABLE cells.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, rank_true_speakers
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> ranks = rank_true_speakers(SpeakerTrials.of_trials(trials))
    >>> [round(ranks.hit_rate(k), 2) for k in (1, 2, 3)]
    [0.67, 1.0, 1.0]
    """
    trials = trials.both_orders()
    enrolled = np.unique(trials.enrolled)
    column = np.full(len(trials.speakers), NOBODY_KNOWN)
    column[enrolled] = np.arange(len(enrolled))
    shape = len(trials.test.names), len(enrolled)
    if shape[0] * shape[1] > LARGEST_TABLE:
        return None
    cell = trials.test.codes.astype(np.intp) * len(enrolled) + column[trials.enrolled]
    count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(cell, trials.score, shape[0] * shape[1]).reshape(shape)

    own = np.where(trials.speaker_of_test == NOBODY_KNOWN, NOBODY_KNOWN, column[trials.speaker_of_test])
    ranked = np.flatnonzero((count > 0).all(axis=1) & (own != NOBODY_KNOWN))
    if not len(ranked):
        return None
    score = total[ranked] / count[ranked]
    true = score[np.arange(len(ranked)), own[ranked]][:, np.newaxis]
    return Ranks(
        trials.speakers,
        len(enrolled),
        tuple(trials.test.names[int(code)] for code in ranked),
        trials.speaker_of_test[ranked],
        np.count_nonzero(score > true, axis=1),
        np.count_nonzero(score == true, axis=1) - 1,
        len(np.unique(trials.test.codes)) - len(ranked),
    )
