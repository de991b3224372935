"""Histograms of scores or LLRs by class, with bins that all of them share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.counts import ScoreCounts
from core.figures.figure import Area, Axis, Figure
from core.figures.llrs import Shown
from core.figures.series import colour_of, drawn_together, line_of, prior_marks, told
from core.project import Entry
from core.texts import say
from core.trials import FloatArray
from core.zebra import LN10

BINS = 60


def histogram_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    shown: Shown = Shown.SCORES,
    bins: int = BINS,
    prior_log_odds: float | None = None,
) -> Figure:
    """The share of each class in each of `bins` bins, from the lowest to the highest value of all entries.

    `selected` is the id of the entry to emphasise. `prior_log_odds` marks the threshold that a prior leads
    to, where LLRs are shown.
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
    threshold = None if prior_log_odds is None or shown is Shown.SCORES else -prior_log_odds / LN10
    return Figure(
        title=say("figure.histogram-title"),
        x=x,
        y=y,
        lines=(*prior_marks(threshold, y), *lines),
        alt_text=told(say("figure.histogram-alt", count=bins), labels, entries, pairs=True),
        areas=tuple(areas),
    )


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
