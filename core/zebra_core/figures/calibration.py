"""Empirical calibration: what was believed against what was so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zebra_core.evidence.trials import FloatArray, ScoreCounts
from zebra_core.figures.distributions import ShownScores
from zebra_core.figures.figure import Area, Axis, Dash, Figure, Ink, Line, Points, Words
from zebra_core.figures.series import (
    HIGHEST_ACTUAL,
    SHOWN_LOG_ODDS,
    alt_text_of,
    colour_of,
    drawn_together,
    guide,
    legend_label,
    line_of,
    prior_marks,
)
from zebra_core.metrics.distributions import EmpiricalCalibration, empirical_calibration
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.metrics.learnt_calibration import JudgedLlrs, LearntCalibration
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.speakers.study import CrossValidation
from zebra_core.uncertainty.over_estimation import OverEstimation
from zebra_core.wording.texts import bits, disclosure, grouped, log10_lr, say, signed, written

BINS = 10


def calibration_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    shown: ShownScores = ShownScores.SCORES_AS_LLRS,
    bins: int = BINS,
    prior_log_odds: float | None = None,
) -> Figure:
    """Observed share of targets over the mean posterior of each bin (csl2022, Fig. 4).

    The prior is each entry's share of targets unless `prior_log_odds` is given. Beside the points of a single
    entry stand the counts of their bins. `selected` is the id of the entry to emphasise. Raises
    ValueError where bare scores are to be shown.
    """
    x = Axis(say("figure.posterior"), 0.0, 1.0)
    y = Axis(say("figure.observed"), 0.0, 1.0)
    entries = drawn_together(entries)
    lines = [guide((0.0, 1.0), (0.0, 1.0))]
    points, labels = [], []
    for entry in entries:
        values = shown.llrs_of(entry)
        natural = ScoreCounts(values.score * LN10, values.n_target, values.n_nontarget)
        found = empirical_calibration(natural, bins, prior_log_odds)
        labels.append(_label(entry, found))
        lines.append(line_of(entry, (found.posterior, found.observed), (x, y), labels[-1], selected=selected))
        texts = _counts(found) if len(entries) == 1 else ()
        points.append(Points(found.posterior, found.observed, colour_of(entry), texts=texts))
    return Figure(
        title=say("figure.calibration-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=alt_text_of(say("figure.calibration-alt"), labels, entries),
        points=tuple(points),
    )


def _counts(found: EmpiricalCalibration) -> tuple[str, ...]:
    return tuple(grouped(count) for count in found.n_target + found.n_nontarget)


def _label(entry: Entry, found: EmpiricalCalibration) -> str:
    prior = 1.0 / (1.0 + np.exp(-found.prior_log_odds))
    return say("figure.at-prior", name=entry.full_name, prior=written(prior, ".2g"))


# What calibration learnt on one run discloses on another (csl2022, Fig. 8).


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


# By how much LLRs exceed what the trials bear out, over the LLR, with intervals over speakers.


_LEAST_REACH = 1.0
_MARGIN = 1.05
_FAR = 2.0  # powers of ten beyond the farthest curve: intervals may be infinite


def over_estimation_figure(
    entries: Sequence[Entry],
    found: Mapping[str, OverEstimation],
    selected: str | None = None,
) -> Figure:
    """Over-estimation in powers of ten over the base-10 LLR, with a band where intervals are known.

    `found` is that of each entry, by its id. Scores that are not stated to be LLRs are left out: they claim
    nothing. Of a single entry the bounds of invariance are marked. `selected` is the id of the entry to
    emphasise. Intervals that are far wider than what they are of end at the edge of the picture.
    """
    entries = [one for one in drawn_together(entries) if one.assessment.has_llrs]
    shown = [one for one in entries if found[one.id].is_measurable]
    bounds = [one.assessment.invariance for one in shown if one.assessment.invariance]
    ends = [end for one in bounds for end in (one.low, one.high)]
    ends += [float(end) for one in shown for end in found[one.id].log10_lr[[0, -1]]]
    low, high = (min(ends), max(ends)) if ends else (-_LEAST_REACH, _LEAST_REACH)
    room = 0.03 * (high - low) or _LEAST_REACH
    x = Axis(ShownScores.SCORES_AS_LLRS.axis_label, low - room, high + room)
    reach = _reach([found[one.id] for one in shown])
    y = Axis(say("figure.over-estimation"), -reach, reach)
    lines = [guide((x.low, x.high), (0.0, 0.0))]
    if len(bounds) == 1:
        lines += [guide((end, end), (y.low, y.high)) for end in (bounds[0].low, bounds[0].high)]
    areas, labels = [], [_over_estimation_label(one, found[one.id]) for one in entries]
    for entry, label in zip(entries, labels, strict=True):
        one = found[entry.id]
        if one.is_measurable:
            curve = one.log10_lr, np.clip(one.exceeds, y.low, y.high)
            lines.append(line_of(entry, curve, (x, y), label, selected=selected))
        if one.has_interval:
            edges = (np.clip(edge, y.low, y.high) for edge in (one.low, one.high))
            areas.append(_band(entry, one.log10_lr, *edges))
    return Figure(
        title=say("figure.over-estimation-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=alt_text_of(_alt_text(entries, found), labels, entries),
        areas=tuple(areas),
        words=_words(entries, shown, (x, y)),
    )


def _band(entry: Entry, place: FloatArray, low: FloatArray, high: FloatArray) -> Area:
    return Area(place, high, colour_of(entry), base=low)


def _reach(shown: Sequence[OverEstimation]) -> float:
    """How far the upright axis goes on either side of 0."""
    curves = np.concatenate([np.zeros(1), *(one.exceeds for one in shown)])
    ends = np.concatenate(
        [np.zeros(1), *(end for one in shown if one.has_interval for end in (one.low, one.high))]
    )
    farthest = float(np.abs(curves[np.isfinite(curves)]).max())
    return max(_LEAST_REACH, _MARGIN * min(max(farthest, float(np.abs(ends).max())), farthest + _FAR))


def _words(entries: Sequence[Entry], shown: Sequence[Entry], axes: tuple[Axis, Axis]) -> tuple[Words, ...]:
    """What the halves mean, or why nothing is shown."""
    x, y = axes
    middle = (x.low + x.high) / 2.0
    if not shown:
        code = "figure.over-estimation-few" if entries else "figure.over-estimation-raw"
        return (Words(middle, 0.5 * y.high, say(code)),)
    return (
        Words(middle, 0.88 * y.high, say("figure.over-estimation-above")),
        Words(middle, 0.88 * y.low, say("figure.over-estimation-below")),
    )


def _alt_text(entries: Sequence[Entry], found: Mapping[str, OverEstimation]) -> str:
    banded = [found[one.id] for one in entries if found[one.id].has_interval]
    if not banded:
        return say("figure.over-estimation-alt")
    level = written(100.0 * banded[0].level, "g")
    return f"{say('figure.over-estimation-alt')} {say('figure.over-estimation-band', level=level)}"


def _over_estimation_label(entry: Entry, found: OverEstimation) -> str:
    known = entry.assessment
    if not found.is_measurable:
        return say("figure.over-estimation-none", name=entry.full_name)
    return say(
        "figure.over-estimation-of",
        name=entry.full_name,
        dev_pav=bits(known.dev_pav_log10),
        low=log10_lr(known.invariance.low) if known.invariance else "",
        high=log10_lr(known.invariance.high) if known.invariance else "",
    )
