"""Remarks: what the user must be told beside a figure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from zebra_core.wording.texts import say, visible_sentence


class Severity(Enum):
    """How much a remark weighs."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"  # there are no figures for it to stand beside


@dataclass(frozen=True)
class Remark:
    """One thing to be told: `str()` is the sentence.

    `code` names its text in the `section` of the texts, `facts` are the values in it, and `severity` says
    how much it weighs.
    """

    code: str
    facts: dict[str, object] = field(default_factory=dict)
    severity: Severity = Severity.NOTE
    section: str = "remark"

    def __str__(self) -> str:
        # Its facts may come from a project that somebody else made.
        return visible_sentence(say(f"{self.section}.{self.code}", **self.facts))
