"""Every figure of the conventional metrics: what all of them show, in how many vertices."""

from collections.abc import Callable

import numpy as np
import pytest

import zebra_core
from tests.core.samples import demo, labelled, million, small_entry
from zebra_core.figures.ape import ape_figure, nber_figure
from zebra_core.figures.calibration import calibration_figure
from zebra_core.figures.distributions import (
    ShownScores,
    det_figure,
    histogram_figure,
    pav_figure,
    roc_figure,
    tippett_figure,
)
from zebra_core.figures.figure import Dash, Figure, Ink
from zebra_core.figures.pgfplots import tikz
from zebra_core.figures.series import ece_figure, nece_figure
from zebra_core.project.items import Entry

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
    shown = {"shown": ShownScores.ORACLE_LLRS} if figure is histogram_figure else {}
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


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (histogram_figure, ShownScores.SCORES),
        *((figure, shown) for figure in (tippett_figure, histogram_figure, calibration_figure)
          for shown in (ShownScores.ORACLE_LLRS, ShownScores.SCORES_AS_LLRS)),
    ],
)  # fmt: skip
def test_what_can_be_shown_of_a_million_trials_is_small(
    figure: Callable[..., Figure], shown: ShownScores
) -> None:
    assert len(tikz(figure([million()], shown=shown))) < 200_000


def test_actual_profiles_stand_beside_the_least() -> None:
    entry = small_entry()
    for figure in (ece_figure, nece_figure, ape_figure, nber_figure):
        assert len(figure([entry], actual=True).lines) == len(figure([entry]).lines) + 1
    drawn = ece_figure([entry], actual=True)
    assert drawn.lines[-1].y.tolist() == entry.assessment.profile.actual_bits.tolist()
    assert drawn.lines[-1].dash is Dash.DASHED
    assert drawn.lines[-1].label == f"B1 OP, scores as LLRs (Cllr {entry.assessment.cllr_bits:.3f})"


@pytest.mark.parametrize("figure", [tippett_figure, calibration_figure])
def test_bare_scores_are_no_llrs(figure: Callable[..., Figure]) -> None:
    with pytest.raises(ValueError, match="no LLRs"):
        figure([small_entry()], shown=ShownScores.SCORES)


@pytest.mark.parametrize("meaning", list(zebra_core.ScoreMeaning))
@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize(
    ("target", "nontarget"),
    [
        pytest.param([1.7e308, 2.0], [-1.7e308, 0.0], id="as far as floats go"),
        pytest.param([1e-310, 2e-310], [0.0, 1e-310], id="tiny"),
        pytest.param([1e15 + 1, 1e15 + 2], [1e15, 1e15 + 1], id="far from zero"),
        pytest.param([1.0], [1.0], id="all equal"),
        pytest.param([5.0, 6.0], [1.0, 2.0], id="separated"),
        pytest.param([1.0, 2.0], [5.0, 6.0], id="the wrong way round"),
    ],
)
def test_whatever_the_scores_a_picture_can_be_drawn(
    figure: Callable[..., Figure],
    target: list[float],
    nontarget: list[float],
    meaning: zebra_core.ScoreMeaning,
) -> None:
    trials = zebra_core.Trials.from_scores(target, nontarget)
    entry = Entry("extreme", trials, zebra_core.assess(trials, zebra_core.Settings(score_meaning=meaning)))
    drawn = figure([entry], prior_log_odds=3.0)
    assert -np.inf < drawn.x.low < drawn.x.high < np.inf
    assert -np.inf < drawn.y.low < drawn.y.high < np.inf
    assert "nan" not in tikz(drawn)
