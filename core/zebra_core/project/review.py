"""A review round: comments pinned to places of the report, answers to them, and who reviewed and approved it.

Nothing here looks at a clock: whoever comments says when.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from typing import Annotated, Any

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import Count, Positive, Sha256, as_json

MOST_COMMENTS, MOST_ANSWERS, MOST_STATUSES, MOST_SIGNED = 500, 20, 200, 100
LONGEST_COMMENT, LONGEST_PERSON, LONGEST_PLACE = 4000, 200, 1000  # characters

Person = Annotated[str, Meta(min_length=1, max_length=LONGEST_PERSON)]
When = Annotated[dt.datetime, Meta(tz=True)]
_Words = Annotated[str, Meta(min_length=1, max_length=LONGEST_COMMENT)]
_PlaceName = Annotated[str, Meta(min_length=1, max_length=LONGEST_PLACE)]
_UNSAID = ("review", "date")


class ReviewStatus(Enum):
    """How far the whole report is; the values are stored."""

    DRAFTED = "drafted"
    REVIEWED = "reviewed"
    APPROVED = "approved"


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
class StatusChange:
    """Who said how far the report is, and the `said_sha256` of what it said then; a draft has none."""

    status: ReviewStatus
    by: Person
    at: When
    said_sha256: Sha256 | None

    def is_of(self, said: str) -> bool:
        """Whether it was said of what has this hash; a draft is one whatever it says."""
        return self.status is ReviewStatus.DRAFTED or self.said_sha256 == said


@dataclass(frozen=True)
class SignedVersion:
    """A version that was signed, by the hash of its evidence, and how many comments there were.

    `as_it_was` is the hash of what it said and of its review, see `Review.sha256_with`.
    """

    version: Positive
    evidence_sha256: Sha256
    as_it_was: Sha256
    signers: Annotated[tuple[Person, ...], Meta(max_length=MOST_SIGNED)]
    comments: Count


@dataclass(frozen=True)
class ReportVersion:
    """What follows for the report at hand: its version, which one it replaces and why, and its status.

    `said` is the hash of what it says, `since` the numbers of the comments that were made after the version
    that it replaces was signed. A preview may lack intervals that the report will have.
    """

    said: str
    status: StatusChange | None = None
    version: int = 1
    replaces: SignedVersion | None = None
    since: tuple[int, ...] = ()
    is_preview: bool = False

    @property
    def holds(self) -> bool:
        """Whether the status was given to what the report says now."""
        return self.status is None or self.status.is_of(self.said)

    def as_json(self) -> dict[str, Any]:
        """As the evidence has it."""
        replaced = self.replaces
        return {
            "version": self.version,
            "replaces": {
                "version": replaced.version,
                "evidence_sha256": replaced.evidence_sha256,
                "comments_since": list(self.since),
            }
            if replaced
            else None,
            "status": self.status.status.value if self.status else None,
            "status_holds": self.holds,
        }


@dataclass(frozen=True)
class Review:
    """All of a review round, in the order in which it was said. Never changed: a change makes a new one.

    Whatever adds to it raises InputError for a text that is empty or too long, and where it is full.
    """

    comments: Annotated[tuple[Comment, ...], Meta(max_length=MOST_COMMENTS)] = ()
    statuses: Annotated[tuple[StatusChange, ...], Meta(max_length=MOST_STATUSES)] = ()
    signed: Annotated[tuple[SignedVersion, ...], Meta(max_length=MOST_SIGNED)] = ()

    def __bool__(self) -> bool:
        return bool(self.comments or self.statuses or self.signed)

    def commenting(self, text: str, on: str, by: str, at: dt.datetime) -> Review:
        """With one comment more on the place of this name."""
        _refuse_full(self.comments, MOST_COMMENTS)
        on = _within(on, LONGEST_PLACE)
        made = Comment(on, _person(by), _second(at), _within(text, LONGEST_COMMENT))
        return replace(self, comments=(*self.comments, made))

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

    def at_status(self, status: ReviewStatus, said: str, by: str, at: dt.datetime) -> Review:
        """With this status of the whole report; `said` is the hash of what it says, see `said_sha256`."""
        _refuse_full(self.statuses, MOST_STATUSES)
        is_draft = status is ReviewStatus.DRAFTED
        made = StatusChange(status, _person(by), _second(at), None if is_draft else said)
        return replace(self, statuses=(*self.statuses, made))

    def signing(self, signed: SignedVersion) -> Review:
        """With a version that was signed, which must be the next."""
        _refuse_full(self.signed, MOST_SIGNED)
        if signed.evidence_sha256 in (one.evidence_sha256 for one in self.signed):
            raise InputError("review-signed-known")
        if signed.version != (expected := len(self.signed) + 1):
            raise InputError("review-signed-order", found=signed.version, expected=expected)
        return replace(self, signed=(*self.signed, signed))

    def comment(self, number: int) -> Comment:
        """The comment of this number, from 1. Raises InputError."""
        if not 1 <= number <= len(self.comments):
            raise InputError("review-no-comment", number=number, count=len(self.comments))
        return self.comments[number - 1]

    def count(self, state: str) -> int:
        """How many comments are in this state."""
        return sum(comment.state == state for comment in self.comments)

    def sha256_with(self, said: str) -> str:
        """The hash of what a report says, with that of its review."""
        return sha256((said + _canonical(as_json(self))).encode()).hexdigest()

    def standing(self, said: str) -> ReportVersion:
        """What follows for a report that says what has this hash, see `said_sha256`."""
        status = self.statuses[-1] if self.statuses else None
        as_signed = replace(self, signed=self.signed[:-1])
        if self.signed and as_signed.sha256_with(said) == self.signed[-1].as_it_was:
            return as_signed.standing(said)  # nothing was said since: it is the version that was signed
        if not self.signed:
            return ReportVersion(said, status)
        last = self.signed[-1]
        since = tuple(range(last.comments + 1, len(self.comments) + 1))
        return ReportVersion(said, status, last.version + 1, last, since)

    def _with(self, number: int, comment: Comment) -> Review:
        changed = (*self.comments[: number - 1], comment, *self.comments[number:])
        return replace(self, comments=changed)


def said_sha256(evidence: Mapping[str, Any]) -> str:
    """The hash of what a report says beside its review: of its evidence as JSON with sorted keys.

    The review itself, the day on which the report was made, and whether it is the summary are left out; a
    date that the user has set stands in `pages`.
    """
    pages = {name: value for name, value in evidence["pages"].items() if name != "is_summary"}
    said = {name: value for name, value in evidence.items() if name not in _UNSAID}
    return sha256(_canonical({**said, "pages": pages}).encode()).hexdigest()


def _canonical(values: object) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


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
