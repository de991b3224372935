"""Options that several commands have, each in the same words."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field, fields
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

import click

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.writing import make_folder, temporary_folder
from zebra_core.wording.texts import say, visible

if TYPE_CHECKING:
    from zebra_core.report.results_tex import TexTables
    from zebra_core.uncertainty.bootstrap import BootstrapSettings

F = TypeVar("F", bound=Callable[..., object])


class Option(Protocol):
    """What puts an option before a command."""

    def __call__(self, command: F, /) -> F: ...


def together(*options: Option) -> Option:
    """Several options as one, in this order."""

    def before(command: F, /) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return before


def gathered(keyword: str, make: Callable[..., object], *options: Option) -> Option:
    """Several options whose values a command is given as one: what `make` makes of them, by their names."""

    def before(command: F, /) -> F:
        @wraps(command)
        def run(**given: Any) -> object:
            own = {name: given.pop(name) for name in signature(make).parameters}
            return command(**{keyword: make(**own)}, **given)

        return cast("F", together(*options)(run))

    return before


def asked(option: str | Option, *names: str, **how: Any) -> Any:
    """A field of a class of settings, and the option that asks for it: as click takes it, or one of ours."""
    return field(metadata={"asked": (option, names, how)})


def options_of(keyword: str, settings: type) -> Option:
    """The options of the fields of a class, in their order; a command is given all of them as one value."""
    made: list[Option] = []
    for each in fields(settings):
        option, names, how = each.metadata["asked"]
        made.append(option if callable(option) else click.option(option, *names, each.name, **how))
    return gathered(keyword, settings, *made)


class _InputPath(click.Path):
    """A file to be read, or a folder: also `-`, standard input, and a pipe, as `<(…)` of a shell.

    These are kept in a file until the command ends, because files are read several times.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or that of the file that it is kept in."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is None or ctx.resilient_parsing or (value != "-" and not _is_pipe(path)):
            return path
        kept = Path(ctx.with_resource(temporary_folder())) / _called(value)
        with click.open_file(value, "rb") as given, kept.open("wb") as file:
            shutil.copyfileobj(given, file)
        return kept


def _is_pipe(path: Path) -> bool:
    try:
        return path.is_fifo()
    except (OSError, ValueError):  # a name that no file can have: told by whoever reads it
        return False


def _called(value: str) -> str:
    return "standard-input" if value == "-" else f"pipe-{Path(value).name}"


class _Written(click.Path):
    """What is written: the folder that it lies in is made, and goes again where nothing came into it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is not None and not ctx.resilient_parsing and not path.parent.exists():
            ctx.call_on_close(partial(_remove_empty, make_folder(path.parent)))
        return path


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


class _SpeakersType(_InputPath):
    """Who speaks: a file that says it, or the name of a rule."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The rule of this name, or the path."""
        rules = {rule.value: rule for rule in SpeakerRule}
        return rules.get(value) or super().convert(value, param, ctx)


PATH, INPUT, _WHO = _Written(path_type=Path), _InputPath(path_type=Path), _SpeakersType(path_type=Path)
PATH.name = INPUT.name = "path"  # in every language
PICTURE_KINDS = ("png", "pdf", "svg", "tex", "csv")

overwrite_option = click.option("--overwrite", is_flag=True, help=say("cli.overwrite"))
"""Of every command that writes."""

unpack_option = click.option("--unpack", is_flag=True, help=say("cli.unpack"))
"""Of every command that reads files of scores."""

same_people_option = click.option(
    "--same-people", "is_same_people", is_flag=True, help=say("cli.same-people")
)
"""Of every command that holds a project against an earlier one."""

since_options = together(
    click.option("--since", "since", type=PATH, metavar="OLD", help=say("cli.since")), same_people_option
)

read_option = click.option("--read", "readings", multiple=True, metavar="FILE=WAY", help=say("cli.read"))
"""Of every command that is told how to read which file."""

passphrase_option = click.option(
    "--passphrase-file", metavar="FILE", type=INPUT, help=say("cli.passphrase-file")
)
"""Of every command that takes a key."""


def json_option(words: str) -> Option:
    """`--json`, with the code of the text that says what it prints."""
    return click.option("--json", "as_json", is_flag=True, help=say(words))


def out_option(metavar: str, words: str) -> Option:
    """`-o` where it must be given: what it names, and the code of the text that says so."""
    return click.option("-o", "out", required=True, metavar=metavar, type=PATH, help=say(words))


def speakers_option(words: str, *names: str) -> Option:
    """Who speaks, by a file or a rule, with the code of the text that says in what."""
    names = names or ("--speakers", "--utt2spk", "speakers")
    return click.option(*names, metavar="FILE|RULE", type=_WHO, help=say(words))


def allow_option(decisions: Sequence[str]) -> Option:
    """`--allow` for these decisions of the user."""
    return click.option(
        "--allow",
        multiple=True,
        metavar="NAME",
        type=click.Choice(decisions),
        help=say("cli.allow", names=", ".join(decisions)),
    )


def pictures_option(words: str, *, first: Sequence[str] = ()) -> Option:
    """`-e`, once for each kind of picture; without it the first kinds are saved."""
    return click.option(
        "-e",
        "kinds",
        multiple=True,
        default=first,
        show_default=bool(first),
        type=click.Choice(PICTURE_KINDS),
        help=say(words),
    )


def _columns(text: str) -> tuple[str, ...]:
    """The codes of keys with commas between them; one that there is not is refused with all that there are.

    Codes, which were asked for formerly, are read, too; that they have another name is told.
    """
    from zebra_core.report.results_tex import CHOICES

    keys = tuple(filter(None, (key.strip() for key in text.split(","))))
    now = {code: key for key, code in CHOICES.items()}
    for key in keys:
        if key not in CHOICES and key not in now:
            raise click.BadParameter(say("cli.no-column", found=visible(key), known=", ".join(CHOICES)))
        if key not in CHOICES:
            click.echo(f"zebra: {say('requirement.former-name', found=key, now=now[key])}", err=True)
    return tuple(CHOICES.get(key, key) for key in keys)


def _tex_tables(columns: str, digits: int | None, is_long: bool) -> TexTables:
    from zebra_core.report.results_tex import TexTables

    return TexTables(_columns(columns), digits, is_long)


tex_options = gathered(
    "tex",
    _tex_tables,
    click.option("--columns", default="", metavar="CODE,CODE", help=say("cli.tex-columns")),
    click.option("--digits", type=click.IntRange(0, 15), help=say("cli.tex-digits")),
    click.option("--longtable", "is_long", is_flag=True, help=say("cli.tex-longtable")),
)
"""How results.tex is to be."""


class Draws(NamedTuple):
    """How often something is drawn again, None where nobody asked for it, and the seed."""

    replicates: int | None = None
    seed: int = 0

    @property
    def settings(self) -> BootstrapSettings | None:
        """What the bootstrap takes; None where nobody asked for it."""
        return self.or_usual if self.replicates else None

    @property
    def or_usual(self) -> BootstrapSettings:
        """The same, with the usual number of draws where nobody asked."""
        from zebra_core.uncertainty.bootstrap import BootstrapSettings

        return BootstrapSettings(self.replicates or BootstrapSettings.replicates, seed=self.seed)


def drawing_options(words: str, *, default: int | None = None, least: int = 1) -> Option:
    """`--bootstrap` and `--seed` as Draws, with the code of the text that says what is drawn again.

    Without a default nothing is drawn again unless the user asks for it.
    """
    replicates = click.option(
        "--bootstrap",
        "replicates",
        type=click.IntRange(min=least),
        default=default,
        show_default=default is not None,
        help=say(words),
    )
    seed = click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help=say("cli.seed")
    )

    return gathered("draws", Draws, replicates, seed)
