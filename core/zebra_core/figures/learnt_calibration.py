"""What calibration learnt on one run discloses on another (csl2022, Fig. 8)."""

from __future__ import annotations

from zebra_core.figures.ece import HIGHEST_ACTUAL, SHOWN_LOG_ODDS, legend_label
from zebra_core.figures.figure import Axis, Dash, Figure, Ink, Line
from zebra_core.figures.series import alt_text_of, colour_of, prior_marks
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.metrics.learnt_calibration import JudgedLlrs, LearntCalibration
from zebra_core.project.items import Entry
from zebra_core.speakers.folds import CrossValidation
from zebra_core.wording.numbers import bits, disclosure, signed
from zebra_core.wording.texts import say

# The lines of an oracle have the colour of the safeguard, and no other line has one.
_LINEAR, _ISOTONIC = Ink.FOREGROUND, Ink.MUTED


def learnt_calibration_figure(
    train: Entry, test: Entry, report: LearntCalibration, *, prior_log_odds: float | None = None
) -> Figure:
    """The oracle profiles of both runs, and the actual ones of both calibrations on the second.

    The legend gives (D_ECE, worst case, tag) of the oracle and [C_ECE; Cllr] of the learnt calibrations.
    `prior_log_odds` marks a prior.
    """
    y = Axis(say("figure.ece-bits"), 0.0, _top(report))
    profiles = train.assessment.profile, test.assessment.profile
    lines = (
        Line(
            profiles[0].prior_log_odds,
            profiles[0].default_bits,
            say("figure.perfect-privacy"),
            Ink.FOREGROUND,
        ),
        Line(profiles[0].prior_log_odds, profiles[0].min_bits, legend_label(train), colour_of(train)),
        Line(
            profiles[1].prior_log_odds,
            profiles[1].min_bits,
            legend_label(test),
            colour_of(test),
            Dash.LONG_DASHED,
        ),
        _actual(report, "linear", report.linear, _LINEAR),
        _actual(report, "isotonic", report.isotonic, _ISOTONIC),
    )
    return Figure(
        title=say("figure.learnt-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(say("figure.learnt-alt"), [line.label or "" for line in lines]),
    )


def cross_validation_figure(
    entry: Entry, found: CrossValidation, *, prior_log_odds: float | None = None
) -> Figure:
    """The oracle profile of the trials that were judged within one run, and the actual ones of both
    calibrations learnt on the other speakers: the gap is how optimistic the oracle is on so few.
    """
    y = Axis(say("figure.ece-bits"), 0.0, _top(found))
    oracle = say(
        "figure.oracle-of-folds",
        name=entry.full_name,
        d_ece=disclosure(found.d_ece_bits),
        min_cllr=bits(found.min_cllr_bits),
    )
    zero = Line(
        found.prior_log_odds,
        prior_entropy_bits(found.prior_log_odds),
        say("figure.perfect-privacy"),
        Ink.FOREGROUND,
    )
    lines = (
        zero,
        Line(found.prior_log_odds, found.min_bits, oracle, colour_of(entry)),
        _actual(found, "linear", found.linear, _LINEAR),
        _actual(found, "isotonic", found.isotonic, _ISOTONIC),
    )
    told_first = say(
        "figure.folds-alt", count=found.n_folds, judged=found.n_judged, left_out=found.n_left_out
    )
    return Figure(
        title=say("figure.folds-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(told_first, [line.label or "" for line in lines]),
    )


def _actual(report: LearntCalibration | CrossValidation, kind: str, judged: JudgedLlrs, colour: Ink) -> Line:
    label = say(f"figure.{kind}", c_ece=signed(judged.c_ece_bits), cllr=bits(judged.cllr_bits))
    return Line(report.prior_log_odds, judged.actual_bits, label, colour, Dash.DASHED)


def _top(report: LearntCalibration | CrossValidation) -> float:
    highest = max(float(report.linear.actual_bits.max()), float(report.isotonic.actual_bits.max()), 1.0)
    return min(1.05 * highest, HIGHEST_ACTUAL)
