"""The sheet of recordings has room for its words at 1024 by 700, in each language."""

import pytest
from PySide6.QtWidgets import QScrollArea

import zebra_resources
from tests.zebra_gui.geometry import cut_words
from tests.zebra_gui.pseudo_window import window_in
from tests.zebra_gui.turning import turn_events
from zebra_core.wording.texts import languages


@pytest.fixture(params=languages())
def spoken(request, qapp):
    with window_in(qapp, request.param) as code:
        yield code


def test_nothing_is_cut_and_nothing_lies_beyond_the_side(spoken, window, settled):
    window.resize(1024, 700)
    window.session.load([zebra_resources.path("recordings")])
    settled(window.jobs)
    settled(window.recordings.state.jobs)
    turn_events(10)
    page = window.recordings.page
    areas = page.findChildren(QScrollArea)
    assert [area.horizontalScrollBar().maximum() for area in areas] == [0, 0, 0]
    assert list(cut_words(page)) == []
    window.recordings.state.dismiss()
    settled(window.recordings.state.jobs)
