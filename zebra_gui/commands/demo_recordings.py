"""`zebra demo --recordings`: from thirty recordings to a report, or to the window."""

from __future__ import annotations

from pathlib import Path

import click

from zebra_core.wording.texts import say
from zebra_gui.commands import showing
from zebra_gui.commands.terminal import progress_bar
from zebra_gui.jobs.leaving import leave

# As in cli.py: what is heavy is imported where it is used.

_SCORED, _CERTAIN, _GATHERED = 0.25, 0.65, 0.75  # the shares of the time after which each is done, measured


def demo_from_recordings(out: Path | None, *, overwrite: bool) -> None:
    """Open what was made of the recordings; without a screen, or with `out`, write scores and reports."""
    from zebra_core.files.writing import make_folder, temporary_folder
    from zebra_core.project.certainty import with_certainty
    from zebra_core.project.gathering import gather
    from zebra_core.recordings.demo import demo_from_recordings as make_demo
    from zebra_core.report.export import report_set, require_place
    from zebra_core.report.lines import zebra_lines
    from zebra_core.runtime.progress import part_of

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
