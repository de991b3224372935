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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from scipy import sparse

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials
from zebra_core.evidence.trials import (
    BinCounts,
    BoolArray,
    CodeArray,
    FloatArray,
    IntArray,
    ScoreCounts,
    Trials,
)
from zebra_core.metrics.assessment import Assessment, ScoreMeaning
from zebra_core.metrics.ece import LN2, ece_bits_of_each, pav, softplus
from zebra_core.metrics.error_rates import linkability_bins, linkability_of_each
from zebra_core.metrics.registry import DRAWN, DrawnTrials
from zebra_core.metrics.zebra import LN10, d_ece_bits
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.resampling import Clusters, ResamplingUnit

FIGURES = tuple(DRAWN)
"""The figures of an assessment that are computed again, by the keys of the registry."""

DrawnFigures = tuple[FloatArray, FloatArray]
"""Of each draw the figures in the order of FIGURES, (w, figures), and the minimum ECE in bits, (w, p).

NaN where one is not measurable, and for all where the draw leaves a class without trials.
"""

_CELLS = 1 << 19  # gone through at once
_LOOKS = 20  # at whether somebody stops it, at least

_Bins = tuple[IntArray, int] | None
"""The bin of each score for linkability, and how many bins there are; None where that is not measurable."""


@dataclass(frozen=True, eq=False)
class _ClassTrials:
    """The trials of one class by run and pair of clusters, as in `Clusters`.

    `table`, (r + 1, p), counts them, and has the sum of the softplus of the LLRs of each pair against the
    truth, nats, in its last row; `enrol` and `test`, (p,), are the sides of each pair.
    """

    table: sparse.csr_array
    enrol: CodeArray
    test: CodeArray

    @classmethod
    def of(
        cls, clusters: Clusters, chosen: IntArray, run: IntArray, n_runs: int, against: FloatArray
    ) -> _ClassTrials:
        """The chosen trials, (n,): the run of each, and its LLR against the truth."""
        times = np.ones(len(run)) if clusters.times is None else clusters.times[chosen].astype(np.float64)
        sides = clusters.enrol[chosen].astype(np.int64) * (clusters.n + 1) + clusters.test[chosen]
        pairs, pair = np.unique(sides, return_inverse=True)
        values = np.concatenate([times, times * softplus(against)])
        place = np.concatenate([run, np.full(len(run), n_runs)]), np.concatenate([pair, pair])
        table = sparse.csr_array((values, place), (n_runs + 1, len(pairs)))
        enrol, test = (side.astype(np.int32) for side in np.divmod(pairs, clusters.n + 1))
        return cls(table, enrol, test)

    @property
    def counts(self) -> sparse.csr_array:
        """How many trials of each pair are in each run, (r, p)."""
        return self.table[:-1]

    def drawn(self, weights: CodeArray) -> tuple[IntArray, FloatArray]:
        """How often each run is there under these weights, (w, r), and Σ weight · cost, nats, (w,)."""
        by_cluster = np.ascontiguousarray(weights.T, dtype=np.float64)
        of_pair = by_cluster[self.enrol] * by_cluster[self.test]
        found = self.table @ of_pair
        return found[:-1].T.astype(np.int64), found[-1]


@dataclass(frozen=True, eq=False)
class WeightedTrials:
    """Trials counted once, with their clusters, to be counted with any weights.

    Runs are of one class, or of one tied score, and in one bin for linkability; `bins` has the bin of each.
    """

    target: _ClassTrials
    nontarget: _ClassTrials
    bins: _Bins

    @classmethod
    def of(cls, trials: Trials | SpeakerTrials, clusters: Clusters, unit: float = 1.0) -> WeightedTrials:
        """Sort; O(n log n). `unit` is what turns scores into the natural-log LLRs that Cllr judges."""
        order = np.argsort(trials.score, kind="stable")
        score, is_target = trials.score[order], trials.is_target[order]
        counts, tied = counted(score, is_target)
        bins = _bins_of(counts.score, linkability_bins(counts))
        begins = _run_begins(counts, bins)
        run = np.repeat(np.cumsum(begins) - 1, tied)
        n_runs = int(np.count_nonzero(begins))
        with np.errstate(over="ignore"):
            llr = score * unit
        target, nontarget = (
            _ClassTrials.of(clusters, order[chosen], run[chosen], n_runs, against[chosen])
            for chosen, against in ((is_target, -llr), (~is_target, llr))
        )
        return cls(target, nontarget, None if bins is None else (bins[0][begins], bins[1]))

    @property
    def size(self) -> int:
        """What the work of a draw grows with."""
        return sum(of.table.nnz for of in (self.target, self.nontarget))

    def figures(self, weights: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures:
        """The figures under each of these weights, (w, clusters + 1); O(w · n)."""
        (n_target, of_target), (n_nontarget, of_nontarget) = (
            of.drawn(weights) for of in (self.target, self.nontarget)
        )
        return drawn_figures(n_target, n_nontarget, (of_target, of_nontarget), self.bins, prior_log_odds)


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

    @property
    def size(self) -> int:
        """What the work of a draw grows with."""
        return len(self.counts.score) + len(self.counts.enrolled)

    def figures(self, weights: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures:
        """The figures under these weights, as `WeightedTrials.figures` gives them."""
        sides = weights.T.astype(np.int64)
        both = self.counts.weighed_by_class(sides[self.clusters.enrol] * sides[self.clusters.test])
        drawn = [np.ascontiguousarray(of_class.T) for of_class in both]
        if self.counts.width:
            for n_target, n_nontarget in zip(*drawn, strict=True):
                self._bound(ScoreCounts(self.counts.score, n_target, n_nontarget))
        costs = [(of_class * cost).sum(axis=1) for of_class, cost in zip(drawn, self._costs, strict=True)]
        return drawn_figures(drawn[0], drawn[1], (costs[0], costs[1]), self._bins, prior_log_odds)

    def _bound(self, drawn: ScoreCounts) -> None:
        if not (drawn.total_target and drawn.total_nontarget):
            return
        worlds = BinnedCounts(_that_are_there(drawn), self.counts.width).extremes()
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

    @property
    def size(self) -> int:
        """What the work of a draw grows with."""
        return int(self._heard.said.size)

    def figures(self, weights: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures:
        """The figures under these weights, as `WeightedTrials.figures` gives them."""
        values, profiles = zip(*(self._figures(weight, prior_log_odds) for weight in weights), strict=True)
        return np.concatenate(values), np.concatenate(profiles)

    def _figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> DrawnFigures:
        score, times = self._drawn(weight)
        there = times > 0
        score, times, is_target = score[there], times[there], self._heard.is_target[there]
        counts = _counted_with(score, is_target, times)
        with np.errstate(over="ignore"):
            nats = softplus(np.where(is_target, -score, score) * self._unit) * times
        costs = (np.array([nats[is_target].sum()]), np.array([nats[~is_target].sum()]))
        one = (counts.n_target[np.newaxis], counts.n_nontarget[np.newaxis])
        return drawn_figures(*one, costs, _bins_of(counts.score, self._edges), prior_log_odds)

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


def at_once_of(size: int, number: int) -> int:
    """How many of so many draws of tables of this size are gone through together."""
    return max(1, min(number // _LOOKS, _CELLS // max(size, 1)))


def each_once(
    weights: CodeArray, known: dict[bytes, FloatArray], figures: Callable[[CodeArray], FloatArray]
) -> FloatArray:
    """The figures under these weights, (w, n), each computed once: adds to what is `known`.

    The fewer are drawn, the more often the same draw comes again: three speakers make ten different ones.
    """
    keys = [weight.tobytes() for weight in weights]
    fresh = {key: place for place, key in enumerate(keys) if key not in known}
    if fresh:
        known |= dict(zip(fresh, figures(weights[list(fresh.values())]), strict=True))
    return np.array([known[key] for key in keys])


def drawn_figures(
    n_target: IntArray,
    n_nontarget: IntArray,
    costs_nats: tuple[FloatArray, FloatArray],
    bins: _Bins,
    prior_log_odds: FloatArray,
) -> DrawnFigures:
    """The figures of trials as drawn, counted by ascending scores or runs, (w, m) both.

    `costs_nats` are the sums of the costs of the LLRs of either class, (w,), `bins` those of the scores as
    they were read, for their width must not change from draw to draw.
    """
    values = np.full((len(n_target), len(FIGURES)), np.nan)
    profiles = np.full((len(n_target), len(prior_log_odds)), np.nan)
    totals = n_target.sum(axis=1), n_nontarget.sum(axis=1)
    there = np.flatnonzero((totals[0] > 0) & (totals[1] > 0))
    if not len(there):
        return values, profiles
    n_of_each = [total[there] for total in totals]
    of_target, of_nontarget = (cost[there] / total for cost, total in zip(costs_nats, n_of_each, strict=True))
    drawn = n_target[there], n_nontarget[there]
    linkable = None
    if bins is not None:
        binned = BinCounts(*(_in_bins(of_class, *bins) for of_class in drawn))
        linkable = linkability_of_each(binned, n_of_each[0], n_of_each[1])
    trials = DrawnTrials(*drawn, (of_target + of_nontarget) / (2.0 * LN2), linkable)
    for k, figure in enumerate(DRAWN.values()):
        if (found := figure.of(trials)) is not None:
            values[there, k] = found
    profiles[there] = ece_bits_of_each(prior_log_odds, *trials.oracle)
    return values, profiles


def are_there(drawn: DrawnFigures) -> BoolArray:
    """Which draws had trials of both classes, (w,)."""
    return np.asarray(~np.isnan(drawn[0]).all(axis=1))


def _in_bins(counts: IntArray, bins: IntArray, n_bins: int) -> IntArray:
    """The counts of ascending runs, (w, m), in each bin, (w, bins)."""
    up_to = np.concatenate([np.zeros((len(counts), 1), np.int64), np.cumsum(counts, axis=1)], axis=1)
    return np.diff(up_to[:, np.searchsorted(bins, np.arange(n_bins + 1))], axis=1)


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


def _that_are_there(counts: ScoreCounts) -> ScoreCounts:
    """The scores that have trials."""
    there = counts.n_target + counts.n_nontarget > 0
    return ScoreCounts(counts.score[there], counts.n_target[there], counts.n_nontarget[there])


def _bins_of(score: FloatArray, edges: FloatArray | None) -> _Bins:
    """The bins between these edges, as `ScoreCounts.within` has them."""
    if edges is None:
        return None
    return np.clip(np.searchsorted(edges, score, side="right") - 1, 0, len(edges) - 2), len(edges) - 1


# How far figures rest on single speakers: each left out, each tenth of them, and each sex.


HEADLINES = ("d_ece_bits", "worst_case_log10_lr", "eer", "min_cllr_bits")
"""The figures whose range is told, by key; all as they are computed, with the optimism of small sets."""

N_TENTHS = 10


class LeftOutUnit(Enum):
    """What is left out at once."""

    SPEAKER = "speaker"
    TENTH = "tenth"  # the k-th, and every tenth speaker after, in the order of the trials' `speakers`
    SEX = "sex"


@dataclass(frozen=True)
class FiguresWithout:
    """The headline figures without these speakers; a figure that is not measurable is not among them."""

    part: LeftOutUnit
    name: str  # of the speaker or the sex; of a tenth its number, from 1
    n_speakers: int  # left out
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Span:
    """From the least to the most that a figure becomes, and what was left out when it moved most."""

    low: float
    high: float
    mover: FiguresWithout


@dataclass(frozen=True, eq=False)
class Robustness:
    """The headline figures of an assessment, and what they are without some of its speakers."""

    rests_on: tuple[object, ...]  # the version of the assessment
    n_speakers: int
    figures: Mapping[str, float]
    left_out: tuple[FiguresWithout, ...]

    def parts(self) -> tuple[LeftOutUnit, ...]:
        """What was left out, in the order of `LeftOutUnit`."""
        there = {one.part for one in self.left_out}
        return tuple(part for part in LeftOutUnit if part in there)

    def span(self, figure: str, part: LeftOutUnit) -> Span | None:
        """The range of a figure when such parts are left out; None where none was, or it is not measurable.

        Of several that move it as far the first counts.
        """
        found = [one for one in self.left_out if one.part is part and figure in one.figures]
        if not found or figure not in self.figures:
            return None
        values, plain = [one.figures[figure] for one in found], self.figures[figure]
        return Span(min(values), max(values), max(found, key=lambda one: abs(one.figures[figure] - plain)))


def leave_out(
    trials: SpeakerTrials,
    assessment: Assessment,
    sex: Mapping[str, str] | None = None,
    on_progress: Progress = no_progress,
) -> Robustness:
    """Compute the headline figures without each speaker, each tenth of the speakers and each sex.

    Whoever is left out takes all trials along, those as enrolled and those as heard. A test segment of whom
    nobody knows the speaker stays. Speakers of fewer than twenty have no tenths; a sex is left out where
    `sex` (speaker to any word) has two and knows every speaker. One sort, then O(n) for each part.
    `on_progress` may raise Cancelled.
    """
    on_progress(0.0)
    clusters = _clusters(trials)
    unit = LN10 if assessment.settings.score_meaning is ScoreMeaning.LOG10_LR else 1.0
    ordered = WeightedTrials.of(trials, clusters, unit)
    no_priors = np.zeros(1)
    chosen = list(_parts(trials.speakers, sex))
    found = []
    for number, (part, name, places) in enumerate(chosen):
        on_progress(number / len(chosen))
        figures = _figures(ordered, _without(clusters, places), no_priors)
        found.append(FiguresWithout(part, name, len(places), figures))
    on_progress(1.0)
    whole = _figures(ordered, clusters.all_once, no_priors)
    return Robustness(assessment.rests_on, len(trials.speakers), whole, tuple(found))


def _parts(
    speakers: Sequence[str], sex: Mapping[str, str] | None
) -> Iterator[tuple[LeftOutUnit, str, list[int]]]:
    places = range(len(speakers))
    for place in places:
        yield LeftOutUnit.SPEAKER, speakers[place], [place]
    if len(speakers) >= 2 * N_TENTHS:
        for tenth in range(N_TENTHS):
            yield LeftOutUnit.TENTH, str(tenth + 1), list(places[tenth::N_TENTHS])
    known = sex or {}
    sexes = sorted({known[name] for name in speakers if name in known})
    if len(sexes) == 2 and all(name in known for name in speakers):
        for each in sexes:
            yield LeftOutUnit.SEX, each, [place for place in places if known[speakers[place]] == each]


def _clusters(trials: SpeakerTrials) -> Clusters:
    """Every speaker with their trials; segments of whom nobody knows are never left out."""
    n = len(trials.speakers)
    heard = np.where((trials.heard == NOBODY_KNOWN) | (trials.heard == trials.enrolled), n, trials.heard)
    return Clusters(
        n, trials.enrolled, heard.astype(np.int32), np.zeros(n, dtype=np.int64), ResamplingUnit.SPEAKER
    )


def _without(clusters: Clusters, places: Sequence[int]) -> CodeArray:
    weight = clusters.all_once
    weight[list(places)] = 0
    return weight


def _figures(ordered: WeightedTrials, weight: CodeArray, priors: FloatArray) -> dict[str, float]:
    by_key = dict(zip(FIGURES, ordered.figures(weight[np.newaxis], priors)[0][0].tolist(), strict=True))
    return {name: by_key[name] for name in HEADLINES if by_key[name] == by_key[name]}
