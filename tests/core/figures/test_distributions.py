"""Histograms by class."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

import zebra_core
from tests.core.samples import demo, goes_through, labelled, small_entry
from zebra_core.figures.distributions import (
    LocalLinkability,
    OneSpeaker,
    ShownScores,
    det_figure,
    histogram_figure,
    pav_figure,
    roc_figure,
    shared_edges,
    tippett_figure,
)
from zebra_core.figures.figure import Marker, NamedPoints
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.pgfplots import tikz
from zebra_core.figures.readout import histogram_read_out
from zebra_core.metrics.error_rates import local_linkability
from zebra_core.project.items import Condition, Entry
from zebra_core.project.reading.reading import study_of
from zebra_core.wording.texts import speaking


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
    trials = zebra_core.Trials.from_scores([1e300], [1e300])
    drawn = histogram_figure([Entry("alike", trials, zebra_core.assess(trials))])
    assert drawn.x.low < 1e300 < drawn.x.high
    assert drawn.y.high == pytest.approx(1.05)


def marked(name: str, shown: ShownScores = ShownScores.SCORES):
    entry = demo().entries[2]
    speaker = OneSpeaker(name, entry, study_of(entry).trials)
    return speaker, histogram_figure(demo().entries[1:3], entry.id, shown=shown, speaker=speaker)


def test_the_comparisons_of_a_speaker_are_marked_below_the_histograms() -> None:
    speaker, drawn = marked("1246")
    own = speaker.trials.taken_part_in("1246")
    target, nontarget = drawn.points
    assert target.x.tolist() == sorted(speaker.trials.score[own & speaker.trials.is_target])
    assert set(nontarget.x) <= set(speaker.trials.score[own & ~speaker.trials.is_target])
    assert drawn.y.low < min(nontarget.y) < min(target.y) < 0.0
    assert min(place for place, _ in drawn.y.ticks or ()) == 0.0
    n_target, n_nontarget = len(target.x), int((own & ~speaker.trials.is_target).sum())
    assert target.label == f"speaker 1246 in B2 OP: {n_target} target trials"
    assert nontarget.label == f"speaker 1246 in B2 OP: {n_nontarget} nontarget trials"
    assert f"{target.label}. {nontarget.label}." in drawn.alt_text


def test_marks_lie_closer_than_can_be_seen_to_every_comparison() -> None:
    speaker, drawn = marked("1246")
    own = speaker.trials.taken_part_in("1246") & ~speaker.trials.is_target
    every = speaker.trials.score[own]
    away = np.abs(every[:, None] - drawn.points[1].x[None, :]).min(axis=1)
    assert away.max() <= (drawn.x.high - drawn.x.low) / 1000


@pytest.mark.parametrize("shown", [ShownScores.ORACLE_LLRS, ShownScores.SCORES_AS_LLRS])
def test_marks_are_where_the_histogram_of_these_values_has_them(shown: ShownScores) -> None:
    speaker, drawn = marked("1246", shown)
    assert set(drawn.points[0].x) <= set(shown.of(speaker.entry).score)
    assert set(drawn.points[1].x) <= set(shown.of(speaker.entry).score)


def test_a_stranger_is_not_marked() -> None:
    _, drawn = marked("nobody")
    assert drawn.points == ()
    assert drawn.y.low == 0.0


def test_the_marks_are_on_paper_too() -> None:
    _, drawn = marked("1246")
    assert b"speaker 1246" in render(drawn, "svg")
    assert "speaker 1246 in B2 OP" in tikz(drawn)


def test_local_linkability_is_drawn_over_the_scores_of_one_entry_on_an_axis_of_its_own() -> None:
    entry = demo().entries[2]
    drawn = histogram_figure([entry])
    score, local = local_linkability(entry.assessment.counts)
    line = drawn.lines[-1]
    assert drawn.right is not None
    scale = {text: place for place, text in drawn.right.ticks}
    assert (scale["0.0"], line.label) == (0.0, "B2 OP, local linkability D(s)")
    assert (line.x.tolist(), (line.y / scale["1.0"]).tolist()) == (
        score.tolist(),
        pytest.approx(local.tolist()),
    )
    assert max(line.y) <= drawn.y.high
    at = int(np.argmax(local))
    assert histogram_read_out(line, at) == "D(s) 0.973 at 9.063 · B2 OP, local linkability D(s)"
    assert histogram_read_out(drawn.lines[0], 0).endswith("of the class · B2 OP, target")
    assert drawn.alt_text.endswith(
        "On the right-hand axis, local linkability D(s) of B2 OP: at a score of 9.063 it is highest, 0.973; "
        "weighted with the target trials it is D_sys, 0.361."
    )


def test_of_several_entries_the_selected_one_has_local_linkability_and_llrs_have_none() -> None:
    entries = demo().entries
    assert histogram_figure(entries).right is None
    lines = histogram_figure(entries, entries[1].id).lines
    assert [line.label for line in lines if isinstance(line, LocalLinkability)] == [
        f"{entries[1].full_name}, local linkability D(s)"
    ]
    assert histogram_figure(entries[:1], shown=ShownScores.ORACLE_LLRS).right is None
    few = zebra_core.Trials.from_scores([1.0, 2.0], [0.0, 1.0])  # D_sys is not measurable
    assert histogram_figure([Entry("few", few, zebra_core.assess(few))]).right is None


def test_the_second_axis_is_in_every_rendering() -> None:
    drawn = histogram_figure([demo().entries[2]])
    assert "axis y line*=right" in tikz(drawn)
    assert "ylabel={local linkability D(s)}" in tikz(drawn)
    alone = replace(drawn, right=None)
    assert "axis y line*=right" not in tikz(alone)
    for kind in ("png", "pdf", "svg"):
        assert render(drawn, kind) != render(alone, kind)


LN10 = np.log(10.0)


def test_the_pav_of_a_case_worked_by_hand() -> None:
    """Separated: log10 3 : 1 against on the nontargets, for on the targets, straight between them."""
    trials = zebra_core.Trials.from_scores([3.0, 4.0], [1.0, 2.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    curve = labelled(pav_figure([entry]))[0]
    three = np.log10(3.0)
    assert goes_through(curve, (1, -three), (2, -three), (3, three), (4, three))


@pytest.mark.parametrize(
    ("meaning", "slope"),
    [(zebra_core.ScoreMeaning.NATURAL_LLR, 1.0 / LN10), (zebra_core.ScoreMeaning.LOG10_LR, 1.0)],
)
def test_declared_llrs_have_a_line_that_calibrated_ones_follow(
    meaning: zebra_core.ScoreMeaning, slope: float
) -> None:
    entry = small_entry()
    declared = replace(
        entry, assessment=zebra_core.assess(entry.trials, zebra_core.Settings(score_meaning=meaning))
    )
    assert len(pav_figure([declared]).lines) == len(pav_figure([entry]).lines) + 1
    line = pav_figure([declared]).lines[1]
    assert line.y.tolist() == pytest.approx((line.x * slope).tolist())
    assert len(pav_figure([declared, entry]).lines) == 3  # one of two: no line holds for both


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_a_side_of_that_line_means_is_written_where_no_line_passes(language: str) -> None:
    rng = np.random.default_rng(2)
    score = np.concatenate([rng.normal(2.0, 1.0, 300), rng.normal(0.0, 1.0, 3000)])
    trials = zebra_core.Trials(1.6 * (2.0 * score - 2.0) + 0.8, np.arange(3300) < 300)
    stated = zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR)
    with speaking(language):
        figure = pav_figure([Entry("B2", trials, zebra_core.assess(trials, stated))])
    assert len(figure.words) == 2  # both sides overstate; there is no room where they understate
    for words in figure.words:
        half = 0.005 * len(words.text) * (figure.x.high - figure.x.low)
        near = 0.015 * (figure.y.high - figure.y.low)
        for line in figure.lines:
            across = np.linspace(words.x - half, words.x + half, 50)
            assert (np.abs(np.interp(across, line.x, line.y) - words.y) > near).all(), words.text


def test_tippett_curves_are_staircases_between_observed_values() -> None:
    trials = zebra_core.Trials.from_scores([1.0, 2.0, 4.0], [-1.0, 0.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    target, nontarget = labelled(tippett_figure([entry], shown=ShownScores.SCORES_AS_LLRS))
    expected = [(1, 1 / 3), (2, 1 / 3), (2, 2 / 3), (4, 2 / 3), (4, 1)]
    assert goes_through(target, *((x / LN10, y) for x, y in expected))
    assert goes_through(nontarget, (-1 / LN10, 1), (-1 / LN10, 0.5), (0, 0.5))


def test_tippett_labels_tell_how_often_evidence_misleads() -> None:
    drawn = tippett_figure([small_entry()], shown=ShownScores.SCORES_AS_LLRS)
    assert "B1 OP, target ≤ x (0.00 % misleading)" in drawn.alt_text
    assert "B1 OP, nontarget ≥ x (20.00 % misleading)" in drawn.alt_text


def test_the_det_of_equal_variance_gaussians_is_straight_with_slope_minus_one() -> None:
    quantile = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    trials = zebra_core.Trials.from_scores(quantile + 2.0, quantile)
    entry = Entry("Gaussian", trials, zebra_core.assess(trials))
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
    trials = zebra_core.Trials.from_scores([3.0, 1.0], [2.0, 1.0, 0.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    hull, curve = roc_figure([entry]).lines[1:]
    assert goes_through(curve, (0, 0), (0, 0.5), (1 / 3, 0.5), (2 / 3, 1), (1, 1))
    assert goes_through(hull, (0, 0), (0, 0.5), (2 / 3, 1), (1, 1))


def test_the_prior_is_marked_on_the_hull_where_the_best_decision_is() -> None:
    drawn = roc_figure([small_entry()], prior_log_odds=50.0)
    diamonds = [points for points in drawn.points if points.marker is Marker.DIAMOND]
    assert [(p.x[0], p.y[0]) for p in diamonds] == [(0.2, 1.0)]  # no target may be missed


def test_hits_at_few_false_alarms_are_marked_on_the_curve_and_told() -> None:
    """Of 100 nontargets 0 … 99 one may be accepted: 98.5 and 99.5 are hit, 50.5 and 97.5 are not."""
    trials = zebra_core.Trials.from_scores([98.5, 99.5, 50.5, 97.5], np.arange(100.0))
    drawn = roc_figure([Entry("by hand", trials, zebra_core.assess(trials), Condition.OP)])
    (hits,) = [points for points in drawn.points if isinstance(points, NamedPoints)]
    assert (hits.x.tolist(), hits.y.tolist()) == ([0.01], [0.5])
    assert hits.names == ("50.00 % hits at 1 % false alarms · by hand OP",)
    assert drawn.alt_text.endswith(
        "Triangles on the curve of by hand OP: 50.00 % hits at 1 % false alarms; "
        "hits at 0.1 % false alarms cannot be measured below 1 in 100; "
        "hits at 0.01 % false alarms cannot be measured below 1 in 100."
    )
