"""What learnt calibrations disclose."""

import zebra_core
from tests.core.samples import demo, labelled, million, small_entry
from zebra_core.figures.figure import Dash
from zebra_core.figures.learnt_calibration import cross_validation_figure, learnt_calibration_figure
from zebra_core.metrics.learnt_calibration import attack
from zebra_core.speakers.folds import cross_validate


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
