"""JSON with scores: a trial a line, a list of trials, or a list for each column; and the ids of a matrix.

legal-eval writes a matrix as `M.npy`, and beside it `M.npy.json` with the speakers of its rows and columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Example, Finding, Severity
from zebra_core.evidence.trials import Ids
from zebra_core.files import strict_json
from zebra_core.intake.formats import arrays, parquet
from zebra_core.intake.formats.headed import one_for_each_column, part_of_name
from zebra_core.intake.formats.reading import ColumnMeaning, Reading
from zebra_core.intake.opening.opening import OpenedFile, decode, lines_of, open_file
from zebra_core.intake.tables.columns import UNPRINTABLE, frozen
from zebra_core.intake.tables.table import FileRole, Table, is_label
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible

BESIDE = ".json"
"""What is added to the name of a matrix for the file with its ids."""
_ROOM = 16  # so many times its size JSON takes at most once it is parsed
_CELL_BYTES = 16
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]")
_SIDES = ("enroll_speakers", "test_speakers")
_IDS = (ColumnMeaning.ENROL, ColumnMeaning.TEST)
_WANTED = (*_IDS, ColumnMeaning.SCORE, ColumnMeaning.LABEL)

Trial = Mapping[str, object]


def recognise(file: OpenedFile) -> list[Reading]:
    """The readings of a file that begins with a trial, or has lists of scores or of the ids of a matrix."""
    first = _parsed(file.first_line)
    if not isinstance(first, dict):
        found = _parsed(file.content)
        first = found[0] if isinstance(found, list) and found else found
    if not isinstance(first, dict):
        return []
    if all(isinstance(first.get(side), list) for side in _SIDES):
        return [MATRIX_IDS]
    values = {part: _first_of(first[name]) for part, name in _parts(first).items()}
    has_ids = set(_IDS) <= set(values)
    has_labels = ColumnMeaning.LABEL in values and is_label(str(values[ColumnMeaning.LABEL]))
    scores = [name for name, value in first.items() if _is_score(name, _first_of(value))]
    if scores and (has_ids or has_labels):
        role = FileRole.BOTH if has_labels else FileRole.SCORES
        return one_for_each_column(replace(TRIALS, role=role), scores)
    return [replace(TRIALS, role=FileRole.KEY)] if has_ids and has_labels and not scores else []


def _parsed(content: bytes) -> object:
    """What is written there; None where it is no JSON."""
    if not _BEGINNING.match(content):  # a look, for content may be large
        return None
    content = content.removeprefix(b"\xef\xbb\xbf").strip()
    memory.require(_ROOM * len(content))
    try:
        return strict_json.parse(content)
    except (ValueError, RecursionError):
        return None


def _first_of(value: object) -> object:
    return (value[0] if value else None) if isinstance(value, list) else value


def _is_score(name: str, value: object) -> bool:
    return part_of_name(name) is ColumnMeaning.SCORE and _is_number(value)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _parts(first: Trial) -> dict[ColumnMeaning, str]:
    """Which field holds what, by the usual names of columns."""
    found: dict[ColumnMeaning, str] = {}
    for name in first:
        if (part := part_of_name(name)) in _WANTED:
            found.setdefault(part, name)
    return found


def _columns(file: OpenedFile, reading: Reading) -> dict[ColumnMeaning, np.ndarray]:
    """The columns that the reading needs. Raises InputError, with its line or place, at a bad trial."""
    whole = _parsed(file.content)  # None: a trial a line
    if isinstance(whole, dict) and any(isinstance(value, list) for value in whole.values()):
        trials = enumerate(_beside_one_another(file, whole, _names(whole, reading)), start=1)
    elif isinstance(whole, list):
        trials = enumerate(whole, start=1)
    else:
        lines = lines_of(decode(file)[0].decode().rstrip())
        trials = enumerate((_parsed(line.encode()) for line in lines), start=1)
    listed: dict[ColumnMeaning, list[Any]] = {}
    names: dict[ColumnMeaning, str] = {}
    for number, trial in trials:
        if not isinstance(trial, dict):
            raise InputError("json-trial", file=file.name, line=number)
        names = names or _names(trial, reading)
        if missing := [name for name in names.values() if name not in trial]:
            raise InputError("json-field", file=file.name, line=number, found=visible(missing[0], 100))
        for part, name in names.items():
            listed.setdefault(part, []).append(_value(part, trial[name], file.name, number))
    score = listed.pop(ColumnMeaning.SCORE, None)
    columns = {part: np.array(values, object) for part, values in listed.items()}
    return columns if score is None else {**columns, ColumnMeaning.SCORE: np.array(score, np.float64)}


def _beside_one_another(
    file: OpenedFile, whole: Trial, names: Mapping[ColumnMeaning, str]
) -> Iterator[object]:
    """The trials of a list for each column, which belong together by their places."""
    lists = {name: whole[name] for name in names.values()}
    if len({len(one) if isinstance(one, list) else -1 for one in lists.values()} | {-1}) != 2:
        raise InputError("json-lengths", file=file.name, found=visible(", ".join(lists), 200))
    return (dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True))


def _names(first: Trial, reading: Reading) -> dict[ColumnMeaning, str]:
    names = _parts(first)
    if reading.role is FileRole.KEY:
        names.pop(ColumnMeaning.SCORE, None)
    elif reading.column:
        names[ColumnMeaning.SCORE] = reading.column
    if reading.role is FileRole.SCORES:
        names.pop(ColumnMeaning.LABEL, None)
    return names


def _value(part: ColumnMeaning, value: Any, file: str, line: int) -> float | str:
    """A score, or an id or a label as text. Raises InputError where it is none."""
    where = {"file": file, "line": line, "found": visible(str(value), 100)}
    if part is ColumnMeaning.SCORE:
        if not _is_number(value):
            raise InputError("score-not-a-number", **where)
        try:
            return np.nan if value is None else float(value)
        except OverflowError as error:
            raise InputError("score-too-large", **where) from error
    is_text = isinstance(value, str | int) and not (part in _IDS and isinstance(value, bool))
    text = str(value).strip(" ") if is_text else ""
    if not text:
        raise InputError("json-value", **where)
    if UNPRINTABLE.search(text):
        raise InputError("id-unprintable", **where)
    return text


def _read(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    on_progress(0.0)
    return arrays.table_of(file, reading, _columns(file, reading))


def _read_ids(file: OpenedFile, reading: Reading, on_progress: Progress) -> Table:
    """A trial for each cell of the matrix; target where the speakers of row and column are the same."""
    on_progress(0.0)
    said = _parsed(file.content)
    speakers = _speakers_of(file, said)
    shape = len(speakers[0]), len(speakers[1])
    if shape[0] * shape[1] > parquet.MOST_TRIALS:
        raise InputError("too-many-trials", most=parquet.MOST_TRIALS)
    memory.require(_CELL_BYTES * shape[0] * shape[1])
    code = {name: n for n, name in enumerate(dict.fromkeys([*speakers[0], *speakers[1]]))}
    rows, columns = (np.array([code[name] for name in side], np.int32) for side in speakers)
    names = [_each_its_own(side) for side in speakers]
    enrol = np.repeat(np.arange(shape[0], dtype=np.int32), shape[1])
    test = np.tile(np.arange(shape[1], dtype=np.int32), shape[0])

    def find(wanted: Sequence[int]) -> list[Example]:
        places = (divmod(row, shape[1]) for row in wanted)
        return [Example(file.name, 1, f"{names[0][a]} {names[1][b]}") for a, b in places]

    metadata = said.get("metadata") if isinstance(said, dict) else None
    said_of_it = ", ".join(f"{k} {v}" for k, v in metadata.items()) if isinstance(metadata, dict) else ""
    facts = {"file": file.name, "found": visible(said_of_it, 200)}
    told = Finding("matrix-says" if said_of_it else "equal-is-target", Severity.NOTE, facts)
    file = file.with_findings(told)
    return Table(
        file,
        reading.format,
        reading.role,
        enrol=Ids(frozen(enrol), names[0]),
        test=Ids(frozen(test), names[1]),
        is_target=frozen((rows[:, None] == columns[None, :]).reshape(-1)),
        shape=shape,
        find=find,
    )


def speakers_beside(matrix: Path) -> tuple[list[str], list[str]]:
    """The speakers of rows and columns, as the file beside a matrix says. Raises InputError."""
    file = open_file(Path(f"{matrix}{BESIDE}"))
    enrolled, tested = _speakers_of(file, _parsed(file.content))
    return enrolled, tested


def _speakers_of(file: OpenedFile, said: object) -> list[list[str]]:
    return [_speakers(file, said.get(side) if isinstance(said, dict) else None, side) for side in _SIDES]


def _speakers(file: OpenedFile, found: object, side: str) -> list[str]:
    if not isinstance(found, list) or not found:
        raise InputError("json-speakers", file=file.name, found=side)
    names = [str(name).strip(" ") if isinstance(name, str | int) else "" for name in found]
    if not all(names) or UNPRINTABLE.search("".join(names)):
        raise InputError("json-speakers", file=file.name, found=side)
    return names


def _each_its_own(names: Sequence[str]) -> tuple[str, ...]:
    """Ids of rows or columns: the speakers themselves, numbered where one has several."""
    if len(set(names)) == len(names):
        return tuple(names)
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name} ({seen[name]})")
    return tuple(found)


TRIALS = Reading("json-trials", FileRole.BOTH, by_file=_read)
MATRIX_IDS = Reading("json-matrix-ids", FileRole.KEY, by_file=_read_ids)
