"""Uniqueness: how many people share their combination of attributes, truly and as inferred from speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.figures.uniqueness import uniqueness_figure
from zebra_core.project.uniqueness import BeforeAndAfter, InferredCombinations, before_and_after
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown, shown_list
from zebra_core.report.document import Block, Cell, Heading, ReportPicture, TableBlock, TableColumn, paragraph
from zebra_core.speakers.uniqueness import Combinations
from zebra_core.wording.texts import say, written

_HEIGHT = 1.8  # inches of the axes
_MOST_DRAWN = 8


def uniqueness(frame: Frame) -> list[Block]:
    """A table and a picture before and after protection; nothing where no attribute came along."""
    material = frame.material
    found = before_and_after(frame.entries, material.uniqueness)
    failed = [
        paragraph(say("opinion.missing", names=frame.names[entry.id], why=shown(str(error))))
        for entry in frame.entries
        if (error := material.uniqueness.missing.get(entry.id))
    ]
    if not found:
        return [Heading(say("uniqueness.head")), *failed] if failed else []
    every = [pair for one in found for pair in one.every]
    remarks: dict[str, list[str]] = {}
    for entry, each in every:
        for remark in each.remarks:
            remarks.setdefault(shown(str(remark)), []).append(frame.names[entry.id])
    return [
        Heading(say("uniqueness.head")),
        paragraph(say("uniqueness.means")),
        _table(frame, found),
        *_picture(found),
        *_of_others(frame, found),
        *(
            paragraph(say("opinion.remark", names=shown_list(names), remark=remark), quiet=True)
            for remark, names in remarks.items()
        ),
        *failed,
    ]


def _table(frame: Frame, found: Sequence[BeforeAndAfter]) -> TableBlock:
    heads = (
        TableColumn(say("uniqueness.combinations"), is_text=True, share=1.0),
        TableColumn(say("opinion.people")),
        TableColumn(say("uniqueness.unique")),
        TableColumn(say("uniqueness.smallest")),
        TableColumn(say("uniqueness.below-eleven")),
        TableColumn(say("uniqueness.right")),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        names = shown_list(one.true.attributes)
        true = say("uniqueness.row-true", attributes=names)
        of_dataset = say("name.of-dataset", name=true, dataset=one.dataset) if len(found) > 1 else true
        rows.append((Cell(shown(of_dataset)), *_cells(one.true.true), Cell("")))
        rows += [
            (Cell(frame.row_name(entry)), *_of_inferred(each.inferred))
            for entry, each in one.every
            if each.inferred is not None
        ]
    return TableBlock(heads, tuple(rows), say("uniqueness.caption"))


def _picture(found: Sequence[BeforeAndAfter]) -> list[Block]:
    inferred = [(one, pair) for one in found for pair in one.protected if pair[1].inferred is not None]
    drawn, left = [], _MOST_DRAWN
    for one in found:
        drawn.append(replace(one, protected=one.protected[:left]))
        left = max(0, left - len(one.protected))
    if all(not one.true.true.curve for one in drawn):
        return []
    entry = inferred[0][1][0].id if inferred else found[0].every[0][0].id
    figure = replace(uniqueness_figure(drawn), title="")
    return [ReportPicture("uniqueness", figure, say("uniqueness.picture"), "people", entry, _HEIGHT)]


def _of_others(frame: Frame, found: Sequence[BeforeAndAfter]) -> list[Block]:
    """What limits the comparison: nothing was inferred, or original speech is of others."""
    nobody = [entry for one in found for entry, each in one.protected if each.inferred is None]
    unlike = any(one.original and not one.true.is_like(one.original[1]) for one in found)
    blocks: list[Block] = []
    if nobody:
        names = shown_list([frame.names[entry.id] for entry in nobody])
        blocks.append(paragraph(say("uniqueness.nothing-inferred", names=names)))
    if unlike:
        blocks.append(paragraph(say("uniqueness.other-people")))
    return blocks


def _of_inferred(inferred: InferredCombinations) -> tuple[Cell, ...]:
    share = _percent(inferred.n_right_and_unique, inferred.found)
    return (*_cells(inferred.found), Cell(share))


def _cells(found: Combinations) -> tuple[Cell, ...]:
    return (
        Cell(str(found.n_people)),
        Cell(_percent(found.n_unique, found)),
        Cell(str(found.smallest)),
        Cell(str(found.n_in_small)),
    )


def _percent(count: int, found: Combinations) -> str:
    """A share of people, to a whole per cent, or a tenth where one of them is less."""
    return f"{written(100.0 * count / found.n_people, '.1f' if found.n_people > 100 else '.0f')} %"
