"""Linking and singling out over the number of people, and person by person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

import numpy as np

from zebra_core.figures.figure import Area, Axis, Dash, Figure, Ink, Line, NamedPoints
from zebra_core.figures.series import colour_of, dash_of, drawn_together, guide
from zebra_core.project.items import Entry
from zebra_core.speakers.candidates import linkage_chance
from zebra_core.speakers.singling_out import singling_out_chance
from zebra_core.uncertainty.linking_points import PeoplePoint
from zebra_core.uncertainty.reidentification import Reidentification, numbers_of_people
from zebra_core.wording.texts import of_hundred, say, written

_ROOM = 0.03  # beyond the ends of the axis over people, in powers of ten


class PeopleCurve(Enum):
    """Which of the two probabilities is drawn."""

    LINKAGE = "linkage"
    SINGLING_OUT = "singling-out"

    def points(self, found: Reidentification, recordings: int) -> tuple[PeoplePoint, ...]:
        """The points of the curve for so many pooled recordings."""
        is_linkage = self is PeopleCurve.LINKAGE
        return found.linkage_of(recordings) if is_linkage else found.singling_out_of(recordings)

    def chance(self, people: int) -> float:
        """The probability that guessing, or not listening at all, reaches."""
        return linkage_chance(people) if self is PeopleCurve.LINKAGE else singling_out_chance(people)


def people_figure(
    entries: Sequence[Entry],
    found: Mapping[str, Reidentification],
    curve: PeopleCurve = PeopleCurve.LINKAGE,
    recordings: int = 1,
    *,
    selected_id: str | None = None,
    people: int | None = None,
    person: str | None = None,
) -> Figure:
    """The probability over the number of people on a logarithmic axis, chance dashed, intervals as bands.

    `found` is by the id of the entry; those without are not drawn. `people` is marked. Of `person` there is
    a line of their own in the selected entry, where linking is drawn.
    """
    drawn = [one for one in drawn_together(entries) if one.id in found]
    lines: list[Line] = []
    areas: list[Area] = []
    title = say(f"figure.people-{curve.value}-title")
    if recordings > 1:
        title = f"{title}, {say('people.recordings', count=recordings)}"
    said = [title, say("figure.people-alt")]
    most = 2
    for entry in drawn:
        points = curve.points(found[entry.id], recordings)
        if not points:
            continue
        x = np.log10([point.people for point in points])
        most = max(most, points[-1].people)
        known = [point for point in points if point.interval]
        if known:
            low, high = (np.array([getattr(each.interval, end) for each in known]) for end in ("low", "high"))
            areas.append(Area(np.log10([each.people for each in known]), high, colour_of(entry), low))
        y = np.array([point.probability for point in points])
        emphasis = entry.id == selected_id and len(drawn) > 1
        lines.append(Line(x, y, entry.full_name, colour_of(entry), dash_of(entry), emphasis))
        last = points[-1]
        said.append(
            say(
                "figure.people-alt-entry",
                name=entry.full_name,
                people=last.people,
                value=written(last.probability, ".3f"),
            )
        )
    of_selected = found.get(selected_id or "")
    if person is not None and curve is PeopleCurve.LINKAGE and of_selected:
        lines += _of_person(of_selected, person, recordings)
    grid = numbers_of_people(most, dense=True)
    chance = np.array([curve.chance(number) for number in grid])
    lines.append(Line(np.log10(grid), chance, say("figure.people-chance"), Ink.MUTED, Dash.DASHED))
    if people is not None and people <= most:
        lines.append(guide((np.log10(people),) * 2, (0.0, 1.0)))
    ticks = tuple((float(np.log10(number)), str(number)) for number in _ticks(most))
    return Figure(
        title,
        Axis(say("figure.people"), float(np.log10(2)) - _ROOM, float(np.log10(most)) + _ROOM, ticks),
        Axis(say(f"figure.people-{curve.value}"), 0.0, 1.0),
        tuple(lines),
        " ".join(said),
        areas=tuple(areas),
    )


def one_by_one_figure(
    entry: Entry, found: Reidentification, people: int, recordings: int = 1, *, selected: str | None = None
) -> Figure:
    """How often each person is linked among so many, the most often linked first; chance dashed.

    The worst tenth is shaded between the ends of whichever tenth is worst, with a line at its mean.
    """
    pools = next(each for each in found.heard if each.recordings == recordings)
    known = [
        (float(value), name)
        for number, name in enumerate(found.people)
        if (value := pools.of(number, found.n_enrolled, people)) is not None
    ]
    known.sort(key=lambda each: (-each[0], each[1]))
    x = np.arange(1.0, len(known) + 1.0)
    y = np.array([value for value, _ in known])
    names = tuple(name for _, name in known)
    emphasised = frozenset({selected} & set(names)) if selected else frozenset[str]()
    dots = NamedPoints(x, y, colour_of(entry), entry.full_name, names=names, emphasised=emphasised)
    chance = np.full(2, linkage_chance(people))
    whole = np.array([0.0, len(known) + 1.0])
    line = Line(whole, chance, say("figure.people-chance"), Ink.MUTED, Dash.DASHED)
    worst = found.worst_tenth(people, recordings)
    part = np.array([0.5, len(worst.speakers) + 0.5])
    ends = Area(part, np.full(2, worst.high), Ink.MUTED, np.full(2, worst.low))
    share = of_hundred(worst.probability)
    mean = Line(
        part, np.full(2, worst.probability), say("figure.people-worst-tenth", share=share), Ink.FOREGROUND
    )
    title = say("figure.people-one-by-one-title", people=people)
    facts = {"count": len(known), "name": entry.full_name, "people": people, "share": share}
    alt = say("figure.people-one-by-one-alt", **facts)
    return Figure(
        title,
        Axis(say("figure.people-order"), 0.0, len(known) + 1.0),
        Axis(say("figure.people-linkage"), -0.02, 1.02),
        (mean, line),
        f"{title}. {alt}",
        (dots,),
        areas=(ends,),
    )


def ranks_figure(entries: Sequence[Entry], found: Mapping[str, Reidentification]) -> Figure:
    """How probable each rank of the right person is, over the rank on a logarithmic axis; chance dashed.

    Labels have the mean disclosure in bits. Chance is that of the most people there are.
    """
    lines: list[Line] = []
    for entry in drawn_together(entries):
        if (of := found.get(entry.id)) is None:
            continue
        label = say("figure.people-ranks-bits", name=entry.full_name, mean=written(of.ranks.mean_bits, ".1f"))
        ranks = np.log10(np.arange(1.0, of.ranks.people + 1.0))
        lines.append(Line(ranks, of.ranks.probability, label, colour_of(entry), dash_of(entry)))
    most = max(of.ranks.people for of in (found[one.id] for one in entries if one.id in found))
    ends = np.log10([1.0, most])
    chance = np.full(2, 1.0 / most)
    lines.append(Line(ends, chance, say("figure.people-chance"), Ink.MUTED, Dash.DASHED))
    highest = max(float(line.y.max()) for line in lines)
    ticks = tuple((float(np.log10(number)), str(number)) for number in (1, *_ticks(most)))
    title = say("figure.people-ranks-title")
    return Figure(
        title,
        Axis(say("figure.people-rank"), -_ROOM, float(ends[1]) + _ROOM, ticks),
        Axis(say("figure.people-rank-share"), 0.0, min(1.0, 1.05 * highest)),
        tuple(lines),
        f"{title}. {say('figure.people-ranks-alt')}",
    )


def _of_person(found: Reidentification, person: str, recordings: int) -> list[Line]:
    """The line of one person, if there are recordings of theirs."""
    if person not in found.people:
        return []
    number = found.people.index(person)
    grid = [point.people for point in found.linkage_of(recordings)]
    pools = next((each for each in found.heard if each.recordings == recordings), None)
    if pools is None or pools.of(number, found.n_enrolled, 2) is None:
        return []
    y = np.array([pools.of(number, found.n_enrolled, people) for people in grid], dtype=np.float64)
    return [Line(np.log10(grid), y, person, Ink.FOREGROUND, Dash.DOTTED)]


def _ticks(most: int) -> list[int]:
    """The round numbers and the last, where it does not run into the one before."""
    found = numbers_of_people(most)
    return [*(number for number in found[:-1] if number * 1.35 < most), most]
