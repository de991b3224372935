"""What rules look at that hear no voice: parts of ids, what both sides share, and how close they are."""

import numpy as np

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.design import (
    Clue,
    closer,
    id_parts,
    same_recording,
    shared,
    speaker_by_id,
    speakers_named,
)


def trials(*rows: tuple[str, str, bool]) -> Trials:
    enrol, test = (tuple(dict.fromkeys(row[k] for row in rows)) for k in (0, 1))
    codes = [
        np.array([names.index(row[k]) for row in rows], np.int32) for k, names in ((0, enrol), (1, test))
    ]
    label = np.array([row[2] for row in rows])
    return Trials(label * 1.0, label, Ids(codes[0], enrol), Ids(codes[1], test))


def speakers(*names: str) -> dict[str, int]:
    """By what stands before the first mark."""
    who = [name.replace("/", "-").replace("_", "-").split("-")[0] for name in names]
    return {name: sorted(set(who)).index(one) for name, one in zip(names, who, strict=True)}


def test_a_chapter_is_a_session_and_neither_the_speaker_nor_the_number_of_the_utterance() -> None:
    names = ("1272-128104-0000", "1272-128104-0001", "1272-135031-0000", "1462-170138-0000")
    (part,) = id_parts(speakers(*names)).parts
    assert list(part.values()) == ["128104", "128104", "135031", "170138"]


def test_a_speaker_is_no_session_whatever_their_name_is_made_of() -> None:
    for names in (
        ("p225_001", "p225_002", "p226_001"),
        ("p225_mic1_001", "p225_mic1_002", "p226_mic1_001"),  # the same in all ids
        ("a-f-001", "a-f-002", "b-f-001", "c-m-001"),  # a sex
        ("a", "b"),
    ):
        assert id_parts(speakers(*names)) == id_parts({})


def test_one_session_for_each_speaker_cannot_be_told_from_them() -> None:
    found = id_parts(speakers("1272-128104-0000", "1272-128104-0001", "1462-170138-0000"))
    assert (found.parts, found.is_one_session) == ((), True)


def test_ids_of_other_lengths_are_looked_at_as_far_as_all_go() -> None:
    names = ("a/x/1.wav", "a/y/2.wav", "b/x/3.wav", "c")
    assert id_parts(speakers(*names)).parts == ()
    (part,) = id_parts(speakers(*names[:3])).parts
    assert list(part.values()) == ["x", "y", "x"]


def test_a_model_shares_what_any_of_its_recordings_has() -> None:
    made = trials(("A", "a3", True), ("A", "b3", False), ("B", "a3", False), ("C", "a3", False))
    members = {"A": ("a1", "a2"), "B": ("b1",), "C": ("c1",)}
    texts = {"a1": "yes", "a2": "no", "b1": "maybe", "a3": "no", "b3": "maybe"}
    value = shared(Clue.TEXT, made, texts, members).value
    np.testing.assert_array_equal(value, [1.0, 0.0, 0.0, np.nan])


def test_closeness_is_measured_from_the_mean_of_a_model() -> None:
    made = trials(("A", "a3", True), ("A", "b3", False))
    value = closer(Clue.LEVEL, made, {"a1": -20.0, "a2": -30.0}, {"a3": -26.0}, {"A": ("a1", "a2")}).value
    np.testing.assert_array_equal(value, [-1.0, np.nan])


def test_the_part_that_names_speakers_is_found_by_the_labels() -> None:
    """Targets stay within one day, so they alone do not say that a of day 1 is a of day 2."""
    rows = [("a-1-x", "a-1-y", True), ("a-2-x", "a-2-y", True), ("a-1-x", "b-1-y", False)]
    assert {name: who for name, who in speakers_named(trials(*rows)).items() if who == "b"} == {"b-1-y": "b"}
    assert speakers_named(trials(*rows, ("a-2-x", "a-1-y", False))) == {}


def test_a_recording_against_itself_is_seen_and_everybody_has_their_speaker() -> None:
    made = trials(("a1", "a1", True), ("a1", "b1", False))
    assert same_recording(made, {}).value.tolist() == [1.0, 0.0]
    found = speaker_by_id(made, np.array([0, 0]), np.array([0, 1]), {})
    assert found == {"a1": 0, "b1": 1}
