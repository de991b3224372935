"""What pooled utterances disclose, over their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from zebra_core.figures.figure import Area, Axis, Colour, Dash, Figure, Ink, Line, Marker, NamedPoints
from zebra_core.figures.series import nth_dash
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.accumulation import Accumulation, PoolPoint
from zebra_core.wording.texts import say, written

Curve = tuple[str, Accumulation]

_MARKERS = tuple(Marker)


def accumulated_disclosure_figure(curves: Sequence[Curve], colour: Colour = 0) -> Figure:
    """D_ECE in bits over the number of pooled utterances, on a doubling axis, with the bands of chance.

    Without what chance alone shows, where that is known. All curves are of one safeguard, whose colour they
    have, and broken each in its own way.
    """
    values = [point.shown_bits for _, curve in curves for point in curve.points]
    values += [point.by_chance_bits[0] for _, curve in curves if curve.has_chance for point in curve.points]
    y = Axis(say("figure.d-ece-bits"), min(0.0, 1.05 * min(values, default=0.0)), 1.02 * FULL_DISCLOSURE_BITS)
    figure = _figure(curves, colour, "figure.accumulation-d-ece-title", y, lambda point: point.shown_bits, ())
    return replace(figure, areas=tuple(_bands(curves, colour)))


def _bands(curves: Sequence[Curve], colour: Colour) -> Iterator[Area]:
    """Where 95 % of exchanges of whole speakers lie."""
    for _, curve in curves:
        if curve.has_chance:
            low, high = (np.array([point.by_chance_bits[end] for point in curve.points]) for end in (0, 1))
            yield Area(_places(curve.points), high, colour, low)


def accumulated_worst_case_figure(curves: Sequence[Curve], colour: Colour = 0) -> Figure:
    """The worst case as |log10 LR| over the number of pooled utterances, with what so many pools can show."""
    longest = max((curve.points for _, curve in curves), key=len, default=())
    ceiling = Line(
        _places(longest),
        np.array([point.ceiling_log10_lr for point in longest]),
        say("figure.ceiling"),
        Ink.MUTED,
        Dash.DASHED,
    )
    by_chance = [
        Line(
            _places(curve.points),
            np.array([point.worst_by_chance_log10_lr for point in curve.points]),
            say("figure.accumulation-worst-chance", name=name),
            Ink.MUTED,
            nth_dash(number),
        )
        for number, (name, curve) in enumerate(curves)
        if curve.has_chance
    ]
    values = [point.worst_case_log10_lr for _, curve in curves for point in curve.points]
    values += [value for line in by_chance for value in line.y.tolist()]
    y = Axis(say("figure.worst-case"), 0.0, 1.05 * max([1.0, *values, *ceiling.y.tolist()]))
    lines = (ceiling, *by_chance) if len(longest) else ()
    return _figure(
        curves, colour, "figure.accumulation-worst-title", y, lambda point: point.worst_case_log10_lr, lines
    )


def _figure(
    curves: Sequence[Curve],
    colour: Colour,
    title: str,
    y: Axis,
    figure_of: Callable[[PoolPoint], float],
    guides: tuple[Line, ...],
) -> Figure:
    lines, points = list(guides), []
    said = [say(title), say("figure.accumulation-alt")]
    for number, (name, curve) in enumerate(curves):
        x = _places(curve.points)
        values = np.array([figure_of(point) for point in curve.points])
        lines.append(Line(x, values, name, colour, nth_dash(number)))
        counts = tuple(map(_counts, curve.points))
        points.append(NamedPoints(x, values, colour, marker=_MARKERS[number % len(_MARKERS)], names=counts))
        said += [
            say(
                "figure.accumulation-alt-entry",
                name=name,
                count=point.n_utterances,
                value=written(value, ".3f"),
            )
            for point, value in zip(curve.points, values, strict=True)
        ]
    longest = max((curve.points for _, curve in curves), key=len, default=())
    ticks = tuple((math.log2(point.n_utterances), str(point.n_utterances)) for point in longest)
    x_axis = Axis(say("figure.utterances"), -0.2, max(len(longest) - 1, 1) + 0.2, ticks)
    return Figure(say(title), x_axis, y, tuple(lines), " ".join(said), tuple(points))


def _places(points: Sequence[PoolPoint]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([math.log2(point.n_utterances) for point in points])


def _counts(point: PoolPoint) -> str:
    """What a point's read-out says: how many pools are behind it."""
    return say("figure.pools", count=point.n_utterances, targets=point.n_target, nontargets=point.n_nontarget)
