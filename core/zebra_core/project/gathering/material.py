"""What a report is made of beside the project: figures that take a pass over the trials, made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from zebra_core.errors import ZebraError
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.project.attributes import AttributeInference
from zebra_core.project.checks.design import Design
from zebra_core.project.checks.outcome import CheckLine
from zebra_core.project.conclusion.conclusion import Conclusion, NamingRate, PeopleFigures
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.people_groups import GroupsOfPeople
from zebra_core.project.project import Project
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.zoo import Zoo
from zebra_core.speakers.zoo_chance import ZooTests
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
    """A project with its speakers by the id of their entry; `missing` says why there are none of an entry.

    `people` says how well they are linked and singled out, `nobody` why nothing can be said of that.
    `inference` says what is told of attributes of theirs, where any were brought along, `not_inferred` why
    nothing can be said. `printed` is what was found of figures printed beside the scores, where the project
    has them no more. `naming` says how often the right one is named. `records` says how scores were made
    from recordings, `unrecorded` why that cannot be read any more. `by_group` says what groups of people
    disclose to the strongest attack on each safeguard, by each attribute, `not_grouped` why nothing can be
    said. `uniqueness` says how many people share their combination of attributes, `not_unique` why nothing
    can be said. `designs` says what rules find that hear no voice, of those whose trials can be read.
    `over_estimation` says by how much scores that are stated to be LLRs exceed what their trials bear out.
    """

    project: Project
    speakers: Mapping[str, AssessmentSpeakers]
    missing: Mapping[str, ZebraError]
    people: Mapping[str, Reidentification] = field(default_factory=dict)
    nobody: Mapping[str, ZebraError] = field(default_factory=dict)
    inference: Mapping[str, tuple[AttributeInference, ...]] = field(default_factory=dict)
    not_inferred: Mapping[str, ZebraError] = field(default_factory=dict)
    printed: CheckLine | None = None
    records: Mapping[str, ScoringRecord] = field(default_factory=dict)
    unrecorded: Mapping[str, ZebraError] = field(default_factory=dict)
    naming: Mapping[str, NamingRate] = field(default_factory=dict)
    by_group: Mapping[str, tuple[GroupsOfPeople, ...]] = field(default_factory=dict)
    not_grouped: Mapping[str, ZebraError] = field(default_factory=dict)
    uniqueness: Mapping[str, Uniqueness] = field(default_factory=dict)
    not_unique: Mapping[str, ZebraError] = field(default_factory=dict)
    designs: Mapping[str, Design] = field(default_factory=dict)
    over_estimation: Mapping[str, OverEstimation] = field(default_factory=dict)

    @cached_property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """The answer for each safeguard."""
        speakers = {entry_id: found.disclosures for entry_id, found in self.speakers.items()}
        missing = {**self.missing, **self.nobody}
        return conclusions(self.project, PeopleFigures(self.naming, speakers, missing))
