"""`zebra completion`: what a shell reads to complete the commands and options of `zebra`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from zebra_core.errors import InputError
from zebra_core.wording.texts import say
from zebra_gui.commands.terminal import one_sentence

SHELLS = ("bash", "zsh", "fish")
_ASKS = "_ZEBRA_COMPLETE"  # the variable in which the shell asks, see Click's manual


@click.command(help=say("cli.completion"))
@click.argument("shell", required=False, type=click.Choice(SHELLS))
@click.pass_context
@one_sentence
def completion(ctx: click.Context, shell: str | None) -> None:
    """Print the script for a shell: by default that of the user."""
    from click.shell_completion import get_completion_class

    wanted = shell or Path(os.environ.get("SHELL", "")).stem
    found = get_completion_class(wanted) if wanted in SHELLS else None
    if found is None:
        raise InputError("unknown-shell", shells=", ".join(SHELLS))
    click.echo(found(ctx.find_root().command, {}, "zebra", _ASKS).source())
