"""What one line of the validation dossier says, and the sections that lines stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from zebra_core.wording.texts import say


@dataclass(frozen=True)
class ExaminedRequirement:
    """One requirement, by which criterion, with which result; `passed` is None where it is only stated."""

    requirement: str
    criterion: str
    result: str
    passed: bool | None
    source: str  # paper, equation or standard
    test: str  # of the program's own tests, below its source

    @property
    def outcome(self) -> str:
        """Passed, failed or stated, in words."""
        if self.passed is None:
            return say("dossier.stated")
        return say("dossier.passed" if self.passed else "dossier.failed")


@dataclass(frozen=True)
class DossierSection:
    """A section of the dossier: what it is about, after which clause, and its lines."""

    name: str
    lines: tuple[ExaminedRequirement, ...]

    @property
    def heading(self) -> str:
        """What stands above it."""
        return say(f"dossier.{self.name}-heading")

    @property
    def about(self) -> str:
        """What was done, and which clauses ask for it."""
        return say(f"dossier.{self.name}-about")

    @property
    def passed(self) -> bool:
        """Whether none of its lines failed, and it has some."""
        return bool(self.lines) and all(line.passed is not False for line in self.lines)

    def as_json(self) -> dict[str, object]:
        """The section as it stands in the JSON."""
        lines: Sequence[ExaminedRequirement] = self.lines
        return {
            "section": self.name,
            "heading": self.heading,
            "about": self.about,
            "passed": self.passed,
            "lines": [asdict(line) for line in lines],
        }
