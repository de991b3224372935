"""By whom speech was attacked, as far as that was stated: the same facts wherever an attack is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from zebra_core.evidence.value_types import Name

ATTACK = {
    "attacker": "what they know",
    "recogniser": "which told speakers apart, where it was stated",
    "back_end": "what made scores of its embeddings, where it was stated",
}
"""What is stated of an attack, by the names that files and options have for it, and what it means."""


@dataclass(frozen=True, eq=False, kw_only=True)
class StatedAttack:
    """By whom speech was attacked; texts, empty where nobody stated it."""

    attacker: Name = ""  # a value of Attacker, or the user's words
    recogniser: Name = ""
    back_end: Name = ""  # "PLDA" say

    @property
    def attacked_by(self) -> dict[str, str]:
        """All of it, under the names of `ATTACK`."""
        return {name: getattr(self, name) for name in ATTACK}

    def attacked_as(self, words: Mapping[str, str]) -> Self:
        """The same with these words, under names of `ATTACK`."""
        changed: dict[str, Any] = dict(words)
        return replace(self, **changed)

    @property
    def attack(self) -> str:
        """Knowledge, recogniser and back end of the attacker, as far as they were stated; or empty."""
        return ", ".join(filter(None, self.attacked_by.values()))
