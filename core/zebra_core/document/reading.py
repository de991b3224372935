"""Plain values of classes, and back: each value of the type and within the bounds that its class states.

`msgspec` reads and checks; what it refuses is told with the file and the place in it.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, get_type_hints, overload

import msgspec
from msgspec.inspect import type_info

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.value_types import ITEM_ID, MOST_ROWS, SHA256, as_json, hints_of, refusal
from zebra_core.files import strict_json
from zebra_core.files.names import without_backslashes
from zebra_core.wording.texts import say

T = TypeVar("T")
Json = dict[str, Any]
_DEEPEST = 60
_UNKNOWN = "Invalid enum value "
_EXPECTED = re.compile(r"Expected `([^`]*)`(?: of length (<=|>=)?| matching regex (.*))?", re.DOTALL)
_KINDS = {"int": "whole", "float": "number", "str": "text", "bool": "flag", "object": "object"}
_PATTERNS = {repr(ITEM_ID): "id", repr(SHA256): "sha256"}


def written(values: object) -> bytes:
    """JSON with indents, in the order of the keys, in UTF-8. Raises ValueError at NaN and infinity."""
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # A lone surrogate, of a file name that is no UTF-8, becomes its JSON escape.
    return text.encode("utf-8", "backslashreplace")


def fields_as_json(owner: object, names: Iterable[str]) -> Json:
    """These fields, in this order; null for a number that JSON cannot hold.

    Raises OutputError where a text is longer than what is ever read again.
    """
    kind: type = type(owner)
    found: Json = {}
    for name in names:
        value = getattr(owner, name)
        if isinstance(value, str) and len(value) > (most := _longest(kind, name)):
            raise OutputError("text-too-long", found=value, most=most)
        found[name] = as_json(value)
    return found


def read(content: bytes, file: str, place: str = "project.json") -> SavedValue:
    """What `written` made, from a member of a file of this name. Raises InputError."""
    try:
        value = strict_json.parse(content.decode("utf-8").encode())  # no other encoding is one of ours
        _refuse_depth(value, _DEEPEST)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError("project-not-json", file=file, reason=reason) from error
    return SavedValue(value, place, file)


@dataclass(frozen=True)
class SavedValue:
    """A value with the place where it stands. All methods raise InputError where it is not what they read."""

    value: object
    place: str
    file: str

    def __getitem__(self, name: str) -> SavedValue:
        """A field of an object."""
        if not isinstance(self.value, dict):
            self.refuse("object")
        if name not in self.value:
            raise InputError("project-field-missing", file=self.file, place=f"{self.place} › {name}")
        return SavedValue(self.value[name], f"{self.place} › {name}", self.file)

    def fields(self, most: int = MOST_ROWS) -> dict[str, SavedValue]:
        """All fields of an object."""
        if not isinstance(self.value, dict):
            self.refuse("object")
        self._refuse_more_than(most, self.value)
        return {name: self[name] for name in self.value}

    def rows(self, most: int = MOST_ROWS) -> list[SavedValue]:
        """The rows of a list."""
        if not isinstance(self.value, list):
            self.refuse("list")
        self._refuse_more_than(most, self.value)
        return [
            SavedValue(row, f"{self.place} › {n}", self.file) for n, row in enumerate(self.value, start=1)
        ]

    @overload
    def as_a(self, kind: type[T]) -> T: ...

    @overload
    def as_a(self, kind: Any) -> Any: ...

    def as_a(self, kind: Any) -> Any:
        """A value of this type, within the bounds that it states; no field of it may be missing."""
        with self.as_part():
            try:
                return made_of(kind, self.value)
            except msgspec.ValidationError as error:
                self._refuse(error)
            except UnicodeEncodeError:  # a name or value with a lone surrogate, which none of ours has
                self.refuse("text")

    def fields_of(
        self, owner: type, names: Iterable[str], optional: Iterable[str] = (), *, bounded: bool = True
    ) -> Json:
        """These fields of an object, each as this class states it, and the optional ones that are there.

        Not `bounded` for a class that has sentences of its own for what is beyond its bounds.
        """
        hints, there = hints_of(owner) if bounded else get_type_hints(owner), self.fields()
        wanted = (*names, *(name for name in optional if name in there))
        return {name: self[name].as_a(hints[name]) for name in wanted}

    def whole(self, least: int = 0, most: int = 1 << 62) -> int:
        """A whole number within bounds that other values give."""
        return int(self.as_a(Annotated[int, msgspec.Meta(ge=least, le=most)]))

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """A number within such bounds."""
        value = self.as_a(float)
        return value if least <= value <= most else self.refuse("number")

    def or_none(self, read_it: Callable[[SavedValue], T]) -> T | None:
        """Nothing, or what this reads."""
        return None if self.value is None else read_it(self)

    def path(self) -> Path:
        """A path, of Windows as well; one with a NUL is none."""
        text = self.as_a(str)
        return Path(without_backslashes(text)) if text and "\0" not in text else self.refuse("path")

    def refuse(self, wanted: str) -> NoReturn:
        """Raise InputError: it is not what stands there in a project."""
        raise InputError("project-value", file=self.file, place=self.place, wanted=say(f"saved.{wanted}"))

    @contextmanager
    def as_part(self, unreadable: str = "") -> Iterator[None]:
        """Tell what is refused inside as of this part: the reason of its class, or that it is unreadable."""
        try:
            yield
        except InputError as error:
            if error.code.startswith("project-") and not unreadable:
                raise
            reason = InputError(unreadable) if error.code.startswith("project-") else error
            raise InputError("project-part", file=self.file, place=self.place, reason=str(reason)) from error

    def _refuse_more_than(self, most: int, values: list[object] | dict[str, object]) -> None:
        if len(values) > most:
            raise InputError("project-too-many-rows", file=self.file, place=self.place, most=most)

    def _refuse(self, error: msgspec.ValidationError) -> NoReturn:
        """Tell what msgspec refused here or at a place below, as "Expected `int` >= 0 - at `$[2].size`"."""
        why, steps, field = refusal(error)
        at = self
        for step in itertools.takewhile(lambda step: step is not None, steps):
            at = at[step] if isinstance(step, str) else at.rows(sys.maxsize)[step or 0]
        if field is not None:
            at = at[field]
        if why.startswith(_UNKNOWN):
            found = at.value if isinstance(at.value, str) else why[len(_UNKNOWN) :].strip("'")
            raise InputError("project-unknown-value", file=self.file, place=at.place, found=found)
        expected = _EXPECTED.match(why)
        kind, bound, pattern = expected.groups() if expected else ("float", None, None)
        if kind == "array" and bound:
            at.rows(int(why.rpartition(" ")[2]))
        if pattern:
            at.refuse(_PATTERNS[pattern])
        at.refuse("short-text" if bound else _KINDS.get(kind.split(" ")[0], "list"))


def made_of(kind: Any, value: object) -> Any:
    """A value of this type from plain ones, within the bounds that it states; no field of it may be missing.

    Raises ValidationError, UnicodeEncodeError at names that hold a lone surrogate, and what the type raises.
    """
    made = msgspec.convert(value, kind)
    _refuse_missing(value, made, "$")
    return made


def _refuse_missing(given: Any, made: object, at: str) -> None:
    """Refuse fields that were made of their defaults, which are for programs and not for files."""
    if is_dataclass(made):
        for name in (field.name for field in fields(made)):
            if name not in given:
                raise msgspec.ValidationError(f"Object missing required field `{name}` - at `{at}`")
            _refuse_missing(given[name], getattr(made, name), f"{at}.{name}")
    elif isinstance(made, tuple):
        for n, (row, value) in enumerate(zip(given, made, strict=True)):
            _refuse_missing(row, value, f"{at}[{n}]")


@cache
def _longest(owner: type, name: str) -> int:
    return getattr(type_info(hints_of(owner)[name]), "max_length", None) or sys.maxsize


def _refuse_depth(value: object, left: int) -> None:
    if left == 0:
        raise ValueError(say("saved.too-deep"))
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inside:
        _refuse_depth(part, left - 1)
