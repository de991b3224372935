"""Small tables about recordings, such as spreadsheets write: their rows, and which recording a cell means."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

from zebra_core.errors import InputError
from zebra_core.intake import transcript_files
from zebra_core.intake.opening.opening import OpenedFile, decode, lines_of, open_all
from zebra_core.recordings.folder import Recording, as_id
from zebra_core.wording.texts import in_sentence

_MOST_BYTES = 1 << 24
_DELIMITERS = ";\t,"
_SAMPLE_LINES = 20
_ENDING = re.compile(
    r"\.(?:wav|flac|og[ga]|opus|mp[34]|m4a|aif[fc]?|w64|caf|au|snd|sph|aac|amr|wma|3gp|mk[av]|webm)$"
)
_Key = TypeVar("_Key")


@dataclass(frozen=True)
class SmallTable:
    """The rows of a table that are not empty, each with the number of its line, from 1."""

    name: str
    first_line: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_table(path: Path, *named: Mapping[_Key, Recording]) -> SmallTable:
    """A table with semicolons, tabs or commas between its columns, whichever part its first lines best.

    Of several, the sheets of a workbook (.xlsx) or the files of an archive, the one that names most of these
    recordings: of each of the `named`. Raises InputError where no one does, and for what is no text, empty,
    of one column, larger than 16 MB, or wrongly quoted.
    """
    files = open_all(path, with_dates=True)
    if len(files) == 1:
        return _table(files[0], path.name)
    found: dict[int, list[SmallTable]] = defaultdict(list)
    for file in files:
        with suppress(InputError):
            table = _table(file, file.name)
            cells = [cell for _, row in table.rows for cell in row]
            found[min(len({*meant(cells, one).values()}) for one in named)].append(table)
    most = max(found, default=0)
    if not most or len(found[most]) > 1:
        names = in_sentence([file.source.member for file in files])
        raise InputError("table-several", file=path.name, names=names)
    return found[most][0]


def _table(file: OpenedFile, name: str) -> SmallTable:
    if len(file.content) > _MOST_BYTES:
        raise InputError("speakers-too-large", file=name, most=_MOST_BYTES >> 20)
    lines = [f"{line}\n" for line in lines_of(decode(file)[0].decode())]
    some = list(filter(str.strip, lines))[:_SAMPLE_LINES]

    def columns(delimiter: str) -> tuple[int, int]:
        widths = [len(cells) for cells in csv.reader(some, delimiter=delimiter)]
        return min(widths), widths[0]

    try:
        reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=columns), strict=True)
        rows = ((reader.line_num, tuple(cell.strip() for cell in cells)) for cells in reader)
        full = tuple(row for row in rows if any(row[1]))
    except csv.Error as error:
        raise InputError("speakers-table", file=name, reason=error) from error
    if not full:
        raise InputError("speakers-empty", file=name)
    if len(full[0][1]) < 2:
        raise InputError("table-one-column", file=name, found=some[0].strip())
    return SmallTable(name, some[0].strip(), full)


def meant(cells: Iterable[str], recordings: Mapping[_Key, Recording]) -> dict[str, _Key]:
    """The recording that each of these cells names, as far as it is clear.

    Exactly by id, by the file without or with its ending, or by its place; else without regard to capitals,
    to how letters are composed, to slashes, to the ending and to folders that only one of both has, where no
    other recording fits as well, and no other cell fits the same recording as well.
    """
    every = frozenset(cells)
    exact = _by_names(recordings)
    found = {cell: keys[0] for cell in every if len(keys := exact.get(cell, [])) == 1}
    places = {key: _loose(str(one.place)) for key, one in recordings.items()}
    by_file: dict[str, list[_Key]] = defaultdict(list)
    for key in places.keys() - set(found.values()):
        by_file[places[key][0]].append(key)
    claims: dict[_Key, list[tuple[int, str]]] = defaultdict(list)
    for cell in every - found.keys():
        parts = _loose(cell)
        of = {key: _shared(parts, _loose(str(recordings[key].path))) for key in by_file.get(parts[0], ())}
        fits = [key for key, count in of.items() if count >= min(len(parts), len(places[key]))]
        best = [key for key in fits if of[key] == max(of[one] for one in fits)]
        if len(best) == 1:
            claims[best[0]].append((of[best[0]], cell))
    for key, claimed in claims.items():
        most = [cell for count, cell in claimed if count == max(claimed)[0]]
        found |= {cell: key for cell in most if len(most) == 1}
    return found


def _by_names(recordings: Mapping[_Key, Recording]) -> Mapping[str, list[_Key]]:
    found: dict[str, list[_Key]] = defaultdict(list)
    for key, one in recordings.items():
        names = {one.stem, one.place_without_ending}
        for name in {*names, *map(as_id, names), one.place.name, str(one.place), one.place_and_folder}:
            found[name].append(key)
    return found


def _loose(place: str) -> tuple[str, *tuple[str, ...]]:
    """The parts of a place, from its file up: without ending, capitals and ways to compose letters."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", place).casefold()).replace("\\", "/")
    parts = [part.strip() for part in plain.split("/") if part.strip() not in ("", ".")]
    file = parts.pop() if parts else ""
    return _ENDING.sub("", file), *reversed(parts)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many parts of two places are the same, from their files up."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


# Transcripts that come with recordings, by the ids of these.


def read_transcripts(path: Path) -> dict[str, str]:
    """The words of each recording, by its id. Raises InputError for what are no transcripts."""
    return {
        as_id(name): " ".join(words.split())
        for name, words in transcript_files.read_transcripts(path).items()
    }


def beside(folder: Path) -> dict[str, str]:
    """The transcripts in the file `text` of a folder of recordings; none where there is no such file."""
    path = file_beside(folder)
    return read_transcripts(path) if path else {}


def file_beside(folder: Path) -> Path | None:
    """A file `text` in a folder of recordings, where there is one."""
    path = folder / "text"
    return path if path.is_file() else None


def is_copy(said: Mapping[str, str], heard: Mapping[str, str]) -> bool:
    """Whether nothing differs: what was said was copied along with the recordings, and nobody listened."""
    return all(said.get(name) == words for name, words in heard.items())
