"""Remarks: what the user must be told beside a figure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from core.texts import say


class Severity(Enum):
    """How much a remark weighs."""

    NOTE = "note"
    WARNING = "warning"


@dataclass(frozen=True)
class Remark:
    """One thing to be told: the code of its text, the values in it, and how much it weighs."""

    code: str
    facts: dict[str, object] = field(default_factory=dict)
    severity: Severity = Severity.NOTE

    def __str__(self) -> str:
        return say(f"remark.{self.code}", **self.facts)
