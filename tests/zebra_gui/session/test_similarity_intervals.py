"""How sure figures of matrices are: asked in the pane, shown beside the matrices, undone, and told if not."""

from dataclasses import replace
from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import voices_trust_of
from zebra_gui.panes import similarity_facts

DATA = Path(__file__).parents[2] / "data" / "similarity"


@pytest.fixture(scope="module")
def project():
    return Project(items=tuple(one for one in arrive([DATA]).entries if one.dataset == "other_f"))


@pytest.fixture
def quick(fewer_draws):
    """As few replicates as are enough for an interval."""
    fewer_draws("zebra_core.project.comparison.difference_tests.voices_trust_of", 30)


@pytest.fixture
def card(qtbot, window, project):
    window.session.open_project(project)
    window.workspace.show_topic("similarity")
    return window.workspace.front_pane.card


def test_the_button_asks_for_the_shown_matrices_and_undo_takes_the_intervals_away(
    window, card, jobs, settled, quick
):
    session = window.session
    assert not card.ask.isHidden()
    card.ask.click()
    settled(session._jobs)
    assert [one.trust is not None for one in session.project.similarities] == [True, False, False]
    assert card.ask.isHidden()
    lines = dict(line.split("\t") for line in card.grid.as_text().splitlines())
    assert lines["DeID"].endswith(" %")
    assert "±" in lines["DeID"] or "…" in lines["DeID"]
    assert float(lines["D_diag OP by chance"]) > 0.0
    assert "95 % intervals over 5 speakers, 30 replicates, seed 0." in card.remarks.text()
    assert "sets without any disclosure" in card.remarks.text()
    assert "with fewer than twenty they are rough" in card.remarks.text()
    assert "±" in card.summary.whole_text or "…" in card.summary.whole_text
    session.undo_stack.undo()
    assert not any(one.trust for one in session.project.similarities)
    assert "by chance" not in card.grid.as_text()


def test_side_by_side_all_that_are_shown_are_asked(window, card, settled, quick):
    card.chooser.button(2).click()
    card.ask.click()
    settled(window.session._jobs)
    assert all(one.trust for one in window.session.project.similarities)
    assert card.ask.isHidden()


def test_the_menu_asks_for_matrices_too(window, card, settled, quick):
    assert window.assess_menu.trust_action.isEnabled()
    window.assess_menu.trust_action.trigger()
    settled(window.session._jobs)
    assert window.session.selected_item.trust is not None


def test_one_that_cannot_be_asked_does_not_lose_the_others(window, card, settled, quick, monkeypatch):
    first = window.session.project.similarities[0].similarity

    def refused(voices, trials, _settings, **options):
        if voices is first:
            raise InputError("uncertainty-few-speakers", count=2, fewest=3)
        return voices_trust_of(voices, trials, BootstrapSettings(replicates=20), **options)

    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.voices_trust_of", refused)
    window.session.intervals.measure_all()
    settled(window.session._jobs)
    assert [one.trust is not None for one in window.session.project.similarities] == [False, True, True]
    [problem] = window.session.problems
    assert problem.startswith(
        "B1w has no intervals: There are only 2 speakers, but intervals need at least 3"
    )


def test_what_is_not_defined_has_no_interval(project):
    entry = project.similarities[0]
    lonely = replace(entry, similarity=replace(entry.similarity, pp=None))
    assert similarity_facts.shown(lonely, "g_vd_db") == "not measurable"
    assert similarity_facts.trust_in_words(lonely) == ""
