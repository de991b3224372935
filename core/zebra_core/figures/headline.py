"""The headline as two pictures: disclosure from none to full, and the worst case on the ladder of tags."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from zebra_core.figures.figure import Area, Axis, Colour, Figure, Ink, Line, Marker, NamedPoints, Words
from zebra_core.figures.series import colour_of, guide
from zebra_core.metrics.assessment import EvidenceReading, reading_in_words
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import (
    Entry,
    Individual,
    Population,
    basis_in_words,
    distinct_names,
    of_one_picture,
    tag_in_words,
)
from zebra_core.uncertainty.intervals import in_words
from zebra_core.uncertainty.no_disclosure import ceiling_of
from zebra_core.wording.texts import log10_lr, named, say, shortened_apart, strength, visible, written

_Drawn = TypeVar("_Drawn", Line, NamedPoints)

_LONGEST_NAME, _LONGEST_TICK = 60, 28  # characters; of so many there is room for beside the rows
_BAND = 0.3  # of a row, above and below its middle
_MARGIN = 0.09  # of the scale, at both ends, so that what stands there is whole
_SAME = 5e-3  # two ceilings nearer than this are one


_ROOM_AT_END = 1.05


@dataclass(frozen=True)
class Ladder:
    """The tags of a scale from left to right, step k between the places k and k + 1.

    The first step is for exactly no evidence, the last has no bound above: it ends a little beyond the
    highest value shown, or where it is as long as the step before it. Within a step places follow the value.
    """

    letters_in_order: tuple[str, ...]
    bounds: tuple[float, ...]  # where steps end and begin, from the second step on, with the end of the last

    @classmethod
    def of(cls, scale: TagScale, highest: float) -> Ladder:
        """The ladder of a scale that has room for values up to `highest`."""
        bounds = [tag.from_log10_lr for tag in scale.tags[1:]]
        before = bounds[-1] - bounds[-2] if len(bounds) > 1 else 1.0
        end = max(bounds[-1] + before, _ROOM_AT_END * highest)
        return cls(tuple(tag.letter for tag in scale.tags), (*bounds, end))

    @property
    def end(self) -> float:
        """Where the last step ends."""
        return float(len(self.letters_in_order))

    @property
    def letters(self) -> tuple[tuple[float, str], ...]:
        """Every tag with the middle of its step."""
        return tuple((number + 0.5, letter) for number, letter in enumerate(self.letters_in_order))

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """The bounds of the tags where their steps begin; the last step has no end."""
        return tuple((number, written(bound, "g")) for number, bound in enumerate(self.bounds[:-1], start=1))

    def place(self, log10_lr: float) -> float:
        """Where a |log10 LR| stands; 0 is where the first and the second step meet."""
        for number, (low, high) in enumerate(zip(self.bounds, self.bounds[1:], strict=False), start=1):
            if log10_lr < high:
                return number + (log10_lr - low) / (high - low)
        return self.end

    def place_of_worst_case(self, log10_lr: float, tag: str) -> float:
        """Where a worst case stands: that of the first tag in the middle of its step."""
        first, *_ = self.letters_in_order
        return 0.5 if tag == first else self.place(log10_lr)

    def step(self, tag: str) -> tuple[float, float]:
        """Where the step of a tag begins and ends."""
        number = self.letters_in_order.index(tag)
        return float(number), number + 1.0


@dataclass(frozen=True)
class _HeadlineRow:
    """One assessment with its place up the picture, from 1 at the bottom."""

    entry: Entry
    name: str
    y: float
    is_selected: bool

    @property
    def colour(self) -> Colour:
        return colour_of(self.entry)

    def mark(
        self, x: float, code: str, marker: Marker, colour: Colour | None = None, **facts: str
    ) -> NamedPoints:
        """A mark whose name says what it is and where; `code` is that of its words in the legend."""
        said = say(f"headline.{code}-at", name=self.name, **facts)
        return NamedPoints(
            np.array([x]),
            np.array([self.y]),
            self.colour if colour is None else colour,
            say(f"headline.{code}"),
            marker,
            names=(said,),
            emphasised=frozenset({said} if self.is_selected and colour is None else ()),
        )

    def band(self, low: float, high: float, colour: Colour) -> Area:
        """A band along the row."""
        x = np.array([low, high])
        return Area(x, np.full(2, self.y + _BAND), colour, base=np.full(2, self.y - _BAND))


def scale_figure(entries: Sequence[Entry], selected: str | None = None) -> Figure:
    """D_ECE of every entry, from the top, on a scale from no to full disclosure, with its interval.

    A dot is D_ECE on the basis that the axis names, corrected for small sets or as computed. The grey band
    and the square at its end are what 19 of 20 sets without any disclosure stay below, on the same basis.
    Where another reading of the scores discloses more, a triangle says how much, or a diamond where that
    reading has no order.
    """
    entries = of_one_picture(entries)
    rows, shown = _rows(entries, selected), [Population.of(entry) for entry in entries]
    areas, lines, points, said = [], [], [], []
    for row, found in zip(rows, shown, strict=True):
        lines.append(guide((0.0, FULL_DISCLOSURE_BITS), (row.y, row.y)))
        if found.by_chance_bits is not None:
            areas.append(row.band(0.0, found.by_chance_bits, Ink.MUTED))
        if (ends := found.interval) is not None:
            lines.append(_interval(row, ends.low, ends.high, found.level))
        points += _on_scale(row, found)
        said += _sentences(row, points)
    names = [row.name for row in rows]
    low = min([0.0, *(float(one.x[0]) for one in points)])
    margin = _MARGIN * FULL_DISCLOSURE_BITS
    middle = tuple((place, written(place, "g")) for place in (0.2, 0.4, 0.6))
    ends_of_scale = (0.0, say("headline.none")), (FULL_DISCLOSURE_BITS, say("headline.full"))
    return Figure(
        _title("scale", [found.lead_in_words for found in shown], names),
        Axis(
            say("headline.scale-axis", basis=basis_in_words(entries)),
            low - margin,
            FULL_DISCLOSURE_BITS + margin,
            (*middle, *ends_of_scale),
        ),
        _upright(names, 0.5),
        tuple(_named_once(lines)),
        _alt("scale", names, said, entries),
        tuple(_named_once(points)),
        tuple(areas),
        rows=len(names),
    )


def ladder_figure(entries: Sequence[Entry], selected: str | None = None) -> Figure:
    """The worst case of every entry, from the top, on the ladder of tags, with the ceilings of its data.

    Steps are equally wide, and go from the bound of a tag to that of the next. A diamond is the worst case on
    its step, which is tinted; a cross is the most that so many trials can show in its direction, a triangle
    the same in the other direction. A square is what 19 of 20 sets without any disclosure stay below.
    """
    rows, shown = _rows(entries, selected), [Individual.of(entry) for entry in entries]
    highest = max(
        (abs(value) for one in shown for value in (one.ceiling_log10_lr, one.other_ceiling_log10_lr)),
        default=0.0,
    )
    highest = max([highest, *(one.by_chance_log10_lr or 0.0 for one in shown)])
    scale = entries[0].assessment.settings.tag_scale
    ladder = Ladder.of(scale, highest)
    areas, lines, points, said = [], [], [], []
    for row, found in zip(rows, shown, strict=True):
        lines.append(guide((0.0, ladder.end), (row.y, row.y)))
        areas.append(row.band(*ladder.step(found.tag), row.colour))
        points += _on_ladder(row, found, ladder)
        said += _sentences(row, points)
    names = [row.name for row in rows]
    above = len(names) + 0.8
    return Figure(
        _title("ladder", [_worst(row.entry, found) for row, found in zip(rows, shown, strict=True)], names),
        Axis(say("headline.ladder-axis"), 0.0, ladder.end, ladder.ticks),
        _upright(names, 1.1),
        tuple(_named_once(lines)),
        _alt("ladder", names, said, entries),
        tuple(_named_once(points)),
        tuple(areas),
        tuple(Words(place, above, scale.shown(letter)) for place, letter in ladder.letters),
        rows=len(names) + 1,
    )


def _named_once(drawn: Sequence[_Drawn]) -> list[_Drawn]:
    """The drawn marks, each label only once in the legend."""
    named: list[_Drawn] = []
    for one in drawn:
        is_again = any(one.label == before.label for before in named)
        named.append(replace(one, label=None) if is_again else one)
    return named


def _rows(entries: Sequence[Entry], selected: str | None) -> list[_HeadlineRow]:
    whole = [visible(name, sys.maxsize) for name in distinct_names(entries)]
    return [
        _HeadlineRow(entry, name, float(len(entries) - place), entry.id == selected and len(entries) > 1)
        for place, (entry, name) in enumerate(
            zip(entries, shortened_apart(whole, _LONGEST_NAME), strict=True)
        )
    ]


def _on_scale(row: _HeadlineRow, found: Population) -> list[NamedPoints]:
    marks = []
    if found.by_chance_bits is not None:
        value = in_words("d_ece_bits", found.by_chance_bits)
        chance = row.mark(found.by_chance_bits, "chance", Marker.SQUARE, Ink.MUTED, value=value)
        none = (say("headline.chance-at-zero", name=row.name),)
        marks.append(chance if found.by_chance_bits else replace(chance, names=none))
    marks.append(row.mark(found.bits, "disclosure", Marker.CIRCLE, value=found.in_words))
    if found.reading is not EvidenceReading.GIVEN:
        is_reversed = found.reading is EvidenceReading.REVERSED
        code, marker = ("reversed", Marker.TRIANGLE) if is_reversed else ("unordered", Marker.DIAMOND)
        marks.append(row.mark(found.by_reading_bits, code, marker, value=found.lead_in_words))
    return marks


def _interval(row: _HeadlineRow, low: float, high: float, level: float | None) -> Line:
    label = say("headline.interval", level=written(100.0 * (level or 0.0), "g"))
    return Line(np.array([low, high]), np.full(2, row.y), label, row.colour, emphasis=True)


def _on_ladder(row: _HeadlineRow, found: Individual, ladder: Ladder) -> list[NamedPoints]:
    """The worst case last, above the other marks: where it is at its ceiling, it is seen all the same."""
    marks = []
    if found.by_chance_log10_lr is not None:
        value = strength(found.by_chance_log10_lr, found.decimals)
        place = ladder.place(found.by_chance_log10_lr)
        marks.append(row.mark(place, "chance", Marker.SQUARE, Ink.MUTED, value=value))
    worst = found.log10_lr
    if found.given_log10_lr is not None:
        given = found.given_log10_lr
        at = ladder.place_of_worst_case(abs(given), row.entry.assessment.tag)
        marks.append(row.mark(at, "given", Marker.CIRCLE, Ink.MUTED, value=strength(given, found.decimals)))
    same, other = found.ceiling_log10_lr, found.other_ceiling_log10_lr
    if abs(abs(same) - abs(other)) > _SAME:
        facts = {"value": log10_lr(abs(other)), "direction": _direction(other)}
        marks.append(row.mark(ladder.place(abs(other)), "other-ceiling", Marker.TRIANGLE, Ink.MUTED, **facts))
    facts = {"value": log10_lr(abs(same)), "direction": _direction(same)}
    marks.append(row.mark(ladder.place(abs(same)), "ceiling", Marker.CROSS, Ink.FOREGROUND, **facts))
    at = ladder.place_of_worst_case(abs(worst), found.tag)
    tag = row.entry.assessment.settings.tag_scale.shown(found.tag)
    facts = {"value": found.signed_in_words, "tag": tag, "direction": _direction(worst)}
    return [*marks, row.mark(at, "worst", Marker.DIAMOND, None, **facts)]


def _direction(signed_log10_lr: float) -> str:
    return say("headline.for-one" if signed_log10_lr >= 0.0 else "headline.for-two")


def _worst(entry: Entry, found: Individual) -> str:
    return say("headline.worst-in-title", value=found.signed_in_words, tag=tag_in_words(entry))


def _title(code: str, values: Sequence[str], names: Sequence[str]) -> str:
    """The title; with one assessment its name and figure, which nothing else in the picture says."""
    if len(names) == 1:
        return say(f"headline.{code}-title-named", name=names[0], value=values[0])
    return say(f"headline.{code}-title")


def _upright(names: Sequence[str], room_above: float) -> Axis:
    """The rows by their names; one alone is named by the title."""
    short = shortened_apart(names, _LONGEST_TICK)
    ticks = tuple((float(len(names) - place), name) for place, name in enumerate(short))
    return Axis("", 0.5, len(names) + room_above, ticks if len(names) > 1 else ())


def _sentences(row: _HeadlineRow, points: Sequence[NamedPoints]) -> list[str]:
    return [f"{name}." for one in points for name in one.names if float(one.y[0]) == row.y]


def _alt(code: str, names: Sequence[str], said: Sequence[str], entries: Sequence[Entry]) -> str:
    """What the picture is, every mark with its value, which reading discloses more, and what is reached."""
    sentences = [say(f"headline.{code}-alt"), *said]
    for name, entry in zip(names, entries, strict=True):
        if reading := reading_in_words(entry.assessment):
            sentences.append(say("reading.by", name=name, sentence=reading))
        if code == "ladder" and (ceiling := ceiling_of(entry.assessment)).is_reached:
            sentences.append(named(name, f"{ceiling.badge()}."))
    if code == "scale" and not any(entry.trust for entry in entries):
        sentences.append(say("certainty.nobody-asked"))
    return " ".join(sentences)
