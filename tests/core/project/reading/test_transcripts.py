"""Transcripts that come along with scores and keys are counted; copies and what differs are not."""

import pytest

from tests.core.plans import asks_nothing
from tests.core.recordings.test_attacks import arena
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.items import SpeechKey
from zebra_core.project.reading.arrival import arrive, leaves_something_open
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.utility import Utility
from zebra_core.recordings.attacks import attacks_on
from zebra_core.recordings.layout import write_data, write_scores, write_words

KEY = SpeechKey("recordings", "B2")
STAGE = arena(10)
SAID = dict.fromkeys(STAGE.trials.ids, "so it is now")
HEARD = {name: "so was now" if n % 2 else "so it is now" for n, name in enumerate(STAGE.trials.ids)}


def folder_with(top, said, *heard):
    """The scores of attackers on B2, the n-th with what was understood the n-th time."""
    write_data(top, STAGE.trials, {}, said)
    attacks = [one for one in attacks_on(["B2"]) if one.test_protected]
    for attack, words in zip(attacks, heard, strict=False):
        write_scores(top, attack, STAGE.trials, STAGE.attacked(attack).scores)
        write_words(top, attack, STAGE.trials, words)
    return top


def test_what_was_understood_beside_the_scores_is_counted_against_what_was_said(tmp_path):
    found = project_of_folder(folder_with(tmp_path, SAID, HEARD, HEARD))
    words = found.project.utilities[KEY].words

    n = len(SAID)
    # "so it is now" heard as "so was now": one word replaced, one missing, in every second utterance.
    assert (words.substitutions, words.deletions, words.insertions) == (n // 2, n // 2, 0)
    assert words.rate == 0.25
    [told] = map(str, found.remarks)
    assert told.startswith(
        "Word errors of B2, recordings were counted from the transcripts beside the scores"
    )
    assert told.endswith(f": 25.00 % of {4 * n} words.")


def test_a_copy_of_the_reference_is_no_hypothesis(tmp_path):
    found = project_of_folder(folder_with(tmp_path, SAID, SAID))
    assert found.project.utilities == {}
    assert "every word is as in the reference, so it was taken for a copy of it" in str(found.remarks[0])


def test_transcripts_that_differ_are_not_counted_and_told(tmp_path):
    found = project_of_folder(folder_with(tmp_path, SAID, HEARD, dict.fromkeys(SAID, "no")))
    assert found.project.utilities == {}
    assert "several transcripts lie beside the scores, and they differ" in str(found.remarks[0])


def test_a_transcript_that_cannot_be_read_is_told_and_keeps_nothing_else(tmp_path):
    top = folder_with(tmp_path, SAID, HEARD)
    [path] = top.glob("exp/**/text")
    path.write_text(path.read_text() * 2)
    found = project_of_folder(top)
    assert found.project.utilities == {}
    assert len(found.project.entries) == 1
    assert "No word errors were counted. text, line" in str(found.remarks[0])


@pytest.mark.parametrize("words", ["yes", "so it is", "SIX 3 OF THEM, 2.5", "m", "target"])
def test_whatever_they_say_they_are_neither_maps_nor_attributes_and_ask_nothing(tmp_path, words):
    top = folder_with(tmp_path, dict.fromkeys(SAID, words), HEARD)
    made = plan([top])
    assert [source.folders[-1] for source in made.transcripts] == ["text", "text"]
    assert asks_nothing(made)
    assert not leaves_something_open(made)


def test_a_rate_that_is_known_is_not_replaced(tmp_path):
    found = arrive([folder_with(tmp_path, SAID, HEARD)])
    project = project_of_folder(tmp_path).project.with_utility(KEY, Utility.typed(0.5))
    assert project.with_words(found.words.of).utilities[KEY].wer == 0.5
    assert found.words.of[KEY].rate == 0.25


FELT = {name: ("neu", "sad")[number % 2] for number, name in enumerate(SAID)}


def with_emotions(top, guessed):
    """Labels beside the key, what a recogniser said beside the scores of the first attacker."""
    folder_with(top, SAID, HEARD, HEARD)
    lines = ["".join(f"{name} {emotion}\n" for name, emotion in each.items()) for each in (FELT, guessed)]
    [key] = top.glob("data/**/trials")
    scores, *_ = sorted(top.glob("exp/**/text"))
    (key.parent / "utt2emo").write_text(lines[0])
    (scores.parent / "predicted").write_text(lines[1])
    return top


def test_emotions_beside_the_scores_are_compared_with_their_labels(tmp_path):
    guessed = {name: "neu" if number else "sad" for number, name in enumerate(SAID)}  # the first is neutral
    found = project_of_folder(with_emotions(tmp_path, guessed))
    told = found.project.utilities[KEY].emotions
    n = len(SAID)
    neutral = n - n // 2
    assert (told.values, told.counts) == (("neu", "sad"), ((neutral, neutral - 1), (n // 2, 0)))
    assert len(told.by_speaker) > 2
    assert any(f"a UAR of {50.0 * (neutral - 1) / neutral:.2f} %" in str(one) for one in found.remarks)
    assert found.project.utilities[KEY].words is not None


def test_labels_without_predictions_are_told_and_stop_nothing(tmp_path):
    top = with_emotions(tmp_path, FELT)
    [path] = top.glob("exp/**/predicted")
    path.unlink()
    found = project_of_folder(top)
    assert found.project.utilities[KEY].emotions is None
    assert len(found.project.entries) == 2
    assert any("emotions need labels beside the key (utt2emo)" in str(one) for one in found.remarks)


def test_emotions_that_cannot_be_compared_are_told(tmp_path):
    found = project_of_folder(with_emotions(tmp_path, {f"x{k}": "neu" for k in range(9)} | {"y": "sad"}))
    assert any("No recording is in both files" in str(one) for one in found.remarks)
