"""Reading segment pair scores and the map of speakers."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.audit import decisions
from zebra_core.evidence.segments import SegmentScores
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.drop import (
    _SCORES,
    _segment_scores,
    read_speaker_map,
    read_table_as,
)
from zebra_core.project.reading.reading import read_similarity
from zebra_core.runtime.progress import no_progress


def read_segment_scores(path: Path, allow: Iterable[str] = ()) -> SegmentScores:
    return _segment_scores(read_table_as(_SCORES, path, {}, no_progress), decisions(allow))


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped, whatever the name"])
def test_scores_and_map_are_read(tmp_path: Path, packed: bool) -> None:
    def write(name: str, text: str) -> Path:
        content = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
        return tmp_path / name

    found = read_segment_scores(write("scores", "a-1 b-1 -0.5\n007 1.0 2\n"))
    assert (found.first[1], found.second[1], found.score.tolist()) == ("007", "1.0", [-0.5, 2.0])
    assert read_speaker_map(write("utt2spk", "a-1 a\r\n\r\nb-1\tb\r\na-1 a\r\n")) == {"a-1": "a", "b-1": "b"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(
            b"a1 a\nb1 b\n\na1 b\n",
            "utt2spk, line 4: “a1” belongs to b here, but to a in line 1.",
            id="two speakers",
        ),
        pytest.param(b"a1 a\na2\n", "utt2spk, line 2: “a2” stands alone", id="short"),
        pytest.param(
            b"a1 b1 1.5\n",
            "utt2spk was given as the speaker map, but is a list of scores.",
            id="scores instead",
        ),
        pytest.param(b"\n \n", "utt2spk is empty.", id="empty"),
        pytest.param(gzip.compress(b"a1 a\n" * 99)[:-9], "utt2spk cannot be unpacked", id="cut off"),
        pytest.param(gzip.compress(b""), "utt2spk is empty.", id="empty when unpacked"),
    ],
)
def test_a_map_that_cannot_be_used_is_refused_with_file_and_line(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    (tmp_path / "utt2spk").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_speaker_map(tmp_path / "utt2spk")
    assert str(caught.value).startswith(sentence)


def test_without_a_map_the_rule_is_used_and_told(tmp_path: Path) -> None:
    (tmp_path / "oo").write_text("a-1 a-2 1\na-1 b-1 0\na-2 b-1 0.5\nb-1 b-2 1\n")
    done: list[float] = []
    found = read_similarity(oo=tmp_path / "oo", on_progress=done.append)
    assert found.speakers == ("a", "b")
    assert [remark.code for remark in found.remarks] == ["speakers-before-hyphen"]
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"op\.txt was not found"):
        read_similarity(op=tmp_path / "op.txt")


@pytest.mark.parametrize(
    ("content", "pairs"),
    [
        pytest.param("enrol,test,score\na,b,1.5\na,c,2\n", {"a b": 1.5, "a c": 2.0}, id="with a header"),
        pytest.param("a b 1.5 target\na c 2 nontarget\n", {"a b": 1.5, "a c": 2.0}, id="with labels"),
        pytest.param(
            "- a b\na 3 1.5\nb 1.5 4\n", {"a a": 3.0, "a b": 1.5, "b a": 1.5, "b b": 4.0}, id="a matrix"
        ),
    ],
)
def test_other_formats_are_read_as_well(tmp_path: Path, content: str, pairs: dict[str, float]) -> None:
    (tmp_path / "oo").write_text(content)
    found = read_segment_scores(tmp_path / "oo")
    names = [f"{found.first[k]} {found.second[k]}" for k in range(len(found))]
    assert dict(zip(names, found.score.tolist(), strict=True)) == pairs


def test_a_map_may_begin_with_the_speaker(tmp_path: Path) -> None:
    (tmp_path / "spk2utt").write_text("a a-1 a-2\nb b-1\n")
    assert read_speaker_map(tmp_path / "spk2utt") == {"a-1": "a", "a-2": "a", "b-1": "b"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a b 1\na c 2\n\na b 2\n", "oo, line 4: “a b 2” contradicts line 1, “a b 1”."),
        ("a b 1\na c nan\n", "oo, line 2: the score in “a c nan” is not a number."),
        ("a b 1\na c x\n", "oo, line 2: the score “x” is not a number"),
        ("a b target\na c nontarget\n", "oo was given as the scores, but is a key."),
        ("1.5 target\n2 nontarget\n", "oo has no ids"),
    ],
)
def test_scores_that_cannot_be_used_are_refused_with_file_and_line(
    tmp_path: Path, content: str, sentence: str
) -> None:
    (tmp_path / "oo").write_text(content)
    with pytest.raises(InputError) as caught:
        read_segment_scores(tmp_path / "oo")
    assert str(caught.value).startswith(sentence)


def test_a_repeated_line_counts_once_and_is_told_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "oo").write_text("a-1 a-2 1\na-1 b-1 0\na-1 a-2 1\n")
    found = read_similarity(oo=tmp_path / "oo")
    assert found.oo is not None
    assert (found.oo.n_target, found.oo.n_nontarget) == (1, 1)
    said = "oo, line 3: “a-1 a-2 1” repeats an earlier line and is kept once."
    assert str(found.remarks[0]) == said


def test_what_becomes_of_infinite_scores_is_for_the_user_to_decide(tmp_path: Path) -> None:
    (tmp_path / "oo").write_text("a b 1\na c inf\na d nan\n")
    found = read_segment_scores(tmp_path / "oo", allow=["infinite-scores", "nan-scores"])
    assert len(found) == 2
    assert found.score[1] > 1.0
    assert [remark.code for remark in found.remarks] == ["infinities-replaced", "nan-left-out"]


def test_ids_that_are_all_numbers_are_read_as_the_user_says(tmp_path: Path) -> None:
    (tmp_path / "oo").write_text("1 2 3\n1 3 4\n")
    with pytest.raises(InputError, match="several ways"):
        read_similarity(oo=tmp_path / "oo", speakers=SpeakerRule.WHOLE_ID)
    found = read_similarity(oo=tmp_path / "oo", speakers=SpeakerRule.WHOLE_ID, choices={"oo": "kaldi-scores"})
    assert found.speakers == ("1", "2", "3")
