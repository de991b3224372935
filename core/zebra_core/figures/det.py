"""DET and ROC: misses against false alarms at every threshold, with the convex hull and the EER."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, AxisScale, Figure, Marker, NamedPoints, Points
from zebra_core.figures.series import alt_text_of, colour_of, drawn_together, guide, line_of
from zebra_core.metrics.costs import bayes_thresholds
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.project.items import Entry
from zebra_core.wording.names import clauses
from zebra_core.wording.numbers import percent, percent_as_stated
from zebra_core.wording.texts import say, written

_TICKS = (1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.5, 0.8, 0.95)
_HIGHEST = 0.97
_LOWEST = (1e-2, 1e-3, 1e-4, 1e-5)
# Along a straight piece of the hull, close together at its ends, where the probit is steep.
_ALONG = np.concatenate([[0.0], 1.0 / (1.0 + np.exp(np.linspace(14.0, -14.0, 65))), [1.0]])


def det_figure(
    entries: Sequence[Entry], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """Miss over false-alarm rate on probit axes; the hull beside each curve, the ROCCH-EER marked.

    `selected` is the id of the entry to emphasise. `prior_log_odds` marks on each hull where an attacker
    with oracle calibration would decide. Rates of 0 lie beyond the axes.
    """
    entries = drawn_together(entries)
    low = _lowest(entries)
    x, y = _probit_axis("figure.false-alarms", low), _probit_axis("figure.misses", low)
    lines = [guide((x.low, x.high), (y.low, y.high))]
    points = []
    for entry in entries:
        curve, hull = _rates(entry)
        fine = _between(hull.false_alarm), _between(hull.miss)
        lines += [
            line_of(entry, _det(*fine, x), (x, y), second=True, selected=selected),
            line_of(entry, _det(curve.false_alarm, curve.miss, x), (x, y), _label(entry), selected=selected),
        ]
        eer = np.array([entry.assessment.rocch_eer])
        points.append(Points(_places(eer, x), _places(eer, y), colour_of(entry)))
        if prior_log_odds is not None:
            false_alarm, miss = _decision(entry, hull, prior_log_odds)
            points.append(_diamond(entry, _places(false_alarm, x), _places(miss, y)))
    return Figure(
        title=say("figure.det-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=alt_text_of(
            say("figure.det-alt"), [_label(entry) for entry in entries], entries, pairs=True
        ),
        points=tuple(points),
    )


def roc_figure(
    entries: Sequence[Entry], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """True-positive over false-positive rate; hull, ROCCH-EER and prior as in `det_figure`.

    Triangles mark the hits at few false alarms, as far as they can be measured; their names say them.
    """
    entries = drawn_together(entries)
    x = Axis(say("figure.false-positives"), 0.0, 1.0)
    y = Axis(say("figure.true-positives"), 0.0, 1.0)
    lines = [guide((0.0, 1.0), (0.0, 1.0))]
    points = []
    for entry in entries:
        curve, hull = _rates(entry)
        lines += [
            line_of(entry, _roc(hull), (x, y), second=True, selected=selected),
            line_of(entry, _roc(curve), (x, y), _label(entry), selected=selected),
        ]
        eer = np.array([entry.assessment.rocch_eer])
        points.append(Points(eer, 1.0 - eer, colour_of(entry)))
        if prior_log_odds is not None:
            false_alarm, miss = _decision(entry, hull, prior_log_odds)
            points.append(_diamond(entry, false_alarm, 1.0 - miss))
    points += [_hits(entry) for entry in entries]
    return Figure(
        title=say("figure.roc-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=" ".join(
            [
                alt_text_of(say("figure.roc-alt"), [_label(entry) for entry in entries], entries, pairs=True),
                *map(_hits_in_words, entries),
            ]
        ),
        points=tuple(points),
    )


def _rates(entry: Entry) -> tuple[ErrorRates, ErrorRates]:
    """Along the curve, and at the corners of its hull."""
    return ErrorRates.of(entry.assessment.counts), ErrorRates.of(entry.assessment.plain)


def _lowest(entries: Sequence[Entry]) -> float:
    """The largest round rate at which one error can be seen in every class of every entry."""
    most = max(max(entry.assessment.n_target, entry.assessment.n_nontarget) for entry in entries)
    return next((rate for rate in _LOWEST if rate * most <= 1.0), _LOWEST[-1])


def _probit_axis(label: str, low: float) -> Axis:
    from scipy.special import ndtri

    ticks = tuple((float(ndtri(rate)), written(100.0 * rate, "g")) for rate in _TICKS if rate >= low)
    return Axis(say(label), float(ndtri(low / 2.0)), float(ndtri(_HIGHEST)), ticks, AxisScale.PROBIT)


def _places(rate: FloatArray, axis: Axis) -> FloatArray:
    """Rates as places on a probit axis; what lies beyond either end is brought to just outside."""
    beyond = (axis.high - axis.low) / 100.0
    return np.asarray(np.clip(scipy.special.ndtri(rate), axis.low - beyond, axis.high + beyond))


def _det(false_alarm: FloatArray, miss: FloatArray, axis: Axis) -> tuple[FloatArray, FloatArray]:
    """A curve on probit axes of one range, from left to right."""
    return _places(false_alarm, axis)[::-1], _places(miss, axis)[::-1]


def _roc(rates: ErrorRates) -> tuple[FloatArray, FloatArray]:
    return rates.false_alarm[::-1], 1.0 - rates.miss[::-1]


def _between(corners: FloatArray) -> FloatArray:
    """Many rates along the straight pieces between corners."""
    pieces = corners[:-1, np.newaxis] + np.diff(corners)[:, np.newaxis] * _ALONG
    return np.asarray(pieces.ravel())


def _decision(entry: Entry, hull: ErrorRates, prior_log_odds: float) -> tuple[FloatArray, FloatArray]:
    """False-alarm and miss rate of the best decision at a prior."""
    at = bayes_thresholds(np.array([prior_log_odds]), entry.assessment.plain.llr)
    return hull.false_alarm[at], hull.miss[at]


def _hits(entry: Entry) -> NamedPoints:
    """Where the hits at few false alarms are on the curve, each called by its rates."""
    rates, names, places = ErrorRates.of(entry.assessment.counts), [], []
    for most, share in entry.assessment.hits_at.items():
        at = rates.threshold_at(most)
        if at is not None:
            places.append((rates.false_alarm[at], 1.0 - rates.miss[at]))
            said = say("figure.hits-at", rate=percent_as_stated(most), share=percent(share))
            names.append(f"{said} · {entry.full_name}")
    x, y = np.array(places, dtype=np.float64).reshape(-1, 2).T
    return NamedPoints(x, y, colour_of(entry), marker=Marker.TRIANGLE, names=tuple(names))


def _hits_in_words(entry: Entry) -> str:
    """The hits at few false alarms in a sentence, and which cannot be measured."""
    found = entry.assessment
    said = [
        say("figure.hits-at", rate=percent_as_stated(most), share=percent(share))
        if share is not None
        else say("figure.hits-missing", rate=percent_as_stated(most), count=found.n_nontarget)
        for most, share in found.hits_at.items()
    ]
    return say("figure.roc-hits", name=entry.full_name, hits=clauses(said))


def _diamond(entry: Entry, x: FloatArray, y: FloatArray) -> Points:
    return Points(x, y, colour_of(entry), marker=Marker.DIAMOND)


def _label(entry: Entry) -> str:
    return say("figure.with-eer", name=entry.full_name, eer=percent(entry.assessment.rocch_eer))
