"""The command line: one program, `zebra`, with a window and without."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.commands import showing
from zebra_gui.commands.assess import assess
from zebra_gui.commands.calibration import calibration
from zebra_gui.commands.compare import compare
from zebra_gui.commands.count import count
from zebra_gui.commands.demo_recordings import demo_from_recordings
from zebra_gui.commands.desktop import desktop
from zebra_gui.commands.languages import list_languages
from zebra_gui.commands.listen import listen
from zebra_gui.commands.nameless import copy
from zebra_gui.commands.options import PATH, json_option, overwrite_option
from zebra_gui.commands.protect import protect
from zebra_gui.commands.reidentify import reidentify
from zebra_gui.commands.report import report, verify
from zebra_gui.commands.score import forget, score
from zebra_gui.commands.sign import certificate_for_trials, sign
from zebra_gui.commands.similarity import similarity
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar
from zebra_gui.commands.utility import utility
from zebra_gui.commands.validate import validate
from zebra_gui.jobs.leaving import leave
from zebra_gui.language.click_words import translate_click
from zebra_gui.language.speaking import speak

# Everything heavy (NumPy, Qt, matplotlib) is imported where it is used: `zebra --help` must not wait for it.


_OF_THE_GROUP = ("--help", "-h", "--version", "--language")


class FilesOrCommand(click.Group):
    """`zebra COMMAND …` runs a command; `zebra`, or `zebra FILE…`, opens the window."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `window` before arguments that name no command; a shell that completes names none yet."""
        if ctx.resilient_parsing and not args:
            return super().parse_args(ctx, args)
        if not args or not (args[0] in self.commands or args[0].partition("=")[0] in _OF_THE_GROUP):
            args = ["window", *args]
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Also what is done before a command, as printing the help, ends in a sentence."""
        return one_sentence(super().main)(*args, **kwargs)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[core.CompletionItem]:
        """Commands, and files to open: first, for bash forgets what came before them."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file"), *super().shell_complete(ctx, incomplete)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are defined."""
        return [name for name, command in self.commands.items() if not command.hidden]


@click.group(
    cls=FilesOrCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="",
    subcommand_metavar="[FILES… | COMMAND …]",
    help=say("cli.program"),
)
@click.option(
    "--language",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=lambda _ctx, _option, given: speak(given) if given else None,  # see program.py
    help=say("cli.language"),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _option, given: _show_version(ctx) if given else None,
    help=say("cli.version"),
)
def main() -> None:
    """Run the program."""


def _show_version(ctx: click.Context) -> None:
    from zebra_core.version import full_version  # asks git in a checkout: not before somebody wants to know

    click.echo(f"zebra {full_version()}")
    ctx.exit()


@main.command(hidden=True)
@click.argument("files", nargs=-1, type=PATH)
@one_sentence
def window(files: Sequence[Path]) -> None:
    """Open the window; for a listening test alone the window where it is taken."""
    if len(files) == 1 and files[0].suffix == ".zebra-listening":
        leave(showing.open_listening(files[0]))
    leave(showing.open_window(files))


@main.command(help=say("cli.demo"))
@click.option("--out", type=PATH, metavar="DIR", help=say("cli.demo-out"))
@click.option("--recordings", "from_recordings", is_flag=True, help=say("cli.demo-recordings"))
@overwrite_option
@one_sentence
def demo(out: Path | None, from_recordings: bool, overwrite: bool) -> None:
    """Open the demo project; without a screen, or with --out, write its report set."""
    if from_recordings:
        demo_from_recordings(out, overwrite=overwrite)
        return
    if out is None and showing.has_screen():
        leave(showing.open_window(demo=True))
    from zebra_core.project.certainty import with_certainty
    from zebra_core.project.demo import demo_project
    from zebra_core.project.gathering import gather
    from zebra_core.report.export import report_set, require_place
    from zebra_core.report.lines import zebra_lines
    from zebra_core.runtime.progress import part_of

    folder = out or Path("demo-report")
    require_place(folder, is_set=True, overwrite=overwrite)
    with progress_bar(say("cli.assessing-demo")) as progress:
        project, _ = with_certainty(
            demo_project(part_of(progress, 0.0, 0.1)), on_progress=part_of(progress, 0.1, 1.0)
        )
    written = report_set(gather(project), folder, overwrite=overwrite)
    for entry in project.entries:
        click.echo(zebra_lines(entry.full_name, entry.assessment) + "\n")
    click.echo(say("cli.report-set-written", folder=folder))
    for path in written:
        click.echo(f"  {path}")


@click.command("selftest", help=say("cli.selftest"))
@click.option("-o", "out", type=PATH, metavar="FILE", help=say("cli.selftest-out"))
@overwrite_option
@json_option("cli.json")
@one_sentence
def check_installation(out: Path | None, overwrite: bool, as_json: bool) -> None:
    """Make the known-answer tests."""
    from zebra_core.files.writing import write_file
    from zebra_core.installation.selftest import page, selftest

    with progress_bar(say("cli.checking")) as progress:
        outcome = selftest(progress)
    text = page(outcome)
    if as_json:
        echo_json(outcome.as_json())
    else:
        click.echo(text, nl=False)
    if out:
        write_file(out, text.encode(), overwrite=overwrite)
    sys.exit(0 if outcome.passed else INPUT_AT_FAULT)


translate_click()
for _command in (
    assess,
    calibration,
    similarity,
    check_installation,
    validate,
    compare,
    score,
    forget,
    protect,
    count,
    reidentify,
    utility,
    listen,
    report,
    copy,
    verify,
    sign,
    certificate_for_trials,
    desktop,
    list_languages,
):
    main.add_command(_command)
