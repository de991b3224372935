"""How sure everything in a project is: intervals where they are missing, and which ranks are settled."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.project.comparison.difference_tests import SettledGroups, settle
from zebra_core.project.comparison.intervals import measure
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import voice_trials_of, weighable_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings

_NOTHING_TO_COMPARE = "difference-no-group"
_TESTING = 0.4  # of the work


def with_certainty(
    project: Project,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    must_compare: bool = False,
) -> tuple[Project, tuple[str, ...]]:
    """The project with intervals of all assessments and matrices, and the differences of each group tested.

    What is there stays as it is. A sentence tells of each for which it could not be had; that there is
    nothing to compare is told only with `must_compare`. Raises Cancelled.
    """
    settings = settings or BootstrapSettings()
    faults: tuple[str, ...] = ()
    if not project.settled:
        part = part_of(on_progress, 0.0, _TESTING)
        found = _settled(project, settings, part, must_compare=must_compare)
        project, faults = replace(project, differences=found.settled), found.faults
    missing = [item for item in project.items if item.lacks_intervals]
    part = part_of(on_progress, _TESTING, 1.0)
    alone = measure(missing, weighable_of, settings, part, read_voices=voice_trials_of)
    on_progress(1.0)
    return project.with_trust(alone.trust), (*faults, *alone.faults)


def _settled(
    project: Project, settings: BootstrapSettings, on_progress: Progress, *, must_compare: bool
) -> SettledGroups:
    try:
        return settle(project, weighable_of, settings, on_progress, read_voices=voice_trials_of)
    except InputError as error:
        is_told = must_compare or error.code != _NOTHING_TO_COMPARE
        return SettledGroups((), (str(error),) if is_told else ())
