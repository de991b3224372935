"""Trials between named speakers."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.similarity_cases import ids, ordered_by_name
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials, TrialSide
from zebra_core.evidence.trials import Trials

ENROL = ["a", "b", "a", "b", "a"]
TEST = ["a1", "a1", "b1", "b1", "x1"]
TARGET = [True, False, False, True, False]


def trials(is_target: list[bool] = TARGET) -> Trials:
    """Whose speakers are in the order of their names, by which a hand works."""
    return ordered_by_name(Trials(np.arange(5.0), np.array(is_target), ids(ENROL), ids(TEST)))


def test_a_test_segment_belongs_to_the_speaker_of_its_target_trial() -> None:
    found = SpeakerTrials.of_trials(trials())
    assert found.speakers == ("a", "b")
    assert found.enrolled.tolist() == [0, 1, 0, 1, 0]
    assert found.heard.tolist() == [0, 0, 1, 1, NOBODY_KNOWN]


def test_a_map_says_more() -> None:
    found = SpeakerTrials.of_trials(trials(), {"a1": "a", "b1": "b", "x1": "x"})
    assert (found.speakers, found.heard.tolist()) == (("a", "b", "x"), [0, 0, 1, 1, 2])


def test_enrolments_may_be_segments_of_the_map() -> None:
    made = Trials(
        np.arange(3.0), np.array([True, False, False]), ids(["a0", "b0", "a0"]), ids(["a1", "a1", "b1"])
    )
    found = SpeakerTrials.of_trials(made, {"a0": "a", "b0": "b", "a1": "a", "b1": "b"})
    assert (found.enrolled.tolist(), found.heard.tolist()) == ([0, 1, 0], [0, 0, 1])


def test_a_rule_reads_the_speakers_off_both_ids() -> None:
    enrol, test = ids(["a/0", "b/0", "a/9"]), ids(["a/1", "a/1", "a/1"])
    made = Trials(np.arange(3.0), np.array([True, False, True]), enrol, test)
    found = SpeakerTrials.of_trials(ordered_by_name(made), SpeakerRule.FIRST_FOLDER)
    assert (found.speakers, found.enrolled.tolist(), found.heard.tolist()) == (("a", "b"), [0, 1, 0], [0] * 3)
    with pytest.raises(InputError, match="“a/9 a/1” compares different speakers"):
        SpeakerTrials.of_trials(made)


@pytest.mark.parametrize(
    ("speaker_of", "is_target", "sentence"),
    [
        pytest.param({"a1": "b"}, TARGET, "The target trial “a a1” compares different speakers", id="by map"),
        pytest.param(
            {"x1": "a"},
            TARGET,
            "The nontarget trial “a x1” compares a with themselves",
            id="nontarget by map",
        ),
        pytest.param(None, [True, True, False, True, False], "The target trial “b a1”", id="target of two"),
    ],
)
def test_labels_that_contradict_the_speakers_are_refused(
    speaker_of: dict[str, str] | None, is_target: list[bool], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        SpeakerTrials.of_trials(trials(is_target), speaker_of)
    assert str(caught.value).startswith(sentence)


def test_trials_without_ids_have_no_speakers() -> None:
    with pytest.raises(InputError, match="nothing can be said about speakers"):
        SpeakerTrials.of_trials(Trials.from_scores([1.0], [0.0]))


@pytest.mark.parametrize(
    ("side", "count", "total"),
    [
        (TrialSide.ENROLLED, [3.0, 2.0], [0.0 + 2.0 + 4.0, 1.0 + 3.0]),
        (TrialSide.HEARD, [2.0, 2.0], [0.0 + 1.0, 2.0 + 3.0]),
        (TrialSide.EITHER, [4.0, 3.0], [0.0 + 1.0 + 2.0 + 4.0, 1.0 + 2.0 + 3.0]),
    ],
)
def test_sums_worked_by_hand(side: TrialSide, count: list[float], total: list[float]) -> None:
    found = SpeakerTrials.of_trials(trials())
    everything = np.ones(5, dtype=np.bool_)
    assert found.sums_by_speaker(everything, side)[:, 0].tolist() == count
    assert found.sums_by_speaker(everything, side, found.score)[:, 0].tolist() == total
    parity = np.arange(5) % 2
    by_group = found.sums_by_speaker(everything, side, found.score, parity, 2)
    assert by_group.sum(axis=1).tolist() == total
    assert by_group[0, 1] == (0.0 if side is TrialSide.ENROLLED else 1.0)


def test_both_orders_turn_every_pair_where_neither_side_is_special() -> None:
    first, second = np.array([0, 1], dtype=np.int32), np.array([1, 0], dtype=np.int32)
    once = SpeakerTrials(
        speakers=("a", "b"),
        enrol=ids(["a1", "b1"]),
        test=ids(["b1", "a2"]),
        speaker_of_enrol=first,
        speaker_of_test=second,
        score=np.array([1.0, 2.0]),
        is_target=np.array([False, False]),
        mutual=True,
    )
    both = once.both_orders()
    pairs = [(both.enrol[k], both.test[k], both.score[k]) for k in range(4)]
    assert pairs == [("a1", "b1", 1.0), ("b1", "a2", 2.0), ("b1", "a1", 1.0), ("a2", "b1", 2.0)]
    assert both.enrolled.tolist() == [0, 1, 1, 0]
    assert both.heard.tolist() == [1, 0, 0, 1]
    assert both.both_orders() is both
    everything = np.ones(2, dtype=np.bool_)
    assert once.sums_by_speaker(everything, TrialSide.HEARD)[:, 0].tolist() == [2.0, 2.0]


def test_recordings_of_a_session_are_one_segment_on_either_side() -> None:
    """Ann's 1 and 2 are of one session, her 3 of another; ben's session of the same name is his own."""
    given = Trials.from_arrays(
        score=[1.0, 2.0, 3.0, 4.0],
        is_target=[True, True, False, False],
        enrol=["ann-x-1", "ann-x-2", "ben-x-1", "ben-x-1"],
        test=["ann-x-2", "ann-y-3", "ann-x-1", "ann-y-3"],
    )
    speakers = {name: name[:3] for name in ("ann-x-1", "ann-x-2", "ann-y-3", "ben-x-1")}
    sessions = {name: name[4] for name in speakers}
    found = SpeakerTrials.of_trials(given, speakers).in_sessions(sessions)
    assert found.enrol.codes.tolist() == [0, 0, 1, 1]
    assert found.test.codes.tolist() == [0, 1, 0, 1]
    assert [found.speakers[code] for code in found.speaker_of_test] == ["ann", "ann"]
    assert (found.score.tolist(), found.enrol.names[0]) == ([1.0, 2.0, 3.0, 4.0], found.test.names[0])


def test_a_speaker_takes_part_on_either_side_and_a_stranger_on_none() -> None:
    found = SpeakerTrials.of_trials(trials(), {"a1": "a", "b1": "b", "x1": "x"})
    assert found.taken_part_in("a").tolist() == [True, True, True, False, True]
    assert found.taken_part_in("x").tolist() == [False, False, False, False, True]
    assert not found.taken_part_in("nobody").any()


def test_trials_are_known_by_all_that_is_in_them() -> None:
    one = SpeakerTrials.of_trials(trials())
    assert SpeakerTrials.of_trials(trials()).digest == one.digest
    others = [
        replace(one, score=one.score + 1.0),
        replace(one, is_target=~one.is_target),
        replace(one, enrol=replace(one.enrol, codes=np.roll(one.enrol.codes, 1))),
        replace(one, test=replace(one.test, codes=np.roll(one.test.codes, 1))),
        replace(one, enrol=replace(one.enrol, names=tuple(f"{name}x" for name in one.enrol.names))),
        replace(one, test=replace(one.test, names=tuple(f"{name}x" for name in one.test.names))),
        replace(one, speakers=tuple(f"{name}x" for name in one.speakers)),
        replace(one, speaker_of_enrol=one.speaker_of_enrol[::-1]),
        replace(one, speaker_of_test=one.speaker_of_test[::-1]),
        replace(one, mutual=True),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 1 + len(others)
