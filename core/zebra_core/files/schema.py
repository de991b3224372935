"""Plain JSON values described by types: made and checked by them, and their JSON Schema with them.

The types are those of msgspec: an object is a structure of its fields, and bounds stand in `Meta`. An int
counts as a number; a bool never does, and 1.0 is no int.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

Type = Any  # of plain values, as msgspec takes it

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
NumberOrNone = float | None

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MESSAGE = re.compile(
    r"(?:Object (?:contains unknown|missing required) field `(?P<field>.*?)`|.*?)"
    r"(?: - at `\$(?P<path>(?:\.\w+|\[\d+\]|\[\.\.\.\])+)`)?",
    re.DOTALL,
)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def json_object(name: str, /, **fields: Type) -> Type:
    """An object with these fields and no others. `name` is its own within a schema."""
    return _object(name, fields, is_open=False)


def open_object(name: str, /, **fields: Type) -> Type:
    """An object with these fields, and any others."""
    return _object(name, fields, is_open=True)


def _object(name: str, fields: Mapping[str, Type], *, is_open: bool) -> Type:
    made = [(key, of, UNSET) if UnsetType in _variants(of) else (key, of) for key, of in fields.items()]
    return msgspec.defstruct(name, made, kw_only=True, forbid_unknown_fields=not is_open)


def numbers(name: str, /, *keys: str) -> Type:
    """An object of numbers, each null where it is not measurable or not finite."""
    return json_object(name, **dict.fromkeys(keys, NumberOrNone))


def array_of(of: Type) -> Type:
    """An array of such values."""
    return list[of]


def map_of(of: Type) -> Type:
    """An object with any keys, each of which has such a value."""
    return dict[str, of]


def nullable(of: Type) -> Type:
    """Such a value, or null."""
    return of | None


def optional(of: Type) -> Type:
    """A field that may be missing."""
    return of | UnsetType


def note(of: Type, description: str) -> Type:
    """Such a value, and what its schema says of it."""
    return Annotated[of, Meta(description=description)]


def as_json(of: Type, source: object, **given: object) -> dict[str, Any]:
    """The fields of an object in their order, plain: those that are given, else attributes of the source.

    UNSET stands for a field that is missing.
    """
    values = {name: given[name] if name in given else getattr(source, name) for name in of.__struct_fields__}
    return {name: plain(value, _fields(of)[name]) for name, value in values.items() if value is not UNSET}


def plain(value: Any, of: Type = Any) -> Any:
    """A value as JSON has it: numbers that are not finite as null, enums by their values, arrays as lists."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        part_of = next((get_args(each)[0] for each in _variants(of) if get_args(each)), Any)
        return [plain(part, part_of) for part in (value.tolist() if isinstance(value, np.ndarray) else value)]
    if value is None or isinstance(value, bool | int | str):
        return value
    return as_json(next(filter(msgspec.inspect.is_struct_type, _variants(of))), value)


def json_schema(of: Type, title: str = "", description: str = "") -> dict[str, Any]:
    """The JSON Schema (2020-12) of an object."""
    (root,), parts = msgspec.json.schema_components([of])
    whole = {**parts.pop(root["$ref"].rpartition("/")[2]), "title": title}
    return {"$schema": _DIALECT, "title": title, "description": description, **whole, "$defs": parts}


def fault(value: object, of: Type) -> str | None:
    """Where a plain value is not as its type says, as a path like `inputs[3].size`; None where it is."""
    found = _fault(value, of)
    return found if found is None else found.removeprefix(".") or "."


def _fault(value: object, of: Type) -> str | None:
    """The same path, with a dot before each name; empty for the value itself."""
    try:
        msgspec.convert(value, of)
    except msgspec.ValidationError as error:
        found = _MESSAGE.fullmatch(str(error))
        assert found is not None  # noqa: S101 - it takes any text
        field = "" if found["field"] is None else f".{found['field']}"
        try:
            return _place(value, of, _STEP.findall(found["path"] or ""), field)
        except (LookupError, TypeError):  # an unknown field whose name looks like the end of a message
            return field
    except UnicodeEncodeError:  # half a character, where only known words may be
        return _fault(json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")), of)
    return None


def _place(value: Any, of: Type, steps: list[tuple[str, str]], field: str) -> str:
    """The path that a message of msgspec has, with the keys of maps, of which it says `[...]` alone."""
    if not steps:
        return field
    (name, number), *rest = steps
    if number == "...":
        faults = ((key, _fault(part, _part(of, key))) for key, part in value.items())
        return next((f".{key}{inside}" for key, inside in faults if inside is not None), field)
    step = name or int(number)
    return (f".{name}" if name else f"[{number}]") + _place(value[step], _part(of, step), rest, field)


def _part(of: Type, step: str | int) -> Type:
    """The type of what stands at a step inside values of a type."""
    for each in _variants(of):
        origin: object = get_origin(each)
        if msgspec.inspect.is_struct_type(each):
            return _fields(each)[str(step)]
        if origin in (list, dict):
            return get_args(each)[-1]
        if origin is tuple:
            return get_args(each)[int(step)]
    raise LookupError(step)


@cache
def _fields(of: Type) -> Mapping[str, Type]:
    return {field.name: field.type for field in msgspec.structs.fields(of)}


def _variants(of: Type) -> list[Type]:
    """The types of which a value may be."""
    origin: object = get_origin(of)
    if origin is Annotated:
        return _variants(get_args(of)[0])
    if origin in (Union, UnionType):
        return [each for part in get_args(of) for each in _variants(part)]
    return [of]
