"""A screen reader is told what parts of the window are, and nothing moves unless somebody moves it."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QScrollArea, QStyle, QWidget

from tests.contrast import contrast
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.plain import tell
from zebra_gui.widgets.roles import tell_roles
from zebra_gui.widgets.theme import DARK, LIGHT


@pytest.fixture
def told(qapp):
    """What a screen reader is told of a widget: its role, its name and its description."""
    tell_roles()

    def ask(widget):
        found = QAccessible.queryAccessibleInterface(widget)
        texts = QAccessible.Text
        return found.role(), found.text(texts.Name), found.text(texts.Description)

    return ask


def test_a_picture_is_a_chart(qtbot, told):
    view, cells = FigureView(lambda _line, _point: ""), CellsView()
    for widget in (view, cells):
        qtbot.addWidget(widget)

    assert told(view.plot)[0] is QAccessible.Role.Chart
    assert told(cells.canvas)[:2] == (QAccessible.Role.Chart, "Matrices")


@pytest.mark.parametrize(
    ("kind", "role"), [(QScrollArea, QAccessible.Role.Pane), (lambda: TagBadge(40), QAccessible.Role.Graphic)]
)
def test_what_qt_calls_a_part_is_called_what_it_is(qtbot, told, kind, role):
    widget = kind()
    qtbot.addWidget(widget)

    assert told(widget)[0] is role


def test_a_text_is_read_after_what_it_is_about(qtbot, told):
    shown = QLabel()
    qtbot.addWidget(shown)

    tell(shown, "Problems", "No key.")
    assert told(shown)[1] == "Problems: No key."
    tell(shown, "Problems", "")
    assert told(shown)[1] == "Problems"


def test_nothing_in_the_window_moves_by_itself(whole_window):
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    moving = {
        type(widget).__name__
        for widget in whole_window.findChildren(QWidget)
        if widget.style().styleHint(hint, None, widget)
        and type(widget).__name__ in ("QTabBar", "QScrollBar", "QProgressBar", "QComboBox", "QDockWidget")
    }
    assert moving == set()
    assert not whole_window.workspace.isAnimated()


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_selected_text_can_be_read(colours):
    assert contrast(colours.on_accent_line, colours.accent_line) >= 4.5
