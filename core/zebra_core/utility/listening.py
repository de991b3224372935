"""Listening tests: ratings from 1 to 10, as trials whose two classes a DET curve tells apart.

Source: VoicePrivacy 2020 evaluation plan, section 6.2. Listeners say how alike two voices are, or how
natural or intelligible an utterance is; the plan shows all of them as DET curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.intake.opening.decoding import decode
from zebra_core.intake.opening.opening import open_file
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.wording.wording import typed_number

LOWEST, HIGHEST = 1, 10
_STEPS = HIGHEST - LOWEST + 1
_MOST = 10_000_000  # ratings of one class: no listening test has more


class RatingQuestion(Enum):
    """What listeners were asked; 10 is the most alike, natural or intelligible."""

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
    """How often each rating, 1 to 10, was given to either class.

    `upper` is the class that a good recogniser of it rates higher: targets, or clean speech; `lower` are
    nontargets, or protected speech. Both have ten counts of 0 or more, and neither class is empty.
    """

    upper: tuple[int, ...]
    lower: tuple[int, ...]

    def __post_init__(self) -> None:
        for counts in (self.upper, self.lower):
            if len(counts) != _STEPS or min(counts) < 0 or sum(counts) > _MOST:
                raise InputError("utility-not-readable")
        if not sum(self.upper) or not sum(self.lower):
            raise InputError("ratings-one-class")

    @property
    def upper_mean(self) -> float:
        """The mean rating of targets, or of clean speech."""
        return _mean(self.upper)

    @property
    def lower_mean(self) -> float:
        """The mean rating of nontargets, or of protected speech."""
        return _mean(self.lower)

    @property
    def counts(self) -> ScoreCounts:
        """The ratings as scores, for a DET curve and its error rates; the upper class are the targets."""
        steps = np.arange(LOWEST, HIGHEST + 1)
        upper, lower = np.array(self.upper), np.array(self.lower)
        given = (upper + lower) > 0
        return ScoreCounts(steps[given].astype(np.float64), upper[given], lower[given])

    @property
    def eer(self) -> float:
        """How often listeners confuse the classes, at equal rates of both errors; a fraction."""
        return ErrorRates.of(self.counts).equal()

    def as_json(self) -> dict[str, list[int]]:
        """What `from_json` makes it from again."""
        return {"upper": list(self.upper), "lower": list(self.lower)}

    @classmethod
    def from_json(cls, saved: object) -> Ratings:
        """The ratings as they were saved. Raises InputError where they are none."""
        if not isinstance(saved, Mapping):
            raise InputError("utility-not-readable")
        return cls(_counts(saved.get("upper")), _counts(saved.get("lower")))


def read_ratings(path: Path, question: RatingQuestion) -> Ratings:
    """Ratings with their class: a line is any ids, a rating from 1 to 10, and the class of the trial.

    Columns are set apart by white space, commas or semicolons; a first line without a rating is a heading.
    The class is target or nontarget where listeners compared voices, clean or protected where they judged
    one utterance; upper and lower case are the same. Raises InputError, with the line.
    """
    return all_ratings(read_rating_lines(path, question))


class RatingLine(NamedTuple):
    """A line of a file of ratings: the ids on it, the rating, and whether it is of the upper class."""

    ids: tuple[str, ...]
    rating: int
    is_upper: bool


def all_ratings(lines: Iterable[RatingLine]) -> Ratings:
    """How often each rating was given. Raises InputError where all are of one class."""
    counts = {True: [0] * _STEPS, False: [0] * _STEPS}
    for line in lines:
        counts[line.is_upper][line.rating - LOWEST] += 1
    return Ratings(tuple(counts[True]), tuple(counts[False]))


def read_rating_lines(path: Path, question: RatingQuestion) -> list[RatingLine]:
    """The lines of a file of ratings, in their order. Raises InputError, with the line."""
    file = open_file(path)
    upper_words, lower_words = _CLASSES[question]
    lines: list[RatingLine] = []
    for number, line in enumerate(decode(file).content.decode().splitlines(), start=1):
        parts = line.replace(",", " ").replace(";", " ").split()
        if not parts or (number == 1 and all(typed_number(part) is None for part in parts)):
            continue
        rating = _rating(parts, file.name, number)
        found = parts[-1].lower()
        if found not in upper_words | lower_words:
            raise InputError(f"rating-class-{question.value}", file=file.name, line=number, found=parts[-1])
        lines.append(RatingLine(tuple(parts[:-2]), rating, found in upper_words))
    return lines


def _rating(parts: Sequence[str], file: str, line: int) -> int:
    typed = parts[-2] if len(parts) > 1 else parts[0]
    value = typed_number(typed)
    if value is None or not (LOWEST <= value <= HIGHEST and value == int(value)):
        raise InputError("rating-out-of-range", file=file, line=line, found=typed)
    return int(value)


def _mean(counts: Sequence[int]) -> float:
    return sum(rating * count for rating, count in enumerate(counts, start=LOWEST)) / sum(counts)


def _counts(saved: object) -> tuple[int, ...]:
    if not isinstance(saved, list) or any(isinstance(n, bool) or not isinstance(n, int) for n in saved):
        raise InputError("utility-not-readable")
    return tuple(saved)
