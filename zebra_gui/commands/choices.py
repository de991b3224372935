"""What is said about files on the command line, as the intake takes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from zebra_core.wording.texts import say


def choices_of(
    readings: Sequence[str] = (), *, stream: bool | None = None, unpack: bool = False
) -> dict[str, str]:
    """How to read which file, by its name, and what holds for all files.

    The first `=` after which a way can stand is the one meant.
    """
    choices = {"unpacking": "yes"} if unpack else {}
    if stream is not None:
        choices["streaming"] = "yes" if stream else "no"
    for reading in readings:
        found = re.fullmatch(r"(?P<file>.+?)=(?P<way>[a-z0-9-]+(?::.*)?)", reading, re.DOTALL)
        if found is None:
            raise click.BadParameter(say("cli.read-wrong", found=reading), param_hint="'--read'")
        choices[found["file"]] = found["way"]
    return choices
