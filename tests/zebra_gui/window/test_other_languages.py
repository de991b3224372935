"""Every pane and dialog has room for the longest words of all languages, and for reading from the right."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from tests.pseudo import LongestCatalogue
from tests.zebra_gui.geometry import cut_words, misplaced
from tests.zebra_gui.pseudo_window import window_speaks
from tests.zebra_gui.turning import turn_events
from zebra_gui.dialogs import FIGURE_KINDS
from zebra_gui.dialogs.about import AboutDialog
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.listening_test import ListeningTestDialog
from zebra_gui.dialogs.pictures import PicturesDialog
from zebra_gui.dialogs.protecting import ProtectDialog
from zebra_gui.dialogs.save import SaveDialog
from zebra_gui.dialogs.scales import ScalesDialog
from zebra_gui.dialogs.shortcuts import ShortcutsDialog
from zebra_gui.dialogs.signing import SigningDialog
from zebra_gui.dialogs.verification import VerificationDialog
from zebra_gui.plots.figure import FigureView

_MOST_LOOKS = 30


@pytest.fixture(scope="module")
def longer(qapp):
    """What the window says is in the language of longer words."""
    with window_speaks(qapp, LongestCatalogue) as code:
        yield code


@pytest.fixture(scope="module")
def seen_panes():
    return ("speakers", "zoo", "people")


@pytest.fixture
def demo_window(longer, shared_window):
    return shared_window


def wrong_at_rest(look):
    """What is wrong once layouts have had the time to settle."""
    for _again in range(_MOST_LOOKS):
        turn_events(10)
        if not (found := look()):
            break
    return found


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_no_word_is_cut_in_any_pane_and_nothing_lies_on_anything_else(qtbot, qapp, demo_window, direction):
    qapp.setLayoutDirection(direction)
    try:
        demo_window.resize(1024, 700)
        found = {}
        for topic in demo_window.workspace.topics:
            if topic == "report":  # its pages take long
                continue
            demo_window.workspace.show_topic(topic)
            qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
            found[topic] = wrong_at_rest(lambda: [*misplaced(demo_window), *cut_words(demo_window)])
        assert found == {topic: [] for topic in found}
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


DIALOGS = {
    "about": AboutDialog,
    "fault": lambda window: FaultDialog(ValueError("a fault"), window),
    "listening test": lambda window: ListeningTestDialog(str, str, print, window),
    "pictures": lambda window: PicturesDialog(FIGURE_KINDS, window),
    "protect": lambda window: ProtectDialog(Path("recordings"), None, str, window),
    "save": lambda window: SaveDialog("case.zebra", window),
    "scales": lambda window: ScalesDialog(window.session, window),
    "shortcuts": lambda window: ShortcutsDialog(window.findChildren(QAction), window),
    "sign": lambda window: SigningDialog(Path("report.pdf"), window),
    "verify": lambda window: VerificationDialog(Path("report.pdf"), window),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_no_word_is_cut_in_any_dialog_and_each_fits_a_small_screen(demo_window, name):
    dialog = DIALOGS[name](demo_window)
    dialog.show()
    found = wrong_at_rest(lambda: list(cut_words(dialog)))
    least = dialog.minimumSizeHint()
    dialog.close()
    dialog.deleteLater()
    assert found == []
    assert (least.width() <= 1024, least.height() <= 700) == (True, True)


def test_the_axes_of_a_plot_stay_where_they_are(qtbot, qapp, demo_window):
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        demo_window.workspace.show_topic("ece")
        qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
        plot = demo_window.workspace.front_pane.findChild(FigureView).plot.getPlotItem()
        qtbot.waitUntil(lambda: plot.getAxis("left").scenePos().x() < plot.vb.scenePos().x())
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
