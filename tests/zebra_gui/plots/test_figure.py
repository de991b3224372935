"""A figure on screen: what is drawn, what the cursor says, and what cannot be done to it."""

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication

from zebra_core.figures.ece import ece_figure
from zebra_core.figures.figure import Axis, Dash, Figure, Ink, Line
from zebra_core.figures.palette import SERIES
from zebra_core.figures.readout import ece_read_out
from zebra_core.wording.texts import say
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.inks import MANY_LINES
from zebra_gui.widgets.theme import DARK, LIGHT, palette


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
    """Thick lines with soft edges are a hundred times slower; see tests/benchmarks/bench_window.py."""
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
