"""Pictures of a test by ear: what listeners and a recogniser find on the very same pairs, and ratings.

Ratings are drawn as DET curves (VoicePrivacy 2020 evaluation plan, 6.2.3 and 6.2.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zebra_core.document.project import ratings_of
from zebra_core.document.reading import SavedValue
from zebra_core.figures.det import det_figure
from zebra_core.figures.figure import Axis, Figure, Line, Marker, NamedPoints
from zebra_core.figures.series import alt_text_of, guide
from zebra_core.metrics.assessment import assess_counts
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Entry
from zebra_core.wording.names import shortened_apart
from zebra_core.wording.numbers import percent
from zebra_core.wording.texts import say, visible, written

_LONGEST_ROW = 40
_LONGEST_NAME = 60
_APART = 0.16  # of a row, from its middle
_EARS, _MACHINE = 0, 1  # numbers of their colours


def ears_figure(values: Mapping[str, Any]) -> Figure:
    """Population disclosure, corrected for the size of the set, with intervals; a row for each panel.

    `values` are those of a listening test (LISTENING_OUTCOME) of which some panel has figures.
    """
    rows = [one for one in values["panels"] if one["figures"] is not None]
    machine = {_key(one): one for one in values["machine"] if one["figures"] is not None}
    names = shortened_apart([row_name(one) for one in rows], _LONGEST_ROW)
    heights = {_key(one): float(len(rows) - number) for number, one in enumerate(rows)}
    both = [(one, _EARS, _APART) for one in rows]
    both += [(machine[_key(one)], _MACHINE, -_APART) for one in rows if _key(one) in machine]
    said = [_said(one, who) for one, who, _ in both]
    places = [heights[_key(one)] + off for one, _, off in both]
    whiskers = [
        Line(np.array(_ends(one)), np.array([place, place]), None, who)
        for (one, who, _), place in zip(both, places, strict=True)
    ]
    high = max(FULL_DISCLOSURE_BITS, *(_ends(one)[1] for one, _, _ in both))
    ticks = tuple((heights[_key(one)], name) for one, name in zip(rows, names, strict=True))
    top = len(rows) + 0.5
    return Figure(
        title=say("ears.title"),
        x=Axis(say("ears.axis"), 0.0, 1.05 * high),
        y=Axis("", 0.5, top, ticks),
        lines=(guide((FULL_DISCLOSURE_BITS, FULL_DISCLOSURE_BITS), (0.5, top)), *whiskers),
        alt_text=alt_text_of(say("ears.alt"), said),
        points=tuple(_points(both, places, said)),
        rows=len(rows),
    )


def row_name(one: Mapping[str, Any]) -> str:
    """A panel as its row is called: safeguard and question."""
    safeguard = visible(one["safeguard"]) or say("name.unprotected")
    return say("ears.row", safeguard=safeguard, question=say(f"listening.{one['question']}"))


def _points(
    both: Sequence[tuple[Mapping[str, Any], int, float]], places: Sequence[float], said: Sequence[str]
) -> list[NamedPoints]:
    """One group for the listeners, one for the recogniser."""
    found = []
    for who, marker, label in ((_EARS, Marker.CIRCLE, "ears"), (_MACHINE, Marker.DIAMOND, "machine")):
        mine = [number for number, (_, kind, _) in enumerate(both) if kind == who]
        if mine:
            x = np.array([both[number][0]["figures"]["d_ece_bits"]["shown"] for number in mine])
            y = np.array([places[number] for number in mine])
            names = tuple(said[number] for number in mine)
            found.append(NamedPoints(x, y, who, say(f"ears.{label}"), marker, names=names))
    return found


def _said(one: Mapping[str, Any], who: int) -> str:
    d_ece = one["figures"]["d_ece_bits"]
    facts = {name: written(d_ece[name], ".3f") for name in ("shown", "low", "high")}
    return say("ears.of-listeners" if who == _EARS else "ears.of-machine", name=row_name(one), **facts)


def _ends(one: Mapping[str, Any]) -> tuple[float, float]:
    d_ece = one["figures"]["d_ece_bits"]
    return d_ece["low"], d_ece["high"]


def _key(one: Mapping[str, Any]) -> tuple[str, str]:
    return one["question"], one["safeguard"]


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
