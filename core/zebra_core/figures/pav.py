"""The PAV transform: which oracle LLR each score got."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.evidence.trials import BoolArray
from zebra_core.figures.figure import Axis, Figure, Line, Words
from zebra_core.figures.histogram import shared_edges
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.series import alt_text_of, drawn_together, guide, line_of
from zebra_core.metrics.assessment import ScoreMeaning
from zebra_core.metrics.calibration import laplace
from zebra_core.metrics.distributions import PavTransform, pav_transform
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.uncertainty.shown import strength_decimals
from zebra_core.wording.numbers import log10_lr, strength
from zebra_core.wording.texts import say

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
