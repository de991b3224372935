"""Files are whole or not there, and nothing is overwritten unasked."""

import errno
import os
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from tests.core.document.samples import rich_project
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.audit import InputState
from zebra_core.files.access import (
    is_device,
    is_folder,
    make_folder,
    new_folders,
    open_regular,
    refuse_missing,
    remove_leftovers,
    size_of,
    walk,
    without_backslashes,
    write_file,
    write_files,
)
from zebra_core.intake.opening.opening import files_below
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.inputs import check, look_at
from zebra_core.project.report_settings import read_logo
from zebra_core.report.found_files import find_inputs
from zebra_core.report.verify import verify


def left_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_writes_a_group_in_order(tmp_path: Path) -> None:
    files = {tmp_path / "b": b"2", tmp_path / "a": b"1"}
    assert write_files(files) == [tmp_path / "b", tmp_path / "a"]
    assert left_in(tmp_path) == {"a": b"1", "b": b"2"}


def test_a_file_that_is_there_stays_and_so_does_the_rest_of_the_group_unwritten(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"mine")
    with pytest.raises(OutputError) as raised:
        write_files({tmp_path / "new": b"1", tmp_path / "taken": b"2"})
    assert str(raised.value).startswith("taken already exists in ")
    assert str(raised.value).endswith("Choose another name, or allow it to be overwritten.")
    assert left_in(tmp_path) == {"taken": b"mine"}


def test_overwrites_when_asked(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"old")
    write_file(tmp_path / "taken", b"new", overwrite=True)
    assert left_in(tmp_path) == {"taken": b"new"}


@pytest.mark.parametrize("links", [True, False], ids=["with hard links", "without hard links"])
def test_a_name_taken_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def link(source: Path, target: Path) -> None:
        target.write_bytes(b"somebody was faster")
        raise OSError(errno.EEXIST if links else errno.EPERM, "link")

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "report", b"1")
    assert raised.value.code == "exists"
    assert left_in(tmp_path) == {"report": b"somebody was faster"}


class FatOnWindowsError(OSError):
    winerror = 1


class TooLongOnWindowsError(OSError):
    winerror = 206


@pytest.mark.parametrize("kind", [TooLongOnWindowsError, OSError], ids=["by its number", "by the folder"])
def test_a_name_too_long_for_windows_is_told_as_such_though_its_errno_is_that_of_a_missing_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_windows: None, kind: type[OSError]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise kind(errno.ENOENT, "The filename or extension is too long")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "report", b"1")
    assert raised.value.code == "name-too-long"


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EPERM, "no links"),
        FatOnWindowsError(errno.EINVAL, "no function"),
        AttributeError("link"),
    ],
    ids=["FAT on Linux", "FAT on Windows", "a Python without links"],
)
def test_writes_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def link(source: Path, target: Path) -> None:
        raise error

    monkeypatch.setattr(os, "link", link)
    write_file(tmp_path / "report", b"1")
    assert left_in(tmp_path) == {"report": b"1"}


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (errno.ENOSPC, "disk-full", "is full. Free some space"),
        (errno.EROFS, "read-only", "is on a read-only disk"),
        (errno.EACCES, "not-allowed", "you may not write in"),
        (errno.EIO, "failed", "cannot be written in"),
    ],
)
def test_a_disk_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str, words: str
) -> None:
    def fsync(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    (tmp_path / "old").write_bytes(b"mine")
    with pytest.raises(OutputError) as raised:
        write_files({tmp_path / "old": b"1", tmp_path / "new": b"2"}, overwrite=True)
    assert raised.value.code == code
    assert words in str(raised.value)
    assert left_in(tmp_path) == {"old": b"mine"}


def test_a_group_that_fails_halfway_takes_its_new_files_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_link = os.link

    def link(source: Path, target: Path) -> None:
        if target.name == "second":
            raise OSError(errno.ENOSPC, "full")
        really_link(source, target)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(OutputError):
        write_files({tmp_path / "first": b"1", tmp_path / "second": b"2"})
    assert left_in(tmp_path) == {}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("nowhere/report.pdf", "no-folder", id="folder missing"),
        pytest.param("file/report.pdf", "no-folder", id="folder is a file"),
        pytest.param("folder", "is-folder", id="name of a folder"),
        pytest.param("x" * 300, "name-too-long", id="name too long"),
        pytest.param("a\0b", "name-impossible", id="null character"),
    ],
)
def test_names_are_checked_before_anything_is_written(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises(OutputError) as raised:
        write_files({tmp_path / "first": b"1", tmp_path / name: b"2"})
    assert raised.value.code == code
    assert str(raised.value)
    assert left_in(tmp_path) == {"file": b"mine"}


def test_makes_a_folder_or_says_why_not(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    assert make_folder(tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError) as raised:
        make_folder(tmp_path / "file")
    assert raised.value.code == "exists"


def test_what_a_killed_program_left_half_written_goes_after_an_hour(tmp_path: Path) -> None:
    old, new, others = ".zebra-0123456789abcdef.tmp", ".zebra-fedcba9876543210.tmp", ".zebra-mine.tmp"
    for name in (old, new, others):
        (tmp_path / name).write_bytes(b"half")
    for name in (old, others):
        os.utime(tmp_path / name, (0, 0))
    remove_leftovers(tmp_path)
    assert left_in(tmp_path) == {new: b"half", others: b"half"}


def test_folders_that_were_made_for_what_failed_go_again(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    inside = old / "a/b", old / "c", old / "d"

    with pytest.raises(OutputError), new_folders(*inside):
        write_files({old / "a/b/file": b"", old / "c": b""})
    assert list(old.iterdir()) == []

    def somebody_else_fills_one() -> None:
        (old / "c/file").write_bytes(b"")
        write_files({old / "a/b/file": b"", old / "c": b""})

    with pytest.raises(OutputError), new_folders(*inside):
        somebody_else_fills_one()
    assert list(old.iterdir()) == [old / "c"]

    with new_folders(old / "a/b"):
        pass
    assert (old / "a/b").is_dir()


def test_a_folder_that_cannot_be_made_takes_those_above_it_along(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as raised, new_folders(tmp_path / "a", tmp_path / "b" / ("n" * 300)):
        pass
    assert raised.value.code == "name-too-long"
    assert list(tmp_path.iterdir()) == []


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_follows_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    with umask(mask):
        write_file(tmp_path / "new", b"1")
        write_file(tmp_path / "private", b"1", private=True)
    assert mode_of(tmp_path / "new") == mode
    assert mode_of(tmp_path / "private") == 0o600


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o400])
def test_a_file_that_is_overwritten_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "case.zebra"
    path.write_bytes(b"old")
    path.chmod(mode)
    with umask(0o022):
        write_file(path, b"new", overwrite=True)
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode)


def test_a_private_file_becomes_private_again(tmp_path: Path) -> None:
    path = tmp_path / ".case.zebra.autosave"
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_file(path, b"new", overwrite=True, private=True)
    assert mode_of(path) == 0o600


def test_a_group_that_cannot_be_kept_gives_its_rights_to_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "case.zebra"
    path.write_bytes(b"old")
    path.chmod(0o660)
    kept: list[int] = []
    of_another_group = os.stat_result((0o100660, 0, 0, 1, 0, os.getegid() + 1, 3, 0, 0, 0))
    monkeypatch.setattr("zebra_core.files.access._mode_of", lambda _path: of_another_group)
    monkeypatch.setattr(os, "chown", lambda _path, _owner, group: kept.append(group))
    write_file(path, b"new", overwrite=True)
    assert (kept, mode_of(path)) == ([os.getegid() + 1], 0o660)

    def not_a_member(*_: object) -> None:
        raise PermissionError(errno.EPERM, "chown")

    monkeypatch.setattr(os, "chown", not_a_member)
    write_file(path, b"newer", overwrite=True)
    assert mode_of(path) == 0o600


class DeniedOnWindowsError(PermissionError):
    winerror = 5


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zebra_core.files.access._ON_WINDOWS", True)


def test_a_file_that_word_has_open_is_told_as_open_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_windows: None
) -> None:
    def refuse(*_: object) -> None:
        raise DeniedOnWindowsError(errno.EACCES, "Access is denied")

    (tmp_path / "report.docx").write_bytes(b"kept")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "report.docx", b"new", overwrite=True)
    assert raised.value.code == "in-use"
    assert left_in(tmp_path) == {"report.docx": b"kept"}


def test_a_read_only_file_stays_on_windows_and_nothing_is_left_beside_it(
    tmp_path: Path, on_windows: None
) -> None:
    (tmp_path / "report").write_bytes(b"kept")
    (tmp_path / "report").chmod(0o444)
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / "report", b"new", overwrite=True)
    assert raised.value.code == "marked-read-only"
    assert left_in(tmp_path) == {"report": b"kept"}


@pytest.mark.parametrize("name", ["end.", "end ", "CON", "nul.zebra", "COM1.zebra"])
def test_names_that_windows_cannot_keep_are_refused_there(
    tmp_path: Path, on_windows: None, name: str
) -> None:
    with pytest.raises(OutputError) as raised:
        write_file(tmp_path / name, b"1")
    assert raised.value.code == "name-impossible"
    assert left_in(tmp_path) == {}


@pytest.mark.parametrize(
    "name", ["CON", "con", "nul.zebra", "COM1.tar.gz", "LPT9", "Aux ", "COM¹.txt", "PRN:x", "conin$"]
)
def test_a_device_is_known_whatever_its_ending(name):
    assert is_device(name)


@pytest.mark.parametrize(
    "name", ["", "CONSOLE", "COM0", "COM10", "nul-project.zebra", "icon", "ZEBRA-CON", ".con"]
)
def test_what_only_resembles_a_device_is_a_name_like_any_other(name):
    assert not is_device(name)


@pytest.mark.filterwarnings("ignore:.*is_reserved:DeprecationWarning")
@pytest.mark.parametrize("name", ["CON", "nul.zebra", "COM1.tar.gz", "ZEBRA-CON", "icon", "COM10"])
def test_python_judges_alike(name):
    assert is_device(name) == PureWindowsPath(name).is_reserved()


@pytest.mark.skipif(os.name == "nt", reason="Windows takes its paths apart itself")
@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (r"C:\Users\Anna\case\scores.txt", ("C:", "Users", "Anna", "case", "scores.txt")),
        (r"c:\case/exp\scores.txt", ("c:", "case", "exp", "scores.txt")),
        (r"\\server\share\case\scores.txt", ("//", "server", "share", "case", "scores.txt")),
        (r"\\?\C:\a very long path\scores.txt", ("//", "?", "C:", "a very long path", "scores.txt")),
    ],
)
def test_a_path_of_windows_has_the_name_of_its_file_elsewhere(path, parts):
    found = PurePosixPath(without_backslashes(path))
    assert found.name == "scores.txt"
    assert found.parts == parts


@pytest.mark.parametrize(
    "text", ["", "/home/anna/a\\b", "a\\b", "C:scores", "~\\x", "scores.txt", "reading", "\\\\server", "D:"]
)
def test_any_other_text_stays_as_it_is(text):
    assert without_backslashes(text) == text


SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "scores").write_text(SCORES)
    (folder / "key").write_text(KEY)
    return folder


def test_it_is_what_the_library_finds_in_the_same_order(tmp_path: Path) -> None:
    for name in ("b/d/f", "b/c", "a/x/y/z", "e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b/gone").symlink_to("nowhere")

    def in_order(walk: object) -> list[tuple[str, list[str], list[str]]]:
        found = []
        for folder, folders, names in walk:  # type: ignore[attr-defined]
            folders.sort(reverse=True)
            if "x" in folders:
                folders.remove("x")
            found.append((folder, list(folders), sorted(names)))
        return found

    assert in_order(walk(tmp_path)) == in_order(os.walk(tmp_path))


def test_folders_deeper_than_any_recursion_are_looked_into(case: Path, tmp_path: Path) -> None:
    depth = sys.getrecursionlimit() + 100
    place = os.open(case, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        assert len(list(walk(case))) == depth + 1
        assert len(arrive([case]).entries) == 1
        one = {"size": len(SCORES), "sha256": "0" * 64, "name": "scores"}
        assert find_inputs([one], [case])[0].changed == case / "scores"
        assert check(rich_project(tmp_path / "rich"), [case]).moves == {}
    finally:  # deeper than what removes a folder for us goes
        for folder, _, _ in reversed(list(walk(case))):
            if folder != str(case):
                os.rmdir(folder)  # noqa: PTH106 - as above
    assert sorted(path.name for path in case.iterdir()) == ["key", "scores"]


def test_links_that_go_round_are_no_way_and_others_are_told(case: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else\nwhere"
    elsewhere.mkdir()
    (elsewhere / "scores").write_text(SCORES)
    (case / "round").symlink_to(case)
    (case / "sub").mkdir()
    (case / "sub" / "up").symlink_to("..")
    (case / "itself").symlink_to("itself")
    (case / ".hidden").symlink_to(elsewhere)
    (case / "out").symlink_to(elsewhere)
    arrival = arrive([case])
    assert len(arrival.entries) == 1
    linked, unreadable = (str(problem.error) for problem in arrival.plan.problems)
    assert linked == (
        "out is a link to another folder, which was not searched. If its contents belong to the evidence, "
        "give that folder too."
    )
    assert unreadable.startswith("itself cannot be read: Too many levels of symbolic links.")
    assert arrive([case, elsewhere]).plan.problems[0].source.path.name == "itself"


def test_nothing_is_found_below_nothing() -> None:
    assert list(walk(Path("nowhere at all"))) == []
    assert check(Project(), [Path("nowhere at all")]).moves == {}


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("read", [open_regular, read_logo, verify, open_project])
def test_nobody_waits_for_a_pipe_or_reads_a_device_without_end(read: object, pipe: Path) -> None:
    assert callable(read)
    for path in (pipe, Path("/dev/zero"), Path("/dev/tty0")):
        with pytest.raises(InputError, match=r"is not a regular file|is not there|cannot be read"):
            read(path)


def test_a_file_that_lacks_in_the_folder_of_the_moment_is_missed_in_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.getcwd", lambda: "/here")
    with pytest.raises(InputError, match="none was not found in /here\\. Check"):
        open_regular(Path("none"))
    with pytest.raises(InputError, match="none was not found in further\\. Check"):
        open_regular(Path("further/none"))


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the names of sockets must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    with pytest.raises(InputError, match="socket is not a regular file"):
        open_regular(Path("socket"))


def test_a_pipe_that_takes_the_place_of_a_file_after_the_first_look_is_refused(
    pipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "scores"
    file.touch()
    at_first_look = file.stat()
    monkeypatch.setattr(Path, "stat", lambda _path, **_: at_first_look)
    with pytest.raises(InputError, match="pipe is not a regular file"):
        open_regular(pipe)


class NoNameOnWindowsError(OSError):
    winerror = 123


def test_a_name_that_cannot_be_on_windows_is_missing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NoNameOnWindowsError(errno.EINVAL, "The filename syntax is incorrect")

    monkeypatch.setattr(Path, "stat", refuse)
    for look in (open_regular, refuse_missing):
        with pytest.raises(InputError, match=r"^part-\*\.csv was not found in "):
            look(tmp_path / "part-*.csv")


def test_what_the_system_refuses_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^none was not found"):
        open_regular(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        open_regular(tmp_path)
    with pytest.raises(InputError, match=r"cannot be read: .*embedded null"):
        open_regular(tmp_path / "a\0b")


def test_only_regular_files_have_a_size(tmp_path: Path, pipe: Path) -> None:
    (tmp_path / "scores").write_bytes(b"a b 1\n")
    assert size_of(tmp_path / "scores") == 6
    assert [size_of(path) for path in (pipe, tmp_path, tmp_path / "none", tmp_path / "\0")] == [None] * 4
    assert look_at(pipe, 0).state is InputState.MISSING


def test_a_name_that_no_system_takes_is_no_folder_and_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / ("9" * 400)
    assert not is_folder(path)
    assert not is_folder(path / "scores")
    assert is_folder(tmp_path)
    assert files_below([path]) == [path]
    why = r"was not found in .*\. Check" if os.name == "nt" else r"cannot be read: File name too long\. Check"
    for read in (open_regular, project_of_folder, open_project):
        with pytest.raises(InputError, match=why):
            read(path)
    with pytest.raises(InputError, match="is not a folder"):
        find_inputs([], [path])


def test_a_link_that_leads_to_itself_is_a_sentence(tmp_path: Path) -> None:
    loop = tmp_path / "loop.zebra"
    loop.symlink_to("loop.zebra")
    with pytest.raises(InputError, match=r"loop\.zebra cannot be read: Too many levels of symbolic links"):
        open_project(loop)
    with pytest.raises(OutputError, match=r"loop\.zebra"):
        save_project(Project(), loop, overwrite=True)
    assert loop.is_symlink()
