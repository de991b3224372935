"""The names of the reference toolkit."""

from dataclasses import replace

import pytest

from tests.core.samples import small_entry
from zebra_core.project.comparison.challenge import challenge_names, challenge_system
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.items import Condition
from zebra_core.project.project import Project


@pytest.mark.parametrize(
    ("dataset", "condition", "name"),
    [
        ("libri_f", Condition.OO, "libri-o-o-f"),
        ("libri_test_trials_m", Condition.OP, "libri-o-a-m"),
        ("vctk_f_common", Condition.PP, "vctk_common-a-a-f"),
        ("vctk_test_trials_m_common", Condition.PP, "vctk_common-a-a-m"),
        ("libri_dev_f", Condition.PP, "libri_dev-a-a-f"),
        ("mixed", Condition.PP, "mixed-a-a"),
        ("", Condition.OP, "o-a"),
        ("", None, ""),
    ],
)
def test_a_group_is_called_as_in_the_toolkits_figures(
    dataset: str, condition: Condition | None, name: str
) -> None:
    assert str(challenge_names(ComparisonGroup(dataset, condition, "ignorant"))) == name


@pytest.mark.parametrize(
    ("run", "system"), [("", "B1"), ("1", "B1_run1"), ("run1", "B1_run1"), ("first", "B1_first")]
)
def test_a_system_is_called_as_its_folder(run: str, system: str) -> None:
    (row,) = compare(Project(items=(replace(small_entry(), run=run),))).rows
    assert challenge_system(row) == system
