"""What stands apart from a project and yet has a part in it, such as tests by ear; found when first met.

Nothing that a project is read, saved, drawn or reported by imports a satellite: it asks here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Protocol, cast
from uuid import uuid4

from zebra_core.evidence.files import InputFile
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.files.schema import Type
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.assessment import Settings
from zebra_core.project.items import Entry
from zebra_core.runtime.progress import Progress

SATELLITES: Mapping[str, str] = {"listening": "zebra_core.listening.satellite"}
"""The name of each in project files and evidence, and the module that has it as `SATELLITE`."""
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


class Satellite(Protocol):
    """What is asked of a satellite. What opens files raises InputError where they have changed."""

    study: type[Study]
    outcome: Type  # of the values of its studies
    evidence: Type  # of all its studies in evidence

    # Its items

    def label(self, entry: Entry) -> str:
        """What tells an assessment from many of one name, such as a code; empty where nothing does."""

    def read(self, entry: Entry, on_progress: Progress) -> Entry:
        """The assessment computed again from its files."""

    def read_anew(self, entry: Entry) -> Entry:
        """The assessment with the figures of its files as they are today."""

    def assessed(
        self,
        files: Sequence[InputFile],
        choices: Mapping[str, str],
        settings: Settings,
        on_progress: Progress,
    ) -> Entry:
        """The assessment that these choices name, from these files as they are now."""

    def weighable(self, entry: Entry, on_progress: Progress) -> Resamplable:
        """What draws of speakers and of others need."""

    def speakers(self, entry: Entry) -> dict[str, str]:
        """Who speaks in which recording."""

    # Its studies

    def refuse_unlike(self, files: Sequence[InputFile], values: object, file: str) -> None:
        """Raise InputError for what is not a study, in a project file of this name."""

    def again(self, study: Study, on_progress: Progress) -> Study:
        """The study from its files, with the decisions that were made."""

    def title(self, values: Mapping[str, Any]) -> str:
        """What a study that is verified is called."""

    def figures_by_name(self, values: Mapping[str, Any]) -> dict[str, object]:
        """What is compared of a study that is verified; each row by what it is of."""

    def pictures(self, study: Any) -> Iterable[Any]:
        """Its pictures: each a `figures.all_pictures.AvailablePicture`."""

    def section(self, study: Any, number: int) -> Iterable[Any]:
        """What a report says of it, as the study of this number: each a `report.document.Block`."""


def satellite_named(name: str) -> Satellite:
    """One of SATELLITES."""
    return cast(Satellite, import_module(SATELLITES[name]).SATELLITE)


def satellite_of(files: Iterable[InputFile]) -> Satellite | None:
    """Whose item rests on these files; None where it is of no satellite."""
    names = (_OF_ROLE[file.role] for file in files if file.role in _OF_ROLE)
    return next(map(satellite_named, names), None)
