"""Cells of plain lines, parsed by operations on whole arrays; ids are coded without a string made of each.

Plain are lines of so many cells each with one separator between two, no quotes, and numbers of at most
fifteen digits without an exponent. The rest is left to other readers, who would find the same in plain lines.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.intake.tables.table import Delimiter, Dialect

Words = NDArray[np.uint64]
"""Eight characters each, the first of them lowest; zeros where a cell has fewer."""
Entries = NDArray[np.int32]

_WORD = 8
_MOST_WORDS = 8  # of an id
_LONGEST_NUMBER = 2 * _WORD  # fifteen digits and a point: floats hold them exactly
_ROOM = bytes(_WORD * _MOST_WORDS)  # around the lines, for words that begin or end beyond a cell
_BLANK, _LINE_END, _QUOTE, _MINUS = b' \n"-'
_LEARNT_AT_FIRST = 1 << 10


def _in_each(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_LOWEST = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)  # of so many characters
_ZERO, _DIGIT, _HALF, _SIX, _SEVEN_BITS = map(_in_each, (0x30, 0x0F, 0xF0, 0x06, 0x7F))
_BEFORE = [  # what is before a number of so many characters in the last word but one, and in the last
    np.array([_LOWEST[min(max(end - length, 0), _WORD)] for length in range(_LONGEST_NUMBER + 1)])
    for end in (_LONGEST_NUMBER, _WORD)
]
_POWERS = 10.0 ** np.arange(_LONGEST_NUMBER)
_SHIFT = tuple(map(np.uint64, (7, 8, 16, 32, 56)))


@dataclass(frozen=True, eq=False)
class PlainColumn:
    """The cells of a column: the bytes they are in, where they begin and end, shape (n,); none is empty."""

    within: bytes
    start: IntArray
    end: IntArray
    length: IntArray

    def words(self, at: IntArray, count: int) -> list[Words]:
        """So many words from each of these places on, shape (n,) each."""
        width = count * _WORD
        every = np.ndarray(len(self.within) - width + 1, f"V{width}", self.within, strides=(1,))
        found = every[at].view("<u8").reshape(-1, count)
        return [found[:, n] for n in range(count)]


def plain_columns(lines: bytes, width: int, dialect: Dialect) -> list[PlainColumn] | None:
    """The columns of these whole lines; None where they are not surely plain, or of another width."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n")
    if lines.startswith(b"\n") or lines.endswith(b"\n\n"):
        lines = lines.strip(b"\n")
    if not lines or b"\r" in lines or b"\0" in lines or (dialect.quoted and _QUOTE in lines):
        return None
    within = b"".join([_ROOM, lines, b"" if lines.endswith(b"\n") else b"\n", _ROOM])
    letters = np.frombuffer(within, np.uint8)[len(_ROOM) : -len(_ROOM)]
    separator = ord(dialect.delimiter.value)
    if is_blank := dialect.delimiter is Delimiter.BLANKS:
        end = np.flatnonzero(letters <= _BLANK)
    else:
        end = np.flatnonzero((letters == separator) | (letters == _LINE_END))
    marks = letters[end].tobytes()
    if is_blank:
        marks = marks.replace(b"\t", b" ")
    expected = [dialect.delimiter.value.encode()] * (width - 1) + [b"\n"]
    if marks != b"".join(expected) * (len(end) // width):
        return None
    # Contiguous columns: all that follows is slower with strides.
    ends = np.ascontiguousarray(end.reshape(-1, width).T)
    ends += len(_ROOM)
    starts = np.empty_like(ends)
    starts[0, 0], starts[0, 1:], starts[1:] = len(_ROOM), ends[-1, :-1] + 1, ends[:-1] + 1
    lengths = ends - starts
    if not lengths.all():
        return None
    return [PlainColumn(within, *places) for places in zip(starts, ends, lengths, strict=True)]


def plain_numbers(cells: PlainColumn, dialect: Dialect) -> FloatArray | None:
    """The numbers in these cells, shape (n,); None where one is not plain."""
    is_negative = np.frombuffer(cells.within, np.uint8)[cells.start] == _MINUS
    length = _one_if_equal(cells.length - is_negative)
    longest = int(length.max())
    if longest > _LONGEST_NUMBER:
        return None
    count = 1 if longest <= _WORD else 2
    words = cells.words(cells.end - count * _WORD, count)
    words = [
        word ^ ((word ^ _ZERO) & before[length]) for word, before in zip(words, _BEFORE[-count:], strict=True)
    ]
    point = _in_each(ord("," if dialect.decimal_comma else "."))
    parts = [words[-1]]
    parts[0], has_point, decimals = _without_point(words[-1], point, words[0] if count > 1 else _ZERO)
    if count > 1:
        high, had_point, more = _without_point(words[0], point, _ZERO)
        if (has_point & had_point).any():
            return None
        parts.append(np.where(has_point, words[0] << _SHIFT[1] | _ZERO & _LOWEST[1], high))
        decimals = decimals + np.where(had_point, more + _WORD, 0)
        has_point = has_point | had_point
    digits = length - has_point
    if int(digits.min()) < 1 or int(digits.max()) >= _LONGEST_NUMBER or not all(map(_are_digits, parts)):
        return None
    value = _whole_number(parts[0])
    if count > 1:
        value += _whole_number(parts[1]) * np.uint64(10**_WORD)
    # As exact as a division is: neither the digits nor the power of ten were rounded.
    found: FloatArray = value / _POWERS[decimals]
    np.negative(found, out=found, where=is_negative)
    return found


def _without_point(
    word: Words, point: np.uint64, before: Words | np.uint64
) -> tuple[Words, BoolArray, NDArray[np.integer]]:
    """Words without their point, what is before it moved up; whether there was one, and how far from the end.

    The first of several points is taken; the others are no digits. What is said of the point has shape (1,)
    where it is the same for all.
    """
    differs = word ^ point
    at = ~(((differs & _SEVEN_BITS) + _SEVEN_BITS) | differs | _SEVEN_BITS)  # the highest bit of each point
    at = _one_if_equal(at & np.negative(at))
    has_point = at != 0
    below = (at >> _SHIFT[0]) - has_point
    moved = ((word & below) << _SHIFT[1]) | (before >> _SHIFT[4]) * has_point
    left = word & ~(below | at | (at - (at >> _SHIFT[0])))
    return left | moved, has_point, np.where(has_point, _WORD - 1 - (np.bitwise_count(below) >> 3), 0)


def _one_if_equal(values: np.ndarray) -> np.ndarray:
    """The first of values that are all equal, shape (1,), to reckon with in their place; else they."""
    return values[:1] if (values == values[0]).all() else values


def _are_digits(word: Words) -> bool:
    return not (((word & _HALF) ^ _ZERO) | (((word + _SIX) & _HALF) ^ _ZERO)).any()


def _whole_number(word: Words) -> Words:
    """The number that eight digits are. Ref: Lemire 2021, Number parsing at a gigabyte per second."""
    pairs = (word & _DIGIT) * np.uint64(10 * 2**8 + 1) >> _SHIFT[1]
    fours = (pairs & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(100 * 2**16 + 1) >> _SHIFT[2]
    return (fours & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(10_000 * 2**32 + 1) >> _SHIFT[3]


class PlainIds:
    """The distinct cells of a column, in the order in which they come, piece after piece.

    Cells are looked up by a hash of their words, whose factors nobody knows before: so no list can be written
    whose cells all have one.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._factors = np.frombuffer(os.urandom(_WORD * _MOST_WORDS), np.uint64) | np.uint64(1)
        self._words: list[Words] = []  # of each entry; the first is none: no text has such bytes
        self._room, self._bits = _LEARNT_AT_FIRST, 0
        self._entry = np.zeros(0, np.int32)  # at the place of its hash, or behind it

    def places(self, cells: PlainColumn) -> NDArray[np.integer] | None:
        """The place of each cell in `names`, which grows; None where a cell is too long."""
        length = _one_if_equal(cells.length)
        count = max(-(-int(length.max()) // _WORD), len(self._words))
        if count > _MOST_WORDS:
            return None
        while len(self._words) < count:
            self._words.append(np.zeros(self._room, np.uint64))
            self._words[-1][0] = ~np.uint64(0)
        words = [
            word & _LOWEST[np.clip(length - n * _WORD, 0, _WORD)]
            for n, word in enumerate(cells.words(cells.start, count))
        ]
        found, most = self._entries(words), _LEARNT_AT_FIRST
        while len(new := np.flatnonzero(found == 0)):
            cells_left = [word[new] for word in words]
            begins = np.flatnonzero(np.diff(self._hash(cells_left), prepend=np.uint64(0)))[:most]
            self._learn([word[begins] for word in cells_left])
            found[new] = self._entries(cells_left)
            most *= 4
        return found - 1

    def _hash(self, words: Sequence[Words]) -> Words:
        found: Words = words[0] * self._factors[0]
        for word, factor in zip(words[1:], self._factors[1:], strict=False):
            found += word * factor
        return found

    def _at(self, hashes: Words) -> IntArray:
        return (hashes >> np.uint64(2 * _SHIFT[3] - np.uint64(self._bits))).view(np.int64)

    def _entries(self, words: Sequence[Words]) -> Entries:
        """The entry of each cell; 0 for one that is new."""
        if not self.names:
            return np.zeros(len(words[0]), np.int32)
        at = self._at(self._hash(words))
        found = self._entry[at]
        others = np.flatnonzero(~self._hold(found, words))
        while len(others := others[found[others] != 0]):
            at[others] = (at[others] + 1) & (len(self._entry) - 1)
            found[others] = self._entry[at[others]]
            others = others[~self._hold(found[others], [word[others] for word in words])]
        return found

    def _hold(self, entries: Entries, words: Sequence[Words]) -> BoolArray:
        """Whether these entries are of these cells."""
        found: BoolArray = self._words[0][entries] == words[0]
        for mine, theirs in zip(self._words[1:], words[1:], strict=True):
            found &= mine[entries] == theirs
        return found

    def _learn(self, words: Sequence[Words]) -> None:
        """Enter these cells, none of which is known; of several with one hash the first."""
        first = np.sort(np.unique(self._hash(words), return_index=True)[1])
        fresh = np.column_stack([word[first] for word in words])
        begin, end = len(self.names) + 1, len(self.names) + 1 + len(first)
        if end > self._room:
            self._room = 2 * end
            self._words = [np.resize(word, self._room) for word in self._words]
        for known, word in zip(self._words, fresh.T, strict=True):
            known[begin:end] = word
        letters = fresh.view(f"S{fresh.shape[1] * _WORD}")[:, 0]
        self.names += b"\n".join(letters.tolist()).decode().split("\n")
        if 4 * end > len(self._entry):
            self._bits = (8 * end).bit_length()
            self._entry = np.zeros(1 << self._bits, np.int32)
            begin = 1
        self._enter(np.arange(begin, end, dtype=np.int32))

    def _enter(self, entries: Entries) -> None:
        at = self._at(self._hash([word[entries] for word in self._words]))
        while len(entries):
            is_free = self._entry[at] == 0
            self._entry[at[is_free]] = entries[is_free]
            is_left = self._entry[at] != entries
            entries, at = entries[is_left], (at[is_left] + 1) & (len(self._entry) - 1)
