"""What the jobs of a document do. Each imports in its thread what it needs: SciPy comes along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from zebra_core.errors import ZebraError
from zebra_core.files.writing import make_folder, remove_leftovers
from zebra_core.runtime.progress import Progress, part_of
from zebra_gui import core_types as core

View = Mapping[str, Any]
"""How the window looks, as plain values that a project keeps."""


def open_file(path: Path, on_progress: Progress) -> core.OpenedProject:
    """The project of a file."""
    from zebra_core.saved.project_file import open_project

    remove_leftovers(path.parent)
    return open_project(path, on_progress)


def save_file(
    project: core.Project,
    path: Path,
    view: View,
    kept_at: Mapping[core.FileKey, Path],
    with_inputs: bool,
    voices: Mapping[str, core.EmbeddedRecording],
    on_progress: Progress,
) -> core.SavedProject:
    """Save the project."""
    from zebra_core.project.inputs import put_back
    from zebra_core.saved.project_file import save_project

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
    project: core.Project,
    path: Path,
    view: View,
    kept_at: Mapping[core.FileKey, Path],
    on_progress: Progress,
) -> Path:
    """Save the project beside its file, or where unsaved ones are kept, for its owner alone."""
    from zebra_core.project.inputs import put_back
    from zebra_core.saved.project_file import save_project

    make_folder(path.parent)
    return save_project(put_back(project, kept_at), path, view, private=True, on_progress=on_progress).path


def find_inputs(
    project: core.Project,
    path: Path | None,
    folders: Iterable[Path],
    keep_in: Path | None,
    on_progress: Progress,
) -> tuple[core.Findings, dict[core.FileKey, Path]]:
    """How it stands with the files of a project, and where those are that were inside its file.

    What is found nowhere is taken out of the project file, where it is inside and there is room for it.
    """
    from zebra_core.evidence.files import InputState
    from zebra_core.project.inputs import check, kept_elsewhere, with_findings
    from zebra_core.saved.project_file import restore_inputs

    beside = [path.parent] if path else []
    found = check(project, [*folders, *beside], part_of(on_progress, 0.0, 0.8))
    if path is None or keep_in is None or not found.of_state(InputState.MISSING):
        return found, {}
    kept: dict[core.FileKey, Path] = {}
    with suppress(ZebraError):  # the project file itself has gone: then nothing is inside
        kept = restore_inputs(path, with_findings(project, found), keep_in, part_of(on_progress, 0.8, 1.0))
    return kept_elsewhere(found, kept), kept


def look_for_changes(
    project: core.Project, before: Mapping[Path, core.Stamp], on_progress: Progress
) -> tuple[core.Findings, dict[Path, core.Stamp]]:
    """How it stands with the files that were touched since `before`, and the stamps of all now."""
    from zebra_core.project.rereading import look_for_changes

    return look_for_changes(project, before, on_progress)


def read_anew(items: Sequence[core.Item], on_progress: Progress) -> core.RereadItems:
    """Items whose files have changed, with the figures of today."""
    from zebra_core.project.rereading import read_all_anew

    return read_all_anew(items, on_progress)
