"""What figures are computed from where trials are drawn or dealt anew: one PAV of them for all figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.calibration import PavBlocks, laplace, pav

ByClass = tuple[FloatArray, FloatArray, FloatArray]
"""Natural-log LLRs with their shares of the target and of the nontarget trials, each of shape (m,)."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Trials as a draw left them, counted by distinct scores or by runs of one class; all have trials.

    What does not follow from counts of runs is given: the cost of the scores as they are, and linkability in
    the bins of the undrawn trials. None where it is not measurable, or nobody computed it.
    """

    counts: ScoreCounts
    cllr_bits: float | None = None
    linkability: float | None = None

    @cached_property
    def plain(self) -> PavBlocks:
        """The plain PAV."""
        return pav(self.counts)

    @cached_property
    def smoothed(self) -> PavBlocks:
        """The PAV under Laplace's rule."""
        return laplace(self.plain)

    @cached_property
    def oracle(self) -> ByClass:
        """The LLRs of the plain PAV."""
        return self.plain.llr, self.plain.target_share, self.plain.nontarget_share
