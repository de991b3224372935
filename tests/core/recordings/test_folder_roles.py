"""What dropped folders are taken for: versions of the same speech, originals, protected copies."""

import shutil
import time
from pathlib import PurePosixPath

import pytest

import zebra_resources
from tests.core.recordings.samples import tone, write
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.folder import Recording, SoundFolder
from zebra_core.recordings.folder_roles import (
    FolderRole,
    find_lesson,
    find_versions,
    hold_recordings,
    safeguard_name,
)
from zebra_core.recordings.overview import RecordingChoices, overview

DEMO = zebra_resources.path("recordings")


def folders(top, *names, files=("a/1.wav", "a/2.wav", "b/1.wav")):
    """Folders with recordings of the same names."""
    for name in names:
        for file in files:
            write(top / name / file, tone(0.1))
    return [top / name for name in names]


def roles(dropped):
    return {one.top.name: one.role for one in dropped.versions}


def test_a_folder_of_versions_is_told_by_their_names_and_what_is_no_sound_is_left_alone():
    found = find_versions([DEMO])

    assert roles(found) == {"original": FolderRole.ORIGINAL, "B2": FolderRole.PROTECTED}
    assert [len(one.folder.recordings) for one in found.versions] == [30, 30]
    assert found.divisible == (DEMO,)
    assert found.others == (DEMO / "README.md",)


def test_a_folder_given_along_with_the_one_it_is_in_counts_once():
    assert roles(find_versions([DEMO, DEMO / "B2"])) == {
        "original": FolderRole.ORIGINAL,
        "B2": FolderRole.PROTECTED,
    }
    assert len(find_versions([DEMO, DEMO / "B2"]).versions) == 2


def test_a_user_may_say_that_the_folders_are_no_versions():
    found = find_versions([DEMO], {DEMO: False})

    assert [(one.top, len(one.folder.recordings)) for one in found.versions] == [(DEMO, 60)]
    assert found.divided == frozenset()


def test_folders_of_speakers_with_the_same_file_names_are_one_version_unless_a_user_says_otherwise(tmp_path):
    folders(tmp_path, "p1", "p2", files=("1.wav", "2.wav"))

    assert roles(find_versions([tmp_path])) == {tmp_path.name: FolderRole.ORIGINAL}
    assert roles(find_versions([tmp_path], {tmp_path: True})) == {"p1": None, "p2": None}


def test_versions_are_told_by_the_names_of_their_folders_where_no_copy_is_called_as_its_original(tmp_path):
    folders(tmp_path, "original", files=("a/1.wav", "b/2.wav"))
    folders(tmp_path, "anon", files=("a/anon_1.wav", "b/anon_2.wav"))

    assert roles(find_versions([tmp_path])) == {"original": FolderRole.ORIGINAL, "anon": FolderRole.PROTECTED}


def test_very_many_folders_are_gone_through_once(tmp_path, monkeypatch):
    places = [PurePosixPath(f"p{n % 1000}/{n}.wav") for n in range(20_000)]
    whole = SoundFolder(tmp_path, tuple(Recording(tmp_path / one, one) for one in places), (), (), ())
    monkeypatch.setattr("zebra_core.recordings.folder_roles.look_into", lambda _path, _watch: whole)
    began = time.process_time()
    found = find_versions([tmp_path], {tmp_path: True})

    assert time.process_time() - began < 3.0  # each folder against each recording took half a minute
    assert [len(one.folder.recordings) for one in found.versions] == [20_000]


def test_nothing_is_guessed_where_no_name_tells_the_originals(tmp_path):
    assert roles(find_versions(folders(tmp_path, "x", "y"))) == {"x": None, "y": None}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("clean", "x"), {"clean": FolderRole.ORIGINAL, "x": FolderRole.PROTECTED}),
        (("x", "anon-2"), {"x": FolderRole.ORIGINAL, "anon-2": FolderRole.PROTECTED}),
        (("orig", "original"), {"orig": None, "original": None}),
        (("x",), {"x": FolderRole.ORIGINAL}),
    ],
)
def test_one_known_folder_tells_the_others(tmp_path, names, expected):
    assert roles(find_versions(folders(tmp_path, *names))) == expected


def test_lists_beside_the_recordings_are_found(tmp_path):
    [folder] = folders(tmp_path, "x")
    for name in ("utt2spk", "spk2gender", "text", "speakers.csv", "letter.txt"):
        (folder / name).write_text("1 a\n")
    found = find_versions([folder])

    assert set(found.lists) == {folder / "utt2spk", folder / "speakers.csv"}
    assert (found.sex, found.transcripts) == (folder / "spk2gender", None)  # it has the words of that folder
    assert found.others == (folder / "letter.txt",)


def test_sound_is_recognised_by_content_and_not_by_name(tmp_path):
    (tmp_path / "letter.wav").write_text("dear all")
    assert not hold_recordings([tmp_path])

    shutil.copy(DEMO / "original/3331/3331-159605-0005.flac", tmp_path / "anything")
    assert hold_recordings([tmp_path])
    assert not hold_recordings([tmp_path / "anything"])


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("B2", "B2"),
        ("my system", "my system"),
        ("anon", "safeguard-anon"),
        ("…", "safeguard"),
        ("f", "safeguard-f"),
    ],
)
def test_a_safeguard_is_called_after_its_folder_as_far_as_that_may_be(folder, name):
    assert safeguard_name(folder) == name


def test_two_folders_of_the_same_name_are_told_apart():
    assert safeguard_name("B2", ["B2"]) == "B2-2"


def delivery(top, originals, copies):
    for place in (*originals, *copies):
        write(top / place, tone(0.1))
    return top


CALLS = [f"Calls/agent{a}/agent{a}_call{n}.wav" for a in (1, 2) for n in (1, 2)]
COPIES = [f"Anonymised/agent{a}_call{n}_anon.wav" for a in (1, 2) for n in (1, 2)]


def test_a_folder_with_both_folders_is_one_of_versions_whose_names_differ(tmp_path):
    found = find_versions([delivery(tmp_path, CALLS, COPIES)])

    assert roles(found) == {"Calls": FolderRole.ORIGINAL, "Anonymised": FolderRole.PROTECTED}
    assert (found.divided, found.undecided) == ({tmp_path}, ())


def test_two_folders_that_may_be_versions_or_speakers_are_asked_about_before_anything_is_heard(tmp_path):
    top = delivery(
        tmp_path,
        CALLS,
        [place.replace("Anonymised", "Vendor") for place in COPIES],
    )
    found = find_versions([top])
    seen = overview(found, RecordingChoices(), {})
    assert found.undecided == (top,)
    assert (seen.source, seen.request) == (None, None)
    assert seen.lacking[0] == (
        f"What are the folders in {top.name}: versions of the same recordings, or speakers? Choose."
    )

    told = find_versions([top], {top: True})
    assert [one.top.name for one in told.versions] == ["Calls", "Vendor"]
    assert told.undecided == ()


def test_a_table_beside_dropped_folders_is_found(tmp_path):
    delivery(tmp_path, CALLS, COPIES)
    (tmp_path / "calls.csv").write_text("Call;Agent\n")
    (tmp_path / "notes.txt").write_text("none")
    found = find_versions([tmp_path / "Calls", tmp_path / "Anonymised"])

    assert found.lists == (tmp_path / "calls.csv",)
    assert found.others == ()


@pytest.mark.parametrize(
    ("folders", "files"),
    [
        (("Calls", "Delivery"), ("a1.wav", "b2.wav")),  # whatever their names have in common
        (("anon1", "anon2", "anon3", "anon4"), ("1.wav", "2.wav")),  # people, or safeguards
        (("A", "B", "C", "D", "E"), ("agent1/1.wav", "agent2/1.wav")),
    ],
)
def test_folders_that_may_be_versions_or_speakers_are_not_decided(tmp_path, folders, files):
    delivery(tmp_path, [f"{folder}/{place}" for folder in folders for place in files], [])

    assert find_versions([tmp_path]).undecided == (tmp_path,)


def test_a_folder_that_is_called_clean_among_other_words_says_nothing(tmp_path):
    delivery(tmp_path, ["Calls/a.wav", "Calls/b.wav"], ["clean voice/a.wav", "clean voice/b.wav"])
    found = find_versions([tmp_path / "Calls", tmp_path / "clean voice"])

    assert roles(found) == {"Calls": None, "clean voice": None}


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("Lieferung März – geprüft", "Lieferung Maerz-geprueft"),
        ("Großes Übermaß", "Grosses Uebermass"),
        ("protégé nº 2", "protege n-2"),
    ],
)
def test_a_folder_with_umlauts_gives_its_safeguard_its_name(folder, name):
    assert safeguard_name(folder) == name


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
