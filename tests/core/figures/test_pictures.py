"""Every figure of the conventional metrics: what all of them show, in how many vertices."""

from collections.abc import Callable

import numpy as np
import pytest

from core.figures.ape import ape_figure, nber_figure
from core.figures.calibration import calibration_figure
from core.figures.det import det_figure, roc_figure
from core.figures.ece import ece_figure, nece_figure
from core.figures.figure import Dash, Figure, Ink
from core.figures.histogram import histogram_figure
from core.figures.llrs import Shown
from core.figures.pav import pav_figure
from core.figures.pgfplots import tikz
from core.figures.tippett import tippett_figure
from tests.core.samples import demo, labelled, million, small_entry

FIGURES = [
    ece_figure, nece_figure, ape_figure, nber_figure, det_figure, roc_figure, tippett_figure,
    histogram_figure, pav_figure, calibration_figure,
]  # fmt: skip


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_names_every_entry_and_emphasises_the_selected(figure: Callable[..., Figure]) -> None:
    entries = demo().entries
    drawn = figure(entries, entries[2].id)
    for entry in entries:
        assert entry.full_name in drawn.alt_text
        assert any(entry.full_name in line.label for line in labelled(drawn))
    assert {line.colour for line in drawn.lines if line.emphasis} == {1}
    assert {0, 1, 2, Ink.MUTED} <= {line.colour for line in drawn.lines}
    for line in drawn.lines:
        assert np.isfinite(line.x).all()
        assert np.isfinite(line.y).all()


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_marks_the_prior_somewhere(figure: Callable[..., Figure]) -> None:
    entries = demo().entries[1:2]
    shown = {"shown": Shown.ORACLE_LLRS} if figure is histogram_figure else {}
    plain, marked = figure(entries, **shown), figure(entries, prior_log_odds=-2.0, **shown)
    if figure is calibration_figure:
        assert plain.lines[-1].label != marked.lines[-1].label
    else:
        assert len(marked.lines) + len(marked.points) == len(plain.lines) + len(plain.points) + 1


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_of_a_million_trials_is_small(figure: Callable[..., Figure]) -> None:
    wide = {ece_figure, nece_figure, ape_figure, nber_figure}
    drawn = figure([million()], **({"actual": True} if figure in wide else {}))
    assert sum(len(line.x) for line in drawn.lines) < 4000
    assert len(tikz(drawn)) < 200_000


@pytest.mark.parametrize("figure", [tippett_figure, histogram_figure, calibration_figure])
@pytest.mark.parametrize("shown", list(Shown))
def test_what_can_be_shown_of_a_million_trials_is_small(figure: Callable[..., Figure], shown: Shown) -> None:
    assert len(tikz(figure([million()], shown=shown))) < 200_000


def test_actual_profiles_stand_beside_the_least() -> None:
    entry = small_entry()
    for figure in (ece_figure, nece_figure, ape_figure, nber_figure):
        assert len(figure([entry], actual=True).lines) == len(figure([entry]).lines) + 1
    drawn = ece_figure([entry], actual=True)
    assert drawn.lines[-1].y.tolist() == entry.assessment.profile.actual_bits.tolist()
    assert drawn.lines[-1].dash is Dash.DASHED
    assert drawn.lines[-1].label == f"B1 OP, scores as LLRs (Cllr {entry.assessment.cllr_bits:.3f})"
