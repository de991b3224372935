"""Comments on a report: what reviewers say of one of its places, answers to that, and whether it is closed.

Nothing here looks at a clock: whoever comments says when.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from zebra_core.errors import InputError

MOST_COMMENTS, MOST_ANSWERS = 500, 20
LONGEST_COMMENT, LONGEST_PERSON, LONGEST_PLACE = 4000, 200, 1000  # characters

Person = Annotated[str, Meta(min_length=1, max_length=LONGEST_PERSON)]
When = Annotated[dt.datetime, Meta(tz=True)]
_Words = Annotated[str, Meta(min_length=1, max_length=LONGEST_COMMENT)]
_PlaceName = Annotated[str, Meta(min_length=1, max_length=LONGEST_PLACE)]


@dataclass(frozen=True)
class Act:
    """Who did something, and when by their clock."""

    by: Person
    at: When


@dataclass(frozen=True)
class Reply:
    """What somebody answers to a comment."""

    by: Person
    at: When
    text: _Words


@dataclass(frozen=True)
class Comment:
    """What a reviewer says about one place of the report, by the name of the place."""

    on: _PlaceName
    by: Person
    at: When
    text: _Words
    answers: Annotated[tuple[Reply, ...], Meta(max_length=MOST_ANSWERS)] = ()
    closed: Act | None = None

    @property
    def state(self) -> str:
        """`open`, `answered` or `closed`."""
        return "closed" if self.closed else "answered" if self.answers else "open"


@dataclass(frozen=True)
class Review:
    """All comments, in the order in which they were made. Never changed: a change makes a new one.

    Whatever adds to it raises InputError for a text that is empty or too long, and where it is full.
    """

    comments: Annotated[tuple[Comment, ...], Meta(max_length=MOST_COMMENTS)] = ()

    def __bool__(self) -> bool:
        return bool(self.comments)

    def commenting(self, text: str, on: str, by: str, at: dt.datetime) -> Review:
        """With one comment more on the place of this name."""
        _refuse_full(self.comments, MOST_COMMENTS)
        on = _within(on, LONGEST_PLACE)
        made = Comment(on, _person(by), _second(at), _within(text, LONGEST_COMMENT))
        return Review((*self.comments, made))

    def answering(self, number: int, text: str, by: str, at: dt.datetime) -> Review:
        """With an answer to the comment of this number, from 1, which is open again if it was closed."""
        comment = self.comment(number)
        _refuse_full(comment.answers, MOST_ANSWERS)
        answer = Reply(_person(by), _second(at), _within(text, LONGEST_COMMENT))
        return self._with(number, replace(comment, answers=(*comment.answers, answer), closed=None))

    def closing(self, number: int, by: str, at: dt.datetime) -> Review:
        """With the comment of this number closed."""
        comment = self.comment(number)
        if comment.closed:
            raise InputError("review-closed", number=number)
        return self._with(number, replace(comment, closed=Act(_person(by), _second(at))))

    def comment(self, number: int) -> Comment:
        """The comment of this number, from 1. Raises InputError."""
        if not 1 <= number <= len(self.comments):
            raise InputError("review-no-comment", number=number, count=len(self.comments))
        return self.comments[number - 1]

    def _with(self, number: int, comment: Comment) -> Review:
        return Review((*self.comments[: number - 1], comment, *self.comments[number:]))


def _person(name: str) -> str:
    if not name.strip():
        raise InputError("review-nobody")
    return _within(name, LONGEST_PERSON)


def _within(text: str, most: int) -> str:
    text = text.strip()
    if not text:
        raise InputError("review-empty")
    if len(text) > most:
        raise InputError("review-too-long", most=most)
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError("review-not-text")
    return text


def _second(at: dt.datetime) -> dt.datetime:
    return at.astimezone(dt.UTC).replace(microsecond=0)


def _refuse_full(there: tuple[object, ...], most: int) -> None:
    if len(there) >= most:
        raise InputError("review-full", most=most)
