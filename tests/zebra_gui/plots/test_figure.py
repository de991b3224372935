"""A figure on screen: what is drawn, what the cursor says, and what cannot be done to it."""

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication

from zebra_core.figures.figure import SERIES, Axis, Dash, Figure, Ink, Line, Marker, Points
from zebra_core.figures.readout import ece_read_out
from zebra_core.figures.series import ece_figure
from zebra_core.wording.texts import say
from zebra_gui.plots.figure import FigureView, Legend, elided_name
from zebra_gui.plots.inks import MANY_LINES
from zebra_gui.widgets.theme import DARK, LIGHT, palette, style_sheet


@pytest.fixture
def figure(demo):
    return ece_figure(demo.entries, demo.entries[2].id)


@pytest.fixture
def view(qtbot, figure):
    view = FigureView(ece_read_out)
    qtbot.addWidget(view)
    view.setPalette(palette(LIGHT))
    view.resize(700, 500)
    view.show_figure(figure)
    view.show()
    return view


def shown_range(view):
    return [tuple(round(end, 6) for end in ends) for ends in view.plot.getViewBox().viewRange()]


def point_at(view, x, y):
    """Move the pointer there, as the window system would tell it."""
    place = QPointF(scene_place(view, x, y))
    kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QMouseEvent(kind, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.plot.viewport(), event)


def scene_place(view, x, y):
    return view.plot.mapFromScene(view.plot.getViewBox().mapViewToScene(QPointF(x, y)))


def test_the_lines_are_the_figures_own(view, figure):
    curves = [curve.getData() for curve in view._curves]

    assert len(curves) == 5
    for (x, y), line in zip(curves, figure.lines, strict=True):
        np.testing.assert_array_equal(x, line.x)
        np.testing.assert_array_equal(y, line.y)


def test_pens_follow_role_dash_and_emphasis(view, figure):
    pens = [curve.opts["pen"] for curve in view._curves]

    assert pens[0].color().name().upper() == LIGHT.text
    assert pens[1].color().name().upper() == LIGHT.muted
    assert [pen.color().name().upper() for pen in pens[2:]] == list(SERIES[:3])
    assert pens[3].widthF() > pens[2].widthF()
    dashed = replace(figure, lines=(replace(figure.lines[2], dash=Dash.DASHED),))
    view.show_figure(dashed)
    assert view._curves[0].opts["pen"].dashPattern() == [4.0, 2.0]


def test_colours_follow_the_palette(view):
    view.setPalette(palette(DARK))

    assert view._curves[0].opts["pen"].color().name().upper() == DARK.text
    assert view.plot.backgroundBrush().color().name().upper() == DARK.card


def test_the_whole_figure_is_shown_and_no_more(view, figure):
    whole = [(-8.0, 8.0), (0.0, figure.y.high)]
    assert shown_range(view) == whole

    view.plot.getViewBox().setRange(xRange=(-1, 1), yRange=(0, 0.5), padding=0)
    assert shown_range(view)[0] == (-1.0, 1.0)
    view.plot.getViewBox().setRange(xRange=(-500, 500), yRange=(-9, 9), padding=0)
    assert shown_range(view) == whole


@pytest.mark.parametrize("way", ["Home", "double click"])
def test_everything_can_be_shown_again(qtbot, view, figure, way):
    view.plot.getViewBox().setRange(xRange=(-1, 1), padding=0)
    if way == "Home":
        qtbot.keyClick(view.plot, Qt.Key.Key_Home)
    else:
        qtbot.mouseDClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=scene_place(view, 0.5, 0.5))

    assert shown_range(view) == [(-8.0, 8.0), (0.0, figure.y.high)]


def test_the_zoom_is_kept_when_only_the_selection_changes(view, demo):
    view.plot.getViewBox().setRange(xRange=(-1, 1), padding=0)
    view.show_figure(ece_figure(demo.entries, demo.entries[0].id))

    assert shown_range(view)[0] == (-1.0, 1.0)


def test_the_pointer_reads_the_nearest_curve(qtbot, view, figure):
    ece = float(figure.lines[3].y[90])
    point_at(view, -1.01, ece + 0.01)

    assert view.words.whole_text == "prior 26.89 % · odds 1 : 2.7 · ECE 0.605 bit · B2 OP (0.205, 2.39, C)"
    assert view._cursor.isVisible()


def test_the_keyboard_reads_too(qtbot, view):
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    for _ in range(9):
        qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.words.whole_text == "prior 26.89 % · odds 1 : 2.7 · ECE 0.605 bit · B2 OP (0.205, 2.39, C)"

    qtbot.keyClick(view.plot, Qt.Key.Key_Down)
    assert view.words.whole_text.endswith("B2r OP (0.214, 2.39, C)")
    qtbot.keyClick(view.plot, Qt.Key.Key_Down)
    assert view.words.whole_text.endswith("perfect privacy (0, 0, 0)")
    qtbot.keyClick(view.plot, Qt.Key.Key_Up)
    qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    assert view.words.whole_text.startswith("prior 28.91 %")


def test_the_cursor_stays_within_what_the_axis_shows(qtbot, view):
    for _ in range(30):
        qtbot.keyClick(view.plot, Qt.Key.Key_PageDown)

    assert view._cursor.value() == pytest.approx(8.0)


def test_leaving_takes_the_cursor_away(qtbot, view):
    view.put_cursor(3, 90)
    view.plot.left.emit()

    assert not view._cursor.isVisible()
    assert view.words.whole_text == ""
    assert "use the arrows" in view.words.toolTip()


def test_the_picture_is_described_for_those_who_cannot_see_it(view, figure):
    assert view.plot.accessibleName() == figure.title
    assert view.plot.accessibleDescription() == f"{figure.alt_text} {say('picture.by-hand')}"
    assert "Ctrl and the wheel zoom" in view.plot.accessibleDescription()


def test_there_is_no_menu_and_no_drop_on_the_canvas(view):
    assert not view.plot.getViewBox().menuEnabled()
    assert not view.plot.acceptDrops()


def test_fixed_ticks_are_put_where_the_figure_wants_them(view, figure):
    view.show_figure(replace(figure, x=Axis("x <b>", -8.0, 8.0, ticks=((0.0, "even"), (1.0, "more")))))
    axis = view.plot.getAxis("bottom")

    assert axis._tickLevels == [[(0.0, "even"), (1.0, "more")]]
    assert "x &lt;b&gt;" in axis.labelText


def test_a_long_name_at_a_tick_keeps_both_ends(view, figure):
    name = "a safeguard with a long name, number 7"
    view.show_figure(replace(figure, x=Axis("x", -8.0, 8.0, ticks=((0.0, name),))))
    axis = view.plot.getAxis("bottom")
    assert axis._tickLevels == [[(0.0, "a safeguard…, number 7")]]


def test_a_long_curve_is_drawn_thin(qtbot, view):
    """Thick lines with soft edges are a hundred times slower; see packaging/benchmarks/bench_window.py."""
    x = np.linspace(-8.0, 8.0, 100_000)
    long = Line(x, np.abs(np.sin(30 * x)), "long", 0)
    view.show_figure(Figure("long", Axis("x", -8.0, 8.0), Axis("y", 0.0, 1.0), (long,), "a long curve"))

    assert view._curves[0].opts["pen"].widthF() == pytest.approx(view.devicePixelRatioF())


def test_foreground_ink_is_the_text_colour(view):
    assert isinstance(view._curves[0], pg.PlotCurveItem)
    assert view._figure.lines[0].colour is Ink.FOREGROUND
    assert view._curves[0].opts["pen"].color() == view.palette().color(QPalette.ColorRole.Text)


def test_of_very_many_lines_only_the_emphasised_one_is_thick(view, figure):
    one, ratio = figure.lines[2], view.devicePixelRatioF()
    lines = tuple(replace(one, emphasis=number == 7) for number in range(MANY_LINES + 1))
    view.show_figure(replace(figure, lines=lines))
    widths = [curve.opts["pen"].widthF() for curve in view._curves]

    assert widths[7] == pytest.approx(3.0 * ratio)
    assert {*widths[:7], *widths[8:]} == {1.0 * ratio}
    view.show_figure(replace(figure, lines=lines[1:]))
    assert view._curves[0].opts["pen"].widthF() == pytest.approx(1.8 * ratio)


def test_a_line_is_broken_where_it_has_no_value(view, figure):
    gap = replace(figure.lines[2], x=np.arange(5.0), y=np.array([0.1, 0.2, np.nan, 0.2, 0.1]))
    view.show_figure(replace(figure, lines=(gap,)))
    path = view._curves[0].getPath()

    assert [path.elementAt(n).isMoveTo() for n in range(path.elementCount())].count(True) == 2


def test_words_along_an_axis_are_laid_out_when_they_or_their_colours_change_and_not_at_each_figure(
    view, figure, monkeypatch
):
    laid_out = []
    monkeypatch.setattr(pg.AxisItem, "labelString", lambda axis: laid_out.append(axis) or axis.labelText)
    view.show_figure(replace(figure))
    view.plot.getViewBox().translateBy(x=0.01)
    assert laid_out == []
    view.show_figure(replace(figure, x=replace(figure.x, label="another")))
    assert laid_out == [view.plot.getAxis("bottom")]
    view.setPalette(palette(DARK))
    assert len(laid_out) > 2


def test_a_second_axis_stands_at_the_right_of_those_figures_alone_that_have_one(view, figure):
    view.show_figure(figure)
    QApplication.processEvents()
    wide = view.plot.getViewBox().width()
    right = Axis("share", 0.0, 1.0, ((0.0, "none"), (figure.y.high / 2.0, "half")))
    view.show_figure(replace(figure, right=right))
    QApplication.processEvents()
    axis = view.plot.getAxis("right")
    assert (axis.isVisible(), axis.labelText) == (True, "share")
    assert axis._tickLevels == [[(0.0, "none"), (figure.y.high / 2.0, "half")]]
    assert axis.textPen().color() == view.palette().color(QPalette.ColorRole.PlaceholderText)
    assert view.plot.getViewBox().width() < wide
    view.show_figure(figure)
    QApplication.processEvents()
    assert not axis.isVisible()
    assert view.plot.getViewBox().width() == wide


def lines(count, name="line {}"):
    return tuple(Line(np.zeros(2), np.zeros(2), name.format(number), number) for number in range(count))


@pytest.fixture
def legend(qtbot):
    legend = Legend()
    qtbot.addWidget(legend)
    legend.resize(760, 100)
    legend.show()
    return legend


RIM = 2  # pixels, above and below, in which the theme shows the focus


def test_at_the_height_that_it_asks_for_nothing_scrolls(qtbot, legend):
    legend.setStyleSheet(style_sheet(LIGHT))
    legend.show_entries(lines(3))
    legend.setFixedSize(240, legend.height_for(240))
    qtbot.wait(20)
    assert legend.verticalScrollBar().maximum() == 0
    assert max(item.geometry().bottom() for item in legend.items) < legend.viewport().height()


def test_there_is_an_item_for_each_line_and_for_points(legend):
    points = Points(np.zeros(1), np.zeros(1), 2, "points")
    legend.show_entries((*lines(2), points, replace(points, label="diamonds", marker=Marker.DIAMOND)))

    assert [item.text for item in legend.items] == ["line 0", "line 1", "points", "diamonds"]
    for item in legend.items:
        item.grab()


@pytest.mark.parametrize(("width", "rows"), [(200, 40), (520, 20), (760, 14)])
def test_columns_follow_the_room(legend, width, rows):
    legend.show_entries(lines(40))

    assert legend.height_for(width) == rows * legend.items[0].sizeHint().height() + RIM


def test_forty_entries_scroll(qtbot, legend):
    legend.show_entries(lines(40))

    qtbot.waitUntil(lambda: legend.verticalScrollBar().maximum() > 0)


def test_items_are_rearranged_when_the_room_changes(qtbot, legend):
    legend.show_entries(lines(6))
    legend.resize(260, 300)

    qtbot.waitUntil(lambda: len({item.x() for item in legend.items}) == 1)


def test_foreign_names_are_shown_as_typed_and_whole_in_the_tooltip(legend):
    name = "<img src=x>\n" + "long " * 60
    legend.show_entries(lines(1, name))
    item = legend.items[0]

    assert item.text.startswith("<img src=x>\\nlong")
    assert "&lt;img src=x&gt;" in item.toolTip()
    assert item.accessibleName() == item.text
    assert item.width() <= legend.width()
    item.grab()


def test_a_new_figure_replaces_the_items(legend):
    legend.show_entries(lines(40))
    legend.show_entries(lines(3))

    assert len(legend.items) == 3
    assert legend.height_for(760) == legend.items[0].sizeHint().height() + RIM


def test_long_labels_get_wider_columns(qtbot, legend):
    legend.show_entries(lines(6))
    before = legend.height_for(760)
    legend.show_entries(lines(6, "line {} with quite a long name (ROCCH-EER 12.34 %)"))

    assert legend.height_for(760) > before
    qtbot.waitUntil(lambda: len({item.x() for item in legend.items}) == 2)


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_the_line_stands_where_one_begins_to_read(legend, direction):
    legend.setLayoutDirection(direction)
    legend.show_entries(lines(1))
    image = legend.items[0].grab().toImage()
    coloured = [
        x for x in range(image.width()) if image.pixelColor(x, image.height() // 2).saturation() > 100
    ]
    assert len(coloured) > 20
    near_the_beginning = {
        Qt.LayoutDirection.LeftToRight: coloured[-1] < 40,
        Qt.LayoutDirection.RightToLeft: coloured[0] > image.width() - 40,
    }
    assert near_the_beginning[direction]


def test_a_label_that_is_cut_keeps_what_it_holds_for(legend):
    metrics = QFontMetrics(legend.font())
    label = "a_very_long_safeguard_name_" * 5 + " PP, lazy-informed (0.037, 0.94, A)"
    shown = elided_name(label, metrics, 400)

    assert shown.endswith(" PP, lazy-informed (0.037, 0.94, A)")
    assert shown.startswith("a_")
    assert shown.count("…") == 1
    assert metrics.horizontalAdvance(shown) <= 400
    assert elided_name("B2 OP", metrics, 400) == "B2 OP"


def test_where_there_is_little_room_the_name_stays_and_that_nothing_was_stated_goes(legend):
    metrics = QFontMetrics(legend.font())
    label = "german speakers B2, condition not stated (0.205)"
    room = metrics.horizontalAdvance("german speakers B2 (0.205)") + 2
    assert elided_name(label, metrics, room) == "german speakers B2 (0.205)"
    assert elided_name(label, metrics, room - 30).startswith("germ")
    assert elided_name(label, metrics, 1000) == label
