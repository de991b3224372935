"""One figure with its bootstrap draws: its interval, what it is without bias, whether it differs from 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.uncertainty.intervals import Interval, Method, bca, corrected, jackknife_bias, percentile


@dataclass(frozen=True, eq=False)
class FigureDraws:
    """The plain figure, its draws (R,), and its values with one cluster of `n_clusters` left out (g,).

    NaN stands where a draw could not measure it. `optimistic` figures come from the plain PAV, which makes
    them look better for the adversary than they are. No interval leaves the range from `lowest` to `highest`.
    """

    estimate: float
    draws: FloatArray
    left_out: FloatArray
    n_clusters: int
    optimistic: bool = False
    lowest: float = -np.inf
    highest: float = np.inf

    def interval(self, level: float, method: Method = Method.CORRECTED, first: int | None = None) -> Interval:
        """The interval at this level; `first` takes so many draws only.

        Method.CORRECTED moves what is optimistic, and takes plain percentiles for the rest.
        """
        draws = self.draws[:first]
        if method is Method.BCA:
            return bca(self.estimate, draws, self.left_out, level)
        if method is Method.CORRECTED and self.optimistic:
            ends = corrected(
                self.estimate, draws, self.left_out, level, self.n_clusters, self.lowest, self.highest
            )
        else:
            ends = percentile(draws, level, self.n_clusters)
        return Interval(*(self._in_range(float(end)) for end in ends))

    @property
    def corrected(self) -> float:
        """The figure without the PAV's optimism (`intervals.jackknife_bias`); others as they are."""
        return self._in_range(self.estimate - self._bias)

    @property
    def standard_error(self) -> float:
        """The standard deviation of the draws."""
        return float(np.nanstd(self.draws, ddof=1))

    def minus(self, other: FigureDraws) -> FigureDraws:
        """The difference of two figures whose draws and left-out values are pairs."""
        n = min(len(self.draws), len(other.draws))
        return FigureDraws(
            self.estimate - other.estimate,
            self.draws[:n] - other.draws[:n],
            self.left_out - other.left_out,
            self.n_clusters,
            self.optimistic or other.optimistic,
        )

    @property
    def p_value_of_zero(self) -> float:
        """How probable a value at least as far from 0 were, if the true one were 0: two-sided, above 0.

        The draws are moved to where their mean is 0, as the hypothesis has it, and (1 + those at least as
        far out)/(1 + R) of them count. Ref: Hall and Wilson 1991, "Two guidelines for bootstrap hypothesis
        testing"; Davison and Hinkley 1997, section 4.4.
        """
        draws = self.draws[~np.isnan(self.draws)]
        if not len(draws):
            return 1.0
        distance = abs(self.estimate - self._bias)
        # Two equal figures differ by rounding alone: then everything is as far from 0.
        as_far = np.count_nonzero(np.abs(draws - draws.mean()) >= distance - 1e-12)
        return float(1 + as_far) / (1 + len(draws))

    @property
    def _bias(self) -> float:
        return float(jackknife_bias(self.estimate, self.left_out)) if self.optimistic else 0.0

    def _in_range(self, value: float) -> float:
        return min(max(value, self.lowest), self.highest)
