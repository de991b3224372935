"""What the scores are is said in the menu or below the remark; figures and remarks follow."""

import pytest
from PySide6.QtWidgets import QLabel

from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess

NATURAL, BASE_10 = ScoreMeaning.NATURAL_LLR, ScoreMeaning.LOG10_LR


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


@pytest.fixture
def overview(demo_window):
    demo_window.session.select(demo_window.session.entries[2].id)
    demo_window.workspace.show_topic("overview")
    return demo_window.workspace.pane("overview")


def remarks_on(overview):
    return " ".join(label.text() for label in overview.remarks.findChildren(QLabel) if not label.isHidden())


@pytest.mark.parametrize(("place", "meaning"), [(0, NATURAL), (1, BASE_10)])
def test_the_button_below_the_remark_declares(qtbot, demo_window, overview, settled, place, meaning):
    session = demo_window.session
    qtbot.waitUntil(lambda: "as if they were" in remarks_on(overview))
    assert overview.meaning.isVisible()
    overview.meaning.menu().actions()[place].trigger()
    settled(demo_window.jobs)

    expected = assess(session.selected.trials, Settings(score_meaning=meaning))
    found = session.selected.assessment
    assert found.settings == expected.settings
    assert found.cllr_bits == expected.cllr_bits
    assert found.remarks == expected.remarks
    assert found.misleading == expected.misleading
    assert (found.profile.actual_bits == expected.profile.actual_bits).all()
    qtbot.waitUntil(lambda: "as if they were" not in remarks_on(overview))
    assert not overview.meaning.isVisible()

    session.undo_stack.undo()
    qtbot.waitUntil(lambda: "as if they were" in remarks_on(overview))
    assert overview.meaning.isVisible()


def test_base_10_changes_cllr_and_the_menu_follows(demo_window, overview, settled):
    session = demo_window.session
    before = session.selected.assessment.cllr_bits
    demo_window.edit_menu.stated.meanings.actions()[2].trigger()
    settled(demo_window.jobs)

    assert session.selected.assessment.cllr_bits != before
    assert demo_window.edit_menu.stated.meanings.checkedAction().data() == "log10-lr"
    session.select(session.entries[0].id)
    assert demo_window.edit_menu.stated.meanings.checkedAction().data() == "raw"


def test_the_same_for_all_is_one_change(demo_window, overview, settled):
    session = demo_window.session
    demo_window.edit_menu.stated.meanings.actions()[1].trigger()
    settled(demo_window.jobs)
    everything = next(a for a in demo_window.edit_menu.stated.meaning_menu.actions() if "all" in a.text())
    everything.trigger()
    settled(demo_window.jobs)

    assert {entry.assessment.settings.score_meaning for entry in session.entries} == {NATURAL}
    session.undo_stack.undo()
    meanings = [entry.assessment.settings.score_meaning for entry in session.entries]
    assert meanings.count(NATURAL) == 1


def test_saying_it_again_changes_nothing(demo_window, overview):
    steps = demo_window.session.undo_stack.count()
    demo_window.session.reassessing.declare([demo_window.session.selected.id], ScoreMeaning.RAW)

    assert not demo_window.jobs.waiting
    assert demo_window.session.undo_stack.count() == steps
