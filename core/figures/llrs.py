"""Which LLRs a picture shows: those of oracle calibration, or the scores as they are."""

from __future__ import annotations

from enum import Enum

from core.calibration import laplace
from core.counts import ScoreCounts
from core.distributions import oracle_counts
from core.project import Entry
from core.texts import say
from core.zebra import LN10


class Shown(Enum):
    """What is shown of a set of trials."""

    ORACLE_LLRS = "oracle-llrs"  # oracle calibration under Laplace's rule: finite
    SCORES_AS_LLRS = "scores-as-llrs"  # after the settings' meaning; raw scores as if they were LLRs
    SCORES = "scores"  # as the recogniser wrote them, in no unit

    def of(self, entry: Entry) -> ScoreCounts:
        """The values with their counts; LLRs in base 10."""
        found = entry.assessment
        if self is Shown.SCORES:
            return found.counts
        llrs = found.llrs if self is Shown.SCORES_AS_LLRS else oracle_counts(laplace(found.plain))
        return ScoreCounts(llrs.score / LN10, llrs.n_target, llrs.n_nontarget)

    @property
    def axis_label(self) -> str:
        """What is along the axis."""
        return say(f"figure.{self.value}")
