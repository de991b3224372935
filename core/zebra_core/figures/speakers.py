"""Speakers one by one: their disclosure as dots, and at which rank they are found."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Area, Axis, Colour, Dash, Figure, Ink, Line, Marker, NamedPoints, Words
from zebra_core.figures.series import nth_dash
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, LN10
from zebra_core.speakers.accumulation import Accumulation, PoolPoint
from zebra_core.speakers.disclosure import BeforeAfter, SpeakerDisclosures
from zebra_core.speakers.rank_disclosure import Ranks
from zebra_core.speakers.zoo import Animal, GroupSize, Zoo, ZooScale
from zebra_core.wording.texts import say, visible_name, written

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
        say("figure.before-after-title", before=visible_name(names[0]), after=visible_name(names[1])),
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


# What pooled utterances disclose, over their number.


Curve = tuple[str, Accumulation]

_MARKERS = tuple(Marker)


def accumulated_disclosure_figure(curves: Sequence[Curve], colour: Colour = 0) -> Figure:
    """D_ECE in bits over the number of pooled utterances, on a doubling axis, with the bands of chance.

    Without what chance alone shows, where that is known. All curves are of one safeguard, whose colour they
    have, and broken each in its own way.
    """
    values = [point.shown_bits for _, curve in curves for point in curve.points]
    values += [point.by_chance_bits[0] for _, curve in curves if curve.has_chance for point in curve.points]
    y = Axis(say("figure.d-ece-bits"), min(0.0, 1.05 * min(values, default=0.0)), 1.02 * FULL_DISCLOSURE_BITS)
    figure = _figure(curves, colour, "figure.accumulation-d-ece-title", y, lambda point: point.shown_bits, ())
    return replace(figure, areas=tuple(_bands(curves, colour)))


def _bands(curves: Sequence[Curve], colour: Colour) -> Iterator[Area]:
    """Where 95 % of exchanges of whole speakers lie."""
    for _, curve in curves:
        if curve.has_chance:
            low, high = (np.array([point.by_chance_bits[end] for point in curve.points]) for end in (0, 1))
            yield Area(_places(curve.points), high, colour, low)


def accumulated_worst_case_figure(curves: Sequence[Curve], colour: Colour = 0) -> Figure:
    """The worst case as |log10 LR| over the number of pooled utterances, with what so many pools can show."""
    longest = max((curve.points for _, curve in curves), key=len, default=())
    ceiling = Line(
        _places(longest),
        np.array([point.ceiling_log10_lr for point in longest]),
        say("figure.ceiling"),
        Ink.MUTED,
        Dash.DASHED,
    )
    by_chance = [
        Line(
            _places(curve.points),
            np.array([point.worst_by_chance_log10_lr for point in curve.points]),
            say("figure.accumulation-worst-chance", name=name),
            Ink.MUTED,
            nth_dash(number),
        )
        for number, (name, curve) in enumerate(curves)
        if curve.has_chance
    ]
    values = [point.worst_case_log10_lr for _, curve in curves for point in curve.points]
    values += [value for line in by_chance for value in line.y.tolist()]
    y = Axis(say("figure.worst-case"), 0.0, 1.05 * max([1.0, *values, *ceiling.y.tolist()]))
    lines = (ceiling, *by_chance) if len(longest) else ()
    return _figure(
        curves, colour, "figure.accumulation-worst-title", y, lambda point: point.worst_case_log10_lr, lines
    )


def _figure(
    curves: Sequence[Curve],
    colour: Colour,
    title: str,
    y: Axis,
    figure_of: Callable[[PoolPoint], float],
    guides: tuple[Line, ...],
) -> Figure:
    lines, points = list(guides), []
    said = [say(title), say("figure.accumulation-alt")]
    for number, (name, curve) in enumerate(curves):
        x = _places(curve.points)
        values = np.array([figure_of(point) for point in curve.points])
        lines.append(Line(x, values, name, colour, nth_dash(number)))
        counts = tuple(map(_counts, curve.points))
        points.append(NamedPoints(x, values, colour, marker=_MARKERS[number % len(_MARKERS)], names=counts))
        said += [
            say(
                "figure.accumulation-alt-entry",
                name=name,
                count=point.n_utterances,
                value=written(value, ".3f"),
            )
            for point, value in zip(curve.points, values, strict=True)
        ]
    longest = max((curve.points for _, curve in curves), key=len, default=())
    ticks = tuple((math.log2(point.n_utterances), str(point.n_utterances)) for point in longest)
    x_axis = Axis(say("figure.utterances"), -0.2, max(len(longest) - 1, 1) + 0.2, ticks)
    return Figure(say(title), x_axis, y, tuple(lines), " ".join(said), tuple(points))


def _places(points: Sequence[PoolPoint]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([math.log2(point.n_utterances) for point in points])


def _counts(point: PoolPoint) -> str:
    """What a point's read-out says: how many pools are behind it."""
    return say("figure.pools", count=point.n_utterances, targets=point.n_target, nontargets=point.n_nontarget)


# The zoo plot: every speaker at mean target and mean nontarget value, with the borders of the quarters.


# Shape and colour both tell the animals apart; most speakers are none and stay grey.
_LOOKS: dict[Animal | None, tuple[Colour, Marker]] = {
    None: (Ink.MUTED, Marker.CIRCLE),
    Animal.DOVE: (0, Marker.TRIANGLE),
    Animal.CHAMELEON: (1, Marker.SQUARE),
    Animal.PHANTOM: (3, Marker.DIAMOND),
    Animal.WORM: (2, Marker.CROSS),
}
_MARGIN = 0.06  # of the range, on each side
_MARGIN_OF_WORDS = 0.16  # where the names of the animals stand, which no point may cover


def zoo_figure(
    zoo: Zoo,
    name: str,
    sizes: Iterable[GroupSize] = (),
    *,
    selected: Collection[str] = (),
    spread: Collection[str] = (),
) -> Figure:
    """The zoo of one set of trials (Yager and Dunstone 2010; csl2022, Fig. 6), LLRs in base 10.

    `sizes` say whether its groups are more than chance; `selected` speakers are
    emphasised, those in `spread` get the ellipse of one standard deviation.
    """
    unit = LN10 if zoo.scale is ZooScale.LLR else 1.0
    ellipses = [zoo.ellipse(speaker) for speaker in zoo.speakers if speaker in spread]
    x_values = np.concatenate([zoo.target_mean, *(x for x, _ in ellipses)]) / unit
    y_values = np.concatenate([zoo.nontarget_mean, *(y for _, y in ellipses)]) / unit
    x_axis = _axis(f"figure.zoo-target-{zoo.scale.value}", x_values)
    y_axis = _axis(f"figure.zoo-nontarget-{zoo.scale.value}", y_values, _MARGIN_OF_WORDS)
    lines = [
        Line(np.full(2, border / unit), np.array([y_axis.low, y_axis.high]), None, Ink.MUTED, Dash.DOTTED)
        for border in zoo.target_quartiles
    ]
    lines += [
        Line(np.array([x_axis.low, x_axis.high]), np.full(2, border / unit), None, Ink.MUTED, Dash.DOTTED)
        for border in zoo.nontarget_quartiles
    ]
    lines += [Line(x / unit, y / unit, None, Ink.FOREGROUND) for x, y in ellipses]
    return Figure(
        title=say("figure.zoo-title", name=visible_name(name)),
        x=x_axis,
        y=y_axis,
        lines=tuple(lines),
        alt_text=_alt_text(zoo, name, sizes),
        points=tuple(points for animal in _LOOKS if len((points := _points(zoo, animal, unit, selected)).x)),
        words=_corners(x_axis, y_axis),
    )


def _points(zoo: Zoo, animal: Animal | None, unit: float, selected: Collection[str]) -> NamedPoints:
    members = [k for k, found in enumerate(zoo.animals) if found is animal]
    names = tuple(zoo.speakers[k] for k in members)
    colour, marker = _LOOKS[animal]
    label = say(f"figure.zoo-{animal.value}" if animal else "figure.zoo-others", count=len(members))
    return NamedPoints(
        zoo.target_mean[members] / unit,
        zoo.nontarget_mean[members] / unit,
        colour,
        label,
        marker,
        names=names,
        emphasised=frozenset(names) & frozenset(selected),
    )


def _corners(x: Axis, y: Axis) -> tuple[Words, ...]:
    """The names of the animals in their corners, above and below all points."""
    left, right = (x.low + share * (x.high - x.low) for share in (0.14, 0.86))
    bottom, top = (y.low + share * (y.high - y.low) for share in (0.035, 0.965))
    places = {
        Animal.DOVE: (right, bottom),
        Animal.CHAMELEON: (right, top),
        Animal.PHANTOM: (left, bottom),
        Animal.WORM: (left, top),
    }
    return tuple(Words(*place, say(f"figure.zoo-corner-{animal.value}")) for animal, place in places.items())


def _axis(label: str, values: FloatArray, share: float = _MARGIN) -> Axis:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    margin = share * (high - low) or 1.0
    return Axis(say(label), low - margin, high + margin)


def _alt_text(zoo: Zoo, name: str, sizes: Iterable[GroupSize]) -> str:
    said = [say("figure.zoo-alt", name=name, count=len(zoo.speakers))]
    return " ".join([*said, *map(str, sizes)])
