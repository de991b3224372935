"""How sure are we: asked in the window, shown in pictures and on cards, stopped with what there is."""

import threading

import pytest

from zebra_core.errors import Cancelled
from zebra_core.figures.figure import Ink
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_gui.panes.facts import population, worst_case
from zebra_gui.panes.pictures import ECE, NECE, Subject, View


@pytest.fixture
def quick(fewer_draws):
    """As few replicates as are enough for an interval."""
    fewer_draws("zebra_core.project.comparison.difference_tests.trust_of", 30)


@pytest.fixture
def few_pairs(fewer_draws):
    """As few replicates as are enough for three pairs to be settled."""
    fewer_draws("zebra_gui.session.work.settle", 99)


def subject(session):
    return Subject(session.entries, session.selected, None)


def test_the_selected_entry_gets_its_intervals_and_undo_takes_them_away(demo_session, jobs, settled, quick):
    demo_session.intervals.measure_selected()
    settled(jobs)
    assert [entry.trust is not None for entry in demo_session.entries] == [False, False, True, False]
    assert demo_session.selected.trust.uncertainty.replicates == 30
    demo_session.undo_stack.undo()
    assert demo_session.selected.trust is None


def test_all_entries_get_theirs(demo_session, jobs, settled, quick):
    demo_session.intervals.measure_all()
    settled(jobs)
    assert all(entry.trust for entry in demo_session.entries)


@pytest.mark.parametrize("picture", [ECE, NECE])
def test_the_picture_has_a_band_and_the_grey_one_unless_it_is_hidden(
    demo_session, jobs, settled, quick, picture
):
    assert picture.draw(subject(demo_session), View()).areas == ()
    demo_session.intervals.measure_selected()
    settled(jobs)
    assert [area.colour for area in picture.draw(subject(demo_session), View()).areas] == [Ink.MUTED, 1]
    assert picture.draw(subject(demo_session), View(bands=False)).areas == ()


def test_the_cards_say_how_sure_the_figures_are(demo_session, jobs, settled, quick):
    demo_session.intervals.measure_selected()
    settled(jobs)
    entry = demo_session.selected
    assert "D_ECE with its 95 % interval over 63 speakers: " in population(entry).more
    assert "None of 30 sets without any disclosure showed 0.20 bit or more." in population(entry).more
    assert "sets without any disclosure" in worst_case(entry).more


def test_stopped_it_keeps_the_replicates_there_are(demo_session, jobs, settled, monkeypatch, qtbot):
    begun = threading.Event()

    def slow(trials, known, _settings, **rest):
        watch = rest.pop("on_progress")

        def watched(share):
            if share > 0.16:
                begun.set()
                while True:  # until the user stops it
                    watch(share)
            watch(share)

        return trust_of(trials, known, BootstrapSettings(replicates=40), on_progress=watched, **rest)

    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.trust_of", slow)
    demo_session.intervals.measure_selected()
    qtbot.waitUntil(begun.is_set, timeout=60_000)
    jobs.cancel_all()
    settled(jobs)
    found = demo_session.selected.trust
    assert found is not None
    assert 20 <= found.uncertainty.replicates < 40
    assert found.null is None


def test_stopped_before_there_is_anything_nothing_changes(demo_session, jobs, settled, monkeypatch):
    def stopped(*_args, **_rest):
        raise Cancelled

    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.trust_of", stopped)
    demo_session.intervals.measure_selected()
    settled(jobs)
    assert demo_session.selected.trust is None
    assert demo_session.problems == ()


def test_intervals_are_gone_once_the_scores_are_something_else(demo_session, jobs, settled, quick):
    from zebra_core.metrics.assessment import ScoreMeaning

    demo_session.intervals.measure_selected()
    settled(jobs)
    demo_session.reassessing.declare([demo_session.selected.id], ScoreMeaning.LOG10_LR)
    settled(jobs)
    assert demo_session.selected.trust is None


def test_the_menu_asks_when_something_is_there(window, demo, settled, quick):
    assert not window.assess_menu.trust_action.isEnabled()
    assert not window.assess_menu.trust_all_action.isEnabled()
    window.session._on_demo_assessed(demo)
    window.assess_menu.trust_action.trigger()
    settled(window.jobs)
    assert window.session.selected.trust is not None


def test_differences_are_tested_and_undo_takes_them_away(demo_session, jobs, settled, few_pairs):
    demo_session.intervals.settle_differences()
    settled(jobs)
    [one] = demo_session.project.settled
    names = [demo_session.project.entry(entry_id).name for entry_id in one.assessments]
    assert names == ["B1w", "B2", "B2r"]
    assert list(one.ranks_among(list(one.assessments)).values()) == [(1, 1), (2, 3), (2, 3)]
    demo_session.undo_stack.undo()
    assert demo_session.project.settled == ()


def test_what_cannot_be_compared_is_told(demo_session, jobs, settled, few_pairs):
    demo_session.edits.remove([entry.id for entry in demo_session.entries[2:]])
    demo_session.intervals.settle_differences()
    settled(jobs)
    assert demo_session.project.differences == ()
    assert "There is nothing to compare" in demo_session.problems[-1]


def test_differences_can_be_stopped_and_what_there_is_stays(demo_session, jobs, settled, monkeypatch, qtbot):
    begun = threading.Event()

    def slow(project, read_trials, on_progress, **rest):
        def watched(share):
            if share > 0.9:
                begun.set()
                while True:  # until the user stops it
                    on_progress(share)
            on_progress(share)

        return settle(project, read_trials, BootstrapSettings(replicates=60), watched, **rest)

    monkeypatch.setattr("zebra_gui.session.work.settle", slow)
    demo_session.intervals.settle_differences()
    qtbot.waitUntil(begun.is_set, timeout=60_000)
    jobs.cancel_all()
    settled(jobs)
    [one] = demo_session.project.settled
    assert 20 <= one.replicates < 60
    assert f"rest on {one.replicates} of 60 replicates" in str(one.remarks[-1])


def test_the_menu_tests_differences_when_something_is_there(window, demo, settled, few_pairs):
    assert not window.assess_menu.settle_action.isEnabled()
    window.session._on_demo_assessed(demo)
    window.assess_menu.settle_action.trigger()
    settled(window.jobs)
    assert window.session.project.settled
