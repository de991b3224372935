"""Kaldi score files (`enrol test score`) and keys (`enrol test target|nontarget`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.intake.columns import check_text, first_lines, ids_and_numbers, ids_and_words, line_of_row
from core.intake.opening import OpenedFile
from core.trials import BoolArray, FloatArray, Ids, InputFile

TARGET, NONTARGET = "target", "nontarget"


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """A score file as it was read, row by row."""

    file: OpenedFile
    enrol: Ids
    test: Ids
    score: FloatArray

    role = "scores"

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True, eq=False)
class KeyTable:
    """A key as it was read, row by row."""

    file: OpenedFile
    enrol: Ids
    test: Ids
    is_target: BoolArray

    role = "key"

    def __len__(self) -> int:
        return len(self.is_target)


def recorded(table: ScoreTable | KeyTable) -> InputFile:
    """The file behind a table, for the record of what a result rests on."""
    file = table.file
    return InputFile(file.path, table.role, len(file.content), file.sha256, len(table))


def looks_like_key(file: OpenedFile) -> bool:
    """Whether the file is a key rather than scores, by its first lines; its name says nothing.

    Raises InputError when it is neither.
    """
    check_text(file)
    lines = first_lines(file)
    last = [line.columns[-1] for line in lines if len(line.columns) == 3]
    if any(word in (TARGET, NONTARGET) for word in last):
        return True
    if not any(_is_number(word) for word in last):
        found = " ".join(lines[0].columns)
        raise InputError("not-recognised", file=file.name, line=lines[0].number, found=found)
    return False


def read_scores(file: OpenedFile) -> ScoreTable:
    """Read Kaldi scores. Raises InputError with line and text where a line is not `enrol test score`."""
    check_text(file)
    return ScoreTable(file, *ids_and_numbers(file))


def read_key(file: OpenedFile) -> KeyTable:
    """Read a Kaldi key. Raises InputError with line and text where a line is not a trial of a key."""
    check_text(file)
    enrol, test, word = ids_and_words(file)
    if unknown := [code for code, name in enumerate(word.names) if name not in (TARGET, NONTARGET)]:
        line = line_of_row(file, int(np.flatnonzero(np.isin(word.codes, unknown))[0]))
        raise InputError("label-unknown", file=file.name, line=line.number, found=line.columns[2])
    is_target = np.array([name == TARGET for name in word.names])[word.codes]
    is_target.flags.writeable = False
    return KeyTable(file, enrol, test, is_target)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
