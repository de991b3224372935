"""How high voices are before and after protection: the median pitch of each original and of its copy."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log2

import numpy as np

from zebra_core.figures.figure import Axis, Figure, NamedPoints, Points
from zebra_core.figures.series import guide
from zebra_core.wording.texts import say, visible, written

_MARGIN = 0.2  # quarters of an octave
_TICKS_HZ = (50, 75, 100, 150, 200, 300, 400)


def pitch_figure(
    medians_hz: Sequence[tuple[float, float]], safeguard: str, names: Sequence[str] = (), selected: str = ""
) -> Figure:
    """A point for each recording, one at least: its median pitch in Hz before and after protection.

    On the line nothing was changed. Axes are logarithmic, as pitch is heard. Recordings may have `names`, of
    which the `selected` one is drawn larger.
    """
    x, y = np.log2(np.array(medians_hz)).T
    low = floor(4.0 * float(min(x.min(), y.min())) - _MARGIN) / 4.0
    high = ceil(4.0 * float(max(x.max(), y.max())) + _MARGIN) / 4.0
    ticks = tuple((log2(hz), str(hz)) for hz in _TICKS_HZ if low <= log2(hz) <= high)
    name = visible(safeguard, 60)
    title = say("figure.pitch-title", safeguard=name)
    facts = {
        "count": len(x),
        "moved": written(12.0 * float(np.median(y - x)), "+.1f"),
        "before": written(12.0 * float(np.subtract(*np.percentile(x, [75, 25]))), ".1f"),
        "after": written(12.0 * float(np.subtract(*np.percentile(y, [75, 25]))), ".1f"),
    }
    return Figure(
        title,
        Axis(say("figure.pitch-original"), low, high, ticks),
        Axis(say("figure.pitch-copy", safeguard=name), low, high, ticks),
        (guide((low, high), (low, high)),),
        f"{title}. {say('figure.pitch-alt', **facts)}",
        (NamedPoints(x, y, 0, names=tuple(names), emphasised=frozenset([selected])),)
        if names
        else (Points(x, y, 0),),
    )


def pitch_read_out(points: NamedPoints, number: int) -> str:
    """The recording with its pitch before and after."""
    before, after = (2.0 ** float(axis[number]) for axis in (points.x, points.y))
    facts = {"before": written(before, ".0f"), "after": written(after, ".0f")}
    return say("figure.pitch-read-out", name=visible(points.names[number], 80), **facts)
