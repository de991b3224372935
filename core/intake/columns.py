"""Whitespace-separated columns: read fast as a whole, and looked at again line by line where that fails."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pandas as pd

from core.errors import InputError
from core.intake.opening import OpenedFile
from core.trials import FloatArray, Ids

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_UNPRINTABLE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TRUTH_WORD = re.compile(rb"[ \t](?:true|false)[ \t]*(?:[\r\n]|$)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_SAMPLE_BYTES = 1 << 16


@dataclass(frozen=True)
class Line:
    """One line that carries data: its number, counted from 1 over all lines of the file, and its columns."""

    number: int
    columns: tuple[str, ...]


def check_text(file: OpenedFile) -> None:
    """Raise InputError, with the line, when the file is not plain UTF-8 text."""
    rubbish = _UNPRINTABLE.search(file.content)
    at = rubbish.start() if rubbish else None
    code = "binary"
    if at is None:
        try:
            file.content.decode("utf-8")
        except UnicodeDecodeError as error:
            at, code = error.start, "not-utf8"
    if at is not None:
        line = file.content.count(b"\n", 0, at) + 1
        raise InputError(code, file=file.name, line=line, found=f"0x{file.content[at]:02x}")


def first_lines(file: OpenedFile, most: int = 20) -> list[Line]:
    """The first lines that carry data, for telling what kind of file this is."""
    return list(islice(_lines(file.content[:_SAMPLE_BYTES]), most))


def line_of_row(file: OpenedFile, row: int) -> Line:
    """The line behind row `row` (counted from 0) of what was read."""
    return next(islice(_lines(file.content), row, None))


def ids_and_numbers(file: OpenedFile) -> tuple[Ids, Ids, FloatArray]:
    """Read `id id number` lines. Raises InputError with the first line that is not so, or not finite."""
    frame = _parsed(file, third="float64")
    if frame is None or not _surely_numbers(file, frame[2].to_numpy()):
        frame = _looked_at_again(file)
        frame[2] = frame[2].astype("float64")
    number = frame[2].to_numpy()
    number.flags.writeable = False
    return _ids(frame[0]), _ids(frame[1]), number


def ids_and_words(file: OpenedFile) -> tuple[Ids, Ids, Ids]:
    """Read `id id word` lines. Raises InputError with the first line that has not three columns."""
    frame = _parsed(file, third="object")
    if frame is None:
        frame = _looked_at_again(file, third_is_number=False)
    return _ids(frame[0]), _ids(frame[1]), _ids(frame[2])


def _parsed(file: OpenedFile, third: str) -> pd.DataFrame | None:
    """What the C parser makes of the file, or None where it finds anything but three full columns.

    Quotes, comments and words for "missing" mean nothing in these files. Ids are read as objects: as
    categories, pandas would turn `007` into 7.
    """
    try:
        frame = pd.read_csv(
            io.BytesIO(file.content),
            sep=r"\s+",
            header=None,
            dtype={0: "object", 1: "object", 2: third},
            quoting=3,
            na_filter=False,
            encoding="utf-8",
            low_memory=False,
        )
    except (ValueError, OverflowError):
        return None
    # A short line is filled up with empty text, and only there an empty text can come from.
    complete = frame.shape[1] == 3 and (third != "object" or not (frame[2] == "").any())
    return frame if complete else None


def _surely_numbers(file: OpenedFile, number: FloatArray) -> bool:
    """Whether the parser took nothing for a number that is none: it reads `true` as 1, 1e400 as infinite."""
    truth_possible = bool(np.isin(number, (0.0, 1.0)).any())
    return bool(np.isfinite(number).all()) and not (truth_possible and _TRUTH_WORD.search(file.content))


def _looked_at_again(file: OpenedFile, *, third_is_number: bool = True) -> pd.DataFrame:
    """Read line by line, and raise InputError at the first line that is not as it should be."""
    rows = []
    for line in _lines(file.content):
        if len(line.columns) != 3:
            found = " ".join(line.columns)
            raise InputError(
                "columns", file=file.name, line=line.number, count=len(line.columns), found=found
            )
        text = line.columns[2]
        if third_is_number and not (_NUMBER.fullmatch(text) and np.isfinite(float(text))):
            raise InputError("score-not-finite", file=file.name, line=line.number, found=text)
        rows.append(line.columns)
    return pd.DataFrame(rows, dtype="object")


def _lines(content: bytes) -> Iterator[Line]:
    text = content.decode("utf-8", errors="replace")
    for number, line in enumerate(_LINE_END.split(text), start=1):
        columns = tuple(column for column in re.split(r"[ \t]+", line) if column)
        if columns:
            yield Line(number, columns)


def _ids(column: pd.Series) -> Ids:
    positions, names = pd.factorize(column)
    codes = positions.astype(np.int32)
    codes.flags.writeable = False
    return Ids(codes, tuple(names))
