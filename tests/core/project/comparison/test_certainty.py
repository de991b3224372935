"""How sure everything in a project is: what a report and a comparison compute before they are made."""

from dataclasses import replace

import pytest

from tests.core.samples import demo
from zebra_core.project.comparison.difference_tests import DEALS, with_certainty
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import BootstrapSettings

FEW = BootstrapSettings(20)


def test_everything_has_intervals_afterwards_matrices_too_and_groups_are_tested() -> None:
    project, faults = with_certainty(demo(), FEW)
    assert faults == ()
    assert all(item.trust is not None for item in project.items)
    assert {len(draws) for item in project.items for draws in item.trust.null.draws.values()} == {DEALS}
    [settled] = project.settled
    assert len(settled.assessments) == 3


def test_what_is_there_stays_as_it_is() -> None:
    once, _ = with_certainty(Project(items=demo().entries[:1]), FEW)
    again, _ = with_certainty(replace(once, title="another"), BootstrapSettings(30))
    assert again.entries[0].trust is once.entries[0].trust


@pytest.mark.parametrize("must_compare", [True, False])
def test_that_there_is_nothing_to_compare_is_told_to_whoever_wants_to_compare(must_compare: bool) -> None:
    alone = Project(items=demo().entries[:2])
    _, faults = with_certainty(alone, FEW, must_compare=must_compare)
    assert len(faults) == int(must_compare)
