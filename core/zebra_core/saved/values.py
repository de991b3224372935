"""Values of project.json: written as readable text, and read back one by one, each of the type it must be."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn, TypeVar

from zebra_core.errors import InputError, OutputError
from zebra_core.files import strict_json
from zebra_core.wording.texts import say

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
MOST_ROWS = 100_000
LONGEST_NAME, LONGEST_NOTES = 100_000, 1_000_000
"""In characters: a window that shows millions of them stands still."""
_DEEPEST = 60


def written(values: object) -> bytes:
    """JSON with indents, in the order of the keys, in UTF-8. Raises ValueError at NaN and infinity."""
    text = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # A lone surrogate, of a file name that is no UTF-8, becomes its JSON escape.
    return text.encode("utf-8", "backslashreplace")


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
        if len(self.value) > most:
            raise InputError("project-too-many-rows", file=self.file, place=self.place, most=most)
        return {name: self[name] for name in self.value}

    def rows(self, most: int = MOST_ROWS) -> list[SavedValue]:
        """The rows of a list."""
        if not isinstance(self.value, list):
            self.refuse("list")
        if len(self.value) > most:
            raise InputError("project-too-many-rows", file=self.file, place=self.place, most=most)
        return [
            SavedValue(row, f"{self.place} › {n}", self.file) for n, row in enumerate(self.value, start=1)
        ]

    def text(self, most: int = sys.maxsize) -> str:
        """A text of up to so many characters, empty perhaps."""
        if not isinstance(self.value, str):
            self.refuse("text")
        return self.value if len(self.value) <= most else self.refuse("short-text")

    def whole(self, least: int = 0, most: int = 1 << 62) -> int:
        """A whole number within bounds."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.refuse("whole")
        return self.value if least <= self.value <= most else self.refuse("whole")

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number within bounds."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            self.refuse("number")
        try:
            value = float(self.value)
        except OverflowError:
            self.refuse("number")
        return value if least <= value <= most else self.refuse("number")

    def flag(self) -> bool:
        """Yes or no."""
        return self.value if isinstance(self.value, bool) else self.refuse("flag")

    def one_of(self, kind: type[E]) -> E:
        """A member of an enumeration, by its value."""
        known = {str(member.value): member for member in kind}
        text = self.text()
        if text not in known:
            raise InputError("project-unknown-value", file=self.file, place=self.place, found=text)
        return known[text]

    def or_none(self, read_it: Callable[[SavedValue], T]) -> T | None:
        """Nothing, or what this reads."""
        return None if self.value is None else read_it(self)

    def plain(self) -> str | int | float | bool | None:
        """A text, a number, a flag or nothing."""
        if self.value is None or isinstance(self.value, str | int | float):
            return self.value
        return self.refuse("plain")

    def refuse(self, wanted: str) -> NoReturn:
        """Raise InputError: it is not what stands there in a project."""
        raise InputError("project-value", file=self.file, place=self.place, wanted=say(f"saved.{wanted}"))


def at_most(most: int, text: str) -> str:
    """The text. Raises OutputError where it is longer than what is ever read again."""
    if len(text) > most:
        raise OutputError("text-too-long", found=text, most=most)
    return text


def plain(value: Any) -> str | int | float | bool | None:
    """A fact as it is written: numbers of NumPy as numbers, what is no plain value as its text."""
    if hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else str(value)


def finite(value: float | None) -> float | None:
    """The number, or None for one that JSON cannot hold."""
    return float(value) if value is not None and math.isfinite(value) else None


def _refuse_depth(value: object, left: int) -> None:
    if left == 0:
        raise ValueError(say("saved.too-deep"))
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inside:
        _refuse_depth(part, left - 1)
