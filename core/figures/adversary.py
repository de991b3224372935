"""What calibration learnt on one run discloses on another (csl2022, Fig. 8)."""

from __future__ import annotations

from core.adversary import AdversaryReport, Judged
from core.figures.ece import HIGHEST_ACTUAL, SHOWN_LOG_ODDS, legend_label
from core.figures.figure import Axis, Dash, Figure, Ink, Line
from core.figures.series import prior_marks, told
from core.project import Entry
from core.texts import say
from core.wording import bits, signed

# The places of blue, orange and purple among the series: the colours of the paper's figure.
_TRAINED_ON, _LINEAR, _ISOTONIC = 1, 4, 3


def adversary_figure(
    train: Entry, test: Entry, report: AdversaryReport, *, prior_log_odds: float | None = None
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
        Line(profiles[0].prior_log_odds, profiles[0].min_bits, legend_label(train), _TRAINED_ON),
        Line(profiles[1].prior_log_odds, profiles[1].min_bits, legend_label(test), Ink.MUTED),
        _actual(report, "linear", report.linear, _LINEAR),
        _actual(report, "isotonic", report.isotonic, _ISOTONIC),
    )
    return Figure(
        title=say("figure.adversary-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=told(say("figure.adversary-alt"), [line.label or "" for line in lines]),
    )


def _actual(report: AdversaryReport, kind: str, judged: Judged, colour: int) -> Line:
    label = say(f"figure.{kind}", c_ece=signed(judged.c_ece_bits), cllr=bits(judged.cllr_bits))
    return Line(report.prior_log_odds, judged.actual_bits, label, colour, Dash.DASHED)


def _top(report: AdversaryReport) -> float:
    highest = max(float(report.linear.actual_bits.max()), float(report.isotonic.actual_bits.max()), 1.0)
    return min(1.05 * highest, HIGHEST_ACTUAL)
