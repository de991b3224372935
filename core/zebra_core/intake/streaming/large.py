"""Which files are too large to be held in memory, and what they are by their beginning."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from zebra_core.errors import InputError
from zebra_core.files.opening import open_regular, size_of, unreadable
from zebra_core.intake.formats import parquet
from zebra_core.intake.formats.reading import ColumnMeaning, Reading
from zebra_core.intake.formats.recognising import RecognisedFile, recognise
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.decoding import Encoding
from zebra_core.intake.opening.opening import OpenedFile, Source, refuse_unfinished
from zebra_core.intake.planned import NO, YES, Choices, Topic, streaming_id, unpacking_answer
from zebra_core.intake.tables.table import FileRole
from zebra_core.runtime import memory
from zebra_core.wording.texts import written

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
