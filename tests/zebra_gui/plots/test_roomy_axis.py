"""Names at ticks: all where they fit, some where they would lie on one another."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from zebra_core.figures.figure import Axis, Figure, NamedPoints
from zebra_gui.plots.canvas import Canvas, RoomyAxis, with_room
from zebra_gui.plots.figure import FigureView


def upright(*tops, height=10.0):
    return [(QRectF(0.0, top, 30.0, height), 0, f"{top:g}") for top in tops]


def names(texts):
    return [text for _, _, text in texts]


def test_names_that_do_not_touch_all_stay():
    assert names(with_room(upright(0, 10, 20), is_upright=True)) == ["0", "10", "20"]


def test_of_names_on_one_another_the_upper_ones_stay():
    assert names(with_room(upright(24, 0, 6, 12, 18), is_upright=True)) == ["0", "12", "24"]


def test_where_each_second_fits_each_second_stays_and_the_ends_always_do():
    assert names(with_room(upright(*range(0, 66, 6)), is_upright=True)) == ["0", "12", "24", "36", "48", "60"]
    assert names(with_room(upright(*range(0, 36, 6)), is_upright=True)) == ["0", "12", "30"]
    assert names(with_room(upright(), is_upright=True)) == []


@pytest.mark.parametrize("width", [300, 450, 600, 1200])
@pytest.mark.parametrize("points", [10, 20])
@pytest.mark.parametrize("right", [None, Axis("", 0.0, 1.0, ((0.5, "98 (94 to 100)"),))])
def test_the_first_and_the_last_tick_are_named_within_the_picture(qtbot, width, points, right):
    view = FigureView(lambda _line, _point: "")
    qtbot.addWidget(view)
    font = view.font()
    font.setPointSize(points)
    view.setFont(font)
    view.resize(width, 300)
    ticks = tuple((float(each), f"{each}") for each in range(0, 101, 10))
    axes = Axis("named", 0.0, 100.0, ticks), Axis("share", 0.0, 1.0)
    view.show_figure(Figure("ends", *axes, (), "ends", right=right))
    view.show()
    QApplication.processEvents()
    view.plot.grab()
    image = QImage(10, 10, QImage.Format.Format_ARGB32)
    for side, ends in (("bottom", {"0", "100"}), ("left", {"0", "1.0"})):
        axis = view.plot.getAxis(side)
        with QPainter(image) as painter:
            _, _, texts = axis.generateDrawSpecs(painter)
        assert ends <= set(names(texts))
        edges = view.plot.sceneRect()
        assert all(edges.contains(axis.mapRectToScene(rect)) for rect, _, _ in texts)


def test_along_a_level_axis_names_keep_a_gap():
    texts = [(QRectF(left, 0.0, 20.0, 10.0), 0, str(left)) for left in (0, 21, 23)]

    assert names(with_room(texts, is_upright=False)) == ["0", "23"]


@pytest.fixture
def crowd(qtbot):
    """A hundred speakers, one above the other."""
    y = np.arange(100, 0, -1, dtype=float)
    speakers = tuple(f"speaker {k}" for k in range(100))
    ticks = tuple(zip(y, speakers, strict=True))
    points = NamedPoints(np.zeros(100), y, 0, "all", names=speakers)
    view = FigureView(lambda _line, _point: "")
    qtbot.addWidget(view)
    view.resize(500, 400)
    axes = Axis("bit", -1.0, 1.0), Axis("speaker", 0.0, 101.0, ticks)
    view.show_figure(Figure("crowd", *axes, (), "a crowd", (points,)))
    view.show()
    view.plot.grab()
    return view


def test_of_a_crowd_as_many_are_named_as_fit_and_closer_by_everybody(crowd):
    axis = crowd.plot.getAxis("left")
    image = QImage(10, 10, QImage.Format.Format_ARGB32)

    with QPainter(image) as painter:
        _, _, few = axis.generateDrawSpecs(painter)
    crowd.plot.getViewBox().setRange(yRange=(50.5, 55.5), padding=0)
    crowd.plot.grab()
    with QPainter(image) as painter:
        _, _, near = axis.generateDrawSpecs(painter)

    assert 5 < len(few) < 50
    assert all(one[0].bottom() <= other[0].top() for one, other in pairwise(few))
    assert names(near) == [f"speaker {k}" for k in range(45, 50)]


def test_what_it_measures_is_cut_in_the_middle_where_the_axis_is_short(qtbot):
    plot = Canvas()
    qtbot.addWidget(plot)
    axis = plot.getAxis("left")
    axis.say_what_it_measures("Empirical cross-entropy (bit)")
    plot.resize(400, 600)
    plot.show()
    qtbot.waitUntil(lambda: axis.label.toPlainText().strip() == "Empirical cross-entropy (bit)")
    plot.resize(400, 120)
    qtbot.waitUntil(lambda: "…" in axis.label.toPlainText().strip())
    assert axis.label.toPlainText().strip().endswith("(bit)")
    assert axis.label.boundingRect().width() <= axis.size().height() + 8.0


def test_the_grid_looks_as_pyqtgraph_draws_it(qtbot, monkeypatch):
    view = FigureView(lambda _line, _point: "")
    qtbot.addWidget(view)
    view.resize(611, 433)
    view.show_figure(Figure("A grid", Axis("x", 0.0, 7.3), Axis("y", 0.0, 1.7), (), "Alt."))
    view.show()
    QApplication.processEvents()
    ours = view.grab().toImage()
    monkeypatch.delattr(RoomyAxis, "drawPicture")
    for side in ("bottom", "left"):
        view.plot.getAxis(side).setStyle(tickLength=0)  # it is to be drawn anew
    theirs = view.grab().toImage()
    rows = {ours.pixelColor(300, y).name() for y in range(100, 300)}
    assert len(rows) >= 3, "there is no grid"
    assert ours == theirs


def test_the_tails_of_letters_of_what_an_axis_measures_are_seen(crowd):
    crowd.plot.getAxis("bottom").say_what_it_measures("|log10 LR|, going down to jg")
    QApplication.processEvents()
    for side in ("bottom", "left"):
        label = crowd.plot.getAxis(side).label
        margin = label.document().documentMargin()
        seen = label.mapRectToScene(label.boundingRect().adjusted(margin, margin, -margin, -margin))
        assert crowd.plot.sceneRect().contains(seen), side
