"""The answer as a picture: of 100 attempts, in how many the right person is named, a mark for each."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zebra_core.figures.figure import Area, Axis, Colour, Figure, Ink, Line, Words
from zebra_core.figures.series import colour_of
from zebra_core.project.conclusion.conclusion import Conclusion, LeadingNaming, NamingRate
from zebra_core.project.conclusion.overall import order_is, rate_cell
from zebra_core.wording.texts import clauses, named, of_hundred, say, shortened_apart, visible

MARKS = 100
_FILLED = 0.8  # of the width of a mark; the rest parts it from the next
_SURE, _POSSIBLE, _LEFT = 0.9, 0.4, 0.12  # how opaque marks are
_MOST_LARGE = 4  # safeguards with room for recordings and people below their rows
_LONGEST_TICK = 28  # characters
_MARGIN = 0.6  # marks


@dataclass(frozen=True)
class _MarkRow:
    """One row: what it is called, how often the right one is named, and of how many recordings and people."""

    name: str
    colour: Colour
    rate: float | None = None  # None where it was not measured
    low: float | None = None
    high: float | None = None
    told: str = ""
    heard: str = ""

    @classmethod
    def of(cls, name: str, colour: Colour, found: LeadingNaming | None) -> _MarkRow:
        """The row of what is measured."""
        if found is None:
            return cls(name, colour, told=say("answer.fact-not-measured"))
        ends, rate, cell = found.interval, found.rate, rate_cell(found)
        if ends is None:
            return cls(name, colour, rate.probability, told=cell.text, heard=rate.heard_in_words)
        return cls(name, colour, rate.probability, ends.low, ends.high, str(cell), rate.heard_in_words)

    @property
    def sentence(self) -> str:
        """What it shows, for those who cannot see it."""
        return f"{named(self.name, clauses(filter(None, (self.told, self.heard))))}."


def answer_figure(found: Sequence[Conclusion]) -> Figure:
    """A row of 100 marks for guessing, for each safeguard by its rate, and for speech without protection.

    Marks are full up to the lower end of the interval, lighter from there to the upper end; a line stands at
    the rate. Without an interval all marks up to the rate are light. Where people are named among other
    numbers of people, guessing and unprotected speech have a row for each.
    """
    rows = _rows(found)
    is_large = len(found) <= _MOST_LARGE
    areas: list[Area] = []
    lines: list[Line] = []
    words: list[Words] = []
    for place, row in enumerate(reversed(rows), start=1):
        low, high = (place - 0.1, place + 0.4) if is_large else (place - 0.36, place + 0.36)
        areas += _marks(row, low, high)
        if row.rate is not None:
            x = np.full(2, MARKS * row.rate)
            lines.append(Line(x, np.array([low - 0.05, high + 0.05]), None, Ink.FOREGROUND, emphasis=True))
        if is_large and row.heard:
            words.append(Words(MARKS / 2.0, place - 0.29, row.heard))
    title = _title(found)
    names = shortened_apart([row.name for row in rows], _LONGEST_TICK)
    places = range(len(rows), 0, -1)
    middle = 0.15 if is_large else 0.0
    at_left = tuple((place + middle, name) for place, name in zip(places, names, strict=True))
    at_right = tuple((place + middle, row.told) for place, row in zip(places, rows, strict=True))
    top = len(rows) + 0.6
    axis = Axis(
        say("answer.picture-axis"),
        -_MARGIN,
        MARKS + _MARGIN,
        tuple((n, str(n)) for n in range(0, MARKS + 1, 10)),
    )
    return Figure(
        title,
        axis,
        Axis("", 0.4, top, at_left),
        tuple(lines),
        " ".join([f"{title}.", say("answer.picture-alt"), *(row.sentence for row in rows)]),
        areas=tuple(areas),
        words=tuple(words),
        right=Axis("", 0.4, top, at_right),
        rows=2 * len(rows) if is_large else len(rows),
    )


def _rows(found: Sequence[Conclusion]) -> list[_MarkRow]:
    """From the top: guessing, the safeguards from the lowest rate up, and speech without protection."""
    guessing: dict[int, NamingRate] = {one.naming.rate.people: one.naming.rate for one in found if one.naming}
    before = {one.unprotected.id: one for one in found if one.unprotected is not None}
    several = len(guessing) > 1
    rows = [
        _MarkRow(
            say(f"answer.fact-guessing{'-among' if several else ''}", people=people),
            Ink.MUTED,
            rate.chance,
            rate.chance,
            rate.chance,
            of_hundred(rate.chance),
        )
        for people, rate in sorted(guessing.items())
    ]
    for one in sorted(found, key=lambda one: one.naming.rate.probability if one.naming else math.inf):
        name = visible(one.safeguard, sys.maxsize)
        if several and one.naming:
            name = say("answer.share-among", share=name, people=one.naming.rate.people)
        colour = colour_of(one.strongest)
        nothing = _MarkRow(name, colour, told=say("answer.fact-nothing"))
        rows.append(nothing if one.alarm_in_words else _MarkRow.of(name, colour, one.naming))
    for one in before.values():
        dataset = one.unprotected.own_dataset if one.unprotected else ""
        name = say(f"answer.fact-unprotected{'-in' if len(before) > 1 else ''}", dataset=dataset)
        rows.append(_MarkRow.of(name, Ink.MUTED, one.naming_before))
    return rows


def _title(found: Sequence[Conclusion]) -> str:
    people = {one.naming.rate.people for one in found if one.naming}
    title = (
        say("answer.picture-title", people=people.pop())
        if len(people) == 1
        else say("answer.picture-title-any")
    )
    order = order_is(found)
    return title if order == "settled" else say(f"answer.picture-{order}", title=title)


def _marks(row: _MarkRow, low: float, high: float) -> list[Area]:
    """The marks of a row in three strengths: what is borne out, what is possible, and the others."""
    if row.rate is None:
        return [_comb(0.0, MARKS, low, high, Ink.MUTED, _LEFT)]
    sure = MARKS * (row.low if row.low is not None else 0.0)
    possible = max(sure, MARKS * (row.high if row.high is not None else row.rate))
    parts = (0.0, sure, _SURE), (sure, possible, _POSSIBLE), (possible, MARKS, _LEFT)
    return [_comb(begin, end, low, high, row.colour, opacity) for begin, end, opacity in parts if end > begin]


def _comb(begin: float, end: float, low: float, high: float, colour: Colour, opacity: float) -> Area:
    """The parts of the marks that lie between two places of the axis, as one area."""
    mark = np.arange(np.floor(begin), np.ceil(end))
    left = np.clip(mark + (1.0 - _FILLED) / 2.0, begin, end)
    right = np.clip(mark + (1.0 + _FILLED) / 2.0, begin, end)
    x = np.stack([left, left, right, right], axis=1).ravel()
    y = np.tile([low, high, high, low], len(mark))
    return Area(x, y, colour, np.full(len(x), low), opacity)
