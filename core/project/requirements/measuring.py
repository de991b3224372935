"""What verdicts need besides the figures: intervals of what is in scope, and paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.project.attackers import attack_groups
from zebra_core.project.checks.exceeding import excess
from zebra_core.project.checks.knowledge import ordered_pairs
from zebra_core.project.items import Entry
from zebra_core.project.measuring import measure
from zebra_core.project.project import Project
from zebra_core.project.reading import trials_of
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.settling import settle
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings

_COMPARING = 0.5  # of the work, where there is something to compare
_NOTHING_TO_COMPARE = "difference-no-group"


def without_bounds(project: Project, requirements: Sequence[Requirement]) -> tuple[Entry, ...]:
    """The assessments that need intervals and have none.

    These are those in scope of what is resampled, and pairs of attackers of whom the one who knows more found
    less, where one of them is in any scope: whether that is chance, only intervals say.
    """
    wanted = {
        entry.id
        for each in requirements
        if each.of.is_resampled and not each.no_worse_than
        for entry in each.scope.of(project.entries)
    }
    in_scope = {entry.id for each in requirements for entry in each.scope.of(project.entries)}
    for group in attack_groups(project):
        for less, more in ordered_pairs(group):
            is_doubtful = excess(less, more).bits > 0.0
            if is_doubtful and in_scope & {less.id, more.id}:
                wanted |= {less.id, more.id}
    return tuple(entry for entry in project.entries if entry.trust is None and entry.id in wanted)


def is_to_compare(project: Project, requirements: Sequence[Requirement]) -> bool:
    """Whether paired differences are needed and not there."""
    return not project.settled and any(each.no_worse_than for each in requirements)


def with_bounds(
    project: Project,
    requirements: Sequence[Requirement],
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> tuple[Project, tuple[str, ...]]:
    """The project with what its verdicts need, and a sentence for each that could not be had.

    What is there stays as it is. Files of trials that were let go are read again. Raises Cancelled.
    """
    faults: tuple[str, ...] = ()
    compares = is_to_compare(project, requirements)
    if compares:
        try:
            found = settle(project, trials_of, settings, part_of(on_progress, 0.0, _COMPARING))
            project, faults = replace(project, differences=found.settled), found.faults
        except InputError as error:
            faults = () if error.code == _NOTHING_TO_COMPARE else (str(error),)
    rest = part_of(on_progress, _COMPARING if compares else 0.0, 1.0)
    alone = measure(without_bounds(project, requirements), trials_of, settings, rest, deals=0)
    on_progress(1.0)
    return project.with_trust(alone.trust), (*faults, *alone.faults)
