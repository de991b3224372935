"""`zebra review`: comments on the report of a project, and answers to them."""

from __future__ import annotations

import datetime as dt
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import refuse_missing
from zebra_core.project.review import Review
from zebra_core.wording.texts import say
from zebra_gui.commands.options import INPUT, json_option, opened
from zebra_gui.commands.terminal import echo_json, one_sentence

if TYPE_CHECKING:
    from zebra_core.report.content import ReportContent

_WAIT = 10_000  # milliseconds, while other commands add to the same project


@click.command(help=say("cli.review"))
@click.argument("file", metavar="PROJECT", type=INPUT)
@click.option("--comment", metavar="TEXT", help=say("cli.review-comment"))
@click.option("--on", "on", default="report", metavar="PLACE", show_default=True, help=say("cli.review-on"))
@click.option("--answer", type=(int, str), metavar="N TEXT", help=say("cli.review-answer"))
@click.option("--close", "closed", type=int, metavar="N", help=say("cli.review-close"))
@click.option("--by", "by", metavar="NAME", default="", help=say("cli.review-by"))
@click.option("--places", "lists_places", is_flag=True, help=say("cli.review-places"))
@json_option("cli.review-json")
@one_sentence
def review(
    file: Path,
    comment: str | None,
    on: str,
    answer: tuple[int, str] | None,
    closed: int | None,
    by: str,
    lists_places: bool,
    as_json: bool,
) -> None:
    """List what reviewers said of the report of a project, after adding to it what is asked for."""
    from zebra_core.document.project_file import open_project, save_review

    refuse_missing(file)
    if lists_places:
        _print_places(_content(file), as_json=as_json)
        return
    if comment is not None and on not in _content(file).places:
        raise InputError("review-no-place", found=on)
    adds = comment is not None or answer is not None or closed is not None
    with _alone(file) if adds else nullcontext():
        kept = open_project(file)
        found, by, now = kept.project.review, by or kept.project.report.author, dt.datetime.now(dt.UTC)
        if comment is not None:
            found = found.commenting(comment, on, by, now)
        if answer is not None:
            found = found.answering(*answer, by, now)
        if closed is not None:
            found = found.closing(closed, by, now)
        if adds:
            save_review(file, found)
    for sentence in kept.remarks:
        click.echo(f"zebra: {sentence}", err=True)
    _print(found, as_json=as_json)


def _content(file: Path) -> ReportContent:
    """What `zebra report` says of the project."""
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.report.export import make_report

    with opened(file) as (project, _faults):
        return make_report(gather(project)).content


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """The project is locked from reading to writing, so that commands at the same time come one by one.

    Raises OutputError where a window has it open: it would save over what is written here.
    """
    if find_spec("PySide6") is None:
        with _folder_locked(file.absolute().parent):
            yield
        return
    from zebra_gui.document.autosave import holder, lock_of

    lock = lock_of(file)
    if not lock.tryLock(_WAIT) and holder(lock):
        raise OutputError("in-use", file=file.name, folder=str(file.absolute().parent))
    try:
        yield
    finally:
        lock.unlock()


@contextmanager
def _folder_locked(folder: Path) -> Iterator[None]:
    """Until it is left or the program ends; nothing on Windows, where folders cannot be locked."""
    with ExitStack() as stack:
        if sys.platform != "win32":
            import fcntl

            opened_folder = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, opened_folder)
            fcntl.flock(opened_folder, fcntl.LOCK_EX)
        yield


def _print_places(content: ReportContent, *, as_json: bool) -> None:
    if as_json:
        echo_json({"places": dict(content.places)})
        return
    for name, words in content.places.items():
        click.echo(f"{name}\t{words}")


def _print(found: Review, *, as_json: bool) -> None:
    from zebra_core.evidence.value_types import as_json as plain

    if as_json:
        values: dict[str, Any] = plain(found)
        echo_json(values)
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Review) -> Iterator[str]:
    """Each comment in a line, with a line below for each answer."""
    from zebra_core.report.content.review import in_one_line, said_by
    from zebra_core.report.content.values import shown

    if not found:
        yield say("review.nothing")
    for number, one in enumerate(found.comments, start=1):
        by, when = said_by(one)
        facts = {"state": say(f"review.{one.state}"), "on": shown(one.on), "by": by, "when": when}
        yield say("review.line", number=number, text=in_one_line(one.text), **facts)
        for answer in one.answers:
            by, when = said_by(answer)
            yield "  " + say("review.line-answer", by=by, when=when, text=in_one_line(answer.text))
