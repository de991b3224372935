"""Files that are read piece by piece: tables of some rows each, the hash on the way, lines found again."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example, Finding, InputFile
from zebra_core.files.access import open_regular, size_of, unreadable
from zebra_core.intake.formats import parquet
from zebra_core.intake.formats.reading import ColumnMeaning, Reading
from zebra_core.intake.formats.recognising import RecognisedFile, recognise
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import (
    LONGEST_LINE,
    WESTERN,
    Encoding,
    OpenedFile,
    Source,
    StrayBytes,
    decode_part,
    refuse_unfinished,
)
from zebra_core.intake.planned import NO, YES, Choices, FoundFile, Topic, streaming_id, unpacking_answer
from zebra_core.intake.tables.columns import Text, TextLine, count_lines, like_comments, without_comments
from zebra_core.intake.tables.table import FileRole, LineEnd, Table
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import written

PIECE = 8 << 20
_MARK = b"\xef\xbb\xbf"


class Pieces(ABC):
    """A file that gives its rows table by table. One piece of it is in memory at a time."""

    def __init__(self, file: FoundFile) -> None:
        self.name = file.source.name
        self._file = file
        self._opened = OpenedFile(file.source, b"", file.size, "", is_beginning=True)
        self._sha256 = ""
        self.findings: tuple[Finding, ...] = ()  # what was found in it besides; known when all tables are

    @abstractmethod
    def tables(self, on_progress: Progress) -> Iterator[tuple[int, Table]]:
        """The tables in their order, each with the number of its first row among all of the file, from 0.

        Raises InputError, with the line or row, at the first one that is not as it should be.
        """

    @property
    @abstractmethod
    def has_ids(self) -> bool:
        """Whether its rows name both sides of a trial."""

    @abstractmethod
    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """The lines behind these rows; one pass through the file, as far as the last of them."""

    @abstractmethod
    def end(self, on_progress: Progress) -> None:
        """Do what is left when the rows were read in another way than by `tables`."""

    @abstractmethod
    def _read_so_far(self) -> tuple[int, str]:
        """How many rows there are, and how they are written, in words."""

    def record(self) -> InputFile:
        """The file as it was read; known when all tables are."""
        rows, dialect = self._read_so_far()
        return InputFile(
            path=self._file.source.path,
            role=self._file.role.value,
            size=self._file.size,
            sha256=self._sha256,
            rows=rows,
            format=self._file.reading.format,
            dialect=dialect,
        )

    def _pieces(self, on_progress: Progress) -> Iterator[bytes]:
        """The file piece by piece, unpacked; its hash is taken on the way, as it lies on disk."""
        try:
            with open_regular(self._file.source.path, self.name) as file:
                beginning = file.read(8)
                file.seek(0)
                hashed = _HashedFile(file)
                if packing.is_compressed(beginning):
                    any_ratio = self._file.source.any_ratio
                    budget = packing.Budget(self.name, self._file.size, is_held=False, any_ratio=any_ratio)
                    pieces = packing.unpacked_pieces(hashed, beginning, budget)  # type: ignore[arg-type]
                else:
                    pieces = iter(lambda: hashed.read(PIECE), b"")
                for piece in pieces:
                    on_progress(min(1.0, hashed.count / max(1, self._file.size)))
                    yield piece
                while hashed.read(PIECE):
                    pass  # what lies behind the compressed data belongs to the file
                hashed.refuse_changes(self._file)
                self._sha256 = hashed.sha256
        except OSError as error:
            raise unreadable(self.name, error) from error


class TextPieces(Pieces):
    """A list as text, compressed or not."""

    def __init__(self, file: FoundFile) -> None:
        super().__init__(file)
        assert file.dialect is not None  # noqa: S101 - text has one
        self.dialect, self._comments = file.dialect, 0
        self.parts, self.target_word = file.reading.parts, file.reading.target_word
        self._rows: list[int] = []  # of each part
        self._all_rows: int | None = None  # where somebody else read them

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.source.path

    @property
    def is_compressed(self) -> bool:
        """Whether the file has to be unpacked to be read."""
        try:
            with open_regular(self.path, self.name) as file:
                return packing.is_compressed(file.read(8))
        except OSError as error:
            raise unreadable(self.name, error) from error

    def were_read(self, rows: int) -> None:
        """Note that somebody else read so many rows."""
        self._all_rows = rows

    def tables(self, on_progress: Progress) -> Iterator[tuple[int, Table]]:
        """See `Pieces`."""
        self._rows.clear()
        self._all_rows = None
        for text, lines_before in self._texts(on_progress):
            reading = replace(self._file.reading, skips_header=bool(text.dialect.header))
            try:
                table = reading.read(text, no_progress)
            except InputError as error:
                raise _further_down(error, lines_before) from error
            assert isinstance(table, Table)  # noqa: S101 - by its role
            yield sum(self._rows), table
            self._rows.append(len(table) + table.set_aside)

    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """See `Pieces`."""
        if self._all_rows is not None:
            for _ in self.tables(no_progress):
                pass  # now it is known which rows stand in which part
        rows = [int(row) for row in rows]
        wanted, found, first = sorted(set(rows)), dict[int, Example](), 0
        for (text, lines_before), count in zip(self._texts(no_progress), self._rows, strict=False):
            if len(found) == len(wanted):
                break
            here = [row - first for row in wanted if first <= row < first + count]
            for row, line in zip(here, text.lines(here) if here else (), strict=True):
                found[first + row] = Example(self.name, line.number + lines_before, line.text)
            first += count
        return tuple(found[row] for row in rows)

    @property
    def has_ids(self) -> bool:
        """See `Pieces`."""
        parts = set(self.parts)
        return ColumnMeaning.PAIR in parts or {ColumnMeaning.ENROL, ColumnMeaning.TEST} <= parts

    def end(self, on_progress: Progress) -> None:
        """See `Pieces`."""
        for _ in self._pieces(on_progress):
            pass

    def _read_so_far(self) -> tuple[int, str]:
        rows = sum(self._rows) if self._all_rows is None else self._all_rows
        return rows, replace(self.dialect, comment_lines=self._comments).in_english()

    def _texts(self, on_progress: Progress) -> Iterator[tuple[Text, int]]:
        """The text in parts of whole lines, each with the number of lines before it."""
        body = replace(self.dialect, header=())
        lines, comments, waits_for_header = 0, 0, bool(self.dialect.header)
        hashed: list[TextLine] = []
        stray = StrayBytes()
        for number, part in enumerate(self._parts(on_progress)):
            content = part.removeprefix(_MARK) if not number else part
            if self.dialect.encoding in WESTERN:
                stray.look_at(content)
            try:
                content = decode_part(self._opened, content, self.dialect.encoding)
            except InputError as error:
                raise _further_down(error, lines) from error
            content, blanked, kept = without_comments(content, self.dialect)
            hashed += [replace(line, number=line.number + lines) for line in kept]
            has_header = waits_for_header and not content.isspace()
            yield Text(self._opened, content, self.dialect if has_header else body, ()), lines
            waits_for_header = waits_for_header and not has_header
            lines, comments = lines + count_lines(content), comments + blanked
        stray.refuse_broken(self._opened)
        self._comments, self.findings = comments, tuple(like_comments(self.name, hashed))

    def _parts(self, on_progress: Progress) -> Iterator[bytes]:
        """The bytes in parts that end where a line ends."""
        line_end = b"\r" if self.dialect.line_end is LineEnd.CR else b"\n"
        rest, lines = b"", 0
        for piece in self._pieces(on_progress):
            end = piece.rfind(line_end) + 1
            if end:
                part = rest + piece[:end]
                lines += count_lines(part)
                yield part
                rest = piece[end:]
            else:
                rest += piece
                if len(rest) > LONGEST_LINE:
                    facts = {"line": lines + 1, "most": LONGEST_LINE >> 20}
                    raise InputError("line-too-long", file=self.name, **facts)
        if rest:
            yield rest


class ParquetPieces(Pieces):
    """A table in Parquet, some rows at a time."""

    def __init__(self, file: FoundFile) -> None:
        super().__init__(file)
        self._rows = 0

    def tables(self, on_progress: Progress) -> Iterator[tuple[int, Table]]:
        """See `Pieces`."""
        yield from parquet.tables(self._opened, self._file.reading, part_of(on_progress, 0.0, 0.9))
        self.end(part_of(on_progress, 0.9, 1.0))

    @property
    def has_ids(self) -> bool:
        """See `Pieces`."""
        return parquet.has_ids(self._opened)

    def end(self, on_progress: Progress) -> None:
        """Take the hash: columns are not read in the order of the file."""
        for _ in self._pieces(on_progress):
            pass
        self._rows = parquet.count_rows(self._opened)

    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """See `Pieces`."""
        return tuple(parquet.find(self._opened, 0, [int(row) for row in rows]))

    def _read_so_far(self) -> tuple[int, str]:
        return self._rows, ""


class _HashedFile:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._made, self.count = file, hashlib.sha256(), 0

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._made.update(piece)
        self.count += len(piece)
        return piece

    def refuse_changes(self, file: FoundFile) -> None:
        """Raise InputError where the file is not as long, at its end, as it was when it was looked at."""
        if self.count != file.size:
            raise InputError("changing", file=file.source.name)

    @property
    def sha256(self) -> str:
        return self._made.hexdigest()


def _further_down(error: InputError, lines: int) -> InputError:
    """An error in a part of a file, with its line counted from the beginning of the file."""
    line = error.facts.get("line")
    return InputError(error.code, **{**error.facts, "line": line + lines}) if isinstance(line, int) else error


# Which files are too large to be held in memory, and what they are by their beginning.


SHARE = 8
"""A file is read piece by piece when it takes more than one part in so many of the memory that is free:
scores and their key, with all that is made of them, take up to five times the size of the scores."""
UNPACKED = 4
"""So many times its size a compressed list unpacks to, about."""
_LINE_BYTES = 32  # of a trial in a list: equal ones in Parquet take no room on disk, and all of it in memory
_HEAD = 4 << 20
_LISTED = (FileRole.SCORES, FileRole.KEY, FileRole.BOTH, FileRole.TARGET_SCORES, FileRole.NONTARGET_SCORES)


def recognise_beginning(path: Path, choices: Choices) -> RecognisedFile | None:
    """What a file is that is to be read piece by piece; None for one that is read whole.

    That is decided by its size, or by the choice under its `streaming_id`, or under "streaming" for all
    files; counts of trials in Parquet are never anything but counted. What is neither a list nor Parquet is
    read whole: archives, matrices, arrays, text in UTF-16. Raises InputError, also for what must be read
    whole and is larger than the memory that is free.
    """
    refuse_unfinished(path)
    source = Source(path, any_ratio=unpacking_answer(path, choices) == YES)
    wanted = choices.get(streaming_id(source), choices.get(Topic.STREAMING.value))
    if not (size := size_of(path)):
        return None  # told by whoever opens it
    try:
        with open_regular(path) as file:
            found = _by_its_beginning(source, file, size, wanted)
    except OSError as error:
        raise unreadable(source.name, error) from error
    if found is None:
        _refuse_to_hold(source, size)
    return found


def _by_its_beginning(
    source: Source, file: IO[bytes], size: int, wanted: str | None
) -> RecognisedFile | None:
    beginning = file.read(len(parquet.MAGIC) + 2)
    if beginning.startswith(parquet.MAGIC):
        return _parquet(source, size, wanted)
    if wanted == NO or (wanted != YES and not _is_large(size, beginning)):
        return None
    file.seek(0)
    content = _first_lines(file, beginning, source.name, size)
    return _list(OpenedFile(source, content, size, "", is_beginning=True))


def _is_large(size: int, beginning: bytes) -> bool:
    unpacked = size * UNPACKED if packing.is_compressed(beginning) else size
    # However little memory is free, it counts for so much; files far below need not ask for it.
    return SHARE * unpacked > memory.LEAST and SHARE * unpacked > memory.free_bytes()


def _refuse_to_hold(source: Source, size: int) -> None:
    """What is read whole takes its size at least."""
    if size > memory.LEAST and size > (free := memory.free_bytes()):
        facts = {"size": written(size / 1e9, ".1f"), "free": written(free / 1e9, ".1f")}
        raise InputError("too-large-to-hold", file=source.name, **facts)


def _parquet(source: Source, size: int, wanted: str | None) -> RecognisedFile | None:
    file = OpenedFile(source, b"", size, "", is_beginning=True)
    found = RecognisedFile(file, None, tuple(parquet.recognise(file)))
    is_counts = any(reading.format == parquet.COUNTS.format for reading in found.readings)
    as_text = max(UNPACKED * size, parquet.count_rows(file) * _LINE_BYTES)
    if is_counts or wanted == YES or (wanted != NO and _is_large(as_text, b"")):
        return found
    return None


def _first_lines(file: IO[bytes], beginning: bytes, name: str, size: int) -> bytes:
    """The first whole lines of a file, unpacked."""
    if packing.is_compressed(beginning):
        content = next(packing.unpacked_pieces(file, beginning, packing.Budget(name, size)), b"")
    else:
        content = file.read(_HEAD)
    content = content[:_HEAD]
    end = max(content.rfind(b"\n"), content.rfind(b"\r")) + 1
    return content[:end] if end and len(content) == _HEAD else content


def _list(file: OpenedFile) -> RecognisedFile | None:
    try:
        found = recognise(file)
    except InputError:
        return None  # a beginning may look worse than the whole, which then has its own sentence
    if found.text is None or found.text.dialect.encoding in (Encoding.UTF_16_LE, Encoding.UTF_16_BE):
        return None
    fitting = tuple(reading for reading in found.readings if _is_list(reading))
    return RecognisedFile(file, found.text, fitting) if len(fitting) == len(found.readings) else None


def _is_list(reading: Reading) -> bool:
    """Whether the rows of a file speak for themselves: none is read in the light of later ones."""
    return (
        reading.role in _LISTED
        and reading.by is None
        and reading.target_word is None
        and ColumnMeaning.CLAIMED not in reading.parts
    )
