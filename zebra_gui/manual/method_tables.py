"""The method's tables, from what the release simulated (simulations.json) and computed (method.json)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import zebra_resources
from zebra_core.installation.simulations.repeated import in_words, known_counts, rows_of, simulation_named
from zebra_core.wording.texts import say

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
    return _table(head, rows)


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
    return _table([say(f"method-table.{column}") for column in _COLUMNS[name]], rows)


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
            f"{toolkit['tag']} ({row['tag'][1]})",
        )


def _departures(known: Mapping[str, Any]) -> Iterable[Sequence[str]]:
    for figure, most in known["agreement"]["largest"].items():
        yield say(f"simulation.of-{figure.replace('_', '-')}"), f"{most:.0e}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [
        head,
        ["---", *["---:"] * (len(head) - 1)],
        *([cell.replace("_", r"\_") for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
