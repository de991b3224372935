"""Tippett plot: how large LLRs are in each class, cumulatively, and how often they mislead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.figures.figure import Axis, Figure
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.series import alt_text_of, drawn_together, guide, line_of, prior_marks, staircase
from zebra_core.metrics.distributions import tippett
from zebra_core.metrics.error_rates import MisleadingEvidence
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.wording.numbers import percent
from zebra_core.wording.texts import say

_LEAST_REACH = 1.0


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
