"""Histograms of scores or LLRs by class, with bins that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Area, Axis, Dash, Figure, Ink, Line, Marker, Points
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.paper import ticks
from zebra_core.figures.series import alt_text_of, colour_of, drawn_together, line_of, prior_marks
from zebra_core.metrics.verification import local_linkability
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.wording.numbers import bits
from zebra_core.wording.texts import say, written

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
