"""Recordings dropped on a window, which the tests of a module take turns with."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer

from tests.settings_folder import keep_settings_in
from tests.zebra_gui.conftest import drop, take_style_away
from tests.zebra_gui.recordings.material import material, rest
from zebra_gui.app import make_app, make_window
from zebra_gui.panes.pane import FigureCard
from zebra_gui.settings import settings


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    return material(tmp_path_factory.mktemp("material"))


@pytest.fixture(scope="module")
def own_window(qapp, tmp_path_factory):
    keep_settings_in(tmp_path_factory.mktemp("settings"))
    settings().setValue("intervals_at_once", False)
    window = make_window(make_app())
    window.show()
    yield window
    window.close()
    assert window.finish(10_000)
    window.deleteLater()
    take_style_away()


@pytest.fixture(scope="module")
def walked(own_window, top):
    """From the drop to the verdict, and what was said on the way."""
    window, said = own_window, SimpleNamespace(heard=[])
    recordings = window.recordings.state
    drop(window, top)
    rest(window)
    page = window.recordings.page
    said.text, said.summary, said.is_shown = page.as_text(), page.summary.text(), page.isVisible()
    recordings.progressed.connect(said.heard.append)
    page.start_button.click()
    said.is_locked = not page.folders.isEnabled() and not page.start_button.isEnabled()
    rest(window, lambda: all(card.is_drawn for card in window.findChildren(FigureCard) if card.isVisible()))
    recordings.progressed.disconnect(said.heard.append)
    said.entries, said.problems = window.session.entries, window.session.problems
    said.inside, said.shows_results = window.documents.with_inputs, window.workspace.isVisible()
    return said


@pytest.fixture
def window(own_window, qtbot, monkeypatch):
    """The same window for one test after the other, each with nothing open."""
    own_window.session.restart(None)
    yield own_window
    monkeypatch.undo()
    own_window.recordings.state.dismiss()
    own_window.session.restart(None)
    rest(own_window)
    for timer in own_window.findChildren(QTimer):  # what waits for a pause waits no longer
        timer.stop()


@pytest.fixture
def shown(window, top):
    drop(window, top / "original", top / "B2")
    rest(window)
    return window.recordings.page
