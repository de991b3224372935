"""How many people are unique by their attributes, over the number of attributes that are combined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.figures.figure import Axis, Colour, Dash, Figure, Ink, Line, Points, Words
from zebra_core.figures.series import colour_of, dash_of
from zebra_core.project.uniqueness import BeforeAndAfter
from zebra_core.speakers.uniqueness import MOST_ATTRIBUTES, Combinations
from zebra_core.wording.texts import say, written

_ROOM = 0.15  # beyond the ends of the axis, in attributes
_Drawn = tuple[str, Colour, Dash, bool, Combinations]  # one curve: name, ink, selected or not, values


def uniqueness_figure(found: Sequence[BeforeAndAfter], *, selected_id: str | None = None) -> Figure:
    """The share of people who are unique by 1, 2, … all attributes: truly (dashed), and as inferred.

    The mean over all subsets of so many attributes. Original speech comes before what is protected. Beyond
    `MOST_ATTRIBUTES` there is no curve, and words say so.
    """
    title = say("figure.uniqueness-title")
    said, lines, points = [title], [], []
    most = max(len(one.true.attributes) for one in found)
    for one in found:
        true = say("figure.uniqueness-true")
        name = say("name.of-dataset", name=true, dataset=one.dataset) if len(found) > 1 else true
        drawn: list[_Drawn] = [(name, Ink.FOREGROUND, Dash.DASHED, False, one.true.true)]
        for entry, each in one.every:
            if each.inferred is not None:
                name = say("figure.uniqueness-inferred", name=entry.full_name)
                emphasis = entry.id == selected_id and len(one.protected) > 1
                drawn.append((name, colour_of(entry), dash_of(entry), emphasis, each.inferred.found))
        for name, colour, dash, emphasis, combinations in drawn:
            if combinations.curve:
                x = np.arange(1.0, len(combinations.curve) + 1.0)
                y = np.array(combinations.curve)
                lines.append(Line(x, y, name, colour, dash, emphasis))
                points.append(Points(x, y, colour))
                said.append(_in_words(name, combinations))
    middle = (most + 1.0) / 2.0
    return Figure(
        title,
        Axis(
            say("figure.uniqueness-attributes"),
            1.0 - _ROOM,
            most + _ROOM,
            tuple((float(number), str(number)) for number in range(1, most + 1)),
        ),
        Axis(say("figure.uniqueness"), 0.0, 1.0),
        tuple(lines),
        " ".join(said),
        tuple(points),
        words=() if lines else (Words(middle, 0.5, say("uniqueness.many", most=MOST_ATTRIBUTES)),),
    )


def _in_words(name: str, combinations: Combinations) -> str:
    share = written(combinations.share_unique, ".3f")
    return say("figure.uniqueness-alt", name=name, count=len(combinations.curve), value=share)
