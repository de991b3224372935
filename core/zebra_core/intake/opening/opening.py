"""Opening what somebody else sent: its bytes, its size and hash, unpacked; or the sentence why not."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding
from zebra_core.files.opening import is_folder, open_regular, unreadable
from zebra_core.files.walking import is_hidden, walk
from zebra_core.intake.opening import packing, spreadsheet
from zebra_core.runtime.progress import Progress, no_progress, part_of

MOST_FILES = 20_000
LONGEST_LINE = 8 << 20
"""Bytes of one line: a row of a matrix with half a million scores has fewer. Longer ones cost without end."""
_NO_TEXT = (b"\x93NUMPY", b"\x89HDF", b"PAR1")  # begins so and may well be without line ends
_AT_ONCE = 64 << 20
_BEGINNING = 512  # bytes that tell what a file is
_SAMPLE_BYTES = 1 << 16
INSIDE = " › "
_PROJECT = ".zebra"
_UNFINISHED = (".crdownload", ".download", ".opdownload", ".part", ".partial", ".tmp", ".!ut")


@dataclass(frozen=True, order=True)
class Source:
    """Where evidence lies: a file on disk, or a member of an archive on disk."""

    path: Path
    member: str = ""
    any_ratio: bool = field(default=False, compare=False)  # it may be unpacked, however well it packs

    @property
    def name(self) -> str:
        """The name shown to the user: `scores`, or `results.zip › exp/scores`."""
        name = self.path.name or str(self.path)
        return f"{name}{INSIDE}{self.member}" if self.member else name

    @property
    def place(self) -> str:
        """The whole name, which tells this file from every other one."""
        return f"{self.path}{INSIDE}{self.member}" if self.member else str(self.path)

    @property
    def folders(self) -> tuple[str, ...]:
        """Path and member as one path, in parts; archives count as folders."""
        inside = tuple(part for part in self.member.split("/") if part not in ("", ".", ".."))
        return (*self.path.parts, *inside)


@dataclass(frozen=True, eq=False)
class OpenedFile:
    """A file in memory, unpacked; size and hash are those of the file as it lies on disk.

    Of a file that is read piece by piece only the beginning is here, and its hash is known in the end.
    """

    source: Source
    content: bytes
    size: int
    sha256: str
    is_beginning: bool = False
    findings: tuple[Finding, ...] = ()  # what is to be told of it beside the figures

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return self.source.name

    def with_findings(self, *findings: Finding | None) -> OpenedFile:
        """The file with these findings, too."""
        return replace(self, findings=(*self.findings, *filter(None, findings)))


def open_file(path: Path, on_progress: Progress = no_progress, *, any_ratio: bool = False) -> OpenedFile:
    """Read one file. Raises InputError when it is no file, empty, or an archive of several."""
    found = open_all(path, on_progress, any_ratio=any_ratio)
    if len(found) > 1:
        raise InputError("archive-of-several", file=found[0].source.path.name, count=len(found))
    return found[0]


def open_source(source: Source, on_progress: Progress = no_progress) -> OpenedFile:
    """Read one file, or one member of an archive. Raises InputError."""
    for found in open_all(source.path, on_progress, any_ratio=source.any_ratio):
        if not source.member or found.source == source:
            return found
    raise InputError("member-missing", file=source.path.name, member=source.member)


def open_all(
    path: Path,
    on_progress: Progress = no_progress,
    on_left_out: packing.LeftOut = lambda _name: None,
    *,
    any_ratio: bool = False,
    with_dates: bool = False,
) -> list[OpenedFile]:
    """Read a file with everything that is packed in it; at least one file, none of them empty.

    `on_left_out` is told the names of what an archive holds beside files and folders: links, devices. With
    `any_ratio` it may pack better than files of scores do; its size stays bounded. A workbook may hold dates
    `with_dates`.

    Raises InputError when it is missing, unreadable, empty, no regular file, badly packed, or not finished.
    """
    refuse_unfinished(path)
    source = Source(path, any_ratio=any_ratio)
    content = _read(source, part_of(on_progress, 0.0, 0.5))
    size, sha256 = len(content), hashlib.sha256(content).hexdigest()
    budget = packing.Budget(source.name, size, part_of(on_progress, 0.5, 1.0), any_ratio=any_ratio)
    files = [
        OpenedFile(Source(path, part.name, any_ratio), part.content, size, sha256, findings=part.findings)
        for part in _unpacked(content, budget, on_left_out, with_dates=with_dates)
    ]
    files = [file for file in files if file.content and not file.content.isspace()]
    if not files:
        raise InputError("empty", file=source.name)
    on_progress(1.0)
    return files


def refuse_unfinished(path: Path) -> None:
    """Raise InputError for what a browser calls a download that is not finished."""
    if _is_unfinished(path.name):
        raise InputError("unfinished-download", file=path.name, ending=path.suffix)


def _is_unfinished(name: str) -> bool:
    return name.lower().endswith(_UNFINISHED)


def files_below(
    paths: Iterable[Path],
    on_closed: Callable[[OSError], object] | None = None,
    on_link: Callable[[Path], object] = lambda _link: None,
) -> list[Path]:
    """The files among these paths and in the folders among them, sorted in folders.

    Hidden ones in folders are left out, and projects of ours, whose scores would count a second time. A
    folder that a browser downloads into stands for what is in it.
    `on_closed` is told of every folder that may not be looked into, `on_link` of every link to a folder that
    is not below these paths: it is not followed.

    Raises InputError when a path is missing, or when there are more files than anybody means to drop.
    """
    paths = tuple(paths)
    found: list[Path] = []
    links: list[Path] = []
    for path in paths:
        if not is_folder(path):
            found.append(path)
            continue
        for folder, subfolders, names in walk(path, on_closed, links.append):
            unfinished = set(filter(_is_unfinished, subfolders))
            subfolders[:] = sorted(
                name for name in subfolders if not is_hidden(name) and name not in unfinished
            )
            found += [Path(folder, name) for name in sorted({*names, *unfinished}) if not _is_left_out(name)]
            if len(found) > MOST_FILES:
                raise InputError("too-many-files", file=path.name or str(path), most=MOST_FILES)
    given = {os.path.realpath(path) for path in paths}
    for link in links:
        there = Path(os.path.realpath(link))
        if not is_hidden(link.name) and given.isdisjoint(map(str, (there, *there.parents))):
            on_link(link)
    return list(dict.fromkeys(found))


def _is_left_out(name: str) -> bool:
    return is_hidden(name) or name.lower().endswith(_PROJECT)


def _unpacked(
    content: bytes,
    budget: packing.Budget,
    on_left_out: packing.LeftOut,
    *,
    inside: bool = False,
    with_dates: bool = False,
) -> list[packing.ArchiveMember]:
    """What is in it; without a name, the file itself. What is packed deeper stays so and is refused later."""
    content = packing.decompressed(content, budget)
    if inside or not packing.is_archive(content) or packing.is_npz(content) or packing.is_torch(content):
        return [packing.ArchiveMember("", content)]
    if spreadsheet.is_spreadsheet(content):
        return _told_apart(spreadsheet.sheets(content, budget, with_dates=with_dates))
    found = []
    for member in packing.members(content, budget, on_left_out):
        unpacked = _unpacked(member.content, budget, on_left_out, inside=True)
        found += [replace(part, name=member.name) for part in unpacked]
    return _told_apart(found)


def _told_apart(found: list[packing.ArchiveMember]) -> list[packing.ArchiveMember]:
    """Members of one name get a number, for an archive may hold a name twice."""
    seen: dict[str, int] = {}
    for position, member in enumerate(found):
        seen[member.name] = number = seen.get(member.name, 0) + 1
        if number > 1:
            found[position] = replace(member, name=f"{member.name} ({number})")
    return found


def _read(source: Source, on_progress: Progress) -> bytes:
    """All bytes of a file. Raises InputError where they become more or fewer while they are read."""
    path, name = source.path, source.name
    try:
        with open_regular(path, name) as file:
            size, done = os.fstat(file.fileno()).st_size, 0
            found = io.BytesIO(bytes(size))  # is filled in its place, and handed out without a copy
            while count := file.readinto(found.getbuffer()[done : done + _AT_ONCE]):
                if size > _AT_ONCE:
                    _refuse_endless_line(name, found, done, count)
                done += count
                on_progress(done / size)
            is_longer = bool(file.read(1))
    except OSError as error:
        raise unreadable(name, error) from error
    if done != size or is_longer:
        raise InputError("changing", file=name)
    return found.getvalue()


def _refuse_endless_line(name: str, found: io.BytesIO, done: int, count: int) -> None:
    """Raise InputError for what is surely no text that can be read, before gigabytes of it are."""
    found.seek(0)
    beginning = found.read(_BEGINNING)
    if beginning.startswith(_NO_TEXT) or packing.is_packed(beginning):
        return
    found.seek(done)
    start = found.read(min(count, LONGEST_LINE + 1))
    if b"\n" in start or b"\r" in start or len(start) <= LONGEST_LINE:
        return
    read = bytes(found.getbuffer()[:done])
    line = (read.count(b"\n") or read.count(b"\r")) + 1
    if b"\0\0" in start[:_SAMPLE_BYTES]:
        raise InputError("binary", file=name, line=line, found="0x00")
    raise InputError("line-too-long", file=name, line=line, most=LONGEST_LINE >> 20)
