"""What listeners hear and are asked: questions, items, and what each item is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from zebra_core.errors import InputError
from zebra_core.files.strict_json import parse

MOST_PLACED = 200  # recordings on one canvas


class ItemTask(Enum):
    """What a listener does with an item. Source: VoicePrivacy 2020 evaluation plan, section 6.2."""

    SAME = "same"  # two recordings: the same speaker or not, and how sure, from 1 to 10
    PLACEMENT = "placement"  # several recordings: put near each other what sounds like one speaker
    INTELLIGIBILITY = "intelligibility"  # one recording, rated from 1 to 10
    NATURALNESS = "naturalness"  # the same

    @property
    def is_rating(self) -> bool:
        """Whether one recording is rated."""
        return self in (ItemTask.INTELLIGIBILITY, ItemTask.NATURALNESS)

    def takes(self, recordings: int) -> bool:
        """Whether an item may have so many."""
        fewest, most = {ItemTask.SAME: (2, 2), ItemTask.PLACEMENT: (2, MOST_PLACED)}.get(self, (1, 1))
        return fewest <= recordings <= most


class ItemPurpose(Enum):
    """What an item is for; only trials are evaluated."""

    TRIAL = "trial"
    ANCHOR = "anchor"  # unprotected speech, on which everybody should agree
    REPEAT = "repeat"  # a trial once more, to see whether it is answered alike


UNPROTECTED = ""
"""In the place of the name of a safeguard."""
UNPROTECTED_FOLDER = "unprotected"
"""Where its scores lie, beside those of safeguards in folders of their names."""


@dataclass(frozen=True)
class Stimulus:
    """A recording as it is heard: its id, and the safeguard it has passed, or UNPROTECTED."""

    recording: str
    safeguard: str = UNPROTECTED


@dataclass(frozen=True)
class ListeningItem:
    """What a listener hears before one answer.

    `safeguard` is that of the trial, UNPROTECTED among them; `canvas` tells which set of recordings is
    placed, whoever does it under whichever safeguard; `of` names the item that a repeat repeats.
    """

    id: str
    question: ItemTask
    kind: ItemPurpose
    stimuli: tuple[Stimulus, ...]
    safeguard: str = UNPROTECTED
    canvas: int | None = None
    of: str = ""


# Values of JSON that somebody else wrote, taken one by one; what is wrong is refused by name.


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
