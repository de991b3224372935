"""The theme: readable in light and dark, and remembered."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QFont, QImage
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSlider,
    QStyle,
    QVBoxLayout,
    QWidget,
)

import zebra_resources
from tests.contrast import contrast
from zebra_core.figures.figure import SERIES, TAGS
from zebra_gui.app import make_app
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.settings import settings
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.layouts import tell
from zebra_gui.widgets.theme import DARK, LIGHT, Theme, ThemeChoice, palette, style_sheet, tell_roles

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("ink", ["text", "muted"])
@pytest.mark.parametrize("paper", ["window", "card", "hover", "selected", "problem", "notice"])
def test_text_can_be_read(colours, ink, paper):
    assert contrast(getattr(colours, ink), getattr(colours, paper)) >= 4.5


@pytest.mark.parametrize("colours", THEMES)
def test_white_can_be_read_on_the_accent(colours):
    assert contrast("#FFFFFF", colours.accent) >= 4.5


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("line", ["accent_line", "focus"])
def test_focus_can_be_seen(colours, line):
    assert contrast(getattr(colours, line), colours.card) >= 3.0


@pytest.mark.parametrize("colour", TAGS.values(), ids=TAGS)
def test_the_letter_of_a_badge_can_be_read(colour):
    assert contrast("#FFFFFF", colour) >= 4.5


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("colour", SERIES)
def test_series_can_be_seen_on_a_card(colour, colours):
    assert contrast(colour, colours.card) >= 3.0


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("paper", ["window", "card"])
def test_the_edge_of_a_control_can_be_seen(colours, paper):
    assert contrast(colours.edge, getattr(colours, paper)) >= 3.0


@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_the_choice_is_applied_and_remembered(qtbot, choice):
    app = make_app()
    theme = Theme(app)
    with qtbot.waitSignal(theme.changed):
        theme.choose(choice)

    colours = LIGHT if choice is ThemeChoice.LIGHT else DARK
    assert theme.colours is colours
    assert QApplication.palette().window().color() == QColor(colours.window)
    assert colours.card in app.styleSheet()
    assert Theme(app).choice is choice


def test_an_unknown_choice_in_the_settings_means_the_systems(qtbot):
    settings().setValue("theme", "plaid")

    assert Theme(make_app()).choice is ThemeChoice.SYSTEM


def test_the_font_ships_with_the_program(qtbot):
    assert make_app().font().family() == "Inter"


def test_disabled_text_is_quieter():
    group = palette(LIGHT).ColorGroup
    made = palette(LIGHT)
    assert made.color(group.Disabled, made.ColorRole.Text) != made.color(group.Active, made.ColorRole.Text)


@pytest.mark.parametrize("is_focused", [False, True])
def test_the_handle_of_a_slider_is_whole(qtbot, is_focused):
    around = QWidget()
    qtbot.addWidget(around)
    around.setStyleSheet(style_sheet(LIGHT))
    slider, line = QSlider(Qt.Orientation.Horizontal), QVBoxLayout(around)
    line.addWidget(slider)
    line.addWidget(QLineEdit())
    slider.setValue(50)
    around.resize(300, 90)
    around.show()
    (slider if is_focused else around).setFocus()
    image = slider.grab().toImage()
    middle = round(image.width() / 2)
    column = [image.pixelColor(middle, row).name() for row in range(image.height())]
    edge = round(2 * image.devicePixelRatio())  # the focus is shown there
    inside = column[edge:-edge]
    inked = [row for row, colour in enumerate(inside) if colour != inside[0]]
    assert inside[0] == inside[-1]
    assert len(inked) >= 2  # its upper and its lower edge
    assert inked[0] > 0
    assert inked[-1] < len(inside) - 1


@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("name", ["left", "right", "up", "down"])
def test_arrows_are_seen_in_both_themes(colours, name):
    image = QImage(str(zebra_resources.path(f"icons/{name}.png")))
    drawn = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    inks = {colour.name() for colour in drawn if colour.alpha() == 255}
    for paper in (colours.window, colours.card, colours.hover):
        assert min(contrast(ink, paper) for ink in inks) >= 3.0


@pytest.mark.parametrize("kind", ["QMenu", "QMenuBar", "QAbstractItemView", "QMessageBox", "QStatusBar"])
def test_what_windows_gives_a_font_of_its_own_has_that_of_the_program_in_the_chosen_size(qapp, kind):
    QApplication.setFont(QFont("Monospace", 8), kind)  # as Windows does
    theme = Theme(qapp)
    before = theme.text_size
    theme.choose_text_size(150)
    try:
        assert QApplication.font(kind).family() == qapp.font().family()
        assert QApplication.font(kind).pointSizeF() == qapp.font().pointSizeF() > 13
    finally:
        theme.choose_text_size(before)


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
