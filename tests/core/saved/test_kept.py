"""Projects that an earlier version saved open with the figures that it computed."""

from pathlib import Path

import pytest

from zebra_core.project.items import Condition
from zebra_core.saved.project_file import open_project

KEPT = Path(__file__).parents[2] / "data" / "kept"


def test_a_project_of_version_0_1_0_opens_with_its_figures_and_intervals():
    project = open_project(KEPT / "project-0.1.0.zebra").project

    unprotected, b1w = project.entries
    assert (unprotected.full_name, unprotected.condition) == ("unprotected OO", Condition.OO)
    assert unprotected.assessment.d_ece_bits == pytest.approx(0.6781596897162824, abs=1e-12)
    assert (b1w.assessment.tag, b1w.assessment.n_target) == ("A", 156)
    assert b1w.trust is not None
    assert b1w.trust.uncertainty.replicates == 200
    assert [item.name for item in project.similarities] == ["B1w"]
    assert project.similarities[0].trust is not None


def test_it_says_which_intervals_and_ranks_are_of_an_older_rule():
    (older,) = open_project(KEPT / "project-0.1.0.zebra").older

    assert older.startswith("The intervals of unprotected OO and B1w OP were computed by the rule of")
    assert older.endswith("“How sure are we?” computes them again.")
