"""Figures on paper, drawn with matplotlib as PNG, PDF or SVG."""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from xml.sax.saxutils import escape

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Sheet
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import Trials
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import (
    FRAME,
    GRID,
    INKS,
    MARKER_SIZE,
    ROW_PITCH,
    TEXT,
    Axis,
    CellsFigure,
    Dash,
    Figure,
    Ink,
    Line,
    Marker,
    Points,
    axes_height as height_of_axes,
    ink,
    line_width,
    marker_size,
    selected_places,
    ticks,
)
from zebra_core.figures.lettering import DRAWN_FAMILY, fitted, printable, register_fonts, width_in_points
from zebra_core.figures.matplotlib_cells import (
    BAR_GAP,
    BAR_ROOM,
    BAR_WIDTH,
    draw_cells,
    draw_cells_onto,
    draw_raster,
)
from zebra_core.figures.png import png_of
from zebra_core.figures.series import ece_of_one
from zebra_core.figures.similarity import matrix_figure, mosaic_figure
from zebra_core.figures.speakers import zoo_figure
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.similarity import SimilarityMatrix, VoiceSimilarity
from zebra_core.speakers.zoo import Zoo
from zebra_core.wording.texts import visible_sentence

DPI = 200

# All lengths in inches; the sheet grows with its legend, so the axes stay as large whatever it holds.
WIDTH = 7.2
AXES_HEIGHT = 3.9
LEFT, RIGHT, TOP, BOTTOM = 0.68, 0.12, 0.5, 0.56
ROW_HEIGHT = 0.215
CAPTION_HEIGHT = 0.28
ROOM_AT_RIGHT = 0.5  # more, for a second axis
LONGEST_TICK_LABEL = 1.8
ROOM_FOR_LABEL, ROOM_FOR_TICK = 0.32, 0.12
MARGIN = 0.12
HANDLE, HANDLE_GAP, COLUMN_GAP = 0.3, 0.09, 0.3
POINTS_PER_INCH = 72.0

TITLE_SIZE, LABEL_SIZE, TICK_SIZE, LEGEND_SIZE = 11.0, 9.0, 8.5, 8.5
MOST_COLUMNS = 3
LONGEST_OF_TWO = 32  # characters of a label that stands beside another below axes of the usual width
ROWS_IN_ONE_COLUMN = 6  # labels too long for several columns get the whole width, up to so many

_DASHES: dict[Dash, Any] = {
    Dash.SOLID: "solid",
    Dash.DASHED: (0.0, (5.0, 2.2)),
    Dash.DOTTED: (0.0, (1.2, 1.8)),
    Dash.DASH_DOTTED: (0.0, (6.0, 2.0, 1.2, 2.0)),
    Dash.LONG_DASHED: (0.0, (9.0, 2.2)),
    Dash.DASH_DOT_DOTTED: (0.0, (6.0, 1.8, 1.2, 1.8, 1.2, 1.8)),
    Dash.SPARSELY_DASHED: (0.0, (3.0, 4.5)),
    Dash.SPARSELY_DOTTED: (0.0, (1.2, 4.5)),
}

_MARKERS = {
    Marker.CIRCLE: "o",
    Marker.DIAMOND: "D",
    Marker.SQUARE: "s",
    Marker.TRIANGLE: "^",
    Marker.CROSS: "X",
}

# Those that matplotlib comes with, whatever it has found in the current folder or that of the user; the
# backend is for windows, and not to be chosen anew.
_SETTINGS: dict[Any, Any] = {
    **{name: value for name, value in mpl.rcParamsDefault.items() if name != "backend"},
    "font.family": DRAWN_FAMILY,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,  # TrueType, so that text can be searched and copied
    "svg.fonttype": "path",  # looks the same where Inter is not installed
    "svg.hashsalt": "zebra",  # ids that do not change from run to run
    "path.simplify": False,
}


_RULES_OF_FONTS = ("GDEF", "GPOS", "GSUB")

# The settings are those of the whole process, whichever thread draws.
_ONE_AT_A_TIME = threading.Lock()


class PictureFormat(StrEnum):
    """The formats a figure can be drawn in."""

    PNG = "png"
    PDF = "pdf"
    SVG = "svg"


def render(
    figure: Figure | CellsFigure,
    kind: PictureFormat | str,
    *,
    dpi: int = DPI,
    axes_height: float = AXES_HEIGHT,
    width: float = WIDTH,
) -> bytes:
    """The figure as a PNG, PDF or SVG file, on white; the same figure gives the same bytes.

    `dpi` is the resolution of PNG, `axes_height` and `width` are in inches; tables of cells are 7.2 wide,
    and have the height that they need, as have axes with many ticks. Title and description are in the file's
    metadata, names unshortened; an empty title takes no room. Raises ValueError for another kind.
    """
    with _ONE_AT_A_TIME, mpl.rc_context(_SETTINGS):
        register_fonts()
        kind = PictureFormat(kind)
        if isinstance(figure, CellsFigure):
            sheet = draw_cells(figure, may_be_scaled=kind is not PictureFormat.PNG)
        else:
            sheet = _draw(figure, axes_height, width)
        title, description = (visible_sentence(text) for text in (figure.title, figure.alt_text))
        return _WRITERS[kind](sheet, title, description, dpi)


def draw_figure(figure: Figure | CellsFigure | AvailablePicture, axes: Axes | None = None) -> Axes:
    """Draw a figure onto axes of matplotlib, whose size, fonts and text sizes stay those of their owner.

    Limits, ticks, labels and the legend are those of the figure; its title and caption are left to the owner.

    Parameters
    ----------
    `figure`
        What to draw, such as one of `pictures_of`.
    `axes`
        Axes with nothing on them yet. Tables of cells, such as similarity matrices, share them. None: new
        ones of pyplot, with the legend below them.

    Returns
    -------
    Axes
        Those that were drawn onto.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import zebra_resources
    >>> from zebra_core import draw_figure, pictures_of, project_of_folder
    >>> picture = pictures_of(project_of_folder(zebra_resources.path("demo")).project)[0]
    >>> axes = draw_figure(picture, Figure().add_subplot())
    >>> axes.get_xlabel()
    'prior log-odds, logit π'
    """
    has_owner = axes is not None
    if axes is None:
        from matplotlib import pyplot as plt

        axes = plt.subplots(layout="constrained")[1]
    if isinstance(figure, AvailablePicture):
        figure = figure.made()
    if isinstance(figure, CellsFigure):
        draw_cells_onto(axes, figure)
        return axes
    if raster := figure.raster:
        axes.imshow(raster.colours(), extent=(*raster.x, *raster.y), aspect="auto", interpolation="none")
    axes.set(xlim=(figure.x.low, figure.x.high), ylim=(figure.y.low, figure.y.high))
    _lay_ink(axes, figure)
    beside = [(axes.twinx().yaxis, figure.right)] if figure.right else []
    for axis, described in ((axes.xaxis, figure.x), (axes.yaxis, figure.y), *beside):
        axis.axes.set_ylim(figure.y.low, figure.y.high)
        axis.set_ticks([place for place, _ in ticks(described)], [label for _, label in ticks(described)])
        axis.set_label_text(described.label)
    drawn = dict(
        zip((*figure.lines, *figure.points), axes.lines, strict=False)
    )  # then those that are selected
    for one in figure.legend:
        drawn[one].set_label(one.label or "")
    named = [drawn[one] for one in figure.legend]
    if named and has_owner:
        axes.legend(handles=named)
    elif named:
        columns = 1 if max(len(one.label or "") for one in figure.legend) > LONGEST_OF_TWO else 2
        axes.figure.legend(handles=named, loc="outside lower center", ncols=columns, frameon=False)
    for text in (axes if has_owner else axes.figure).findobj(Text):
        text.set_parse_math(False)  # a dollar in a name is a dollar
    return axes


def plot_ece(y_true: ArrayLike, y_score: ArrayLike, *, name: str = "LLRs", ax: Axes | None = None) -> Axes:
    """Draw the ECE of two arrays over the prior: of the scores as LLRs, after PAV, and without any scores.

    Parameters
    ----------
    `y_true`, `y_score`
        Labels and natural-log LLRs, (n,) each.
    `name`
        What the legend calls them.
    `ax`
        As `axes` of `draw_figure`.

    Returns
    -------
    Axes
        Those that were drawn onto.

    Raises
    ------
    InputError
        As `eer` does.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from zebra_core import plot_ece
    >>> axes = plot_ece([1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0], ax=Figure().add_subplot())
    >>> for text in axes.get_legend().get_texts():
    ...     print(text.get_text())
    perfect privacy (0, 0, 0)
    LLRs (0.361, 0.30, A)
    LLRs, scores as LLRs (Cllr 1.148)
    """
    trials = Trials.from_arrays(score=y_score, is_target=y_true)
    return draw_figure(ece_of_one(assess(trials), name, actual=True), ax)


def plot_similarity(
    similarity: SimilarityMatrix | VoiceSimilarity, *, setting: str = "oo", ax: Axes | None = None
) -> Axes:
    """Draw similarity matrices: one, or those of all settings.

    Parameters
    ----------
    `similarity`
        Of `similarity_matrix`, or of `voice_similarity` or `read_similarity`.
    `setting`
        Of one matrix, what its sides are: "oo", "op" or "pp", O for original and P for protected segments.
    `ax`
        As `axes` of `draw_figure`.

    Returns
    -------
    Axes
        Those whose place the matrices share.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import zebra_resources
    >>> from zebra_core import plot_similarity, read_similarity
    >>> folder = zebra_resources.path("demo/similarity/libri_test_trials_f")
    >>> oo, op = folder / "scores_oo.txt.gz", folder / "B2/scores_op.txt.gz"
    >>> axes = plot_similarity(read_similarity(oo=oo, op=op), ax=Figure().add_subplot())
    >>> [panel.get_title() for panel in axes.child_axes]  # and the scale of colours
    ['OO', 'OP', '']
    """
    if isinstance(similarity, SimilarityMatrix):
        return draw_figure(matrix_figure([(setting.upper(), similarity)], setting), ax)
    return draw_figure(mosaic_figure(similarity, ""), ax)


def plot_zoo(zoo: Zoo, *, ax: Axes | None = None) -> Axes:
    """Draw a zoo: each speaker at their mean target and mean nontarget score.

    Parameters
    ----------
    `zoo`
        Of `zoo_of`.
    `ax`
        As `axes` of `draw_figure`.

    Returns
    -------
    Axes
        Those that were drawn onto.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from zebra_core import SpeakerTrials, Trials, plot_zoo, zoo_of
    >>> trials = Trials.from_arrays(
    ...     score=[2.0, 0.0, -1.0, 1.0],
    ...     is_target=[1, 0, 0, 1],
    ...     enrol=["ann", "ann", "ben", "ben"],
    ...     test=["ann-1", "ben-1", "ann-1", "ben-1"],
    ... )
    >>> axes = plot_zoo(zoo_of(SpeakerTrials.of_trials(trials)), ax=Figure().add_subplot())
    >>> axes.get_xlabel()
    'mean target log10 LR'
    """
    return draw_figure(zoo_figure(zoo, ""), ax)


# --- drawing


def _draw(figure: Figure, axes_height: float, width: float) -> Sheet:
    legend = _Legend.of(figure, width)
    top = TOP if figure.title else MARGIN
    axes_height = height_of_axes(figure, axes_height)
    left = _left_of_axes(figure.y)
    below = legend.height + MARGIN + (CAPTION_HEIGHT if figure.caption else 0.0)
    height = top + axes_height + BOTTOM + below
    sheet = Sheet(figsize=(width, height), facecolor="white")
    right = (
        RIGHT + (BAR_ROOM if figure.raster else 0.0) + (_right_of_axes(figure.right) if figure.right else 0.0)
    )
    axes_width = width - left - right
    bottom = BOTTOM + below
    axes = sheet.add_axes((left / width, bottom / height, axes_width / width, axes_height / height))
    _dress(axes, figure)
    if figure.raster:
        place = (left + axes_width + BAR_GAP) / width, bottom / height
        draw_raster(axes, figure.raster, (*place, BAR_WIDTH / width, axes_height / height))
    _lay_ink(axes, figure)
    sheet.text(
        left / width,
        1.0 - 0.19 / height,
        fitted(printable(figure.title), TITLE_SIZE * 1.1, axes_width * POINTS_PER_INCH),
        size=TITLE_SIZE,
        weight="semibold",
        color=INKS[Ink.FOREGROUND],
        va="top",
    )
    legend.draw(sheet, top=below)
    _write_caption(sheet, figure.caption)
    return sheet


def _lay_ink(axes: Axes, figure: Figure) -> None:
    """All that is drawn in data units."""
    for area in figure.areas:
        base = 0.0 if area.base is None else area.base
        axes.fill_between(area.x, area.y, base, color=ink(area.colour), alpha=area.opacity, linewidth=0.0)
    for line in figure.lines:
        axes.add_line(_line(line, line.x, line.y))
    for points in figure.points:
        axes.add_line(_marks(points, points.x, points.y))
        _write_beside(axes, points)
    for points in figure.points:
        x, y = selected_places(points)
        axes.add_line(_marks(points, x, y, selected=True))
    for words in figure.words:
        axes.text(
            words.x,
            words.y,
            printable(words.text),
            size=LABEL_SIZE,
            color=TEXT,
            ha="center",
            va="center",
            zorder=1,
        )


def _write_caption(sheet: Sheet, caption: str) -> None:
    """The caption below the legend, in one line."""
    width = sheet.get_figwidth()
    room = (width - LEFT - RIGHT) * POINTS_PER_INCH
    sheet.text(
        LEFT / width,
        (MARGIN + 0.5 * ROW_HEIGHT) / sheet.get_figheight(),
        fitted(printable(caption), LEGEND_SIZE, room),
        size=LEGEND_SIZE,
        color=TEXT,
        va="center_baseline",
    )


def _dress(axes: Axes, figure: Figure) -> None:
    """Frame, grid, ticks and labels."""
    axes.set_xlim(figure.x.low, figure.x.high)
    axes.set_ylim(figure.y.low, figure.y.high)
    axes.set_axisbelow(True)
    if figure.raster is None:  # lines across colours would hide some
        axes.grid(color=GRID, linewidth=0.6)
    _name_ticks(axes.xaxis, figure.x)
    _name_ticks(axes.yaxis, figure.y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color=FRAME, linewidth=0.7)
    if figure.right:
        beside = axes.twinx()
        beside.set_ylim(figure.y.low, figure.y.high)
        _name_ticks(beside.yaxis, figure.right)
        beside.spines[["top", "left", "bottom"]].set_visible(False)
        beside.spines["right"].set(color=FRAME, linewidth=0.7)


def _name_ticks(axis: XAxis | YAxis, described: Axis) -> None:
    size = _tick_size(described)
    axis.set_tick_params(colors=FRAME, labelcolor=TEXT, labelsize=size, length=3.0, width=0.6, pad=4.0)
    # Ticks come last: each that there is would be changed one by one.
    axis.set_ticks([place for place, _ in ticks(described)], _tick_labels(described))
    axis.set_label_text(printable(described.label), size=LABEL_SIZE, color=TEXT)


def _line(line: Line, x: Any, y: Any, **where: Any) -> Line2D:
    return Line2D(
        x,
        y,
        color=ink(line.colour),
        linestyle=_DASHES[line.dash],
        linewidth=line_width(line),
        solid_capstyle="round",
        solid_joinstyle="round",
        **where,
    )


def _tick_size(axis: Axis) -> float:
    return (
        TICK_SIZE if len(axis.ticks or ()) * ROW_PITCH <= AXES_HEIGHT else ROW_PITCH * POINTS_PER_INCH / 1.2
    )


def _tick_labels(axis: Axis) -> list[str]:
    longest = LONGEST_TICK_LABEL * POINTS_PER_INCH
    return [fitted(printable(label), _tick_size(axis), longest) for _, label in ticks(axis)]


def _left_of_axes(y: Axis) -> float:
    """The room at the left of the axes: more than usual only where tick labels are longer than numbers."""
    widest = max((width_in_points(label, _tick_size(y)) for label in _tick_labels(y)), default=0.0)
    return max(LEFT, ROOM_FOR_LABEL + widest / POINTS_PER_INCH)


def _right_of_axes(right: Axis) -> float:
    """The room for a second axis."""
    widest = max((width_in_points(label, _tick_size(right)) for label in _tick_labels(right)), default=0.0)
    return max(ROOM_AT_RIGHT, ROOM_FOR_TICK + widest / POINTS_PER_INCH)


def _marks(points: Points, x: Any, y: Any, *, selected: bool = False, **where: Any) -> Line2D:
    return Line2D(
        x,
        y,
        color=ink(points.colour),
        linestyle="none",
        marker=_MARKERS[points.marker],
        markersize=marker_size(points.marker, selected=selected),
        markeredgecolor=INKS[Ink.FOREGROUND] if selected else "white",
        markeredgewidth=1.0 if selected else 0.6,
        **where,
    )


def _write_beside(axes: Axes, points: Points) -> None:
    for x, y, text in zip(points.x, points.y, points.texts, strict=False):
        axes.annotate(
            printable(text),
            (x, y),
            (0.0, MARKER_SIZE),
            textcoords="offset points",
            ha="center",
            size=TICK_SIZE - 1.0,
            color=TEXT,
        )


@dataclass(frozen=True)
class _Legend:
    """The legend below the axes: rows filled column by column, every label as long as its column allows."""

    entries: tuple[Line | Points, ...]
    labels: tuple[str, ...]
    columns: int
    width: float  # of the sheet

    @classmethod
    def of(cls, figure: Figure, width: float) -> _Legend:
        entries = figure.legend
        texts = [printable(drawn.label or "") for drawn in entries]
        widest = max((width_in_points(text, LEGEND_SIZE) for text in texts), default=0.0)
        fewest_rows = 1 if figure.rows is not None else 2  # a low picture is not to be made high again
        most = min(MOST_COLUMNS, max(len(entries) // fewest_rows, 1))
        fits = (n for n in range(most, 0, -1) if widest <= _label_width(n, width))
        columns = next(fits, 1 if len(entries) <= ROWS_IN_ONE_COLUMN else 2)
        labels = tuple(fitted(text, LEGEND_SIZE, _label_width(columns, width)) for text in texts)
        return cls(entries, labels, columns, width)

    @property
    def rows(self) -> int:
        return math.ceil(len(self.entries) / self.columns)

    @property
    def height(self) -> float:
        return self.rows * ROW_HEIGHT

    def draw(self, sheet: Sheet, top: float) -> None:
        """Draw it with its upper edge `top` inches above the lower edge of the sheet."""
        height = sheet.get_figheight()
        for number, (drawn, label) in enumerate(zip(self.entries, self.labels, strict=True)):
            column, row = divmod(number, self.rows)
            left = LEFT + column * (_column_width(self.columns, self.width) + COLUMN_GAP)
            y = (top - (row + 0.5) * ROW_HEIGHT) / height
            if isinstance(drawn, Line):
                ends = [left / self.width, (left + HANDLE) / self.width]
                sheet.add_artist(_line(drawn, ends, [y, y], transform=sheet.transFigure))
            else:
                middle = (left + HANDLE / 2.0) / self.width
                sheet.add_artist(_marks(drawn, [middle], [y], transform=sheet.transFigure))
            sheet.text(
                (left + HANDLE + HANDLE_GAP) / self.width,
                y,
                label,
                size=LEGEND_SIZE,
                weight="semibold" if isinstance(drawn, Line) and drawn.emphasis else "regular",
                color=INKS[Ink.FOREGROUND],
                va="center_baseline",
            )


def _column_width(columns: int, width: float) -> float:
    return (width - LEFT - RIGHT - (columns - 1) * COLUMN_GAP) / columns


def _label_width(columns: int, width: float) -> float:
    """The room for a label, in points; a little is left for the heavier weight of an emphasised one."""
    return (_column_width(columns, width) - HANDLE - HANDLE_GAP) * POINTS_PER_INCH / 1.05


# --- writing


def _png(sheet: Sheet, title: str, description: str, dpi: int) -> bytes:
    """A PNG as matplotlib draws it, without the alpha channel, which is the same everywhere."""
    sheet.set_dpi(dpi)
    canvas: Any = FigureCanvasAgg(sheet)
    canvas.draw()
    return png_of(np.asarray(canvas.buffer_rgba()), dpi, {"Title": title, "Description": description})


def _pdf(sheet: Sheet, title: str, description: str, _dpi: int) -> bytes:
    # What cuts fonts down takes a seventh of a second to import, and reports have their pictures as SVG.
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    with _fonts_without_rules():
        return _printed(
            FigureCanvasPdf(sheet).print_pdf,
            {"Title": title, "Subject": description, "CreationDate": None},
            sheet,
            POINTS_PER_INCH,
        )


@contextmanager
def _fonts_without_rules() -> Iterator[None]:
    """Fonts are embedded without the rules for setting letters, which are set already.

    matplotlib lets fontTools cut them down to the letters in use, which takes four times as long as all else;
    told to drop them it would still read them first.
    """
    from fontTools.subset import Subsetter

    cut_down = Subsetter.subset

    def without_rules(cutter: Subsetter, font: Any) -> None:
        for table in _RULES_OF_FONTS:
            if table in font:
                del font[table]
        cut_down(cutter, font)

    Subsetter.subset = without_rules
    try:
        yield
    finally:
        Subsetter.subset = cut_down


def _svg(sheet: Sheet, title: str, description: str, _dpi: int) -> bytes:
    drawn = _printed(
        FigureCanvasSVG(sheet).print_svg,
        {"Title": title, "Description": description, "Date": None},
        sheet,
        POINTS_PER_INCH,
    )
    # matplotlib writes the description for machines only; screen readers look for <desc> after <title>.
    return drawn.replace(b"</title>", f"</title>\n <desc>{escape(description)}</desc>".encode(), 1)


def _printed(
    write: Callable[..., None], metadata: Mapping[str, str | None], sheet: Sheet, dpi: float
) -> bytes:
    sheet.set_dpi(dpi)
    stream = io.BytesIO()
    write(stream, metadata=metadata)
    return stream.getvalue()


_WRITERS = {PictureFormat.PNG: _png, PictureFormat.PDF: _pdf, PictureFormat.SVG: _svg}
