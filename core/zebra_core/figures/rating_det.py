"""Ratings of a listening test as DET curves (VoicePrivacy 2020 evaluation plan, 6.2.3 and 6.2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zebra_core.document.project import ratings_of
from zebra_core.document.reading import SavedValue
from zebra_core.figures.det import det_figure
from zebra_core.figures.figure import Figure
from zebra_core.figures.series import alt_text_of
from zebra_core.metrics.assessment import assess_counts
from zebra_core.project.items import Entry
from zebra_core.wording.numbers import percent
from zebra_core.wording.texts import say, visible

_LONGEST_NAME = 60


def rated_figure(rating: Mapping[str, Any]) -> Figure:
    """How well ratings tell unprotected speech from that of each safeguard; a curve for each.

    `rating` is one of the ratings of a listening test (LISTENING_OUTCOME) that has counts.
    """
    rated = {
        name: ratings_of(SavedValue(counts, name, "listening")) for name, counts in rating["counts"].items()
    }
    entries = [
        Entry(visible(name, _LONGEST_NAME), None, assess_counts(ratings.counts), colour=number)
        for number, (name, ratings) in enumerate(rated.items())
    ]
    figure = det_figure(entries)
    # The curves are of speech, whatever condition it is heard in.
    labels = (say("figure.with-eer", name=one.name, eer=percent(one.assessment.rocch_eer)) for one in entries)
    lines = tuple(line if line.label is None else replace(line, label=next(labels)) for line in figure.lines)
    return replace(
        figure,
        title=say(f"compare.listening-{rating['question']}-title"),
        lines=lines,
        alt_text=alt_text_of(say("figure.det-alt"), [line.label for line in lines if line.label]),
    )
