"""Intervals of figures that are made of sums over rows: word error rates, mean ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.chance.resampling import draw
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Interval, percentile
from zebra_core.uncertainty.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS


class WeightedFigure(NamedTuple):
    """A figure by how often each row counts, (rows,), and its range; NaN where it cannot be measured."""

    of: Callable[[FloatArray], float]
    lowest: float
    highest: float


class SpeakersOfRows:
    """The speakers of each row: one, or two where voices were compared.

    A row of two speakers counts as often as both were drawn, as in `resampling`; of one, as that one.
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        names = sorted({name for row in rows for name in row})
        if len(names) < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=len(names), fewest=FEWEST_CLUSTERS)
        number = {name: n for n, name in enumerate(names)}
        self.n = len(names)
        self._first = np.array([number[row[0]] for row in rows])
        self._second = np.array([number[row[1]] if len(set(row)) > 1 else self.n for row in rows])

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """A remark that few speakers make rough intervals; none where there are enough."""
        few = Remark("uncertainty-few-speakers", {"count": self.n}, Severity.WARNING)
        return (few,) if self.n < FEW_CLUSTERS else ()

    def intervals(
        self, figures: Sequence[WeightedFigure], settings: BootstrapSettings
    ) -> list[Interval | None]:
        """The expanded percentiles of each figure; None where no draw differs, which says nothing."""
        rng = generator(settings.seed, Purpose.UTILITY)
        stratum = np.zeros(self.n, dtype=np.int64)
        draws = np.empty((settings.replicates, len(figures)))
        for row in draws:
            times = np.append(draw(stratum, rng), 1)
            counts = (times[self._first] * times[self._second]).astype(np.float64)
            row[:] = [figure.of(counts) for figure in figures]
        ends = zip(figures, draws.T, strict=True)
        return [_interval(column, settings.level, self.n, figure) for figure, column in ends]


def _interval(draws: FloatArray, level: float, n: int, figure: WeightedFigure) -> Interval | None:
    there = draws[~np.isnan(draws)]
    if not len(there) or there.min() == there.max():
        return None
    low, high = percentile(there, level, n)
    return Interval(max(float(low), figure.lowest), min(float(high), figure.highest))
