"""Types of plain JSON values with their bounds: values are written and checked by them, schemas made of them.

The types are those of msgspec: an object is a structure of its fields, and bounds stand in `Meta`. An int
counts as a number; a bool never does, and 1.0 is no int. A class describes itself by the types of its fields.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, UnsetType

Type = Any  # of plain values, as msgspec takes it

_LONGEST_NAME, _LONGEST_NOTES = 1000, 1_000_000
"""In characters: a window that shows millions of them stands still."""

MOST_ROWS = 100_000

ITEM_ID, SHA256 = r"\A[0-9A-Za-z_-]{1,64}\Z", r"\A[0-9a-f]{64}\Z"

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Whole = Annotated[int, Meta(ge=0, le=1 << 62)]
Amount = Annotated[float, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e6)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
NumberOrNone = float | None
Name = Annotated[str, Meta(max_length=_LONGEST_NAME)]
Notes = Annotated[str, Meta(max_length=_LONGEST_NOTES)]
ItemId = Annotated[str, Meta(pattern=ITEM_ID)]
Sha256 = Annotated[str, Meta(pattern=SHA256)]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFUSAL = re.compile(
    r"(?P<why>Object (?:contains unknown|missing required) field `(?P<field>.*?)`|.*?)"
    r"(?: - at `(?:key in `)?\$(?P<path>(?:\.\w+|\[\d+\]|\[\.\.\.\])*)`)?",
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


def as_json(value: Any, of: Type = Any) -> Any:
    """A value as JSON has it: numbers that are not finite as null, enums by their values, arrays as lists.

    A value of a described type is an object of its fields; one of a dataclass has those of its class, whose
    numbers stay as they are, so that none is written that cannot be read again.
    """
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {as_json(name): as_json(part) for name, part in value.items()}
    if hasattr(value, "tolist"):  # an array of NumPy, which whoever has none need not load
        return as_json(value.tolist(), of)
    if isinstance(value, list | tuple):
        part_of = next((get_args(each)[0] for each in _variants(of) if get_args(each)), Any)
        return [as_json(part, part_of) for part in value]
    if value is not None and (described := list(filter(msgspec.inspect.is_struct_type, _variants(of)))):
        return object_as_json(described[0], value)
    return _of_class(value)


def _of_class(value: object) -> Any:
    found = msgspec.to_builtins(value, enc_hook=lambda other: other.item())
    if isinstance(found, dict):
        return {name: part if isinstance(part, float) else as_json(part) for name, part in found.items()}
    return as_json(found) if isinstance(found, list) else found


def object_as_json(of: Type, source: object, **given: object) -> dict[str, Any]:
    """The fields of a described object in their order: those that are given, else attributes of the source.

    UNSET stands for a field that is missing.
    """
    values = {name: given[name] if name in given else getattr(source, name) for name in of.__struct_fields__}
    return {name: as_json(value, _fields(of)[name]) for name, value in values.items() if value is not UNSET}


def json_schema(of: Type, title: str = "", description: str = "") -> dict[str, Any]:
    """The JSON Schema (2020-12) of an object."""
    (root,), parts = msgspec.json.schema_components([of])
    whole = {**parts.pop(root["$ref"].rpartition("/")[2]), "title": title}
    found = {"$schema": _DIALECT, "title": title, "description": description, **whole, "$defs": parts}
    # The ends of a text, which only in Python differ from those of its lines.
    plain = json.dumps(found).replace(r"\\A", "^").replace(r"\\Z", "$")
    return dict(json.loads(plain, object_hook=_without_indents))


def _without_indents(part: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema with its docstring as Python 3.13 has it; earlier ones keep indents."""
    said = part.get("description")
    return {**part, "description": cleandoc(said)} if isinstance(said, str) else part


@cache
def hints_of(owner: type) -> dict[str, Type]:
    """The types of the fields of a class, with their bounds."""
    return get_type_hints(owner, include_extras=True)


def fault(value: object, of: Type) -> str | None:
    """Where a plain value is not as its type says, as a path like `inputs[3].size`; None where it is."""
    found = _fault(value, of)
    return found if found is None else found.removeprefix(".") or "."


def refusal(error: msgspec.ValidationError) -> tuple[str, list[str | int | None], str | None]:
    """Why a value was refused, the steps to it, and the field that it lacks or should not have, if one.

    A step is a field, a row from 0, or None for any value of a mapping, whose key msgspec does not tell.
    """
    found = _REFUSAL.fullmatch(str(error))
    assert found is not None  # noqa: S101 - it takes any text
    steps = _STEP.findall(found["path"] or "")
    return found["why"], [name or (None if row == "..." else int(row)) for name, row in steps], found["field"]


def _fault(value: object, of: Type) -> str | None:
    """The same path, with a dot before each name; empty for the value itself."""
    try:
        msgspec.convert(value, of)
    except msgspec.ValidationError as error:
        _, steps, field = refusal(error)
        last = "" if field is None else f".{field}"
        try:
            return _place(value, of, steps, last)
        except (
            LookupError,
            TypeError,
            AttributeError,
        ):  # an unknown field whose name looks like the end of a message
            return last
    except UnicodeEncodeError:  # half a character, where only known words may be
        return _fault(json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace")), of)
    return None


def _place(value: Any, of: Type, steps: Sequence[str | int | None], field: str) -> str:
    """The path of these steps, with the keys of mappings."""
    if not steps:
        return field
    step, *rest = steps
    if step is None:
        faults = ((key, _fault(part, _part(of, key))) for key, part in value.items())
        return next((f".{key}{inside}" for key, inside in faults if inside is not None), field)
    shown = f".{step}" if isinstance(step, str) else f"[{step}]"
    return shown + _place(value[step], _part(of, step), rest, field)


def _part(of: Type, step: str | int) -> Type:
    """The type of what stands at a step inside values of a type."""
    for each in _variants(of):
        origin: object = get_origin(each)
        if msgspec.inspect.is_struct_type(each):
            return _fields(each)[str(step)]
        if is_dataclass(each):
            return get_type_hints(each, include_extras=True)[str(step)]
        if origin in (list, dict):
            return get_args(each)[-1]
        if origin is tuple:
            parts = get_args(each)
            return parts[0] if parts[-1] is ... else parts[int(step)]
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
