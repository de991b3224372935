"""How far headline figures move when speakers are left out: in words, and as plain values."""

from __future__ import annotations

from typing import NamedTuple

from zebra_core.evidence.value_types import Count, array_of, json_object, note, object_as_json
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.uncertainty.shown import fewer, with_unit
from zebra_core.uncertainty.weighted import HEADLINES, FiguresWithout, LeftOutUnit, Robustness
from zebra_core.wording.texts import knows, say, visible_name

LEFT_OUT = json_object("LeftOut", part=LeftOutUnit, name=str, speakers=Count, figures=dict[str, float])
ROBUSTNESS = json_object(
    "Robustness",
    assessment=note(Count, "a place in the assessments, from 0"),
    speakers=Count,
    figures=dict[str, float],
    left_out=array_of(LEFT_OUT),
)


class FigureRange(NamedTuple):
    """What became of a figure: its range when such parts are left out, and who moved it most, in words."""

    part: LeftOutUnit
    figure: str  # its key
    span: str
    mover: str


def spans_in_words(entry: Entry, found: Robustness) -> tuple[FigureRange, ...]:
    """For each part and headline figure how far it moves."""
    sentences = []
    for part in found.parts():
        for figure in HEADLINES:
            if (span := found.span(figure, part)) is not None:
                low, high = (with_unit(figure, end, fewer(entry.assessment)) for end in (span.low, span.high))
                mover = _mover(span.mover, figure, entry)
                range_ = low if low == high else say("robustness.range", low=low, high=high)
                sentences.append(FigureRange(part, figure, range_, mover))
    return tuple(sentences)


def _mover(one: FiguresWithout, figure: str, entry: Entry) -> str:
    to = with_unit(figure, one.figures[figure], fewer(entry.assessment))
    by_name = f"robustness.mover-{one.part.value}-{one.name}"
    code = by_name if one.part is LeftOutUnit.SEX and knows(by_name) else f"robustness.mover-{one.part.value}"
    return say(code, name=visible_name(one.name), to=to)


def robustness_lines(project: Project) -> tuple[str, ...]:
    """A sentence for each assessment that was examined: how far D_ECE moves, and who moves it most."""
    robust, lines = project.robust, []
    for entry in project.entries:
        moved = spans_in_words(entry, robust[entry.id]) if entry.id in robust else ()
        for one in moved:
            if (one.part, one.figure) == (LeftOutUnit.SPEAKER, "d_ece_bits"):
                name = visible_name(name_with_dataset(entry))
                lines.append(say("robustness.line", name=name, span=one.span, mover=one.mover))
    return tuple(lines)


def robustness_as_json(project: Project) -> list[dict[str, object]]:
    """Every assessment that was examined, by its place, with everything that was left out; unrounded."""
    robust = project.robust
    return [
        object_as_json(
            ROBUSTNESS,
            found,
            assessment=place,
            speakers=found.n_speakers,
            left_out=[object_as_json(LEFT_OUT, one, speakers=one.n_speakers) for one in found.left_out],
        )
        for place, entry in enumerate(project.entries)
        if (found := robust.get(entry.id))
    ]
