"""Remarks: what the user must be told beside a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from zebra_core.wording.names import MOST_NAMES, clauses
from zebra_core.wording.texts import LONGEST_QUOTE, say, visible, visible_sentence


class Severity(Enum):
    """How much a remark weighs."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"  # there are no figures for it to stand beside


@dataclass(frozen=True)
class Remark:
    """One thing to be told: `str()` is the sentence.

    `code` names its text in the `section` of the texts, `facts` are the values in it, and `severity` says
    how much it weighs. A fact that is said in words is a remark itself, or several: it is then said in the
    language of this one.
    """

    code: str
    facts: dict[str, object] = field(default_factory=dict)
    severity: Severity = Severity.NOTE
    section: str = "remark"

    def __str__(self) -> str:
        # Its facts may come from a project that somebody else made.
        return visible_sentence(say(f"{self.section}.{self.code}", **self.facts))


@dataclass(frozen=True)
class Remarks:
    """Several remarks as a fact of another: `str()` is one line of clauses."""

    parts: tuple[Remark, ...]

    def __str__(self) -> str:
        return clauses(map(str, self.parts))


def and_more(names: Sequence[str], most: int = MOST_NAMES, longest: int = LONGEST_QUOTE) -> str | Remark:
    """The first names, each of up to so many characters, as a fact that says how many more there are."""
    shown = ", ".join(visible(name, longest) for name in names[:most])
    facts: dict[str, object] = {"shown": shown, "count": len(names) - most}
    return Remark("and-more", facts, section="word") if len(names) > most else shown
