"""A disk that fails at any moment: the sentence says so, and what was there before is still there, whole."""

import errno
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import zebra_core.files.access
from tests.core.document.samples import rich_project
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import OutputError
from zebra_core.files.access import write_files

REASONS = {
    errno.ENOSPC: "disk-full",
    errno.EIO: "failed",
    errno.EACCES: "not-allowed",
    errno.EROFS: "read-only",
    errno.ENODEV: "failed",  # pulled out
    errno.EDQUOT: "disk-full",
}
OF_FOLDERS = (errno.EACCES, errno.EROFS)  # some systems do not let folders be put on the disk: no failure


class FailingDisk:
    """Everything that touches the disk, counted; the n-th of them fails."""

    def __init__(self, patch: pytest.MonkeyPatch, code: int, fails_at: int) -> None:
        self.done, self._fails_at, self._code = 0, fails_at, code
        opened = open
        patch.setattr(
            zebra_core.files.access,
            "open",
            lambda *given, **more: self._counted(self._open, opened, *given, **more),
            raising=False,
        )
        for place, name in ((os, "fsync"), (os, "link"), (Path, "replace")):
            original = getattr(place, name)
            patch.setattr(place, name, lambda *given, original=original: self._counted(original, *given))

    def _counted(self, act: Callable, *given, **more):
        self.done += 1
        if self.done == self._fails_at:
            raise OSError(self._code, os.strerror(self._code))
        return act(*given, **more)

    def _open(self, opened: Callable, *given, **more):
        file = opened(*given, **more)
        return Written(file, self) if "x" in given[1] else file


class Written:
    """A file whose writes are counted, too."""

    def __init__(self, file, disk: FailingDisk) -> None:
        self._file, self._disk = file, disk

    def __enter__(self):
        return self

    def __exit__(self, *raised) -> None:
        self._file.close()

    def write(self, content: bytes) -> int:
        return self._disk._counted(self._file.write, content)

    def __getattr__(self, name: str):
        return getattr(self._file, name)


@pytest.mark.parametrize("code", REASONS)
def test_saving_a_project_over_another(tmp_path: Path, code: int) -> None:
    path, project = tmp_path / "case.zebra", rich_project(tmp_path)
    save_project(replace(project, title="old"), path)
    there = set(tmp_path.iterdir())
    told = []
    for fails_at in range(1, 20):
        with pytest.MonkeyPatch.context() as patch:
            disk = FailingDisk(patch, code, fails_at)
            try:
                save_project(replace(project, title="new"), path)
            except OutputError as error:
                told.append(error.code)
        assert set(tmp_path.iterdir()) == there
        assert open_project(path).project.title in ("old", "new")
        if disk.done < fails_at:
            break
    # Opening, writing, to the disk, the name, and that to the disk, too.
    assert told == [REASONS[code]] * (4 if code in OF_FOLDERS else 5)
    assert open_project(path).project.title == "new"


@pytest.mark.parametrize("code", REASONS)
def test_writing_a_group_where_nothing_was(tmp_path: Path, code: int) -> None:
    group = {tmp_path / name: name.encode() for name in "abc"}
    told = 0
    for fails_at in range(1, 40):
        with pytest.MonkeyPatch.context() as patch:
            disk = FailingDisk(patch, code, fails_at)
            try:
                write_files(group)
            except OutputError as error:
                told += error.code == REASONS[code]
        names = sorted(path.name for path in tmp_path.iterdir())
        if disk.done < fails_at:
            break
        if names:
            assert code in OF_FOLDERS
            assert names == ["a", "b", "c"]
            for path in group:
                path.unlink()
    # Each file opened, written, put on the disk, named; the folder put on the disk.
    assert told == (12 if code in OF_FOLDERS else 13)
    assert [path.read_bytes() for path in group] == [b"a", b"b", b"c"]


def test_a_system_that_lets_no_file_grow(tmp_path: Path) -> None:
    """The kernel itself refuses, in a process of its own, at every size that is too small."""
    path, project = tmp_path / "case.zebra", rich_project(tmp_path)
    save_project(replace(project, title="old"), path)
    size = path.stat().st_size
    for most in range(0, size, max(1, size // 12)):
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            try:
                save_project(replace(project, title="new, and long" * 70), path)
            except OutputError as error:
                os._exit(7 if error.code == "too-large" else 8)
            os._exit(9)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert open_project(path).project.title == "old"
        assert not list(tmp_path.glob(f"{zebra_core.files.access._LEFTOVER.pattern[:6]}*"))
