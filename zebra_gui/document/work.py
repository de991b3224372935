"""What the jobs of a document do; imported when the first of them begins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zebra_core.document.project_file import (
    OpenedProject,
    SavedProject,
    find_inputs as find_inputs,
    open_project,
    save_project,
)
from zebra_core.files.access import make_folder, remove_leftovers
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import FileKey, put_back
from zebra_core.project.reading.late_attributes import (
    look_for_changes as look_for_changes,
    read_all_anew as read_all_anew,
)
from zebra_core.runtime.progress import Progress

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
