"""The prior that the user considers: part of the settings, kept with the view, stated in the evidence."""

import datetime as dt
from dataclasses import replace

import pytest

from tests.core.samples import demo
from zebra_core.document.project_file import open_project, save_project
from zebra_core.metrics.assessment import FIRST_PRIOR
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.evidence import evidence
from zebra_gui.session import session


def priors_of(project):
    return {entry.assessment.settings.prior_one_in for entry in project.entries}


def test_a_project_at_a_prior_has_the_same_figures():
    project = demo()
    other = project.at_prior(1000)
    assert priors_of(project) == {FIRST_PRIOR} == {100}
    assert priors_of(other) == {1000}
    for before, after in zip(project.entries, other.entries, strict=True):
        assert after.assessment.counts is before.assessment.counts
        assert after.assessment.rests_on == before.assessment.rests_on
        assert after.assessment.d_ece_bits == before.assessment.d_ece_bits


def test_at_its_own_prior_a_project_is_itself():
    project = demo()
    assert project.at_prior(FIRST_PRIOR) is project


def test_the_window_begins_with_the_prior_that_figures_begin_with():
    assert session.FIRST_PRIOR == FIRST_PRIOR


@pytest.mark.parametrize(
    ("view", "one_in"),
    [
        ({"prior": 1000}, 1000),
        ({}, 100),
        ({"prior": 1}, 100),
        ({"prior": "many"}, 100),
        ({"prior": True}, 100),
        ({"prior": 2_000_000_000}, 100),
    ],
)
def test_an_opened_project_is_judged_at_the_prior_of_its_view(tmp_path, view, one_in):
    project = replace(demo(), items=demo().items[:1])
    save_project(project, tmp_path / "p.zebra", view=view)
    assert priors_of(open_project(tmp_path / "p.zebra").project) == {one_in}


def test_an_opened_project_without_a_view_is_judged_at_one_in_as_many_as_are_in_question(tmp_path):
    project = replace(demo(), items=demo().items[:1]).among(17)
    assert priors_of(project) == {17}
    for view, one_in in (({}, 17), ({"prior": 1000}, 1000)):
        save_project(project, tmp_path / "p.zebra", view=view, overwrite=True)
        assert priors_of(open_project(tmp_path / "p.zebra").project) == {one_in}


def test_evidence_states_the_prior_among_its_settings_and_figures():
    project = replace(demo(), items=demo().items[2:3]).at_prior(20)
    made = evidence(gather(project), dt.date(2026, 11, 22), {"zebra": "1"})["assessments"][0]
    assert made["settings"]["prior_one_in"] == made["prior_one_in"] == 20
