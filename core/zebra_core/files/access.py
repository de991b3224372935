"""Files: named, walked and opened as what they are, and written whole, privately and never over another's."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shlex
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path, PurePosixPath, PureWindowsPath

from zebra_core.errors import InputError, OutputError

_REASONS = {
    errno.EEXIST: "exists",
    errno.ENOENT: "no-folder",
    errno.ENOTDIR: "no-folder",
    errno.EISDIR: "is-folder",
    errno.EACCES: "not-allowed",
    errno.EPERM: "not-allowed",
    errno.EROFS: "read-only",
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EFBIG: "too-large",
    errno.ENAMETOOLONG: "name-too-long",
    errno.EINVAL: "name-impossible",
    errno.EILSEQ: "name-impossible",
    errno.EBUSY: "in-use",
    errno.ETXTBSY: "in-use",
}
_ON_WINDOWS = os.name == "nt"
_DISK_GONE = (errno.EIO, errno.ENODEV, errno.ENXIO, errno.ENOSPC, errno.EDQUOT)
_IN_USE_ON_WINDOWS = (32, 33)  # sharing violation, lock violation
_NAME_TOO_LONG_ON_WINDOWS = (111, 206)  # errno is that of a missing folder there
_NO_NAME_ON_WINDOWS = 123  # a*, a?, a<b: what cannot be there is not there
_LEFTOVER = re.compile(r"\.zebra-[0-9a-f]{16}\.tmp")  # as `_stage` names what it writes
_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
_NO_FUNCTION_ON_WINDOWS = (1, 50)  # what FAT and some network folders answer there


Content = bytes | Callable[[], bytes]
"""What is written, or what makes it when its turn comes: of many large files one is held at a time."""


def write_file(path: Path, content: bytes, *, overwrite: bool = False, private: bool = False) -> Path:
    """Write one file; see `write_files`."""
    return write_files({path: content}, overwrite=overwrite, private=[path] if private else [])[0]


def write_files(
    files: Mapping[Path, Content], *, overwrite: bool = False, private: Collection[Path] = ()
) -> list[Path]:
    """Write a group of files, each at once and whole; returns their paths in the order given.

    Every name is checked before anything is written, and every content is on the disk before the first file
    gets its name: a full disk or a name that is taken leaves all as it was. A file that is overwritten keeps
    its permissions, and its group where the system allows that; a new one gets those that the user's umask
    leaves, a `private` one is for its owner alone. Raises OutputError.
    """
    for path in files:
        require_free(path, overwrite=overwrite)
    staged: dict[Path, Path] = {}
    written: list[Path] = []
    try:
        for path, content in files.items():
            made = content if isinstance(content, bytes) else content()
            with _as_output_error(path):
                staged[path] = _stage(path, made, path in private)
        for path, temporary in staged.items():
            with _as_output_error(path):
                _publish(temporary, path, overwrite)
            written.append(path)
        for folder, path in {path.parent: path for path in written}.items():
            with _as_output_error(path):
                _sync_folder(folder)
    except BaseException:
        if not overwrite:  # what was there before cannot be brought back, what is new can go again
            _remove(written)
        raise
    finally:
        _remove(staged.values())
    return written


def is_leftover(path: Path) -> bool:
    """Whether it is called as what is half-written."""
    return bool(_LEFTOVER.fullmatch(path.name))


def remove_leftovers(folder: Path, *, older_than_s: float = 3600.0) -> int:
    """Remove what a program that was killed while it wrote has left half-written in a folder; how much."""
    count = 0
    for path in filter(is_leftover, folder.glob(".zebra-*.tmp")):
        with contextlib.suppress(OSError):
            if time.time() - path.lstat().st_mtime > older_than_s:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                count += 1
    return count


@contextlib.contextmanager
def written_together(out: Path, first: str, *, overwrite: bool = False) -> Iterator[Path]:
    """A hidden folder whose files get their places below `out` when the block has ended well.

    The `first` of them comes first, so that it can say what belongs to it. If anything fails, nothing has
    been written; a program that is killed leaves a folder that nobody reads. Raises OutputError.
    """
    remove_leftovers(make_folder(out))
    staged = make_folder(out / f".zebra-{secrets.token_hex(8)}.tmp")
    written: list[Path] = []
    try:
        yield staged
        files = sorted(path.relative_to(staged) for path in staged.rglob("*") if path.is_file())
        files.sort(key=lambda place: place != Path(first))
        with new_folders(*{(out / place).parent for place in files}):
            for place in files:
                require_free(out / place, overwrite=overwrite)
            for place in files:
                with _as_output_error(out / place):
                    _publish(staged / place, out / place, overwrite)
                written.append(out / place)
    except BaseException:
        if not overwrite:
            _remove(written)
        raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def make_folder(folder: Path) -> Path:
    """Make the folder, and those above it, unless it is there. Raises OutputError."""
    with _as_output_error(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A new folder for what nobody keeps, which goes with it, with the program at the latest.

    Raises OutputError where there is no room, or no place, for one.
    """
    try:
        return tempfile.TemporaryDirectory(prefix="zebra-", ignore_cleanup_errors=True)
    except OSError as error:
        raise OutputError("no-temporary-folder", reason=error.strerror or str(error)) from error


def behind_link(path: Path) -> Path:
    """Where to write so that a link goes on being one. Raises OutputError for one that leads to itself."""
    if not os.path.islink(path):  # noqa: PTH114 - Path.is_symlink raises where a name is too long
        return path.absolute()
    found = Path(os.path.realpath(path))
    with _as_output_error(path):
        if os.path.islink(found):  # noqa: PTH114
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return found


@contextlib.contextmanager
def new_folders(*folders: Path) -> Iterator[None]:
    """Make these folders, and those above them; the new ones go again where filling them fails.

    Raises OutputError.
    """
    new: set[Path] = set()
    try:
        for folder in folders:
            with _as_output_error(folder):
                new |= {one for one in (folder, *folder.parents) if not one.exists()}
            make_folder(folder)
        yield
    except BaseException:
        for folder in sorted(new, key=lambda one: len(one.parts), reverse=True):
            with contextlib.suppress(OSError):  # somebody has put something there
                folder.rmdir()
        raise


def require_free(path: Path, *, overwrite: bool) -> None:
    """Find out what can be known beforehand about writing to this path. Raises OutputError."""
    with _as_output_error(path):
        if _ON_WINDOWS and (is_device(path.name) or path.name.endswith((".", " "))):
            raise ValueError(path.name)  # it would write to a device, or under another name
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        try:
            mode = path.lstat().st_mode  # also fails where the name is too long
        except FileNotFoundError:
            return
        if overwrite and _ON_WINDOWS and not mode & stat.S_IWRITE:
            raise OutputError("marked-read-only", file=path.name, folder=folder_of(path))
        if not overwrite:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def require_empty(folder: Path, *, overwrite: bool) -> None:
    """Find out whether a folder is there with something in it, which was not allowed. Raises OutputError."""
    with _as_output_error(folder):
        if not overwrite and folder.is_dir() and any(folder.iterdir()):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _stage(path: Path, content: bytes, private: bool) -> Path:
    """The content on the disk, in the folder where it belongs, under a name of no meaning."""
    temporary = path.parent / f".zebra-{secrets.token_hex(8)}.tmp"
    before = _mode_of(path)

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666 if before is None and not private else 0o600)  # less the umask

    try:
        with open(temporary, "xb", opener=opened) as file:
            if before is not None:
                _take_over(temporary, before, private)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        _remove([temporary])
        raise
    return temporary


def _mode_of(path: Path) -> os.stat_result | None:
    """What is known of the file in whose place another is written; None where there is none."""
    try:
        return path.stat()
    except OSError:
        return None


def _take_over(temporary: Path, before: os.stat_result, private: bool) -> None:
    """Give a new file the permissions and the group of the one before; never more to anybody than it had."""
    mode = stat.S_IMODE(before.st_mode) & (0o700 if private else 0o777)
    if hasattr(os, "chown") and temporary.stat().st_gid != before.st_gid:
        try:
            os.chown(temporary, -1, before.st_gid)
        except OSError:  # not a member of that group: what it might do, another must not
            mode &= ~0o070
    with contextlib.suppress(OSError):  # some disks know no permissions
        temporary.chmod(mode)


def _publish(temporary: Path, path: Path, overwrite: bool) -> None:
    """Give the file its name, in one step."""
    if overwrite:
        try:
            temporary.replace(path)
        except PermissionError as error:
            if not _ON_WINDOWS:
                raise
            # That one may write here is known by now: another program has the file open.
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY)) from error
        return
    try:
        os.link(temporary, path)  # unlike a rename, it fails when the name has been taken meanwhile
    except (OSError, AttributeError) as error:  # the second where Python knows no links at all
        if isinstance(error, OSError) and not _means_no_hard_links(error):
            raise
        # FAT and some network folders: take the name first, then put the content under it.
        path.open("xb").close()
        try:
            temporary.replace(path)
        except OSError:
            _remove([path])
            raise


def _means_no_hard_links(error: OSError) -> bool:
    return error.errno in _NO_HARD_LINKS or getattr(error, "winerror", None) in _NO_FUNCTION_ON_WINDOWS


def _sync_folder(folder: Path) -> None:
    """Put the new names on the disk, too, where the system can; that the disk is gone is a failure."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in _DISK_GONE:
            raise


def refuse_in_place(read: Path, out: Path, code: str) -> None:
    """Raise OutputError with this code where what is made of a file would replace it, even if asked to."""
    if out.exists() and read.exists() and out.samefile(read):
        raise OutputError(code, file=read.name)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()


@contextlib.contextmanager
def _as_output_error(path: Path) -> Iterator[None]:
    """Turn what the system says about this path into an OutputError."""
    facts = {"file": path.name, "folder": folder_of(path)}
    try:
        yield
    except OSError as error:
        code = _REASONS.get(error.errno or 0, "failed")
        if getattr(error, "winerror", None) in _IN_USE_ON_WINDOWS:
            code = "in-use"
        if getattr(error, "winerror", None) in _NAME_TOO_LONG_ON_WINDOWS or (
            _ON_WINDOWS and code == "no-folder" and path.parent.is_dir()
        ):
            code = "name-too-long"
        raise OutputError(code, **facts, reason=error.strerror or str(error)) from error
    except ValueError as error:  # a null character in the name
        raise OutputError("name-impossible", **facts, reason=str(error)) from error


# Names as systems read them: what Windows takes for a device, its paths taken apart elsewhere, commands.


_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows takes the name for a device, with any ending: CON, nul.zebra, "COM1 .txt"."""
    return bool(_DEVICE.fullmatch(name.split(".", 1)[0].split(":", 1)[0].rstrip(" ")))


def as_command(words: Sequence[str]) -> str:
    """A command as one pastes it into a shell of this system: words with blanks and marks are quoted."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def without_backslashes(path: str) -> str:
    r"""A path that was written down on Windows, as another system can take it apart: with slashes.

    `C:\case\scores` and `\\server\share\scores` would be one long name elsewhere, with folders in it.
    Any other text, and any on Windows, comes back as it is.
    """
    if os.name == "nt" or path.startswith("/") or "\\" not in path:
        return path
    there = PureWindowsPath(path)
    return there.as_posix() if there.is_absolute() and there.name else path


# What lies below a folder, however deep, and never through a link.


OnClosed = Callable[[OSError], object]


def walk(
    top: Path, on_closed: OnClosed | None = None, on_link: Callable[[Path], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and all below it, each with the names of its folders and of its other things, as by os.walk.

    Where the folders are changed in place, that is the order in which they come, and what is left out. Links
    to folders are not followed, for they may lead round in circles, or to what nobody gave: `on_link` is told
    of them, and `on_closed` of folders that may not be looked into. Nothing calls itself here: os.walk of
    Python 3.11 does, and folders a thousand deep end it.
    """
    waiting = [os.fspath(top)]
    while waiting:
        folder = waiting.pop()
        folders: list[str] = []
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not _is_folder(entry):
                        names.append(entry.name)
                    elif not entry.is_symlink():
                        folders.append(entry.name)
                    elif on_link is not None:
                        on_link(Path(entry.path))
        except OSError as error:
            if on_closed is not None:
                on_closed(error)
            continue
        yield folder, folders, names
        waiting += [os.path.join(folder, name) for name in reversed(folders)]  # noqa: PTH118 - as os.walk does


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # as with os.walk: whoever opens it is told why it cannot be
        return False


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems leave behind for themselves."""
    return any(
        part == "__MACOSX" or (part[:1] == "." and part.strip("."))
        for part in PurePosixPath(name.replace("\\", "/")).parts  # some write the separator of Windows
    )


# Opening files that somebody else named: only what is a regular file, and never waiting for a pipe.


# A pipe that takes the file's place after the first look would keep us waiting for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def open_regular(path: Path, name: str = "") -> BufferedReader:
    """The file, open to be read. `name` is what it is called in sentences, else its own name.

    Raises InputError for a folder, a device or a pipe, and for what is missing or cannot be opened.
    """
    name = name or path.name or str(path)
    try:
        _refuse_others(path.stat(), name)  # before it is opened: with some devices that alone does something
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise _not_there(path, name, error) from error
    try:
        _refuse_others(os.fstat(descriptor), name)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def read_bounded(path: Path, most_bytes: int, too_large: InputError) -> bytes:
    """All of a file that has at most so many bytes; of a larger one no more is read. Raises InputError.

    `too_large` is what is raised where there is more.
    """
    try:
        with open_regular(path) as file:
            content = file.read(most_bytes + 1)
    except OSError as error:
        raise unreadable(path.name, error) from error
    if len(content) > most_bytes:
        raise too_large
    return content


def refuse_links(path: Path, first: int) -> None:
    """Raise InputError where a part of the path from this one on is a link, which may lead anywhere."""
    for number in range(first, len(path.parts)):
        part = Path(*path.parts[: number + 1])
        if os.path.islink(part):  # noqa: PTH114 - Path.is_symlink raises where a name is too long
            raise InputError("is-link", file=part.name, folder=folder_of(part), target=os.path.realpath(part))


def size_of(path: Path) -> int | None:
    """The size of a regular file, else None."""
    try:
        status = path.stat()
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def is_folder(path: Path) -> bool:
    """Whether this is a folder, as far as the system tells: a name may be too long, or nobody's business.

    Where it does not tell, opening the path says why.
    """
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises what the system says


def folder_of(path: Path) -> str:
    """The folder that a file is in, as a sentence names it: in full where it would be a mere dot."""
    return str(path.parent if path.parent != Path() else path.absolute().parent)


def refuse_missing(path: Path, name: str = "") -> None:
    """Raise InputError where nothing is there, or nobody may know."""
    name = name or path.name or str(path)
    try:
        path.stat()
    except (OSError, ValueError) as error:
        raise _not_there(path, name, error) from error


def _not_there(path: Path, name: str, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError) or getattr(error, "winerror", None) == _NO_NAME_ON_WINDOWS:
        return InputError("missing", file=name, folder=folder_of(path))
    return unreadable(name, error)


def unreadable(name: str, error: Exception) -> InputError:
    """The sentence for a file that the system does not let us read."""
    return InputError("unreadable", file=name, reason=getattr(error, "strerror", None) or str(error))


def _refuse_others(status: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("is-directory", file=name)
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not-a-file", file=name)
