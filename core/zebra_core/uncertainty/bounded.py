"""A figure with its draws, worked out because a requirement asks for a bound of it."""

from __future__ import annotations

from dataclasses import dataclass

from zebra_core.evidence.remarks import Remark
from zebra_core.uncertainty.draws import FigureDraws


@dataclass(frozen=True, eq=False)
class BoundedFigure:
    """The draws of a figure; None where it cannot be measured in these trials, for the reason `why`.

    `chance` is what guessing reaches, None where nobody guesses.
    """

    draws: FigureDraws | None
    chance: float | None = None
    why: Remark | None = None

    def as_json(self, level: float) -> dict[str, object]:
        """The object in evidence: its value, its interval at this level, and how many draws there are."""
        ends = self.draws.interval(level) if self.draws else None
        return {
            "value": self.draws.estimate if self.draws else None,
            "interval": [ends.low, ends.high] if ends else None,
            "replicates": len(self.draws.draws) if self.draws else None,
            "chance": self.chance,
        }
