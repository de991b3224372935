"""What every section of a report draws on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zebra_core.evidence.files import InputFile
from zebra_core.project.items import Entry, distinct_names
from zebra_core.project.material import StudiedProject
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.report.content.files import distinct_files, shown
from zebra_core.report.content.groups import EntryGroup, groups_of
from zebra_core.report.content.result import result_of
from zebra_core.report.content.values import Result
from zebra_core.wording.names import shortened
from zebra_core.wording.texts import say

LONGEST_NAME = 60  # characters, in tables; the findings and the data have all of it


@dataclass(frozen=True, eq=False)
class Frame:
    """The project with its material, names and files, as the sections refer to them."""

    material: StudiedProject
    settings: ReportSettings
    versions: Mapping[str, str]
    files: Sequence[InputFile]
    names: Mapping[str, str]  # distinct ones, by the id of the item
    groups: tuple[EntryGroup, ...]

    @classmethod
    def of(cls, material: StudiedProject, versions: Mapping[str, str]) -> Frame:
        """The frame of a project."""
        project = material.project
        items = project.items
        names = dict(zip((item.id for item in items), map(shown, distinct_names(items)), strict=True))
        return cls(
            material,
            project.report,
            versions,
            distinct_files(items, project.studies),
            names,
            groups_of(project.entries),
        )

    @property
    def project(self) -> Project:
        """The project."""
        return self.material.project

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessments of the project."""
        return self.material.project.entries

    def result(self, entry: Entry, group: EntryGroup | None = None) -> Result:
        """The result of an entry; below a group's heading its name need not say the dataset."""
        within = group is not None and bool(group.heading)
        return result_of(entry, _bare_name(entry) if within else self.short_name(entry), self.files)

    def short_name(self, entry: Entry) -> str:
        """The name of an entry without condition and attacker, which stand beside it."""
        if len(self.project.datasets) < 2 or not entry.dataset:
            return _bare_name(entry)
        return shown(say("name.of-dataset", name=_bare_name(entry), dataset=entry.own_dataset))

    def row_name(self, entry: Entry, group: EntryGroup | None = None) -> str:
        """What stands in a row of a table: name, condition and attacker, shortened where it is very long."""
        result = self.result(entry, group)
        return f"{shortened(result.name, LONGEST_NAME)} {result.condition}"


def _bare_name(entry: Entry) -> str:
    return shown(entry.name_and_run)
