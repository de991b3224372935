"""What a file is: the ways in which it can be read, told by its content and never by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zebra_core.errors import InputError
from zebra_core.intake.formats import (
    arrays,
    attributes,
    columns_process,
    headed,
    json_scores,
    lists,
    others,
    parquet,
    reading as matrix,
    speakers,
)
from zebra_core.intake.formats.reading import (
    JOINED_BY,
    ColumnMeaning,
    ColumnSample,
    Reading,
    TextSample,
    look_at,
)
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.opening.packing import is_npz
from zebra_core.intake.tables.columns import Text, read_text
from zebra_core.intake.tables.published import published_in
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress

_FAMILIES: tuple[Callable[[TextSample], list[Reading]], ...] = (
    headed.recognise,
    matrix.recognise,
    lists.recognise_asvspoof,
    lists.recognise,
    lists.recognise_bob,
    speakers.recognise,
    attributes.recognise,
)
"""Asked in this order; the first that knows the file answers."""


_IDS = {ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.CLAIMED, ColumnMeaning.REAL}
_SIGNS = {
    "mistake-scp": re.compile(r"\S++ ++(?:\S+\.(?:ark|scp|h5|wav|flac|npy|pt)(?::\d+)?|.* \|)$"),
    "two-words": re.compile(r"[^\s,;]+[\s,;]+[^\s,;]+$"),
}
"""What the first line of a file that nobody knows is like."""


@dataclass(frozen=True, eq=False)
class RecognisedFile:
    """A file and the ways to read it, the likeliest first. Several ways are a question, never a guess."""

    file: OpenedFile
    text: Text | None  # None: not a text file
    readings: tuple[Reading, ...]

    @property
    def source(self) -> Source:
        """Where the file lies."""
        return self.file.source

    @property
    def roles(self) -> frozenset[FileRole]:
        """What the file may be."""
        return frozenset(reading.role for reading in self.readings)

    def chosen(self, choice: str) -> RecognisedFile:
        """The file with only the reading of this name. Raises InputError when the file cannot be read so."""
        said = (*(attributes.AS_SAID if self.text is not None else ()), *others.AS_SAID)
        fitting = tuple(reading for reading in (*self.readings, *said) if reading.choice == choice)[:1]
        if not fitting:
            known = ", ".join(reading.choice for reading in self.readings)
            raise InputError("no-such-reading", file=self.file.name, found=choice, known=known)
        return RecognisedFile(self.file, self.text, fitting)

    def only(self, roles: Sequence[FileRole]) -> RecognisedFile:
        """The file with only the readings that have one of these roles; perhaps none."""
        fitting = tuple(reading for reading in self.readings if reading.role in roles)
        return RecognisedFile(self.file, self.text, fitting)

    def read(self, on_progress: Progress = no_progress, reading: Reading | None = None) -> Table | SpeakerMap:
        """Read the file. Raises InputError."""
        reading = reading or self.readings[0]
        if self.text is None:
            assert reading.by_file is not None  # noqa: S101 - only such readings are made for these files
            return reading.by_file(self.file, reading, on_progress)
        return reading.read(self.text, on_progress)

    def preview(self, reading: Reading) -> tuple[dict[ColumnMeaning, str], ...]:
        """The first rows as this reading reads them; nothing for what is no list."""
        return tuple(reading.preview(self.text)) if self.text else ()


def recognise(file: OpenedFile) -> RecognisedFile:
    """Tell what a file is. Raises InputError when it is nothing that can be read."""
    others.refuse_binary(file)
    if file.content.startswith(arrays.MAGIC) or is_npz(file.content):
        return RecognisedFile(file, None, tuple(arrays.recognise(file)))
    if file.content.startswith(columns_process.MAGIC):
        return RecognisedFile(file, None, tuple(columns_process.recognise(file)))
    if file.content.startswith(parquet.MAGIC):
        return RecognisedFile(file, None, tuple(parquet.recognise(file)))
    if records := others.recognise_record(file) or json_scores.recognise(file) or others.recognise(file):
        return RecognisedFile(file, None, tuple(records))
    text = read_text(file)
    look = look_at(text)
    others.refuse_look_alikes(look)
    for of_lines in _FAMILIES:
        if readings := of_lines(look):
            readings = [one for one in readings if not _takes_pairs_for_ids(one, look)]
            likely = [one for one in readings if not _takes_numbers_for_ids(one, look)]
            return RecognisedFile(file, text, tuple(likely or readings))
    return RecognisedFile(file, text, ())


def _ids(reading: Reading, look: TextSample) -> list[ColumnSample]:
    return [column for part, column in zip(reading.parts, look.columns, strict=False) if part in _IDS]


def _takes_numbers_for_ids(reading: Reading, look: TextSample) -> bool:
    """Whether by this reading numbers with decimals would be ids."""
    return any(column.is_number and column.is_real for column in _ids(reading, look))


def _takes_pairs_for_ids(reading: Reading, look: TextSample) -> bool:
    """Whether by this reading both ids in one, as ESPnet joins them, would be one, and a number the other."""
    columns = _ids(reading, look)
    are_pairs = bool(columns) and all(cell.count(JOINED_BY) == 1 for cell in columns[0].cells)
    return are_pairs and any(column.is_number for column in columns[1:])


def not_recognised(found: RecognisedFile) -> InputError:
    """The sentence for a file that is none of what we know."""
    if published_in(found.file):
        return InputError("published-alone", file=found.file.name)
    if found.text and (known := others.named(found.file, look_at(found.text))):
        return known
    line = found.text.first_line() if found.text else None
    return InputError(
        next((code for code, sign in _SIGNS.items() if line and sign.match(line.text)), "not-recognised"),
        file=found.file.name,
        line=line.number if line else 1,
        found=line.text if line else "",
    )
