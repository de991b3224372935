"""What every section of a report draws on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.project import Entry, Project, distinct_names
from core.report.content.files import distinct_files, shown
from core.report.content.groups import Group, groups_of
from core.report.content.result import result_of
from core.report.content.values import Result
from core.report.material import Material
from core.report.settings import ReportSettings
from core.trials import InputFile


@dataclass(frozen=True, eq=False)
class Frame:
    """The project with its material, names and files, as the sections refer to them."""

    material: Material
    settings: ReportSettings
    versions: Mapping[str, str]
    files: Sequence[InputFile]
    names: Mapping[str, str]  # distinct ones, by the id of the item
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, material: Material, versions: Mapping[str, str]) -> Frame:
        """The frame of a project."""
        project = material.project
        items = project.items
        names = dict(zip((item.id for item in items), map(shown, distinct_names(items)), strict=True))
        return cls(
            material, project.report, versions, distinct_files(items), names, groups_of(project.entries)
        )

    @property
    def project(self) -> Project:
        """The project."""
        return self.material.project

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its assessments."""
        return self.material.project.entries

    def result(self, entry: Entry, group: Group | None = None) -> Result:
        """The result of an entry: under its distinct name, or the shorter one below a group's heading."""
        within = group is not None and bool(group.heading)
        name = shown(entry.name if not entry.run else f"{entry.name} {entry.run}")
        return result_of(entry, name if within else self.short_name(entry), self.files)

    def short_name(self, entry: Entry) -> str:
        """The distinct name of an entry without its condition, which stands beside it."""
        name = self.names[entry.id]
        if entry.condition is None:
            return name
        bare = shown(f"{entry.name} {entry.run}" if entry.run else entry.name)
        return name.replace(f"{bare} {entry.condition.value}", bare, 1)
