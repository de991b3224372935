"""The museum: what each file is recognised as and how it is read, or with which sentence it is refused."""

import sys
from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.intake.formats.recognising import not_recognised, recognise
from zebra_core.intake.opening.opening import open_all
from zebra_core.intake.tables.table import SpeakerMap, Table

MUSEUM = Path(__file__).parents[3] / "data" / "intake"
SCORES = [2.5, 0.25, -1.75, -3.0, -2.25, 0.5, 3.125, -0.5]
LABELS = [True, True, False, False, False, False, True, True]


BLANKS = "UTF-8, blanks between columns, LF"
COMMAS = "UTF-8, commas between columns, LF"
CSV = f"{COMMAS}, with a header"
TSV = "UTF-8, tabs between columns, LF, with a header"

# File, the ways to read it (the first is read), the dialect ("": no text).
TRIALS = [
    ("kaldi-scores", "kaldi-scores", BLANKS),
    ("kaldi-key", "kaldi-key", BLANKS),
    ("kaldi-scores-in-another-order", "kaldi-scores", BLANKS),
    ("kaldi-scores-crlf", "kaldi-scores", "UTF-8, blanks between columns, CRLF"),
    ("kaldi-scores-cr", "kaldi-scores", "UTF-8, blanks between columns, CR"),
    ("kaldi-scores-mixed-line-ends", "kaldi-scores", "UTF-8, blanks between columns, mixed line ends"),
    ("kaldi-scores-tabs", "kaldi-scores", "UTF-8, tabs between columns, LF"),
    ("kaldi-scores-aligned-with-blanks", "kaldi-scores", BLANKS),
    ("kaldi-scores-bom", "kaldi-scores", "UTF-8 with a byte-order mark, blanks between columns, LF"),
    ("kaldi-scores-utf16le-bom", "kaldi-scores", "UTF-16, little-endian, blanks between columns, LF"),
    ("kaldi-scores-utf16be-bom", "kaldi-scores", "UTF-16, big-endian, blanks between columns, LF"),
    ("kaldi-scores-utf16le-no-bom", "kaldi-scores", "UTF-16, little-endian, blanks between columns, LF"),
    ("kaldi-scores-utf16be-no-bom", "kaldi-scores", "UTF-16, big-endian, blanks between columns, LF"),
    ("kaldi-scores-decimal-comma", "kaldi-scores", f"{BLANKS}, decimal comma"),
    ("kaldi-scores-with-comments", "kaldi-scores", f"{BLANKS}, 5 comments"),
    ("kaldi-scores.gz", "kaldi-scores", BLANKS),
    ("kaldi-scores.bz2", "kaldi-scores", BLANKS),
    ("kaldi-scores.xz", "kaldi-scores", BLANKS),
    ("gz-with-the-name-of-text.txt", "kaldi-scores", BLANKS),
    ("text-with-the-name-of-gz.gz", "kaldi-scores", BLANKS),
    ("scores-no-header.csv", "kaldi-scores", COMMAS),
    ("scores-unknown-header.csv", "table", CSV),
    ("combined-wespeaker", "combined", BLANKS),
    ("combined-label-then-score", "label-then-score", BLANKS),
    ("combined-label-first", "label-first-score-last", BLANKS),
    ("two-columns-score-word", "two-columns-score-first", BLANKS),
    ("two-columns-word-score", "two-columns-label-first", BLANKS),
    ("two-columns-score-01", "two-columns-score-first", BLANKS),
    ("two-columns-pm1-score", "two-columns-label-first", BLANKS),
    ("two-columns-unknown-words", "two-columns-score-first:gleich two-columns-score-first:anders", BLANKS),
    ("voxceleb-key", "label-first score-first", BLANKS),
    ("voxceleb-scores", "score-first", BLANKS),
    ("key-with-01", "kaldi-key kaldi-scores", BLANKS),
    ("key-in-capitals", "kaldi-key", BLANKS),
    ("key-with-tgt-imp", "kaldi-key", BLANKS),
    ("key-unknown-words", "kaldi-key:gleich kaldi-key:anders", BLANKS),
    ("bob-4-columns", "bob-4", BLANKS),
    ("bob-4-columns-without-segments", "bob-4", BLANKS),
    ("bob-5-columns", "bob-5", BLANKS),
    ("bob.csv", "bob-csv", CSV),
    ("nist-scores.tsv", "nist-table", TSV),
    ("nist-key.tsv", "nist-table", TSV),
    ("nist-four-columns-no-header", "nist-with-side", BLANKS),
    ("nist-key-four-columns-no-header", "nist-key-with-side", BLANKS),
    ("table.csv", "table", CSV),
    ("table-quoted.csv", "table", "UTF-8, commas between columns, CRLF, quoted cells, with a header"),
    (
        "table-semicolon-decimal-comma.csv",
        "table",
        "UTF-8, semicolons between columns, LF, decimal comma, with a header",
    ),
    ("table-other-order.csv", "table", CSV),
    ("asvspoof-2019-asv-scores", "asvspoof-scores", BLANKS),
    ("asvspoof-2019-trials", "asvspoof-2019-key", BLANKS),
    ("sasv-scores", "sasv-scores", BLANKS),
    ("asvspoof-2021-asv-scores", "kaldi-scores", BLANKS),
    ("asvspoof-2021-metadata", "asvspoof-2021-metadata", BLANKS),
    ("scores.npy", "npy-scores npy-target-scores npy-nontarget-scores", ""),
    ("labels.npy", "npy-labels", ""),
    ("scores-and-labels-2d.npy", "npy-score-first", ""),
    ("scores-and-labels.npz", "npz", ""),
    ("two-classes.npz", "npz-two-classes", ""),
    ("all-columns.npz", "npz", ""),
    ("bosaris-scores.h5", "hdf5-scores", ""),
    ("bosaris-key.h5", "hdf5-key", ""),
    ("pybosaris-scores.h5", "hdf5-scores", ""),
    ("pybosaris-key.h5", "hdf5-key", ""),
    ("sidekit-scores.h5", "hdf5-scores", ""),
    ("dca-plda-scores.h5", "hdf5-scores", ""),
    ("dca-plda-key.h5", "hdf5-key", ""),
]


def read(name: str) -> Table | SpeakerMap:
    [file] = open_all(MUSEUM / name)
    found = recognise(file)
    if not found.readings:
        raise not_recognised(found)
    return found.read()


@pytest.mark.parametrize(("name", "readings", "dialect"), TRIALS)
def test_the_eight_trials_are_read_the_same_from_every_format(name: str, readings: str, dialect: str) -> None:
    [file] = open_all(MUSEUM / name)
    found = recognise(file)
    table = found.read()

    assert [reading.choice for reading in found.readings] == readings.split()
    assert isinstance(table, Table)
    assert str(table.dialect or "") == dialect
    rows = list(range(8))
    if "another-order" in name:
        rows = [SCORES.index(score) for score in table.score.tolist()]
    elif name == "two-classes.npz":
        rows.sort(key=lambda row: not LABELS[row])
    if table.score is not None:
        assert table.score.tolist() == [SCORES[row] for row in rows]
    if table.is_target is not None:
        assert table.is_target.tolist() == [LABELS[row] for row in rows]
    assert (table.score is not None) or (table.is_target is not None)


@pytest.mark.parametrize(
    "name", ["kaldi-scores", "table.csv", "bob.csv", "nist-scores.tsv", "all-columns.npz"]
)
def test_ids_are_read_as_they_are_written(name: str) -> None:
    table = read(name)
    assert table.enrol.names == ("1462", "0121")
    assert table.test.names[:2] == ("1462-170142-0000", "1462-170142-0001")


def test_ids_that_look_like_numbers_stay_what_they_are() -> None:
    table = read("scores-ids-that-look-like-numbers")
    assert (table.enrol.names, table.test.names) == (("7", "07", "007", "1e3"), ("007", "7", "07", "nan"))


def test_windows_1252_is_read_and_said(tmp_path: Path) -> None:
    """Where Latin-1 has control characters, Windows has letters and marks; what neither has is refused."""
    path = tmp_path / "scores"
    path.write_bytes("a O’Brien 1.5\na Šimon 0.5\n".encode("cp1252"))
    table = recognise(open_all(path)[0]).read()
    assert isinstance(table, Table)
    assert table.test is not None
    assert table.test.names == ("O’Brien", "Šimon")
    assert str(table.dialect) == "not UTF-8, read as Windows-1252, blanks between columns, LF"
    path.write_bytes(b"a b 1.5\na x\x81 0.5\n")
    with pytest.raises(
        InputError, match="line 2: the byte 0x81 is valid neither in UTF-8 nor in Windows-1252"
    ):
        recognise(open_all(path)[0])


def test_latin_1_is_read_and_said() -> None:
    table = read("scores-latin1")
    assert table.enrol.names == ("Jürgen",)
    assert str(table.dialect) == "not UTF-8, read as Latin-1, blanks between columns, LF"


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("asvspoof-2019-asv-scores", 2),
        ("asvspoof-2019-trials", 1),
        ("sasv-scores", 1),
        ("asvspoof-2021-metadata", 1),
        ("bob.csv", 1),
    ],
)
def test_attacks_are_set_aside_and_counted(name: str, count: int) -> None:
    table = read(name)
    assert (len(table), table.set_aside) == (8, count)


@pytest.mark.parametrize("name", ["matrix.csv", "matrix-with-a-corner.tsv", "matrix-blanks-no-corner"])
def test_the_diagonal_of_a_matrix_is_target(name: str) -> None:
    table = read(name)
    assert table.score.tolist() == [3.5, -1.0, 0.5, -1.0, 2.5, -2.0, 0.5, -2.0, 4.0]
    assert table.is_target.tolist() == [True, False, False, False, True, False, False, False, True]
    assert (table.enrol[5], table.test[5]) == ("b", "c")
    line = table.examples([5])[0]
    assert (line.line, line.text) == (3, "b c -2.0") or (line.line, line.text) == (3, "b c -2")


@pytest.mark.parametrize("name", ["utt2spk", "spk2utt"])
def test_speaker_maps_say_who_speaks(name: str) -> None:
    speakers = read(name)
    assert isinstance(speakers, SpeakerMap)
    assert speakers.of["0121-123852-0001"] == "0121"
    assert (len(speakers), speakers.is_gender) == (4, False)


def test_genders_are_told_from_speakers() -> None:
    assert read("spk2gender").is_gender


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_archives_are_opened_and_their_members_named(kind: str) -> None:
    names = [file.name for file in open_all(MUSEUM / f"scores-and-key.{kind}")]
    assert names == [f"scores-and-key.{kind} › exp/scores", f"scores-and-key.{kind} › data/trials"]


def test_names_that_lead_out_of_an_archive_are_only_names(tmp_path: Path) -> None:
    files = open_all(MUSEUM / "names-that-lead-out.zip")
    assert [file.source.member for file in files] == ["../../scores", "/etc/trials"]
    assert files[0].source.folders[-2:] == ("names-that-lead-out.zip", "scores")


BROKEN = {
    "array-cut.npy": "array-cut.npy is not a complete NumPy file: (8,) float64.",
    "array-that-promises-too-much.npy": "array-that-promises-too-much.npy is not a complete NumPy file:",
    "arrays-unclear.npz": "arrays-unclear.npz contains x float64[8], y float64[8] and z float64[8]; which",
    "bomb.bz2": "bomb.bz2 unpacks to more than 400 times its size, as score files never do.",
    "csv-cell-empty": "csv-cell-empty, line 3: an id is missing in “,c,2.5”. Correct this line.",
    "empty": "empty is empty. Give a file with one trial per line.",
    "gz-bits-flipped.gz": "gz-bits-flipped.gz cannot be unpacked: Error -3 while decompressing data",
    "gz-cut.gz": "gz-cut.gz cannot be unpacked: Compressed file ended before the end-of-stream marker",
    "gz-in-gz-in-gz.gz": "gz-in-gz-in-gz.gz is packed more than twice. Unpack it once",
    "hdf5-cut.h5": "hdf5-cut.h5 is not a complete HDF5 file:",
    "hdf5-unclear.h5": "hdf5-unclear.h5 contains x, which are not known data sets of scores or keys.",
    "key-with-an-unknown-label": "key-with-an-unknown-label, line 9: the label “nontarge”",
    "key-with-three-unknown-words": "key-with-three-unknown-words, line 1: “a b ja” is neither a score",
    "line-too-long": "line-too-long, line 9: found 4 columns in “1462 x y 0.5”, expected 3",
    "line-too-short": "line-too-short, line 9: found 2 columns in “1462 0.5”, expected 3",
    "matrix-id-twice.csv": "matrix-id-twice.csv, line 1: the id “a” heads two rows or columns of the matrix.",
    "nul-in-an-id": "nul-in-an-id, line 2: found the byte 0x00, so this is not a text file.",
    "only-blank-lines": "only-blank-lines is empty.",
    "only-comments": "only-comments is empty.",
    "password.zip": "password.zip: “scores” is protected by a password. Unpack it yourself",
    "pickled-objects.npy": "pickled-objects.npy contains Python objects, which are never loaded because",
    "picture.png": "picture.png is a picture. Give the files of scores and trials.",
    "point-and-comma": "point-and-comma, line 2: the score “0,5” is not a number.",
    "prose": "prose, line 1: “Dear reviewer, please find enclosed the scores.”",
    "score-in-arabic-digits": "score-in-arabic-digits, line 9: the score “١٢” is not a number.",
    "score-in-hexadecimal": "score-in-hexadecimal, line 9: the score “0x1p3” is not a number.",
    "score-is-a-word": "score-is-a-word, line 9: the score “high” is not a number.",
    "score-is-true": "score-is-true, line 9: the score “True” is not a number.",
    "score-overflows": "score-overflows, line 9: the score “1e400” is too large for",
    "score-with-underscore": "score-with-underscore, line 9: the score “1_000” is not a number.",
    "segment-of-two-speakers.utt2spk": (
        "segment-of-two-speakers.utt2spk, line 5: “1462-170142-0000” belongs to 0121 here, but to "
        "1462 in line 1. Keep the correct line."
    ),
    "spreadsheet.xlsx": "spreadsheet.xlsx is a spreadsheet that cannot be read (",
    "utf8-promised-but-latin1": "utf8-promised-but-latin1, line 2: the byte 0xfc is not valid in UTF-8",
    "utf16-cut-in-half": "utf16-cut-in-half, line 8: the byte 0x0a is not valid in UTF-16.",
    "zip-cut.zip": "zip-cut.zip cannot be unpacked: File is not a zip file.",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_end_in_one_sentence(name: str) -> None:
    with pytest.raises(InputError) as refused:
        read(f"broken/{name}")
    assert str(refused.value).startswith(BROKEN[name])
    assert "\n" not in str(refused.value)


def test_hdf5_without_its_library_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)  # as where the extra is not installed
    with pytest.raises(InputError, match=r"pip install zebra-privacy\[hdf5\]"):
        read("bosaris-scores.h5")


def test_every_piece_of_the_museum_is_looked_at() -> None:
    shown = {getattr(case, "values", case)[0] for case in TRIALS}
    shown |= {f"broken/{name}" for name in BROKEN}
    shown |= {"README.md", "utt2spk", "spk2utt", "spk2gender", "scores-latin1", "names-that-lead-out.zip"}
    shown |= {"broken/matrix-without-ids.npy"}  # test_other_programs.py
    shown |= {"matrix.csv", "matrix-with-a-corner.tsv", "matrix-blanks-no-corner"}
    shown |= {"scores-ids-that-look-like-numbers", "target-scores.txt", "nontarget-scores.txt"}
    shown |= {f"scores-and-key.{kind}" for kind in ("zip", "tar", "tar.gz")}
    there = {path.relative_to(MUSEUM).as_posix() for path in MUSEUM.rglob("*") if path.is_file()}
    assert {name for name in there if not name.startswith("layouts/")} == shown  # those: test_layouts.py
