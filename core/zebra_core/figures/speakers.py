"""Speakers one by one: their disclosure as dots, and at which rank they are found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from zebra_core.figures.figure import Axis, Colour, Dash, Figure, Ink, Line, Marker, NamedPoints
from zebra_core.figures.series import nth_dash
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.disclosure import BeforeAfter, SpeakerDisclosures
from zebra_core.speakers.ranks import Ranks
from zebra_core.wording.texts import say, written

MOST_NAMED = 80
"""Beyond so many speakers their names do not fit beside the dots; read-outs still have them."""


def speakers_figure(
    disclosures: SpeakerDisclosures, name: str, colour: Colour = 0, *, selected: Collection[str] = ()
) -> Figure:
    """The exposure of every speaker in bits with its interval, the highest on top."""
    rows = disclosures.speakers
    names = tuple(row.speaker for row in rows)
    y = np.arange(len(rows), 0, -1, dtype=np.float64)
    x = np.array([row.estimate_bits for row in rows])
    points = NamedPoints(x, y, colour, name, names=names, emphasised=frozenset(names) & frozenset(selected))
    alt_text = say("figure.speakers-alt", name=name, count=len(rows)) + " " + str(disclosures.chance)
    low, high = (np.array([getattr(row, end) for row in rows]) for end in ("low_bits", "high_bits"))
    # One broken line, not one for each speaker: NaN lifts the pen.
    ends = np.column_stack([low, high, np.full(len(y), np.nan)]).ravel()
    whiskers = (Line(ends, np.repeat(y, 3), None, Ink.MUTED),) if np.isfinite(low).any() else ()
    axis = _bits_axis([points], float(np.nanmin(low)) if whiskers else 0.0)
    return Figure(say("figure.speakers-title"), axis, _names_axis(names), whiskers, alt_text, (points,))


def before_after_figure(
    paired: BeforeAfter,
    names: tuple[str, str],
    colour: Colour = 0,
    *,
    selected: Collection[str] = (),
) -> Figure:
    """The exposure of every speaker before and under a safeguard as two dots with a line between them.

    `names` are those of the two conditions; the most exposed under the safeguard is on top.
    """
    speakers = tuple(after.speaker for _, after in paired.pairs)
    y = np.arange(len(speakers), 0, -1, dtype=np.float64)
    before, after = (np.array([pair[k].estimate_bits for pair in paired.pairs]) for k in (0, 1))
    emphasised = frozenset(speakers) & frozenset(selected)
    points = (
        NamedPoints(before, y, Ink.MUTED, names[0], Marker.SQUARE, names=speakers, emphasised=emphasised),
        NamedPoints(after, y, colour, names[1], names=speakers, emphasised=emphasised),
    )
    # One broken line, not one for each speaker: NaN lifts the pen.
    ends = np.column_stack([before, after, np.full(len(y), np.nan)]).ravel()
    between = Line(ends, np.repeat(y, 3), None, Ink.MUTED)
    alt_text = say(
        "figure.before-after-alt",
        before=names[0],
        after=names[1],
        count=len(speakers),
        less=int(np.count_nonzero(after < before)),
    )
    return Figure(
        say("figure.before-after-title", before=names[0], after=names[1]),
        _bits_axis(points),
        _names_axis(speakers),
        (between,),
        alt_text,
        points,
    )


def cmc_figure(named: Sequence[tuple[str, Ranks]], colour: Colour = 0) -> Figure:
    """How often the true speaker is among the first k of all enrolled, over k; with the line of guessing.

    All are of one safeguard, whose colour they have, and broken each in its own way.
    """
    most = max(found.n_enrolled for _, found in named)
    chance = next(found for _, found in named if found.n_enrolled == most).chance()
    rank = np.arange(1, most + 1, dtype=np.float64)
    lines = [Line(rank, chance, say("figure.cmc-chance"), Ink.MUTED, Dash.DASHED)]
    said = [say("figure.cmc-alt")]
    for place, (name, found) in enumerate(named):
        cmc = found.cmc()
        lines.append(Line(rank[: len(cmc)], cmc, name, colour, nth_dash(place)))
        said.append(
            say(
                "figure.cmc-alt-entry",
                name=name,
                first=written(100.0 * cmc[0], ".1f"),
                enrolled=found.n_enrolled,
            )
        )
    return Figure(
        say("figure.cmc-title"),
        Axis(say("figure.cmc-rank"), 1.0, float(max(most, 2))),
        Axis(say("figure.cmc-share"), 0.0, 1.0),
        tuple(lines),
        " ".join(said),
    )


def _bits_axis(points: Sequence[NamedPoints], least: float = 0.0) -> Axis:
    """From 0, or from the lowest where some speaker is below it, to full disclosure."""
    lowest = min((float(each.x.min()) for each in points if len(each.x)), default=0.0)
    return Axis(say("figure.exposure-bits"), min(0.0, 1.05 * min(lowest, least)), 1.02 * FULL_DISCLOSURE_BITS)


def _names_axis(names: tuple[str, ...]) -> Axis:
    shown = names if len(names) <= MOST_NAMED else ()
    ticks = tuple((float(len(names) - k), name) for k, name in enumerate(shown))
    return Axis(say("figure.speaker"), 0.0, len(names) + 1.0, ticks)
