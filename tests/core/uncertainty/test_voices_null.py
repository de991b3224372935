"""What the diagonal would show without disclosure."""

import numpy as np
import pytest

from tests.core.similarity_cases import random_rows, scores, segments
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.uncertainty.no_disclosure import NoDisclosure
from zebra_core.uncertainty.voices import dominance_without_disclosure


def setting(gap: float, *, mutual: bool, seed: int = 0) -> SpeakerTrials:
    spoken = segments(6, 3)
    rows = random_rows(spoken, seed, ordered=not mutual, gap=gap)
    given = SpokenSegments.of(scores(rows), spoken)
    return given.trials(tuple(sorted(given.speakers)), mutual=mutual)


def found_in(trials: SpeakerTrials, replicates: int = 49) -> NoDisclosure:
    found = dominance_without_disclosure({"op": (trials, replicates)})
    assert found is not None
    return found


@pytest.mark.parametrize("mutual", [True, False], ids=["PP", "OP"])
def test_alike_voices_stand_out_beyond_chance(mutual: bool) -> None:
    found = found_in(setting(3.0, mutual=mutual))
    name = "d_diag_op"
    assert found.p_value(name) == 0.02
    assert 0.0 <= found.median(name) < found.one_in_twenty(name) < found.observed[name]


@pytest.mark.parametrize("mutual", [True, False], ids=["PP", "OP"])
def test_p_values_are_about_uniform_without_disclosure(mutual: bool) -> None:
    """Of 60 sets of noise: means of uniform values have the standard error 0.29/√60 = 0.037."""
    found = [found_in(setting(0.0, mutual=mutual, seed=seed), 19) for seed in range(60)]
    assert np.mean([one.p_value("d_diag_op") for one in found]) == pytest.approx(0.525, abs=0.13)


def test_stopped_it_keeps_what_there_is_from_twenty_sets_on() -> None:
    trials = setting(1.0, mutual=True)
    found = dominance_without_disclosure({"op": (trials, 49)}, on_progress=stop_after(0.5))
    assert found is not None
    assert len(found.draws["d_diag_op"]) == 25
    with pytest.raises(Cancelled):
        dominance_without_disclosure({"op": (trials, 30)}, on_progress=stop_after(0.5))


def test_one_speaker_has_no_diagonal() -> None:
    spoken = segments(1, 4)
    given = SpokenSegments.of(scores(random_rows(spoken, 0, ordered=False)), spoken)
    assert dominance_without_disclosure({"pp": (given.trials(("s0",), mutual=True), 199)}) is None
