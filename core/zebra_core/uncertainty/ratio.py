"""A ratio of sums over speakers, such as errors to words, with draws of the speakers."""

from __future__ import annotations

import numpy as np

from zebra_core.metrics.chance.resampling import draw_often, left_out
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.interval_scale import IntervalScale

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
