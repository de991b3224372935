"""A review round: comments, answers and statuses are kept as they were said, and what follows from them."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.samples import demo
from zebra_core.document.project import review_as_json, review_of
from zebra_core.document.reading import SavedValue
from zebra_core.errors import InputError
from zebra_core.project.review import (
    LONGEST_COMMENT,
    MOST_ANSWERS,
    MOST_COMMENTS,
    Review,
    ReviewStatus,
    SignedVersion,
    said_sha256,
)
from zebra_core.saved.project_file import open_project, save_project, save_review

AT = dt.datetime(2026, 11, 27, 10, 0, 5, 700, tzinfo=dt.UTC)
LATER = AT + dt.timedelta(hours=1)
SAID, OTHER = "a" * 64, "b" * 64
COMMENTED = Review().commenting("Which attacker?", "findings", "Ada", AT)


def signed_as(review: Review, said: str = SAID, version: int = 1) -> SignedVersion:
    return SignedVersion(version, f"{version:064x}", review.sha256_with(said), ("Bo",), len(review.comments))


def test_a_comment_is_open_then_answered_then_closed_and_an_answer_opens_it_again() -> None:
    answered = COMMENTED.answering(1, "The informed one.", "Bo", LATER)
    closed = answered.closing(1, "Ada", LATER)
    again = closed.answering(1, "Not quite.", "Ada", LATER)
    states = [one.comments[0].state for one in (COMMENTED, answered, closed, again)]
    assert states == ["open", "answered", "closed", "answered"]
    assert [one.text for one in again.comments[0].answers] == ["The informed one.", "Not quite."]


def test_the_time_is_kept_in_utc_to_the_second() -> None:
    west = dt.timezone(dt.timedelta(hours=-5))
    said = Review().commenting("x", "report", "Ada", AT.astimezone(west)).comments[0]
    assert said.at.isoformat() == "2026-11-27T10:00:05+00:00"


@pytest.mark.parametrize(
    ("say_it", "code"),
    [
        (lambda one: one.commenting(" \n", "report", "Ada", AT), "review-empty"),
        (lambda one: one.commenting("x" * (LONGEST_COMMENT + 1), "report", "Ada", AT), "review-too-long"),
        (lambda one: one.commenting("x", "report", "  ", AT), "review-nobody"),
        (lambda one: one.commenting("\udc80", "report", "Ada", AT), "review-not-text"),
        (lambda one: one.answering(2, "x", "Ada", AT), "review-no-comment"),
        (lambda one: one.answering(0, "x", "Ada", AT), "review-no-comment"),
        (lambda one: one.closing(1, "Ada", AT).closing(1, "Ada", AT), "review-closed"),
    ],
)
def test_what_cannot_be_said_is_refused(say_it, code: str) -> None:
    with pytest.raises(InputError) as refused:
        say_it(COMMENTED)
    assert refused.value.code == code


def test_comments_and_answers_are_bounded() -> None:
    full = replace(COMMENTED, comments=COMMENTED.comments * MOST_COMMENTS)
    with pytest.raises(InputError, match="500"):
        full.commenting("one more", "report", "Ada", AT)
    for _ in range(MOST_ANSWERS):
        full = full.answering(1, "x", "Bo", AT)
    with pytest.raises(InputError, match="20"):
        full.answering(1, "x", "Bo", AT)


def test_an_approval_holds_for_what_was_approved_and_for_nothing_else() -> None:
    approved = COMMENTED.at_status(ReviewStatus.APPROVED, SAID, "Bo", AT)
    assert approved.standing(SAID).holds
    assert not approved.standing(OTHER).holds
    assert approved.commenting("Typo.", "report", "Ada", LATER).standing(SAID).holds
    drafted = approved.at_status(ReviewStatus.DRAFTED, SAID, "Bo", LATER)
    assert drafted.standing(OTHER).holds


def test_a_comment_after_the_signature_makes_the_next_version() -> None:
    signed = COMMENTED.signing(signed_as(COMMENTED))
    assert signed.standing(SAID).version == 1
    more = signed.commenting("A typo.", "results", "Ada", LATER).commenting("B", "data", "Ada", LATER)
    found = more.standing(SAID)
    assert (found.version, found.since) == (2, (2, 3))
    assert found.replaces is not None
    assert found.replaces.evidence_sha256 == f"{1:064x}"
    second = more.signing(signed_as(more, version=2))
    assert second.standing(SAID) == replace(found)
    assert second.commenting("C", "data", "Ada", LATER).standing(SAID).since == (4,)


def test_a_report_that_says_something_else_than_the_signed_one_is_the_next_version_without_a_comment() -> (
    None
):
    signed = COMMENTED.signing(signed_as(COMMENTED))
    found = signed.standing(OTHER)
    assert (found.version, found.since) == (2, ())


def test_signed_versions_are_recorded_once_and_in_their_order() -> None:
    signed = COMMENTED.signing(signed_as(COMMENTED))
    for wrong, code in [
        (signed_as(COMMENTED), "review-signed-known"),
        (signed_as(COMMENTED, version=3), "review-signed-order"),
    ]:
        with pytest.raises(InputError) as refused:
            signed.signing(wrong)
        assert refused.value.code == code


def test_what_a_report_says_is_all_of_its_evidence_but_review_day_and_summary() -> None:
    evidence = {"title": "T", "date": "2026-11-27", "pages": {"author": "", "is_summary": False}}
    said = said_sha256(evidence)
    assert said == said_sha256(evidence | {"date": "2026-11-28", "review": {"version": 2}})
    assert said == said_sha256(evidence | {"pages": {"author": "", "is_summary": True}})
    assert said != said_sha256(evidence | {"title": "U"})
    assert said != said_sha256(evidence | {"pages": {"author": "Ada", "is_summary": False}})


def test_a_project_keeps_its_review(tmp_path: Path) -> None:
    review = COMMENTED.answering(1, "Yes.\nNo.", "Bo", AT).closing(1, "Ada", LATER)
    review = review.at_status(ReviewStatus.REVIEWED, SAID, "Bo", AT)
    review = review.at_status(ReviewStatus.DRAFTED, SAID, "Bo", AT).signing(signed_as(review))
    save_project(replace(demo(), review=review), tmp_path / "a.zebra")
    assert open_project(tmp_path / "a.zebra").project.review == review


def test_putting_a_review_into_a_file_is_as_saving_the_project_with_it(tmp_path: Path) -> None:
    save_project(demo(), tmp_path / "a.zebra", {"pane": "x"})
    save_review(tmp_path / "a.zebra", COMMENTED)
    save_project(replace(demo(), review=COMMENTED), tmp_path / "b.zebra", {"pane": "x"})
    assert (tmp_path / "a.zebra").read_bytes() == (tmp_path / "b.zebra").read_bytes()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("comments", 0, "text"), "x" * (LONGEST_COMMENT + 1)),
        (("comments", 0, "at"), "2026-11-27T10:00:05"),
        (("comments", 0, "by"), ""),
        (("comments", 0, "answers"), [{"by": "a", "at": "2026-11-27T10:00:05Z", "text": "x"}] * 21),
        (
            ("statuses",),
            [{"status": "certified", "by": "a", "at": "2026-11-27T10:00:05Z", "said_sha256": None}],
        ),
        (("signed",), [{"version": 0}]),
    ],
)
def test_a_review_that_nobody_wrote_so_is_refused(path: tuple[str | int, ...], value: object) -> None:
    written = json.loads(json.dumps(review_as_json(COMMENTED)))
    *way, last = path
    at = written["review"]
    for step in way:
        at = at[step]
    at[last] = value
    with pytest.raises(InputError):
        review_of(SavedValue(written, "project.json", "a.zebra"))
