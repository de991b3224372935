"""A curve that is quick to move: where it lies does not depend on how the view moves."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from zebra_core.figures.figure import Axis, Figure, Line
from zebra_core.figures.readout import ece_read_out
from zebra_gui.plots.figure import Curve, FigureView

LINES = (
    Line(np.array([0.0, 5.0, 10.0]), np.array([1.0, 4.0, 2.0]), "bent", 0),
    Line(np.array([0.0, 10.0]), np.array([3.0, 3.0]), "flat", 1),
    Line(np.array([2.0, np.nan, 4.0]), np.array([1.0, np.nan, np.inf]), "broken", 2),
    Line(np.array([np.nan]), np.array([np.nan]), "nowhere", 3),
)


@pytest.fixture
def view(qtbot):
    view = FigureView(ece_read_out)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show_figure(Figure("F", Axis("x", 0.0, 10.0), Axis("y", 0.0, 5.0), LINES, "Four lines."))
    view.show()
    return view


def test_the_bounds_are_those_of_the_points_and_leave_room_for_the_pen(view):
    bent, flat, broken, nowhere = (curve.boundingRect() for curve in view._curves)

    assert bent.getRect() == pytest.approx((-0.2, 0.9, 10.4, 3.2))  # a fiftieth of each axis on each side
    assert flat.getRect() == pytest.approx((-0.2, 2.9, 10.4, 0.2))
    assert (broken.left(), broken.right()) == pytest.approx((1.8, 4.2))
    assert nowhere.isNull()


def test_they_are_not_worked_out_anew_when_the_view_moves(view, monkeypatch):
    asked = []
    bounds = Curve.dataBounds
    monkeypatch.setattr(
        Curve, "dataBounds", lambda *given, **named: (asked.append(given), bounds(*given, **named))[1]
    )
    view.grab()
    asked.clear()
    box = view.plot.getViewBox()
    for left in (1.0, 2.0, 3.0):
        box.setRange(QRectF(left, 1.0, 2.0, 1.0), padding=0)
        view.grab()

    assert [curve for curve, *_ in asked if curve is not view._curves[3]] == []


def test_another_figure_moves_them(view):
    higher = Line(np.array([0.0, 10.0]), np.array([4.0, 4.5]), "higher", 0)
    view.show_figure(Figure("G", Axis("x", 0.0, 10.0), Axis("y", 0.0, 5.0), (higher,), "One line."))

    assert view._curves[0].boundingRect().getRect() == pytest.approx((-0.2, 3.9, 10.4, 0.7))


@pytest.mark.parametrize(
    "shown", [QRectF(0.0, 0.0, 10.0, 5.0), QRectF(4.9, 3.9, 0.2, 0.2), QRectF(1.0, 2.9, 1.0, 0.2)]
)
def test_it_is_drawn_as_pyqtgraph_draws_it(view, monkeypatch, shown):
    view.plot.getViewBox().setRange(shown, padding=0)
    ours = view.grab().toImage()
    for name in ("boundingRect", "viewTransformChanged"):
        monkeypatch.delattr(Curve, name)
    for curve in view._curves:
        curve.viewTransformChanged()
    view.plot.viewport().update()

    assert view.grab().toImage() == ours
