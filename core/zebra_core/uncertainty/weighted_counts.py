"""All figures of trials of which only counts for each pair of speakers are known, under any weights.

The figures are those of `weighted`, by the same functions. Where scores were rounded down to bins, D_ECE of
every draw has proven bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from zebra_core.evidence.counting import Counted
from zebra_core.evidence.counts import BinCounts, ScoreCounts
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.trials import CodeArray, FloatArray, IntArray
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.ece import LN2, ece_bits, softplus
from zebra_core.metrics.registry import DRAWN
from zebra_core.metrics.samples import Sample
from zebra_core.metrics.verification import linkability_bins, linkability_of
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import in_runs, that_are_there


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
            place = np.searchsorted(edges, plain.score, side="right") - 1
            self._bin = np.clip(place, 0, len(edges) - 2)

    def figures(self, weight: CodeArray, prior_log_odds: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """As `SortedTrials.figures`."""
        sides = weight.astype(np.int64)
        drawn = self.counts.weighed(sides[self.clusters.enrol] * sides[self.clusters.test])
        if not (drawn.total_target and drawn.total_nontarget):
            return None
        actual = sum(
            float(np.einsum("i,i->", cost, of_class)) / total  # not by BLAS, as in `ece`
            for cost, of_class, total in zip(
                self._costs,
                (drawn.n_target, drawn.n_nontarget),
                (drawn.total_target, drawn.total_nontarget),
                strict=True,
            )
        )
        runs = in_runs(that_are_there(drawn)[0])
        sample = Sample(runs, actual / (2.0 * LN2), self._linkability(drawn))
        if self.counts.width:
            self._bound(drawn)
        values = [of.of(sample) for of in DRAWN.values()]
        return np.array(values, dtype=np.float64), ece_bits(prior_log_odds, *sample.oracle)

    def _linkability(self, counts: ScoreCounts) -> float | None:
        """With the bins of the unweighted scores: their width must not change from draw to draw."""
        if self._bin is None:
            return None
        sums = (
            np.bincount(self._bin, of_class, self._n_bins).astype(np.int64)
            for of_class in (counts.n_target, counts.n_nontarget)
        )
        return linkability_of(BinCounts(np.empty(0), *sums), counts.total_target, counts.total_nontarget)

    def _bound(self, drawn: ScoreCounts) -> None:
        there, _ = that_are_there(drawn)
        worlds = Counted(there, self.counts.width).extremes()
        low, high = (_d_ece(counts) for counts in (worlds.least, worlds.most))
        self.most_moved_bits = max(self.most_moved_bits, high - low)


def _d_ece(counts: ScoreCounts) -> float:
    plain = pav(in_runs(counts))
    return d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share)
