"""Opening what somebody else sent: its bytes, its size and hash, unpacked; or the sentence why not."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding
from zebra_core.files.access import is_folder, is_hidden, open_regular, unreadable, walk
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

    @property
    def first_line(self) -> bytes:
        """The first line without its end, of one that is longer than a mebibyte the beginning."""
        end = self.content.find(b"\n", 0, 1 << 20)
        return self.content[: 1 << 20 if end < 0 else end]

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


# From bytes to UTF-8 text: the encoding of a file, and the line of the first byte that is no text.


_RUBBISH = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NO_RUBBISH = bytes(set(range(256)) - {*range(9), 11, 12, *range(14, 32), 127})
# What people drop by mistake beside their scores, by its first bytes: each has a sentence of its own.
UNREAD_SOUND = re.compile(
    rb"....ftyp|\xff[\xf0\xf1\xf8\xf9]|ADIF|#!AMR|\x30\x26\xb2\x75\x8e\x66\xcf\x11|\x1aE\xdf\xa3|NIST_1A",
    re.DOTALL,
)
"""How sound, or a film, begins that is not read: MP4 (m4a, 3gp), AAC, AMR, WMA, Matroska, SPHERE."""
_MISTAKES = (
    (re.compile(rb"%PDF-"), "pdf"),
    (re.compile(rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*", re.DOTALL), "picture"),
    (re.compile(rb"RIFF.{4}WAVE|fLaC|OggS|ID3[\x02-\x04]|FORM.{4}AIF|\.snd\0", re.DOTALL), "recording"),
    (UNREAD_SOUND, "film"),
    (re.compile(rb"RIFF.{4}AVI ", re.DOTALL), "film"),
    (re.compile(rb"version https://git-lfs"), "lfs"),
    (re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE), "html"),
)
_ONLY_WINDOWS = re.compile(rb"[\x80-\x9f]")
_UTF_8_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_OUR_SEAL = b"evidence-sha256:"
_BINARY_MAGIC = (b"RIFF", b"\x7fELF")


class Encoding(Enum):
    """How the characters of a file are written; the values are Python's names."""

    UTF_8 = "utf-8"
    UTF_8_BOM = "utf-8-sig"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    LATIN_1 = "latin-1"
    WINDOWS_1252 = "windows-1252"  # Latin-1, with letters in place of most of its control characters


_MARKS = {
    codecs.BOM_UTF8: Encoding.UTF_8_BOM,
    codecs.BOM_UTF16_LE: Encoding.UTF_16_LE,
    codecs.BOM_UTF16_BE: Encoding.UTF_16_BE,
}

WESTERN = (Encoding.LATIN_1, Encoding.WINDOWS_1252)
"""What text is taken for that is no UTF-8."""


def decode(file: OpenedFile) -> tuple[bytes, Encoding]:
    """The text as UTF-8 without a byte-order mark, and what it was written in.

    The encoding is told by the bytes, Latin-1 and what Windows makes of it being the last resort.

    Raises InputError, with the line, when the file is no text, or UTF-8 but for some bytes (`StrayBytes`).
    Control characters far into a UTF-8 file are left to the reader of the ids, who sees every distinct id.
    """
    content = file.content
    if packing.is_packed(content):
        raise InputError("packed-too-deep", file=file.name)
    _refuse_mistakes(file)
    encoding, mark = _encoding(content)
    if encoding is None:
        raise InputError("binary", file=file.name, line=1, found=f"0x{content[0]:02x}")
    text = content[mark:]
    if encoding in (Encoding.UTF_16_LE, Encoding.UTF_16_BE):
        text = _as_promised(file, text, encoding, "not-utf16")
    elif encoding is Encoding.UTF_8_BOM:
        text = _as_promised(file, text, Encoding.UTF_8, "not-utf8")
    elif encoding in WESTERN:
        _refuse_rubbish(file, text)
        stray = StrayBytes()
        stray.look_at(text)
        stray.refuse_broken(file)
        text = _as_promised(file, text, Encoding.WINDOWS_1252, "not-windows-1252")
    # The C parser would end an id at a NUL, and take a number with a form feed; looking for these is cheap.
    is_suspect = any(byte in text for byte in (b"\0", b"\x0b", b"\x0c"))
    _refuse_rubbish(file, text if is_suspect else text[:_SAMPLE_BYTES])
    if not text or text.isspace():
        raise InputError("empty", file=file.name)
    _refuse_endless_lines(file, text)
    return text, encoding


def _refuse_mistakes(file: OpenedFile) -> None:
    for magic, kind in _MISTAKES:
        if magic.match(file.content):
            is_ours = kind == "pdf" and _OUR_SEAL in file.content
            raise InputError("own-report" if is_ours else f"mistake-{kind}", file=file.name)


def decode_part(file: OpenedFile, part: bytes, encoding: Encoding) -> bytes:
    """Whole lines of a text whose encoding is known, as UTF-8. Raises InputError as `decode` does."""
    if encoding in WESTERN:
        part = _as_promised(file, part, Encoding.WINDOWS_1252, "not-windows-1252")
    elif not part.isascii():
        part = _as_promised(file, part, Encoding.UTF_8, "broken-utf8")
    if any(byte in part for byte in (b"\0", b"\x0b", b"\x0c")):
        _refuse_rubbish(file, part)
    return part


class StrayBytes:
    """Bytes that are no UTF-8, in parts of a text that is none as a whole, beside its letters that are.

    In Latin-1 two bytes are a letter of UTF-8 by chance only (Ã¼, ß“), while bytes such as é alone abound. So
    a text that has as many letters of UTF-8 as other bytes above 127, or as many kinds, is broken UTF-8.
    """

    def __init__(self) -> None:
        self._letters, self._strays = Counter[bytes](), Counter[bytes]()
        self._lines = self._first_line = 0

    def look_at(self, part: bytes) -> None:
        """Count those of the next part of the text."""
        line_end = b"\n" if b"\n" in part else b"\r"
        self._letters.update(_UTF_8_LETTER.findall(part))
        strays = _NOT_ASCII.findall(rest := _UTF_8_LETTER.sub(b"", part))
        if strays and not self._strays:
            self._first_line = self._lines + rest[: rest.index(strays[0])].count(line_end) + 1
        self._strays.update(strays)
        self._lines += part.count(line_end)

    def refuse_broken(self, file: OpenedFile) -> None:
        """Raise InputError, with line and byte, where the text is broken UTF-8."""
        letters, strays = self._letters, self._strays
        if strays and (letters.total() >= strays.total() or len(letters) >= len(strays)):
            found = f"0x{next(iter(strays))[0]:02x}"
            raise InputError("broken-utf8", file=file.name, line=self._first_line, found=found)


def _encoding(content: bytes) -> tuple[Encoding | None, int]:
    """The encoding and how many bytes of mark come before the text; None for what is surely no text."""
    if content.startswith(_BINARY_MAGIC) or content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return None, 0
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding, len(mark)
    sample = content[:_SAMPLE_BYTES]
    if b"\0" in sample and len(content) % 2 == 0:
        # The text of these files is nearly all ASCII: every other byte of it is then zero.
        for encoding, zeros, others in ((Encoding.UTF_16_LE, 1, 0), (Encoding.UTF_16_BE, 0, 1)):
            if sample[zeros::2].count(0) * 2 > len(sample) // 2 and not sample[others::2].count(0):
                return encoding, 0
    try:
        content.isascii() or content.decode("utf-8")
    except UnicodeDecodeError:
        return Encoding.WINDOWS_1252 if _ONLY_WINDOWS.search(content) else Encoding.LATIN_1, 0
    return Encoding.UTF_8, 0


def lines_of(text: str) -> list[str]:
    """The lines of a text, which end at line feeds and nothing else; at CR where no line feed is there.

    `str.splitlines` ends them at U+0085, U+2028 and other characters that may stand within a line.
    """
    end = "\n" if "\n" in text else "\r"
    lines = text.removesuffix(end).split(end)
    return [line.removesuffix("\r") for line in lines] if text else []


def _as_promised(file: OpenedFile, content: bytes, encoding: Encoding, code: str) -> bytes:
    """The text as UTF-8. Raises InputError, with the line, where it is not what its first bytes say."""
    try:
        return content.decode(encoding.value).encode()
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[:at].decode(encoding.value, errors="replace").count("\n") + 1
        found = f"0x{content[at]:02x}" if at < len(content) else ""
        raise InputError(code, file=file.name, line=line, found=found) from error


def _refuse_endless_lines(file: OpenedFile, text: bytes) -> None:
    start = 0
    while len(text) - start > LONGEST_LINE:
        reach = start + LONGEST_LINE + 1
        end = max(text.rfind(b"\n", start, reach), text.rfind(b"\r", start, reach))
        if end < 0:
            line = len(text[:start].splitlines()) + 1  # of bytes, which end at LF and CR only
            raise InputError("line-too-long", file=file.name, line=line, most=LONGEST_LINE >> 20)
        start = end + 1


def _refuse_rubbish(file: OpenedFile, text: bytes) -> None:
    # Taking away what may stand in a text is ten times as fast as looking for what may not.
    if text.translate(None, _NO_RUBBISH) and (rubbish := _RUBBISH.search(text)):
        before = text[: rubbish.start()]
        line = before.count(b"\n") + 1 if b"\n" in text else before.count(b"\r") + 1
        raise InputError("binary", file=file.name, line=line, found=f"0x{rubbish.group()[0]:02x}")
