"""All figures of trials of which only counts for each pair of speakers are known, under any weights.

The figures are those of `weighted`, by the same functions. Where scores were rounded down to bins, D_ECE of
every draw has proven bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.trials import CodeArray, FloatArray, IntArray
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.ece import softplus
from zebra_core.metrics.verification import linkability_bins
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import bins_of, figures_drawn, in_runs, linkability_in, that_are_there


@dataclass(eq=False)
class WeightedCounts:
    """Counts for each pair of speakers, with the clusters of either side, to be counted with any weights."""

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
        edges = linkability_bins(plain)
        self._n_bins = 0 if edges is None else len(edges) - 1
        self._bin: IntArray | None = None
        if edges is not None:
            self._bin = bins_of(plain.score, edges)

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """The figures and the minimum ECE under these weights, as `SortedTrials.figures` gives them."""
        sides = weight.astype(np.int64)
        drawn = self.counts.weighed(sides[self.clusters.enrol] * sides[self.clusters.test])
        if not (drawn.total_target and drawn.total_nontarget):
            return None
        cost = sum(
            float(np.einsum("i,i->", nats, of_class)) / total  # not by BLAS, as in `ece`
            for nats, of_class, total in zip(
                self._costs,
                (drawn.n_target, drawn.n_nontarget),
                (drawn.total_target, drawn.total_nontarget),
                strict=True,
            )
        )
        if self.counts.width:
            self._bound(drawn)
        linkable = linkability_in(self._bin, self._n_bins, drawn)
        return figures_drawn(in_runs(that_are_there(drawn)[0]), cost, linkable, prior_log_odds)

    def _bound(self, drawn: ScoreCounts) -> None:
        there, _ = that_are_there(drawn)
        worlds = BinnedCounts(there, self.counts.width).extremes()
        low, high = (_d_ece(counts) for counts in (worlds.least, worlds.most))
        self.most_moved_bits = max(self.most_moved_bits, high - low)


def _d_ece(counts: ScoreCounts) -> float:
    plain = pav(in_runs(counts))
    return d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share)
