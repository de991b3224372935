"""Colours of cells on screen: exact where there is room, means where there is not."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsScene

from zebra_gui.app import make_app
from zebra_gui.plots.cells_image import CellsImage, halved, level_for


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
