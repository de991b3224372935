"""What groups of people disclose, as dots with their intervals over the speakers of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.figures.figure import Axis, Figure, Line, Marker, NamedPoints, Words
from zebra_core.figures.series import colour_of
from zebra_core.figures.uncertainty import label_on_basis
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.by_group import D_ECE, GroupsOfPeople, PeopleGroup, figure_in_words, with_ends
from zebra_core.project.items import Entry, distinct_names
from zebra_core.wording.names import clauses, named, shortened_apart, with_aside
from zebra_core.wording.texts import say, visible, written

_LONGEST_NAME, _LONGEST_VALUE = 40, 24
_MARKERS = (Marker.CIRCLE, Marker.DIAMOND, Marker.SQUARE, Marker.TRIANGLE)
_MARGIN = 0.05  # of the range, at its upper end


def groups_figure(found: Sequence[tuple[Entry, GroupsOfPeople]]) -> Figure:
    """D_ECE of every group by one attribute with its interval, assessment after assessment from the top.

    Of several assessments each has a row with its name above its groups. Groups that are not judged are not
    drawn. A figure is corrected for small sets in all groups of an assessment or in none; the axis says on
    which basis, where all have the same.
    """
    names = shortened_apart(
        [visible(name, 400) for name in distinct_names([entry for entry, _ in found])], _LONGEST_NAME
    )
    n_heads = len(found) if len(found) > 1 else 0
    y = float(sum(len(groups.judged) for _, groups in found) + n_heads)
    rows = int(y)
    lines: list[Line] = []
    points: list[NamedPoints] = []
    ticks: list[tuple[float, str]] = []
    said: list[str] = []
    for (entry, groups), name in zip(found, names, strict=True):
        if n_heads:
            ticks.append((y, name))
            y -= 1.0
        for place, group in enumerate(groups.judged):
            ticks.append((y, _called(group)))
            whole = clauses([name, _called(group)])
            value, interval = group.value_of(D_ECE), group.interval_of(D_ECE)
            if value is not None and interval is not None:
                at, marker = np.array([y]), _MARKERS[place % len(_MARKERS)]
                ends = np.array([interval.low, interval.high])
                lines.append(Line(ends, np.full(2, y), None, colour_of(entry)))
                points.append(
                    NamedPoints(np.array([value]), at, colour_of(entry), marker=marker, names=(whole,))
                )
                said.append(named(whole, f"{with_ends(group, D_ECE)}."))
            y -= 1.0
    high = max((float(line.x[1]) for line in lines), default=0.0) * (1.0 + _MARGIN) or FULL_DISCLOSURE_BITS
    level = written(100.0 * found[0][1].settings.level, "g")
    title = say("figure.by-group-title", attribute=visible(found[0][1].attribute, 60), level=level)
    return Figure(
        title,
        Axis(_label([groups for _, groups in found]), 0.0, high),
        Axis(say("figure.by-group"), 0.5, rows + 0.5, tuple(ticks)),
        tuple(lines),
        " ".join([f"{title}.", *said]),
        tuple(points),
        words=() if points else (Words(high / 2.0, rows / 2.0 + 0.5, say("by-group.none-judged")),),
        rows=rows,
    )


def group_read_out(points: NamedPoints, number: int) -> str:
    """The group with its figure."""
    return named(points.names[number], figure_in_words(D_ECE, float(points.x[number])))


def _called(group: PeopleGroup) -> str:
    """The value of a group, with how many people have it."""
    return with_aside(visible(group.value, _LONGEST_VALUE), str(group.n_speakers))


def _label(found: Sequence[GroupsOfPeople]) -> str:
    """The axis with the basis that all stand on, where they stand on one."""
    trusts = [group.trust for each in found for group in each.judged if group.trust is not None]
    bases = {trust.uncertainty.is_corrected(D_ECE) for trust in trusts}
    if len(bases) > 1:
        return say("figure.d-ece-bits")
    return label_on_basis(D_ECE, say("headline.corrected" if bases == {True} else "headline.as-computed"))
