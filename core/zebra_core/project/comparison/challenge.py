"""The names that the reference toolkit's challenge script gives to datasets, tasks, figures and tables."""

from __future__ import annotations

from typing import NamedTuple

from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.items import Condition

TASKS = {Condition.OO: "o-o", Condition.OP: "o-a", Condition.PP: "a-a", None: ""}
_NOT_IN_ITS_NAMES = ("test", "trials")
_GENDERS = ("f", "m")


class ChallengeNames(NamedTuple):
    """What the toolkit calls a group: "vctk_common", "o-a", "f". Empty where nothing is known."""

    dataset: str
    task: str
    gender: str

    def __str__(self) -> str:
        """The group as it stands in the names of the toolkit's figures: vctk_common-o-a-f."""
        return "-".join(part for part in self if part)


def challenge_names(group: ComparisonGroup) -> ChallengeNames:
    """The toolkit's names for a group; its dataset is libri_f, vctk_f_common, vctk_test_trials_f or such."""
    parts = [part for part in group.dataset.split("_") if part not in _NOT_IN_ITS_NAMES]
    gender = next((part for part in parts if part in _GENDERS), "")
    if gender:
        parts.remove(gender)
    return ChallengeNames("_".join(parts), TASKS[group.condition], gender)


def challenge_system(row: ComparisonRow) -> str:
    """A system as evaluations call its folder: B2, and B2r_run1 for run 1 of B2r."""
    name, run = row.entry.name, row.entry.run
    return f"{name}_run{run}" if run.isdigit() else "_".join(part for part in (name, run) if part)
