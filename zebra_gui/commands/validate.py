"""`zebra selftest` and `zebra validate`: known-answer tests, and the dossier of this installation."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from zebra_core.files.access import write_file
from zebra_core.wording.texts import say
from zebra_gui.commands.options import PATH, json_option, out_option, overwrite_option
from zebra_gui.commands.terminal import INPUT_AT_FAULT, echo_json, one_sentence, progress_bar, stoppable


@click.command("selftest", help=say("cli.selftest"))
@click.option("-o", "out", type=PATH, metavar="FILE", help=say("cli.selftest-out"))
@overwrite_option
@json_option("cli.json")
@one_sentence
def check_installation(out: Path | None, overwrite: bool, as_json: bool) -> None:
    """Make the known-answer tests."""
    from zebra_core.installation import selftest

    with progress_bar(say("cli.checking")) as progress:
        outcome = selftest.selftest(progress)
    text = selftest.page(outcome)
    if as_json:
        echo_json(outcome.as_json())
    else:
        click.echo(text, nl=False)
    if out:
        write_file(out, text.encode(), overwrite=overwrite)
    sys.exit(0 if outcome.passed else INPUT_AT_FAULT)


@click.command(help=say("cli.validate"))
@out_option("DIR", "cli.validate-out")
@click.option("--full", "in_full", is_flag=True, help=say("cli.validate-full"))
@overwrite_option
@one_sentence
def validate(out: Path, in_full: bool, overwrite: bool) -> None:
    """Make the dossier, and say where it is; status 1 where a line of it failed."""
    from zebra_core.installation import dossier

    if in_full:
        click.echo(dossier.how_long(), err=True)
    with (
        dossier.room_in(out, overwrite=overwrite),
        progress_bar(say("cli.validating")) as progress,
        stoppable(progress) as watched,
    ):
        made = dossier.validate(watched, in_full=in_full)
        dossier.save(made, out, overwrite=overwrite)
    for line in made.lines:
        if line.passed is False:
            click.echo(f"{line.outcome}  {line.requirement} {line.result}")
    click.echo(say("cli.validate-written", verdict=made.verdict, folder=out))
    sys.exit(0 if made.passed else INPUT_AT_FAULT)
