"""Tables of cells on screen: colours, read-outs, zoom, names, keyboard."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene

from zebra_core.figures.figure import Cells, CellsFigure, ColourScale
from zebra_gui.app import make_app
from zebra_gui.plots.cells import CellsImage, CellsView, halved, level_for
from zebra_gui.widgets.theme import DARK, palette

SCALE = ColourScale("similarity", 0.0, 1.0)


def table(title, size, seed=0, names=None, side="original"):
    values = np.random.default_rng(seed).random((size, size))
    values[0, size - 1] = np.nan
    names = names or tuple(f"s{k}" for k in range(size))
    counts = np.arange(size * size, dtype=np.int64).reshape(size, size)
    return Cells(title, names, names, "original", side, values, counts, "D_diag 0.5")


def figure_of(*rows):
    return CellsFigure("Voices", rows, SCALE, "Bright on the diagonal.")


@pytest.fixture
def view(qtbot):
    make_app().setStyleSheet("")  # a window of another test may have left its own
    view = CellsView()
    qtbot.addWidget(view)
    view.resize(700, 620)
    view.show_figure(
        figure_of(
            (table("OO", 6), table("OP", 6, 1, side="protected")), (table("PO", 6, 2), table("PP", 6, 3))
        )
    )
    view.show()
    return view


def at(view, panel, row, column):
    """Where the middle of a cell is on the canvas."""
    box = view.canvas.panels[panel].view
    return view.canvas.mapFromScene(box.mapViewToScene(QPointF(column + 0.5, row + 0.5)))


def point_at(view, place):
    kind, none = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QMouseEvent(kind, QPointF(place), QPointF(place), none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.canvas.viewport(), event)


def ranges(view):
    return [panel.view.viewRect() for panel in view.canvas.panels]


def test_every_cell_has_the_colour_of_its_value_on_the_common_scale(view):
    for panel in view.canvas.panels:
        np.testing.assert_array_equal(panel.image.colours, SCALE.colours(panel.cells.values))


def test_the_pointer_reads_a_cell(view):
    point_at(view, at(view, 1, 2, 3))

    value = view.figure.panels[0][1].values[2, 3]
    assert view.words.whole_text == f"OP: s2 against s3: {value:.3f}, 15 trials"
    assert view.canvas.panels[1].cursor.rect == QRectF(3, 2, 1, 1)
    assert view.canvas.panels[0].cursor.rect is None


def test_an_empty_cell_says_so(view):
    view.put_cursor(0, 0, 5)
    assert "no value" in view.words.whole_text


def test_a_click_picks_the_speaker_of_the_row(qtbot, view):
    with qtbot.waitSignal(view.picked) as picked:
        qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at(view, 3, 4, 1))
    assert picked.args == ["s4"]


def test_a_selected_speaker_is_framed_in_row_and_column_everywhere(view):
    view.emphasise("s2")
    for panel in view.canvas.panels:
        assert panel.row_frame.rect == QRectF(0, 2, 6, 1)
        assert panel.column_frame.rect == QRectF(2, 0, 1, 6)
    view.emphasise("nobody")
    assert view.canvas.panels[0].row_frame.rect is None


def test_all_tables_are_zoomed_together_and_shown_whole_again(qtbot, view):
    view.canvas.panels[2].view.setRange(QRectF(1, 2, 3, 3), padding=0)
    assert all(rect == QRectF(1, 2, 3, 3) for rect in ranges(view))

    qtbot.keyClick(view.canvas, Qt.Key.Key_Home)
    assert all(rect == QRectF(0, 0, 6, 6) for rect in ranges(view))
    view.canvas.panels[0].view.setRange(QRectF(-9, -9, 50, 50), padding=0)
    assert ranges(view)[0] == QRectF(0, 0, 6, 6)


def test_the_zoom_is_kept_for_tables_of_the_same_size_only(view):
    view.canvas.panels[0].view.setRange(QRectF(1, 1, 3, 3), padding=0)
    view.show_figure(view.figure)
    assert ranges(view)[0] == QRectF(1, 1, 3, 3)

    view.show_figure(figure_of((table("OO", 9),)))
    assert len(view.canvas.panels) == 1
    assert ranges(view)[0] == QRectF(0, 0, 9, 9)


def test_the_keyboard_reads_from_cell_to_cell_and_table_to_table(qtbot, view):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        qtbot.keyClick(view.canvas, key)
    assert view.cursor_place == (0, 1, 1)
    qtbot.keyClick(view.canvas, Qt.Key.Key_PageDown)
    assert view.cursor_place == (1, 1, 1)
    assert view.words.whole_text.startswith("OP: s1 against s1: ")
    with qtbot.waitSignal(view.picked) as picked:
        qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    assert picked.args == ["s1"]
    qtbot.keyClick(view.canvas, Qt.Key.Key_Plus)
    assert ranges(view)[0].width() < 6


def test_a_cell_that_the_keyboard_reaches_is_moved_into_view(qtbot, view):
    view.canvas.panels[0].view.setRange(QRectF(0, 0, 3, 3), padding=0)
    view.put_cursor(0, 2, 2)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert ranges(view)[0] == QRectF(1, 0, 3, 3)


def test_names_are_shown_where_they_fit_and_sides_are_said_once(view):
    left = [panel.row_names for panel in view.canvas.panels]
    assert [names.isVisible() for names in left] == [True, False, True, False]
    assert [k for k, _ in left[0].places()] == list(range(6))
    below = [panel.column_names for panel in view.canvas.panels]
    assert [names.isVisible() for names in below] == [False, True, True, True]


def test_of_many_names_none_is_shown_but_the_selected_one_until_zoomed(view):
    view.show_figure(figure_of((table("OO", 300),)))
    names = view.canvas.panels[0].row_names
    assert names.places() == []
    view.emphasise("s150")
    assert [k for k, _ in names.places()] == [150]
    view.canvas.panels[0].view.setRange(QRectF(10, 10, 12, 12), padding=0)
    assert [k for k, _ in names.places()] == list(range(10, 22))


@pytest.mark.parametrize("name", ["<b>x</b>", "\u202eevil", "n" * 3000, "a\nb", "", "\0"])
def test_hostile_names_are_shown_as_text(view, name):
    view.show_figure(figure_of((table("OO", 3, names=(name, "s1", "s2")),)))
    view.emphasise(name)
    view.put_cursor(0, 0, 1)
    assert "\u202e" not in view.words.text()
    assert not view.grab().isNull()
    assert view.canvas.panels[0].row_names.width_of_names() <= 96.0


def test_one_speaker_is_one_cell(view):
    one = Cells("OO", ("a",), ("a",), "original", "original", np.array([[np.nan]]), np.array([[0]]))
    view.show_figure(figure_of((one,)))
    view.put_cursor(0, 0, 0)
    assert view.words.whole_text == "OO: a against a: no value, 0 trials"
    assert view.canvas.bar.has_empty


def test_it_says_what_it_is_and_follows_the_theme(view):
    assert view.canvas.accessibleName() == "Voices"
    assert view.canvas.accessibleDescription() == "Bright on the diagonal."
    view.setPalette(palette(DARK))
    assert view.canvas.backgroundBrush().color().name().upper() == DARK.card


def painted(colours, side):
    """A scene with nothing but the image, painted into a square of so many pixels."""
    make_app()
    scene, item = QGraphicsScene(), CellsImage()
    item.show_colours(colours)
    scene.addItem(item)
    image = QImage(side, side, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        scene.render(painter, QRectF(0, 0, side, side), item.boundingRect())
    return image


def colour_at(image, x, y):
    return QColor(image.pixel(x, y)).getRgb()[:3]


def test_each_cell_has_its_own_colour_where_there_is_room(qtbot):
    colours = np.random.default_rng(0).integers(0, 256, (5, 5, 3), dtype=np.uint8)
    image = painted(colours, 50)
    for row in range(5):
        for column in range(5):
            assert colour_at(image, 10 * column + 5, 10 * row + 5) == tuple(colours[row, column])


def test_where_there_is_none_pixels_have_the_mean_of_their_cells(qtbot):
    colours = np.zeros((64, 64, 3), dtype=np.uint8)
    colours[::2] = 200  # every other row: nearest cells alone would be all or nothing
    image = painted(colours, 8)
    for place in range(8):
        assert colour_at(image, place, place) == pytest.approx((100, 100, 100), abs=2)


def test_a_half_is_the_mean_of_four_and_the_last_of_an_odd_number_alone():
    colours = np.array([[[0], [4], [8]], [[8], [4], [0]], [[2], [6], [10]]], dtype=np.uint8)
    assert halved(np.repeat(colours, 3, axis=2))[:, :, 0].tolist() == [[4, 4], [4, 10]]


@pytest.mark.parametrize(
    ("pixels", "level"), [(30.0, 0), (1.0, 0), (0.6, 0), (0.5, 1), (0.3, 1), (0.25, 2), (0.001, 4), (0.0, 0)]
)
def test_the_smallest_image_with_a_cell_for_each_pixel_is_painted(pixels, level):
    assert level_for(pixels, 5) == level


def test_it_paints_from_memory_of_its_own(qtbot):
    colours = np.full((40, 40, 3), 50, dtype=np.uint8)
    item = CellsImage()
    item.show_colours(colours)
    colours[:] = 255
    assert item._images[0].pixelColor(3, 3).red() == 50
