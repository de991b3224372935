"""Tables of cells in TeX, compiled."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.core.samples import HOSTILE, pdf_text, pdflatex
from zebra_core.figures.cells import Cells, CellsFigure
from zebra_core.figures.export import save_figure
from zebra_core.figures.palette import COLOUR_MAP, ColourScale, rgb
from zebra_core.figures.tikz_cells import IMAGE_DPI, tikz_and_image


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
