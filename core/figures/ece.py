"""The ECE profile of one or several assessments: perfect privacy, and what remains for the adversary."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.figures.figure import Axis, Colour, Figure, Ink, Line
from core.figures.palette import series_dash
from core.project import Entry
from core.texts import say
from core.wording import disclosure, log10_lr

SHOWN_LOG_ODDS = 8.0  # beyond it every profile lies on the axis


def ece_figure(entries: Sequence[Entry], selected: str | None = None) -> Figure:
    """The minimum ECE of every entry over the prior log-odds (ZEBRA paper, Fig. 3), in bits.

    `selected` is the id of the entry to emphasise. The legend gives (D_ECE, worst case, tag) of each.
    """
    profile = entries[0].assessment.profile
    zero = say("figure.perfect-privacy")
    lines = [Line(profile.prior_log_odds, profile.default_bits, zero, Ink.FOREGROUND)]
    for entry in entries:
        number = entry.colour
        lines.append(
            Line(
                entry.assessment.profile.prior_log_odds,
                entry.assessment.profile.min_bits,
                legend_label(entry),
                _colour(entry),
                dash=series_dash(number) if number is not None else series_dash(0),
                emphasis=entry.id == selected,
            )
        )
    top = 1.05 * max(float(np.max(line.y)) for line in lines)
    return Figure(
        title=say("figure.ece-title"),
        x=Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS),
        y=Axis(say("figure.ece-bits"), 0.0, math.ceil(top * 20.0) / 20.0),
        lines=tuple(lines),
        alt_text=alt_text(entries),
    )


def legend_label(entry: Entry) -> str:
    """The legend's entry: name, condition, and the tuple of the ZEBRA paper."""
    found = entry.assessment
    return say(
        "figure.legend",
        name=entry.full_name,
        d_ece=disclosure(found.d_ece_bits),
        worst_case=log10_lr(found.worst_case_log10_lr),
        tag=found.tag,
    )


def alt_text(entries: Sequence[Entry]) -> str:
    """What the figure shows, in words, with every entry's figures."""
    return " ".join(
        [say("figure.ece-alt"), *(say("figure.ece-alt-entry", label=legend_label(e)) for e in entries)]
    )


def _colour(entry: Entry) -> Colour:
    return Ink.MUTED if entry.colour is None else entry.colour
