"""How names of protected copies follow from those of originals: a rule with two patterns, or a table."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.small_tables import meant, read_table
from zebra_core.recordings.sound import SUFFIXES

HOLE, ANYTHING = "{}", "*"
"""What stands for the part that two names share, and for anything, in a pattern."""
_SEPARATORS = re.compile(r"[\s!-/:-@\[-`{-~]+")  # blanks and marks of ASCII; letters may be of several signs
_SIDES = (
    frozenset(["original", "originals", "orig", "unprotected", "before"]),
    frozenset(
        [
            "copy",
            "copies",
            "protected",
            "anonymised",
            "anonymized",
            "anon",
            "pseudonymised",
            "pseudonymized",
            "after",
        ]
    ),
)
"""What the columns of a table of originals and copies may be called."""
_LONGEST_PART = 80  # characters that `*` stands for
_MOST_WILD = 3  # `{}` and `*` of one name: each more multiplies the ways to read a long name


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
        original, equals, copy = (part.strip() for part in text.partition("="))
        stems = [_without_ending(original), _without_ending(copy)]
        if stems[0] != original and stems[1] != copy:
            original, copy = stems
        if not equals or HOLE not in original or HOLE not in copy:
            raise InputError("pairs-rule", found=text, shared=HOLE, example=cls(HOLE, f"{HOLE}_anon"))
        wild = max(part.count(HOLE) + part.count(ANYTHING) for part in f"{original}/{copy}".split("/"))
        if wild > _MOST_WILD:
            raise InputError("pairs-rule-wild", found=text, shared=HOLE, most=_MOST_WILD)
        return cls(original, copy)

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

    @cached_property
    def loose(self) -> SharedName:
        """Without capitals, with one mark between words, and composed alike."""
        return SharedName(_loose(self.folder), _loose(self.text))


def _without_ending(pattern: str) -> str:
    stem, dot, ending = pattern.rpartition(".")
    return stem if dot and f".{ending.lower()}" in SUFFIXES else pattern


@lru_cache(64)
def _compiled(pattern: str) -> re.Pattern[str]:
    kinds = {HOLE: "([^/]+)", ANYTHING: f"[^/]{{0,{_LONGEST_PART}}}?"}
    pieces = re.split(r"(\{\}|\*|/)", unicodedata.normalize("NFC", pattern))
    # A part between slashes is read in one way only: ways of several parts would be multiplied.
    kinds["/"] = "(?=/))/(?>"
    made = "".join(kinds.get(piece) or re.escape(piece) for piece in pieces)
    return re.compile(f"(?>{made}(?![^/]))", re.IGNORECASE)


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
    is_rule = HOLE in text or ("=" in text and not Path(text).exists())
    return PairingRule.parse(text) if is_rule else PairingTable(Path(text))


Match = Mapping[int, int]
"""Which copy belongs to which original, both by their number."""


def match(
    source: PairingSource, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[Match, frozenset[int], frozenset[int]]:
    """The pairs; the originals that fit several copies, or share one; and these copies: all by their numbers.

    Names are taken exactly before they are taken loosely, and in their folders before without; a name must be
    that of one original and one copy alone. A copy in a folder of other originals is of one of these. Raises
    InputError for a table that cannot be read.
    """
    if isinstance(source, PairingTable):
        return _match_by_table(source, originals, copies)
    left = [source.of_original(one) for one in originals]
    right = [source.of_copy(one) for one in copies]
    folders = {one.folder for one in left if one is not None}
    found: dict[int, int] = {}
    taken: set[int] = set()
    several: list[tuple[list[int], list[int]]] = []
    for key in _KEYS:
        if len(found) == len(left) or len(taken) == len(right):
            break
        mine, theirs = _numbers_by(key, left), _numbers_by(key, right)
        for shared in mine.keys() & theirs.keys():
            numbers, others = mine[shared], theirs[shared]
            one, other = numbers[0], others[0]
            if len(numbers) > 1 or len(others) > 1:
                several.append((numbers, others))
            elif one not in found and other not in taken and _may_be(left[one], right[other], folders):
                found[one] = other
                taken.add(other)
    doubtful: set[int] = set()
    rivals: set[int] = set()
    for numbers, others in several:
        mine_left, theirs_left = [n for n in numbers if n not in found], [n for n in others if n not in taken]
        if mine_left and theirs_left:
            doubtful.update(mine_left)
            rivals.update(theirs_left)
    return dict(sorted(found.items())), frozenset(doubtful), frozenset(rivals)


def _may_be(original: SharedName | None, copy: SharedName | None, folders: Collection[str]) -> bool:
    """Whether a copy may be of an original by their folders, `folders` being those of all originals."""
    assert original is not None and copy is not None  # noqa: S101, PT018 - they share a name
    is_same = copy.folder == original.folder or copy.loose.folder == original.loose.folder
    return is_same or not copy.folder or copy.folder not in folders


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


@dataclass(frozen=True)
class RepeatedRow:
    """A line of a table that names another copy of an original than an earlier line, which is used."""

    line: int
    first_line: int
    original: int
    copy: int


def repeated_rows(
    table: PairingTable, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[RepeatedRow, ...]:
    """The lines of a table that are not used. Raises InputError where it cannot be read."""
    return _pairs_of_table(table, originals, copies)[1]


def _match_by_table(
    table: PairingTable, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[Match, frozenset[int], frozenset[int]]:
    found = _pairs_of_table(table, originals, copies)[0]
    shared = {other for other, times in Counter(found.values()).items() if times > 1}
    doubtful = frozenset(mine for mine, other in found.items() if other in shared)
    kept = {mine: other for mine, other in found.items() if mine not in doubtful}
    return kept, doubtful, frozenset(shared)


def _pairs_of_table(
    table: PairingTable, originals: Sequence[Recording], copies: Sequence[Recording]
) -> tuple[dict[int, int], tuple[RepeatedRow, ...]]:
    sides = dict(enumerate(originals)), dict(enumerate(copies))
    rows = read_table(table.path, *sides).rows
    every = [cell for _line, cells in rows for cell in cells]
    left, right = (meant(every, recordings) for recordings in sides)
    first, second = _columns(table, [cells for _line, cells in rows], left, right)
    found: dict[int, int] = {}
    lines: dict[int, int] = {}
    again = []
    for line, cells in rows:
        if (pair := _pair(cells, first, second, left, right)) is not None:
            mine, other = pair
            if found.setdefault(mine, other) != other:
                again.append(RepeatedRow(line, lines[mine], mine, other))
            lines.setdefault(mine, line)
    return found, tuple(again)


_Names = Mapping[str, int]


def _pair(
    cells: Sequence[str], first: int, second: int, originals: _Names, copies: _Names
) -> tuple[int, int] | None:
    """The original and the copy that a line names in these columns."""
    if max(first, second) >= len(cells):
        return None
    mine, other = originals.get(cells[first]), copies.get(cells[second])
    return None if mine is None or other is None else (mine, other)


def _columns(
    table: PairingTable, rows: Sequence[Sequence[str]], originals: _Names, copies: _Names
) -> tuple[int, int]:
    """The columns of originals and of copies: those that name most pairs, or that are called so.

    Raises InputError where two columns may be either, and neither is called so.
    """
    every = list(permutations(range(max(map(len, rows))), 2))
    pairs = {
        (one, other): {pair for cells in rows if (pair := _pair(cells, one, other, originals, copies))}
        for one, other in every
    }
    most = max(map(len, pairs.values()))
    best = [columns for columns in every if len(pairs[columns]) == most]
    heads = [cell.casefold() for cell in rows[0]] + [""] * len(every)
    called = [(one, other) for one, other in best if heads[one] in _SIDES[0] or heads[other] in _SIDES[1]]
    if most and not called and any(pairs[one] != pairs[best[0]] for one in best):
        raise InputError("pairs-columns", file=table.path.name, found=", ".join(rows[0]))
    return (called or best)[0]
