"""One picture saved in every kind that is asked for; where is said on standard error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from zebra_core.wording.texts import say
from zebra_gui import core_types as core

# As in cli.py: what is heavy is imported where it is used.


def save_picture(
    make: Callable[[], core.Figure], label: str, kinds: Sequence[str], folder: Path, *, overwrite: bool
) -> None:
    """What is made only where a kind is asked for."""
    if not kinds:
        return
    from zebra_core.figures.export import save_figure, zebra_stem

    figure = make()
    for kind in dict.fromkeys(kinds):
        for path in save_figure(figure, zebra_stem(label), kind, folder, overwrite=overwrite):
            click.echo(say("cli.saved", file=path), err=True)
