"""Figures as PNG, PDF and SVG."""

import io
import re
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pikepdf
import pytest
from fontTools.ttLib import TTFont
from matplotlib import pyplot as plt
from matplotlib.figure import Figure as Sheet
from matplotlib.font_manager import fontManager
from PIL import Image

from tests.core.samples import HOSTILE, demo, project_of
from zebra_core import SpeakerTrials, Trials, assess, similarity_matrix
from zebra_core.figures.figure import (
    COLOUR_MAP,
    EMPTY,
    Area,
    Axis,
    Cells,
    CellsFigure,
    ColourScale,
    Figure,
    Line,
    Marker,
    NamedPoints,
    Points,
    Raster,
    Words,
    rgb,
)
from zebra_core.figures.matplotlib_ import DPI, WIDTH, draw_figure, plot_ece, plot_similarity, render
from zebra_core.figures.series import ece_figure


@pytest.fixture(scope="module")
def figure() -> Figure:
    entries = demo().entries
    return ece_figure(entries, entries[2].id)


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_same_figure_same_bytes_and_no_trace_in_matplotlib(figure: Figure, kind: str) -> None:
    before = dict(mpl.rcParams)
    assert render(figure, kind) == render(figure, kind)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_settings_and_fonts_of_the_user_draw_nothing(
    figure: Figure, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what a notebook has set before, nor another font that is called Inter as well."""
    expected = render(figure, kind)
    known = fontManager.ttflist
    other = next(font for font in known if font.name.startswith("DejaVu Sans"))
    monkeypatch.setattr(fontManager, "ttflist", [replace(other, name="Inter"), *known])
    fontManager._findfont_cached.cache_clear()
    users = {"xtick.direction": "in", "axes.facecolor": "yellow", "path.sketch": (1.0, 100.0, 2.0)}
    with mpl.rc_context({**users, "lines.antialiased": False, "svg.image_inline": False}):
        assert render(figure, kind) == expected
        assert mpl.rcParams["xtick.direction"] == "in"


def test_png(figure: Figure) -> None:
    picture = Image.open(io.BytesIO(render(figure, "png")))
    assert picture.width == round(WIDTH * DPI)
    assert picture.mode == "RGB"  # nothing shines through
    assert picture.info["Title"] == "ECE profiles"
    assert "B2 OP (0.205, 2.39, C)" in picture.info["Description"]
    assert "Software" not in picture.info
    # White paper, the green of B1w, the thick blue of B2: the curves are there, in their colours.
    colours = {colour: count for count, colour in picture.convert("RGB").getcolors(1 << 20)}
    assert colours[255, 255, 255] > 0.8 * picture.width * picture.height
    assert colours[0x19, 0x70, 0xBB] > colours[0x21, 0x96, 0x7B] > 500
    assert render(figure, "png", dpi=50) != render(figure, "png")
    assert Image.open(io.BytesIO(render(figure, "png", dpi=50))).width == round(WIDTH * 50)


def test_pdf(figure: Figure) -> None:
    with pikepdf.open(io.BytesIO(render(figure, "pdf"))) as pdf:
        assert len(pdf.pages) == 1
        assert str(pdf.docinfo["/Title"]) == "ECE profiles"
        assert "unprotected OO (0.678, 3.88, C)" in str(pdf.docinfo["/Subject"])
        assert "/CreationDate" not in pdf.docinfo
        fonts = pdf.pages[0].Resources.Font
        kinds = {str(font.get("/DescendantFonts", [font])[0].Subtype) for font in fonts.values()}
    assert kinds <= {"/TrueType", "/CIDFontType2"}


def test_fonts_in_a_pdf_come_without_the_rules_by_which_its_letters_were_set(figure: Figure) -> None:
    with pikepdf.open(io.BytesIO(render(figure, "pdf"))) as pdf:
        embedded = [
            one.FontFile2.read_bytes()
            for one in pdf.objects
            if isinstance(one, pikepdf.Dictionary) and "/FontFile2" in one
        ]
    tables = [set(TTFont(io.BytesIO(font)).keys()) for font in embedded]
    assert tables
    for font in tables:
        assert {"glyf", "hmtx", "loca"} <= font
        assert not font & {"GDEF", "GPOS", "GSUB"}


def test_svg(figure: Figure) -> None:
    drawn = render(figure, "svg").decode()
    assert "<title>ECE profiles</title>" in drawn
    assert re.search(r"<desc>Empirical cross-entropy in bits .*B2 OP \(0\.205, 2\.39, C\)", drawn)
    assert "<dc:date>" not in drawn


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_names_of_the_worst_kind_are_drawn_without_a_warning(kind: str) -> None:
    figure = ece_figure(project_of(*HOSTILE.values()).entries)
    drawn = render(replace(figure, title="<b> & $x_1$ \U0001f993\n"), kind)
    assert drawn == render(replace(figure, title="<b> & $x_1$ \U0001f993\n"), kind)
    if kind == "svg":
        assert rb"<title>&lt;b&gt; &amp; $x_1$ " in drawn
        assert HOSTILE["long"].encode() in drawn


@pytest.mark.parametrize("count", [1, 4, 12, 40])
def test_the_legend_never_takes_room_from_the_axes(count: int) -> None:
    figure = ece_figure(project_of(*(f"system {n} of its family" for n in range(count))).entries)
    picture = Image.open(io.BytesIO(render(figure, "png", dpi=100))).convert("RGB")
    # The left axis begins and ends where it always does.
    frame = [y for y in range(picture.height) if picture.getpixel((68, y))[0] < 200]
    assert (min(frame), len(range(min(frame), 441))) == (pytest.approx(50, abs=1), pytest.approx(391, abs=2))
    rows = -(-(count + 1) // (1 if count == 1 else 2))
    assert picture.height == pytest.approx(100 * (5.08 + 0.215 * rows), abs=1)


def test_another_kind_is_our_mistake(figure: Figure) -> None:
    with pytest.raises(ValueError, match="jpeg"):
        render(figure, "jpeg")


def test_points_lie_above_lines_and_areas_below() -> None:
    flat = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    figure = Figure(
        "Points", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0), (Line(*flat, None, 0),), "Points.",
        points=(Points(np.array([0.5]), np.array([0.5]), 1, label="a point", texts=("12",)),),
        areas=(Area(*flat, 2),),
    )  # fmt: skip
    picture = Image.open(io.BytesIO(render(figure, "png", dpi=100))).convert("RGB")
    left, right, top, bottom = 68, 708, 50, 440
    middle = ((left + right) // 2, (top + bottom) // 2)
    assert picture.getpixel(middle) == (0x19, 0x70, 0xBB)
    assert picture.getpixel((left + 100, middle[1])) == pytest.approx((0x21, 0x96, 0x7B), abs=25)
    red, _, blue = picture.getpixel((left + 100, middle[1] + 100))
    assert 235 < blue + 30 < red  # vermillion, faint


def dots(marker: Marker = Marker.CIRCLE, emphasised: frozenset[str] = frozenset()) -> Figure:
    points = NamedPoints(
        np.array([0.25, 0.75]), np.array([0.5, 0.5]), 1, None, marker, names=("a", "b"), emphasised=emphasised
    )
    return Figure("Dots", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0), (), "Dots.", points=(points,))


def inked(figure: Figure, colour: tuple[int, int, int]) -> int:
    picture = Image.open(io.BytesIO(render(figure, "png"))).convert("RGB")
    return {found: count for count, found in picture.getcolors(1 << 20)}.get(colour, 0)


def test_every_marker_has_a_shape_of_its_own() -> None:
    assert len({render(dots(marker), "png") for marker in Marker}) == len(Marker)


def test_selected_points_are_larger() -> None:
    assert inked(dots(emphasised=frozenset("b")), (0x19, 0x70, 0xBB)) > 1.4 * inked(
        dots(), (0x19, 0x70, 0xBB)
    )


def test_words_stand_in_the_picture_below_points() -> None:
    text = (0x4A, 0x53, 0x61)
    worded = replace(dots(), words=(Words(0.25, 0.5, "phantoms"),))
    assert inked(worded, text) > inked(dots(), text)
    assert inked(worded, (0x19, 0x70, 0xBB)) == inked(dots(), (0x19, 0x70, 0xBB))


def test_axes_grow_with_the_names_along_them() -> None:
    def height(count: int, name: str) -> tuple[int, int]:
        names = tuple((float(k), f"{name}{k}") for k in range(count))
        figure = replace(dots(), y=Axis("speaker", -0.5, count - 0.5, names))
        picture = Image.open(io.BytesIO(render(figure, "png", dpi=100))).convert("RGB")
        line = picture.height - 70 - 12  # the axes end 0.68 inches above the lower edge
        dark = [x for x in range(picture.width) if picture.getpixel((x, line))[0] < 200]
        return picture.height, min(dark, default=0)

    assert height(20, "s") == height(3, "s")
    assert height(80, "s")[0] == pytest.approx(height(3, "s")[0] + 100 * (80 * 0.112 - 3.9), abs=2)
    assert height(3, "a long name of a speaker ")[1] > height(3, "s")[1] + 50


def table(rows: int = 3) -> CellsFigure:
    names = tuple(f"speaker {k}" for k in range(rows))
    values = np.full((rows, rows), 0.0)
    np.fill_diagonal(values, 1.0)
    values[0, 1] = np.nan
    cells = Cells("OP", names, names, "original", "protected", values, np.ones((rows, rows), np.int64))
    return CellsFigure("Cells <&>", ((cells,),), ColourScale("similarity", 0.0, 1.0), "A table, 2 > 1.")


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
@pytest.mark.parametrize("rows", [1, 3, 63, 300])
def test_tables_of_cells_are_drawn_the_same_again(kind: str, rows: int) -> None:
    figure = table(rows) if rows > 1 else replace(table(), panels=((one_cell(),),))
    assert render(figure, kind) == render(figure, kind)


def one_cell() -> Cells:
    return Cells("", ("a",), ("a",), "", "", np.array([[np.nan]]), np.zeros((1, 1), np.int64))


def test_cells_have_the_colours_of_their_scale_and_files_their_title() -> None:
    picture = Image.open(io.BytesIO(render(table(), "png")))
    assert (picture.info["Title"], picture.info["Description"]) == ("Cells <&>", "A table, 2 > 1.")
    assert "Software" not in picture.info
    count = {found: n for n, found in picture.convert("RGB").getcolors(1 << 20)}
    low, high, empty = (count[rgb(colour)] for colour in (COLOUR_MAP[0], COLOUR_MAP[-1], EMPTY))
    assert high / empty == pytest.approx(3.0, rel=0.05)
    assert low / empty == pytest.approx(5.0, rel=0.05)
    with pikepdf.open(io.BytesIO(render(table(), "pdf"))) as pdf:
        assert str(pdf.docinfo["/Title"]) == "Cells <&>"
    assert b"<desc>A table, 2 &gt; 1.</desc>" in render(table(), "svg")


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_speakers_with_names_of_the_worst_kind_are_drawn_without_a_warning(kind: str) -> None:
    names = tuple(HOSTILE.values())
    cells = replace(one_cell(), title=names[0], row_names=names, column_names=names)
    shape = (len(names), len(names))
    cells = replace(cells, values=np.zeros(shape), counts=np.zeros(shape, np.int64), note=names[-1])
    assert render(CellsFigure("$x_1$", ((cells,),), ColourScale("s", 0.0, 1.0), "a"), kind)


def test_half_a_page_is_half_as_wide_and_never_lower(figure: Figure) -> None:
    sizes = []
    for width in (7.2, 3.5):
        drawn = Image.open(io.BytesIO(render(figure, "png", dpi=100, width=width)))
        sizes.append(drawn.size)
    (whole, high), (half, higher) = sizes
    assert (whole, half) == (720, 350)
    assert higher >= high  # a legend in fewer columns takes more lines


def test_a_figure_is_drawn_onto_axes_whose_look_is_their_owners(figure: Figure) -> None:
    with mpl.rc_context({"font.size": 23.0}):
        axes = Sheet().add_subplot()
        draw_figure(replace(figure, x=replace(figure.x, label="$1 or $2")), axes)
    assert [line.get_xydata().tolist() for line in axes.lines] == [
        np.column_stack([line.x, line.y]).tolist() for line in figure.lines
    ] + [np.column_stack([points.x, points.y]).tolist() for points in figure.points for _ in range(2)]
    legend = axes.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [drawn.label for drawn in figure.legend]
    assert axes.get_legend_handles_labels()[1] == [drawn.label for drawn in figure.legend]  # for another one
    assert axes.xaxis.label.get_fontsize() == 23.0
    assert axes.xaxis.label.get_text() == "$1 or $2"
    assert not axes.xaxis.label.get_parse_math()


def test_tables_of_cells_are_drawn_in_place_of_the_axes() -> None:
    values = np.array([[1.0, 0.0], [0.0, 1.0]])
    cells = Cells("OO", ("a", "b"), ("a", "b"), "enrolled", "heard", values, np.ones((2, 2), int))
    axes = Sheet().add_subplot()
    draw_figure(CellsFigure("", ((cells, cells),), ColourScale("similarity", 0.0, 1.0), ""), axes)
    *panels, scale = axes.child_axes
    assert [panel.get_title() for panel in panels] == ["OO", "OO"]
    assert (scale.get_ylabel(), scale.get_ylim()) == ("similarity", (0.0, 1.0))
    assert axes.child_axes[0].images[0].get_array().shape == (2, 2, 3)


def test_without_axes_there_are_new_ones_with_the_legend_below_them() -> None:
    plt.switch_backend("agg")
    axes = draw_figure(ece_figure(demo().entries))
    (legend,) = axes.figure.legends
    axes.figure.draw_without_rendering()
    assert axes.get_legend() is None
    assert legend.get_window_extent().y1 <= axes.get_window_extent().y0
    assert legend.get_window_extent().width <= axes.figure.bbox.width
    plt.close(axes.figure)


def test_a_second_axis_and_a_raster_are_drawn_onto_the_axes_too() -> None:
    raster = Raster(np.eye(2, dtype=np.float32), ColourScale("level", 0.0, 1.0), (0.0, 2.0), (0.0, 1.0))
    figure = replace(
        ece_figure(demo().entries), raster=raster, right=Axis("share", 0.0, 1.0, ((0.5, "half"),))
    )
    sheet = Sheet()
    axes = draw_figure(figure, sheet.add_subplot())
    assert axes.images[0].get_extent() == [0.0, 2.0, 0.0, 1.0]
    assert [one.get_ylabel() for one in sheet.axes] == [figure.y.label, "share"]
    assert sheet.axes[1].get_ylim() == axes.get_ylim() == (figure.y.low, figure.y.high)


def test_the_ece_of_arrays_is_that_of_their_assessment() -> None:
    y_true, llr = [1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0]
    axes = plot_ece(y_true, llr, name="mine", ax=Sheet().add_subplot())
    profile = assess(Trials.from_arrays(score=llr, is_target=y_true)).profile
    drawn = [line.get_ydata() for line in axes.lines]
    for one, expected in zip(
        drawn, (profile.default_bits, profile.min_bits, profile.actual_bits), strict=True
    ):
        assert np.array_equal(one, expected)
    assert all("stated" not in text.get_text() for text in axes.get_legend().get_texts())


def test_one_matrix_is_drawn_with_what_its_sides_are() -> None:
    trials = Trials.from_arrays(
        score=[3, 0, 0, 3], is_target=[1, 0, 0, 1], enrol=["a", "a", "b", "b"], test=["a-1", "b-1"] * 2
    )
    axes = plot_similarity(
        similarity_matrix(SpeakerTrials.of_trials(trials)), setting="op", ax=Sheet().add_subplot()
    )
    panel = axes.child_axes[0]
    assert (panel.get_title(), panel.get_ylabel(), panel.get_xlabel()) == ("OP", "original", "protected")
