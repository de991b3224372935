"""Where everything of a CellsFigure lies on paper: colours and texts, the same in all renderers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from zebra_core.figures.figure import (
    EMPTY,
    INKS,
    TEXT,
    Axis,
    Cells,
    CellsFigure,
    Ink,
    colour_table,
    rgb,
    ticks,
)
from zebra_core.figures.lettering import fitted, printable, width_in_points
from zebra_core.wording.texts import say

POINTS_PER_INCH = 72.0

# All lengths in inches, all sizes of letters in points.
WIDTH = 7.2
MARGIN = 0.14
TITLE_BAND = 0.24
PANEL_TITLE_BAND = 0.24
CAPTION_BAND = 0.3
SIDE_LABEL_BAND = 0.24
NAMES_GAP = 0.05
LONGEST_NAME = 0.9
COLUMN_GAP, ROW_GAP = 0.16, 0.1
LARGEST_SIDE = 4.9
BAR_GAP, BAR_WIDTH, BAR_HEIGHT, BAR_ROOM = 0.24, 0.13, 2.2, 0.52  # the room is for its ticks and label
EMPTY_KEY = 0.3
TICK_LENGTH = 0.04

TITLE_SIZE, PANEL_TITLE_SIZE, LABEL_SIZE, TICK_SIZE = 11.0, 9.0, 8.5, 8.0
LARGEST_NAME_SIZE, SMALLEST_NAME_SIZE = 7.0, 4.5
NAME_PITCH = 1.1  # from one name to the next, over the size of the letters


class Anchor(Enum):
    """Which point of a text lies at its place; sides are those of the reader of the text."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, eq=False)
class Patch:
    """A rectangle of colours with its lower left corner at (x, y); `colours` has shape (rows, columns, 3)."""

    x: float
    y: float
    width: float
    height: float
    colours: NDArray[np.uint8]


@dataclass(frozen=True)
class Lettering:
    """A printable text, vertically centred on its place; `upright` ones are turned to read upwards."""

    x: float
    y: float
    text: str
    size: float
    colour: str = TEXT
    anchor: Anchor = Anchor.MIDDLE
    bold: bool = False
    upright: bool = False


@dataclass(frozen=True, eq=False)
class Layout:
    """A sheet, measured from its lower left corner. The patches have a thin frame; texts lie beside them."""

    width: float
    height: float
    patches: tuple[Patch, ...]
    texts: tuple[Lettering, ...]
    ticks: tuple[tuple[float, float], ...]  # where the short lines of the colour bar begin; they go right


def layout_of(figure: CellsFigure) -> Layout:
    """Panels as large as the width allows, with names where these can be read, and the colour bar."""
    return _Sheet(figure).laid_out()


class _Sheet:
    """The measures of one figure, and what follows from them."""

    def __init__(self, figure: CellsFigure) -> None:
        self.figure = figure
        self.rows = figure.panels
        self.n_columns = max(len(row) for row in figure.panels)
        self.most_names = max(max(cells.values.shape) for row in figure.panels for cells in row)
        self.name_size = LARGEST_NAME_SIZE
        self.names_shown = True
        # Smaller letters leave more room for cells: a second look settles it.
        for _ in range(2):
            self.side = self._side()
            pitch = self.side * POINTS_PER_INCH / self.most_names
            self.name_size = min(LARGEST_NAME_SIZE, pitch / NAME_PITCH)
        if self.name_size < SMALLEST_NAME_SIZE:
            self.names_shown = False
            self.side = self._side()

    def laid_out(self) -> Layout:
        """Place everything, from the top to the bottom; at the end the height is known and y is turned."""
        lefts = [self._left(column) for column in range(self.n_columns)]
        x_of = [MARGIN + sum(lefts[: k + 1]) + k * (self.side + COLUMN_GAP) for k in range(self.n_columns)]
        patches: list[Patch] = []
        texts: list[Lettering] = []
        depth = TITLE_BAND + MARGIN if self.figure.title else MARGIN
        top = depth + PANEL_TITLE_BAND
        for number, row in enumerate(self.rows):
            depth += PANEL_TITLE_BAND
            for column, cells in enumerate(row):
                x = x_of[column]
                patches.append(
                    Patch(x, depth + self.side, self.side, self.side, self.figure.scale.colours(cells.values))
                )
                texts += self._beside(cells, x, depth, self.figure.has_row_side(number, column))
                if self.figure.has_column_side(number, column):
                    texts += self._below(cells, x, depth + self.side)
            depth += self.side + self._bottom(number) + ROW_GAP
        right = max(x_of[len(row) - 1] for row in self.rows) + self.side
        bar, words, marks = self._bar(right + BAR_GAP, top)
        patches += bar
        texts += words
        height = max([depth - ROW_GAP + MARGIN, *(patch.y + MARGIN for patch in bar)])
        if self.figure.caption:
            room = (WIDTH - x_of[0] - MARGIN) * POINTS_PER_INCH
            caption = fitted(printable(self.figure.caption), LABEL_SIZE, room)
            height += CAPTION_BAND
            texts.append(Lettering(x_of[0], height - MARGIN - 0.06, caption, LABEL_SIZE, anchor=Anchor.LEFT))
        if self.figure.title:
            width = (WIDTH - x_of[0] - MARGIN) * POINTS_PER_INCH
            title = fitted(printable(self.figure.title), TITLE_SIZE * 1.1, width)
            ink = INKS[Ink.FOREGROUND]
            place = x_of[0], MARGIN + TITLE_SIZE / 2.0 / POINTS_PER_INCH
            texts.append(Lettering(*place, title, TITLE_SIZE, ink, Anchor.LEFT, bold=True))
        return Layout(
            WIDTH,
            height,
            tuple(Patch(p.x, height - p.y, p.width, p.height, p.colours) for p in patches),
            tuple(_turned(text, height) for text in texts),
            tuple((x, height - y) for x, y in marks),
        )

    def _side(self) -> float:
        """The side of a panel: all have the same."""
        taken = 2.0 * MARGIN + BAR_GAP + BAR_WIDTH + BAR_ROOM + (self.n_columns - 1) * COLUMN_GAP
        taken += sum(self._left(column) for column in range(self.n_columns))
        return min(LARGEST_SIDE, (WIDTH - taken) / self.n_columns)

    def _left(self, column: int) -> float:
        """The room at the left of a column of panels."""
        shown = [
            row[column].row_names
            for number, row in enumerate(self.rows)
            if column < len(row) and self.figure.has_row_side(number, column)
        ]
        return SIDE_LABEL_BAND + self._names_band(shown) if shown else 0.0

    def _bottom(self, number: int) -> float:
        """The room below a row of panels."""
        shown = [
            cells.column_names
            for column, cells in enumerate(self.rows[number])
            if self.figure.has_column_side(number, column)
        ]
        return SIDE_LABEL_BAND + self._names_band(shown) if shown else 0.0

    def _names_band(self, shown: list[tuple[str, ...]]) -> float:
        if not self.names_shown:
            return 0.0
        widest = max(
            (width_in_points(printable(name), self.name_size) for names in shown for name in names),
            default=0.0,
        )
        return min(LONGEST_NAME, widest / POINTS_PER_INCH) + NAMES_GAP

    def _beside(self, cells: Cells, x: float, top: float, has_side: bool) -> Iterator[Lettering]:
        """The title of a panel and its note above it; what its rows are, at its left."""
        up = top - PANEL_TITLE_BAND / 2.0
        room = self.side * POINTS_PER_INCH
        note = printable(cells.note)
        room_for_title = room - width_in_points(note, LABEL_SIZE) * 1.1
        title = fitted(printable(cells.title), PANEL_TITLE_SIZE * 1.1, room_for_title)
        yield Lettering(x, up, title, PANEL_TITLE_SIZE, INKS[Ink.FOREGROUND], Anchor.LEFT, bold=True)
        if note:
            yield Lettering(x + self.side, up, note, LABEL_SIZE, anchor=Anchor.RIGHT)
        if not has_side:
            return
        label_x = x - SIDE_LABEL_BAND / 2.0
        if self.names_shown:
            label_x -= self._names_band([cells.row_names])
            pitch = self.side / len(cells.row_names)
            for k, name in enumerate(cells.row_names):
                place = x - NAMES_GAP, top + (k + 0.5) * pitch
                yield Lettering(*place, self._name(name), self.name_size, anchor=Anchor.RIGHT)
        label = fitted(printable(cells.row_label), LABEL_SIZE, room)
        yield Lettering(label_x, top + self.side / 2.0, label, LABEL_SIZE, upright=True)

    def _below(self, cells: Cells, x: float, bottom: float) -> Iterator[Lettering]:
        label_y = bottom + SIDE_LABEL_BAND / 2.0 + 0.02
        if self.names_shown:
            label_y += self._names_band([cells.column_names])
            pitch = self.side / len(cells.column_names)
            for k, name in enumerate(cells.column_names):
                place = x + (k + 0.5) * pitch, bottom + NAMES_GAP
                yield Lettering(*place, self._name(name), self.name_size, anchor=Anchor.RIGHT, upright=True)
        label = fitted(printable(cells.column_label), LABEL_SIZE, self.side * POINTS_PER_INCH)
        yield Lettering(x + self.side / 2.0, label_y, label, LABEL_SIZE)

    def _name(self, name: str) -> str:
        return fitted(printable(name), self.name_size, LONGEST_NAME * POINTS_PER_INCH)

    def _bar(self, x: float, top: float) -> tuple[list[Patch], list[Lettering], list[tuple[float, float]]]:
        """The colour bar with its ticks and label; below it the colour of empty cells, if any."""
        scale = self.figure.scale
        height = min(BAR_HEIGHT, self.side)
        bar = [Patch(x, top + height, BAR_WIDTH, height, colour_table()[::-1, np.newaxis])]
        texts, marks = [], []
        for value, label in ticks(Axis(scale.label, scale.low, scale.high))[::2]:
            y = top + height * (scale.high - value) / (scale.high - scale.low)
            marks.append((x + BAR_WIDTH, y))
            place = x + BAR_WIDTH + 2.0 * TICK_LENGTH, y
            texts.append(Lettering(*place, label, TICK_SIZE, anchor=Anchor.LEFT))
        label = fitted(printable(scale.label), LABEL_SIZE, height * POINTS_PER_INCH)
        place = x + BAR_WIDTH + BAR_ROOM - 0.06, top + height / 2.0
        texts.append(Lettering(*place, label, LABEL_SIZE, upright=True))
        if any(np.isnan(cells.values).any() for row in self.rows for cells in row):
            low = top + height + EMPTY_KEY
            bar.append(Patch(x, low, BAR_WIDTH, BAR_WIDTH, np.array([[rgb(EMPTY)]], dtype=np.uint8)))
            place = x + BAR_WIDTH + 2.0 * TICK_LENGTH, low - BAR_WIDTH / 2.0
            texts.append(Lettering(*place, say("figure.no-cell"), TICK_SIZE, anchor=Anchor.LEFT))
        return bar, texts, marks


def tick_ends(layout: Layout) -> list[tuple[float, float]]:
    """Where the short lines of the colour bar end."""
    return [(x + TICK_LENGTH, y) for x, y in layout.ticks]


def _turned(text: Lettering, height: float) -> Lettering:
    return Lettering(
        text.x, height - text.y, text.text, text.size, text.colour, text.anchor, text.bold, text.upright
    )
