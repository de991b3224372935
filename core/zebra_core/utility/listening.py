"""Ratings from 1 to 10, or from 1 to 5, as trials whose two classes a DET curve tells apart.

Sources: VoicePrivacy 2020 evaluation plan, section 6.2 (1 to 10); ITU-T P.800 (1 to 5, the opinion score,
whose mean programs such as NISQA predict). Listeners say how alike two voices are, or how natural or
intelligible an utterance is; the plan shows all of them as DET curves.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.evidence.value_types import Whole
from zebra_core.intake.opening.opening import decode, lines_of, open_file
from zebra_core.intake.tables.columns import column_name
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.wording.texts import typed_number

LOWEST, HIGHEST = 1, 10
OPINION = 5
"""The highest of a mean opinion score."""
_STEPS = tuple(float(step) for step in range(LOWEST, HIGHEST + 1))
_MOST = 10_000_000  # ratings of one class: no listening test has more
_NAMES = ("rating", "mos", "mospred", "utmos", "ovrl", "p808mos", "score", "naturalness", "intelligibility")
_CLASS_NAMES = ("class", "condition", "label", "speech")
_DECIMAL_COMMA = re.compile(r"(?:.*\s)?\d{1,2},\d+(?:\s+[^\s,]+)?")


class RatingQuestion(Enum):
    """What listeners were asked; the highest is the most alike, natural or intelligible."""

    SIMILARITY = "similarity"  # 6.2.1 and 6.2.2: targets against nontargets
    INTELLIGIBILITY = "intelligibility"  # 6.2.3: clean against protected utterances
    NATURALNESS = "naturalness"  # 6.2.4: the same


_CLASSES = {
    RatingQuestion.SIMILARITY: (
        {"target", "same", "tgt", "1"},
        {"nontarget", "non-target", "different", "non", "imp", "0"},
    ),
    RatingQuestion.INTELLIGIBILITY: (
        {"clean", "original", "orig", "unprotected"},
        {"protected", "anonymized", "anonymised", "anon"},
    ),
}
_CLASSES[RatingQuestion.NATURALNESS] = _CLASSES[RatingQuestion.INTELLIGIBILITY]


@dataclass(frozen=True)
class Ratings:
    """How often each rating was given to either class.

    `upper` is the class that a good recogniser of it rates higher: targets, or clean speech; `lower` are
    nontargets, or protected speech. Both have a count of 0 or more for each of `values`, and neither class is
    empty. `values` rise, from 1 to `highest`, which is 10 or 5; others than whole numbers are means.
    `by_speaker` has the sum of the ratings of the lower class and their number for each speaker, ascending
    and without names; empty where the speaker of some of them is not known.
    """

    upper: tuple[Whole, ...]
    lower: tuple[Whole, ...]
    values: tuple[float, ...] = _STEPS
    highest: int = HIGHEST
    by_speaker: tuple[tuple[float, Whole], ...] = ()
    remarks: tuple[Remark, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for counts in (self.upper, self.lower):
            if len(counts) != len(self.values) or min(counts) < 0 or sum(counts) > _MOST:
                raise InputError("utility-not-readable")
        ends = (LOWEST, *self.values, self.highest)
        rises = all(one < other for one, other in zip(self.values, self.values[1:], strict=False))
        if self.highest not in (HIGHEST, OPINION) or not rises or sorted(ends) != [*ends]:
            raise InputError("utility-not-readable")
        if not sum(self.upper) or not sum(self.lower):
            raise InputError("ratings-one-class")

    @property
    def upper_mean(self) -> float:
        """The mean rating of targets, or of clean speech."""
        return self._mean(self.upper)

    @property
    def lower_mean(self) -> float:
        """The mean rating of nontargets, or of protected speech."""
        return self._mean(self.lower)

    def _mean(self, counts: Sequence[int]) -> float:
        return sum(map(math.prod, zip(self.values, counts, strict=True))) / sum(counts)

    @property
    def counts(self) -> ScoreCounts:
        """The ratings as scores, for a DET curve and its error rates; the upper class are the targets."""
        values, upper, lower = np.array(self.values), np.array(self.upper), np.array(self.lower)
        given = (upper + lower) > 0
        return ScoreCounts(values[given].astype(np.float64), upper[given], lower[given])

    @property
    def eer(self) -> float:
        """How often listeners confuse the classes, at equal rates of both errors; a fraction."""
        return ErrorRates.of(self.counts).equal()

    def as_json(self) -> dict[str, object]:
        """Plain values, from which it is made again; remarks, which are about the file, are not kept."""
        scale = {"values": list(self.values), "highest": self.highest}
        is_usual = (self.values, self.highest) == (_STEPS, HIGHEST)
        spoken = {"by_speaker": [list(each) for each in self.by_speaker]} if self.by_speaker else {}
        return {"upper": list(self.upper), "lower": list(self.lower), **({} if is_usual else scale), **spoken}


class RatingLine(NamedTuple):
    """A line of a file of ratings: the ids on it, the rating, and whether it is of the upper class."""

    ids: tuple[str, ...]
    rating: float
    is_upper: bool


def read_ratings(
    path: Path,
    question: RatingQuestion,
    clean: Path | None = None,
    highest: int | None = None,
    speaker_of: Mapping[str, str] | None = None,
) -> Ratings:
    """The ratings that `read_rating_lines` reads, as `all_ratings` counts them. Raises InputError.

    `speaker_of` says who speaks in which recording.
    """
    lines = read_rating_lines(path, question, clean)
    return replace(all_ratings(lines, highest), by_speaker=_by_speaker(lines, speaker_of or {}))


def _by_speaker(lines: Iterable[RatingLine], speaker_of: Mapping[str, str]) -> tuple[tuple[float, int], ...]:
    sums: dict[str, tuple[float, int]] = {}
    for line in lines:
        if line.is_upper:
            continue
        spoken = {speaker_of[one] for one in line.ids if one in speaker_of}
        if len(spoken) != 1:
            return ()
        total, count = sums.get(who := spoken.pop(), (0.0, 0))
        sums[who] = total + line.rating, count + 1
    return tuple(sorted(sums.values()))


def all_ratings(lines: Iterable[RatingLine], highest: int | None = None) -> Ratings:
    """How often each rating was given, from 1 to `highest`: 5 or 10.

    Where nobody says which, it is 5 if no rating is above it, and a remark tells so. Raises InputError where
    all are of one class, or a rating is above the highest.
    """
    given = Counter((line.rating, line.is_upper) for line in lines)
    values = sorted({rating for rating, _ in given})
    remarks = []
    if highest is None:
        highest = OPINION if values and values[-1] <= OPINION else HIGHEST
        remarks += [Remark("ratings-to-five")] if highest == OPINION else []
    if values and values[-1] > highest:
        raise InputError("rating-above-highest", found=f"{values[-1]:g}", highest=highest)
    if all(map(float.is_integer, values)):
        values = [float(step) for step in range(LOWEST, highest + 1)]
    else:
        remarks.append(Remark("ratings-are-means"))
    upper, lower = (tuple(given[value, is_upper] for value in values) for is_upper in (True, False))
    return Ratings(upper, lower, tuple(values), highest, remarks=tuple(remarks))


def read_rating_lines(path: Path, question: RatingQuestion, clean: Path | None = None) -> list[RatingLine]:
    """The lines of a file of ratings, in their order: any ids, a rating from 1 to 10, and the class.

    Columns are set apart by white space, commas or semicolons. A first line without a number names them; a
    rating or class of that name may stand anywhere, else they are the last two. The class is target or
    nontarget where listeners compared voices, clean or protected where they judged one utterance; upper and
    lower case are the same. With `clean`, a file of unprotected speech, neither file has classes. Raises
    InputError, with the line.
    """
    if clean is None:
        return _lines_in(path, question)
    files = ((clean, True), (path, False))
    return [line._replace(is_upper=is_upper) for file, is_upper in files for line in _lines_in(file, None)]


def _lines_in(path: Path, question: RatingQuestion | None) -> list[RatingLine]:
    """The lines of one file; without a question they have no class."""
    file = open_file(path)
    found: list[RatingLine] = []
    at: _Columns = (-1, None) if question is None else (-2, -1)
    for number, line in enumerate(lines_of(decode(file)[0].decode()), start=1):
        cells = _cells(line)
        if not any(cells):
            continue
        if number == 1 and all(typed_number(cell) is None for cell in cells):
            at = _columns(file.name, cells, at)
            continue
        found.append(_line(cells, at, question, (file.name, number)))
    return found


_Columns = tuple[int, int | None]
"""Where the rating stands, and its class."""


def _cells(line: str) -> list[str]:
    mark = next((mark for mark in ";\t" if mark in line), ",")
    if mark == "," and (mark not in line or _DECIMAL_COMMA.fullmatch(line.strip())):
        return line.split()
    cells = [cell.strip().strip('"') for cell in line.split(mark)]
    return cells if all(" " not in cell for cell in cells) else " ".join(cells).split()


def _columns(file: str, names: Sequence[str], usual: _Columns) -> _Columns:
    """By what columns are called, where the rating is; a class is needed where it usually is."""
    plain = [column_name(name) for name in names]
    ratings = [plain.index(name) for name in _NAMES if name in plain]
    classes = [plain.index(name) for name in _CLASS_NAMES if name in plain]
    if not ratings or (usual[1] is not None and plain[-2:-1] == [plain[ratings[0]]]):
        return usual
    if usual[1] is not None and not classes:
        raise InputError("ratings-without-class", file=file, found=names[ratings[0]])
    return ratings[0], classes[0] if usual[1] is not None else None


def _line(
    cells: Sequence[str], at: _Columns, question: RatingQuestion | None, where: tuple[str, int]
) -> RatingLine:
    file, line = where
    rating_at, class_at = at
    if question is not None and class_at == -1 and typed_number(cells[-1]) is not None:
        raise InputError("ratings-without-class", file=file, found=cells[-1])
    typed = cells[rating_at] if -len(cells) <= rating_at < len(cells) else cells[0]
    value = typed_number(typed)
    if value is None or not LOWEST <= value <= HIGHEST:
        raise InputError("rating-out-of-range", file=file, line=line, found=typed)
    is_upper = False
    if question is not None and class_at is not None:
        word = cells[class_at] if class_at < len(cells) else ""
        upper_words, lower_words = _CLASSES[question]
        if word.lower() not in upper_words | lower_words:
            raise InputError(f"rating-class-{question.value}", file=file, line=line, found=word)
        is_upper = word.lower() in upper_words
    used = {n % len(cells) for n in at if n is not None}
    return RatingLine(tuple(cell for n, cell in enumerate(cells) if n not in used), value, is_upper)
