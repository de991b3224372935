"""Intervals of a listening test: speakers, listeners and canvases are resampled, each as a whole.

Quantiles are those of so many units as there are of the fewest of the three; `uncertainty.weighted`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.trials import FloatArray, Trials
from zebra_core.evidence.value_types import json_object, object_as_json
from zebra_core.listening.items import ItemTask
from zebra_core.listening.scores import Panel
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.seeds import Purpose, draw, generator
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.intervals import Interval, percentile
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS

FIGURES = ("d_ece_bits", "rocch_eer", "min_cllr_bits")
PANEL_FIGURE = json_object("PanelFigure", value=float, shown=float, low=float, high=float)


@dataclass(frozen=True)
class PanelFigure:
    """A figure of a panel: as computed, as it is shown beside its interval, and the interval.

    It is shown without the optimism of small sets, unless there are too few speakers to bear that out.
    """

    value: float
    shown: float
    interval: Interval

    def as_json(self) -> dict[str, object]:
        """The figure as an object of the outcome file."""
        return object_as_json(PANEL_FIGURE, self, low=self.interval.low, high=self.interval.high)


def heard_trials(panel: Panel, speaker: Mapping[str, str]) -> HeardTrials:
    """What a panel said, with who speaks and what was placed where."""
    sides = [[speaker[name] for name in side] for side in zip(*panel.pairs, strict=True)]
    people = tuple(sorted({who for side in sides for who in side}))
    number = {who: n for n, who in enumerate(people)}
    first, second = (np.array([number[who] for who in side], dtype=np.int64) for side in sides)
    is_placed = panel.question is ItemTask.PLACEMENT
    return HeardTrials(
        people,
        first,
        second,
        panel.is_target,
        panel.said,
        () if panel.is_by_machine else panel.listeners,
        panel.canvas,
        tuple(sorted(set(panel.canvas.tolist()))) if is_placed else (),
    )


def panel_figures(
    panel: Panel, speaker: Mapping[str, str], settings: BootstrapSettings
) -> dict[str, PanelFigure] | None:
    """FIGURES with their intervals; None with fewer than three speakers, or trials of one class alone."""
    heard = heard_trials(panel, speaker)
    if panel.is_target.all() or not panel.is_target.any() or len(heard.speakers) < FEWEST_CLUSTERS:
        return None
    drawn = bootstrap(heard, assess(Trials(panel.score, panel.is_target)), settings)
    found = {key: drawn.figures[key] for key in FIGURES}
    ends = drawn.intervals
    return {key: PanelFigure(of.estimate, drawn.shown(key), ends[key]) for key, of in found.items()}


Mean = Callable[[FloatArray, FloatArray], float]
"""A figure of ratings by how often each recording and each listener counts; NaN where nothing is left."""


def mean_intervals(
    figures: Sequence[Mean], people: Sequence[str], listeners: int, settings: BootstrapSettings
) -> list[Interval | None]:
    """Intervals of means; `people` speak in the recordings. None with fewer than three speakers."""
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
