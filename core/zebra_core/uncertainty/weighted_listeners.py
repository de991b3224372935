"""All figures of trials that people judged, under any weights of speakers, listeners and canvases.

A trial counts as often as both speakers and its canvas were drawn, and its score is the mean over the
listeners as they were drawn. The figures are those of `weighted`, by the same functions.
Ref: Owen 2007, "The pigeonhole bootstrap", for crossed factors; see `resampling`.
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.trials import CodeArray, FloatArray
from zebra_core.metrics.ece import softplus
from zebra_core.metrics.verification import linkability_bins
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import bins_of, counted_with, figures_drawn, in_runs, linkability_in


class WeightedHeard:
    """Answers of listeners with their clusters, to be counted with any weights."""

    def __init__(self, heard: HeardTrials, clusters: Clusters, unit: float = 1.0) -> None:
        """`unit` turns scores into the natural-log LLRs that Cllr judges."""
        self._heard, self._clusters, self._unit = heard, clusters, unit
        self._plain = heard.score
        self._said = np.nan_to_num(heard.said)
        self._there = (~np.isnan(heard.said)).astype(np.float64)
        self._canvas = np.searchsorted(heard.canvases, heard.canvas)
        self._edges = linkability_bins(counted_with(self._plain, heard.is_target, np.ones(len(heard), int)))

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

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """The figures and the minimum ECE under these weights, as `SortedTrials.figures` gives them."""
        score, times = self._drawn(weight)
        there = times > 0
        score, times, is_target = score[there], times[there], self._heard.is_target[there]
        if not is_target.any() or is_target.all():
            return None
        counts = counted_with(score, is_target, times)
        with np.errstate(over="ignore"):
            nats = softplus(np.where(is_target, -score, score) * self._unit) * times
        cost = sum(
            float(np.einsum("i->", nats[of_class])) / int(times[of_class].sum())  # not by BLAS, as in `ece`
            for of_class in (is_target, ~is_target)
        )
        bin_ = None if self._edges is None else bins_of(counts.score, self._edges)
        n_bins = 0 if self._edges is None else len(self._edges) - 1
        linkable = linkability_in(bin_, n_bins, counts)
        return figures_drawn(in_runs(counts), cost, linkable, prior_log_odds)

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
