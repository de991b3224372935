"""Values of JSON that somebody else wrote, taken one by one; what is wrong is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from zebra_core.errors import InputError
from zebra_core.files.strict_json import parse

LONGEST_TEXT = 100_000
_MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class Fields:
    """An object of JSON in a file. Methods raise InputError where a field is missing or wrong."""

    file: str
    found: Mapping[str, object]

    @classmethod
    def of(cls, file: str, content: bytes) -> Fields:
        """The object that is the whole of a text."""
        try:
            value = parse(content)
        except (ValueError, RecursionError) as error:
            raise InputError("listening-damaged", file=file, what=str(error)) from error
        return cls.within(file, value)

    @classmethod
    def within(cls, file: str, value: object) -> Fields:
        """An object inside of another."""
        if not isinstance(value, dict):
            raise InputError("listening-damaged", file=file, what="{…}")
        return cls(file, value)

    def text(self, name: str, *, may_be_empty: bool = False) -> str:
        """A text that is not too long."""
        value = self.found.get(name)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (value or may_be_empty):
            self.refuse(name)
        return value

    def whole(self, name: str, lowest: int, highest: int) -> int:
        """A whole number within bounds."""
        value = self.found.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.refuse(name)
        return value

    def real(self, name: str, lowest: float, highest: float) -> float:
        """A finite number within bounds."""
        return self.number(name, self.found.get(name), lowest, highest)

    def number(self, name: str, value: object, lowest: float, highest: float) -> float:
        """A finite number within bounds, from a value of this field."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.refuse(name)
        if not lowest <= value <= highest:
            self.refuse(name)
        return float(value)

    def yes(self, name: str) -> bool:
        """True or false."""
        value = self.found.get(name)
        if not isinstance(value, bool):
            self.refuse(name)
        return value

    def rows(self, name: str) -> list[object]:
        """A list."""
        value = self.found.get(name)
        if not isinstance(value, list) or len(value) > _MOST_ROWS:
            self.refuse(name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        rows = self.rows(name)
        found = tuple(row for row in rows if isinstance(row, str) and row and len(row) <= LONGEST_TEXT)
        if len(found) != len(rows):
            self.refuse(name)
        return found

    def objects(self, name: str) -> list[Fields]:
        """A list of objects."""
        return [Fields.within(self.file, row) for row in self.rows(name)]

    def object(self, name: str) -> Fields:
        """An object."""
        return Fields.within(self.file, self.found.get(name))

    def refuse(self, name: str) -> NoReturn:
        """Raise InputError: this field is not what was written there."""
        raise InputError("listening-damaged", file=self.file, what=name)
