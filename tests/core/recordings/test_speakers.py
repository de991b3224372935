"""Who speaks is said by a map, a table or a rule, and is never guessed."""

from pathlib import Path, PurePosixPath

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.speakers import read_sex, rule_or_file, who_speaks

PLACES = {"a-1": "ann/a-1.wav", "a-2": "ann/a-2.wav", "b-1": "bob/b-1.flac"}
RECORDINGS = {name: Recording(Path(place), PurePosixPath(place)) for name, place in PLACES.items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("utt2spk", "a-1 ann\na-2 ann\nb-1 bob\n"),
        ("spk2utt", "ann a-1 a-2\nbob b-1 b-2\n"),
        ("who.csv", "File,Speaker,Age\nann/a-1.wav,ann,30\nann/a-2.wav,ann,30\nbob/b-1.flac,bob,40\n"),
        ("who.csv", "spk;utterance\nann;a-1\nann;a-2\nbob;b-1\n"),
        ("who.tsv", "filename\tspeaker_id\na-1.wav\tann\na-2.wav\tann\nb-1.flac\tbob\n"),
    ],
)
def test_a_file_says_who_speaks(put, name, text):
    found = who_speaks(RECORDINGS, put(name, text))

    assert found.speaker == {"a-1": "ann", "a-2": "ann", "b-1": "bob"}
    assert found.unknown == ()


@pytest.mark.parametrize(("rule", "speakers"), [("first-folder", "ann ann bob"), ("before-hyphen", "a a b")])
def test_a_rule_says_who_speaks_and_shows_examples(rule, speakers):
    found = who_speaks(RECORDINGS, rule_or_file(rule))

    assert " ".join(found.speaker.values()) == speakers
    assert found.examples.startswith("ann/a-1.wav → a")


def test_recordings_of_nobody_are_named(put):
    found = who_speaks(RECORDINGS, put("utt2spk", "a-1 ann\na-2 ann\n"))

    assert found.unknown == ("b-1",)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("utt2spk", "x y\nz y\n", r"does not say who speaks in any recording, for instance in “a-1”"),
        ("who.csv", "a,b\n1,2\n", "which does not name a column of recordings"),
        ("who.csv", "a;b;c\n1;2;3\n", r"begins with “a;b;c”.*which column names the speakers: a, b or c"),
        ("who.csv", "", "who.csv is empty"),
        ("who.csv", "file,speaker\na-1,ann\na-1,bob\n", "line 3: “a-1” has a different speaker"),
    ],
)
def test_a_file_that_says_it_of_nobody_or_twice_has_a_sentence(put, name, text, sentence):
    with pytest.raises(InputError, match=sentence):
        who_speaks(RECORDINGS, put(name, text))


def test_a_table_that_a_spreadsheet_wrote_on_windows_is_read(tmp_path):
    (tmp_path / "calls.csv").write_bytes("file;speaker\na-1;Müller\n".encode("cp1252"))
    assert who_speaks(RECORDINGS, tmp_path / "calls.csv").speaker["a-1"] == "Müller"


def test_a_table_that_is_no_text_has_a_sentence(tmp_path):
    (tmp_path / "who.csv").write_bytes(b"file,speaker\n\x81,\xfe\n")

    with pytest.raises(InputError, match="line 2: the byte 0x81 is valid neither in UTF-8 nor in"):
        who_speaks(RECORDINGS, tmp_path / "who.csv")


def test_a_rule_that_fits_nothing_has_a_sentence():
    with pytest.raises(InputError, match="before-underscore does not say who speaks in any recording"):
        who_speaks(RECORDINGS, SpeakerRule.BEFORE_UNDERSCORE)


def test_sex_is_read_by_its_first_letter(put):
    assert read_sex(put("spk2gender", "ann female\nbob m\n")) == {"ann": "f", "bob": "m"}
