r"""Figures in TeX: a Figure as a pgfplots picture to \input, or as a document of its own."""

from __future__ import annotations

from dataclasses import dataclass

from core.figures.figure import Axis, Dash, Figure
from core.figures.lettering import printable
from core.figures.paper import FRAME, GRID, TEXT, ink, line_width, ticks, visible_part
from core.tex import Tex, fill, number

LONGEST_LABEL = 68  # characters that fit below the axes in one column
LONGEST_OF_MANY = 44  # and in each of two columns
ROWS_IN_ONE_COLUMN = 6

_DASHES = {
    Dash.SOLID: "solid",
    Dash.DASHED: "dash pattern=on 5pt off 2.2pt",
    Dash.DOTTED: "dash pattern=on 1.2pt off 1.8pt",
    Dash.DASH_DOTTED: "dash pattern=on 6pt off 2pt on 1.2pt off 2pt",
}


@dataclass(frozen=True)
class _Plot:
    """A line as the template needs it."""

    colour: Tex
    dash: Tex
    width: float
    points: tuple[tuple[float, float], ...]
    label: str | None


def tikz(figure: Figure) -> str:
    """A tikzpicture with its data inside, for a document that loads pgfplots; it ends in a newline.

    The picture is 12 cm wide. Its legend lies below; a label that is too long for it is shortened in the
    middle, and all of them are in the comment at the top.
    """
    labels = [line.label for line in figure.lines if line.label is not None]
    columns, longest = _legend_shape(labels)
    colours = {ink(line.colour): f"zebra{number}" for number, line in enumerate(figure.lines)}
    colours |= {TEXT: "zebratext", GRID: "zebragrid", FRAME: "zebraframe"}
    plots = []
    for line in figure.lines:
        x, y = visible_part(figure, line)
        plots.append(
            _Plot(
                colour=Tex(colours[ink(line.colour)]),
                dash=Tex(_DASHES[line.dash]),
                width=line_width(line),
                points=tuple(zip(x.tolist(), y.tolist(), strict=True)),
                label=None if line.label is None else printable(line.label, longest),
            )
        )
    return fill(
        "figure.tex",
        title=printable(figure.title, LONGEST_LABEL),
        alt_text=figure.alt_text,
        colours=[(Tex(name), Tex(colour.removeprefix("#"))) for colour, name in colours.items()],
        axes=[(Tex("x"), figure.x, *_ticks(figure.x)), (Tex("y"), figure.y, *_ticks(figure.y))],
        plots=plots,
        legend_columns=columns,
    )


def standalone(figure: Figure) -> str:
    """A document that pdflatex compiles by itself, to a page as large as the picture."""
    return fill("standalone.tex", title=figure.title, picture=Tex(tikz(figure)))


def _legend_shape(labels: list[str]) -> tuple[int, int]:
    """How many columns, and how many characters of a label fit into one."""
    fits_two = all(len(printable(label)) <= LONGEST_OF_MANY for label in labels)
    if len(labels) > 1 and (fits_two or len(labels) > ROWS_IN_ONE_COLUMN):
        return 2, LONGEST_OF_MANY
    return 1, LONGEST_LABEL


def _ticks(axis: Axis) -> tuple[Tex, list[str]]:
    """The places, as pgfplots wants them, and the labels."""
    places = ticks(axis)
    return Tex(",".join(number(place) for place, _ in places)), [label for _, label in places]
