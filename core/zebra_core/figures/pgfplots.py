r"""Figures in TeX: a Figure as a pgfplots picture to \input, and a document around any picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zebra_core.figures.cells_layout import Anchor, Layout, Lettering, layout_of, tick_ends
from zebra_core.figures.figure import (
    COLOUR_MAP,
    FRAME,
    GRID,
    INKS,
    TEXT,
    Area,
    Axis,
    CellsFigure,
    Dash,
    Figure,
    Ink,
    Line,
    Marker,
    Points,
    Raster,
    axes_height,
    ink,
    line_width,
    marker_size,
    rgb,
    selected_places,
    ticks,
    visible_part,
)
from zebra_core.figures.lettering import printable
from zebra_core.figures.png import png_of
from zebra_core.wording.tex import Tex, fill, number

LONGEST_LABEL = 68  # characters that fit below the axes in one column
LONGEST_CAPTION = 300  # on several lines
LONGEST_OF_MANY = 44  # and in each of two columns
ROWS_IN_ONE_COLUMN = 6

_DASHES = {
    Dash.SOLID: "solid",
    Dash.DASHED: "dash pattern=on 5pt off 2.2pt",
    Dash.DOTTED: "dash pattern=on 1.2pt off 1.8pt",
    Dash.DASH_DOTTED: "dash pattern=on 6pt off 2pt on 1.2pt off 2pt",
    Dash.LONG_DASHED: "dash pattern=on 9pt off 2.2pt",
    Dash.DASH_DOT_DOTTED: "dash pattern=on 6pt off 1.8pt on 1.2pt off 1.8pt on 1.2pt off 1.8pt",
    Dash.SPARSELY_DASHED: "dash pattern=on 3pt off 4.5pt",
    Dash.SPARSELY_DOTTED: "dash pattern=on 1.2pt off 4.5pt",
}

_MARKERS = {
    Marker.CIRCLE: "*",
    Marker.DIAMOND: "square*, mark options={rotate=45}",  # the one called diamond is a thin one
    Marker.SQUARE: "square*",
    Marker.TRIANGLE: "triangle*",
    Marker.CROSS: "x",
}
_LOW_AXES = 7.5  # cm
_INCH = 2.54  # cm


@dataclass(frozen=True)
class _PlotData:
    """A line as the template needs it."""

    colour: Tex
    dash: Tex
    width: float
    points: tuple[tuple[float, float], ...]
    label: str | None


@dataclass(frozen=True)
class _Marks:
    """Single points as the template needs them: place, place, text."""

    colour: Tex
    shape: Tex
    points: tuple[tuple[float, float, str], ...]
    label: str | None
    radius: float
    outline: Tex


def tikz(figure: Figure, raster_file: str = "") -> str:
    """A tikzpicture with its data inside, for a document that loads pgfplots; it ends in a newline.

    The picture is 12 cm wide. Its legend lies below; a label that is too long for it is shortened in the
    middle, and all of them are in the comment at the top. A raster stands in a file beside it, `raster_png`,
    under the name given here, which must mean nothing to TeX.
    """
    columns, longest = _legend_shape([drawn.label or "" for drawn in figure.legend])
    coloured: tuple[Line | Points | Area, ...] = (*figure.lines, *figure.points, *figure.areas)
    colours = {ink(drawn.colour): f"zebra{number}" for number, drawn in enumerate(coloured)}
    colours.setdefault(INKS[Ink.FOREGROUND], "zebraforeground")
    colours |= {TEXT: "zebratext", GRID: "zebragrid", FRAME: "zebraframe"}
    plots, entries = [], {id(drawn) for drawn in figure.legend}
    for line in figure.lines:
        x, y = visible_part(figure, line)
        plots.append(
            _PlotData(
                colour=Tex(colours[ink(line.colour)]),
                dash=Tex(_DASHES[line.dash]),
                width=line_width(line),
                points=tuple(zip(x.tolist(), y.tolist(), strict=True)),
                label=printable(line.label, longest)
                if line.label is not None and id(line) in entries
                else None,
            )
        )
    marks = [_marks(points, points.texts, colours, longest) for points in figure.points]
    selected = [_selected(points, colours) for points in figure.points if len(selected_places(points)[0])]
    right = _ticks(figure.right) if figure.right else (Tex(""), [])
    height = round(_INCH * axes_height(figure, _LOW_AXES / _INCH), 2)
    return fill(
        "figure.tex",
        title=printable(figure.title, LONGEST_LABEL),
        caption=printable(figure.caption, LONGEST_CAPTION),
        alt_text=figure.alt_text,
        colours=[(Tex(name), Tex(colour.removeprefix("#"))) for colour, name in colours.items()],
        axes=[(Tex("x"), figure.x, *_ticks(figure.x)), (Tex("y"), figure.y, *_ticks(figure.y))],
        right=figure.right,
        right_places=right[0],
        right_labels=right[1],
        y_ends=(figure.y.low, figure.y.high),
        plots=plots,
        areas=[(_filled(figure, area, colours), area.opacity) for area in figure.areas],
        marks=[*marks, *selected],
        words=[(words.x, words.y, printable(words.text)) for words in figure.words],
        height=height,
        y_tick_font=Tex(r"\footnotesize" if height == _LOW_AXES or figure.rows is not None else r"\tiny"),
        legend_columns=columns,
        raster=figure.raster,
        raster_file=Tex(raster_file),
        raster_colours=[Tex(",".join(map(str, rgb(colour)))) for colour in COLOUR_MAP],
        raster_label=printable(figure.raster.scale.label) if figure.raster else "",
    )


def raster_png(raster: Raster) -> bytes:
    """The picture that `tikz` lays behind the axes."""
    return png_of(raster.colours())


def _filled(figure: Figure, area: Area, colours: Mapping[str, str]) -> _PlotData:
    outline = Line(area.x, area.y, None, area.colour)
    x, y = visible_part(figure, outline)
    above = list(zip(x.tolist(), y.tolist(), strict=True))
    if area.base is None:
        closed = [(above[0][0], 0.0), *above, (above[-1][0], 0.0)] if above else []
    else:
        x, y = visible_part(figure, replace(outline, y=area.base))
        closed = [*above, *reversed(list(zip(x.tolist(), y.tolist(), strict=True)))]
    return _PlotData(Tex(colours[ink(area.colour)]), Tex(""), 0.0, tuple(closed), None)


def _marks(points: Points, texts: Sequence[str], colours: Mapping[str, str], longest: int) -> _Marks:
    texts = texts or ("",) * len(points.x)
    return _Marks(
        colour=Tex(colours[ink(points.colour)]),
        shape=Tex(_MARKERS[points.marker]),
        points=tuple(zip(points.x.tolist(), points.y.tolist(), map(printable, texts), strict=True)),
        label=None if points.label is None else printable(points.label, longest),
        radius=marker_size(points.marker) / 2.0,
        # A cross is nothing but its outline; the others are parted by a thin line of the paper's colour.
        outline=Tex(
            "line width=1.6pt"
            if points.marker is Marker.CROSS
            else "every mark/.append style={draw=white, line width=0.4pt}"
        ),
    )


def _selected(points: Points, colours: Mapping[str, str]) -> _Marks:
    """The selected ones once more, larger and with a dark edge, above all others."""
    x, y = selected_places(points)
    drawn = _marks(replace(points, x=x, y=y, label=None), (), colours, 0)
    outline = Tex(rf"every mark/.append style={{draw={colours[INKS[Ink.FOREGROUND]]}, line width=1pt}}")
    if points.marker is Marker.CROSS:
        outline = Tex("line width=2.4pt")
    return replace(drawn, radius=marker_size(points.marker, selected=True) / 2.0, outline=outline)


def standalone(title: str, picture: str) -> str:
    """A document that pdflatex compiles by itself, to a page as large as the picture, which is TeX."""
    return fill("standalone.tex", title=title, picture=Tex(picture))


def _legend_shape(labels: list[str]) -> tuple[int, int]:
    """How many columns, and how many characters of a label fit into one."""
    fits_two = all(len(printable(label)) <= LONGEST_OF_MANY for label in labels)
    if len(labels) > 1 and (fits_two or len(labels) > ROWS_IN_ONE_COLUMN):
        return 2, LONGEST_OF_MANY
    return 1, LONGEST_LABEL


def _ticks(axis: Axis) -> tuple[Tex, list[str]]:
    """The places, as pgfplots wants them, and the labels."""
    places = ticks(axis)
    if not places:  # nothing at all would have pgfplots choose
        return Tex(r"\empty"), []
    return Tex(",".join(number(place) for place, _ in places)), [label for _, label in places]


# A CellsFigure in TeX: one image with all colours, and a TikZ picture that lays it and letters it.


IMAGE_DPI = 400
"""Fine enough that the borders of cells look straight, and every cell of 1 000 in a row has its pixel."""

_WHITE = 255
_ANCHORS = {Anchor.LEFT: "mid west", Anchor.MIDDLE: "mid", Anchor.RIGHT: "mid east"}
_UPRIGHT_ANCHORS = {Anchor.LEFT: "west", Anchor.MIDDLE: "center", Anchor.RIGHT: "east"}
_LETTERS = ((5.9, r"\tiny"), (7.6, r"\scriptsize"), (8.2, r"\footnotesize"), (9.5, r"\small"))


def tikz_and_image(figure: CellsFigure, image: str) -> tuple[str, bytes]:
    """A tikzpicture for a document that loads tikz, 7.2 inches wide, and the PNG with its colours.

    `image` is the name under which TeX finds the PNG; it must mean nothing to TeX.
    """
    layout = layout_of(figure)
    colours = {text.colour: f"zebra{number}" for number, text in enumerate(layout.texts)}
    drawn = fill(
        "cells.tex",
        alt_text=figure.alt_text,
        image=Tex(image),
        width=layout.width,
        height=layout.height,
        colours=[
            (Tex(name), Tex(colour.removeprefix("#")))
            for colour, name in (colours | {FRAME: "zebraframe"}).items()
        ],
        patches=layout.patches,
        ticks=list(zip(layout.ticks, tick_ends(layout), strict=True)),
        texts=[(text.x, text.y, _style(text, colours[text.colour]), text.text) for text in layout.texts],
    )
    return drawn, png_of(_painted(layout), IMAGE_DPI)


def _style(text: Lettering, colour: str) -> Tex:
    letters = next((command for largest, command in _LETTERS if text.size <= largest), r"\normalsize")
    bold = r"\bfseries" if text.bold else ""
    anchor = (_UPRIGHT_ANCHORS if text.upright else _ANCHORS)[text.anchor]
    turned = ", rotate=90" if text.upright else ""
    return Tex(rf"anchor={anchor}, {colour}, font={letters}{bold}{turned}")


def _painted(layout: Layout) -> NDArray[np.uint8]:
    """The sheet with nothing but its colours on white, shape (rows, columns, 3)."""
    shape = round(layout.height * IMAGE_DPI), round(layout.width * IMAGE_DPI)
    sheet = np.full((*shape, 3), _WHITE, dtype=np.uint8)
    for patch in layout.patches:
        top, left = layout.height - patch.y - patch.height, patch.x
        rows = slice(round(top * IMAGE_DPI), round((top + patch.height) * IMAGE_DPI))
        columns = slice(round(left * IMAGE_DPI), round((left + patch.width) * IMAGE_DPI))
        n_rows, n_columns = patch.colours.shape[:2]
        # The nearest cell of every pixel.
        row = np.arange(rows.stop - rows.start) * n_rows // (rows.stop - rows.start)
        column = np.arange(columns.stop - columns.start) * n_columns // (columns.stop - columns.start)
        sheet[rows, columns] = patch.colours[np.ix_(row, column)]
    return sheet
