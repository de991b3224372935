"""All figures of trials that count several times each: one sort, then many counts with other weights.

Weights are whole numbers, so that a weighted set of trials is a set in which trials are repeated: the
figures are those of `metrics.assessment`, by the same functions, and with all weights 1 they are exactly the
plain ones.
Neighbours of one class need not be told apart: the PAV never parts them (a block that ends within a run
of equal values could be joined with the next at no loss), and error rates are read along a straight line
between thresholds. So what is left of a million trials with 50 000 targets is at most 100 001 runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.counts import BinCounts, ScoreCounts
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, Trials
from zebra_core.metrics.calibration import PavBlocks, pav
from zebra_core.metrics.ece import LN2, ece_bits, softplus
from zebra_core.metrics.registry import DRAWN
from zebra_core.metrics.samples import Sample
from zebra_core.metrics.verification import linkability_bins, linkability_of
from zebra_core.uncertainty.resampling import Clusters

FIGURES = tuple(DRAWN)
"""The figures of an assessment that are computed again, by the keys of the registry."""


@dataclass(frozen=True, eq=False)
class _Side:
    """The trials of one class in ascending order of their scores."""

    enrol: CodeArray  # cluster of either side, as in `Clusters`; shape (n,)
    test: CodeArray | None  # None where the second factor is always 1
    start: IntArray  # where each run that has trials of this class begins, shape (r,)
    run: IntArray  # which run that is, shape (r,)
    cost: FloatArray  # softplus of the LLR against the truth, nats, shape (n,)

    @classmethod
    def of(
        cls, clusters: Clusters, order: IntArray, chosen: BoolArray, run: IntArray, against: FloatArray
    ) -> _Side:
        """The chosen trials; `chosen`, `run` and the LLR `against` the truth are in the order of scores."""
        at = np.flatnonzero(chosen)
        of_run = run[at]
        start = np.flatnonzero(np.concatenate([[True], of_run[1:] != of_run[:-1]]))
        test = clusters.test[order[at]]
        return cls(
            clusters.enrol[order[at]],
            None if (test == clusters.n).all() else test,
            start,
            of_run[start],
            softplus(against[at]),
        )

    def weights(self, weight: CodeArray) -> CodeArray:
        """How often each trial counts, shape (n,)."""
        own = weight.take(self.enrol, mode="clip")
        if self.test is not None:
            own *= weight.take(self.test, mode="clip")
        return own

    @property
    def run_by_trial(self) -> IntArray:
        """The run of each trial, shape (n,)."""
        return np.repeat(self.run, np.diff(self.start, append=len(self.enrol)))

    def cells(self, n_clusters: int) -> IntArray:
        """The cell of each trial in a table of all clusters against all, row by row, shape (n,)."""
        row = self.enrol.astype(np.int64)
        test = self.enrol if self.test is None else np.where(self.test == n_clusters, self.enrol, self.test)
        return row * n_clusters + test

    def total_cost(self, weights: CodeArray) -> float:
        """Σ weight · cost, nats."""
        return float(np.einsum("i,i->", self.cost, weights))  # not by BLAS, as in `ece`

    def counts(self, weights: CodeArray, n_runs: int) -> IntArray:
        """The sums of the weights in each run, shape (n_runs,)."""
        out = np.zeros(n_runs, dtype=np.int64)
        out[self.run] = np.add.reduceat(weights, self.start, dtype=np.int64)
        return out


@dataclass(frozen=True, eq=False)
class SortedTrials:
    """Trials sorted once, with their clusters, to be counted with any weights.

    `score` is the lowest score of each run, shape (r,), `bin` the bin of each run for linkability, shape
    (r,), or None where that is not measurable. Runs are of one class, or of one tied score, and in one bin.
    """

    score: FloatArray
    bin: IntArray | None
    n_bins: int
    target: _Side
    nontarget: _Side

    @classmethod
    def of(cls, trials: Trials | SpeakerTrials, clusters: Clusters, unit: float = 1.0) -> SortedTrials:
        """Sort; O(n log n). `unit` is what turns scores into the natural-log LLRs that Cllr judges."""
        order = np.argsort(trials.score, kind="stable")
        score, is_target = trials.score[order], trials.is_target[order]
        counts, tied = counted(score, is_target)
        edges = linkability_bins(counts)
        bin_ = None if edges is None else bins_of(counts.score, edges)
        begins = run_begins(counts, bin_)
        run = np.repeat(np.cumsum(begins) - 1, tied)
        with np.errstate(over="ignore"):
            llr = score * unit
        return cls(
            counts.score[begins],
            None if bin_ is None else bin_[begins],
            0 if edges is None else len(edges) - 1,
            _Side.of(clusters, order, is_target, run, -llr),
            _Side.of(clusters, order, ~is_target, run, llr),
        )

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """The figures in the order of FIGURES, and the minimum ECE at the priors in bits.

        `weight` (clusters + 1,) is as `Clusters.draw` gives it. NaN where a figure is not measurable; None
        where the weights leave a class without trials. O(n).
        """
        target, nontarget = self.target.weights(weight), self.nontarget.weights(weight)
        counts = self._counts(target, nontarget)
        total_target, total_nontarget = counts.total_target, counts.total_nontarget
        if not (total_target and total_nontarget):
            return None
        cost = (
            self.target.total_cost(target) / total_target
            + self.nontarget.total_cost(nontarget) / total_nontarget
        )
        linkable = linkability_in(self.bin, self.n_bins, counts)
        return figures_drawn(that_are_there(counts)[0], cost, linkable, prior_log_odds)

    def oracle(self, weight: CodeArray) -> tuple[PavBlocks, BoolArray] | None:
        """The plain PAV of what was drawn, over those runs that are there; and which are, shape (r,).

        None where the weights leave a class without trials. O(n).
        """
        counts = self._counts(self.target.weights(weight), self.nontarget.weights(weight))
        if not (counts.total_target and counts.total_nontarget):
            return None
        drawn, is_there = that_are_there(counts)
        return pav(drawn), is_there

    def _counts(self, target: CodeArray, nontarget: CodeArray) -> ScoreCounts:
        return ScoreCounts(
            self.score,
            self.target.counts(target, len(self.score)),
            self.nontarget.counts(nontarget, len(self.score)),
        )


def figures_drawn(
    runs: ScoreCounts, cost_nats: float, linkable: float | None, prior_log_odds: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The figures in the order of FIGURES, and the minimum ECE at the priors in bits, of trials as drawn.

    `cost_nats` is the mean cost of the LLRs of one class plus that of the other, `linkable` what
    `linkability_in` gives.
    """
    sample = Sample(runs, cost_nats / (2.0 * LN2), linkable)
    values = [drawn.of(sample) for drawn in DRAWN.values()]
    return np.array(values, dtype=np.float64), ece_bits(prior_log_odds, *sample.oracle)


def linkability_in(bin_: IntArray | None, n_bins: int, counts: ScoreCounts) -> float | None:
    """D_sys of counts whose rows lie in these bins; None where there are none.

    The bins are those of the scores as they were read: their width must not change from draw to draw.
    """
    if bin_ is None:
        return None
    sums = (
        np.bincount(bin_, of_class, n_bins).astype(np.int64)
        for of_class in (counts.n_target, counts.n_nontarget)
    )
    return linkability_of(BinCounts(*sums), counts.total_target, counts.total_nontarget)


def counted(score: FloatArray, is_target: BoolArray) -> tuple[ScoreCounts, IntArray]:
    """The counts of scores that ascend already, and how many trials are tied at each distinct score."""
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    tied = np.diff(starts, append=len(score))
    n_target = np.add.reduceat(is_target, starts, dtype=np.int64)
    return ScoreCounts(score[starts], n_target, tied - n_target), tied


def counted_with(score: FloatArray, is_target: BoolArray, times: IntArray) -> ScoreCounts:
    """The counts of scores in any order, each so many times."""
    distinct, place = np.unique(score, return_inverse=True)
    n = [np.bincount(place, times * one, len(distinct)).astype(np.int64) for one in (is_target, ~is_target)]
    return ScoreCounts(distinct, *n)


def run_begins(counts: ScoreCounts, bin_: IntArray | None = None) -> BoolArray:
    """Whether a distinct score begins a new run, shape (m,): of one class and, where given, in one bin."""
    pure_target, pure_nontarget = counts.n_nontarget == 0, counts.n_target == 0
    joins = (pure_target[1:] & pure_target[:-1]) | (pure_nontarget[1:] & pure_nontarget[:-1])
    if bin_ is not None:
        joins &= bin_[1:] == bin_[:-1]
    return np.concatenate([[True], ~joins])


def in_runs(counts: ScoreCounts) -> ScoreCounts:
    """The counts with neighbours of one class put together, at the lowest of their scores."""
    start = np.flatnonzero(run_begins(counts))
    return ScoreCounts(
        counts.score[start],
        np.add.reduceat(counts.n_target, start),
        np.add.reduceat(counts.n_nontarget, start),
    )


def that_are_there(counts: ScoreCounts) -> tuple[ScoreCounts, BoolArray]:
    """The runs that have trials, and which these are."""
    there = counts.n_target + counts.n_nontarget > 0
    return ScoreCounts(counts.score[there], counts.n_target[there], counts.n_nontarget[there]), there


def bins_of(score: FloatArray, edges: FloatArray) -> IntArray:
    """The bin of each score, as `ScoreCounts.within` has it; shape of `score`."""
    return np.clip(np.searchsorted(edges, score, side="right") - 1, 0, len(edges) - 2)
