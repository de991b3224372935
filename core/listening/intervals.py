"""Intervals of what listeners found: speakers, listeners and canvases drawn again, each as a whole.

A trial counts as often as both speakers and its canvas were drawn, and its score is the mean over the
listeners as they were drawn. Quantiles are those of so many units as there are of the fewest of the three.
Ref: Owen 2007, "The pigeonhole bootstrap", for crossed factors; see `uncertainty.resampling`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.listening.items import Asked
from zebra_core.listening.scores import Panel
from zebra_core.metrics.chance.drawing import draw, left_out
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.registry import DRAWN
from zebra_core.metrics.samples import Sample
from zebra_core.uncertainty.bootstrap import OPTIMISTIC, RANGES, SCALES, BootstrapSettings
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.intervals import Interval, percentile
from zebra_core.uncertainty.perfect import AT_ERROR
from zebra_core.uncertainty.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS
from zebra_core.uncertainty.scale import on_scale

FIGURES = ("d_ece_bits", "rocch_eer", "min_cllr_bits")


@dataclass(frozen=True)
class Found:
    """A figure of a panel, as computed, as it stands beside its interval, and that.

    It stands there without the optimism of small sets, unless there are too few speakers to bear that out.
    """

    value: float
    shown: float
    interval: Interval

    def as_json(self) -> dict[str, float]:
        """As it stands in the outcome."""
        return {
            "value": self.value,
            "shown": self.shown,
            "low": self.interval.low,
            "high": self.interval.high,
        }


class _Units:
    """Speakers, listeners and canvases of a panel, to be drawn."""

    def __init__(self, panel: Panel, speaker: Mapping[str, str]) -> None:
        people = sorted({speaker[name] for pair in panel.pairs for name in pair})
        number = {who: n for n, who in enumerate(people)}
        first = np.array([number[speaker[a]] for a, _ in panel.pairs])
        second = np.array([number[speaker[b]] for _, b in panel.pairs])
        self.speakers = len(people)
        self._first, self._second = first, np.where(first == second, self.speakers, second)
        self._canvas = np.unique(panel.canvas, return_inverse=True)[1]
        self.canvases = int(self._canvas.max()) + 1 if panel.question is Asked.PLACEMENT else 0
        self.listeners = len(panel.listeners)
        self._panel = panel
        self._heard = np.nan_to_num(panel.said)
        self._there = (~np.isnan(panel.said)).astype(np.float64)

    @property
    def fewest(self) -> int:
        """Of the kinds of units of which there are several."""
        return min(n for n in (self.speakers, self.listeners, self.canvases) if n > 1)

    def counts(
        self, speakers: IntArray | None, listeners: IntArray | None, canvases: IntArray | None
    ) -> ScoreCounts | None:
        """The trials as drawn; None for ones, None where a class is left without trials."""
        times = np.ones(len(self._first), dtype=np.int64)
        if speakers is not None:
            whole = np.append(speakers, 1)
            times = whole[self._first] * whole[self._second]
        if canvases is not None and self.canvases:
            times = times * canvases[self._canvas]
        weight = np.ones(self.listeners) if listeners is None else listeners.astype(np.float64)
        answers = self._there @ weight
        there = (answers > 0) & (times > 0)
        score = (self._heard @ weight)[there] / answers[there]
        return _counted(score, times[there], self._panel.is_target[there])

    def drawn(self, rng: np.random.Generator) -> tuple[ScoreCounts | None, ScoreCounts | None]:
        """One draw of all three; and the same with the listeners as they are."""
        speakers, listeners, canvases = (
            draw(np.zeros(n, dtype=np.int64), rng).astype(np.int64) if n > 1 else None
            for n in (self.speakers, self.listeners, self.canvases)
        )
        return self.counts(speakers, listeners, canvases), self.counts(speakers, None, canvases)


def panel_figures(
    panel: Panel, speaker: Mapping[str, str], settings: BootstrapSettings
) -> dict[str, Found] | None:
    """FIGURES with their intervals; None with fewer than three speakers, or trials of one class alone."""
    units = _Units(panel, speaker)
    plain = units.counts(None, None, None)
    if plain is None or units.speakers < FEWEST_CLUSTERS:
        return None
    rng = generator(settings.seed, Purpose.LISTENERS_DRAWN)
    values = _figures(plain)
    drawn = [units.drawn(rng) for _ in range(settings.replicates)]
    draws, by_speakers = (np.array([_figures(one[n]) for one in drawn]) for n in (0, 1))
    left = np.array(
        [_figures(units.counts(one.astype(np.int64), None, None)) for one in left_out(units.speakers)]
    )
    return {
        key: _found(
            key, float(values[n]), (draws[:, n], by_speakers[:, n], left[:, n]), units, settings.level
        )
        for n, key in enumerate(FIGURES)
    }


def _found(
    key: str, value: float, drawn: tuple[FloatArray, FloatArray, FloatArray], units: _Units, level: float
) -> Found:
    """With the optimism of the speakers' draws: drawn listeners are fewer, whose means are noisier."""
    draws, by_speakers, left = drawn
    ends, scale = RANGES[key], SCALES[key]
    of = FigureDraws(
        value, by_speakers, left, units.fewest, key in OPTIMISTIC, *ends, scale, AT_ERROR.get(key)
    )
    there = draws[~np.isnan(draws)]
    if of.is_perfect and (there == value).all():
        interval = of.interval(level)
    else:
        interval = on_scale(of.corrected, there, left, level, units.fewest, scale, ends)
        if units.fewest < FEW_CLUSTERS:  # too few to bear out that what was computed is too high
            interval = Interval(min(interval.low, value), max(interval.high, value))
    return Found(value, of.beside(interval), interval)


Mean = Callable[[FloatArray, FloatArray], float]
"""A figure of ratings by how often each recording and each listener counts; NaN where nothing is left."""


def mean_intervals(
    figures: Sequence[Mean], people: Sequence[str], listeners: int, settings: BootstrapSettings
) -> list[Interval | None]:
    """Their intervals; recordings are of these people. None with fewer than three speakers."""
    names = sorted(set(people))
    if len(names) < FEWEST_CLUSTERS:
        return [None for _ in figures]
    who = np.array([names.index(one) for one in people])
    rng = generator(settings.seed, Purpose.LISTENERS_DRAWN, 1)
    strata = np.zeros(len(names), dtype=np.int64), np.zeros(listeners, dtype=np.int64)
    draws = np.full((settings.replicates, len(figures)), np.nan)
    for row in draws:
        speakers, heard = (draw(stratum, rng).astype(np.float64) for stratum in strata)
        row[:] = [figure(speakers[who], heard) for figure in figures]
    fewest = min(n for n in (len(names), listeners) if n > 1)
    return [_ends(column, settings.level, fewest) for column in draws.T]


def mean_of(table: FloatArray) -> Mean:
    """The mean of a table of ratings (recordings, listeners)."""
    return lambda rows, columns: _mean_over(_of_rows(table, columns), rows)


def difference_of(one: FloatArray, other: FloatArray) -> Mean:
    """By how much the mean of one table lies above that of another, over the recordings rated in both."""
    return lambda rows, columns: _mean_over(_of_rows(one, columns) - _of_rows(other, columns), rows)


def _of_rows(table: FloatArray, columns: FloatArray) -> FloatArray:
    """The mean of each recording, NaN where nobody who was drawn heard it."""
    answers = (~np.isnan(table)).astype(np.float64) @ columns
    found = np.full(len(table), np.nan)
    np.divide(np.nan_to_num(table) @ columns, answers, out=found, where=answers > 0)
    return found


def _mean_over(values: FloatArray, rows: FloatArray) -> float:
    use = ~np.isnan(values) & (rows > 0)
    return float(rows[use] @ values[use] / rows[use].sum()) if use.any() else float("nan")


def _ends(draws: FloatArray, level: float, n: int) -> Interval | None:
    there = draws[~np.isnan(draws)]
    if not len(there) or there.min() == there.max():
        return None
    low, high = percentile(there, level, n)
    return Interval(float(low), float(high))


def _counted(score: FloatArray, times: IntArray, is_target: np.ndarray) -> ScoreCounts | None:
    if not is_target.any() or is_target.all():
        return None
    distinct, place = np.unique(score, return_inverse=True)
    n = [np.bincount(place, times * one, len(distinct)).astype(np.int64) for one in (is_target, ~is_target)]
    return ScoreCounts(distinct, n[0], n[1])


def _figures(counts: ScoreCounts | None) -> FloatArray:
    if counts is None:
        return np.full(len(FIGURES), np.nan)
    sample = Sample(counts)
    return np.array([DRAWN[key].of(sample) for key in FIGURES], dtype=np.float64)
