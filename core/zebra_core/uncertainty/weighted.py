"""All figures of trials that count several times each: one sort, then many counts with other weights.

Weights are whole numbers, so that a weighted set of trials is a set in which trials are repeated: the
figures are those of `metrics.assessment`, by the same functions, and with all weights 1 they are exactly the
plain ones. Of some trials only counts for each pair of speakers are known (`WeightedCounts`), and some were
judged by people (`WeightedHeard`).
Neighbours of one class need not be told apart: the PAV never parts them (a block that ends within a run
of equal values could be joined with the next at no loss), and error rates are read along a straight line
between thresholds. So what is left of a million trials with 50 000 targets is at most 100 001 runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.counts import BinCounts, ScoreCounts
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, Trials
from zebra_core.metrics.calibration import PavBlocks, pav
from zebra_core.metrics.ece import LN2, ece_bits, softplus
from zebra_core.metrics.metric import Sample
from zebra_core.metrics.registry import DRAWN
from zebra_core.metrics.verification import linkability_bins, linkability_of
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.uncertainty.resampling import Clusters

FIGURES = tuple(DRAWN)
"""The figures of an assessment that are computed again, by the keys of the registry."""

DrawnFigures = tuple[FloatArray, FloatArray]
"""The figures in the order of FIGURES, NaN where one is not measurable, and the minimum ECE in bits, (p,)."""

_Bins = tuple[IntArray, int] | None
"""The bin of each score for linkability, and how many bins there are; None where that is not measurable."""


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
        return _sum(self.cost, weights)

    def counts(self, weights: CodeArray, n_runs: int) -> IntArray:
        """The sums of the weights in each run, shape (n_runs,)."""
        out = np.zeros(n_runs, dtype=np.int64)
        out[self.run] = np.add.reduceat(weights, self.start, dtype=np.int64)
        return out


@dataclass(frozen=True, eq=False)
class SortedTrials:
    """Trials sorted once, with their clusters, to be counted with any weights.

    `score` is the lowest score of each run, shape (r,), `bins` has the bin of each run. Runs are of one
    class, or of one tied score, and in one bin.
    """

    score: FloatArray
    bins: _Bins
    target: _Side
    nontarget: _Side

    @classmethod
    def of(cls, trials: Trials | SpeakerTrials, clusters: Clusters, unit: float = 1.0) -> SortedTrials:
        """Sort; O(n log n). `unit` is what turns scores into the natural-log LLRs that Cllr judges."""
        order = np.argsort(trials.score, kind="stable")
        score, is_target = trials.score[order], trials.is_target[order]
        counts, tied = counted(score, is_target)
        bins = _bins_of(counts.score, linkability_bins(counts))
        begins = _run_begins(counts, bins)
        run = np.repeat(np.cumsum(begins) - 1, tied)
        with np.errstate(over="ignore"):
            llr = score * unit
        return cls(
            counts.score[begins],
            None if bins is None else (bins[0][begins], bins[1]),
            _Side.of(clusters, order, is_target, run, -llr),
            _Side.of(clusters, order, ~is_target, run, llr),
        )

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures | None:
        """The figures under these weights; None where these leave a class without trials. O(n).

        `weight` (clusters + 1,) is as `Clusters.draw` gives it.
        """
        target, nontarget = self.target.weights(weight), self.nontarget.weights(weight)
        costs = self.target.total_cost(target), self.nontarget.total_cost(nontarget)
        return _figures(self._counts(target, nontarget), costs, self.bins, prior_log_odds, are_runs=True)

    def oracle(self, weight: CodeArray) -> tuple[PavBlocks, BoolArray] | None:
        """The plain PAV of what was drawn, over those runs that are there; and which are, shape (r,).

        None where the weights leave a class without trials. O(n).
        """
        counts = self._counts(self.target.weights(weight), self.nontarget.weights(weight))
        if not (counts.total_target and counts.total_nontarget):
            return None
        drawn, is_there = _that_are_there(counts)
        return pav(drawn), is_there

    def _counts(self, target: CodeArray, nontarget: CodeArray) -> ScoreCounts:
        return ScoreCounts(
            self.score,
            self.target.counts(target, len(self.score)),
            self.nontarget.counts(nontarget, len(self.score)),
        )


@dataclass(eq=False)
class WeightedCounts:
    """Counts for each pair of speakers, with the clusters of either side, to be counted with any weights.

    Where scores were rounded down to bins, D_ECE of every draw has proven bounds.
    """

    counts: SpeakerCounts
    clusters: Clusters
    unit: float = 1.0  # what turns scores into the natural-log LLRs that Cllr judges
    most_moved_bits: float = field(default=0.0, init=False)
    """What rounding can have done to D_ECE, at most, in all that was computed so far."""

    def __post_init__(self) -> None:
        with np.errstate(over="ignore"):
            llr = self.counts.score * self.unit
        self._costs = softplus(-llr), softplus(llr)
        plain = self.counts.counted.counts
        self._bins = _bins_of(plain.score, linkability_bins(plain))

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures | None:
        """The figures under these weights, as `SortedTrials.figures` gives them."""
        sides = weight.astype(np.int64)
        drawn = self.counts.weighed(sides[self.clusters.enrol] * sides[self.clusters.test])
        if self.counts.width and drawn.total_target and drawn.total_nontarget:
            self._bound(drawn)
        of_target, of_nontarget = self._costs
        costs = _sum(of_target, drawn.n_target), _sum(of_nontarget, drawn.n_nontarget)
        return _figures(drawn, costs, self._bins, prior_log_odds)

    def _bound(self, drawn: ScoreCounts) -> None:
        worlds = BinnedCounts(_that_are_there(drawn)[0], self.counts.width).extremes()
        plain = (pav(in_runs(counts)) for counts in (worlds.least, worlds.most))
        low, high = (d_ece_bits(one.llr, one.target_share, one.nontarget_share) for one in plain)
        self.most_moved_bits = max(self.most_moved_bits, high - low)


class WeightedHeard:
    """Answers of listeners with their clusters, to be counted with any weights.

    A trial counts as often as both speakers and its canvas were drawn, and its score is the mean over the
    listeners as they were drawn.
    Ref: Owen 2007, "The pigeonhole bootstrap", for crossed factors; see `resampling`.
    """

    def __init__(self, heard: HeardTrials, clusters: Clusters, unit: float = 1.0) -> None:
        """`unit` turns scores into the natural-log LLRs that Cllr judges."""
        self._heard, self._clusters, self._unit = heard, clusters, unit
        self._plain = heard.score
        self._said = np.nan_to_num(heard.said)
        self._there = (~np.isnan(heard.said)).astype(np.float64)
        self._canvas = np.searchsorted(heard.canvases, heard.canvas)
        self._edges = linkability_bins(_counted_with(self._plain, heard.is_target, np.ones(len(heard), int)))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Which factors were resampled, unless only speakers were."""
        of = self._clusters
        kinds = {
            (True, True): "-listeners-canvases",
            (True, False): "-listeners",
            (False, True): "-canvases",
        }.get((of.n_listeners > 1, of.n_canvases > 1), "")
        code = f"drawn-by-ear{kinds}" if of.n_listeners else f"drawn-by-machine{kinds}"
        facts: dict[str, object] = {"speakers": of.n_told}
        facts |= {"listeners": of.n_listeners, "canvases": of.n_canvases}
        return (Remark(code, facts),) if of.n_listeners or kinds else ()

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures | None:
        """The figures under these weights, as `SortedTrials.figures` gives them."""
        score, times = self._drawn(weight)
        there = times > 0
        score, times, is_target = score[there], times[there], self._heard.is_target[there]
        counts = _counted_with(score, is_target, times)
        with np.errstate(over="ignore"):
            nats = softplus(np.where(is_target, -score, score) * self._unit) * times
        costs = _sum(nats[is_target]), _sum(nats[~is_target])
        return _figures(counts, costs, _bins_of(counts.score, self._edges), prior_log_odds)

    def _drawn(self, weight: CodeArray) -> tuple[FloatArray, np.ndarray]:
        """The mean of each trial over the listeners as drawn, and how often it counts; (n,) both."""
        of, sides = self._clusters, weight.astype(np.int64)
        times = sides[of.enrol] * sides[of.test]
        listeners, canvases = np.split(sides[of.n_speakers : -1], [of.n_listeners])
        if of.n_canvases:
            times = times * canvases[self._canvas]
        if (listeners == 1).all():
            return self._plain, times
        # not by BLAS, whose sums differ from one machine to the next
        answers = np.einsum("ij,j->i", self._there, listeners.astype(np.float64))
        means = np.zeros(len(times))
        np.divide(
            np.einsum("ij,j->i", self._said, listeners.astype(np.float64)),
            answers,
            out=means,
            where=answers > 0,
        )
        return means, times * (answers > 0)


def _sum(values: FloatArray, times: IntArray | CodeArray | None = None) -> float:
    """The sum of values, each so many times; not by BLAS, as in `ece`."""
    return float(np.einsum("i->", values) if times is None else np.einsum("i,i->", values, times))


def _figures(
    counts: ScoreCounts,
    costs_nats: tuple[float, float],
    bins: _Bins,
    prior_log_odds: FloatArray,
    *,
    are_runs: bool = False,
) -> DrawnFigures | None:
    """The figures of trials as drawn; None where a class has none.

    `costs_nats` are the sums of the costs of the LLRs of either class, `bins` those of the scores as they
    were read, for their width must not change from draw to draw; `are_runs` where `counts` are those of runs.
    """
    totals = counts.total_target, counts.total_nontarget
    if not all(totals):
        return None
    of_target, of_nontarget = (cost / total for cost, total in zip(costs_nats, totals, strict=True))
    linkable = None
    if bins is not None:
        classes = (counts.n_target, counts.n_nontarget)
        binned = (np.bincount(bins[0], of_class, bins[1]).astype(np.int64) for of_class in classes)
        linkable = linkability_of(BinCounts(*binned), *totals)
    there, _ = _that_are_there(counts)
    cllr_bits = (of_target + of_nontarget) / (2.0 * LN2)
    sample = Sample(there if are_runs else in_runs(there), cllr_bits, linkable)
    values = [drawn.of(sample) for drawn in DRAWN.values()]
    return np.array(values, dtype=np.float64), ece_bits(prior_log_odds, *sample.oracle)


def counted(score: FloatArray, is_target: BoolArray) -> tuple[ScoreCounts, IntArray]:
    """The counts of scores that ascend already, and how many trials are tied at each distinct score."""
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    tied = np.diff(starts, append=len(score))
    n_target = np.add.reduceat(is_target, starts, dtype=np.int64)
    return ScoreCounts(score[starts], n_target, tied - n_target), tied


def _counted_with(score: FloatArray, is_target: BoolArray, times: IntArray) -> ScoreCounts:
    """The counts of scores in any order, each so many times."""
    distinct, place = np.unique(score, return_inverse=True)
    n = [np.bincount(place, times * one, len(distinct)).astype(np.int64) for one in (is_target, ~is_target)]
    return ScoreCounts(distinct, *n)


def _run_begins(counts: ScoreCounts, bins: _Bins = None) -> BoolArray:
    """Whether a distinct score begins a new run, shape (m,): of one class and, where given, in one bin."""
    pure_target, pure_nontarget = counts.n_nontarget == 0, counts.n_target == 0
    joins = (pure_target[1:] & pure_target[:-1]) | (pure_nontarget[1:] & pure_nontarget[:-1])
    if bins is not None:
        joins &= bins[0][1:] == bins[0][:-1]
    return np.concatenate([[True], ~joins])


def in_runs(counts: ScoreCounts) -> ScoreCounts:
    """The counts with neighbours of one class put together, at the lowest of their scores."""
    start = np.flatnonzero(_run_begins(counts))
    return ScoreCounts(
        counts.score[start],
        np.add.reduceat(counts.n_target, start),
        np.add.reduceat(counts.n_nontarget, start),
    )


def _that_are_there(counts: ScoreCounts) -> tuple[ScoreCounts, BoolArray]:
    """The runs that have trials, and which these are."""
    there = counts.n_target + counts.n_nontarget > 0
    return ScoreCounts(counts.score[there], counts.n_target[there], counts.n_nontarget[there]), there


def _bins_of(score: FloatArray, edges: FloatArray | None) -> _Bins:
    """The bins between these edges, as `ScoreCounts.within` has them."""
    if edges is None:
        return None
    return np.clip(np.searchsorted(edges, score, side="right") - 1, 0, len(edges) - 2), len(edges) - 1
