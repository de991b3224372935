"""Comments and answers are kept as they were said; approvals of earlier versions are left out."""

import datetime as dt
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.samples import demo
from zebra_core.document.parts import SavedValue
from zebra_core.document.project import review_as_json, review_of
from zebra_core.document.project_file import open_project, save_project, save_review
from zebra_core.errors import InputError
from zebra_core.project.review import (
    LONGEST_COMMENT,
    MOST_ANSWERS,
    MOST_COMMENTS,
    Review,
)

AT = dt.datetime(2026, 11, 27, 10, 0, 5, 700, tzinfo=dt.UTC)
LATER = AT + dt.timedelta(hours=1)
COMMENTED = Review().commenting("Which attacker?", "findings", "Ada", AT)


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


def test_a_project_keeps_its_review(tmp_path: Path) -> None:
    review = COMMENTED.answering(1, "Yes.\nNo.", "Bo", AT).closing(1, "Ada", LATER)
    save_project(replace(demo(), review=review), tmp_path / "a.zebra")
    opened = open_project(tmp_path / "a.zebra")
    assert opened.project.review == review
    assert opened.remarks == ()


def test_approvals_that_an_earlier_version_wrote_are_left_out_and_that_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "a.zebra"
    save_project(replace(demo(), review=COMMENTED), path)
    with zipfile.ZipFile(path) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    document = json.loads(members["project.json"])
    approved = {
        "status": "approved",
        "by": "The Court",
        "at": "2026-11-27T10:00:05Z",
        "said_sha256": "a" * 64,
    }
    document["review"] |= {"statuses": [approved, "nonsense"], "signed": []}
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, json.dumps(document) if name == "project.json" else content)
    opened = open_project(path)
    assert opened.project.review == COMMENTED
    (said,) = opened.remarks
    assert "statuses such as “approved”" in said
    assert "The comments were kept." in said
    save_project(opened.project, path, overwrite=True)
    assert open_project(path).remarks == ()


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
