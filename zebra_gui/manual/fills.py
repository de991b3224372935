"""What the program fills into pages of the manual: its options, formats, figures, sentences and words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from zebra_core.report.formulas import FORMULAS
from zebra_core.wording.names import alphabetical
from zebra_core.wording.texts import say, texts_of
from zebra_gui.manual.book import Fill
from zebra_gui.manual.method_tables import method_table, simulation_table

if TYPE_CHECKING:
    import click

_TEMPLATES = ("with-word", "with-column")  # no formats, but what is added to the name of one
_PLACEHOLDER = re.compile(r"\{(?P<name>[a-z_0-9]+)(?::[^}]*)?\}")


def fills() -> Mapping[str, Fill]:
    """All fills by their names."""
    return MappingProxyType(
        {
            "command": _command,
            "formula": _formula,
            "every-command": lambda _what: "\n\n".join(
                f"## zebra {name}\n\n{_command(name)}" for name in commands()
            ),
            "commands": lambda _what: _commands(),
            "options": lambda _what: _options_of_all(),
            "formats": lambda _what: _formats(),
            "glossary": lambda _what: _glossary(),
            "references": lambda _what: _references(),
            "columns": lambda _what: _columns(),
            "sentences": _sentences,
            "remarks": _remarks,
            "simulation": simulation_table,
            "method": method_table,
        }
    )


def commands() -> Mapping[str, click.Command]:
    """Every command that a user is told of, by its name: those of the command line that runs this program.

    None where the program was not started by a command line.
    """
    group = _program()
    every = group.commands.items() if group else ()
    return {
        name: command.make_context(name, [], resilient_parsing=True).command  # imported
        for name, command in every
        if not command.hidden
    }


def _program() -> click.Group | None:
    context = click.get_current_context(silent=True)
    group = context.find_root().command if context else None
    return group if isinstance(group, click.Group) else None


def _commands() -> str:
    rows = [(f"[`zebra {name}`](command-line.md#zebra-{name})", _help(of)) for name, of in commands().items()]
    return _table((say("manual.command"), say("manual.does")), rows)


def _command(name: str) -> str:
    """The usage of a command, and a row for each option."""
    command = commands().get(name)
    if command is None:
        return f"    zebra {name} --help"
    context = click.Context(command, info_name=f"zebra {name}")
    usage = " ".join([f"zebra {name}", *command.collect_usage_pieces(context)])
    return f"{_help(command)}\n\n    {usage}\n\n{_options(command.params, context)}"


def _options_of_all() -> str:
    """A row for each option that stands before a command, or that every command has."""
    if (program := _program()) is None:
        return "    zebra --help"
    context = click.Context(program, info_name="zebra")
    return _options(program.get_params(context), context)


def _options(parameters: Iterable[click.Parameter], context: click.Context) -> str:
    rows = [
        (
            f"`{', '.join((*option.opts, *option.secondary_opts))}`{_metavar(option, context)}",
            _option_help(option),
        )
        for option in parameters
        if isinstance(option, click.Option) and not option.hidden
    ]
    return _table((say("manual.option"), say("manual.means")), rows) if rows else ""


def _help(command: click.Command) -> str:
    return _escaped(" ".join(inspect.cleandoc(command.help or "").split()))


def _option_help(option: click.Option) -> str:
    return _escaped(" ".join((option.help or "").split()))


def _metavar(option: click.Option, context: click.Context) -> str:
    if option.is_flag or option.count:
        return ""
    return f" `{option.make_metavar(context)}`"


def _formula(name: str) -> str:
    return f"    {next(formula.words for formula in FORMULAS if formula.name == name)}"


def _formats() -> str:
    return "\n".join(f"- {_with_places(text)}" for code, text in _texts("format") if code not in _TEMPLATES)


def _glossary() -> str:
    texts = dict(_texts("glossary"))
    pairs = [(texts[code], texts[f"{code}-means"]) for code in texts if not code.endswith("-means")]
    words = sorted(pairs, key=lambda pair: alphabetical(pair[0]))
    return _table(
        (say("manual.word"), say("manual.means")),
        [(f"**{_escaped(word)}**", _escaped(means)) for word, means in words],
    )


def _references() -> str:
    return "\n".join(f"- {_escaped(text)}" for _code, text in _texts("reference"))


def _columns() -> str:
    texts = dict(_texts("column"))
    rows = [(texts[code], texts[f"{code}-means"]) for code in texts if f"{code}-means" in texts]
    return _table(
        (say("manual.column"), say("manual.means")),
        [(_escaped(name), _escaped(means)) for name, means in rows],
    )


def _sentences(part: str) -> str:
    """Every sentence of a part of the texts; what changes from case to case is in italics."""
    return "\n".join(f"- {_with_places(text)}" for _code, text in _texts(part))


def _remarks(part: str) -> str:
    """Every sentence of a part of the texts, without labels and table rows, which end without a full stop."""
    return "\n".join(f"- {_with_places(text)}" for _code, text in _texts(part) if text.endswith("."))


def _texts(part: str) -> Iterable[tuple[str, str]]:
    return texts_of(part).items()


def _with_places(text: str) -> str:
    parts = _PLACEHOLDER.split(text)
    named = [
        f"*{part.replace('_', ' ')}*" if index % 2 else _escaped(part) for index, part in enumerate(parts)
    ]
    return "".join(named)


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [f"| {head[0]} | {head[1]} |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {_in_cell(left)} | {_in_cell(right)} |" for left, right in rows)])


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]#])", r"\\\1", text)
