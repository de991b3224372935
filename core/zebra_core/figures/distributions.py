"""How scores and LLRs are distributed: histograms, the PAV transform, Tippett, DET and ROC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import scipy

from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, ScoreCounts
from zebra_core.figures.figure import (
    Area,
    Axis,
    AxisScale,
    Dash,
    Figure,
    Ink,
    Line,
    Marker,
    NamedPoints,
    Points,
    Words,
    ticks,
)
from zebra_core.figures.series import (
    alt_text_of,
    colour_of,
    drawn_together,
    guide,
    line_of,
    prior_marks,
    staircase,
)
from zebra_core.metrics.assessment import ScoreMeaning
from zebra_core.metrics.distributions import PavTransform, oracle_counts, pav_transform, tippett
from zebra_core.metrics.ece import laplace
from zebra_core.metrics.error_rates import (
    ErrorRates,
    MisleadingEvidence,
    bayes_thresholds,
    local_linkability,
)
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.uncertainty.shown import strength_decimals
from zebra_core.wording.texts import (
    bits,
    clauses,
    log10_lr,
    percent,
    percent_as_stated,
    say,
    strength,
    written,
)

# Which LLRs a picture shows: those of oracle calibration, or the scores as they are.


_FARTHEST = 1e300  # the range of an axis must not overflow


class ShownScores(Enum):
    """What is shown of a set of trials."""

    ORACLE_LLRS = "oracle-llrs"  # oracle calibration under Laplace's rule: finite
    SCORES_AS_LLRS = "scores-as-llrs"  # after the settings' meaning; raw scores as if they were LLRs
    SCORES = "scores"  # as the recogniser wrote them, in no unit

    def of(self, entry: Entry) -> ScoreCounts:
        """The values with their counts, LLRs in base 10; what lies beyond ±1e300 is drawn there."""
        found = entry.assessment
        if self is ShownScores.SCORES:
            values, unit = found.counts, 1.0
        else:
            values = found.llrs if self is ShownScores.SCORES_AS_LLRS else oracle_counts(laplace(found.plain))
            unit = LN10
        places = np.clip(values.score / unit, -_FARTHEST, _FARTHEST)
        return ScoreCounts(places, values.n_target, values.n_nontarget)

    def places_of(self, scores: FloatArray, entry: Entry) -> FloatArray:
        """The values of some of the scores of an entry, in the same order: where `of` has them."""
        found = entry.assessment
        if self is ShownScores.SCORES:
            values, unit = scores, 1.0
        elif self is ShownScores.SCORES_AS_LLRS:
            values, unit = found.llrs.score[np.searchsorted(found.counts.score, scores)], LN10
        else:
            values, unit = Oracle(found.counts, found.plain, laplace(found.plain)).llr(scores), LN10
        return np.clip(values / unit, -_FARTHEST, _FARTHEST)

    def llrs_of(self, entry: Entry) -> ScoreCounts:
        """The values of `of`, which must be LLRs. Raises ValueError for bare scores: that is our mistake."""
        if self is ShownScores.SCORES:
            raise ValueError("bare scores are no LLRs")
        return self.of(entry)

    @property
    def axis_label(self) -> str:
        """What is along the axis."""
        return say(f"figure.{self.value}")


BINS = 60
_PLACES = 1000  # along the axis: more marks than that could not be told apart
_WHOLE = 1.0 / 1.05  # where D(s) = 1 is, of the height of the axis: as high as the histograms are
_SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_ROOM_BELOW = 0.14  # of the height of the histograms, for the marks of a speaker
_ROWS = (-0.035, -0.095)  # of targets and nontargets, in the same unit


@dataclass(frozen=True, eq=False)
class LocalLinkability(Line):
    """Local linkability D(s): drawn against a second axis, whose 1 is at `top` of the first."""

    top: float = 1.0


@dataclass(frozen=True, eq=False)
class OneSpeaker:
    """The speaker whose comparisons are marked below the histograms, and the entry that they are of."""

    name: str
    entry: Entry
    trials: SpeakerTrials


def histogram_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    shown: ShownScores = ShownScores.SCORES,
    bins: int = BINS,
    prior_log_odds: float | None = None,
    speaker: OneSpeaker | None = None,
) -> Figure:
    """The share of each class in each of `bins` bins, from the lowest to the highest value of all entries.

    `selected` is the id of the entry to emphasise. `prior_log_odds` marks the threshold that a prior leads
    to, where LLRs are shown. Below the histograms the comparisons of one `speaker` are marked, one by one.
    Over the scores of one entry, of several the selected one, local linkability D(s) is drawn on an axis of
    its own: in the bins that D_sys is computed in, which need not be these.
    """
    entries = drawn_together(entries)
    values = [shown.of(entry) for entry in entries]
    edges = shared_edges(values, bins)
    outlines = [_outlines(counts, edges) for counts in values]
    top = max(float(y.max()) for pair in outlines for _, y in pair)
    x, y = (
        Axis(shown.axis_label, float(edges[0]), float(edges[-1])),
        Axis(say("figure.share"), 0.0, 1.05 * top),
    )
    lines, areas, labels = [], [], []
    for entry, (target, nontarget) in zip(entries, outlines, strict=True):
        names = [say(f"figure.histogram-{of}", name=entry.full_name) for of in ("target", "nontarget")]
        labels += names
        areas.append(Area(*target, colour_of(entry)))
        lines += [
            line_of(entry, target, (x, y), names[0], selected=selected),
            line_of(entry, nontarget, (x, y), names[1], second=True, selected=selected),
        ]
    threshold = None if prior_log_odds is None or shown is ShownScores.SCORES else -prior_log_odds / LN10
    figure = Figure(
        title=say("figure.histogram-title"),
        x=x,
        y=y,
        lines=(*prior_marks(threshold, y), *lines),
        alt_text=alt_text_of(say("figure.histogram-alt", count=bins), labels, entries, pairs=True),
        areas=tuple(areas),
    )
    if shown is ShownScores.SCORES:
        leading = [entry for entry in entries if len(entries) == 1 or entry.id == selected]
        figure = _with_local_linkability(figure, leading)
    called = {entry.id: entry.full_name for entry in entries}
    if speaker is None or speaker.entry.id not in called:
        return figure
    return _marking(figure, speaker, called[speaker.entry.id], shown)


def _with_local_linkability(figure: Figure, entries: Sequence[Entry]) -> Figure:
    """The figure with D(s) of these entries, one or none, as a line on a second axis from 0 to 1."""
    for entry in entries:
        found = local_linkability(entry.assessment.counts)
        if found is None:
            return figure
        score, local = found
        top = _WHOLE * figure.y.high
        ticks_ = tuple((share * top, written(share, ".1f")) for share in _SHARES)
        label = say("figure.histogram-linkability", name=entry.full_name)
        line = LocalLinkability(score, local * top, label, Ink.FOREGROUND, Dash.DOTTED, top=top)
        said = say(
            "figure.histogram-linkability-alt",
            name=entry.full_name,
            score=float(score[np.argmax(local)]),
            most=bits(float(local.max())),
            whole=bits(entry.assessment.linkability),
        )
        return replace(
            figure,
            lines=(*figure.lines, line),
            right=Axis(say("figure.linkability"), figure.y.low, figure.y.high, ticks_),
            alt_text=f"{figure.alt_text} {said}",
        )
    return figure


def _marking(figure: Figure, speaker: OneSpeaker, called: str, shown: ShownScores) -> Figure:
    """The figure with the comparisons of one speaker in two rows below the histograms.

    Comparisons too close to be told apart share a mark.
    """
    own = speaker.trials.taken_part_in(speaker.name)
    if not own.any():
        return figure
    y, marks = figure.y, []
    looks = (("target", Ink.FOREGROUND, Marker.DIAMOND), ("nontarget", Ink.MUTED, Marker.CIRCLE))
    for row, (of, colour, marker) in zip(_ROWS, looks, strict=True):
        is_of = speaker.trials.is_target == (of == "target")
        x = np.sort(shown.places_of(speaker.trials.score[own & is_of], speaker.entry))
        label = say(f"figure.histogram-speaker-{of}", speaker=speaker.name, name=called, count=len(x))
        _, seen = np.unique(np.round(_PLACES * _shares(x, figure.x)), return_index=True)
        marks.append(Points(x[seen], np.full(len(seen), row * y.high), colour, label, marker))
    said = " ".join(f"{points.label}." for points in marks)
    return replace(
        figure,
        y=replace(y, low=-_ROOM_BELOW * y.high, ticks=ticks(y)),  # there are no shares below 0
        points=tuple(marks),
        alt_text=f"{figure.alt_text} {said}",
    )


def _shares(x: FloatArray, axis: Axis) -> FloatArray:
    """Positions along an axis, as shares; halved, the range of two huge values does not overflow."""
    return np.asarray((x / 2.0 - axis.low / 2.0) / (axis.high / 2.0 - axis.low / 2.0))


def shared_edges(values: Sequence[ScoreCounts], bins: int) -> FloatArray:
    """The edges of `bins` bins of one width that hold every value, shape (bins + 1,).

    Where there is but one value it lies in the middle of a range of 1, or of what its digits can tell apart.
    """
    low = min(float(counts.score[0]) for counts in values)
    high = max(float(counts.score[-1]) for counts in values)
    if low == high:
        half = max(0.5, abs(low) * 1e-9)
        low, high = low - half, high + half
    # Halved, the range of two huge values does not overflow.
    return np.asarray(2.0 * np.linspace(low / 2.0, high / 2.0, bins + 1))


def _outlines(
    counts: ScoreCounts, edges: FloatArray
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """The outlines of both histograms, of targets and of nontargets, from level 0 to level 0."""
    binned = counts.within(edges)
    return (
        _outline(binned.n_target / counts.total_target, edges),
        _outline(binned.n_nontarget / counts.total_nontarget, edges),
    )


def _outline(share: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(share, 2), [0.0]])


# The PAV transform: which oracle LLR each score got.


_LEAST_REACH = 1.0
_SCANNED = 61  # places across each axis at which the regions are looked for
_SHARE_OF_LETTER = 0.012  # of the width of the axes


def pav_figure(
    entries: Sequence[Entry], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """Score to base-10 oracle LLR under Laplace's rule: level on each block, straight between two of them.

    `selected` is the id of the entry to emphasise, `prior_log_odds` marks the LLR that a prior asks for.
    Where all scores were declared to be LLRs, a dotted line shows what calibrated ones would follow, and on
    either side of it words say for which proposition the evidence is overstated or understated there.
    """
    entries = drawn_together(entries)
    transforms = [_transform(entry) for entry in entries]
    reach = 1.05 * max(_LEAST_REACH, *(float(np.abs(found.llr).max()) / LN10 for found in transforms))
    low, high = shared_edges([ShownScores.SCORES.of(entry) for entry in entries], 1)
    x = Axis(ShownScores.SCORES.axis_label, float(low), float(high))
    y = Axis(ShownScores.ORACLE_LLRS.axis_label, -reach, reach)
    lines = [guide((x.low, x.high), (0.0, 0.0))]
    slope = _slope_of_calibrated(entries)
    if slope:
        lines.append(guide((x.low, x.high), (slope * x.low, slope * x.high)))
    if prior_log_odds is not None:
        lines.append(guide((x.low, x.high), (-prior_log_odds / LN10, -prior_log_odds / LN10)))
    for entry, found in zip(entries, transforms, strict=True):
        curve = np.stack([found.lowest, found.highest], axis=1).ravel(), np.repeat(found.llr / LN10, 2)
        lines.append(line_of(entry, curve, (x, y), _label(entry), selected=selected))
    return Figure(
        title=say("figure.pav-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=alt_text_of(
            f"{say('figure.pav-alt')} {say('figure.pav-regions')}" if slope else say("figure.pav-alt"),
            [_label(entry) for entry in entries],
            entries,
        ),
        words=_regions((x, y), slope, lines) if slope else (),
    )


def _regions(axes: tuple[Axis, Axis], slope: float, lines: Sequence[Line]) -> tuple[Words, ...]:
    """What each side of the diagonal says of LLRs for either proposition, where no line is in the way."""
    x, y = axes
    across, up = np.meshgrid(np.linspace(x.low, x.high, _SCANNED), np.linspace(y.low, y.high, _SCANNED))
    claimed = slope * across
    inside = {
        "for-overstated": (up > 0.0) & (up < claimed),
        "for-understated": (claimed > 0.0) & (up > claimed),
        "against-overstated": (up < 0.0) & (up > claimed),
        "against-understated": (claimed < 0.0) & (up < claimed),
    }
    free = ~np.logical_or.reduce([_under(line, axes) for line in lines])
    placed = (_placed(there & free, say(f"figure.pav-{name}"), axes) for name, there in inside.items())
    return tuple(words for words in placed if words is not None)


def _under(line: Line, axes: tuple[Axis, Axis]) -> BoolArray:
    """Where a line passes, (up, across), and a row above and below, as high as letters are."""
    along, last = np.linspace(0.0, 1.0, _SCANNED), _SCANNED - 1
    column, row = (
        np.rint(
            (values[:-1, None] + along * np.diff(values)[:, None] - axis.low) * last / (axis.high - axis.low)
        )
        for axis, values in zip(axes, (line.x, line.y), strict=True)
    )
    found = np.zeros((_SCANNED, _SCANNED), dtype=np.bool_)
    for margin in (-1, 0, 1):
        is_here = (column >= 0) & (column < _SCANNED) & (row + margin >= 0) & (row + margin < _SCANNED)
        found[(row[is_here] + margin).astype(int), column[is_here].astype(int)] = True
    return found


def _placed(there: BoolArray, text: str, axes: tuple[Axis, Axis]) -> Words | None:
    """A text in a region, (up, across), as near to its middle as its rows have room; None where none has."""
    runs = [_longest_run(row) for row in there]
    rows = [
        n for n, (first, end) in enumerate(runs) if end - first >= len(text) * _SHARE_OF_LETTER * _SCANNED
    ]
    if not rows:
        return None
    middle = float(np.average(np.arange(len(there)), weights=there.mean(axis=1)))
    row = min(rows, key=lambda one: abs(one - middle))
    x, y = (
        axis.low + (axis.high - axis.low) * at / (_SCANNED - 1)
        for axis, at in zip(axes, (sum(runs[row]) / 2.0 - 0.5, row), strict=True)
    )
    return Words(x, y, text)


def _longest_run(row: BoolArray) -> tuple[int, int]:
    """The first place of the longest run of True, and the place after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
    if not len(edges):
        return 0, 0
    runs = edges.reshape(-1, 2)
    first, end = runs[np.diff(runs, axis=1).argmax()]
    return int(first), int(end)


def _transform(entry: Entry) -> PavTransform:
    return pav_transform(ShownScores.SCORES.of(entry), laplace(entry.assessment.plain))


def _slope_of_calibrated(entries: Sequence[Entry]) -> float | None:
    """Base-10 LLR over score for calibrated scores, where all entries have one meaning that is an LLR's."""
    meanings = {entry.assessment.settings.score_meaning for entry in entries}
    slopes = {frozenset({ScoreMeaning.NATURAL_LLR}): 1.0 / LN10, frozenset({ScoreMeaning.LOG10_LR}): 1.0}
    return slopes.get(frozenset(meanings))


def _label(entry: Entry) -> str:
    found = entry.assessment
    return say(
        "figure.pav-range",
        name=entry.full_name,
        low=_strength(found.strongest_against_log10_lr, entry),
        high=_strength(found.strongest_for_log10_lr, entry),
    )


def _strength(log10_lr_found: float, entry: Entry) -> str:
    """A strength of evidence with the digits that its interval bears, if it has one."""
    if entry.trust is None:
        return log10_lr(log10_lr_found)
    return strength(log10_lr_found, strength_decimals(entry.assessment, entry.trust))


# Tippett plot: how large LLRs are in each class, cumulatively, and how often they mislead.


def tippett_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    shown: ShownScores = ShownScores.ORACLE_LLRS,
    prior_log_odds: float | None = None,
) -> Figure:
    """Both cumulative curves of every entry over the base-10 LLR, from 1/N and never beyond observed values.

    Target trials with an LLR ≤ x rise to the right, nontarget trials with an LLR ≥ x to the left. `selected`
    is the id of the entry to emphasise, `prior_log_odds` marks the threshold that a prior leads to. The
    legend gives the rates of misleading evidence: targets below 0, nontargets above 0. Raises ValueError
    where bare scores are to be shown.
    """
    entries = drawn_together(entries)
    curves = [(entry, tippett(shown.llrs_of(entry))) for entry in entries]
    ends = [end for _, found in curves for end in (*found.target_llr[[0, -1]], *found.nontarget_llr[[0, -1]])]
    reach = 1.05 * max(_LEAST_REACH, float(np.abs(ends).max()))
    x, y = Axis(shown.axis_label, -reach, reach), Axis(say("figure.cumulative-share"), 0.0, 1.0)
    lines = [guide((0.0, 0.0), (y.low, y.high))]
    labels = []
    for entry, found in curves:
        target = staircase(found.target_llr, found.target_share, holds_left=True)
        nontarget = staircase(found.nontarget_llr, found.nontarget_share, holds_left=False)
        names = _labels(entry, shown)
        labels += names
        lines += [
            line_of(entry, target, (x, y), names[0], selected=selected),
            line_of(entry, nontarget, (x, y), names[1], second=True, selected=selected),
        ]
    threshold = None if prior_log_odds is None else -prior_log_odds / LN10
    return Figure(
        title=say("figure.tippett-title"),
        x=x,
        y=y,
        lines=(*prior_marks(threshold, y), *lines),
        alt_text=alt_text_of(say("figure.tippett-alt"), labels, entries, pairs=True),
    )


def _labels(entry: Entry, shown: ShownScores) -> list[str]:
    counts = shown.llrs_of(entry)
    rates = MisleadingEvidence.of(counts.score, counts.target_share, counts.nontarget_share)
    return [
        say("figure.tippett-target", name=entry.full_name, rate=percent(rates.of_target)),
        say("figure.tippett-nontarget", name=entry.full_name, rate=percent(rates.of_nontarget)),
    ]


# DET and ROC: misses against false alarms at every threshold, with the convex hull and the EER.


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
            line_of(
                entry, _det(curve.false_alarm, curve.miss, x), (x, y), _det_label(entry), selected=selected
            ),
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
            say("figure.det-alt"), [_det_label(entry) for entry in entries], entries, pairs=True
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
            line_of(entry, _roc(curve), (x, y), _det_label(entry), selected=selected),
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
                alt_text_of(
                    say("figure.roc-alt"), [_det_label(entry) for entry in entries], entries, pairs=True
                ),
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


def _det_label(entry: Entry) -> str:
    return say("figure.with-eer", name=entry.full_name, eer=percent(entry.assessment.rocch_eer))
