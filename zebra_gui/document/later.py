"""What the jobs of a document do; the core is imported when they do it, for SciPy takes its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zebra_core.runtime.progress import Progress

if TYPE_CHECKING:
    from zebra_core.project.inputs import Findings, Known
    from zebra_core.project.project import Project
    from zebra_core.saved.project_file import Opened, SavedProject

View = Mapping[str, Any]


def open_file(path: Path, on_progress: Progress) -> Opened:
    """The project of a file."""
    from zebra_gui.document import work

    return work.open_file(path, on_progress)


def save_file(
    project: Project,
    path: Path,
    view: View,
    kept_at: Mapping[Known, Path],
    with_inputs: bool,
    overwrite: bool,
    on_progress: Progress,
) -> SavedProject:
    """Save the project."""
    from zebra_gui.document import work

    return work.save_file(project, path, view, kept_at, with_inputs, overwrite, on_progress)


def find_inputs(
    project: Project,
    path: Path | None,
    folders: Sequence[Path],
    keep_in: Path | None,
    on_progress: Progress,
) -> tuple[Findings, dict[Known, Path]]:
    """How it stands with the files of a project, and where those are that were inside its file."""
    from zebra_gui.document import work

    return work.find_inputs(project, path, folders, keep_in, on_progress)
