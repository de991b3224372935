"""Scales that put the strength of evidence into words: the tags of the worst case, and a verbal scale.

Laboratories differ in their scales, so both can be edited, are saved with the project and printed with every
report. The tags of the papers are the default and a constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import Name
from zebra_core.wording.texts import (
    as_said,
    in_english,
    odds_to_one,
    quoted,
    say,
    typed_number,
    visible,
    written,
)

ON_A_BOUND = 1e-9  # log10 LRs are ratios of counts and do meet a bound: rounding must not decide
LONGEST_LETTER = 8
HIGHEST_BOUND = 12.0  # no data show more, and odds above it have no room on a page


@dataclass(frozen=True)
class Tag:
    """One category of the worst case: its letter, the |log10 LR| from which it holds, what that means."""

    letter: str
    from_log10_lr: float
    words: Name = ""


@dataclass(frozen=True)
class TagScale:
    """Tags in ascending order of their lower bounds; a tag reaches up to, not including, the next bound.

    The first tag stands for exactly no evidence, |log10 LR| = 0; the second takes everything above it, so
    both begin at 0. Raises InputError at fewer than two tags, at bounds that are not finite or do not
    ascend, and at letters that are empty, not to be seen, longer than eight characters or given twice.
    """

    tags: tuple[Tag, ...]

    def __post_init__(self) -> None:
        if len(self.tags) < 2:
            raise InputError("scale-too-short")
        if self.tags[0].from_log10_lr != 0.0 or self.tags[1].from_log10_lr != 0.0:
            raise InputError("scale-not-from-zero")
        _refuse_disorder([(tag.letter, tag.from_log10_lr) for tag in self.tags[1:]])
        letters = [tag.letter for tag in self.tags]
        for letter in letters:
            if not letter.strip() or not letter.isprintable() or len(letter) > LONGEST_LETTER:
                raise InputError("scale-letter", found=letter, longest=LONGEST_LETTER)
            if letters.count(letter) > 1:
                raise InputError("scale-letter-twice", found=letter)

    def tag_of(self, log10_lr: float) -> Tag:
        """The tag of a worst case |log10 LR| ≥ 0; within 1e-9 of a bound counts as on it."""
        if log10_lr <= ON_A_BOUND:
            return self.tags[0]
        return [tag for tag in self.tags[1:] if log10_lr >= tag.from_log10_lr - ON_A_BOUND][-1]

    def tag_of_scores(self, log10_lr: float, *, are_equal: bool) -> Tag:
        """The tag of a set of scores: the first where all are equal, and only there, whatever their LRs."""
        if are_equal:
            return self.tags[0]
        return self.tags[1] if (tag := self.tag_of(log10_lr)) is self.tags[0] else tag

    @property
    def is_own(self) -> bool:
        """Whether a project has it of its own, in place of that of the papers."""
        return self != PAPER_SCALE

    def shown(self, letter: str) -> str:
        """One of its tags as it is shown: that of an own scale in quotation marks: it may say anything."""
        return quoted(visible(letter)) if self.is_own else letter

    def words_of(self, letter: str) -> str:
        """What one of its tags means by its own words; those of an own scale in quotation marks."""
        words = next(tag.words for tag in self.tags if tag.letter == letter)
        return say("tag.own-words", words=visible(words)) if self.is_own and words else as_said(words, "tag")

    def odds_of(self, letter: str) -> str:
        """What one of its tags means in odds, where both propositions were as likely before."""
        zero, *tags = self.tags
        ends = [tag.from_log10_lr for tag in tags] + [math.inf]
        if letter == zero.letter:
            return say("tag.even")
        low, high = next(pair for tag, pair in zip(tags, pairwise(ends), strict=True) if tag.letter == letter)
        facts = {"low": odds_to_one(low), "high": odds_to_one(high) if math.isfinite(high) else ""}
        return say("tag.from" if not facts["high"] else "tag.between" if low > 0.0 else "tag.below", **facts)

    def shares(self, log10_lrs: Sequence[float], *, are_equal: bool) -> dict[str, float]:
        """In what share of sets with these worst cases each tag is; tags of none are left out."""
        found = [self.tag_of_scores(one, are_equal=are_equal).letter for one in log10_lrs]
        return {tag.letter: share for tag in self.tags if (share := found.count(tag.letter) / len(found))}


@dataclass(frozen=True)
class Level:
    """One step of a verbal scale: the |log10 LR| from which it holds, and what such support is called."""

    from_log10_lr: float
    words: Name


@dataclass(frozen=True)
class VerbalScale:
    """Degrees of support, the same for either proposition; a level reaches up to the next bound.

    The first begins at 0. Raises InputError at no level, at bounds that are not finite or do not ascend
    from 0, and at a level without words.
    """

    name: Name
    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        if not self.levels:
            raise InputError("scale-too-short")
        if self.levels[0].from_log10_lr != 0.0:
            raise InputError("scale-not-from-zero")
        _refuse_disorder([(level.words, level.from_log10_lr) for level in self.levels])
        if not all(level.words.strip() for level in self.levels):
            raise InputError("scale-without-words")

    @property
    def is_own(self) -> bool:
        """Whether a project has it of its own, in place of the one that comes along."""
        usual = ENFSI_LIKE_SCALE  # its bounds may have been shown and typed again, in ten digits
        are_words = [self.name, *(one.words for one in self.levels)]
        if are_words != [usual.name, *(one.words for one in usual.levels)]:
            return True
        bounds = zip(self.levels, usual.levels, strict=True)
        return any(abs(one.from_log10_lr - its.from_log10_lr) > ON_A_BOUND for one, its in bounds)

    def level_of(self, log10_lr: float) -> Level:
        """The level of a base-10 LLR of either sign; within 1e-9 of a bound counts as on it."""
        size = abs(log10_lr) + ON_A_BOUND
        return [level for level in self.levels if size >= level.from_log10_lr][-1]

    def sentence(self, log10_lr: float) -> str:
        """What a base-10 LLR says, and for which of the two propositions; the first level favours neither."""
        level = self.level_of(log10_lr)
        words = quoted(visible(level.words)) if self.is_own else level.words
        if level is self.levels[0]:
            return say("verbal.neither", words=words)
        return say("verbal.same" if log10_lr > 0.0 else "verbal.different", words=words)


def tag_scale_of(rows: Sequence[Sequence[str]]) -> TagScale:
    """The scale of typed rows: letter, bound, words. Raises InputError where they make none."""
    return TagScale(tuple(Tag(letter, _bound(letter, bound), words) for letter, bound, words in rows))


def verbal_scale_of(name: str, rows: Sequence[Sequence[str]]) -> VerbalScale:
    """The verbal scale of typed rows: bound, words. Raises InputError where they make none."""
    return VerbalScale(name, tuple(Level(_bound(words, bound), words) for bound, words in rows))


def _bound(name: str, typed: str) -> float:
    bound = typed_number(typed.strip())
    if bound is None:
        raise InputError("scale-bound-not-finite", name=name, highest=HIGHEST_BOUND)
    return bound


def _refuse_disorder(bounds: Sequence[tuple[str, float]]) -> None:
    for name, bound in bounds:
        if not abs(bound) <= HIGHEST_BOUND:
            raise InputError("scale-bound-not-finite", name=name, highest=HIGHEST_BOUND)
    for (_, lower), (name, upper) in pairwise(bounds):
        if not lower < upper:
            raise InputError(
                "scale-not-ascending", name=name, bound=written(upper, "g"), before=written(lower, "g")
            )


_PAPER_BOUNDS = {"0": 0.0, "A": 0.0, "B": 1.0, "C": 2.0, "D": 4.0, "E": 5.0, "F": 6.0}
PAPER_SCALE = TagScale(
    tuple(Tag(letter, bound, in_english(f"tag.{letter}")) for letter, bound in _PAPER_BOUNDS.items())
)
"""Table 1 of the ZEBRA paper."""

_ENFSI_LIKE_BOUNDS = (
    ("none", 0.0),
    ("weak", math.log10(2.0)),
    ("moderate", 1.0),
    ("moderately-strong", 2.0),
    ("strong", 3.0),
    ("very-strong", 4.0),
    ("extremely-strong", 6.0),
)
ENFSI_LIKE_SCALE = VerbalScale(
    in_english("verbal.enfsi-like"),
    tuple(Level(bound, in_english(f"verbal.{name}")) for name, bound in _ENFSI_LIKE_BOUNDS),
)
"""Bounds and words in the manner of the ENFSI guideline of 2015; laboratories differ."""
