"""What making a listening test does in other threads."""

from __future__ import annotations

from pathlib import Path

from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Watch


def known_recordings(project: core.Project | None, watch: Watch) -> core.RecordedFolders:
    """The recordings that the scores of a project were made from, as far as they are found."""
    import zebra_resources
    from zebra_core.project.recorded_folders import RecordedFolders, recorded_folders_of

    watch(0.0)
    if project is None:
        return RecordedFolders()
    return recorded_folders_of(project, [zebra_resources.path("recordings")])


def foresee(request: core.ListeningRequest, watch: Watch) -> core.Outlook:
    """What a test will come to."""
    from zebra_core.listening.preparing import foresee as outlook_of

    return outlook_of(request, watch)


def make(request: core.ListeningRequest, out: Path, watch: Watch) -> core.ListeningTest:
    """Write the plan and the listeners' files."""
    from zebra_core.listening.making import make_test

    return make_test(request, out, on_progress=watch)
