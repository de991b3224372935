"""`zebra demo`: the demo project, or with `--recordings` from thirty recordings to a report or the window."""

from __future__ import annotations

from pathlib import Path

import click

from zebra_core.files.access import make_folder, temporary_folder
from zebra_core.runtime.progress import part_of
from zebra_core.wording.texts import say
from zebra_gui.commands import showing
from zebra_gui.commands.options import PATH, overwrite_option
from zebra_gui.commands.terminal import one_sentence, progress_bar
from zebra_gui.jobs.leaving import leave

_SCORED, _CERTAIN, _GATHERED = 0.25, 0.65, 0.75  # the shares of the time after which each is done, measured


@click.command(help=say("cli.demo"))
@click.option("--out", type=PATH, metavar="DIR", help=say("cli.demo-out"))
@click.option("--recordings", "from_recordings", is_flag=True, help=say("cli.demo-recordings"))
@overwrite_option
@one_sentence
def demo(out: Path | None, from_recordings: bool, overwrite: bool) -> None:
    """Open the demo project; without a screen, or with --out, write its report set."""
    from zebra_core.project.comparison.difference_tests import with_certainty
    from zebra_core.project.demo import demo_project
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.report.export import report_set, require_place
    from zebra_core.report.tables import zebra_lines

    if from_recordings:
        _from_recordings(out, overwrite=overwrite)
        return
    if out is None and showing.has_screen():
        leave(showing.open_window(demo=True))
    folder = out or Path("demo-report")
    require_place(folder, is_set=True, overwrite=overwrite)
    with progress_bar(say("cli.assessing-demo")) as progress:
        project, _ = with_certainty(
            demo_project(part_of(progress, 0.0, 0.1)), on_progress=part_of(progress, 0.1, 0.6)
        )
        material = gather(project, part_of(progress, 0.6, 0.7))
        rest = part_of(progress, 0.7, 1.0)
        written = report_set(material, folder, overwrite=overwrite, on_progress=rest)
    for entry in project.entries:
        click.echo(zebra_lines(entry.full_name, entry.assessment) + "\n")
    click.echo(say("cli.report-set-written", folder=folder))
    for path in written:
        click.echo(f"  {path}")


def _from_recordings(out: Path | None, *, overwrite: bool) -> None:
    """Open what was made of the recordings; without a screen, or with `out`, write scores and reports."""
    from zebra_core.project.comparison.difference_tests import with_certainty
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.recordings.demo import demo_from_recordings as make_demo
    from zebra_core.report.export import report_set, require_place
    from zebra_core.report.tables import zebra_lines

    if out is None and showing.has_screen():
        with temporary_folder() as folder:
            with progress_bar(say("cli.hearing-demo")) as progress:
                project = make_demo(Path(folder), on_progress=progress)
            status = showing.open_window(project=project)
        leave(status)
    top = out or Path("demo-recordings")
    make_folder(top)
    require_place(top / "report", is_set=True, overwrite=overwrite)
    with progress_bar(say("cli.hearing-demo")) as progress:
        project = make_demo(top / "scores", overwrite=overwrite, on_progress=part_of(progress, 0.0, _SCORED))
        project, _ = with_certainty(project, on_progress=part_of(progress, _SCORED, _CERTAIN))
        material = gather(project, part_of(progress, _CERTAIN, _GATHERED))
        written = part_of(progress, _GATHERED, 1.0)
        report_set(material, top / "report", overwrite=overwrite, on_progress=written)
    for entry in project.entries:
        click.echo(zebra_lines(entry.full_name, entry.assessment) + "\n")
    click.echo(say("cli.report-set-written", folder=top / "report"))
