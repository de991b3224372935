"""Only regular files are opened; nothing is waited for."""

import os
import socket
from pathlib import Path

import pytest

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.files import InputState
from zebra_core.files.opening import is_folder, open_regular, size_of
from zebra_core.intake.opening.opening import files_below
from zebra_core.project.logo import read_logo
from zebra_core.project.project import Project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.inputs import look_at
from zebra_core.report.found_files import find_inputs
from zebra_core.report.verify import verify
from zebra_core.saved.project_file import open_project, save_project


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
    for read in (open_regular, project_of_folder, open_project):
        with pytest.raises(InputError, match=r"cannot be read: File name too long\. Check"):
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
