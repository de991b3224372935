"""What no project file may be is refused with a sentence, whoever made it and whatever for."""

import io
import json
import os
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.core.document.samples import repacked, rewritten
from zebra_core.document import container, parts
from zebra_core.document.project_file import open_project
from zebra_core.errors import InputError, OutputError

Document = dict[str, Any]


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as raised:
        open_project(path)
    assert str(raised.value).startswith(path.name)
    return str(raised.value)


@pytest.mark.parametrize(
    ("of", "field", "text"),
    [
        ("items", "name", "x" * 1001),
        ("items", "run", "x" * 1001),
        ("items", "dataset", "x" * 1001),
        ("items", "attacker", "x" * 1001),
        ("items", "recogniser", "x" * 1001),
        ("tag_scale", "words", "x" * 1001),
        ("tag_scale", "letter", "A\0"),
        ("tag_scale", "letter", "\u202eA"),
    ],
)
def test_names_that_are_too_long_or_not_to_be_seen(case: Path, of: str, field: str, text: str) -> None:
    def spoil(document: Document) -> None:
        document[of][0][field] = text

    rewritten(case, spoil)
    assert "text of a length that can be shown" in refusal(case) or "scale" in refusal(case)


# The file


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "is not a ZEBRA project", id="empty"),
        pytest.param(b"m1 u1 0.5\n", "is not a ZEBRA project", id="scores"),
        pytest.param(b"PK\x03\x04", "is incomplete", id="four bytes"),
        pytest.param(b"PK\x05\x06" + bytes(18), "is not a ZEBRA project", id="empty zip"),
    ],
)
def test_what_is_no_project(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "case.zebra").write_bytes(content)
    assert sentence in refusal(tmp_path / "case.zebra")


def test_what_is_not_there_or_no_file(tmp_path: Path) -> None:
    assert "was not found" in refusal(tmp_path / "gone.zebra")
    assert "folder" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe.zebra")
    assert refusal(tmp_path / "pipe.zebra").startswith("pipe.zebra")


def test_every_truncation(case: Path, good: bytes) -> None:
    for length in range(0, len(good), 97):
        case.write_bytes(good[:length])
        assert refusal(case).startswith(case.name)


def test_any_other_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "case.zebra", "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    assert "contains word/document.xml, which does not belong" in refusal(tmp_path / "case.zebra")


def test_a_container_without_a_project(case: Path) -> None:
    repacked(case, lambda members: members.pop("project.json"))
    assert "project.json is missing" in refusal(case)


def test_a_missing_array(case: Path) -> None:
    repacked(case, lambda members: members.pop("counts/3.npy"))
    assert "counts/3.npy is missing" in refusal(case)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "counts/../../x",
        "inputs/passwd",
        "C:\\x",
        pytest.param(
            "counts\\1.npy", marks=pytest.mark.skipif(os.name == "nt", reason="written with a slash there")
        ),
        "run.py",
        "a/",
    ],
)
def test_names_that_lead_elsewhere(case: Path, name: str) -> None:
    repacked(case, lambda members: members.update({name: b"x"}))
    assert "which does not belong" in refusal(case)


def test_a_name_that_stands_there_twice(case: Path) -> None:
    with zipfile.ZipFile(case, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("project.json", "{}")
    assert "contains project.json twice" in refusal(case)


def test_a_symbolic_link(case: Path) -> None:
    with zipfile.ZipFile(case, "a") as archive:
        info = zipfile.ZipInfo("inputs/" + "0" * 64)
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    assert "which does not belong" in refusal(case)


def test_encrypted_members(case: Path, good: bytes) -> None:
    place = good.rindex(b"PK\x01\x02")
    case.write_bytes(good[: place + 8] + b"\x01\x00" + good[place + 10 :])
    assert "which does not belong" in refusal(case)


def test_a_bomb_by_its_ratio(case: Path) -> None:
    repacked(case, lambda members: members.update({"inputs/" + "0" * 64: bytes(70 << 20)}))
    assert "200 times its size" in refusal(case)


def test_a_bomb_by_its_size(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MOST_BYTES", 1000)
    assert "would unpack to more than" in refusal(case)


def test_a_text_that_is_too_large(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MOST_TEXT", 1000)
    assert "would unpack to more than" in refusal(case)


def test_a_size_that_is_a_lie(case: Path, good: bytes) -> None:
    """Never more is read than the list of members says, and then the checksum is wrong."""
    place = good.index(b"PK\x01\x02")
    [size] = struct.unpack("<I", good[place + 24 : place + 28])
    case.write_bytes(good[: place + 24] + struct.pack("<I", size - 10) + good[place + 28 :])
    assert "is damaged" in refusal(case)


def test_a_small_size_that_is_said_of_a_bomb(case: Path) -> None:
    repacked(case, lambda members: members.update({"project.json": b" " * (1 << 27)}))
    content = case.read_bytes()
    place = content.index(b"PK\x01\x02")
    case.write_bytes(content[: place + 24] + struct.pack("<I", 1000) + content[place + 28 :])
    tracemalloc.start()
    try:
        assert "is damaged" in refusal(case)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 << 20


def test_a_million_members(tmp_path: Path) -> None:
    file = io.BytesIO(b"PK\x03\x04")
    file.seek(0, io.SEEK_END)
    entry = (
        struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    )
    file.write(entry * 1_000_000)
    size = len(entry) * 1_000_000
    file.write(struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, size, 4, 0))
    (tmp_path / "case.zebra").write_bytes(file.getvalue())
    assert "contains more than" in refusal(tmp_path / "case.zebra")


def test_more_members_than_any_project(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MOST_MEMBERS", 4)
    assert "contains more than 4 parts" in refusal(case)


def test_a_zip_of_the_large_kind(case: Path) -> None:
    with zipfile.ZipFile(case, "w") as archive:
        with archive.open("project.json", "w", force_zip64=True) as member:
            member.write(b"{}")
        archive.comment = b""
        end = archive
    content = case.read_bytes()
    place = content.rindex(b"PK\x05\x06")
    case.write_bytes(content[:place] + b"PK\x06\x07" + bytes(16) + content[place:])
    assert end.filename
    assert "contains more than" in refusal(case)


# project.json


def test_a_newer_version(case: Path) -> None:
    rewritten(case, lambda document: document.update(version=2, written_by="ZEBRA 9.9"))
    assert refusal(case) == ("case.zebra was saved by a newer version, ZEBRA 9.9. Open it with that version.")


def into(*way: str | int, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        at: Any = document
        for step in way[:-1]:
            at = at[step]
        at[way[-1]] = value

    return change


ITEM: tuple[str | int, ...] = ("items", 0)
MATRICES: tuple[str | int, ...] = ("items", 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (into("format", value="other"), "is not a ZEBRA project"),
        (into("version", value=True), "project.json › version is not a whole number"),
        (into("version", value=0), "project.json › version is not a whole number"),
        (into("title", value=["x"]), "project.json › title is not text"),
        (into("items", value={}), "project.json › items is not a list"),
        (into("items", value=[[]]), "items › 1 is not an object"),
        (into("view", value=None), "project.json › view is not an object"),
        (into("has_inputs", value=1), "has_inputs is not true or false"),
        (into("tag_scale", value=[]), "its scale is not valid"),
        (into("tag_scale", 1, "from_log10_lr", value=10**400), "its scale is not valid"),
        (into("report", value=[]), "is damaged at project.json › report"),
        (into("report", "dpi", value=10**9), "is damaged at project.json › report"),
        (into("report", "language", value="xx"), "is damaged at project.json › report"),
        (into("published", value={}), "published is not a list"),
        (into("published", 0, "figures", 0, "kind", value="magic"), "says magic at"),
        (into("published", 0, "figures", 0, "line", value=-1), "figures › 1 › line is not a whole number"),
        (into("published", 0, "figures", 0, "pair", value=[]), "figures › 1 › pair is not text"),
        (into("published", 0, "figures", 0, value={"condition": None}), "figures › 1 › kind is missing"),
        (into("published", 0, "figures", value=[{}] * 100_001), "more than 100\u202f000 rows at"),
        (into("listening", value=[{"id": "", "files": [], "values": {}}]), "“files” is not what ZEBRA"),
        (into("utilities", 0, "wer", value=-1), "is damaged at project.json › utilities"),
        (into("utilities", 0, "listening", value=None), "is damaged at project.json › utilities"),
        (into("verbal_scale", value=7), "its scale is not valid"),
        (into("answers", "choices", value={"a": 1}), "answers › choices › a is not text"),
        (into("answers", "allowed", value={"a": ["magic"]}), "says magic at"),
        (into(*ITEM, "kind", value="sculpture"), "says sculpture at project.json › items › 1 › kind"),
        (into(*ITEM, "id", value="../x"), "is not an id"),
        (into(*ITEM, "colour", value=-1), "colour is not a whole number"),
        (into(*ITEM, "colour", value=1.5), "colour is not a whole number"),
        (into(*ITEM, "is_ticked", value="yes"), "is_ticked is not true or false"),
        (into(*ITEM, "condition", value="XX"), "says XX at"),
        (into(*ITEM, "name", value="W" * 100_001), "name is not text of a length that can be shown"),
        (into(*ITEM, "notes", value="a\n" * 500_001), "notes is not text of a length that can be shown"),
        (into("title", value="W" * 100_001), "title is not text of a length that can be shown"),
        (into(*ITEM, "settings", "score_meaning", value="votes"), "says votes at"),
        (into(*ITEM, "settings", "prior_points", value=10**9), "prior_points is not a whole number"),
        (into(*ITEM, "settings", "prior_log_odds_limit", value=0), "is not a number within its bounds"),
        (into(*ITEM, "counts", value="counts/2.npy"), "counts/2.npy is missing"),
        (into(*ITEM, "counts", value="project.json"), "project.json is not a table"),
        (into(*ITEM, "figures", "eer", value="low"), "eer is not a number"),
        (into(*ITEM, "files", 0, "path", value="a\0b"), "path is not a path"),
        (into(*ITEM, "files", 0, "role", value="judge"), "says judge at"),
        (into(*ITEM, "files", 0, "sha256", value="abc"), "sha256 is not a SHA-256"),
        (into(*ITEM, "files", 0, "size", value=-1), "size is not a whole number"),
        (into(*ITEM, "files", 0, "relative", value=5), "relative is not text"),
        (into(*ITEM, "remarks", 0, "code", value="no-such"), "is not a remark"),
        (into(*ITEM, "remarks", 0, "section", value="cli"), "is not a remark"),
        (into(*ITEM, "remarks", 0, "facts", value={}), "is not a remark"),
        (into(*ITEM, "remarks", 0, "facts", value={"count": "x" * 9, "file": 1}), "is not a remark"),
        (into(*ITEM, "remarks", 0, "facts", value={"file": {}}), "is not a plain value"),
        (into(*ITEM, "remarks", 0, "severity", value="fatal"), "says fatal at"),
        (into(*ITEM, "audit", "decisions", value=["magic"]), "says magic at"),
        (into(*ITEM, "audit", "decisions", value=["\ud800"]), "decisions is not"),
        (into(*ITEM, "audit", "findings", 0, "examples", value=[{"file": "", "line": 1}]), " is missing"),
        (into(*ITEM, "audit", "findings", 0, "examples", value=[{}] * 101), "more than 100 rows at"),
        (into(*ITEM, "cross_fitted", "is_by_speaker", value=0), "is_by_speaker is not true or false"),
        (into(*ITEM, "cross_fitted", "d_ece_unordered_bits", value=2), "is not a number within"),
        (into(*ITEM, "audit", "matched", value=None), "matched is not a whole number"),
        (into(*ITEM, "audit", "findings", 0, "code", value="no-such"), "is not a remark"),
        (into(*MATRICES, "mean", value="median"), "says median at"),
        (into(*MATRICES, "speakers", value=["s1", "s0"]), "is not a list of speakers"),
        (into(*MATRICES, "speakers", value=["s0", "s1"]), "is not a table of the right kind"),
        (into(*MATRICES, "matrices", value={}), "is not one matrix for each"),
        (into(*MATRICES, "matrices", value={"xx": {}}), "is not one matrix for each"),
        (into(*MATRICES, "matrices", "oo", "d_ece_bits", value=7), "is not a number within its bounds"),
        (into(*MATRICES, "matrices", "oo", "d_ece_bits", value=None), "is not a number within its bounds"),
    ],
)
def test_values_of_the_wrong_kind(case: Path, change: Callable[[Document], None], sentence: str) -> None:
    rewritten(case, change)
    assert sentence in refusal(case)


def test_two_rows_of_one_id(case: Path) -> None:
    rewritten(case, lambda document: document["items"][2].update(id=document["items"][0]["id"]))
    assert "is not a list of rows, each with its own id" in refusal(case)


def test_every_field_is_needed(case: Path, good: bytes) -> None:
    with zipfile.ZipFile(case) as archive:
        document = json.loads(archive.read("project.json"))
    for name in document:
        case.write_bytes(good)
        rewritten(case, lambda document, name=name: document.pop(name))  # type: ignore[misc]
        assert refusal(case).startswith(case.name)
    for name in document["items"][0]:
        case.write_bytes(good)
        rewritten(case, lambda document, name=name: document["items"][0].pop(name))  # type: ignore[misc]
        assert refusal(case).startswith(case.name)


def test_a_million_entries(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewritten(case, lambda document: document.update(items=[{}] * 1_000_000))
    assert "contains more than 10\u202f000 rows at project.json › items" in refusal(case)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(b'{"a": NaN}', "NaN is not a finite number", id="NaN"),
        pytest.param(b'{"a": -Infinity}', "-Infinity is not a finite number", id="infinity"),
        pytest.param(b'{"a": 1e999}', "1e999 is not a finite number", id="larger than any float"),
        pytest.param(b'{"a": 1, "a": 2}', "a field occurs twice", id="twice"),
        pytest.param(b"[" * 100 + b"]" * 100, "nested too deeply", id="deep"),
        pytest.param(b"[" * 200_000, "cannot be read", id="very deep"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "cannot be read", id="endless number"),
        pytest.param(b"\xff\xfe", "cannot be read", id="no UTF-8"),
        pytest.param(b"{", "cannot be read", id="cut off"),
        pytest.param(b"[]", "is not an object", id="a list"),
    ],
)
def test_json_that_is_none(case: Path, text: bytes, sentence: str) -> None:
    repacked(case, lambda members: members.update({"project.json": text}))
    assert sentence in refusal(case)


def test_nothing_in_it_is_evaluated() -> None:
    with pytest.raises(InputError):
        parts.read(b"__import__('os').system('true')", "case.zebra")


# Arrays

COUNTS = np.dtype([("score", "<f8"), ("n_target", "<u4"), ("n_nontarget", "<u4")])


def npy(rows: object, dtype: np.dtype[Any] = COUNTS) -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(rows, dtype), allow_pickle=True)
    return file.getvalue()


def claiming(shape: str, rows: bytes = b"") -> bytes:
    header = (
        "{'descr': [('score', '<f8'), ('n_target', '<u4'), ('n_nontarget', '<u4')], "
        f"'fortran_order': False, 'shape': {shape}, }}"
    ).encode()
    header = header.ljust(64 * (len(header) // 64 + 1) - 11) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + rows


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(npy([(0.0, 1, 1)])[:-1], id="cut off"),
        pytest.param(npy([(0.0, 1, 1)]) + b"\0", id="more than it says"),
        pytest.param(npy([]), id="no score"),
        pytest.param(npy([[(0.0, 1, 1)]]), id="two axes"),
        pytest.param(npy([(0.0, 1, 1), (0.0, 1, 1)]), id="not ascending"),
        pytest.param(npy([(np.nan, 1, 1)]), id="NaN"),
        pytest.param(npy([(0.0, 1, 0), (np.inf, 1, 1)]), id="infinite"),
        pytest.param(npy([(0.0, 1, 1), (1.0, 0, 0)]), id="a score of nobody"),
        pytest.param(npy([(0.0, 1, 0)]), id="no nontarget"),
        pytest.param(npy([(0.0, 0, 1)]), id="no target"),
        pytest.param(npy([0.0, 1.0], np.dtype("f8")), id="another type"),
        pytest.param(npy([{"a": 1}], np.dtype("O")), id="pickled objects"),
        pytest.param(claiming("(1000000000000,)"), id="more rows than memory"),
        pytest.param(claiming("(-1,)"), id="less than none"),
        pytest.param(claiming("(True,)", bytes(16)), id="a flag for a shape"),
        pytest.param(claiming("()", bytes(16)), id="no axis"),
        pytest.param(claiming("__import__('os').getcwd()"), id="code for a shape"),
        pytest.param(claiming("(1,)" + "(" * 300), id="a header that is none"),
        pytest.param(claiming("(9" * 400), id="a header too long"),
        pytest.param(b"\x93NUMPY\x03\x00" + bytes(100), id="another version"),
    ],
)
def test_arrays_that_are_no_counts(case: Path, content: bytes) -> None:
    repacked(case, lambda members: members.update({"counts/1.npy": content}))
    assert "counts/1.npy is not a table of the right kind" in refusal(case)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(("n_trials", -1), id="negative counts"),
        pytest.param(("n_trials", 1 << 60), id="absurd counts"),
        pytest.param(("sum_llr", np.nan), id="NaN"),
        pytest.param(("sum_log_posterior", 0.5), id="posterior above one"),
    ],
)
def test_arrays_that_are_no_matrix(case: Path, change: tuple[str, float]) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        cells = np.load(io.BytesIO(members["similarity/2-oo.npy"]))
        cells[change[0]][0, 1] = change[1]
        members["similarity/2-oo.npy"] = npy(cells, cells.dtype)

    repacked(case, spoil)
    assert "similarity/2-oo.npy is not a table of the right kind" in refusal(case)


def test_the_limit_of_recursion_is_left_alone(case: Path) -> None:
    before = sys.getrecursionlimit()
    repacked(case, lambda members: members.update({"project.json": b"[" * 5000 + b"]" * 5000}))
    assert refusal(case).startswith(case.name)
    assert sys.getrecursionlimit() == before


def test_a_project_that_is_too_large_only_with_what_the_zip_adds_is_told_so(monkeypatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1000)
    with pytest.raises(OutputError) as raised:
        container.pack({container.PROJECT: b"{}", "counts/0.npy": os.urandom(990)})
    assert raised.value.code == "project-too-large"
    assert "larger than 2 GB" in str(raised.value)
