"""What stands apart from a project and yet has a part in it: tests by ear, recordings; found when first met.

Nothing that a project is read, saved, drawn or reported by imports a satellite: it asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast
from uuid import uuid4

from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.evidence.value_types import Type
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.assessment import Settings
from zebra_core.project.items import Entry
from zebra_core.runtime.progress import Progress

if TYPE_CHECKING:
    from zebra_core.intake.recordings_file import ScoringRecord

SATELLITES: Mapping[str, str] = {"listening": "zebra_core.listening.satellite"}
"""The name of each in project files and evidence, and the module that has it as `SATELLITE`."""
_PROVENANCE = "zebra_core.recordings.satellite"
_OF_ROLE = {FileRole.LISTENING_PLAN.value: "listening"}


@dataclass(frozen=True, eq=False)
class Study:
    """What a satellite has in a project beside items: a test and what came of it, as plain values.

    The first of its `files` is the plan, on which every item of it rests.
    """

    kind: ClassVar[str]  # the name of its satellite

    files: tuple[InputFile, ...]
    values: Mapping[str, Any] = field(repr=False)
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def satellite(self) -> Satellite:
        """Whose it is."""
        return satellite_named(self.kind)

    @property
    def plan(self) -> InputFile:
        """The file of the plan."""
        return self.files[0]

    @property
    def test(self) -> str:
        """What tells the test from others."""
        return str(self.values["test"])


@dataclass(frozen=True, eq=False)
class Satellite:
    """What is asked of a satellite. What opens files raises InputError where they have changed."""

    study: type[Study]
    outcome: Type  # of the values of a study
    evidence: Type  # of all studies in evidence

    # Its items
    label: Callable[[Entry], str]  # what tells one from many of its name, such as a code; may be empty
    read: Callable[[Entry, Progress], Entry]  # computed again from its files
    read_anew: Callable[[Entry], Entry]  # from its files as they are today
    assessed: Callable[[Sequence[InputFile], Mapping[str, str], Settings, Progress], Entry]  # by its choices
    weighable: Callable[[Entry, Progress], Resamplable]  # what draws of speakers and of others need
    speakers: Callable[[Entry], dict[str, str]]  # who speaks in which recording

    # Its studies
    refuse_unlike: Callable[[Sequence[InputFile], object, str], None]  # files and values, in a file of a name
    again: Callable[[Any, Progress], Study]  # from its files, with the decisions that were made
    title: Callable[[Mapping[str, Any]], str]  # what values that are verified are called
    figures_by_name: Callable[[Mapping[str, Any]], Mapping[str, object]]  # what is compared of them
    pictures: Callable[[Any], Iterable[Any]]  # each a `figures.all_pictures.AvailablePicture`
    section: Callable[[Any, int], Iterable[Any]]  # of a report, by its number: a `report.document.Block` each


@dataclass(frozen=True, eq=False)
class Provenance:
    """What is asked of recordings where scores were made of them, of the record that lies beside these.

    A `frame` is a `report.content.frame.Frame`, a `block` a `report.document.Block`.
    """

    read: Callable[[Entry], ScoringRecord]  # raises InputError where it has gone or changed

    # The copy without names
    attack_of: Callable[[Entry, ScoringRecord], Mapping[str, Any] | None]  # which made the scores
    names_in: Callable[[ScoringRecord], Iterable[str]]
    under_codes: Callable[..., bytes]  # see `recordings.pseudonymised`

    # The file of a project: what recordings sound like, by keys
    voices_as_member: Callable[[Mapping[str, Any]], bytes]
    voices_of: Callable[[bytes, str], dict[str, Any]]  # raises InputError

    # A report
    alarms: Callable[[Any], Iterable[str]]  # of the first page, for a frame
    section: Callable[[Any], Iterable[Any]]  # of the method: blocks for a frame
    limits: Callable[[Any], Iterable[str]]  # of what scores show, for a frame
    appendix: Callable[[Any], Iterable[Any]]  # how to make scores again: blocks for a frame
    evidence: Callable[[Any, Sequence[InputFile]], list[dict[str, object]]]  # of a `StudiedProject`
    checked: Callable[..., Any]  # a `report.verification.ProvenanceChecks`, see `recordings.verification`


def provenance() -> Provenance:
    """That of recordings."""
    return cast(Provenance, import_module(_PROVENANCE).PROVENANCE)


def record_file(entry: Entry) -> InputFile | None:
    """The record of how its scores were made, among the files of an assessment; None where there is none."""
    return next((file for file in entry.files if file.role == FileRole.RECORDINGS.value), None)


def satellite_named(name: str) -> Satellite:
    """One of SATELLITES."""
    return cast(Satellite, import_module(SATELLITES[name]).SATELLITE)


def satellite_of(files: Iterable[InputFile]) -> Satellite | None:
    """Whose item rests on these files; None where it is of no satellite."""
    names = (_OF_ROLE[file.role] for file in files if file.role in _OF_ROLE)
    return next(map(satellite_named, names), None)
