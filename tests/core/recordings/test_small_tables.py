"""Transcripts beside recordings: what was said, and what was understood of protected speech."""

import pytest

from tests.core.recordings.test_attacks import arena
from zebra_core.errors import InputError
from zebra_core.recordings.attacks import AttackerChoice, attacks_on
from zebra_core.recordings.layout import folder_of, write_words
from zebra_core.recordings.small_tables import beside, is_copy, read_transcripts


def test_an_utterance_of_which_nothing_was_understood_stays(tmp_path):
    (tmp_path / "text").write_text("a SO  IT IS\nb\n\nc no\n")
    assert beside(tmp_path) == {"a": "SO IT IS", "b": "", "c": "no"}
    assert beside(tmp_path / "elsewhere") == {}


def test_an_utterance_that_comes_twice_is_refused(tmp_path):
    (tmp_path / "text").write_text("a so\nb it\na is\n")
    with pytest.raises(InputError, match="text, line 3: the utterance a already stands in line 1"):
        read_transcripts(tmp_path / "text")


def test_what_was_copied_along_with_recordings_was_understood_by_nobody():
    said = {"a": "so it is", "b": "no"}
    assert is_copy(said, {"a": "so it is"})
    assert not is_copy(said, {"a": "so it is", "b": "know"})
    assert not is_copy({}, {"a": "so it is"})


def test_what_was_understood_lies_beside_the_scores_in_the_order_of_the_trials(tmp_path):
    stage = arena(10)
    attack = attacks_on(["B2"], AttackerChoice.COSINE)[1]
    (tmp_path / folder_of(attack)).mkdir(parents=True)
    first, second = stage.trials.ids[:2]
    [placed] = write_words(tmp_path, attack, stage.trials, {second: "no", "x": "y", first: "so"})

    assert placed.path == tmp_path / folder_of(attack) / "text"
    assert placed.path.read_text() == f"{first} so\n{second} no\n"
    assert write_words(tmp_path, attack, stage.trials, {}) == []
