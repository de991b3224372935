"""The figures of conventional metrics: what they show, at which places, in how many words and vertices."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

import core
from core.adversary import attack
from core.figures.adversary import adversary_figure
from core.figures.ape import ape_figure, nber_figure
from core.figures.calibration import calibration_figure
from core.figures.det import det_figure, roc_figure
from core.figures.ece import ece_figure, nece_figure
from core.figures.figure import Dash, Figure, Ink, Line, Marker
from core.figures.histogram import histogram_figure, shared_edges
from core.figures.llrs import Shown
from core.figures.pav import pav_figure
from core.figures.pgfplots import tikz
from core.figures.tippett import tippett_figure
from core.project import Condition, Entry
from tests.core.samples import demo, small_entry

LN10 = np.log(10.0)
FIGURES = [
    ece_figure, nece_figure, ape_figure, nber_figure, det_figure, roc_figure, tippett_figure,
    histogram_figure, pav_figure, calibration_figure,
]  # fmt: skip


@cache
def million() -> Entry:
    rng = np.random.default_rng(17)
    is_target = rng.random(1_000_000) < 0.05
    trials = core.Trials(rng.normal(-3.0, 2.5, 1_000_000) + 6.0 * is_target, is_target)
    return Entry("a million", trials, core.assess(trials), Condition.PP)


def labelled(figure: Figure) -> list[Line]:
    return [line for line in figure.lines if line.label is not None]


def goes_through(line: Line, *vertices: tuple[float, float]) -> bool:
    """Whether the line has these vertices, and no others."""
    found = np.stack([line.x, line.y], axis=1)
    return found.shape == (len(vertices), 2) and np.allclose(found, vertices, rtol=0.0, atol=1e-12)


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


def test_the_peak_of_the_least_bayes_error_is_the_rocch_eer() -> None:
    for entry in demo().entries:
        drawn = ape_figure([entry])
        eer = entry.assessment.rocch_eer
        assert drawn.points[0].y.tolist() == [eer]
        curve = labelled(drawn)[1]
        assert float(curve.y.max()) == pytest.approx(eer, abs=2e-4)
        assert np.interp(drawn.points[0].x[0], curve.x, curve.y) == pytest.approx(eer, abs=2e-4)


def test_the_det_of_equal_variance_gaussians_is_straight_with_slope_minus_one() -> None:
    quantile = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    trials = core.Trials.from_scores(quantile + 2.0, quantile)
    entry = Entry("Gaussian", trials, core.assess(trials))
    drawn = det_figure([entry])
    curve = labelled(drawn)[0]
    middle = (np.abs(curve.x + 1.0) < 1.5) & (np.abs(curve.y + 1.0) < 1.5)
    assert (curve.x + curve.y)[middle] == pytest.approx(-2.0, abs=0.01)
    place = drawn.points[0].x[0]
    assert place == drawn.points[0].y[0] == pytest.approx(-1.0, abs=1e-3)
    assert drawn.x.reading(place) == pytest.approx(norm.cdf(-1.0), abs=1e-3)
    assert (float(norm.ppf(0.05)), "5") in [(pytest.approx(at), text) for at, text in drawn.x.ticks]


def test_the_roc_of_a_case_worked_by_hand() -> None:
    """From above: t, n, t and n tied, n: (0, ½) (⅓, ½) (⅔, 1) (1, 1); the hull leaves out (⅓, ½)."""
    trials = core.Trials.from_scores([3.0, 1.0], [2.0, 1.0, 0.0])
    entry = Entry("by hand", trials, core.assess(trials))
    hull, curve = roc_figure([entry]).lines[1:]
    assert goes_through(curve, (0, 0), (0, 0.5), (1 / 3, 0.5), (2 / 3, 1), (1, 1))
    assert goes_through(hull, (0, 0), (0, 0.5), (2 / 3, 1), (1, 1))


def test_the_prior_is_marked_on_the_hull_where_the_best_decision_is() -> None:
    drawn = roc_figure([small_entry()], prior_log_odds=50.0)
    diamonds = [points for points in drawn.points if points.marker is Marker.DIAMOND]
    assert [(p.x[0], p.y[0]) for p in diamonds] == [(0.2, 1.0)]  # no target may be missed


def test_tippett_curves_are_staircases_between_observed_values() -> None:
    trials = core.Trials.from_scores([1.0, 2.0, 4.0], [-1.0, 0.0])
    entry = Entry("by hand", trials, core.assess(trials))
    target, nontarget = labelled(tippett_figure([entry], shown=Shown.SCORES_AS_LLRS))
    expected = [(1, 1 / 3), (2, 1 / 3), (2, 2 / 3), (4, 2 / 3), (4, 1)]
    assert goes_through(target, *((x / LN10, y) for x, y in expected))
    assert goes_through(nontarget, (-1 / LN10, 1), (-1 / LN10, 0.5), (0, 0.5))


def test_tippett_labels_tell_how_often_evidence_misleads() -> None:
    drawn = tippett_figure([small_entry()], shown=Shown.SCORES_AS_LLRS)
    assert "B1 OP, target ≤ x (0.00 % misleading)" in drawn.alt_text
    assert "B1 OP, nontarget ≥ x (20.00 % misleading)" in drawn.alt_text


def test_histograms_share_their_bins_and_sum_to_one() -> None:
    entries = demo().entries
    drawn = histogram_figure(entries, bins=20)
    edges = shared_edges([entry.assessment.counts for entry in entries], 20)
    assert (drawn.x.low, drawn.x.high) == (edges[0], edges[-1])
    for entry, line in zip(entries, labelled(drawn)[::2], strict=True):
        scores = entry.trials.score[entry.trials.is_target]
        share = np.histogram(scores, edges)[0] / len(scores)
        assert np.interp((edges[1:] + edges[:-1]) / 2, line.x, line.y) == pytest.approx(share, abs=1e-3)
    assert len(drawn.areas) == len(entries)


def test_one_distinct_score_has_a_histogram_too() -> None:
    trials = core.Trials.from_scores([1e300], [1e300])
    drawn = histogram_figure([Entry("alike", trials, core.assess(trials))])
    assert drawn.x.low < 1e300 < drawn.x.high
    assert drawn.y.high == pytest.approx(1.05)


def test_the_pav_of_a_case_worked_by_hand() -> None:
    """Separated: log10 3 : 1 against on the nontargets, for on the targets, straight between them."""
    trials = core.Trials.from_scores([3.0, 4.0], [1.0, 2.0])
    entry = Entry("by hand", trials, core.assess(trials))
    curve = labelled(pav_figure([entry]))[0]
    three = np.log10(3.0)
    assert goes_through(curve, (1, -three), (2, -three), (3, three), (4, three))


@pytest.mark.parametrize(
    ("meaning", "slope"), [(core.ScoreMeaning.NATURAL_LLR, 1.0 / LN10), (core.ScoreMeaning.LOG10_LR, 1.0)]
)
def test_declared_llrs_have_a_line_that_calibrated_ones_follow(
    meaning: core.ScoreMeaning, slope: float
) -> None:
    entry = small_entry()
    declared = replace(entry, assessment=core.assess(entry.trials, core.Settings(score_meaning=meaning)))
    assert len(pav_figure([declared]).lines) == len(pav_figure([entry]).lines) + 1
    line = pav_figure([declared]).lines[1]
    assert line.y.tolist() == pytest.approx((line.x * slope).tolist())
    assert len(pav_figure([declared, entry]).lines) == 3  # one of two: no line holds for both


def test_calibration_points_carry_the_counts_of_their_bins_where_there_is_room() -> None:
    entries = demo().entries
    alone = calibration_figure(entries[:1]).points[0]
    assert sum(map(int, alone.texts)) == len(entries[0].trials)
    assert all(points.texts == () for points in calibration_figure(entries).points)
    oracle = calibration_figure(entries[2:3], shown=Shown.ORACLE_LLRS).points[0]
    assert oracle.x[:-1] == pytest.approx(oracle.y[:-1], abs=2e-4)  # Laplace's rule moves the ends only


def test_the_adversarys_figure_has_the_five_profiles_of_the_paper() -> None:
    train, test = demo().entries[2], demo().entries[3]
    grid = test.assessment.profile.prior_log_odds
    report = attack(train.assessment.counts, test.assessment.counts, grid)
    drawn = adversary_figure(train, test, report, prior_log_odds=1.0)
    labels = [line.label for line in labelled(drawn)]
    assert labels[:3] == ["perfect privacy (0, 0, 0)", "B2 OP (0.205, 2.39, C)", "B2r OP (0.214, 2.39, C)"]
    assert labels[3] == f"linear [{report.linear.c_ece_bits:.3f}; {report.linear.cllr_bits:.3f}]"
    assert drawn.lines[-1].y.tolist() == report.isotonic.actual_bits.tolist()
    assert all(label in drawn.alt_text for label in labels)


def test_a_harmful_calibration_has_a_negative_distortion_and_leaves_the_frame() -> None:
    train, test = million().assessment.counts, small_entry()
    turned = core.Trials.from_scores([-30.0, -20.0], [20.0, 30.0, 40.0])
    report = attack(train, core.assess(turned).counts, test.assessment.profile.prior_log_odds)
    drawn = adversary_figure(million(), test, report)
    assert "linear [−" in drawn.alt_text
    assert drawn.y.high == 1.5
