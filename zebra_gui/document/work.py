"""What the jobs of a document do; imported when the first of them begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from zebra_core.errors import ZebraError
from zebra_core.evidence.files import InputState
from zebra_core.files.writing import make_folder, remove_leftovers
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import (
    FileKey,
    Findings,
    check,
    kept_elsewhere,
    put_back,
    with_findings,
)
from zebra_core.project.reading.rereading import look_for_changes as look_for_changes
from zebra_core.project.reading.rereading import read_all_anew as read_all_anew
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.saved.project_file import (
    OpenedProject,
    SavedProject,
    open_project,
    restore_inputs,
    save_project,
)

View = Mapping[str, Any]
"""How the window looks, as plain values that a project keeps."""


def open_file(path: Path, on_progress: Progress) -> OpenedProject:
    """The project of a file."""
    remove_leftovers(path.parent)
    return open_project(path, on_progress)


def save_file(
    project: Project,
    path: Path,
    view: View,
    kept_at: Mapping[FileKey, Path],
    with_inputs: bool,
    voices: Mapping[str, object],
    on_progress: Progress,
) -> SavedProject:
    """Save the project."""
    return save_project(
        put_back(project, kept_at),
        path,
        view,
        with_inputs=with_inputs,
        kept_at=kept_at,
        voices=voices,
        on_progress=on_progress,
    )


def save_aside(
    project: Project,
    path: Path,
    view: View,
    kept_at: Mapping[FileKey, Path],
    on_progress: Progress,
) -> Path:
    """Save the project beside its file, or where unsaved ones are kept, for its owner alone."""
    make_folder(path.parent)
    return save_project(put_back(project, kept_at), path, view, private=True, on_progress=on_progress).path


def find_inputs(
    project: Project,
    path: Path | None,
    folders: Iterable[Path],
    keep_in: Path | None,
    on_progress: Progress,
) -> tuple[Findings, dict[FileKey, Path]]:
    """How it stands with the files of a project, and where those are that were inside its file.

    What is found nowhere is taken out of the project file, where it is inside and there is room for it.
    """
    beside = [path.parent] if path else []
    found = check(project, [*folders, *beside], part_of(on_progress, 0.0, 0.8))
    if path is None or keep_in is None or not found.of_state(InputState.MISSING):
        return found, {}
    kept: dict[FileKey, Path] = {}
    with suppress(ZebraError):  # the project file itself has gone: then nothing is inside
        kept = restore_inputs(path, with_findings(project, found), keep_in, part_of(on_progress, 0.8, 1.0))
    return kept_elsewhere(found, kept), kept
