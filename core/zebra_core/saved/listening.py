"""Listening tests in project.json: their files, and what came of them; answers stay in their own files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zebra_core.intake.tables.table import FileRole
from zebra_core.project.listening import ListeningStudy, refuse_unlike
from zebra_core.project.project import Project
from zebra_core.saved.parts import file_of, files_as_json
from zebra_core.saved.values import SavedValue

_MOST_STUDIES, _MOST_FILES = 1000, 10_000


def listening_as_json(
    project: Project, folder: Path, *, without_folders: bool = False
) -> list[dict[str, object]]:
    """A list of objects, which `listening_of` reads."""
    return [
        {
            "id": one.id,
            "files": files_as_json(one.files, folder, without_folders=without_folders),
            "values": dict(one.values),
        }
        for one in project.listening
    ]


def listening_of(saved: SavedValue) -> tuple[ListeningStudy, ...]:
    """The tests of a saved project. Raises InputError for what was not saved so."""
    return tuple(_study(row) for row in saved.rows(_MOST_STUDIES))


def _study(row: SavedValue) -> ListeningStudy:
    files = tuple(file_of(one) for one in row["files"].rows(_MOST_FILES))
    if [file.role for file in files[:1]] != [FileRole.LISTENING_PLAN.value]:
        row["files"].refuse("plan")
    values = row["values"].value
    refuse_unlike(values, row.file)
    assert isinstance(values, Mapping)  # noqa: S101 - the schema says so
    return ListeningStudy(files, values, row["id"].text())
