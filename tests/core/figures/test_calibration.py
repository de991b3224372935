"""Empirical calibration plots."""

from dataclasses import replace

import numpy as np
import pytest

import zebra_core
from tests.core.samples import demo, labelled, million, small_entry
from zebra_core.figures.calibration import (
    calibration_figure,
    cross_validation_figure,
    learnt_calibration_figure,
    over_estimation_figure,
)
from zebra_core.figures.distributions import ShownScores, pav_figure
from zebra_core.figures.figure import Dash
from zebra_core.figures.readout import over_estimation_read_out
from zebra_core.metrics.learnt_calibration import LinearCalibration, attack
from zebra_core.project.gathering.gathering import over_estimation_of
from zebra_core.speakers.study import cross_validate
from zebra_core.uncertainty.over_estimation import over_estimation
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.wording.texts import grouped


def test_calibration_points_carry_the_counts_of_their_bins_where_there_is_room() -> None:
    entries = demo().entries
    alone = calibration_figure(entries[:1]).points[0]
    counts = [int(text.replace("\u202f", "")) for text in alone.texts]
    assert sum(counts) == len(entries[0].trials)
    assert max(counts) > 1000
    assert list(alone.texts) == [grouped(count) for count in counts]
    assert all(points.texts == () for points in calibration_figure(entries).points)
    oracle = calibration_figure(entries[2:3], shown=ShownScores.ORACLE_LLRS).points[0]
    assert oracle.x[:-1] == pytest.approx(oracle.y[:-1], abs=2e-4)  # Laplace's rule moves the ends only


def test_the_attackers_figure_has_the_five_profiles_of_the_paper() -> None:
    train, test = demo().entries[2], demo().entries[3]
    grid = test.assessment.profile.prior_log_odds
    report = attack(train.assessment.counts, test.assessment.counts, grid)
    drawn = learnt_calibration_figure(train, test, report, prior_log_odds=1.0)
    labels = [line.label for line in labelled(drawn)]
    assert labels[:3] == ["perfect privacy (0, 0, 0)", "B2 OP (0.205, 2.39, C)", "B2r OP (0.214, 2.39, C)"]
    assert labels[3] == f"linear [{report.linear.c_ece_bits:.3f}; {report.linear.cllr_bits:.3f}]"
    assert drawn.lines[-1].y.tolist() == report.isotonic.actual_bits.tolist()
    assert all(label in drawn.alt_text for label in labels)


def test_a_harmful_calibration_has_a_negative_distortion_and_leaves_the_frame() -> None:
    train, test = million().assessment.counts, small_entry()
    turned = zebra_core.Trials.from_scores([-30.0, -20.0], [20.0, 30.0, 40.0])
    report = attack(train, zebra_core.assess(turned).counts, test.assessment.profile.prior_log_odds)
    drawn = learnt_calibration_figure(million(), test, report)
    assert "linear [−" in drawn.alt_text
    assert drawn.y.high == 1.5


def test_the_figure_of_folds_tells_what_was_judged_and_left_out() -> None:
    entry = demo().entries[2]
    found = cross_validate(entry.trials, entry.assessment.profile.prior_log_odds)
    drawn = cross_validation_figure(entry, found)
    assert drawn.lines[1].y.tolist() == found.min_bits.tolist()
    assert "the speakers were dealt into 5 parts" in drawn.alt_text
    assert found.n_judged + found.n_left_out == 9828
    assert f"B2 OP, oracle [{found.d_ece_bits:.3f}; {found.min_cllr_bits:.3f}]." in drawn.alt_text
    assert [line.label for line in drawn.lines if line.dash is Dash.DASHED] == [
        f"linear [{found.linear.c_ece_bits:.3f}; {found.linear.cllr_bits:.3f}]",
        f"isotonic [{found.isotonic.c_ece_bits:.3f}; {found.isotonic.cllr_bits:.3f}]",
    ]


def stated(entry, change=lambda llr: llr):
    """The entry with its scores made LLRs by logistic regression, and then changed."""
    llr = LinearCalibration.fit(entry.assessment.counts).llr(entry.trials.score)
    trials = replace(entry.trials, score=change(llr))
    settings = zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR)
    return replace(entry, trials=trials, assessment=zebra_core.assess(trials, settings))


@pytest.fixture(scope="module")
def two():
    entries = [stated(demo().entries[2]), stated(demo().entries[3])]
    return entries, {entry.id: over_estimation_of(entry) for entry in entries}


def test_the_curve_and_its_band_are_those_that_were_found(two):
    entries, found = two
    first = found[entries[0].id]
    figure = over_estimation_figure(entries[:1], found)

    (line,) = labelled(figure)
    assert set(zip(line.x, line.y, strict=True)) <= set(zip(first.log10_lr, first.exceeds, strict=True))
    assert np.array_equal(figure.areas[0].base, first.low)
    assert np.array_equal(figure.areas[0].y, first.high)
    bounds = entries[0].assessment.invariance
    assert [line.x[0] for line in figure.lines[1:3]] == [bounds.low, bounds.high]
    assert line.label == "B2 OP (devPAV 0.107; borne out from −0.93 to 1.63)"
    assert "at one LLR at a time" in figure.alt_text


def test_of_several_only_the_legend_has_the_bounds(two):
    entries, found = two
    figure = over_estimation_figure(entries, found)
    assert len(labelled(figure)) == len(figure.areas) == 2
    assert len(figure.lines) == 3


def test_raw_scores_claim_nothing():
    figure = over_estimation_figure(demo().entries, {})
    assert not labelled(figure)
    assert [words.text for words in figure.words] == [
        "Raw scores claim nothing. If they are LLRs, say so: Edit > Scores are."
    ]


def test_what_cannot_be_measured_is_said():
    trials = zebra_core.Trials.from_scores([3.0, 4.0], [1.0, 2.0])
    settings = zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR)
    entry = replace(demo().entries[0], trials=trials, assessment=zebra_core.assess(trials, settings))
    figure = over_estimation_figure([entry], {entry.id: over_estimation_of(entry)})
    assert figure.words[0].text == "Too few comparisons of both kinds share the same LLRs."
    assert "not measurable" in figure.alt_text


def test_without_trials_there_is_a_curve_and_no_band(two):
    entries, found = two
    known = over_estimation(None, entries[0].assessment)
    assert np.array_equal(known.exceeds, found[entries[0].id].exceeds)
    assert not known.has_interval
    assert over_estimation_figure(entries[:1], {entries[0].id: known}).areas == ()


def test_intervals_are_over_the_speakers_of_the_demo(two):
    entries, found = two
    assert found[entries[0].id].unit is ResamplingUnit.SPEAKER
    assert found[entries[0].id].n_clusters == len(set(entries[0].trials.enrol.names))


def test_a_place_is_read_with_its_sign(two):
    entries, found = two
    (line,) = labelled(over_estimation_figure(entries[:1], found))
    line = replace(line, x=np.array([1.0]), y=np.array([-0.25]), label="B2")
    assert over_estimation_read_out(line, 0) == "log10 LR 1.00 · exceeds by −0.25 · B2"


def test_words_lie_on_their_side_of_the_diagonal(two):
    entries, _found = two
    figure = pav_figure(entries[:1])
    sides = {words.text: (words.x / np.log(10.0), words.y) for words in figure.words}

    assert set(sides) == {
        "same speaker: overstated", "same speaker: understated",
        "different speakers: overstated", "different speakers: understated",
    }  # fmt: skip
    for text, (claimed, worth) in sides.items():
        is_for = text.startswith("same")
        assert (claimed > 0.0 or worth > 0.0) if is_for else (claimed < 0.0 or worth < 0.0)
        assert (abs(worth) < abs(claimed)) == text.endswith("overstated")
    assert "same speaker: overstated" not in {words.text for words in pav_figure(demo().entries).words}


def test_words_without_room_are_left_out():
    """LLRs that are far too weak: the region below a steep diagonal is a sliver."""
    shrunk = stated(demo().entries[2], lambda llr: llr / 20.0)
    there = {words.text for words in pav_figure([shrunk]).words}
    assert there <= {"same speaker: understated", "different speakers: understated"}


def test_an_endless_interval_ends_at_the_edge_and_no_curve_does(two):
    entries, found = two
    endless = replace(found[entries[0].id], high=np.full(41, np.inf), exceeds=np.linspace(-9.0, 1.0, 41))
    figure = over_estimation_figure(entries[:1], {entries[0].id: endless})
    assert figure.y.high == figure.areas[0].y[0] == pytest.approx(1.05 * 11.0)
    assert min(labelled(figure)[0].y) == -9.0
