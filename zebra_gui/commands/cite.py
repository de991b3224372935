"""`zebra cite`: how the program and its methods are cited."""

from __future__ import annotations

import click

from zebra_core.wording.texts import say
from zebra_gui.commands.terminal import one_sentence


@click.command(help=say("cli.cite"))
@one_sentence
def cite() -> None:
    """Print the program and the sources of its methods as BibTeX."""
    from zebra_core.report.citation import bibtex

    click.echo(bibtex(), nl=False)
