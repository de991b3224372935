"""Named points on screen: read, picked, emphasised; figures without any are read by their lines."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from zebra_core.figures.figure import Axis, Figure, Line, Marker, NamedPoints, Words
from zebra_gui.app import make_app
from zebra_gui.plots.points import PointsView


def figure_of(*points, lines=(), words=()):
    return Figure(
        "Points", Axis("x", 0.0, 10.0), Axis("y", 0.0, 10.0), tuple(lines), "Alt.", points, words=tuple(words)
    )


def group(names, x, y, **more):
    return NamedPoints(np.array(x, float), np.array(y, float), 0, "group", names=tuple(names), **more)


def empty_view(qtbot):
    make_app()
    view = PointsView(
        lambda points, number: f"{points.names[number]} of {points.label}",
        lambda line, point: f"{line.label} at {line.x[point]:g}",
    )
    qtbot.addWidget(view)
    view.resize(600, 500)
    return view


@pytest.fixture
def view(qtbot):
    view = empty_view(qtbot)
    view.show_figure(
        figure_of(
            group("abc", [1, 5, 9], [2, 8, 5], emphasised=frozenset("b")),
            group(["d"], [5], [2], marker=Marker.SQUARE),
            words=[Words(2.0, 9.0, "worms")],
        )
    )
    view.show()
    return view


def test_a_figure_in_the_place_of_another_looks_as_if_it_were_the_first(qtbot, view):
    another = figure_of(
        group("xy", [2, 7], [9.5, 3], texts=("at the top", "low"), marker=Marker.SQUARE),
        words=[Words(6.0, 5.0, "ants"), Words(8.0, 8.0, "bees")],
    )
    view.show_figure(figure_of(group("z", [5], [1], texts=("before",))))
    alone = empty_view(qtbot)
    for one in (alone, view):
        one.show_figure(another)
        one.show()
        QApplication.processEvents()
    assert view.grab().toImage() == alone.grab().toImage()


def at(view, x, y):
    return view.plot.mapFromScene(view.plot.getViewBox().mapViewToScene(QPointF(x, y)))


def point_at(view, x, y):
    place, kind, none = QPointF(at(view, x, y)), QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QMouseEvent(kind, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.plot.viewport(), event)


def test_the_pointer_reads_the_nearest_point_within_reach(view):
    point_at(view, 5.1, 7.9)
    assert (view.named_point, view.words.whole_text) == ("b", "b of group")
    point_at(view, 5.0, 5.0)
    assert view.named_point is None


def test_a_click_picks_a_point_by_its_name(qtbot, view):
    with qtbot.waitSignal(view.picked) as picked:
        qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=at(view, 5, 2))
    assert picked.args == ["d"]


def test_arrows_go_along_both_axes_and_enter_picks(qtbot, view):
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.named_point == "c"
    qtbot.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.named_point == "b"
    qtbot.keyClick(view.plot, Qt.Key.Key_Down)
    assert view.named_point == "c"
    with qtbot.waitSignal(view.picked) as picked:
        qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    assert picked.args == ["c"]


def test_emphasised_points_are_larger_and_words_lie_below(view):
    sizes = view.decorations.points[0].data["size"]
    assert sizes[1] > sizes[0] == sizes[2]
    [word] = view.decorations.words
    assert (word.toPlainText(), word.pos().x(), word.pos().y()) == ("worms", 2.0, 9.0)
    assert word.zValue() < 0


def test_without_named_points_lines_are_read(view):
    line = Line(np.array([0.0, 5.0, 10.0]), np.array([1.0, 2.0, 3.0]), "curve", 0)
    view.show_figure(figure_of(lines=[line]))
    point_at(view, 5.0, 2.0)
    assert view.words.whole_text == "curve at 5"
    assert view.named_point is None


@pytest.mark.parametrize("name", ["<img src=x>", "\u202etxt", "n" * 5000, ""])
def test_hostile_names_do_no_harm(view, name):
    view.show_figure(figure_of(group([name], [5], [5])))
    view.put_on(name)
    assert view.named_point == name
    assert "\u202e" not in view.words.text()


def test_marks_on_lines_are_read_close_to_them_and_lines_elsewhere(qtbot):
    view = PointsView(
        lambda points, number: points.names[number],
        lambda line, point: f"{line.label} at {line.x[point]:g}",
        are_on_lines=True,
    )
    qtbot.addWidget(view)
    view.resize(600, 500)
    line = Line(np.arange(11.0), np.arange(11.0), "line", 0)
    view.show_figure(figure_of(group(["mark"], [5], [5]), lines=[line]))
    view.show()
    point_at(view, 5.05, 5.0)
    assert (view.named_point, view.words.whole_text) == ("mark", "mark")
    point_at(view, 7.0, 7.0)
    assert (view.named_point, view.words.whole_text) == (None, "line at 7")
    QTest.keyClick(view.plot, Qt.Key.Key_Left)
    assert view.words.whole_text == "line at 6"


def test_words_wider_than_the_picture_lose_their_end_and_come_back_with_the_room(qtbot, view):
    words = "156 recordings of 63 people"
    view.show_figure(figure_of(group("a", [5], [5]), words=[Words(5.0, 9.0, words)]))
    item = view.decorations.words[0]
    assert item.toPlainText() == words
    font = view.font()
    font.setPointSize(40)
    view.setFont(font)
    qtbot.waitUntil(lambda: item.toPlainText() != words)
    assert item.toPlainText().startswith("156")
    assert item.toPlainText().endswith("…")
    view.resize(1600, 500)
    qtbot.waitUntil(lambda: item.toPlainText() == words)
