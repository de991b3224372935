"""A folder that back ends learn from: what is in it is clear, or there is a sentence."""

import pytest

import zebra_resources
from tests.core.recordings.samples import tone, write
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.background import find_lesson
from zebra_core.recordings.folder_roles import find_versions
from zebra_core.recordings.overview import RecordingChoices, overview

DEMO = zebra_resources.path("recordings")


def test_originals_copies_and_speakers_are_found_as_in_a_drop():
    found = find_lesson(DEMO)

    assert (found.lesson.original, found.lesson.protected) == (DEMO / "original", {"B2": DEMO / "B2"})
    assert (found.lesson.speakers, found.count) == (SpeakerRule.FIRST_FOLDER, 30)


def test_of_copies_under_a_safeguard_that_is_not_compared_nothing_is_learnt():
    found = find_lesson(DEMO)

    assert found.for_safeguards(["other"]).protected == {}
    assert found.summary(["other"]).endswith(
        "Nothing is learnt from the copies under B2, because no folder that is compared has this name."
    )
    assert found.summary(["B2"]).endswith(" There are also copies under B2.")


def test_a_request_has_the_lesson_unless_the_cosine_alone_is_asked_for():
    dropped = find_versions([DEMO])
    choices = RecordingChoices(training=find_lesson(DEMO))
    found = overview(dropped, choices, {})

    assert found.request.training == choices.training.lesson
    assert found.count_heard == 60 + 60
    alone = overview(dropped, RecordingChoices(training=choices.training, attacker=AttackerChoice.COSINE), {})
    assert alone.request.training is None


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        (("one/a-1.wav", "two/a-1.wav"), "It is not clear who speaks"),
        (("original/a-1.wav", "raw/a-1.wav"), "It is not clear which recordings in top are original"),
        (("a.wav", "b.wav"), "It is not clear who speaks"),
        ((), "It is not clear which recordings in top are original"),
    ],
)
def test_what_is_not_clear_has_a_sentence(tmp_path, places, sentence):
    (tmp_path / "top").mkdir()
    for number, place in enumerate(places):
        write(tmp_path / "top" / place, tone(1.0, hertz=200.0 + number))

    with pytest.raises(InputError, match=sentence):
        find_lesson(tmp_path / "top")


def test_words_of_a_copy_are_not_taken_for_those_of_the_original(tmp_path):
    for version in ("B2", "original"):
        for name in ("a-1", "a-2", "b-1", "b-2"):
            write(tmp_path / version / f"{name}.wav", tone(1.0))
        (tmp_path / version / "text").write_text(f"a-1 {version}\n", encoding="utf-8")
    for paths in ([tmp_path], [tmp_path / "B2", tmp_path / "original"]):
        dropped = find_versions(paths)
        found = overview(dropped, RecordingChoices(), {})

        assert (dropped.transcripts, dropped.others) == (None, ())
        assert found.request.transcripts == tmp_path / "original" / "text"
        assert "text has the words of 1 of 4 recordings." in found.sentences


def test_a_file_of_words_that_cannot_be_read_has_a_sentence(tmp_path):
    (tmp_path / "words").write_text("a\na\n", encoding="utf-8")
    found = overview(find_versions([DEMO]), RecordingChoices(transcripts=tmp_path / "words"), {})

    assert found.request is None
    assert "words, line 2" in found.lacking[0]
