"""Six made-up sets of LLRs whose truth is known, without chance: calibrated, shifted, stretched, shrunk.

LLRs that are normal in both classes with standard deviation d are calibrated where their means are ±d²/2.
The sets are the quantiles of such LLRs, as many of either class, as they are or after a change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import Trials
from zebra_core.metrics.zebra import LN10

_EACH = 1000
"""Trials of each class."""


@dataclass(frozen=True)
class StatedLlrs:
    """Base-10 LLRs handed in as `slope` · x + `shift`, where x is calibrated; `d` is in natural units."""

    name: str
    slope: float = 1.0
    shift: float = 0.0
    d: float = 2.5

    @property
    def trials(self) -> Trials:
        """The base-10 LLRs of 1000 trials of each class: quantiles, so nothing is drawn."""
        from scipy.special import ndtri

        spread = self.d * ndtri((np.arange(_EACH) + 0.5) / _EACH)
        middle = self.d**2 / 2.0
        llr = np.concatenate([spread + middle, spread - middle])
        return Trials(self.slope * llr / LN10 + self.shift, np.arange(2 * _EACH) < _EACH)

    def exceeds(self, log10_lr: float) -> float:
        """The true over-estimation of an LLR handed in, in powers of ten."""
        return log10_lr - (log10_lr - self.shift) / self.slope


CASES = (
    StatedLlrs("neutral", d=0.5),
    StatedLlrs("good"),
    StatedLlrs("shifted up", shift=1.0),
    StatedLlrs("shifted down", shift=-1.0),
    StatedLlrs("stretched", slope=2.0),
    StatedLlrs("shrunk", slope=0.5),
)
