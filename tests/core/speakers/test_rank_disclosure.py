"""Ranks of the true speaker among all enrolled."""

import numpy as np
import pytest

from tests.core.similarity_cases import Rows, ids, ordered_by_name, random_rows, scores, segments
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.speakers.rank_disclosure import rank_true_speakers

BY_HAND: Rows = [
    ("a", "a1", 3.0), ("b", "a1", 1.0), ("c", "a1", 2.0),
    ("a", "b1", 5.0), ("b", "b1", 4.0), ("c", "b1", 4.0),
    ("a", "c1", 2.0), ("b", "c1", 1.0), ("c", "c1", 0.0),
]  # fmt: skip


def trials(rows: Rows) -> SpeakerTrials:
    enrol, test, score = zip(*rows, strict=True)
    is_target = np.array([e == t[0] for e, t in zip(enrol, test, strict=True)])
    made = Trials(np.array(score), is_target, ids(list(enrol)), ids(list(test)))
    return SpeakerTrials.of_trials(ordered_by_name(made))


def test_ranks_worked_by_hand() -> None:
    """a is first; b is second, tied with c; c is last."""
    found = rank_true_speakers(trials(BY_HAND))
    assert found is not None
    assert found.n_higher.tolist() == [0, 1, 2]
    assert found.n_tied.tolist() == [0, 1, 0]
    assert found.expected_rank.tolist() == [1.0, 2.5, 3.0]
    assert found.cmc() == pytest.approx([1 / 3, 1.5 / 3, 1.0])
    assert (found.mean_ranks()["b"], found.mean_ranks().get("nobody")) == (2.5, None)
    assert found.n_left_out == 0


def test_scores_that_say_nothing_are_no_better_than_chance() -> None:
    found = rank_true_speakers(trials([(e, t, 0.0) for e, t, _ in BY_HAND]))
    assert found is not None
    assert found.cmc() == pytest.approx(found.chance(), rel=1e-15)


def test_a_segment_that_was_not_compared_with_all_is_left_out_and_counted() -> None:
    found = rank_true_speakers(trials(BY_HAND[:-2] + BY_HAND[-1:]))
    assert found is not None
    assert (found.tests, found.n_left_out) == (("a1", "b1"), 1)


def test_where_no_segment_was_compared_with_all_there_are_no_ranks() -> None:
    assert rank_true_speakers(trials([BY_HAND[0], BY_HAND[1], BY_HAND[4], BY_HAND[5]])) is None


@pytest.mark.parametrize("mutual", [True, False], ids=["within a set", "between sets"])
def test_segments_are_ranked_by_the_mean_score_of_each_speaker(mutual: bool) -> None:
    spoken = segments(3, 3)
    rows = random_rows(spoken, 4, ordered=not mutual)
    found = rank_true_speakers(
        SpokenSegments.of(scores(rows), spoken).trials(("s0", "s1", "s2"), mutual=mutual)
    )
    assert found is not None
    assert set(found.tests) == set(spoken)
    for test, higher in zip(found.tests, found.n_higher, strict=True):
        of_speaker: dict[str, list[float]] = {}
        for a, b, score in rows + ([(b, a, score) for a, b, score in rows] if mutual else []):
            if b == test:
                of_speaker.setdefault(spoken[a], []).append(score)
        mean = {speaker: float(np.mean(values)) for speaker, values in of_speaker.items()}
        assert higher == sum(mean[s] > mean[spoken[test]] + 1e-12 for s in mean)
