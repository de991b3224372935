"""Reading segment pair scores and the map of speakers."""

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.similarity_files import read_segment_scores, read_similarity, read_speaker_map


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
            "utt2spk, line 4: “a1” is given to the speaker b, but to a in line 1.",
            id="two speakers",
        ),
        pytest.param(b"a1 a\na2\n", "utt2spk, line 2: “a2” is not a segment and its speaker.", id="short"),
        pytest.param(b"a1 a 1.0\n", "utt2spk, line 1: “a1 a 1.0” is not a segment", id="scores instead"),
        pytest.param(b"a1 \xff\n", "utt2spk, line 1: found the byte 0xff", id="not UTF-8"),
        pytest.param(b"\n \n", "utt2spk is empty.", id="empty"),
        pytest.param(gzip.compress(b"a1 a\n" * 99)[:-9], "utt2spk is a damaged gzip file", id="cut off"),
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
    with pytest.raises(InputError, match=r"op\.txt is not there"):
        read_similarity(op=tmp_path / "op.txt")
