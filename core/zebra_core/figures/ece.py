"""ECE and normalised ECE: perfect privacy, and what remains for the attacker, over the prior."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, Figure, Ink, Line
from zebra_core.figures.series import alt_text_of, colour_of, dash_of, drawn_together, prior_marks
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.reading import shown_tag
from zebra_core.project.items import Entry
from zebra_core.uncertainty.shown import in_a_legend
from zebra_core.wording.numbers import bits
from zebra_core.wording.texts import say

SHOWN_LOG_ODDS = 8.0  # beyond it every profile lies on the axis
HIGHEST_ACTUAL = 1.5  # actual curves may go far beyond the prior entropy; there they are cut


def ece_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    default: bool = True,
    minimum: bool = True,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The minimum ECE of every entry over the prior log-odds (ZEBRA paper, Fig. 3), in bits.

    `selected` is the id of the entry to emphasise. The legend gives (D_ECE, worst case, tag) of each. With
    `actual` the ECE of the scores taken for LLRs is drawn, too; without `default` or `minimum` perfect
    privacy or the minimum is left out. `prior_log_odds` marks a prior.
    """
    entries = drawn_together(entries)
    profile = entries[0].assessment.profile
    zero = Line(profile.prior_log_odds, profile.default_bits, say("figure.perfect-privacy"), Ink.FOREGROUND)
    lines = [zero] if default else []
    for entry in entries:
        profile = entry.assessment.profile
        curves = profile.min_bits if minimum else None, profile.actual_bits if actual else None
        lines += _lines(entry, *curves, selected)
    top = 1.05 * max(float(np.max(line.y)) for line in (zero, *lines))
    y = Axis(say("figure.ece-bits"), 0.0, min(math.ceil(top * 20.0) / 20.0, HIGHEST_ACTUAL))
    return Figure(
        title=say("figure.ece-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(say("figure.ece-alt"), _labels(lines), entries, pairs=minimum and actual),
    )


def ece_of_one(found: Assessment, name: str, *, actual: bool = False) -> Figure:
    """The ECE of an assessment that is in no project, under this name alone; see `ece_figure`."""
    entry = Entry(name, None, found)
    made = ece_figure([entry], actual=actual)
    lines = [
        replace(line, label=line.label and line.label.replace(entry.full_name, name).strip())
        for line in made.lines
    ]
    return replace(made, lines=tuple(lines), alt_text=made.alt_text.replace(entry.full_name, name))


def nece_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    default: bool = True,
    minimum: bool = True,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The normalised ECE: a share of the prior entropy, in which 1 is perfect privacy at every prior.

    Arguments are those of `ece_figure`.
    """
    entries = drawn_together(entries)
    log_odds = entries[0].assessment.profile.prior_log_odds
    zero = Line(log_odds, np.ones_like(log_odds), say("figure.perfect-privacy"), Ink.FOREGROUND)
    lines = [zero] if default else []
    for entry in entries:
        profile = entry.assessment.profile
        curves = profile.nece_min if minimum else None, profile.nece_actual if actual else None
        lines += _lines(entry, *curves, selected)
    y = Axis(say("figure.nece"), 0.0, HIGHEST_ACTUAL if actual else 1.1)
    return Figure(
        title=say("figure.nece-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(say("figure.nece-alt"), _labels(lines), entries, pairs=minimum and actual),
    )


def legend_label(entry: Entry) -> str:
    """The legend's entry: name, condition, and the tuple of the ZEBRA paper."""
    found = entry.assessment
    return say(
        "figure.legend",
        name=entry.full_name,
        d_ece=in_a_legend("d_ece_bits", found, entry.trust),
        worst_case=in_a_legend("worst_case_log10_lr", found, entry.trust),
        tag=shown_tag(found),
    )


def _lines(
    entry: Entry, minimum: FloatArray | None, actual: FloatArray | None, selected: str | None
) -> list[Line]:
    """The curves of one entry that are wanted, the minimum first."""
    lines = []
    if minimum is not None:
        lines.append(_line(entry, minimum, legend_label(entry), selected))
    if actual is not None:
        lines.append(_line(entry, actual, _actual_label(entry), selected, second=True))
    return lines


def _actual_label(entry: Entry) -> str:
    return say("figure.ece-actual", name=entry.full_name, cllr=bits(entry.assessment.cllr_bits))


def _labels(lines: Sequence[Line]) -> list[str]:
    return [line.label for line in lines if line.label and line.colour is not Ink.FOREGROUND]


def _line(entry: Entry, y: np.ndarray, label: str, selected: str | None, *, second: bool = False) -> Line:
    log_odds = entry.assessment.profile.prior_log_odds
    dash = dash_of(entry, second=second)
    return Line(log_odds, y, label, colour_of(entry), dash, emphasis=entry.id == selected)
