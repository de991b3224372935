"""`zebra report` and `zebra verify`: a report without a window, and whether one holds."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import InputError, OutputError
from core.texts import say

if TYPE_CHECKING:
    from core.progress import Progress
    from core.project import Project
    from core.report.verify import Checked, Verification

Watch = Callable[[str], AbstractContextManager["Progress"]]
"""Shows a task with this name while it runs."""

NOT_VERIFIED = 2


def make_report(source: Path, out: Path, *, date: dt.date | None, overwrite: bool, watch: Watch) -> None:
    """Write the report of a project or of a folder of files: a PDF, or the whole set into a folder."""
    from core.report.export import report_set, save_report

    with watch(say("cli.assessing", file=source.name)) as progress:
        project = _arrived(source, progress)
    with watch(say("cli.reporting", file=out.name)) as progress:
        if out.suffix.lower() == ".pdf":
            save_report(project, out, overwrite=overwrite, date=date, on_progress=progress)
            written = [out]
        else:
            written = report_set(project, out, overwrite=overwrite, date=date, on_progress=progress)
    for path in written:
        click.echo(path)


def verify_report(report: Path, folders: Sequence[Path], *, as_json: bool, watch: Watch) -> int:
    """Print what came of every check; returns 0 only if everything is verified."""
    from core.report.verify import verify

    with watch(say("cli.verifying", file=report.name)) as progress:
        found = verify(report, folders, progress)
    if as_json:
        click.echo(json.dumps(found.as_json(), allow_nan=False, ensure_ascii=False, indent=1))
    else:
        _print(found)
    return 0 if found.is_verified else NOT_VERIFIED


def _arrived(source: Path, progress: Progress) -> Project:
    """What a folder or a file comes to, as if dropped on the window; nothing is left open or out unsaid."""
    from core.arrival import arrive
    from core.project import Project

    if not source.exists():
        raise InputError("missing", file=source.name, folder=str(source.absolute().parent))
    arrival = arrive([source], on_progress=progress)
    for problem in arrival.plan.problems:
        click.echo(f"zebra: {problem.error}", err=True)
    for question in arrival.plan.questions:
        click.echo(f"zebra: {say('cli.left-open', question=str(question))}", err=True)
    if arrival.failures:
        raise arrival.failures[0]
    if not arrival.entries:
        raise OutputError("nothing-to-report")
    project = Project(title=source.name)
    for entry in arrival.entries:
        project = project.with_items(entry)
    return project


def _print(found: Verification) -> None:
    """First what is not verified, one a line; then the outcome."""
    from core.report.verify import Status

    for one in found.checked:
        if one.status is not Status.VERIFIED:
            click.echo(_line(one))
    click.echo(found.summary)


def _line(one: Checked) -> str:
    facts = {"status": str(one.status), "about": one.about, "what": one.what}
    if not one.found:
        return say("verify.line", **facts)
    return say("verify.line-values", **facts, recorded=one.recorded, found=one.found)
