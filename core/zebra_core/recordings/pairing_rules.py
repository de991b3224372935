"""How names of protected copies follow from those of originals: a rule with two patterns, or a table."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.intake.opening.decoding import decode
from zebra_core.intake.opening.opening import open_file
from zebra_core.recordings.folder import Recording

HOLE, ANYTHING = "{}", "*"
"""What stands for the part that two names share, and for anything, in a pattern."""
_PIECE = re.compile(r"\{\}|\*")
_SEPARATORS = re.compile(r"[\W_]+")
_USUAL, _OFTEN = (
    0.9,
    0.2,
)  # the share of names that text must be in to be part of a rule, or of one of several
_MEANING = re.compile(r"\{\}|\*|=")  # what means something in a rule
_MOST_BYTES = 1 << 24  # of a table
_DELIMITERS = ";,\t"


@dataclass(frozen=True)
class PairingRule:
    """A pattern for names of originals, and one for names of copies, without endings.

    `{}` stands for what both names share, `*` for anything. A pattern with slashes is about folders as well.
    Capitals, and which mark stands between words, count only where names would be alike without them.
    """

    original: str = HOLE
    copy: str = HOLE

    def __str__(self) -> str:
        return f"{self.original}={self.copy}"

    @classmethod
    def parse(cls, text: str) -> PairingRule:
        """The rule that a user has written, such as “{}={}_anon”. Raises InputError."""
        original, equals, copy = text.partition("=")
        if not equals or HOLE not in original or HOLE not in copy:
            raise InputError("pairs-rule", found=text)
        return cls(original.strip(), copy.strip())

    def of_original(self, recording: Recording) -> SharedName | None:
        """What an original shares with its copy; None where the pattern does not fit."""
        return _shared(self.original, recording)

    def of_copy(self, recording: Recording) -> SharedName | None:
        """What a copy shares with its original; None where the pattern does not fit."""
        return _shared(self.copy, recording)


@dataclass(frozen=True)
class SharedName:
    """What a name shares with another: the folder that it lies in, and text."""

    folder: str
    text: str

    @property
    def loose(self) -> SharedName:
        """Without capitals, with one mark between words, and composed alike."""
        return SharedName(_loose(self.folder), _loose(self.text))


@lru_cache(64)
def _compiled(pattern: str) -> re.Pattern[str]:
    kinds = {HOLE: "([^/]+)", ANYTHING: "[^/]*?"}
    pieces = re.split(f"({_PIECE.pattern})", unicodedata.normalize("NFC", pattern))
    return re.compile("".join(kinds.get(piece) or re.escape(piece) for piece in pieces), re.IGNORECASE)


def _shared(pattern: str, recording: Recording) -> SharedName | None:
    parts = unicodedata.normalize("NFC", recording.place_without_ending).split("/")
    depth = pattern.count("/") + 1
    if len(parts) < depth:
        return None
    found = _compiled(pattern).fullmatch("/".join(parts[-depth:]))
    return None if found is None else SharedName("/".join(parts[:-depth]), "/".join(found.groups()))


def _loose(text: str) -> str:
    return _SEPARATORS.sub("_", unicodedata.normalize("NFC", text).casefold()).strip("_")


@dataclass(frozen=True)
class PairingTable:
    """A table of originals and copies: two of its columns name recordings by file, place or id."""

    path: Path

    def __str__(self) -> str:
        return self.path.name

    def rows(self) -> list[tuple[int, tuple[str, ...]]]:
        """Its lines with their numbers, from 1. Raises InputError for what is no text of two columns."""
        file = open_file(self.path)
        if len(file.content) > _MOST_BYTES:
            raise InputError("speakers-too-large", file=self.path.name, most=_MOST_BYTES >> 20)
        lines = re.split(r"\r\n|\n|\r", decode(file).content.decode())
        head = next(filter(str.strip, lines), "")
        delimiter = max(_DELIMITERS, key=head.count)
        try:
            cells = csv.reader((line + "\n" for line in lines), delimiter=delimiter)
            found = [(cells.line_num, tuple(cell.strip() for cell in row)) for row in cells if any(row)]
        except csv.Error as error:
            raise InputError("pairs-table", file=self.path.name, found=head) from error
        if len(found[0][1]) < 2:
            raise InputError("pairs-table", file=self.path.name, found=head)
        return found

    def pairs_any(self, originals: Sequence[Recording], copies: Sequence[Recording]) -> bool:
        """Whether it can be read, and names originals beside copies."""
        try:
            return bool(_match_by_table(self, originals, copies)[0])
        except InputError:
            return False


PairingSource = PairingRule | PairingTable
GivenPairs = Mapping[str, Sequence[PairingSource]]
"""By safeguard, ways to pair its copies that a user has stated: the one that pairs most of them is used."""
SAME_NAME = PairingRule()


def rule_or_table(text: str) -> PairingSource:
    """What a user has typed: a rule where it has patterns, else the path of a table. Raises InputError."""
    return PairingRule.parse(text) if HOLE in text else PairingTable(Path(text))


Match = Mapping[int, int]
"""Which copy belongs to which original, both by their number."""


def match(
    source: PairingSource, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[Match, frozenset[int]]:
    """The pairs, and the originals that fit several copies or share one, by their numbers.

    Names are taken exactly before they are taken loosely, and in their folders before without; a name must be
    that of one original and one copy alone. Raises InputError for a table that cannot be read.
    """
    if isinstance(source, PairingTable):
        return _match_by_table(source, originals, copies)
    left = [source.of_original(one) for one in originals]
    right = [source.of_copy(one) for one in copies]
    found: dict[int, int] = {}
    taken: set[int] = set()
    doubtful: set[int] = set()
    for key in _KEYS:
        mine, theirs = _numbers_by(key, left), _numbers_by(key, right)
        for shared in mine.keys() & theirs.keys():
            numbers, others = mine[shared], theirs[shared]
            doubtful.update(numbers)
            if len(numbers) == len(others) == 1 and numbers[0] not in found and others[0] not in taken:
                found[numbers[0]] = others[0]
                taken.add(others[0])
    return dict(sorted(found.items())), frozenset(doubtful - found.keys())


_KEYS: tuple[Callable[[SharedName], Hashable], ...] = (
    lambda shared: shared,
    lambda shared: shared.text,
    lambda shared: shared.loose,
    lambda shared: shared.loose.text,
)


def _numbers_by(
    key: Callable[[SharedName], Hashable], names: Iterable[SharedName | None]
) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for number, shared in enumerate(names):
        if shared is not None:
            found[key(shared)].append(number)
    return found


def _match_by_table(
    table: PairingTable, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[Match, frozenset[int]]:
    rows = table.rows()
    left, right = _by_names(originals), _by_names(copies)
    first, second = _columns([cells for _line, cells in rows], left, right)
    found: dict[int, int] = {}
    for line, cells in rows:
        if max(first, second) >= len(cells):
            continue
        mine, other = left.get(cells[first]), right.get(cells[second])
        if mine is None or other is None:
            continue
        if found.setdefault(mine, other) != other:
            raise InputError("pairs-two", file=table.path.name, line=line, found=cells[first])
    shared = {other for other, times in Counter(found.values()).items() if times > 1}
    doubtful = frozenset(mine for mine, other in found.items() if other in shared)
    return {mine: other for mine, other in found.items() if mine not in doubtful}, doubtful


def _columns(
    rows: Sequence[Sequence[str]], originals: Mapping[str, object], copies: Mapping[str, object]
) -> tuple[int, int]:
    """The two columns of a table in which most cells name originals and copies."""

    def named(column: int, names: Mapping[str, object]) -> int:
        return sum(names.get(cells[column]) is not None for cells in rows if column < len(cells))

    width = max(map(len, rows))
    every = [(one, other) for one, other in product(range(width), repeat=2) if one != other]
    return max(every, key=lambda pair: min(named(pair[0], originals), named(pair[1], copies)))


def _by_names(recordings: Sequence[Recording]) -> dict[str, int | None]:
    """The number of each recording by all that a table may call it; None where several are called so."""
    found: dict[str, int | None] = {}
    for number, one in enumerate(recordings):
        names = {one.stem, one.place.name, str(one.place), one.place_without_ending, one.place_and_folder}
        for name in names:
            found[name] = number if found.get(name, number) == number else None
    return found
