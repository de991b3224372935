"""Requirements in a TOML file: read with the line of what is wrong, and written to be read again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.toml_file import TomlFile, read_toml
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.items import Item
from zebra_core.project.requirements.figures import FORMER, REQUIRABLE
from zebra_core.project.requirements.requirement import (
    EVERYTHING,
    FIRST_CONFIDENCE,
    MOST_REQUIREMENTS,
    Requirement,
    RequirementDetail,
    Scope,
    Sense,
    matches,
)

TABLE = "requirement"
CONTEXT = "context"
_SCOPE = ("datasets", "conditions", "attackers", "safeguards")
_TEXTS = ("name", "figure", "no_worse_than", "tag", "attribute", "question", "group", "why", "set_by")
_BOUNDS = ("at_most", "at_least", "margin")
_WHOLE = ("people", "recordings")
DETAIL = ("people", "recordings", "false_alarms", "attribute", "question", "group")
KEYS = ("name", "figure", *DETAIL, "tag", "no_worse_than", *_BOUNDS, "confidence", *_SCOPE, "why", "set_by")
"""What may stand in a table, in the order in which it is written."""


def read_requirements(
    path: Path, scale: TagScale = PAPER_SCALE, people: int | None = None
) -> tuple[Requirement, ...]:
    """Read a file of requirements. Raises InputError with file and line; tags are those of the scale.

    `people` is how many the context of the release states, for those that say people = "context".
    """
    file = _read(path)
    lines, values = file.lines, file.values
    for name in values:
        if name != TABLE:
            raise _at(path, lines.of_key(name), InputError("requirements-unknown", found=name, known=TABLE))
    rows = values.get(TABLE)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise _at(path, lines.of_key(TABLE), InputError("requirements-none"))
    if len(rows) > MOST_REQUIREMENTS:
        line = lines.of_row(TABLE, MOST_REQUIREMENTS)
        raise _at(path, line, InputError("requirement-many", most=MOST_REQUIREMENTS))
    found: list[Requirement] = []
    for place, row in enumerate(rows):
        try:
            made = _requirement(_in_context(row, people), scale)
            if any(made.name == one.name for one in found):
                raise InputError("requirement-twice", found=made.name, key="name")
        except InputError as error:
            raise _at(path, lines.of_row(TABLE, place, str(error.facts.get("key", ""))), error) from error
        found.append(made)
    return tuple(found)


def former_figures(path: Path) -> dict[str, str]:
    """The figures in a file that are called otherwise now, with their names of today. Raises InputError."""
    named = [row["figure"] for row in _read(path).values[TABLE]]
    return {name: FORMER[name] for name in named if name in FORMER}


def refuse_idle(path: Path, requirements: Sequence[Requirement], items: Sequence[Item]) -> None:
    """Raise InputError with file and line for the first requirement that is about nothing here.

    Its scope matches nothing, or it names a safeguard to be compared with that is not here.
    """
    lines = _read(path).lines
    for place, each in enumerate(requirements):
        key, pattern = _idle(each, items)
        if key:
            facts: dict[str, object] = {"name": each.name, "found": pattern}
            code = "requirement-idle-than" if key == "no_worse_than" else "requirement-idle"
            raise _at(path, lines.of_row(TABLE, place, key), InputError(code, **facts))


def _idle(each: Requirement, items: Sequence[Item]) -> tuple[str, str]:
    """Which field leaves nothing of the items, and what stands there; empty where something is left.

    Of all similarity matrices, whatever they are of, may be said where there are none.
    """
    if not each.in_scope(items):
        for key in _SCOPE:
            patterns: tuple[str, ...] = getattr(each.scope, key)
            named = patterns if not each.of.is_of_matrices else [one for one in patterns if one != EVERYTHING]
            if named and not replace(each, scope=Scope(**{key: patterns})).in_scope(items):
                return key, ", ".join(patterns)
        return ("", "") if each.of.is_of_matrices else ("name", each.scope.in_words)
    than = each.no_worse_than
    if than and EVERYTHING not in than and not any(matches(than, item.name) for item in items):
        return "no_worse_than", than
    return "", ""


def requirements_text(requirements: Iterable[Requirement]) -> str:
    """The file of these requirements, which `read_requirements` reads again."""
    return "\n".join(_table(each) for each in requirements)


def _table(each: Requirement) -> str:
    bound = "margin" if each.no_worse_than else each.sense.value
    limit = each.bound if isinstance(each.bound, str) else float(each.bound)
    values: dict[str, object] = {
        "name": each.name,
        "figure": each.figure,
        **{key: getattr(each.detail, key) for key in DETAIL},
        "tag": each.tag,
        "no_worse_than": each.no_worse_than,
        bound: limit,
        "confidence": each.confidence,
        **{key: list(getattr(each.scope, key)) for key in _SCOPE},
        "why": each.why,
        "set_by": each.set_by,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value not in ("", None, [])]
    return "\n".join([f"[[{TABLE}]]", *lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    return _decimal(value) if isinstance(value, float) else str(value)


def _decimal(value: float) -> str:
    """A number without an exponent where it is short so."""
    plain = f"{value:.6f}".rstrip("0")
    return plain if float(plain) == value and not plain.endswith(".") else repr(value)


def _escaped(character: str) -> str:
    """A character of a basic string; a lone surrogate, which TOML cannot hold, as a question mark."""
    if character in '"\\':
        return f"\\{character}"
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "?"
    if code < 0x20 or code == 0x7F or not character.isprintable():
        return f"\\U{code:08X}"
    return character


def _requirement(row: Mapping[str, Any], scale: TagScale) -> Requirement:
    for key, value in row.items():
        if key not in KEYS:
            raise InputError("requirement-key", key=key, found=key, known=", ".join(KEYS))
        _check_type(key, value)
    given = [key for key in _BOUNDS if key in row]
    than = row.get("no_worse_than", "")
    wanted = ("margin",) if than else ("at_most", "at_least")
    if len(given) != 1 or given[0] not in wanted:
        code = "requirement-margin" if than else "requirement-one-bound"
        raise InputError(code, key=given[-1] if given else "name")
    figure = FORMER.get(row.get("figure", ""), row.get("figure", ""))
    is_sure = figure not in REQUIRABLE or REQUIRABLE[figure].is_resampled
    try:
        return Requirement(
            row.get("name", ""),
            figure,
            row[given[0]],
            Sense.AT_LEAST if given[0] == "at_least" else Sense.AT_MOST,
            row.get("confidence", FIRST_CONFIDENCE if is_sure else None),
            Scope(**{key: tuple(row.get(key, ())) for key in _SCOPE}),
            than,
            row.get("tag", ""),
            row.get("why", ""),
            row.get("set_by", ""),
            detail=RequirementDetail(**{key: row[key] for key in DETAIL if key in row}),
        ).checked_on(scale)
    except InputError as error:
        if error.facts.get("key") == "bound":
            raise InputError(error.code, **{**error.facts, "key": given[0]}) from error
        raise


def _in_context(row: Mapping[str, Any], people: int | None) -> Mapping[str, Any]:
    if row.get("people") != CONTEXT:
        return row
    if people is None:
        raise InputError("requirement-context", key="people")
    return {**row, "people": people}


def _check_type(key: str, value: object) -> None:
    if key in _SCOPE:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InputError("requirement-not-texts", key=key, name=key)
    elif key in _TEXTS:
        if not isinstance(value, str):
            raise InputError("requirement-not-text", key=key, name=key)
    elif key in _WHOLE:
        if type(value) is not int:
            raise InputError("requirement-not-whole", key=key, name=key)
    elif isinstance(value, str) and key in _BOUNDS:
        return  # the letter of a tag
    elif not _is_number(value):
        raise InputError("requirement-not-number", key=key, name=key)


def _is_number(value: object) -> bool:
    """Whether a float can hold it; a whole number in TOML has any number of digits."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    except OverflowError:
        return False


def _at(path: Path, line: int, error: InputError) -> InputError:
    """The error with file and line in front."""
    return InputError("requirements-at", file=path.name, line=line, reason=str(error))


def _read(path: Path) -> TomlFile:
    return read_toml(path, no_toml="requirements-not-toml", too_large="requirements-too-large")
