"""Packs folders so that the same files give the same bytes, and writes down the checksums of what is made."""

from __future__ import annotations

import hashlib
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path


def pack_tar(folder: Path, target: Path, date: int) -> Path:
    """Pack the folder, under its own name, as .tar.xz: sorted, owned by nobody in particular, of one date.

    `date` is in seconds since 1970. Who may run a file is kept, other rights are made the same for all.
    """
    with tarfile.open(target, mode="w:xz", format=tarfile.PAX_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            info = tar.gettarinfo(path, path.relative_to(folder.parent).as_posix())
            info.uid = info.gid = 0
            info.uname = info.gname = "root"
            info.mtime = date
            info.mode = _mode(path)
            if info.islnk():  # a second name for one file: written as a file
                info.type, info.size = tarfile.REGTYPE, path.stat().st_size
            with path.open("rb") if info.isreg() else io.BytesIO() as content:
                tar.addfile(info, content)
    return target


def pack_zip(folder: Path, target: Path, date: int) -> Path:
    """Pack the folder, under its own name, as .zip, with the same promises."""
    when = datetime.fromtimestamp(date, UTC).timetuple()[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), when)
            info.external_attr = (stat.S_IFREG | _mode(path)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())
    return target


def checksums(files: Iterable[Path]) -> str:
    """The SHA-256 sums as `sha256sum --check` reads them, in the order of the names."""
    lines = []
    for path in sorted(files, key=lambda path: path.name):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}")
    return "\n".join(lines) + "\n"


def contents(folder: Path) -> str:
    """The SHA-256 sums of all files below the folder, by their places in it: to compare two builds."""
    lines = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            lines.append(f"{digest}  {path.relative_to(folder).as_posix()}")
    return "\n".join(lines) + "\n"


def _mode(path: Path) -> int:
    if path.is_symlink():
        return 0o777
    return 0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644
