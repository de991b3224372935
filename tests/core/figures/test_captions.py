"""Captions: a picture that is found elsewhere says of what it is, in every format."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.core.challenge_case import similarity_entry
from tests.core.samples import HOSTILE, pdf_text, pdflatex, pdflatex_together, small_entry
from zebra_core.figures.all_pictures import caption_of, captioned
from zebra_core.figures.distributions import det_figure
from zebra_core.figures.export import save_figure
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.similarity import mosaic_figure
from zebra_core.project.items import Condition, Entry


def entry(dataset: str = "libri_f", condition: Condition | None = Condition.OP, attacker: str = "") -> Entry:
    name = f"B1 of {dataset} {condition} {attacker}"
    return replace(
        small_entry("B1"), dataset=dataset, condition=condition, attacker=attacker, run="run1", id=name
    )


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        pytest.param(
            [entry(attacker="lazy-informed")],
            "B1 run1 · libri_f · OP, test side protected · lazy-informed",
            id="one has its name, too",
        ),
        pytest.param(
            [entry(condition=Condition.OO)], "B1 run1 · libri_f · OO, unprotected", id="unprotected"
        ),
        pytest.param(
            [entry("", None)],
            "B1 run1 · dataset not stated · condition not stated · attacker not stated",
            id="what nobody stated is said to be so",
        ),
        pytest.param(
            [entry("a", Condition.OO), entry("b", attacker="ignorant"), entry("b", Condition.PP, "ignorant")],
            "a, b · OO, OP, PP · ignorant",
            id="several",
        ),
        pytest.param(
            [entry(str(number), attacker=f"knows {number}") for number in range(4)],
            "4 datasets · OP, test side protected · 4 attackers",
            id="more than can be listed",
        ),
        pytest.param([similarity_entry("B2", "vctk")], "B2 · vctk · OO, OP, PP", id="matrices"),
    ],
)
def test_a_caption_says_of_what_a_picture_is(entries, said: str) -> None:
    assert caption_of(entries) == said


def test_a_picture_of_one_setting_of_matrices_says_which() -> None:
    assert caption_of([similarity_entry("B2", "vctk")], "op") == "B2 · vctk · OP"


def test_names_of_the_worst_kind_stay_one_line() -> None:
    for name in HOSTILE.values():
        caption = caption_of([replace(small_entry(), name=name, dataset=name, attacker=name)])
        assert "\n" not in caption
        assert len(caption) < 220


def test_the_caption_stands_in_pdf_and_svg_and_makes_room_in_a_picture(tmp_path: Path) -> None:
    of = [entry(attacker="lazy-informed")]
    plain = det_figure(of)
    for extension in ("pdf", "png", "svg"):
        save_figure(captioned(plain, of), "det", extension, tmp_path)
    assert "B1 run1 · libri_f · OP, test side protected · lazy-informed" in pdf_text(tmp_path / "det.pdf")
    assert height_of(render(captioned(plain, of), "png")) == height_of(render(plain, "png")) + 56  # 0.28 in


def test_tables_of_cells_have_it_too(tmp_path: Path) -> None:
    of = similarity_entry("B2", "vctk")
    figure = captioned(mosaic_figure(of.similarity, of.full_name), [of])
    save_figure(figure, "mosaic", "pdf", tmp_path)
    assert "B2 · vctk · OO, OP, PP" in pdf_text(tmp_path / "mosaic.pdf")
    save_figure(figure, "mosaic", "tex", tmp_path)
    assert "OO, OP, PP" in pdflatex("mosaic-standalone.tex", tmp_path)


NAMES = ("plain", HOSTILE["TeX"], HOSTILE["long"], HOSTILE["specials"])


@pytest.fixture(scope="module")
def in_tex(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The text of a picture of each of these names, which TeX has set in one go."""
    folder, documents = tmp_path_factory.mktemp("tex"), {}
    for number, name in enumerate(NAMES):
        of = [replace(entry(attacker="ignorant"), dataset=name, name=name)]
        save_figure(captioned(det_figure(of), of), f"det{number}", "tex", folder)
        documents[name] = (folder / f"det{number}-standalone.tex").read_text("ascii")
    return pdflatex_together(documents, folder)


@pytest.mark.parametrize("name", NAMES)
def test_it_compiles_in_tex_below_the_legend(name: str, in_tex: Callable[[str], str]) -> None:
    lines = in_tex(name).strip().splitlines()
    assert lines[-1].strip().endswith("ignorant")


def height_of(png: bytes) -> int:
    return int(np.frombuffer(png[20:24], dtype=">u4")[0])
