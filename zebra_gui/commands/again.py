"""`zebra again`: what a project did, done to another delivery."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import is_folder, refuse_missing, require_free, temporary_folder
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say, visible
from zebra_gui.commands.options import (
    PATH,
    json_option,
    out_option,
    overwrite_option,
    same_people_option,
    unpack_option,
)
from zebra_gui.commands.requiring import end_by, verdict_lines
from zebra_gui.commands.terminal import echo_json, one_sentence, progress_bar

if TYPE_CHECKING:
    from zebra_core.intake.recordings_file import ScoringRecord
    from zebra_core.project.project import Project


@click.command(help=say("cli.again"))
@click.argument("case", metavar="PROJECT", type=PATH)
@click.option("--with", "delivery", required=True, metavar="FOLDER", type=PATH, help=say("cli.again-with"))
@out_option("FILE.zebra", "cli.again-out")
@click.option("--model", type=PATH, metavar="FILE", help=say("cli.again-model"))
@click.option("--training", type=PATH, metavar="DIR", help=say("cli.again-training"))
@same_people_option
@overwrite_option
@unpack_option
@json_option("cli.again-json")
@one_sentence
def again(  # noqa: PLR0913, PLR0917 - one for each option of the command
    case: Path,
    delivery: Path,
    out: Path,
    model: Path | None,
    training: Path | None,
    is_same_people: bool,
    overwrite: bool,
    unpack: bool,
    as_json: bool,
) -> None:
    """Assess another delivery as a project was assessed, and save what comes of it as a new project."""
    from zebra_core.document.project_file import SUFFIX, open_project, save_project
    from zebra_core.project.comparison.difference_tests import with_certainty
    from zebra_core.project.since import changes
    from zebra_core.project.verdicts.deciding import verdicts
    from zebra_core.project.verdicts.measuring import with_bounds
    from zebra_core.recordings.section import record_of_project
    from zebra_core.report.baselines import held_against
    from zebra_core.report.content.comparing import lines

    if out.suffix.lower() != SUFFIX:
        raise OutputError("copy-format", file=out.name)
    require_free(out, overwrite=overwrite)
    refuse_missing(delivery)
    if not is_folder(delivery):
        raise InputError("again-no-folder", file=delivery.name)
    before = open_project(case).project
    with temporary_folder() as kept:
        record = record_of_project(case, before, Path(kept))
        if record is None:
            project = _of_scores(before, delivery, unpack=unpack)
        else:
            project = _of_recordings(record, before, delivery, Path(kept), model, training)
        with progress_bar(say("cli.deciding")) as progress:
            project, faults = with_certainty(project, None, part_of(progress, 0.0, 0.5))
            project, more = with_bounds(project, project.requirements, None, part_of(progress, 0.5, 0.8))
            project = held_against(project, case, part_of(progress, 0.8, 1.0), is_same_people=is_same_people)
        for sentence in (*faults, *more):
            _tell(sentence)
        saved = save_project(
            project, out, {"prior": _prior(project)}, with_inputs=record is not None, overwrite=overwrite
        )
    found = verdicts(project)
    changed = changes(project, found)
    assert changed is not None  # noqa: S101 - it was held against the old project
    if as_json:
        judged = [each.as_json() for each in found]
        echo_json({"written": str(saved.path), "verdicts": judged, "since": changed.as_json()})
    else:
        click.echo(saved.path)
        click.echo(lines(changed))
        if found:
            click.echo(verdict_lines(found))
    end_by(found)


def _tell(sentence: str) -> None:
    click.echo(f"zebra: {visible(sentence, 2000)}", err=True)


def _prior(project: Project) -> int:
    return project.entries[0].assessment.settings.prior_one_in


def _of_scores(before: Project, delivery: Path, *, unpack: bool) -> Project:
    from zebra_core.project.again import answers_for, as_before
    from zebra_core.project.reading.folder import project_of_folder

    with progress_bar(say("cli.assessing", file=delivery.name)) as progress:
        made = project_of_folder(delivery, progress, any_ratio=unpack, answers=answers_for(before, delivery))
    for sentence in (*made.faults, *map(str, made.remarks)):
        _tell(sentence)
    return as_before(made.project, before)


def _of_recordings(
    record: ScoringRecord,
    before: Project,
    delivery: Path,
    kept: Path,
    model: Path | None,
    training: Path | None,
) -> Project:
    """Hear the recordings of a delivery, and attack them as before. Raises InputError for another make."""
    from zebra_core.project.again import as_before
    from zebra_core.project.reading.folder import project_of_folder
    from zebra_core.recordings.again import same_again
    from zebra_core.recordings.folder_roles import find_lesson
    from zebra_core.recordings.scoring import score as make_scores

    with progress_bar(say("cli.hearing", folder=delivery.name)) as progress:
        found = same_again(record, delivery, part_of(progress, 0.0, 0.1))
        lesson = find_lesson(training) if training else None
        found = replace(found, choices=replace(found.choices, model=model, training=lesson))
        request = found.request()
        scored = make_scores(request, kept / "recordings", on_progress=part_of(progress, 0.1, 0.9))
        made = project_of_folder(kept / "recordings", part_of(progress, 0.9, 1.0))
    for sentence in dict.fromkeys((*found.differences, *scored.sentences, *made.faults)):
        _tell(sentence)
    return as_before(replace(made.project, title=delivery.absolute().name), before)
