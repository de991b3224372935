"""`--attacker`, `--recogniser` and `--back-end` of the commands: who attacks, where no folder says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from zebra_core.wording.texts import say
from zebra_gui import core_types as core

# As in cli.py: what is heavy is imported where it is used.

F = TypeVar("F", bound=Callable[..., object])


def attack_options(command: F) -> F:
    """The three options, as keywords `attacker`, `recogniser` and `back_end`."""
    for name in ("back-end", "recogniser", "attacker"):
        add = click.option(f"--{name}", default="", metavar="TEXT", help=say(f"cli.{name}"))
        command = add(command)
    return command


def attacked(project: core.Project, attacker: str, recogniser: str, back_end: str) -> core.Project:
    """The project with what was said, wherever nothing is stated. Raises InputError at what is too long."""
    from zebra_core.project.attack_words import AttackWords

    return AttackWords.typed(attacker, recogniser, back_end).said_in(project)
