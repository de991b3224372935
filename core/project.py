"""The Project: the document a user works on, a list of assessments with their names and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from uuid import uuid4

from core.assessment import Assessment
from core.intake.answers import Answers
from core.intake.audit import Audit
from core.scales import PAPER_SCALE, TagScale, VerbalScale
from core.trials import Trials


class Condition(Enum):
    """Which side of the comparisons was protected: enrolment first, then test; O original, P protected."""

    OO = "OO"
    OP = "OP"
    PP = "PP"


@dataclass(frozen=True, eq=False)
class Entry:
    """One assessment in the project: what it is called, under which condition, and what came of it."""

    name: str
    trials: Trials
    assessment: Assessment
    condition: Condition | None = None  # None: the user has not said
    colour: int | None = 0  # number of its series; None for the unprotected baseline, which is grey
    choices: Mapping[str, str] = field(default_factory=dict)  # how its files were read, to read them again
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def full_name(self) -> str:
        """The name with its condition: a figure is never shown without the condition it holds for."""
        return f"{self.name} {self.condition.value}" if self.condition else self.name

    @property
    def audit(self) -> Audit | None:
        """What was found in its files, with the user's decisions; None for trials that came from no files."""
        return self.trials.audit


@dataclass(frozen=True, eq=False)
class Project:
    """Never changed: a change makes a new Project, and going back to the old one undoes it."""

    title: str = ""
    entries: tuple[Entry, ...] = ()
    answers: Answers = field(default_factory=Answers)  # of the user, about files
    tag_scale: TagScale = PAPER_SCALE  # of every entry
    verbal_scale: VerbalScale | None = None  # shown beside the tags where given

    def entry(self, entry_id: str) -> Entry:
        """The entry with this id. Raises KeyError."""
        for entry in self.entries:
            if entry.id == entry_id:
                return entry
        raise KeyError(entry_id)

    def with_entry(self, entry: Entry) -> Project:
        """With one more entry at the end, on the project's scales."""
        return replace(self, entries=(*self.entries, _on_scales_of(self, entry)))

    def with_scales(self, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Project:
        """With other scales, and every entry tagged anew."""
        project = replace(self, tag_scale=tag_scale, verbal_scale=verbal_scale)
        return replace(project, entries=tuple(_on_scales_of(project, entry) for entry in self.entries))

    def with_assessments(self, assessments: Mapping[str, Assessment]) -> Project:
        """With these assessments, by the id of their entry, in the place of the old ones."""
        entries = (
            replace(entry, assessment=assessments[entry.id]) if entry.id in assessments else entry
            for entry in self.entries
        )
        return replace(self, entries=tuple(_on_scales_of(self, entry) for entry in entries))

    def remembering(self, answers: Answers) -> Project:
        """With these answers, which are taken for granted when the same files come again."""
        return replace(self, answers=self.answers.and_then(answers))

    def without(self, entry_ids: Iterable[str]) -> Project:
        """Without these entries."""
        gone = set(entry_ids)
        return replace(self, entries=tuple(entry for entry in self.entries if entry.id not in gone))

    def next_colour(self) -> int:
        """The first series number that no entry has."""
        taken = {entry.colour for entry in self.entries}
        return next(number for number in range(len(taken) + 1) if number not in taken)


def _on_scales_of(project: Project, entry: Entry) -> Entry:
    assessment = entry.assessment.on_scales(project.tag_scale, project.verbal_scale)
    return entry if assessment is entry.assessment else replace(entry, assessment=assessment)
