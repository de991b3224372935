"""By how much LLRs exceed what the trials bear out, over the LLR, with intervals over speakers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Area, Axis, Figure, Words
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.series import alt_text_of, colour_of, drawn_together, guide, line_of
from zebra_core.project.items import Entry
from zebra_core.uncertainty.over_estimation import OverEstimation
from zebra_core.wording.numbers import bits, log10_lr
from zebra_core.wording.texts import say, written

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
    areas, labels = [], [_label(one, found[one.id]) for one in entries]
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


def _label(entry: Entry, found: OverEstimation) -> str:
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
