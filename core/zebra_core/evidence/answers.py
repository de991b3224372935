"""What the user said about files: plain values that a project keeps, so that nobody is asked twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from zebra_core.evidence.decisions import Decision, decisions


@dataclass(frozen=True)
class Answers:
    """Choices by the id of their question; names of decisions by the place of the score file they are for."""

    choices: Mapping[str, str] = field(default_factory=dict)
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def choosing(self, question_id: str, choice: str) -> Answers:
        """These answers with this choice for a question, in place of any earlier one."""
        return replace(self, choices={**self.choices, question_id: choice})

    def deciding(self, places: Iterable[str], decision: Decision, *, holds: bool) -> Answers:
        """These answers with a decision made, or taken back, for the score files at these places."""
        allowed = dict(self.allowed)
        for place in places:
            others = tuple(name for name in allowed.get(place, ()) if name != decision.value)
            allowed[place] = (*others, decision.value) if holds else others
        return replace(self, allowed=allowed)

    def decisions_for(self, place: str) -> frozenset[Decision]:
        """The decisions for the score file at this place."""
        return decisions(self.allowed.get(place, ()))

    def and_then(self, later: Answers) -> Answers:
        """These answers, where no later ones say otherwise."""
        return Answers({**self.choices, **later.choices}, {**self.allowed, **later.allowed})
