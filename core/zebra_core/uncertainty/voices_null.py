"""What the diagonal of a similarity matrix would show if segments said nothing about who speaks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from zebra_core.errors import Cancelled
from zebra_core.evidence.counts import RankedScores
from zebra_core.evidence.ordering import order_of_tests
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.chance.permutation import exchanged
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.similarity import Mean, similarity_matrix
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.no_disclosure import FEWEST_DEALS


@dataclass(frozen=True, eq=False)
class NullDominance:
    """D_diag as it is, and in R sets without disclosure: draws (R,), NaN where one has no diagonal."""

    observed: float
    draws: FloatArray
    seed: int

    @property
    def replicates(self) -> int:
        """How many sets without disclosure there are."""
        return len(self.draws)

    @property
    def median(self) -> float:
        """What half of the sets without disclosure exceed."""
        return float(np.nanmedian(self.draws))

    @property
    def one_in_twenty(self) -> float:
        """What one set without disclosure in twenty exceeds."""
        return float(np.nanquantile(self.draws, 0.95))

    @property
    def n_as_disclosing(self) -> int:
        """How many sets without disclosure show at least as much as the matrix does."""
        return int(np.count_nonzero(self.draws >= self.observed - 1e-12))

    @property
    def p_value(self) -> float:
        """(1 + sets that show at least as much)/(1 + R)."""
        return (1 + self.n_as_disclosing) / (1 + int(np.count_nonzero(~np.isnan(self.draws))))


def dominance_without_disclosure(
    trials: SpeakerTrials,
    mean: Mean = Mean.GEOMETRIC,
    *,
    replicates: int = 199,
    seed: int = 0,
    on_progress: Progress = no_progress,
) -> NullDominance | None:
    """Deal out anew who speaks in which segment, and make the matrix again; None where D_diag is undefined.

    `trials` are those of one setting (`SpokenSegments.trials`). Where neither side is special the speakers
    of all segments are dealt out, otherwise only those of the protected ones, so that every speaker keeps
    the number of segments. They are dealt in an order that follows from the scores, not from their ids. The
    calibration is learnt anew each time, since it adapts to whatever is called
    target. One sort, O(n) a set. Stopped (Cancelled) it returns what there is, if that is at least 20 sets.
    """
    ranked = RankedScores.of(trials.score)
    observed = similarity_matrix(trials, ranked).d_diag(mean)
    if observed is None:
        return None
    heard = _in_order(trials)
    rng = generator(seed, Purpose.NO_DISCLOSURE)
    draws = []
    try:
        for done in range(replicates):
            on_progress(done / replicates)
            found = similarity_matrix(_dealt(trials, heard, rng), ranked).d_diag(mean)
            draws.append(np.nan if found is None else found)
        on_progress(1.0)
    except Cancelled:
        if len(draws) < FEWEST_DEALS:
            raise
    values = np.array(draws)
    return None if np.isnan(values).all() else NullDominance(observed, values, seed)


def _in_order(trials: SpeakerTrials) -> IntArray:
    """The codes of the segments that are dealt out."""
    is_dealt = np.zeros(len(trials.test.names), dtype=np.bool_)
    is_dealt[trials.test.codes] = True
    if trials.mutual:
        is_dealt[trials.enrol.codes] = True
    is_dealt &= trials.speaker_of_test != NOBODY_KNOWN
    order = order_of_tests(trials.enrol, trials.test, trials.score, trials.is_target)
    return order[is_dealt[order]]


def _dealt(trials: SpeakerTrials, heard: IntArray, rng: np.random.Generator) -> SpeakerTrials:
    """The trials with the speakers of the segments of these codes dealt out anew among them."""
    speaker_of_test = trials.speaker_of_test.copy()
    speaker_of_test[heard] = speaker_of_test[heard][exchanged(len(heard), rng)]
    speaker_of_enrol = speaker_of_test if trials.mutual else trials.speaker_of_enrol
    is_target = speaker_of_enrol[trials.enrol.codes] == speaker_of_test[trials.test.codes]
    return replace(
        trials, speaker_of_enrol=speaker_of_enrol, speaker_of_test=speaker_of_test, is_target=is_target
    )
