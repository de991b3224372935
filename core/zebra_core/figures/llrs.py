"""Which LLRs a picture shows: those of oracle calibration, or the scores as they are."""

from __future__ import annotations

from enum import Enum

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.calibration import laplace
from zebra_core.metrics.distributions import oracle_counts
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.wording.texts import say

_FARTHEST = 1e300  # the range of an axis must not overflow


class ShownScores(Enum):
    """What is shown of a set of trials."""

    ORACLE_LLRS = "oracle-llrs"  # oracle calibration under Laplace's rule: finite
    SCORES_AS_LLRS = "scores-as-llrs"  # after the settings' meaning; raw scores as if they were LLRs
    SCORES = "scores"  # as the recogniser wrote them, in no unit

    def of(self, entry: Entry) -> ScoreCounts:
        """The values with their counts, LLRs in base 10; what lies beyond ±1e300 is drawn there."""
        found = entry.assessment
        if self is ShownScores.SCORES:
            values, unit = found.counts, 1.0
        else:
            values = found.llrs if self is ShownScores.SCORES_AS_LLRS else oracle_counts(laplace(found.plain))
            unit = LN10
        places = np.clip(values.score / unit, -_FARTHEST, _FARTHEST)
        return ScoreCounts(places, values.n_target, values.n_nontarget)

    def places_of(self, scores: FloatArray, entry: Entry) -> FloatArray:
        """The values of some of the scores of an entry, in the same order: where `of` has them."""
        found = entry.assessment
        if self is ShownScores.SCORES:
            values, unit = scores, 1.0
        elif self is ShownScores.SCORES_AS_LLRS:
            values, unit = found.llrs.score[np.searchsorted(found.counts.score, scores)], LN10
        else:
            values, unit = Oracle(found.counts, found.plain, laplace(found.plain)).llr(scores), LN10
        return np.clip(values / unit, -_FARTHEST, _FARTHEST)

    def llrs_of(self, entry: Entry) -> ScoreCounts:
        """The values of `of`, which must be LLRs. Raises ValueError for bare scores: that is our mistake."""
        if self is ShownScores.SCORES:
            raise ValueError("bare scores are no LLRs")
        return self.of(entry)

    @property
    def axis_label(self) -> str:
        """What is along the axis."""
        return say(f"figure.{self.value}")
