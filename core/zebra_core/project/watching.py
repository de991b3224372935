"""Which files of a project were touched since somebody last looked: told by size and time, then by hash."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zebra_core.project.inputs import Findings, input_files, look_again
from zebra_core.project.project import Project
from zebra_core.runtime.progress import Progress, no_progress

Stamp = tuple[int, int] | None
"""Size in bytes and time of the last change in nanoseconds; None where there is nothing."""


def look_for_changes(
    project: Project, before: Mapping[Path, Stamp], on_progress: Progress = no_progress
) -> tuple[Findings, dict[Path, Stamp]]:
    """How it stands with the files that were touched since `before`, and the stamps of all files now.

    Only what was touched is read, and what is seen for the first time with another size; a file of which
    nobody knows better counts as it was when it was read. Raises Cancelled.
    """
    files = input_files(project)
    now = {file.path: _stamp(file.path) for file in files.values()}

    def is_suspicious(path: Path, size: int) -> bool:
        stamp = now[path]
        if path in before:
            return before[path] != stamp
        return stamp is None or stamp[0] != size

    touched = [file for file in files.values() if is_suspicious(file.path, file.size)]
    return look_again(touched, on_progress), now


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns
