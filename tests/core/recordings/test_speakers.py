"""Who speaks is said by a map, a table or a rule, and is never guessed."""

import csv
from datetime import date
from pathlib import Path, PurePosixPath

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.small_tables import meant
from zebra_core.recordings.speakers import SpeakerColumn, are_no_people, read_sex, rule_or_file, who_speaks

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


@pytest.mark.parametrize(
    "names",
    [
        "2026-03-01 20260301 01.03.2026 3/1/26 2026_03_01 2026-03 2026-03-01T10:05 10:05",
        "0.97 0,6 87% -1.5e-3",
    ],
)
def test_dates_times_and_amounts_name_nobody(names):
    assert are_no_people(names.split())
    assert are_no_people(["1. März 2026", "01-Mar-2026", "3 août 2026", "12 dic 2026"])
    assert are_no_people(["12 s", "3.5 s", "80 %"])


@pytest.mark.parametrize(
    "name", ["1688", "P-2003", "Dr. A", "2026", "1998-15444", "agent 12", "12s", "20041"]
)
def test_what_may_be_a_person_is_one_even_among_dates(name):
    assert not are_no_people(["2026-03-01", name])
    assert not are_no_people([name])
    assert not are_no_people([])


def test_a_rule_that_fits_nothing_has_a_sentence():
    with pytest.raises(InputError, match="before-underscore does not say who speaks in any recording"):
        who_speaks(RECORDINGS, SpeakerRule.BEFORE_UNDERSCORE)


def test_sex_is_read_by_its_first_letter(put):
    assert read_sex(put("spk2gender", "ann female\nbob m\n")) == {"ann": "f", "bob": "m"}


CALLS = "Datei;Agent\na-1;ann\na-2;ann\nb-1;bob\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("calls.txt", CALLS),
        ("calls.csv", CALLS.replace(";", "\t")),
        ("calls.tsv", CALLS),
        ("calls.csv", CALLS.replace(";", ",")),
        ("calls", CALLS.replace("Agent", "agent ")),
        ("calls.csv", "Datei, mit Ordner;Agent\na-1;ann\na-2;ann\nb-1;bob\n"),
    ],
)
def test_a_column_of_a_table_is_read_whatever_its_ending_and_marks(put, name, text):
    assert who_speaks(RECORDINGS, SpeakerColumn(put(name, text), "Agent")).speaker == {
        "a-1": "ann",
        "a-2": "ann",
        "b-1": "bob",
    }


def test_a_table_with_a_header_needs_no_ending(put):
    found = who_speaks(RECORDINGS, put("calls.txt", "file\tspeaker\na-1\tann\na-2\tann\nb-1\tbob\n"))
    assert found.speaker == {"a-1": "ann", "a-2": "ann", "b-1": "bob"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("File;Agent;Agent\na-1;ann;x\n", "several columns that may name the speakers: Agent or Agent"),
        ("File;Agent\na-1;ann\n", "no column called “Who”. It has these: Agent"),
        ("File;Who\nx;ann\n", r"No column of calls.csv names recordings such as “ann.a-1.wav”"),
        ("a-1\na-2\n", "calls.csv begins with “a-1”, which is not a line of several columns"),
        (";;\n;;\n", "calls.csv is empty"),
        ('File;Who\n"a-1;ann\n', "calls.csv cannot be read as a table"),
    ],
)
def test_a_column_that_is_not_clear_has_a_sentence(put, text, sentence):
    column = "Agent" if "Agent;Agent" in text else "Who"
    with pytest.raises(InputError, match=sentence):
        who_speaks(RECORDINGS, SpeakerColumn(put("calls.csv", text), column))


def test_a_workbook_is_a_table(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in csv.reader(CALLS.splitlines(), delimiter=";"):
        book.active.append(row)
    book.save(tmp_path / "calls.xlsx")

    with pytest.raises(InputError, match="which column names the speakers: Agent"):
        who_speaks(RECORDINGS, tmp_path / "calls.xlsx")
    found = who_speaks(RECORDINGS, SpeakerColumn(tmp_path / "calls.xlsx", "Agent"))
    assert found.speaker == {"a-1": "ann", "a-2": "ann", "b-1": "bob"}


def test_two_columns_called_as_speakers_are_not_guessed(put):
    with pytest.raises(InputError, match="several columns that may name the speakers: client or speaker"):
        who_speaks(RECORDINGS, put("calls.csv", "file,client,speaker\na-1,x,ann\n"))


@pytest.mark.parametrize(
    "cells",
    [
        ("A-1.WAV", "A-2.wav", "B-1.Flac"),
        ("ann\\a-1.wav", "ann\\a-2.wav", "bob\\b-1.flac"),
        ("./ann/a-1.wav", "./ann/a-2.wav", "./bob/b-1.flac"),
        ("C:\\Calls\\ann\\a-1.wav", "C:\\Calls\\ann\\a-2.wav", "C:\\Calls\\bob\\b-1.flac"),
        ("a-1.mp3", "a-2.mp3", "b-1.mp3"),
    ],
)
@pytest.mark.parametrize(("name", "head"), [("who.csv", "file,speaker\n"), ("utt2spk", "")])
def test_names_that_are_written_otherwise_are_found(put, cells, name, head):
    mark = "," if head else " "
    lines = [f"{cell}{mark}{who}\n" for cell, who in zip(cells, ("ann", "ann", "bob"), strict=True)]
    found = who_speaks(RECORDINGS, put(name, head + "".join(lines)))
    assert found.speaker == {"a-1": "ann", "a-2": "ann", "b-1": "bob"}


def recordings(*places):
    return {place: Recording(Path("/in", place), PurePosixPath(place)) for place in places}


def test_letters_that_are_composed_otherwise_are_the_same(put):
    cells = ["Mu\u0308ller-1.wav", "Mu\u0308ller-2.wav"]
    table = put("calls.csv", "Call;Agent\nM\u00fcller-1;x\nM\u00fcller-2;x\n")
    assert set(who_speaks(recordings(*cells), SpeakerColumn(table, "Agent")).speaker) == {*cells}


@pytest.mark.parametrize(
    ("cells", "places", "expected"),
    [
        (["A.wav"], ["a.wav", "A.wav"], {"A.wav": "A.wav"}),  # exactly first
        (["A.flac"], ["a.wav", "A.wav"], {}),
        (["1.wav"], ["x/1.wav", "y/1.wav"], {}),
        (["y/1.wav"], ["x/1.wav"], {}),  # of another folder
        (["C:\\x\\1.wav", "C:\\y\\1.wav"], ["x/1.wav"], {"C:\\x\\1.wav": "x/1.wav"}),
        (["A.mp3", "a.flac"], ["a.wav"], {}),
        (["a.wav", "A.mp3"], ["a.wav"], {"a.wav": "a.wav"}),
        (["a.v3"], ["a.v2"], {}),
        (["/in/a.wav", ""], ["a.wav"], {"/in/a.wav": "a.wav"}),
    ],
)
def test_a_name_is_taken_loosely_only_where_it_is_clear(cells, places, expected):
    assert meant(cells, recordings(*places)) == expected


def workbook(path, **sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


SHEET = [
    ["File", "Speaker", "Day"],
    ["a-1", "ann", date(2026, 3, 1)],
    ["a-2", "ann", date(2026, 3, 2)],
    ["b-1", "bob", date(2026, 3, 3)],
]


def test_of_several_sheets_the_one_that_names_the_recordings_is_read(tmp_path):
    """Notes about one of them do not compete with it; dates, which are no ids here, are left as they are."""
    book = workbook(tmp_path / "calls.xlsx", Notes=[["File", "Note"], ["a-1", "noisy"]], Calls=SHEET)

    assert who_speaks(RECORDINGS, book).speaker == {"a-1": "ann", "a-2": "ann", "b-1": "bob"}


@pytest.mark.parametrize("second", [SHEET, [["x", "y"], ["1", "2"]]])
def test_sheets_of_which_not_one_alone_fits_are_named(tmp_path, second):
    first = SHEET if second is SHEET else [["p", "q"], ["3", "4"]]
    book = workbook(tmp_path / "calls.xlsx", March=first, April=second)

    with pytest.raises(
        InputError, match=r"calls.xlsx contains several tables .March and April., and it is not"
    ):
        who_speaks(RECORDINGS, book)
