"""By group of people: what each discloses to the strongest attack on a safeguard, and whether they differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from zebra_core.figures.uncertainty import groups_figure
from zebra_core.project.by_group import (
    D_ECE,
    EER,
    LINKAGE,
    GroupsOfPeople,
    PeopleGroup,
    figure_in_words,
)
from zebra_core.project.items import Entry
from zebra_core.report.content.values import Frame, shown
from zebra_core.report.document import Block, Cell, Heading, ReportPicture, TableBlock, TableColumn, paragraph
from zebra_core.wording.texts import say, visible, written

Found = Sequence[tuple[Entry, GroupsOfPeople]]


def by_group(frame: Frame) -> list[Block]:
    """A table, a picture and a sentence for each attribute; nothing where no attribute came along."""
    material = frame.material
    known = [(entry, each) for entry in frame.entries for each in material.by_group.get(entry.id, ())]
    failed = [
        paragraph(say("opinion.missing", names=frame.names[entry.id], why=shown(str(error))))
        for entry in frame.entries
        if (error := material.by_group.missing.get(entry.id))
    ]
    if not known and not failed:
        return _not_asked(frame)
    blocks: list[Block] = [Heading(say("opinion.by-group")), paragraph(say("opinion.by-group-means"))]
    for number, attribute in enumerate(dict.fromkeys(each.attribute for _, each in known)):
        blocks += _of_attribute(frame, [one for one in known if one[1].attribute == attribute], number)
    return [*blocks, *failed]


def _not_asked(frame: Frame) -> list[Block]:
    """Where attributes came along and nothing has intervals, that groups are not compared."""
    if not frame.material.inference or any(entry.trust for entry in frame.entries):
        return []
    return [Heading(say("opinion.by-group")), paragraph(say("opinion.by-group-none"))]


def _of_attribute(frame: Frame, found: Found, number: int) -> list[Block]:
    attack = say("by-group.strongest-attack")
    sentences = [shown(each.sentence(entry, attack)) for entry, each in found]
    remarks = dict.fromkeys(shown(remark) for _, each in found for remark in each.remarks)
    blocks: list[Block] = [paragraph(sentence) for sentence in sentences if sentence]
    if drawn := [(entry, each) for entry, each in found if each.judged]:
        attribute = shown(drawn[0][1].attribute)
        figure = replace(groups_figure(drawn), title="")
        caption = say("opinion.by-group-picture", attribute=attribute)
        blocks += [
            _table(frame, drawn, attribute),
            ReportPicture(
                f"by-group-{number}", figure, caption, "people", drawn[0][0].id, _height(figure.rows)
            ),
        ]
    return [*blocks, *(paragraph(remark, quiet=True) for remark in remarks)]


def _height(rows: int | None) -> float:
    """Inches of the axes."""
    return min(4.0, 0.6 + 0.22 * (rows or 1))


def _table(frame: Frame, found: Found, attribute: str) -> TableBlock:
    among = sorted({each.among for _, each in found if each.among is not None})
    heads = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(attribute, is_text=True),
        TableColumn(say("opinion.people")),
        TableColumn(say("opinion.by-group-d-ece")),
        TableColumn(say("opinion.by-group-eer")),
        TableColumn(say("opinion.by-group-linkage")),
        TableColumn(say("opinion.by-group-exposed")),
    )
    rows = [
        (Cell(frame.row_name(entry) if place == 0 else ""), *_cells(group, _named(frame, entry)))
        for entry, each in found
        for place, group in enumerate(each.judged)
    ]
    caption = say("opinion.by-group-caption", attribute=attribute, level=_level(found))
    linked = [say("opinion.by-group-among", people=", ".join(map(str, among)))] if among else []
    return TableBlock(heads, tuple(rows), " ".join([caption, *linked]))


def _level(found: Found) -> str:
    return written(100.0 * found[0][1].settings.level, "g")


def _named(frame: Frame, entry: Entry) -> Collection[str] | None:
    """Whom the answer names as exposed in the dataset of an entry; None where there is no answer."""
    answer = frame.material.answer_of(entry)
    if answer is None or answer.most_exposed is None:
        return None
    speaker = answer.most_exposed[1].row.speaker
    alone = (speaker,) if answer.alike_exposed(speaker, entry.dataset) == 1 else ()
    return {*alone, *answer.apart_in(entry.dataset)}


def _cells(group: PeopleGroup, named: Collection[str] | None) -> tuple[Cell, ...]:
    exposed = group.most_exposed
    is_named = exposed and exposed.is_alone and (named is None or exposed.row.speaker in named)
    name = shown(say("name.speaker", name=visible(exposed.row.speaker))) if exposed and is_named else ""
    bits = figure_in_words(D_ECE, exposed.row.estimate_bits if exposed else None, with_unit=False)
    return (
        Cell(shown(group.value)),
        Cell(str(group.n_speakers)),
        *(_figure(group, figure) for figure in (D_ECE, EER, LINKAGE)),
        Cell(bits, name),
    )


def _figure(group: PeopleGroup, figure: str) -> Cell:
    """A figure with its interval below."""
    value, interval = group.value_of(figure), group.interval_of(figure)
    said = figure_in_words(figure, value, with_unit=False)
    if interval is None:
        return Cell(said)
    low, high = (figure_in_words(figure, end, with_unit=False) for end in (interval.low, interval.high))
    return Cell(said, say("uncertainty.between", low=low, high=high))
