"""Accumulation: what an adversary learns who has several utterances of one unknown speaker.

The open question of csl2022, section 8: protection of single utterances may not add up over sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import LN10, d_ece_bits, worst_case_ceiling_log10_lr
from zebra_core.runtime.progress import Progress, no_progress

FEWEST_TARGETS = 30
"""Below so many target pools a point would be noise; the curve stops."""


class Pooling(Enum):
    """How an adversary makes one score of several."""

    MEAN_SCORE = "mean-score"  # mean of raw scores, oracle-calibrated anew for each number of utterances
    SUM_OF_LLRS = (
        "sum-of-llrs"  # oracle LLRs of the utterances, added as if independent; not calibrated again
    )


@dataclass(frozen=True)
class PoolPoint:
    """What is disclosed when `n_utterances` are pooled against one enrolment."""

    n_utterances: int
    n_target: int  # pools against an enrolment of the same speaker
    n_nontarget: int
    d_ece_bits: float  # below 0 is possible for SUM_OF_LLRS, where evidence is counted twice
    worst_case_log10_lr: float
    ceiling_log10_lr: float  # what so many pools can show after calibration
    n_segments_unused: int  # test segments of known speakers that did not fill a pool


@dataclass(frozen=True, eq=False)
class Accumulation:
    """The curve over n = 1, 2, 4, 8 … utterances, and where and why it stops."""

    points: tuple[PoolPoint, ...]
    pooling: Pooling
    seed: int
    stopped_at: int  # the first number of utterances with fewer than 30 target pools
    n_target_there: int


def accumulate(
    trials: SpeakerTrials,
    pooling: Pooling = Pooling.MEAN_SCORE,
    *,
    seed: int = 0,
    on_progress: Progress = no_progress,
) -> Accumulation:
    """Pool the test segments of each speaker and judge the pools like single trials.

    The segments of every speaker are put in a random order once (by `seed`) and cut into pools of n, so
    that pools are disjoint and a pool of 2n consists of two pools of n; what is left over is not used. A
    pool counts against an enrolment where all its segments were compared with it. Test segments whose
    speaker is not known are left out. The curve has no point at all with fewer than 30 target trials.
    """
    known = trials.heard != NOBODY_KNOWN
    alone = trials.score
    both = trials.both_orders()
    value = both.score
    if pooling is Pooling.SUM_OF_LLRS:
        oracle = Oracle.of(trials.score, trials.is_target)
        alone, value = oracle.llr(alone), oracle.llr(value)
    place = _places(both, seed)

    # A single segment against another is one trial, whichever of the two is called the enrolment.
    pools = _Pools(1, alone[known], trials.is_target[known], 0)
    points: list[PoolPoint] = []
    while pools.n_target >= FEWEST_TARGETS and pools.n_nontarget:
        points.append(_point(pools, pooling))
        on_progress(1.0 - 1.0 / (2.0 * pools.size))
        pools = _pooled(both, value, place, 2 * pools.size)
    on_progress(1.0)
    return Accumulation(tuple(points), pooling, seed, pools.size, pools.n_target)


@dataclass(frozen=True, eq=False)
class _Pools:
    """Pools of `size` segments against enrolments: Σ of their values, shape (pools,)."""

    size: int
    total: FloatArray
    is_target: BoolArray
    n_unused: int

    @property
    def n_target(self) -> int:
        return int(np.count_nonzero(self.is_target))

    @property
    def n_nontarget(self) -> int:
        return len(self.is_target) - self.n_target


def _places(trials: SpeakerTrials, seed: int) -> IntArray:
    """The place of each test segment (by code) in the random order of its speaker's segments, from 0.

    It does not depend on the order in which the trials are listed.
    """
    n_segments = len(trials.test.names)
    lot = np.empty(n_segments, dtype=np.int64)
    by_name = sorted(range(n_segments), key=trials.test.names.__getitem__)
    lot[by_name] = np.random.default_rng(seed).permutation(n_segments)
    order = np.lexsort((lot, trials.speaker_of_test))
    speaker = trials.speaker_of_test[order]
    place = np.empty(n_segments, dtype=np.int64)
    place[order] = np.arange(n_segments) - np.searchsorted(speaker, speaker)
    return place


def _pooled(trials: SpeakerTrials, value: FloatArray, place: IntArray, size: int) -> _Pools:
    """Cut the segments of each speaker into pools and sum up each pool against each enrolment."""
    speaker = trials.speaker_of_test
    occurring = np.bincount(speaker[speaker != NOBODY_KNOWN], minlength=len(trials.speakers))
    complete = occurring // size
    in_pool = (speaker != NOBODY_KNOWN) & (place // size < complete[speaker])
    first_pool = np.cumsum(complete) - complete
    pool = np.where(in_pool, first_pool[speaker] + place // size, -1)

    used = in_pool[trials.test.codes]
    n_enrol, n_pools = len(trials.enrol.names), int(complete.sum())
    cell = pool[trials.test.codes[used]] * n_enrol + trials.enrol.codes[used]
    count = np.bincount(cell, minlength=n_pools * n_enrol)
    total = np.bincount(cell, value[used], n_pools * n_enrol).astype(np.float64)
    full = np.flatnonzero(count == size)
    speaker_of_pool = np.repeat(np.arange(len(trials.speakers)), complete)
    is_target = speaker_of_pool[full // n_enrol] == trials.speaker_of_enrol[full % n_enrol]
    n_unused = int(np.count_nonzero((speaker != NOBODY_KNOWN) & ~in_pool))
    return _Pools(size, total[full], is_target, n_unused)


def _point(pools: _Pools, pooling: Pooling) -> PoolPoint:
    if pooling is Pooling.MEAN_SCORE:
        oracle = Oracle.of(pools.total / pools.size, pools.is_target)
        d_ece, worst = oracle.d_ece_bits, oracle.worst_case_log10_lr
    else:
        counts = ScoreCounts.of(pools.total, pools.is_target)
        d_ece = d_ece_bits(counts.score, counts.target_share, counts.nontarget_share)
        worst = float(np.abs(pools.total).max() / LN10)
    ceiling = worst_case_ceiling_log10_lr(pools.n_target, pools.n_nontarget)
    return PoolPoint(pools.size, pools.n_target, pools.n_nontarget, d_ece, worst, ceiling, pools.n_unused)
