"""Transcripts as recognisers and evaluations write them, and what is none."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from zebra_core.errors import InputError, ZebraError
from zebra_core.intake.transcript_files import TranscriptSide, how_read, read_transcripts, read_whole_set
from zebra_core.utility.word_errors import word_errors

SRT = "1\n00:00:00,000 --> 00:00:01,000\nthe <i>cat</i>\n\n2\n00:00:01,000 --> 00:00:02,000\nsat\n"
VTT = "WEBVTT\n\nNOTE made by hand\n\n00:00.000 --> 00:01.000 line:0\n<v Eva>the cat\nsat\n"
WHISPER = {"text": " the cat sat", "segments": [{"id": 0, "text": " the cat sat"}], "language": "en"}


def read(
    tmp_path: Path,
    content: str | bytes,
    name: str = "u1.txt",
    side: TranscriptSide = TranscriptSide.REFERENCE,
) -> dict[str, str]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return {key: " ".join(words.split()) for key, words in read_transcripts(path, side).items()}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("text", "u1 the cat sat\n"),
        ("text", "u1\tthe cat sat\r\n"),
        ("with-a-header", "id text\nu1 the cat sat\n"),
        ("tab", "id\ttext\nu1\tthe cat sat\n"),
        ("no-header.csv", "u1,the cat sat\n"),
        ("quoted.csv", 'utt_id,sentence\n"u1","the cat\nsat"\n'),
        ("semicolons.csv", "utterance;transcript\nu1;the cat sat\n"),
        ("common-voice.tsv", "client_id\tpath\tsentence\tup_votes\nx\tclips/u1.mp3\tthe cat sat\t2\n"),
        ("ref.trn", "the cat sat (u1)\n"),
        ("trn", ";; made by hand\nthe cat sat (u1)\n"),
        ("hyp.ctm", "u1 A 0.8 0.2 sat 0.9\nu1 A 0.00 0.30 the 1.0\nu1 A 0.30 0.40 cat\n"),
        ("ref.stm", ";; x\nu1 1 eva 1.0 2.0 <o,f0> sat\nu1 1 eva 0.0 1.0 the cat\n"),
        ("manifest.jsonl", '{"audio_filepath": "/a/u1.wav", "duration": 1.0, "text": "the cat sat"}\n'),
        ("list.json", '[{"id": "u1", "text": "the cat sat"}]'),
        ("u1.json", json.dumps(WHISPER, indent=1)),
        ("u1.tsv", "start\tend\ttext\n0\t1000\tthe cat\n1000\t2000\tsat\n"),
        ("u1.srt", SRT),
        ("u1.vtt", VTT),
    ],
)
def test_each_format_says_the_same(tmp_path: Path, name: str, content: str) -> None:
    assert read(tmp_path, content, name) == {"u1": "the cat sat"}


@pytest.mark.parametrize(
    "table",
    [
        "Datei;Konfidenz;Text\nu1.wav;0,91;the cat sat\nu2.wav;0,87;on a mat\n",
        "Konfidenz;Anruf;Text\n0,91;u1;the cat sat\n0,87;u2;on a mat\n",
        "id;Arzt;Worte\nu1;Dr. A;the cat sat down\nu2;Dr. B;on a mat with all\nu3;Dr. A;and then it went\n",
    ],
)
def test_a_column_that_is_called_otherwise_is_told_by_what_it_holds(tmp_path: Path, table: str) -> None:
    found = read(tmp_path, table)

    assert found["u1"].startswith("the cat sat")
    assert found["u2"].startswith("on a mat")


def test_where_two_columns_may_be_meant_none_is_taken(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs a column of ids and a column of words"):
        read(tmp_path, "Anruf;Patient;Text\nu1;p1;the cat sat\nu2;p2;on a mat\n")


def test_a_table_of_people_is_no_transcript(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs a column of ids and a column of words"):
        read(tmp_path, "id;name;city\nu1;Eva Novak;Jena\nu2;Bo Li;Bonn\n")


def test_a_table_of_both_gives_each_side_its_own(tmp_path: Path) -> None:
    table = "utt,ref,hyp\nu1,the cat sat,the hat sat\n"
    assert read(tmp_path, table) == {"u1": "the cat sat"}
    assert read(tmp_path, table, side=TranscriptSide.HYPOTHESIS) == {"u1": "the hat sat"}
    manifest = '{"audio_filepath": "u1.wav", "text": "the cat sat", "pred_text": "the hat sat"}\n'
    assert read(tmp_path, manifest, side=TranscriptSide.HYPOTHESIS) == {"u1": "the hat sat"}


def test_a_folder_of_files_of_one_recording_is_one_set(tmp_path: Path) -> None:
    for name, words in (("u1", "the cat sat"), ("u2", "")):
        (tmp_path / f"{name}.json").write_text(json.dumps({**WHISPER, "text": words}))
        (tmp_path / f"{name}.txt").write_text(words)
    (tmp_path / ".hidden.json").write_text("{}")
    assert read_transcripts(tmp_path) == {"u1": "the cat sat", "u2": ""}

    (tmp_path / "u3.json").write_text('{"id": "a", "text": "b"}\n')
    with pytest.raises(InputError, match=r"u3\.json is not the transcript of one recording"):
        read_transcripts(tmp_path)
    (tmp_path / "text").write_text("u1 as Kaldi has it\n")
    assert read_transcripts(tmp_path) == {"u1": "as Kaldi has it"}
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty has no transcripts"):
        read_transcripts(tmp_path / "empty")


def test_where_only_a_file_can_be_chosen_its_folder_is_the_set(tmp_path: Path) -> None:
    for name in ("u1", "u2"):
        (tmp_path / f"{name}.tsv").write_text("start\tend\ttext\n0\t1\tso\n")
    (tmp_path / "text").write_text("u1 what was said\n")
    (tmp_path / "table.csv").write_text("id,text\nu1,so it is\n")
    side = TranscriptSide.HYPOTHESIS
    assert read_whole_set(tmp_path / "u1.tsv", side) == {"u1": "so", "u2": "so"}
    assert read_whole_set(tmp_path / "table.csv", side) == {"u1": "so it is"}
    assert read_whole_set(tmp_path / "text", side) == {"u1": "what was said"}


def test_channels_of_one_call_are_told_apart(tmp_path: Path) -> None:
    found = read(tmp_path, "call A 0.0 0.5 yes\ncall B 0.2 0.5 no\n")
    assert found == {"call-A": "yes", "call-B": "no"}


def test_words_in_parentheses_make_no_trn(tmp_path: Path) -> None:
    assert read(tmp_path, "u1 the cat (noise)\nu2 so (laughs)\n") == {
        "u1": "the cat (noise)",
        "u2": "so (laughs)",
    }


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029", "\x1c"])
def test_lines_end_at_line_feeds_only(tmp_path: Path, mark: str) -> None:
    """A line that was cut there left the rest of its words out, as an utterance of its own."""
    if mark == "\x1c":  # a control character, refused as in any text
        with pytest.raises(InputError):
            read(tmp_path, f"u1 the cat{mark}sat down\n")
    else:
        assert list(read(tmp_path, f"u1 the cat{mark}sat down\nu2 no\n")) == ["u1", "u2"]


def test_what_windows_wrote_has_its_own_letters(tmp_path: Path) -> None:
    said = b"a don\x92t go there\nb gr\xf6\xdfe ja\nc well\x85 I think so\nd yes \x96 no \x93ok\x94\n"
    heard = {"a": "don't go there", "b": "größe ja", "c": "well I think so", "d": "yes no ok"}
    found = word_errors(read(tmp_path, said), heard)
    assert (found.rate, found.reference_words) == (0.0, 12)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.csv", "id,start,end\nu1,0,1\n", "needs a column of ids and a column of words"),
        (
            "x.csv",
            "id,text\nu1,the cat, sat\n",
            "line 2: the number of columns is 3, but 2 in the first line",
        ),
        ("x.csv", "u1,the cat,0.9\n", "Its first line is: u1, the cat, 0.9"),
        ("x", "utt ref hyp\nu1 a b\n", "needs a column of ids and a column of words"),
        ("x.jsonl", '{"id": "u1", "text": "a"}\n{"id": "u2"}\n', "line 2: this JSON is not a transcript"),
        ("x.json", "[" * 100_000, "line 1: this JSON is not a transcript"),
        ("x.trn", "the cat (u1)\nthe cat\n", r"line 2: this is not a line of a \.trn file"),
        ("x.ctm", "u1 A 0 1\n", r"line 1: this is not a line of a \.ctm file"),
        ("x.trn", "the { cat / hat } (u1)\n", "line 1: “{ cat /” leaves it to sclite"),
        ("x.stm", "u1 1 eva 0.0 1.0 IGNORE_TIME_SEGMENT_IN_SCORING\n", "leaves it to sclite"),
        ("u1.tsv", "start\tend\ttext\n0 1000 the cat\n", "line 2: the number of columns is 1, but 3"),
        ("x", "\u00a0\n", "empty"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    tmp_path: Path, name: str, content: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        read(tmp_path, content, name)


_PIECES = st.sampled_from(
    [
        *"{}[](),;\t\n\"'/<>:.#",
        " ",
        "id",
        "text",
        "u1",
        "0.5",
        "-->",
        "WEBVTT",
        "00:01",
        "start\tend\ttext\n",
        "A",
        '{"id": "',
        '"text": "',
    ]
)


@given(st.lists(_PIECES, max_size=40), st.sampled_from(["x", "x.trn", "x.ctm", "x.stm", "x.json", "x.srt"]))
def test_nothing_but_sentences_comes_of_anything(tmp_path_factory, pieces: list[str], name: str) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_text("".join(pieces))
    for side in TranscriptSide:
        try:
            found = read_transcripts(path, side)
        except ZebraError as error:
            str(error)
        else:
            assert all(isinstance(one, str) for pair in found.items() for one in pair)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("text", "u1 the cat\n", "lines of an id and words"),
        ("t.csv", "utt,text\nu1,the cat\n", "a table"),
        ("t.jsonl", '{"id": "u1", "text": "the cat"}\n', "JSON"),
        ("t.trn", "the cat (u-1)\n", "trn of NIST"),
        ("u1.srt", "1\n00:00:00,000 --> 00:00:01,000\nthe cat\n", "subtitles"),
        ("folder/u1.txt", "the cat\n", "a file for each recording"),
    ],
)
def test_how_transcripts_are_read_is_told(tmp_path: Path, name: str, text: str, told: str) -> None:
    (path := tmp_path / name).parent.mkdir(exist_ok=True)
    path.write_text(text)
    shown = path.parent if path.parent != tmp_path else path
    assert str(how_read(shown)) == f"{shown.name} was read as: {told}."
