"""Tricks of whoever sends the files: each ends in the right trials, or in a sentence that says why not."""

import errno
import gzip
import io
import os
import stat
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import zebra_core
from zebra_core.errors import ZebraError
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import LONGEST_LINE
from zebra_core.project.reading.arrival import arrive

BOMBS = Path(__file__).parents[3] / "data" / "bombs"
SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_text(KEY)
    return path


def refusal(scores: Path, key: Path) -> str:
    with pytest.raises(ZebraError) as caught:
        zebra_core.read_trials(scores, key)
    return str(caught.value)


@pytest.mark.parametrize(
    "number", ["0x1p3", "١٢٣", "１２", "1_000", "NaN(1)", "1d3", "0b1", "∞", "1e", "--1"]
)
def test_what_only_looks_like_a_number_is_refused_with_its_line(
    tmp_path: Path, key: Path, number: str
) -> None:
    scores = tmp_path / "scores"
    scores.write_text(SCORES.replace("x 0.25", f"x {number}"), encoding="utf-8")
    assert refusal(scores, key) == (
        f"scores, line 3: the score “{number}” is not a number. "
        "Correct this line, or give the right score file."
    )


@pytest.mark.parametrize("number", ["1e400", "-1e999999999999", "9" * 400])
def test_a_number_too_large_for_a_float_is_not_taken_for_infinity(
    tmp_path: Path, key: Path, number: str
) -> None:
    scores = tmp_path / "scores"
    scores.write_text(SCORES.replace("x 0.25", f"x {number}"))
    assert refusal(scores, key).endswith("is too large for a computer to represent. Correct this line.")


@pytest.mark.parametrize("odd", ["\u202e", "\ufeff", "\u00a0", "é", "\U0001f993", "<b>"])
def test_odd_characters_are_part_of_an_id(tmp_path: Path, odd: str) -> None:
    scores, key = tmp_path / "scores", tmp_path / "key"
    scores.write_text(SCORES.replace("a ", f"a{odd}c "), encoding="utf-8")
    key.write_text(KEY.replace("a x", f"a{odd}c x").replace("a y", f"a{odd}c y"), encoding="utf-8")
    trials = zebra_core.read_trials(scores, key)
    assert trials.enrol is not None
    assert trials.enrol.names == (f"a{odd}c", "b")


@pytest.mark.parametrize("name", ["a'b", 'a"b', "a\nb", "<img src=x>", "a\u202eb", "-rf", "\udcff\udcfe"])
def test_any_name_of_a_file_will_do(tmp_path: Path, key: Path, name: str) -> None:
    scores = tmp_path / name
    scores.write_text(SCORES)
    assert len(zebra_core.read_trials(scores, key)) == 4


def test_a_line_without_end_is_refused_before_it_costs_anything(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores"
    scores.write_bytes(SCORES.encode() + b"x" * (LONGEST_LINE + 1))
    assert refusal(scores, key) == (
        "scores, line 5: this line is longer than 8 MB, too long for a list or a matrix of scores. Break "
        "the file into lines."
    )


def test_a_line_of_the_greatest_length_is_looked_at(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores"
    scores.write_bytes(SCORES.encode() + b"x" * LONGEST_LINE)
    assert refusal(scores, key).startswith("scores, line 5: found one column in “xxx")


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path, key: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refusal(pipe, key) == "pipe is not a regular file (a device or a pipe). Give a file on disk."
    assert refusal(Path("/dev/zero"), key).startswith("zero is not a regular file")


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, size
    return made


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_links_and_devices_in_an_archive_are_not_followed(tmp_path: Path, key: Path, kind: bytes) -> None:
    scores = tmp_path / "scores.tar"
    with tarfile.open(scores, "w") as archive:
        archive.addfile(member("scores", kind, "/etc/passwd"))
    assert refusal(scores, key) == "scores.tar is empty. Give a file with one trial per line."


def put_in_tar(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        archive.addfile(member("case", tarfile.DIRTYPE))
        for name, text in (("case/scores", SCORES), ("case/key", KEY)):
            archive.addfile(member(name, size=len(text)), io.BytesIO(text.encode()))
        archive.addfile(member("case/more", tarfile.SYMTYPE, "/etc/passwd"))


def put_in_zip(path: Path) -> None:
    link = zipfile.ZipInfo("case/more")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("case/scores", SCORES)
        archive.writestr("case/key", KEY)
        archive.writestr(link, "/etc/passwd")


@pytest.mark.parametrize("put", [put_in_tar, put_in_zip])
def test_links_in_an_archive_are_told_beside_what_could_be_read(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    path = tmp_path / "case.archive"
    put(path)
    arrival = arrive([path])
    assert [entry.assessment.n_target for entry in arrival.entries] == [2]
    (problem,) = arrival.plan.problems
    assert str(problem.error).startswith("case.archive › case/more is not a file but a link or a device, and")


@pytest.mark.parametrize("name", ["../../scores", "/etc/scores", "..\\scores", "C:\\scores"])
def test_names_that_lead_out_of_an_archive_lead_nowhere(tmp_path: Path, key: Path, name: str) -> None:
    scores = tmp_path / "below" / "scores.zip"
    scores.parent.mkdir()
    with zipfile.ZipFile(scores, "w") as archive:
        archive.writestr(name, SCORES)
    before = sorted(tmp_path.rglob("*"))
    assert len(zebra_core.read_trials(scores, key)) == 4
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_that_an_archive_holds_twice_is_two_files(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("scores", SCORES)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("scores", SCORES.replace("2.5", "3"))
        archive.writestr("key", KEY)
    arrival = arrive([path])
    assert [file.source.member for file in arrival.plan.files] == ["scores", "scores (2)", "key"]
    assert [entry.assessment.n_target for entry in arrival.entries] == [2, 2]


def of_tar(name: str, kind: bytes, size: int, content: bytes = b"") -> bytes:
    """One header of a tar with this size, and its content in whole blocks."""
    made = member(name, kind)
    header = bytearray(made.tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = size.to_bytes(12, "big", signed=True) if size < 0 else b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + content + bytes(-len(content) % tarfile.BLOCKSIZE)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, b"Z", tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_leads_back_to_itself_is_not_followed_for_ever(
    tmp_path: Path, key: Path, kind: bytes
) -> None:
    scores = tmp_path / "scores.tar"
    scores.write_bytes(of_tar("k", tarfile.REGTYPE, 0) + of_tar("a", kind, -512) + bytes(10_240))
    assert refusal(scores, key) == (
        "scores.tar cannot be unpacked: a member of -512 bytes. Copy or download it again, or give the "
        "files inside it."
    )


def test_the_same_where_the_size_stands_in_an_extended_header(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores.tar"
    record = b"14 size=-1024\n"
    extended = of_tar("x", tarfile.XHDTYPE, len(record), record)
    scores.write_bytes(extended + of_tar("a", b"Z", 0) + bytes(10_240))
    assert refusal(scores, key).startswith(
        # Newer Pythons end the archive at such a header themselves.
        ("scores.tar cannot be unpacked: a member of -1024 bytes.", "scores.tar is empty.")
    )


def test_digits_without_end_in_an_extended_header_are_refused_at_once(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores.tar"
    for count in (50_000, 5_000_000):  # in quadratic time these are seconds, and most of a day
        digits = b"1" * count
        scores.write_bytes(of_tar("x", tarfile.XHDTYPE, count, digits) + of_tar("a", tarfile.REGTYPE, 0))
        assert "an extended header that is none" in refusal(scores, key)


def test_an_extended_header_with_a_long_path_is_read(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores.tar"
    with tarfile.open(scores, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member("ü" * 300 + "/scores", size=len(SCORES)), io.BytesIO(SCORES.encode()))
    assert len(zebra_core.read_trials(scores, key)) == 4


def zip_whose_list_is(length: int, *, large: bool = False) -> bytes:
    """A zip that says its list of members has this many bytes; `large`: in the place beyond 4 GB."""
    head, end_64 = b"PK\x03\x04" + bytes(100), b""
    said = 0xFFFFFFFF if large else length
    if large:
        end_64 = b"PK\x06\x06" + bytes(36) + length.to_bytes(8, "little") + bytes(8)
        end_64 += b"PK\x06\x07" + bytes(16)
    return head + bytes(1 << 12) + end_64 + b"PK\x05\x06" + bytes(8) + said.to_bytes(4, "little") + bytes(6)


@pytest.mark.parametrize("large", [False, True])
def test_a_list_of_millions_of_members_is_not_even_read(tmp_path: Path, key: Path, large: bool) -> None:
    scores = tmp_path / "scores.zip"
    scores.write_bytes(zip_whose_list_is(200 << 20, large=large))
    assert refusal(scores, key) == (
        "scores.zip contains more than 20\N{NARROW NO-BREAK SPACE}000 files. Unpack it and give the scores "
        "and the key."
    )


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_looking_whether_a_zip_holds_arrays_unpacks_nothing_unbounded(method: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("scores.npy", b"\x93NUMPY" + bytes(1 << 20))
    assert not packing.is_npz(stream.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_packed_in_an_unusual_way_is_read_and_checked(tmp_path: Path, key: Path, method: int) -> None:
    scores = tmp_path / "scores.zip"
    with zipfile.ZipFile(scores, "w", method) as archive:
        archive.writestr("scores", SCORES)
    assert len(zebra_core.read_trials(scores, key)) == 4
    content = scores.read_bytes()
    directory = content.index(b"PK\x01\x02")
    spoilt = content[: directory + 16] + b"\0\0\0\0" + content[directory + 20 :]  # its CRC-32
    scores.write_bytes(spoilt)
    assert refusal(scores, key).startswith("scores.zip cannot be unpacked: Bad CRC-32 for file")


@pytest.mark.parametrize(("name", "method"), [("bzip2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA)])
def test_a_bomb_packed_in_an_unusual_way_is_not_unpacked_at_once(key: Path, name: str, method: int) -> None:
    """Of zeros that zipfile packed; to pack them takes much longer than to find out."""
    scores = BOMBS / f"{name}.zip"
    with zipfile.ZipFile(scores) as archive:
        [member] = archive.infolist()
    assert (member.compress_type, member.file_size) == (method, 128 << 20)
    tracemalloc.start()
    try:
        assert refusal(scores, key).startswith(f"{name}.zip unpacks to more than 400 times its size")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 100 << 20  # of 128; more than 64 are not even looked at


def test_names_longer_than_any_path_are_refused(tmp_path: Path, key: Path) -> None:
    scores = tmp_path / "scores.zip"
    with zipfile.ZipFile(scores, "w") as archive:
        archive.writestr("s" * packing.LONGEST_NAME, SCORES)
    assert len(zebra_core.read_trials(scores, key)) == 4
    with zipfile.ZipFile(scores, "w") as archive:
        archive.writestr("a" + ".gz" * 20_000, SCORES)
    assert refusal(scores, key).startswith(
        "scores.zip contains a file whose name is too long for any path, “a.gz.gz"
    )


def test_bombs_are_refused_before_they_go_off(tmp_path: Path, key: Path) -> None:
    zeros = bytes(1 << 27)
    scores = tmp_path / "scores"
    scores.write_bytes(gzip.compress(zeros))
    told = (
        "scores unpacks to more than 400 times its size, as score files never do. If you trust it, say so "
        "in the window or with --unpack, or give its contents as plain text."
    )
    assert refusal(scores, key) == told
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores", zeros)
    scores.write_bytes(stream.getvalue())
    assert refusal(scores, key) == told


def test_a_file_that_vanishes_between_looking_and_reading_is_a_sentence(tmp_path: Path, key: Path) -> None:
    from zebra_core.intake.sorting.plan import plan
    from zebra_core.project.reading.reading import try_planned

    scores = tmp_path / "scores"
    scores.write_text(SCORES)
    (planned,) = plan([scores, key]).assessments
    scores.unlink()
    tried = try_planned(planned)
    assert tried.entry is None
    assert str(tried.failure).startswith("scores was not found")


def test_a_file_that_grows_between_looking_and_reading_is_taken_as_it_then_is(
    tmp_path: Path, key: Path
) -> None:
    from zebra_core.intake.sorting.plan import plan
    from zebra_core.project.reading.reading import try_planned

    scores = tmp_path / "scores"
    scores.write_text(SCORES)
    (planned,) = plan([scores, key]).assessments
    with scores.open("a") as more:
        more.write("c x 7\n")
    tried = try_planned(planned)
    assert tried.entry is not None
    (used,) = [file for file in tried.entry.files if file.role == "scores"]
    assert (used.rows, used.size) == (5, scores.stat().st_size)


def test_a_folder_that_may_not_be_looked_into_is_told(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests as root may look into everything: the system's answer is given here.
    (tmp_path / "scores").write_text(SCORES)
    closed = tmp_path / "closed"
    closed.mkdir()
    look = os.scandir

    def refuse(folder: str) -> object:
        if str(folder) == str(closed):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return look(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    arrival = arrive([tmp_path])
    assert len(arrival.entries) == 1
    assert [str(problem.error) for problem in arrival.plan.problems] == [
        "closed cannot be read: Permission denied. Check that you have permission to open it."
    ]
