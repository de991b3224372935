"""The zoo plot: every speaker at mean target and mean nontarget value, with the borders of the quarters."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, Colour, Dash, Figure, Ink, Line, Marker, NamedPoints, Words
from zebra_core.metrics.zebra import LN10
from zebra_core.speakers.zoo import Animal, Zoo, ZooScale
from zebra_core.speakers.zoo_chance import GroupSize
from zebra_core.wording.texts import say

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
        title=say("figure.zoo-title", name=name),
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
