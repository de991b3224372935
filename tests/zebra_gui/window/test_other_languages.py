"""Every pane and dialog has room for the longest words of all languages, and for reading from the right."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from tests.pseudo import LongestCatalogue
from tests.zebra_gui.geometry import cut_words, misplaced
from tests.zebra_gui.pseudo_window import window_speaks
from tests.zebra_gui.turning import turn_events
from zebra_core.figures.figure import ColourScale
from zebra_gui.dialogs import FIGURE_KINDS
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.page import AboutDialog, ShortcutsDialog
from zebra_gui.dialogs.pictures import PicturesDialog
from zebra_gui.dialogs.save import SaveDialog
from zebra_gui.dialogs.scales import ScalesDialog
from zebra_gui.dialogs.signing import SigningDialog
from zebra_gui.dialogs.verification import VerificationDialog
from zebra_gui.listening.dialog import ListeningTestDialog
from zebra_gui.panes.overview import HeadlineCard
from zebra_gui.plots.cells_items import BAR_WIDTH
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.raster import RasterView
from zebra_gui.recordings.protecting import ProtectDialog

_MOST_LOOKS = 30


@pytest.fixture(scope="module", params=["xx", "he"], ids=["from the left", "from the right"])
def longer(request, qapp):
    """What the window says is in a language of longer words; Hebrew is read from the right."""
    with window_speaks(qapp, LongestCatalogue, request.param) as code:
        yield code


@pytest.fixture(scope="module")
def seen_panes(longer):
    return ("speakers", "zoo", "people")


@pytest.fixture
def demo_window(shared_window):
    return shared_window


@pytest.fixture
def window_behind(window_of_module, qtbot):
    """The same window for what stands before it: these tests leave it as it is, so nothing is put back."""
    return window_of_module.lend()


def wrong_at_rest(look):
    """What is wrong once layouts have had the time to settle."""
    for _again in range(_MOST_LOOKS):
        turn_events(10)
        if not (found := look()):
            break
    return found


def test_no_word_is_cut_in_any_pane_and_nothing_lies_on_anything_else(qtbot, demo_window):
    demo_window.resize(1024, 700)
    found = {}
    for topic in demo_window.workspace.topics:
        demo_window.workspace.show_topic(topic)
        qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
        found[topic] = wrong_at_rest(lambda: [*misplaced(demo_window), *cut_words(demo_window)])
    assert found == {topic: [] for topic in found}


def test_evidence_stands_where_reading_begins_and_the_guide_where_it_ends(demo_window, longer):
    workspace = demo_window.workspace

    def in_order():
        docks = {dock.objectName(): dock.geometry().left() for dock in workspace.docks}
        return sorted(("evidence", front, "guide"), key=docks.__getitem__)

    workspace.show_topic("answer")
    QApplication.processEvents()
    front = "answer"
    from_the_left = ["evidence", front, "guide"]
    assert in_order() == (from_the_left[::-1] if longer == "he" else from_the_left)
    workspace.reset_layout()
    assert in_order() == (from_the_left[::-1] if longer == "he" else from_the_left)


def test_nothing_touches_the_edges_of_the_window(demo_window):
    workspace = demo_window.workspace
    for inside in (workspace.evidence.tree, *workspace.guide.findChildren(QAbstractScrollArea)):
        left = inside.mapTo(workspace, QPoint()).x()
        assert min(left, workspace.width() - left - inside.width()) >= 8


def test_a_layout_of_the_other_direction_is_not_taken(demo_window, longer, monkeypatch):
    workspace = demo_window.workspace
    before = workspace.evidence.width(), workspace.evidence.mapTo(workspace, QPoint()).x()
    with monkeypatch.context() as other:
        other.setattr(workspace, "isRightToLeft", lambda: longer != "he")
        state = workspace.layout_state()
    workspace.hide_panes(["zoo"])
    workspace.take_layout(state)
    assert workspace.hidden_panes() == ["zoo"]
    workspace.hide_panes([])
    turn_events(10)
    assert (workspace.evidence.width(), workspace.evidence.mapTo(workspace, QPoint()).x()) == before


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
def test_no_word_is_cut_in_any_dialog_and_each_fits_a_small_screen(window_behind, name):
    dialog = DIALOGS[name](window_behind)
    dialog.show()
    found = wrong_at_rest(lambda: list(cut_words(dialog)))
    least = dialog.minimumSizeHint()
    dialog.close()
    dialog.deleteLater()
    assert found == []
    assert (least.width() <= 1024, least.height() <= 700) == (True, True)


def test_the_axes_of_a_plot_stay_where_they_are(qtbot, demo_window):
    demo_window.workspace.show_topic("ece")
    qtbot.waitUntil(lambda: not demo_window.session.drawing.is_busy, timeout=60_000)
    plot = demo_window.workspace.front_pane.findChild(FigureView).plot
    qtbot.waitUntil(lambda: plot.getAxis("left").scenePos().x() < plot.getViewBox().scenePos().x())


def test_the_scale_of_a_raster_stays_at_its_right_with_its_values_beside_it(demo_window, qtbot):
    view = RasterView(str)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.scale.show_scale(ColourScale("power", -90.0, -10.0))
    view.show()
    turn_events(5)
    assert view.scale.x() > view.plot.x()
    begins = round(BAR_WIDTH) + 4
    assert any(ink_of(view.scale)[begins : begins + 8])


def ink_of(scale):
    """Whether there is anything in a column of pixels, beyond the bar."""
    image = scale.grab().toImage()
    ground = image.pixel(image.width() - 1, 0)
    return [any(image.pixel(x, y) != ground for y in range(image.height())) for x in range(image.width())]


def test_what_leads_on_points_to_where_one_reads_on(demo_window, longer):
    more = demo_window.workspace.pane("overview").findChild(HeadlineCard).more
    assert more.arrowType() is (Qt.ArrowType.LeftArrow if longer == "he" else Qt.ArrowType.RightArrow)
