"""One figure with its bootstrap draws: its interval, and what it is without bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.voices import SETTINGS
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.interval_scale import IntervalScale, is_spread, on_scale, without_optimism
from zebra_core.uncertainty.intervals import Interval, corrected, jackknife_bias, percentile
from zebra_core.uncertainty.perfect_separation import RATE_AT_ERROR, AtError, no_narrower
from zebra_core.uncertainty.resampling import FEW_CLUSTERS

BY_SETTING: Mapping[str, tuple[float, float]] = {
    "d_diag": (0.0, 1.0),
    "d_ece_bits": (0.0, FULL_DISCLOSURE_BITS),
    "min_cllr_bits": (0.0, 1.0),
}
"""Figures of one matrix, in this order, named d_diag_oo and so on; with the range that no interval leaves."""

RELATIVE: Mapping[str, tuple[float, float]] = {
    "de_id": (-np.inf, 1.0),
    "g_vd_db": (-np.inf, np.inf),
    "d_ece_op_oo": (-np.inf, 1.0),
    "min_cllr_op_oo": (-np.inf, 1.0),
    "g_d_ece_db": (-np.inf, np.inf),
    "g_cllr_db": (-np.inf, np.inf),
}
"""Figures of two settings, named as those of `VoiceSimilarity`."""

VOICE_FIGURES: Mapping[str, tuple[float, float]] = {
    **{f"{name}_{setting}": ends for name, ends in BY_SETTING.items() for setting in SETTINGS},
    **RELATIVE,
}
"""Everything that is drawn, with its range."""

_AN_END = 0.1  # of the width of an interval: nearer to an end than that is as good as there
_DUST = 1e-12


@dataclass(frozen=True, eq=False)
class FigureDraws:
    """The plain figure, its draws (R,), and its values with one cluster of `n_clusters` left out (g,).

    NaN stands where a draw could not measure it. `optimistic` figures come from the plain PAV, which makes
    them look better for the attacker than they are. No interval leaves the range from `lowest` to `highest`.
    Figures with a `scale` spread about evenly on it. Intervals hold the figure without optimism; where
    `at_error` says what the figure is where some speakers are not recognised, none ends before that of as
    many speakers without any error (`perfect_separation`). With `leads_as_computed` the plain figure stands
    beside the interval, whatever it is corrected: as those do that it is compared with. `figure` is its key,
    and draws of one `set_of_draws` are pairs; both are empty where nobody knows.
    """

    estimate: float
    draws: FloatArray
    left_out: FloatArray
    n_clusters: int
    optimistic: bool = False
    lowest: float = -np.inf
    highest: float = np.inf
    scale: IntervalScale | None = None
    at_error: Sequence[AtError] = ()
    leads_as_computed: bool = False
    figure: str = ""
    set_of_draws: str = ""

    def interval(self, level: float, first: int | None = None) -> Interval:
        """The interval at this level; `first` takes so many draws only.

        Percentiles on the scale of the figure, or plain ones where hardly any speaker errs; where it has no
        scale, percentiles freed of optimism (`intervals.corrected`) if the figure is optimistic.
        """
        found = self._intervals.get((level, first))
        if found is None:
            found = no_narrower(
                self._of_draws(self.draws[:first], level), self.at_error, self.n_clusters, level
            )
            self._intervals[level, first] = found
        return found

    @cached_property
    def _intervals(self) -> dict[tuple[float, int | None], Interval]:
        """Those that were worked out, by level and number of draws: a report shows one in many places."""
        return {}

    def _of_draws(self, draws: FloatArray, level: float) -> Interval:
        there = draws[~np.isnan(draws)]
        if self.scale is not None and is_spread(there, self.scale, self.highest):
            place = self._without_optimism(draws, self.scale)
            return on_scale(place, there, self.left_out, level, self.n_clusters, self.scale, self._range)
        if self.optimistic and self.scale is None:
            low, high = corrected(self.estimate, draws, self.left_out, level, self.n_clusters, *self._range)
        else:
            low, high = percentile(draws, level, self.n_clusters)
            # Where a scale told no spread: outwards only, by what the draws lie beside the figure.
            aside = self.corrected - there.mean() if self.scale is not None else 0.0
            low, high = low + min(aside, 0.0), high + max(aside, 0.0)
        found = self._in_range(float(low)), self._in_range(float(high))
        return Interval(min(found[0], self.corrected), max(found[1], self.corrected))

    def beside(self, interval: Interval) -> float:
        """The value to show beside this interval: the figure without optimism if that is inside, or as it is.

        As it is, too, where that leads, or where the interval does not bear the correction.
        """
        is_corrected = not self.leads_as_computed and self.bears_correction(interval)
        return self.corrected_shown if is_corrected else self._without_dust(self.estimate)

    def bears_correction(self, interval: Interval) -> bool:
        """Whether the figure without optimism may stand beside this interval.

        Not where both are inside, but with few speakers the one without optimism has come to an end of what
        figures can be: so few do not bear out that nothing is disclosed.
        """
        value = self.corrected
        if value not in interval or self.n_clusters >= FEW_CLUSTERS:
            return value in interval
        end = self.lowest if value < self.estimate else self.highest
        came_to_an_end = abs(value - end) < _AN_END * (interval.high - interval.low)
        return not (came_to_an_end and self.estimate in interval)

    def _without_dust(self, value: float) -> float:
        """The end of what figures can be, where rounding alone keeps a value from it: 0 for 1e-16 bit."""
        return next((end for end in self._range if abs(value - end) < _DUST), value)

    @cached_property
    def corrected(self) -> float:
        """The figure without the PAV's optimism, on its scale or by the jackknife; others as they are.

        It lies within its interval.
        """
        if self.scale is not None:
            return self._without_optimism(self.draws, self.scale)
        bias = float(jackknife_bias(self.estimate, self.left_out)) if self.optimistic else 0.0
        return self._in_range(self.estimate - bias)

    @property
    def corrected_shown(self) -> float:
        """The figure without optimism as it is shown: 0 where rounding alone left 1e-16."""
        return self._without_dust(self.corrected)

    @property
    def _range(self) -> tuple[float, float]:
        return self.lowest, self.highest

    def _without_optimism(self, draws: FloatArray, scale: IntervalScale) -> float:
        there = draws[~np.isnan(draws)]
        return without_optimism(self.estimate, there, scale, self._range, optimistic=self.optimistic)

    def _in_range(self, value: float) -> float:
        return min(max(value, self.lowest), self.highest)


def rate_draws(rate: float, draws: FloatArray, left_out: FloatArray, n_people: int) -> FigureDraws | None:
    """A rate of people with its draws, whose interval is made on the logit; None where none was measured."""
    if np.isnan(draws).all():
        return None
    return FigureDraws(rate, draws, left_out, n_people, False, 0.0, 1.0, IntervalScale.LOGIT, RATE_AT_ERROR)


def rate_interval(
    rate: float, draws: FloatArray, left_out: FloatArray, n_people: int, level: float
) -> Interval | None:
    """The interval of `rate_draws` at this level; None where no draw could be measured."""
    found = rate_draws(rate, draws, left_out, n_people)
    return found.interval(level) if found else None
