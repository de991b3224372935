"""What groups of people disclose, as dots with their intervals over the speakers of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zebra_core.figures.figure import Axis, Colour, Figure, Line, Marker, NamedPoints, Words
from zebra_core.figures.series import colour_of
from zebra_core.figures.uncertainty import label_on_basis
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Entry, distinct_names
from zebra_core.project.people_groups import D_ECE, GroupsOfPeople, PeopleGroup, with_ends
from zebra_core.wording.names import clauses, named, shortened_apart
from zebra_core.wording.texts import say, visible, written

_LONGEST_NAME, _LONGEST_VALUE = 40, 24
_MARKERS = (Marker.CIRCLE, Marker.DIAMOND, Marker.SQUARE, Marker.TRIANGLE)
_MARGIN = 0.05  # of the range, at its upper end


def groups_figure(found: Sequence[tuple[Entry, GroupsOfPeople]]) -> Figure:
    """D_ECE of every group by one attribute with its interval, assessment after assessment from the top.

    Groups that are not judged have a row without a dot, which says so. A figure is corrected for small sets
    in all groups of an assessment or in none; the axis says on which basis, where all have the same.
    """
    entries = [entry for entry, _ in found]
    names = shortened_apart([visible(name, 400) for name in distinct_names(entries)], _LONGEST_NAME)
    of_groups = [
        (entry, name, group, place)
        for (entry, groups), name in zip(found, names, strict=True)
        for place, group in enumerate(groups.groups)
    ]
    lines: list[Line] = []
    points: list[NamedPoints] = []
    words: list[Words] = []
    ticks: list[tuple[float, str]] = []
    said: list[str] = []
    highest = 0.0
    for row, (entry, name, group, place) in enumerate(of_groups):
        y = float(len(of_groups) - row)
        called = _row_name(group)
        if len(found) > 1:
            called = clauses([name, called]) if place == 0 else called
        ticks.append((y, called))
        value, interval = group.value_of(D_ECE), group.interval_of(D_ECE)
        whole = clauses([name, _row_name(group)])
        if value is None or interval is None:
            words.append(Words(0.0, y, say("by-group.not-judged")))
            said.append(named(whole, f"{say('by-group.not-judged')}."))
            continue
        colour: Colour = colour_of(entry)
        lines.append(Line(np.array([interval.low, interval.high]), np.full(2, y), None, colour))
        marker = _MARKERS[place % len(_MARKERS)]
        points.append(NamedPoints(np.array([value]), np.array([y]), colour, marker=marker, names=(whole,)))
        said.append(named(whole, f"{with_ends(group, D_ECE)}."))
        highest = max(highest, interval.high)
    level = written(100.0 * found[0][1].settings.level, "g")
    title = say("figure.by-group-title", attribute=visible(found[0][1].attribute, 60), level=level)
    high = min(FULL_DISCLOSURE_BITS, highest) * (1.0 + _MARGIN) or FULL_DISCLOSURE_BITS
    return Figure(
        title,
        Axis(_label([groups for _, groups in found]), 0.0, high),
        Axis(say("figure.by-group"), 0.5, len(of_groups) + 0.5, tuple(ticks)),
        tuple(lines),
        " ".join([f"{title}.", *said]),
        tuple(points),
        words=tuple(replace(one, x=high / 2.0) for one in words),
        rows=len(of_groups),
    )


def _row_name(group: PeopleGroup) -> str:
    people = say("by-group.people", count=group.n_speakers)
    return named(visible(group.value, _LONGEST_VALUE), people)


def _label(found: Sequence[GroupsOfPeople]) -> str:
    """The axis with the basis that all stand on, where they stand on one."""
    bases = {
        group.trust.uncertainty.is_corrected(D_ECE)
        for each in found
        for group in each.judged
        if group.trust is not None
    }
    if len(bases) > 1:
        return say("uncertainty.d-ece-bits")
    return label_on_basis(D_ECE, say("headline.corrected" if bases == {True} else "headline.as-computed"))
