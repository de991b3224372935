"""Distinct scores with their counts: the one sort that every figure of an assessment shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from zebra_core.evidence.audit import Audit
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, Trials


def digest_of(*arrays: np.ndarray) -> str:
    """32 hexadecimal digits, equal for arrays of equal kinds, shapes and values in this order alone.

    Values are told apart bit by bit, so that 0.0 and −0.0 differ, and equal NaNs do not.
    """
    found = blake2b(digest_size=16)
    for array in arrays:
        found.update(f"{array.dtype.str}{array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """How many target and nontarget trials got each distinct score.

    All three have shape (m,); `score` ascends strictly, so tied trials share one place. Nothing that is
    computed from counts can depend on the order of the trials or on how a sort treats ties.
    """

    score: FloatArray
    n_target: IntArray
    n_nontarget: IntArray

    @cached_property
    def digest(self) -> str:
        """What tells these counts from all others; computed once, 1 ms for each MB."""
        return digest_of(self.score, self.n_target, self.n_nontarget)

    def digested(self) -> ScoreCounts:
        """Itself, with the digest computed: whoever compares it later need not wait."""
        _ = self.digest
        return self

    @classmethod
    def of(cls, score: FloatArray, is_target: BoolArray) -> ScoreCounts:
        """Count finite scores of shape (n,), n > 0, in any order; O(n log n)."""
        # All scores are sorted, then those of the targets alone: values are sorted much faster than places.
        distinct, n_trials = _runs(np.sort(score))
        of_targets, n_of_targets = _runs(np.sort(score[is_target]))
        n_target = np.zeros(len(distinct), np.int64)
        n_target[np.searchsorted(distinct, of_targets)] = n_of_targets
        return cls(distinct, n_target, n_trials - n_target)

    @classmethod
    def of_trials(cls, trials: Trials) -> ScoreCounts:
        """Count the scores of these trials."""
        return cls.of(trials.score, trials.is_target)

    def within(self, edges: FloatArray) -> BinCounts:
        """The trials in each bin between ascending `edges`, shape (b + 1,).

        A bin holds its lower edge and not its upper one, but the last holds both (as np.histogram has it).
        Scores beyond the outer edges are in no bin.
        """
        place = np.searchsorted(self.score, edges)
        place[-1] = np.searchsorted(self.score, edges[-1], side="right")
        return BinCounts(_between(self.n_target, place), _between(self.n_nontarget, place))

    def even_edges(self, bins: int) -> FloatArray:
        """The edges of `bins` bins of one width from the lowest to the highest score, shape (bins + 1,)."""
        # Halved, the range of two huge scores does not overflow; halving and doubling are exact.
        return np.asarray(2.0 * np.linspace(self.score[0] / 2.0, self.score[-1] / 2.0, bins + 1))

    @cached_property
    def total_target(self) -> int:
        """The number of target trials."""
        return int(self.n_target.sum())

    @cached_property
    def total_nontarget(self) -> int:
        """The number of nontarget trials."""
        return int(self.n_nontarget.sum())

    @property
    def target_share(self) -> FloatArray:
        """The share of all target trials at each score, shape (m,); sums to 1."""
        return self.n_target / self.total_target

    @property
    def nontarget_share(self) -> FloatArray:
        """The share of all nontarget trials at each score, shape (m,); sums to 1."""
        return self.n_nontarget / self.total_nontarget


@dataclass(frozen=True, eq=False)
class RankedScores:
    """Scores whose trials may be of either class: sorted once, counted as often as classes are dealt out.

    `score`, (m,), are the distinct ones, ascending; trial i of n has score[place[i]], and `n_trials`, (m,),
    says how many have each.
    """

    score: FloatArray
    place: IntArray
    n_trials: IntArray

    @classmethod
    def of(cls, score: FloatArray) -> RankedScores:
        """Rank finite scores of shape (n,), n > 0, in any order; O(n log n)."""
        distinct, place, n_trials = np.unique(score, return_inverse=True, return_counts=True)
        return cls(distinct, place, n_trials)

    def counts(self, is_target: BoolArray) -> ScoreCounts:
        """The counts where these trials, (n,), are target; O(n)."""
        n_target = np.bincount(self.place[is_target], minlength=len(self.score))
        return ScoreCounts(self.score, n_target, self.n_trials - n_target)


@dataclass(frozen=True, eq=False)
class BinCounts:
    """How many trials of each class fall into b bins: two histograms with shared bins."""

    n_target: IntArray  # shape (b,)
    n_nontarget: IntArray


@dataclass(frozen=True, eq=False)
class CountedTrials:
    """Trials of which only the counts are kept, because all of them would not fit into memory.

    Attributes
    ----------
    `counts`
        The trials of each class at each score.
    `width`
        0 for exact counts, else that of the bins that scores were rounded down to (see `counting`).
    `files`, `remarks`, `audit`
        As in `Trials`.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import assess, read_trials
    >>> demo = zebra_resources.path("demo")
    >>> scores = demo / "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
    >>> key = demo / "data/libri_test_trials_f/trials"
    >>> counted = read_trials(scores, key, choices={"streaming": "yes"})
    >>> type(counted).__name__, counted.n_target, counted.n_nontarget, counted.width
    ('CountedTrials', 156, 9672, 0.0)
    >>> round(assess(counted).d_ece_bits, 3)
    0.205
    """

    counts: ScoreCounts
    width: float = 0.0
    files: tuple[InputFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    audit: Audit | None = None

    @property
    def n_target(self) -> int:
        """How many trials compare a speaker with themselves."""
        return self.counts.total_target

    @property
    def n_nontarget(self) -> int:
        """How many trials compare two different speakers."""
        return self.counts.total_nontarget


def _runs(ascending: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct values, and how often each of them occurs."""
    fresh = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    starts = np.flatnonzero(fresh)
    return ascending[starts], np.diff(starts, append=len(ascending))


def _between(counts: IntArray, place: IntArray) -> IntArray:
    """Sums of counts[place[k]:place[k + 1]], shape (b,)."""
    if len(place) > len(counts):  # many bins: one pass over all counts
        return np.diff(np.concatenate([[0], np.cumsum(counts)])[place])
    ends = place.tolist()
    return np.array([counts[low:high].sum() for low, high in pairwise(ends)], dtype=np.int64)
