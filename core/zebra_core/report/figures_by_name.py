"""Recorded figures by name, whatever they are nested in, so that each can be held against its like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from zebra_core.evidence.file_remarks import OF_INPUTS
from zebra_core.intake.sorting.naming import OF_THE_DROP

_NOT_RECOMPUTED = frozenset(
    {
        *("name", "dataset", "run", "notes", "inputs", "choices", "condition", "attacker"),
        *("recogniser", "back_end"),
        *("settings", "decisions", "mean"),
    }
)
"""What the user said, and what is only followed."""


def figures_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """The figures among these values, by name."""
    return dict(_leaves({key: value for key, value in values.items() if key not in _NOT_RECOMPUTED}))


def _of_speakers(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    for row in rows:
        yield f"speakers[{row['speaker']}]", {k: v for k, v in row.items() if k != "speaker"}


def _of_attributes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """By their places: their files may have other names today."""
    for number, row in enumerate(rows):
        yield f"inference[{number}]", {k: v for k, v in row.items() if k not in ("attribute", "remarks")}


_BY_ROW: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], Iterator[tuple[str, object]]]] = {
    "speakers": _of_speakers,
    "inference": _of_attributes,
}


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Figures by name: curves and remarks as a whole, speakers and counts of the audit one by one."""
    for name, value in values.items():
        if name in _BY_ROW and isinstance(value, list):
            yield from _BY_ROW[name](value)
        elif name == "remarks":
            yield name, _codes(value)
        elif name == "audit" and isinstance(value, dict):
            for key, part in value.items():
                # Texts of findings name files by their names, which may have changed.
                yield f"audit.{key}", _codes(part) if key == "findings" else part
        elif isinstance(value, dict):
            for key, part in value.items():
                yield f"{name}.{key}", part
        else:
            yield name, value


def _codes(sentences: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was remarked of the figures; not where files lay, or how draws came about."""
    passing = {*OF_THE_DROP, *OF_INPUTS, "uncertainty-stopped"}
    return [one["code"] for one in sentences if one.get("code") not in passing]
