"""`--require` and `--junit` of the commands: what must be shown, and with which status it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.commands.options import INPUT, PATH, Draws, gathered
from zebra_gui.commands.terminal import progress_bar

if TYPE_CHECKING:
    from zebra_core.project.project import Project
    from zebra_core.project.verdicts.verdict import Verdict


NOT_MET, NOT_DECIDED = 5, 6
_USUAL = Draws()


class RequirementFiles(NamedTuple):
    """The file that says what is required, and the one that takes the verdicts."""

    require: Path | None = None
    junit: Path | None = None


require_options = gathered(
    "required",
    RequirementFiles,
    click.option("--require", "require", metavar="FILE.toml", type=INPUT, help=say("cli.require")),
    click.option("--junit", "junit", metavar="FILE.xml", type=PATH, help=say("cli.junit")),
)


def requiring(project: Project, files: RequirementFiles) -> Project:
    """The project with the requirements of the file. Raises InputError with file and line.

    One that the project has already keeps its record; of others none shows when they were set.
    """
    require = files.require
    if require is None:
        if files.junit is not None:
            raise click.UsageError(say("cli.junit-alone"))
        return project
    from zebra_core.paper import required_by
    from zebra_core.project.requirements.reach import reach_in_words
    from zebra_core.project.requirements.requirement import former_figures

    required = required_by(project, require)
    for found, now in former_figures(require).items():
        click.echo(f"zebra: {say('requirement.former-name', found=found, now=now)}", err=True)
    known = {each.name for each in project.requirements}
    for each in required.requirements:
        if each.name not in known and (takes := reach_in_words(each)):
            click.echo(f"zebra: {visible_sentence(say('reach.of', name=each.name, takes=takes))}", err=True)
    return required


def with_what_it_takes(project: Project, files: RequirementFiles, draws: Draws = _USUAL) -> Project:
    """The project with the intervals and differences that its verdicts need, where anything is required.

    What could not be had is told; the verdicts say that they are open for it.
    """
    if files.require is None:
        return project
    from zebra_core.project.verdicts.measuring import with_bounds

    with progress_bar(say("cli.deciding")) as progress:
        found, lacking = with_bounds(project, project.requirements, draws.or_usual, progress)
    for sentence in lacking:
        click.echo(f"zebra: {sentence}", err=True)
    return found


def judged(project: Project, files: RequirementFiles, *, overwrite: bool) -> tuple[Verdict, ...]:
    """The verdicts, which go into the file, too; none where nothing is required by a file."""
    if files.require is None:  # nor is there a file for JUnit then: `requiring` refuses that
        return ()
    from zebra_core.project.verdicts.deciding import verdicts
    from zebra_core.report.junit import save_junit

    found = verdicts(project)
    if files.junit is not None:
        save_junit(found, files.junit, overwrite=overwrite)
        click.echo(say("cli.saved", file=files.junit), err=True)
    return found


def verdict_lines(verdicts: Sequence[Verdict]) -> str:
    """Each in a line, below a head."""
    return "\n".join([say("verdict.head"), *(f"  {each.line}" for each in verdicts)])


def end_by(verdicts: Sequence[Verdict]) -> None:
    """End with the status of the verdicts, where not all are met."""
    if not verdicts:
        return
    from zebra_core.project.verdicts.verdict import VerdictOutcome, worst_of

    outcome = worst_of(verdicts)
    if outcome is not VerdictOutcome.MET:
        sys.exit(NOT_MET if outcome is VerdictOutcome.NOT_MET else NOT_DECIDED)
