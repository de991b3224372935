"""What a report is made of beside the project: figures that take a pass over the trials, made once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.project.attributes import AttributeInference
from zebra_core.project.by_group import EntryFindings, GroupsOfPeople
from zebra_core.project.checks.design import Design
from zebra_core.project.checks.outcome import CheckLine
from zebra_core.project.conclusion.conclusion import Conclusion, NamingRate, PeopleFigures, about
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.zoo import Zoo, ZooTests
from zebra_core.uncertainty.over_estimation import OverEstimation
from zebra_core.uncertainty.reidentification import Reidentification


@dataclass(frozen=True, eq=False)
class AssessmentSpeakers:
    """The speakers of one assessment."""

    disclosures: SpeakerDisclosures
    zoo: Zoo
    zoo_tests: ZooTests


@dataclass(frozen=True, eq=False)
class StudiedProject:
    """A project, and what was found of its entries.

    `people` says how well they are linked and singled out, `inference` what is told of attributes of theirs,
    where any were brought along, `naming` how often the right one is named, also by normalised scores, to
    which `exposed` says what each speaker discloses, `records` how scores were made from recordings,
    `by_group` what groups of people disclose to the strongest attack on each safeguard, by
    each attribute, `uniqueness` how many people share their combination of attributes, `designs` what rules
    find that hear no voice, `over_estimation` by how much scores that are stated to be LLRs exceed what
    their trials bear out. `printed` is what was found of figures printed beside the scores, where the
    project has them no more.
    """

    project: Project
    speakers: EntryFindings[AssessmentSpeakers] = field(default_factory=EntryFindings)
    people: EntryFindings[Reidentification] = field(default_factory=EntryFindings)
    inference: EntryFindings[tuple[AttributeInference, ...]] = field(default_factory=EntryFindings)
    records: EntryFindings[ScoringRecord] = field(default_factory=EntryFindings)
    naming: EntryFindings[NamingRate] = field(default_factory=EntryFindings)
    exposed: EntryFindings[SpeakerDisclosures] = field(default_factory=EntryFindings)
    by_group: EntryFindings[tuple[GroupsOfPeople, ...]] = field(default_factory=EntryFindings)
    uniqueness: EntryFindings[Uniqueness] = field(default_factory=EntryFindings)
    designs: EntryFindings[Design] = field(default_factory=EntryFindings)
    over_estimation: EntryFindings[OverEstimation] = field(default_factory=EntryFindings)
    printed: CheckLine | None = None

    @property
    def findings(self) -> dict[str, EntryFindings[Any]]:
        """All that was found, by what it is."""
        return {name: each for name, each in vars(self).items() if isinstance(each, EntryFindings)}

    @cached_property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """The answer for each safeguard."""
        speakers = {entry_id: found.disclosures for entry_id, found in self.speakers.items()} | self.exposed
        missing = {**self.speakers.missing, **self.people.missing}
        return conclusions(self.project, PeopleFigures(self.naming, speakers, missing))

    def answer_of(self, entry: Entry) -> Conclusion | None:
        """The answer for the safeguard of an entry; None of unprotected speech."""
        return about(self.conclusions, entry)
