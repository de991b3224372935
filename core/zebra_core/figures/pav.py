"""The PAV transform: which oracle LLR each score got."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.figures.figure import Axis, Figure
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


def pav_figure(
    entries: Sequence[Entry], selected: str | None = None, *, prior_log_odds: float | None = None
) -> Figure:
    """Score to base-10 oracle LLR under Laplace's rule: level on each block, straight between two of them.

    `selected` is the id of the entry to emphasise, `prior_log_odds` marks the LLR that a prior asks for.
    Where all scores were declared to be LLRs, a dotted line shows what calibrated ones would follow.
    """
    entries = drawn_together(entries)
    transforms = [_transform(entry) for entry in entries]
    reach = 1.05 * max(_LEAST_REACH, *(float(np.abs(found.llr).max()) / LN10 for found in transforms))
    low, high = shared_edges([ShownScores.SCORES.of(entry) for entry in entries], 1)
    x = Axis(ShownScores.SCORES.axis_label, float(low), float(high))
    y = Axis(ShownScores.ORACLE_LLRS.axis_label, -reach, reach)
    lines = [guide((x.low, x.high), (0.0, 0.0))]
    if slope := _slope_of_calibrated(entries):
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
        alt_text=alt_text_of(say("figure.pav-alt"), [_label(entry) for entry in entries], entries),
    )


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
