"""Figures in TeX, compiled."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.core.samples import HOSTILE, demo, pdf_text, pdflatex, pdflatex_together, project_of
from zebra_core.figures.export import save_figure
from zebra_core.figures.figure import (
    COLOUR_MAP,
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
    Words,
    rgb,
)
from zebra_core.figures.pgfplots import IMAGE_DPI, standalone, tikz, tikz_and_image
from zebra_core.figures.series import ece_figure


def test_the_picture_has_its_data_and_colours_inside() -> None:
    drawn = tikz(ece_figure(demo().entries, demo().entries[2].id))
    assert drawn.startswith("% Empirical cross-entropy in bits")
    assert drawn.endswith("\\end{tikzpicture}\n")
    assert r"\definecolor{zebra2}{HTML}{21967B}" in drawn
    assert r"\addplot[zebra3, line width=2.4pt, solid] table[row sep=crcr] {" in drawn
    assert r"\addlegendentry{B2 OP (0.205, 2.39, C)}" in drawn
    assert "\n0 1\\\\\n" in drawn  # perfect privacy at even odds
    assert drawn.count(r"\addplot") == 5
    assert r"xmin=-8, xmax=8, xlabel={prior log-odds, logit \ensuremath{\pi}}" in drawn


def test_only_points_on_the_axes_are_written() -> None:
    rows = [line for line in tikz(ece_figure(demo().entries[:1])).splitlines() if line.endswith(r"\\")]
    assert sum(line.startswith(("-10 ", "-9", "9", "10 ")) for line in rows) == 0
    assert rows.count(r"x y\\") == 2


def of_systems(count: int) -> Figure:
    return ece_figure(project_of(*(f"system {n} of a family" for n in range(count))).entries)


def of_the_worst() -> Figure:
    names = [name for key, name in HOSTILE.items() if key not in ("empty", "long")][:5]
    return ece_figure(project_of(*names).entries)


def with_points() -> Figure:
    x, y = np.array([0.0, 1.0]), np.array([0.25, 0.75])
    return Figure(
        "Points", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0), (Line(x, y, "a line", 0),), "Points.",
        points=(
            Points(x, y, 1, label="some points", texts=("12 % of", "n1 & n2")),
            Points(x[:1], y[:1], 2, marker=Marker.DIAMOND),
        ),
        areas=(Area(x, y, 3),),
    )  # fmt: skip


def with_markers() -> Figure:
    x, y = np.array([0.25, 0.75]), np.array([0.5, 0.5])
    points = tuple(
        NamedPoints(x, y, k, marker.value, marker, names=("a", "b"), emphasised=frozenset("b"))
        for k, marker in enumerate(Marker)
    )
    names = tuple((k / 40.0, f"speaker {k}") for k in range(40))
    return Figure(
        "Dots", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0, names), (), "Dots.",
        points=points, words=(Words(0.5, 0.5, "doves & 50 %"),),
    )  # fmt: skip


@pytest.fixture(scope="module")
def in_tex(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The text of each of these figures, which TeX has set in one go."""
    figures = {f"systems {count}": of_systems(count) for count in (1, 4, 40)}
    figures |= {"worst": of_the_worst(), "points": with_points(), "markers": with_markers()}
    documents = {name: standalone("A figure", tikz(figure)) for name, figure in figures.items()}
    return pdflatex_together(documents, tmp_path_factory.mktemp("tex"))


@pytest.mark.parametrize("count", [1, 4, 40])
def test_the_standalone_document_compiles(in_tex: Callable[[str], str], count: int) -> None:
    text = in_tex(f"systems {count}")

    assert "ECE profiles" in text
    assert "perfect privacy (0, 0, 0)" in text
    assert f"system {count - 1} of a family OP" in text


def test_names_of_the_worst_kind_compile_and_are_shown(in_tex: Callable[[str], str]) -> None:
    text = in_tex("worst")

    assert r"\input{/etc/passwd} OP (" in text
    assert '#read("x") OP (' in text
    assert r"abc\u202edef\u200fghi OP (" in text
    assert "root:" not in text


def test_the_legend_shortens_what_the_comment_has_in_full() -> None:
    drawn = tikz(ece_figure(project_of(HOSTILE["long"]).entries))
    assert HOSTILE["long"] in drawn.splitlines()[0]
    assert HOSTILE["long"].replace("_", r"\_") not in drawn
    assert r"\ldots{}" in drawn


def test_points_areas_and_texts_compile_and_are_shown(in_tex: Callable[[str], str]) -> None:
    drawn = tikz(with_points())
    assert drawn.count("only marks") == 2
    assert drawn.count("forget plot") == 2
    assert r"fill=zebra3, fill opacity=0.15" in drawn
    assert "0 0\\\\\n0 0.25\\\\\n1 0.75\\\\\n1 0\\\\" in drawn  # down to the level 0 at both ends
    text = in_tex("points")
    for shown in ("a line", "some points", "12 % of", "n1 & n2"):
        assert shown in text


def test_markers_selected_points_and_words_compile_and_are_shown(in_tex: Callable[[str], str]) -> None:
    drawn = tikz(with_markers())
    assert drawn.count("only marks") == 2 * len(Marker)
    shapes = {
        line.split("mark=")[1].split(", mark size")[0] for line in drawn.splitlines() if "mark=" in line
    }
    assert len(shapes) == len(Marker)
    assert "no markers" not in drawn  # it would turn every point into a disc
    assert "height=11.4cm" in drawn
    text = in_tex("markers")
    for shown in ("doves & 50 %", "speaker 39", *(marker.value for marker in Marker)):
        assert shown in text


def diagonal(names: tuple[str, ...]) -> CellsFigure:
    values = np.eye(len(names))
    counts = np.ones(values.shape, np.int64)
    cells = Cells("OP", names, names, "original", "protected", values, counts, "D_diag 1.000")
    return CellsFigure(
        "A table", ((cells,),), ColourScale("similarity", 0.0, 1.0), "100 % of a table\nof cells"
    )


@pytest.mark.parametrize("stem", ["ZEBRA-B2", "ZEBRA-libri speech, B_2 (π)"])
def test_a_saved_table_compiles_and_shows_its_names_and_labels(tmp_path: Path, stem: str) -> None:
    names = ("p225", "a&c", "100%")
    written = save_figure(diagonal(names), stem, "tex", tmp_path)
    assert [path.suffix for path in written] == [".tex", ".tex", ".png"]
    written[1].rename(tmp_path / "figure.tex")

    text = pdflatex("figure.tex", tmp_path)

    for shown in ("A table", "OP", "diag 1.000", "p225", "a&c", "100%", "protected", "0.8"):
        assert shown in text
    assert "original" in pdf_text(tmp_path / "figure.pdf")  # turned


def test_the_image_has_the_colours_and_nothing_else() -> None:
    _, png = tikz_and_image(diagonal(("a", "b")), "x.png")
    picture = Image.open(io.BytesIO(png))
    assert picture.width == round(7.2 * IMAGE_DPI)
    assert "Software" not in picture.info
    count = {found: n for n, found in picture.convert("RGB").getcolors(1 << 20)}
    assert count[rgb(COLOUR_MAP[0])] == pytest.approx(count[rgb(COLOUR_MAP[-1])], rel=0.02)
    assert tikz_and_image(diagonal(("a", "b")), "x.png")[1] == png


def test_a_large_table_stays_small_in_tex() -> None:
    drawn, png = tikz_and_image(diagonal(tuple(f"s{k}" for k in range(1000))), "x.png")
    assert len(drawn) < 5_000
    assert len(png) < 200_000
    assert r"{x.png}" in drawn


def test_names_of_the_worst_kind_compile(tmp_path: Path) -> None:
    (standalone,) = (
        path for path in save_figure(diagonal(tuple(HOSTILE.values())), "a", "tex", tmp_path)
        if "standalone" in path.name
    )  # fmt: skip
    text = pdflatex(standalone.name, tmp_path)
    assert "root:" not in text
    assert r"\input" in text


def test_stems_that_look_alike_in_tex_have_images_of_their_own(tmp_path: Path) -> None:
    images = {save_figure(diagonal(("a",)), stem, "tex", tmp_path)[2].name for stem in ("a b", "a_b", "a-b")}
    assert len(images) == 3
    assert "a-b-cells.png" in images
