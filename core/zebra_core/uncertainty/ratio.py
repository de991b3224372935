"""Ratios of sums over speakers, such as errors to words, and means of several, with draws of the speakers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.evidence.trials import CodeArray, FloatArray
from zebra_core.metrics.chance.seeds import Purpose, draw_often, generator, left_out
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import IntervalScale
from zebra_core.uncertainty.resampling import FigureDraws, rate_draws

Sums = tuple[tuple[float, float], ...]
"""For each speaker what is counted, and of how much: errors and words, ratings and how many they are."""


def ratio_draws(
    sums: Sums, settings: BootstrapSettings, lowest: float, highest: float, *, is_rate: bool
) -> FigureDraws:
    """The ratio of the sums of at least one speaker, drawn with all that is theirs.

    A rate ends at 0 and spreads evenly on its logarithm; a mean rating spreads evenly as it is.
    """
    above, below = np.array(sums, dtype=np.float64).T
    n = len(sums)
    rng, stratum = generator(settings.seed, Purpose.UTILITY), np.zeros(n, dtype=np.int64)
    lots = draw_often(stratum, rng, settings.replicates), np.array(list(left_out(n)))
    drawn, left = ((times @ above) / (times @ below) for times in lots)
    scale = IntervalScale.LOG if is_rate else None
    estimate = float(above.sum() / below.sum())
    return FigureDraws(estimate, drawn, left, n, False, lowest, highest, scale)


def average_recall_draws(
    by_speaker: Sequence[Sequence[tuple[int, int]]], settings: BootstrapSettings
) -> FigureDraws | None:
    """The unweighted average recall with draws of the speakers; None where no draw has all values.

    For each speaker and value how many recordings there are, and how many were told. A speaker is drawn with
    all their recordings; draws in which nobody has a value are left out.
    """
    counts = np.array(by_speaker, dtype=np.float64)  # (speakers, values, 2)
    n = len(counts)
    rng, stratum = generator(settings.seed, Purpose.UTILITY), np.zeros(n, dtype=np.int64)

    def recall(times: CodeArray) -> FloatArray:
        there, told = np.moveaxis(np.tensordot(times.astype(np.float64), counts, 1), -1, 0)
        shares = np.divide(told, there, out=np.full(there.shape, np.nan), where=there > 0.0)
        return np.asarray(shares.mean(axis=1))

    drawn = recall(draw_often(stratum, rng, settings.replicates))
    left = recall(np.array(list(left_out(n))))
    return rate_draws(float(recall(np.ones((1, n), np.int32))[0]), drawn, left, n)
