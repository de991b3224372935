"""The window that the tests of a module share: as it was at first, whatever a test did with it."""

import pytest
from PySide6.QtWidgets import QComboBox

from tests.zebra_gui.shared_window import SharedWindow
from zebra_gui.app import make_app, make_window
from zebra_gui.models.comparison import NAME
from zebra_gui.panes.compare import ComparePicture


@pytest.fixture(scope="module")
def seen_panes():
    return ("compare",)


@pytest.fixture
def lent(window_of_module, qtbot):
    return window_of_module.lend()


def compare_pane(window):
    return window.workspace.pane("compare")


def test_what_a_user_can_set_is_set_again(window_of_module, lent, demo):
    session, workspace, pane = lent.session, lent.workspace, compare_pane(lent)
    selected, prior, picture = session.selected_ids, session.prior, pane.card.picture
    boxes, hidden = lent.findChildren(QComboBox), pane.table.isColumnHidden(NAME + 1)
    boxes = [box for box in boxes if box.objectName() != "sessions"]  # the project says it
    chosen = [box.currentIndex() for box in boxes]

    lent.resize(1024, 700)
    workspace.show_topic("compare")
    session.select(session.entries[3].id)
    session.edits.rename([session.entries[0].id], "another")
    session.consider_prior(7)
    pane.filter.setText("7")
    pane.table.show_column(NAME + 1, shown=hidden)
    pane.card.choose(next(other for other in ComparePicture if other is not picture))
    window_of_module.take_back()

    assert window_of_module.lend() is lent
    assert session.project is demo
    assert session.undo_stack.count() == 0
    assert [entry.name for entry in session.entries if entry.id in selected] == ["B1w"]
    assert (session.selected_ids, session.prior, pane.card.picture) == (selected, prior, picture)
    assert lent.size().toTuple() == (1280, 800)
    assert workspace.front_pane is workspace.pane("overview")
    assert [box.currentIndex() for box in boxes] == chosen
    assert (pane.filter.text(), pane.table.isColumnHidden(NAME + 1)) == ("", hidden)


def test_where_that_does_not_help_the_test_fails_and_the_next_has_another_window(qapp, demo):
    shared = SharedWindow(lambda: make_window(make_app()), demo, ())
    lent = shared.lend()
    lent.dialogs.ask_files = list
    with pytest.raises(AssertionError, match=r"left the shared window changed.*ask_files"):
        shared.take_back()

    assert shared.lend() is not lent
    shared.take_back()
    shared.close()
