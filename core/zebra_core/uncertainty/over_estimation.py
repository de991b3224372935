"""How many powers of ten LLRs exceed what the trials bear out, over the LLR, with intervals over speakers.

At an LLR x that is x less the log-ratio of the densities of both classes there: 0 for calibrated LLRs, whose
own LR is the LR. Both densities are smoothed by a normal window of one width h. Smoothing alone makes a ratio
that ascends look flatter, so each class is weighted beforehand by e^(∓b·x/2), with the slope b of logistic
regression: the window of the targets lies b·h²/2 below x, that of the others as much above. Where the
log-ratio is linear, as it is for calibrated, shifted, stretched and shrunk LLRs, the ratio of what is
expected of both is then exact at any width. Ref: the definition, with densities smoothed alone and fiducial
intervals, is that of the package lir of the NFI; a parametric start, Hjort and Glad 1995; the width,
Silverman 1986, eq. 3.31.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.trials import FloatArray, IntArray, ScoreCounts, Trials
from zebra_core.metrics.assessment import Assessment, ScoreMeaning
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.learnt_calibration import LinearCalibration
from zebra_core.metrics.zebra import LN10
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings, clusters_of
from zebra_core.uncertainty.intervals import percentile
from zebra_core.uncertainty.resampling import Clusters, ResamplingUnit

PLACES = 41
FEWEST_IN_WINDOW = 10.0
"""Trials of either class that a window must hold in effect; beyond the last such place nothing is shown."""

_SCANNED = 401
_FARTHEST = 5.0  # widths of the window: what lies farther weighs less than 1e-5
_CELLS_PER_WIDTH = 16
_AT_ONCE = 32


@dataclass(frozen=True, eq=False)
class OverEstimation:
    """Over-estimation in powers of ten at `log10_lr`, (p,); pointwise intervals, (p,) each, NaN for none.

    Where LLRs of both classes overlap in too few trials no place is left, and all are of shape (0,).
    """

    log10_lr: FloatArray
    exceeds: FloatArray
    low: FloatArray
    high: FloatArray
    level: float
    n_clusters: int = 0
    unit: ResamplingUnit | None = None  # what was drawn; None where nothing was

    @property
    def is_measurable(self) -> bool:
        """Whether there is any place at which both classes have trials enough."""
        return len(self.log10_lr) > 0

    @property
    def has_interval(self) -> bool:
        """Whether somebody was drawn."""
        return self.unit is not None


@dataclass(frozen=True, eq=False)
class _Windows:
    """The windows at the places x, (p,): their middles for either class, their width, and cells of LLRs."""

    place: FloatArray
    shift: float
    width: float
    low: float  # of the first cell
    n_cells: int

    @classmethod
    def of(cls, llrs: ScoreCounts) -> _Windows | None:
        """Those of natural-log LLRs; None where there is no place with trials enough of both classes."""
        width = min(_silverman(llrs.score, llrs.n_target), _silverman(llrs.score, llrs.n_nontarget))
        slope = LinearCalibration.fit(llrs).slope
        if not (0.0 < width < np.inf and np.isfinite(slope)):
            return None
        shift = slope * width * width / 2.0
        kept = [llrs.score[of > 0] for of in (llrs.n_target, llrs.n_nontarget)]
        ends = max(one[0] for one in kept), min(one[-1] for one in kept)
        if not ends[0] < ends[1]:
            return None
        scanned = cls._at(np.linspace(ends[0], ends[1], _SCANNED), shift, width)
        enough = np.all([one >= FEWEST_IN_WINDOW for one in scanned.in_effect(scanned.counted(llrs))], axis=0)
        there = np.flatnonzero(enough)
        if len(there) < 2:
            return None
        return cls._at(np.linspace(scanned.place[there[0]], scanned.place[there[-1]], PLACES), shift, width)

    @classmethod
    def _at(cls, place: FloatArray, shift: float, width: float) -> _Windows:
        margin = _FARTHEST * width + abs(shift)
        low, high = float(place[0]) - margin, float(place[-1]) + margin
        return cls(place, shift, width, low, int((high - low) / width * _CELLS_PER_WIDTH) + 1)

    def cell_of(self, llr: FloatArray) -> IntArray:
        """The cell of each LLR, −1 and `n_cells` for all beyond; same shape."""
        cell = np.floor((llr - self.low) / self.width * _CELLS_PER_WIDTH)
        return np.clip(cell, -1, self.n_cells).astype(np.int64)

    def counted(self, llrs: ScoreCounts) -> tuple[FloatArray, FloatArray]:
        """How many trials of each class are in each cell, (n_cells,) both."""
        cell = self.cell_of(llrs.score) + 1
        target, nontarget = (
            np.bincount(cell, of, self.n_cells + 2)[1:-1].astype(np.float64)
            for of in (llrs.n_target, llrs.n_nontarget)
        )
        return target, nontarget

    @property
    def weights(self) -> tuple[FloatArray, FloatArray]:
        """What a trial in each cell weighs at each place, (p, n_cells), of a target and of a nontarget."""
        middle = self.low + (np.arange(self.n_cells) + 0.5) * self.width / _CELLS_PER_WIDTH
        away = (middle - self.place[:, np.newaxis]) / self.width
        aside = self.shift / self.width
        return np.exp(-0.5 * (away + aside) ** 2), np.exp(-0.5 * (away - aside) ** 2)

    def in_effect(self, counted: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
        """How many trials of each class a window holds in effect, (p,): (Σw)²/Σw²."""
        of_target, of_nontarget = (
            np.divide(
                (weight * of).sum(axis=1) ** 2,
                (weight**2 * of).sum(axis=1),
                out=np.zeros(len(weight)),
                where=(weight**2 * of).sum(axis=1) > 0.0,
            )
            for weight, of in zip(self.weights, counted, strict=True)
        )
        return of_target, of_nontarget


def _silverman(llr: FloatArray, count: IntArray) -> float:
    """The width of a window by Silverman's rule, 0.9 · min(s, IQR/1.34) · n^(−1/5)."""
    n = float(count.sum())
    mean = float(llr @ count) / n
    deviation = float(np.sqrt(((llr - mean) ** 2) @ count / max(n - 1.0, 1.0)))
    up_to = np.cumsum(count)
    low, high = (float(llr[np.searchsorted(up_to, share * n)]) for share in (0.25, 0.75))
    spread = min(deviation, (high - low) / 1.34) if high > low else deviation
    return float(0.9 * spread * n**-0.2)


def over_estimation(
    trials: Trials | None,
    known: Assessment,
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
) -> OverEstimation:
    """The over-estimation of the LLRs of an assessment, with intervals where its `trials` are given.

    Its scores are taken as its settings say. Speakers are drawn as for all intervals (`bootstrap`), or single
    trials where nobody knows who spoke; intervals are percentiles at one place at a time. O(n) a draw. Raises
    InputError where fewer than three speakers are, and Cancelled by `on_progress`.
    """
    settings = settings or BootstrapSettings()
    windows = _Windows.of(known.llrs)
    if windows is None:
        nothing = np.zeros(0)
        return OverEstimation(nothing, nothing, nothing, nothing, settings.level)
    weights = windows.weights
    shares = (known.n_target, known.n_nontarget)
    sums = [(w * of).sum(axis=1) for w, of in zip(weights, windows.counted(known.llrs), strict=True)]
    place = windows.place
    exceeds = _exceeds(windows, sums[0] / shares[0], sums[1] / shares[1])
    none = np.full(len(place), np.nan)
    found = OverEstimation(place / LN10, exceeds, none, none, settings.level)
    if trials is None:
        return found
    clusters = clusters_of(trials, speakers)
    draws = _draws(in_order(trials), known, windows, clusters, settings, on_progress)
    low, high = percentile(draws, settings.level, clusters.n_fewest)
    return OverEstimation(place / LN10, exceeds, low, high, settings.level, clusters.n_told, clusters.unit)


def _exceeds(windows: _Windows, target: FloatArray, nontarget: FloatArray) -> FloatArray:
    """Over-estimation of what windows hold of each class, shares (…, p), in powers of ten; ±inf for none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((windows.place - np.log(target) + np.log(nontarget)) / LN10)


def _draws(
    trials: Trials,
    known: Assessment,
    windows: _Windows,
    clusters: Clusters,
    settings: BootstrapSettings,
    on_progress: Progress,
) -> FloatArray:
    """The over-estimation in each draw, (R, p); NaN where a window holds nobody at all."""
    rng = generator(settings.seed, Purpose.SPEAKERS_DRAWN)
    unit = LN10 if known.settings.score_meaning is ScoreMeaning.LOG10_LR else 1.0
    with np.errstate(over="ignore"):
        llr = trials.score * unit
    cell = windows.cell_of(llr) + 1 + (windows.n_cells + 2) * ~trials.is_target
    weights = windows.weights
    found = []
    for done in range(0, settings.replicates, _AT_ONCE):
        on_progress(done / settings.replicates)
        for drawn in clusters.draw_often(rng, min(_AT_ONCE, settings.replicates - done)):
            times = drawn[clusters.enrol] * drawn[clusters.test]
            counts = np.bincount(cell, times, 2 * (windows.n_cells + 2)).reshape(2, -1)
            shares = counts[:, 1:-1] / np.maximum(counts.sum(axis=1), 1.0)[:, np.newaxis]
            sums = (np.einsum("pc,c->p", w, of) for w, of in zip(weights, shares, strict=True))
            found.append(_exceeds(windows, *sums))
    on_progress(1.0)
    draws = np.array(found)
    return np.where(np.isnan(draws), np.inf, draws)
