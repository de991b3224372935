"""Checks plain JSON values against a JSON Schema, as far as schemas of ours need it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "null": type(None),
    "boolean": bool,
}
_KNOWN = frozenset(
    {
        *("$schema", "title", "description", "type", "properties", "required", "additionalProperties"),
        *("items", "enum", "const", "pattern", "minimum"),
    }
)


def fault(value: object, schema: Mapping[str, Any], at: str = "") -> str | None:
    """Where a value does not follow the schema, as a path like `inputs[3].size`; None where it does.

    Knows type, properties, required, additionalProperties, items, enum, const, pattern and minimum
    (JSON Schema 2020-12). Raises ValueError for a schema that uses anything else: that is our mistake.
    """
    if unknown := schema.keys() - _KNOWN:
        raise ValueError(f"the schema uses {sorted(unknown)}")
    if not _is_itself_right(value, schema):
        return at or "."
    if isinstance(value, dict):
        return _fault_in_object(value, schema, at)
    if isinstance(value, list) and "items" in schema:
        faults = (fault(part, schema["items"], f"{at}[{k}]") for k, part in enumerate(value))
        return next(filter(None, faults), None)
    return None


def _is_itself_right(value: object, schema: Mapping[str, Any]) -> bool:
    named = schema.get("type", [])
    types = [named] if isinstance(named, str) else named
    if types and not any(_is_of(value, name) for name in types):
        return False
    if "const" in schema and (type(value), value) != (type(schema["const"]), schema["const"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return False
    return not (isinstance(value, int | float) and "minimum" in schema and value < schema["minimum"])


def _is_of(value: object, name: str) -> bool:
    if isinstance(value, bool):  # which Python takes for an int
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _fault_in_object(value: Mapping[str, object], schema: Mapping[str, Any], at: str) -> str | None:
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return _below(at, name)
    others = schema.get("additionalProperties", True)
    for name, part in value.items():
        inside = properties.get(name, others)
        if inside is False:
            return _below(at, name)
        if isinstance(inside, Mapping) and (found := fault(part, inside, _below(at, name))):
            return found
    return None


def _below(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name
