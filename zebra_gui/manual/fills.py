"""What the program fills into pages of the manual: its options, formats, figures, sentences and words."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

import zebra_resources
from zebra_core.installation.simulations.repeated import in_words, known_counts, rows_of, simulation_named
from zebra_core.report.document import FORMULAS
from zebra_core.wording.texts import alphabetical, say, texts_of
from zebra_gui.manual.book import Fill

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


# The method's tables, from what the release simulated (simulations.json) and computed (method.json).


DATA = "method.json"


def simulation_table(name: str) -> str:
    """What the release's simulations of this name counted, in per cent: a row for each case."""
    simulation = simulation_named(name)
    kind = "heard-case" if name.startswith("heard") else "case"
    head = [say(f"simulation.{kind}"), say("simulation.true-d-ece"), say("simulation.sets")]
    head += [say(f"simulation.of-{column.replace('_', '-')}") for column in simulation.columns]
    rows = [
        [
            in_words(row.case),
            "–" if row.true_d_ece_bits is None else f"{row.true_d_ece_bits:.3f}",
            str(simulation.sets),
            *(f"{100.0 * share:.1f}" for share in row.shares),
        ]
        for row in rows_of(simulation, known_counts()[name])
    ]
    return _method_tables_table(head, rows)


def method_table(name: str) -> str:
    """The table of this name. Raises KeyError for another."""
    known: Mapping[str, Any] = json.loads(zebra_resources.read_text(DATA))
    rows = {
        "bias": _bias,
        "worst-cases": _worst_cases,
        "ties": _ties,
        "turned": _turned,
        "agreement": _agreement,
        "departures": _departures,
    }[name](known)
    return _method_tables_table([say(f"method-table.{column}") for column in _COLUMNS[name]], rows)


_PLACES = {6: "sixth", 1: "first", 0: "whole", -1: "tens"}
_COLUMNS = {
    "bias": ("bias-speakers", "bias-true", "bias-computed", "bias-corrected", "bias-error"),
    "worst-cases": (
        "worst-cases-speakers",
        "worst-cases-targets",
        "worst-cases-computed",
        "worst-cases-others",
        "worst-cases-ceiling",
    ),
    "ties": (
        "ties-decimals",
        "ties-order",
        "ties-d-ece",
        "ties-worst-case",
        "ties-eer",
        "ties-rocch-eer",
        "ties-min-cllr",
    ),
    "turned": ("turned-name", "turned-right", "turned-given", "turned-reversed", "turned-unordered"),
    "agreement": (
        "agreement-name",
        "agreement-trials",
        "agreement-d-ece",
        "agreement-worst-case",
        "agreement-rocch-eer",
        "agreement-min-cllr",
        "agreement-cllr",
        "agreement-tag",
    ),
    "departures": ("departures-figure", "departures-largest"),
}


def _bias(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for row in known["bias"]:
        found = (f"{row[one]:.4f}" for one in ("true", "computed", "corrected", "standard_error"))
        yield (str(row["speakers"]), *found)


def _worst_cases(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for row in known["worst_case"]:
        ranges = [
            say("method-table.quantiles", low=f"{low:.2f}", middle=f"{middle:.2f}", high=f"{high:.2f}")
            for low, middle, high in (row["computed"], row["others"])
        ]
        yield str(row["speakers"]), str(row["target_trials"]), *ranges, f"{row['ceiling']:.2f}"


def _ties(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for row in known["ties"]:
        for order in ("pooled", "targets_above", "targets_below"):
            of = row[order]
            yield (
                say(f"method-table.to-{_PLACES[row['decimals']]}", count=row["distinct"]),
                say(f"method-table.{order.replace('_', '-')}"),
                f"{of['d_ece_bits']:.4f}",
                say("method-table.tagged", value=f"{of['worst_case_log10_lr']:.3f}", tag=of["tag"]),
                f"{100.0 * of['eer']:.2f}",
                f"{100.0 * of['rocch_eer']:.2f}",
                f"{of['min_cllr_bits']:.4f}",
            )


def _turned(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for row in known["turned"]:
        yield row["name"], *(f"{row[one]:.4f}" for one in ("right", "given", "reversed", "unordered"))


def _agreement(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    """The toolkit's figures as it prints them, and in brackets ours."""
    for row in known["agreement"]["files"]:
        toolkit = row["toolkit"]
        yield (
            row["name"],
            say("method-table.trials", targets=row["n_target"], nontargets=row["n_nontarget"]),
            f"{toolkit['d_ece_bits']:.3f} ({row['d_ece_bits'][1]:.6f})",
            f"{toolkit['worst_case_log10_lr']:.3f} ({row['worst_case_log10_lr'][1]:.6f})",
            f"{100.0 * toolkit['rocch_eer']:.2f} ({100.0 * row['rocch_eer'][1]:.4f})",
            f"{toolkit['min_cllr_bits']:.3f} ({row['min_cllr_bits'][1]:.6f})",
            f"{toolkit['cllr_bits']:.3f} ({row['cllr_bits'][1]:.6f})",
            f"{toolkit['tag']} ({row['tag'][1]})",
        )


def _departures(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for figure, most in known["agreement"]["largest"].items():
        yield say(f"simulation.of-{figure.replace('_', '-')}"), f"{most:.0e}"


def _method_tables_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [
        head,
        ["---", *["---:"] * (len(head) - 1)],
        *([cell.replace("_", r"\_") for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
