"""A table of colours as an item of a plot, one unit for each cell, fast and honest at every zoom.

Not pyqtgraph's ImageItem: where that makes an image smaller it lets go of memory that Qt still paints from.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

Colours = NDArray[np.uint8]


class CellsImage(QGraphicsItem):
    """Cells in their colours. Where several share a pixel of the screen, it has their mean colour.

    For that there are smaller images, each of half the side of the one before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)  # paint what is exposed
        self.colours: Colours = np.zeros((0, 0, 3), dtype=np.uint8)
        self._images: list[QImage] = []

    def show_colours(self, colours: Colours) -> None:
        """Show these, shape (rows, columns, 3), the first row on top."""
        self.prepareGeometryChange()
        self.colours = colours
        self._images = [_image_of(colours)]
        smaller = colours
        while min(smaller.shape[:2]) > 1:
            smaller = halved(smaller)
            self._images.append(_image_of(smaller))
        self.update()

    def boundingRect(self) -> QRectF:
        rows, columns = self.colours.shape[:2]
        return QRectF(0.0, 0.0, columns, rows)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        rows, columns = self.colours.shape[:2]
        shown = option.exposedRect.toAlignedRect() & QRect(0, 0, columns, rows)
        if shown.isEmpty():
            return
        transform = painter.worldTransform()
        pixels = min(abs(transform.m11()), abs(transform.m22()))  # for one cell
        level = level_for(pixels, len(self._images))
        image = self._images[level]
        x, y = image.width() / columns, image.height() / rows
        source = QRectF(shown.x() * x, shown.y() * y, shown.width() * x, shown.height() * y)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=pixels < 1.0)
        painter.drawImage(QRectF(shown), image, source)


def level_for(pixels: float, n_levels: int) -> int:
    """Which image to paint where a cell has so many pixels: the smallest that has one for each pixel."""
    if pixels >= 1.0 or pixels <= 0.0:
        return 0
    return min(int(math.log2(1.0 / pixels)), n_levels - 1)


def halved(colours: Colours) -> Colours:
    """Half as many rows and columns (rounded up), each the mean of two; the last of an odd number alone."""
    rows, columns = colours.shape[:2]
    padded = np.pad(colours, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge").astype(np.uint16)
    total = padded[::2, ::2] + padded[1::2, ::2] + padded[::2, 1::2] + padded[1::2, 1::2]
    return np.asarray((total + 2) // 4, dtype=np.uint8)


def _image_of(colours: Colours) -> QImage:
    rows, columns = colours.shape[:2]
    content = np.ascontiguousarray(colours)
    image = QImage(content.data, columns, rows, 3 * columns, QImage.Format.Format_RGB888)
    # A copy of its own: Qt would not keep the array alive.
    return image.convertToFormat(QImage.Format.Format_RGB32)
