"""Accumulation: what an attacker learns who has several utterances of one unknown speaker.

The open question of csl2022, section 8: protection of single utterances may not add up over sessions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.chance.partitioning import some_of
from zebra_core.metrics.chance.permutation import band, exchanged
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.ece import laplace, pav
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, worst_case_ceiling_log10_lr
from zebra_core.runtime.progress import Progress, no_progress

FEWEST_POOLS = 30
"""Below so many pools of either class a point would be noise; the curve stops."""

FEWEST_SPEAKERS = 5
"""The fewest speakers: exchanges of fewer are too few to tell chance by."""

_SAME_NUMBER = 0.1  # how far the number of target pools may change on average when speakers are exchanged

ORDERS = 4
REPLICATES = 99


class Pooling(Enum):
    """How an attacker makes one score of several; oracle-calibrated anew for each number of utterances.

    `MEAN_SCORE` is the mean of raw scores, `SUM_OF_LLRS` adds the oracle LLRs of the utterances as if they
    were independent.
    """

    MEAN_SCORE = "mean-score"
    SUM_OF_LLRS = "sum-of-llrs"


@dataclass(frozen=True)
class PoolPoint:
    """What is disclosed when `n_utterances` are pooled against one enrolment: means over the random orders.

    `d_ece_corrected_bits` is D_ECE without what as many pools show by chance alone, on average D₀:
    (D − D₀)/(1 − D₀/full). It is 0 on average where nothing is disclosed, and full where all is. Between the
    ends of `by_chance_bits`, corrected alike, 95 % of exchanges of whole speakers lie; one in forty has a
    worst case above `worst_by_chance_log10_lr`. All three are NaN where speakers cannot be
    exchanged, being too few, or not compared with everybody.
    """

    n_utterances: int
    n_target: int  # pools against an enrolment of the same speaker, as many at every point
    n_nontarget: int
    d_ece_bits: float
    d_ece_corrected_bits: float
    by_chance_bits: tuple[float, float]
    worst_case_log10_lr: float
    worst_by_chance_log10_lr: float
    ceiling_log10_lr: float  # what so many pools can show
    n_segments_unused: int  # test segments of known speakers that are in no pool, in each order

    @property
    def shown_bits(self) -> float:
        """D_ECE as it is shown: without what chance alone shows where that is known."""
        return self.d_ece_bits if math.isnan(self.d_ece_corrected_bits) else self.d_ece_corrected_bits


@dataclass(frozen=True, eq=False)
class Accumulation:
    """The curve over n = 1, 2, 4, 8 … utterances, and where and why it stops.

    Attributes
    ----------
    `points`
        What is disclosed at each n.
    `seed`
        Gives the orders in which utterances were pooled.
    `stopped_at`
        The first n with fewer than 30 pools of a class.
    `n_pools_there`
        How many pools of that class there are at that n.
    `n_speakers`
        How many speakers' utterances were pooled.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SpeakerTrials, Trials, accumulate
    >>> enrol, test = np.divmod(np.arange(8 * 64), 64)  # 8 speakers with 8 segments each
    >>> is_target = enrol == test // 8
    >>> score = np.random.default_rng(0).normal(size=512) + is_target
    >>> segments = [f"{n // 8}-{n}" for n in range(64)]
    >>> trials = Trials.from_arrays(
    ...     score=score, is_target=is_target, enrol=enrol, test=segments * 8
    ... )
    >>> curve = accumulate(SpeakerTrials.of_trials(trials), replicates=19)
    >>> [point.n_utterances for point in curve.points], curve.n_speakers
    ([1, 2], 8)
    >>> curve.stopped_at, curve.n_pools_there  # 8 speakers have 2 pools of 4 each
    (4, 16)
    """

    points: tuple[PoolPoint, ...]
    seed: int
    stopped_at: int
    n_pools_there: int
    n_speakers: int = 0

    @property
    def has_chance(self) -> bool:
        """Whether it is known what chance alone shows."""
        return bool(self.points) and not math.isnan(self.points[0].d_ece_corrected_bits)


def accumulate(
    trials: SpeakerTrials,
    pooling: Pooling = Pooling.MEAN_SCORE,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
    on_progress: Progress = no_progress,
) -> Accumulation:
    """Pool the test segments of each speaker, and judge the pools like single trials.

    The segments of every speaker are put in a random order and cut into pools of n, so that pools are
    disjoint and a pool of 2n consists of two pools of n. Fewer pools look more disclosing by chance, so every
    point has as many pools of each speaker as the largest number of utterances leaves; figures are means over
    ORDERS such orders. A pool counts against an enrolment where all its segments were compared with it. Test
    segments whose speaker is not known are left out. O(orders · points · replicates · pools log pools).

    Parameters
    ----------
    `trials`
        They say who speaks (`SpeakerTrials.of_trials`).
    `pooling`
        How one score is made of several.
    `seed`
        Gives the orders.
    `replicates`
        How many exchanges of speakers show what chance does.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    Accumulation
        The curve, which has no point at all with fewer than 30 trials of a class.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SpeakerTrials, Trials, accumulate
    >>> enrol, test = np.divmod(np.arange(8 * 64), 64)  # 8 speakers with 8 segments each
    >>> is_target = enrol == test // 8
    >>> score = np.random.default_rng(0).normal(size=512) + is_target
    >>> segments = [f"{n // 8}-{n}" for n in range(64)]
    >>> trials = Trials.from_arrays(
    ...     score=score, is_target=is_target, enrol=enrol, test=segments * 8
    ... )
    >>> curve = accumulate(SpeakerTrials.of_trials(trials), replicates=19)
    >>> [(point.n_utterances, round(point.d_ece_corrected_bits, 2)) for point in curve.points]
    [(1, 0.17), (2, 0.3)]
    """
    both = trials.both_orders()
    sizes, stopped_at, there = _sizes(both, _places(both, generator(seed, Purpose.POOLS)))
    if not sizes:
        on_progress(1.0)
        return Accumulation((), seed, stopped_at, there)
    by_order = [_in_one_order(both, sizes, seed, order) for order in range(ORDERS)]
    members = np.unique(np.concatenate([first.speaker[first.is_target] for first, *_ in by_order]))
    values = _Values.of(both, pooling, by_order)
    observed = _figures(by_order, values, np.arange(len(both.speakers)))
    dealt = []
    exchanges = _exchanges(members, len(both.speakers), replicates, seed)
    if not _keeps_targets(by_order[0], exchanges):
        exchanges = exchanges[:0]
    for number, taken_for in enumerate(exchanges):
        on_progress(number / replicates)
        dealt.append(_figures(by_order, values, taken_for))
    on_progress(1.0)
    by_chance = np.array(dealt).reshape(len(dealt), len(sizes), 2)
    points = [_point(pools, observed[k], by_chance[:, k]) for k, pools in enumerate(by_order[0])]
    return Accumulation(tuple(points), seed, stopped_at, there, len(members))


@dataclass(frozen=True, eq=False)
class _Pools:
    """Pools of `size` segments against enrolments: trials (pools, size), and whose they are, (pools,)."""

    size: int
    trials: IntArray
    speaker: IntArray
    enrolled: IntArray
    n_unused: int

    @property
    def is_target(self) -> BoolArray:
        """Which pools are against an enrolment of the same speaker."""
        return np.asarray(self.speaker == self.enrolled)

    @property
    def n_target(self) -> int:
        """How many pools are against an enrolment of the same speaker."""
        return int(np.count_nonzero(self.is_target))

    @property
    def n_nontarget(self) -> int:
        """How many pools are against an enrolment of somebody else."""
        return len(self.speaker) - self.n_target

    def kept(self, places: IntArray) -> _Pools:
        """The pools at these places."""
        return replace(
            self, trials=self.trials[places], speaker=self.speaker[places], enrolled=self.enrolled[places]
        )


@dataclass(frozen=True, eq=False)
class _Values:
    """What is added up for each trial: its score, or the LLR that all trials teach."""

    trials: SpeakerTrials
    place: IntArray  # of each trial among the distinct scores; empty where scores are added
    by_order: Sequence[Sequence[_Pools]]
    fixed: Sequence[Sequence[FloatArray]] | None  # means of pools, where they are the same whoever is who

    @classmethod
    def of(cls, trials: SpeakerTrials, pooling: Pooling, by_order: Sequence[Sequence[_Pools]]) -> _Values:
        """What `pooling` adds up."""
        if pooling is Pooling.MEAN_SCORE:
            return cls(trials, np.empty(0, dtype=np.int64), by_order, _means(trials.score, by_order))
        place = np.unique(trials.score, return_inverse=True)[1].astype(np.int64)
        return cls(trials, place, by_order, None)

    def where(self, taken_for: IntArray) -> Sequence[Sequence[FloatArray]]:
        """The mean of every pool, by order and size, where each enrolled speaker is taken for another one."""
        return self.fixed or _means(self._llrs(taken_for), self.by_order)

    def _llrs(self, taken_for: IntArray) -> FloatArray:
        """What all trials teach then, shape (n,)."""
        is_target = taken_for[self.trials.enrolled] == self.trials.heard
        n = int(self.place.max()) + 1
        target = np.bincount(self.place[is_target], minlength=n)
        if not target.any() or is_target.all():
            return np.zeros(len(self.place))
        counts = ScoreCounts(np.arange(n, dtype=np.float64), target, np.bincount(self.place) - target)
        return np.asarray(laplace(pav(counts)).llr_by_score[self.place])


def _sizes(trials: SpeakerTrials, place: IntArray) -> tuple[list[int], int, int]:
    """Numbers of utterances that leave 30 pools of each class; the first that does not, what it leaves."""
    sizes: list[int] = []
    size = 1
    while True:
        pools = _pooled(trials, place, size, size)
        fewer = min(pools.n_target, pools.n_nontarget)
        if fewer < FEWEST_POOLS:
            return sizes, size, fewer
        sizes.append(size)
        size *= 2


def _in_one_order(trials: SpeakerTrials, sizes: Sequence[int], seed: int, order: int) -> list[_Pools]:
    """Pools of all sizes, as many of either class at each; in sparse lists some are left out by lot."""
    rng = generator(seed, Purpose.POOLS, order) if order else generator(seed, Purpose.POOLS)
    place = _places(trials, rng)
    found = [_pooled(trials, place, size, sizes[-1]) for size in sizes]
    n_target = min(pools.n_target for pools in found)
    n_nontarget = min(pools.n_nontarget for pools in found)
    alike = []
    for pools in found:
        classes = ((pools.is_target, n_target), (~pools.is_target, n_nontarget))
        kept = [some_of(np.flatnonzero(of), most, rng) for of, most in classes]
        alike.append(pools.kept(np.sort(np.concatenate(kept))))
    return alike


def _places(trials: SpeakerTrials, rng: np.random.Generator) -> IntArray:
    """The place of each test segment (by code) in the random order of its speaker's segments, from 0.

    It does not depend on the order in which the trials are listed.
    """
    n_segments = len(trials.test.names)
    lot = np.zeros(n_segments, dtype=np.int64)
    known = np.flatnonzero(trials.speaker_of_test != NOBODY_KNOWN).tolist()
    names, speaker_of = trials.test.names, trials.speaker_of_test.tolist()
    lot[sorted(known, key=lambda code: (speaker_of[code], names[code]))] = exchanged(len(known), rng)
    order = np.lexsort((lot, trials.speaker_of_test))
    speaker = trials.speaker_of_test[order]
    place = np.empty(n_segments, dtype=np.int64)
    place[order] = np.arange(n_segments) - np.searchsorted(speaker, speaker)
    return place


def _pooled(trials: SpeakerTrials, place: IntArray, size: int, largest: int) -> _Pools:
    """Cut the segments of each speaker into as many pools as `largest` leaves, against every enrolment."""
    speaker = trials.speaker_of_test
    occurring = np.bincount(speaker[speaker != NOBODY_KNOWN], minlength=len(trials.speakers))
    complete = occurring // largest
    in_pool = (speaker != NOBODY_KNOWN) & (place // size < complete[speaker])
    first_pool = np.cumsum(complete) - complete
    pool = np.where(in_pool, first_pool[speaker] + place // size, -1)

    used = np.flatnonzero(in_pool[trials.test.codes])
    n_enrol, n_pools = len(trials.enrol.names), int(complete.sum())
    cell = pool[trials.test.codes[used]] * n_enrol + trials.enrol.codes[used]
    is_full = np.bincount(cell, minlength=n_pools * n_enrol) == size
    used, cell = used[is_full[cell]], cell[is_full[cell]]
    full = np.flatnonzero(is_full)
    of_pool = np.repeat(np.arange(len(trials.speakers)), complete)[full // n_enrol]
    enrolled = trials.speaker_of_enrol[full % n_enrol].astype(np.int64)
    n_unused = int(np.count_nonzero((speaker != NOBODY_KNOWN) & ~in_pool))
    in_order = used[np.argsort(cell, kind="stable")].reshape(-1, size)
    return _Pools(size, in_order, of_pool, enrolled, n_unused)


def _exchanges(members: IntArray, n_speakers: int, replicates: int, seed: int) -> IntArray:
    """For whom each speaker is taken, shape (replicates, speakers): those with target pools change places."""
    if len(members) < FEWEST_SPEAKERS:
        return np.empty((0, n_speakers), dtype=np.int64)
    rng = generator(seed, Purpose.POOLS_BY_CHANCE)
    taken_for = np.tile(np.arange(n_speakers), (replicates, 1))
    for row in taken_for:
        row[members] = members[exchanged(len(members), rng)]
    return taken_for


def _keeps_targets(pools: Sequence[_Pools], exchanges: IntArray) -> bool:
    """Whether exchanges leave about as many target pools: in sparse lists they do not, and show too much."""
    n_target = [
        np.count_nonzero(taken_for[each.enrolled] == each.speaker) / each.n_target
        for taken_for in exchanges
        for each in pools
    ]
    return bool(n_target) and abs(float(np.mean(n_target)) - 1.0) <= _SAME_NUMBER


def _means(value: FloatArray, by_order: Sequence[Sequence[_Pools]]) -> list[list[FloatArray]]:
    return [[value[pools.trials].mean(axis=1) for pools in sizes] for sizes in by_order]


def _figures(by_order: Sequence[Sequence[_Pools]], values: _Values, taken_for: IntArray) -> FloatArray:
    """D_ECE in bits and worst case at every size, (sizes, 2): means over the orders.

    Nothing is disclosed where nobody is taken for somebody with pools.
    """
    means = values.where(taken_for)
    found = np.zeros((len(by_order), len(by_order[0]), 2))
    for order, sizes in enumerate(by_order):
        for number, pools in enumerate(sizes):
            is_target = taken_for[pools.enrolled] == pools.speaker
            if is_target.any() and not is_target.all():
                oracle = Oracle.of(means[order][number], is_target)
                found[order, number] = oracle.d_ece_bits, oracle.worst_case_log10_lr
    return np.asarray(found.mean(axis=0))


def _point(pools: _Pools, observed: FloatArray, by_chance: FloatArray) -> PoolPoint:
    """`observed` is (2,), `by_chance` (replicates, 2): D_ECE in bits and worst case."""
    raw, worst = map(float, observed)
    corrected = low = high = worst_by_chance = np.nan
    if len(by_chance):
        mean = float(by_chance[:, 0].mean())
        ends = band(by_chance)
        corrected, low, high = (
            (bits - mean) / (1.0 - mean / FULL_DISCLOSURE_BITS) for bits in (raw, ends[0][0], ends[1][0])
        )
        worst_by_chance = float(ends[1][1])
    return PoolPoint(
        pools.size,
        pools.n_target,
        pools.n_nontarget,
        raw,
        float(corrected),
        (float(low), float(high)),
        worst,
        worst_by_chance,
        worst_case_ceiling_log10_lr(pools.n_target, pools.n_nontarget),
        pools.n_unused,
    )
