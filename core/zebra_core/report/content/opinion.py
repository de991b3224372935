"""Against Opinion 05/2014: what was measured for each of its three criteria, and what was not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from zebra_core.figures.linking import one_by_one_figure, people_figure
from zebra_core.figures.uncertainty import uniqueness_figure
from zebra_core.project.attributes import AttributeInference, figure_in_words, named
from zebra_core.project.items import Entry
from zebra_core.project.risks import heads, linked_most, risks
from zebra_core.project.uniqueness import BeforeAndAfter, InferredCombinations, before_and_after
from zebra_core.report.content.by_group import by_group
from zebra_core.report.content.values import Frame, shown, shown_list
from zebra_core.report.document import Block, Cell, Heading, ReportPicture, TableBlock, TableColumn, paragraph
from zebra_core.speakers.uniqueness import Combinations
from zebra_core.uncertainty.inference import AttributeFigure
from zebra_core.uncertainty.intervals import with_interval
from zebra_core.uncertainty.linking_points import PeoplePoint
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.uncertainty.shown import rounded
from zebra_core.wording.texts import of_hundred, say, written

_HEIGHT = 2.1  # inches of the axes
MOST_DRAWN = 8
"""More curves than these cannot be told apart on paper."""


def opinion(frame: Frame) -> tuple[Block, ...]:
    """Singling out, linking and inference, each with what was measured, chance and interval."""
    known = _known(frame)
    told = frame.leading(known)
    in_brief = len(told) < len(known)
    has_intervals = any(frame.material.people[entry.id].settings for entry in known)
    return (
        paragraph(say("opinion.intro")),
        paragraph(say("opinion.validated")),
        *_risks(frame, known),
        *_not_said(frame),
        *([paragraph(say("opinion.leading"), quiet=True)] if in_brief else []),
        Heading(say("opinion.singling")),
        paragraph(say("opinion.singling-means")),
        *_singling(frame, told, in_brief=in_brief),
        Heading(say("opinion.linking")),
        paragraph(say("opinion.linking-means")),
        *_linking(frame, told, in_brief=in_brief),
        *(
            [paragraph(say("opinion.few" if has_intervals else "opinion.few-plain"), quiet=True)]
            if known
            else []
        ),
        *_one_by_one(frame, known),
        Heading(say("opinion.inference")),
        *_inference(frame),
        *uniqueness(frame),
        *by_group(frame),
    )


def people_in_full(frame: Frame) -> tuple[Block, ...]:
    """The tables of all assessments, where the section has those of the strongest attackers only."""
    known = _known(frame)
    if len(frame.leading(known)) == len(known):
        return ()
    tables = [*_singling(frame, known, in_brief=False), *_linking(frame, known, in_brief=False)]
    return Heading(say("opinion.all-head")), *tables


def _known(frame: Frame) -> list[Entry]:
    return [entry for entry in frame.entries if entry.id in frame.material.people]


def _strongest(frame: Frame, known: Sequence[Entry]) -> list[Entry]:
    """The attack that finds most on each safeguard, over all datasets; of unprotected speech alone all."""
    strongest = {one.strongest.as_given.id for one in frame.material.conclusions}
    return [entry for entry in known if entry.id in strongest] or frame.leading(known)


def _risks(frame: Frame, known: Sequence[Entry]) -> list[Block]:
    """Each criterion beside guessing and above it, then the people who are worst off, in one table."""
    rows = []
    for entry in _strongest(frame, known):
        speakers = frame.material.speakers.get(entry.id)
        attributes = named(entry, frame.material.inference.get(entry.id, ()))
        found = frame.material.people[entry.id]
        exposed, answer = speakers.disclosures if speakers else None, frame.material.answer_of(entry)
        told = risks(found, attributes, exposed, answer=answer, dataset=entry.dataset)
        for place, risk in enumerate(told):
            cells = (Cell(shown(text), note) for text, note in risk.cells)
            rows.append((Cell(frame.row_name(entry) if place == 0 else ""), *cells))
    if not rows:
        return []
    columns = tuple(TableColumn(head, is_text=place == 0) for place, head in enumerate(heads()))
    table = TableBlock(
        (TableColumn(say("report.assessment-name"), is_text=True, share=1.0), *columns),
        tuple(rows),
        say("opinion.risks-caption"),
    )
    return [table, paragraph(say("risk.means"), quiet=True)]


def _one_by_one(frame: Frame, known: Sequence[Entry]) -> list[Block]:
    """Each person's linkage under the strongest attack of all, with the worst tenth."""
    strongest = _strongest(frame, known)
    if not strongest:
        return []
    entry = max(strongest, key=lambda one: one.assessment.disclosed_by_reading_bits)
    found = frame.material.people[entry.id]
    figure = replace(one_by_one_figure(entry, found, found.in_question, found.lengths[0]), title="")
    caption = say("opinion.one-by-one", name=frame.names[entry.id], people=found.in_question)
    return [
        paragraph(shown(str(found.worst_tenth()))),
        ReportPicture("one-by-one", figure, caption, "people", entry.id, _HEIGHT),
    ]


def _not_said(frame: Frame) -> list[Block]:
    """Why nothing can be said of some, and what must be told of others; each sentence once."""
    sentences: dict[tuple[str, str], list[str]] = {}
    for entry in frame.entries:
        if error := frame.material.people.missing.get(entry.id):
            sentences.setdefault(("missing", shown(str(error))), []).append(frame.names[entry.id])
        if people := frame.material.people.get(entry.id):
            for remark in people.remarks:
                sentences.setdefault(("remark", shown(str(remark))), []).append(frame.names[entry.id])
    return [
        paragraph(
            say("opinion.missing", names=shown_list(names), why=sentence)
            if kind == "missing"
            else say("opinion.remark", names=shown_list(names), remark=sentence)
        )
        for (kind, sentence), names in sentences.items()
    ]


def _singling(frame: Frame, entries: Sequence[Entry], *, in_brief: bool) -> list[Block]:
    with_points = [entry for entry in entries if frame.material.people[entry.id].singling_out]
    if not with_points:
        return [paragraph(say("opinion.no-singling"))]
    heads = _heads("opinion.isolation", "opinion.deaf")
    calibration = max(frame.material.people[entry.id].n_calibration for entry in with_points)
    rows = _rows(frame, with_points, _singled, in_brief=in_brief)
    return [
        TableBlock(heads, rows, say("opinion.caption-singling", count=calibration, calibration=calibration))
    ]


def _linking(frame: Frame, entries: Sequence[Entry], *, in_brief: bool) -> list[Block]:
    if not entries:
        return []
    heads = (*_heads("opinion.linkage", "opinion.guessing"), TableColumn(say("opinion.ranks")))
    rows = _rows(frame, entries, _linked, with_ranks=True, in_brief=in_brief)
    drawn = frame.leading(entries)[:MOST_DRAWN]
    figure = replace(people_figure(drawn, frame.material.people), title="")
    picture = ReportPicture("linkage", figure, say("opinion.picture"), "people", drawn[0].id, _HEIGHT)
    among = [found.points for entry in entries if (found := frame.material.people[entry.id].among)]
    stated = "-stated" if any(among) else ""
    return [
        TableBlock(heads, rows, say(f"opinion.caption-linking{stated}")),
        *_beyond_enrolled(frame, entries),
        *(() if in_brief else (_most_linked(frame, entries), picture)),
    ]


def _most_linked(frame: Frame, entries: Sequence[Entry]) -> TableBlock:
    """The people whose recordings are linked most often: the Opinion asks of everybody, not of the mean."""
    heads = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("opinion.most-linked"), is_text=True),
        TableColumn(say("opinion.their-recordings")),
        TableColumn(say("opinion.people")),
        TableColumn(say("opinion.linked")),
        TableColumn(say("opinion.guessing")),
    )
    rows = []
    for entry in entries:
        found, answer = frame.material.people[entry.id].most_linked(), frame.material.answer_of(entry)
        between = say("uncertainty.between", low=of_hundred(found.low), high=of_hundred(found.high))
        rows.append(
            (
                Cell(frame.row_name(entry)),
                Cell(shown(linked_most("opinion.linked-most", found, answer, entry.dataset))),
                Cell(str(found.recordings) if found.alike == 1 else ""),
                Cell(str(found.people)),
                Cell(say("opinion.of-hundred", share=of_hundred(found.probability)), between),
                Cell(say("opinion.of-hundred", share=of_hundred(found.chance))),
            )
        )
    return TableBlock(heads, tuple(rows), say("opinion.caption-most-linked"))


def _inference(frame: Frame) -> list[Block]:
    """What is told of attributes, or plainly that it was not measured."""
    known = [entry for entry in frame.entries if entry.id in frame.material.inference]
    failed = [
        paragraph(say("opinion.missing", names=frame.names[entry.id], why=shown(str(error))))
        for entry in frame.entries
        if (error := frame.material.inference.missing.get(entry.id))
    ]
    if not known:
        return [paragraph(say("opinion.inference-none")), *failed]
    heads = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("opinion.inference-attribute"), is_text=True),
        TableColumn(say("opinion.inference-speakers")),
        TableColumn(say("opinion.inference-figure"), is_text=True),
        TableColumn(say("opinion.inference-value")),
        TableColumn(say("opinion.deaf")),
        TableColumn(say("opinion.by-chance")),
    )
    rows = tuple(
        row
        for entry in known
        for place, (name, found) in enumerate(named(entry, frame.material.inference[entry.id]))
        for row in _attribute_rows(frame.row_name(entry) if place == 0 else "", shown(name), found)
    )
    remarks = dict.fromkeys(
        remark for entry in known for found in frame.material.inference[entry.id] for remark in found.remarks
    )
    return [
        paragraph(say("opinion.inference-means")),
        TableBlock(heads, rows, say("opinion.inference-caption")),
        *(paragraph(shown(remark)) for remark in remarks),
        *failed,
    ]


def _attribute_rows(assessment: Cell | str, name: str, found: AttributeInference) -> list[tuple[Cell, ...]]:
    """A row for each figure there is of an attribute; the first has the names."""
    rows = []
    for place, (code, figure) in enumerate(found.figures.items()):
        names = (assessment, name, str(found.n_speakers)) if place == 0 else ("", "", "")
        heads = tuple(each if isinstance(each, Cell) else Cell(each) for each in names)
        rows.append(
            (*heads, Cell(say(f"opinion.inference-{code}")), *_figure(figure, partial(figure_in_words, code)))
        )
    return rows


def _figure(figure: AttributeFigure, word: Callable[[float], str]) -> tuple[Cell, Cell, Cell]:
    """The figure with its interval, what guessing reaches, and where sets without disclosure lie."""
    interval, (low, high) = figure.interval, figure.undisclosed
    between = say("uncertainty.between", low=word(interval.low), high=word(interval.high)) if interval else ""
    by_chance = say("uncertainty.between", low=word(low), high=word(high))
    return Cell(word(figure.value), between), Cell(word(figure.chance)), Cell(by_chance)


def _heads(figure: str, chance: str) -> tuple[TableColumn, ...]:
    return (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("opinion.people")),
        TableColumn(say("opinion.recordings")),
        TableColumn(say(figure)),
        TableColumn(say(chance)),
        TableColumn(say("opinion.by-chance")),
    )


def _rows(
    frame: Frame,
    entries: Sequence[Entry],
    points_of: Callable[[Reidentification, int], Sequence[PeoplePoint]],
    *,
    with_ranks: bool = False,
    in_brief: bool,
) -> tuple[tuple[Cell, ...], ...]:
    """Rows for each number of pooled recordings, or for the fewest."""
    rows = []
    for entry in entries:
        found = frame.material.people[entry.id]
        lengths = found.lengths[:1] if in_brief else found.lengths
        points = [point for recordings in lengths for point in points_of(found, recordings)]
        for place, point in enumerate(points):
            cells = (Cell(frame.row_name(entry) if place == 0 else ""), *_cells(point))
            rows.append((*cells, _ranks(found, is_first=place == 0)) if with_ranks else cells)
    return tuple(rows)


def _singled(found: Reidentification, recordings: int) -> Sequence[PeoplePoint]:
    """Among all people there are."""
    return found.singling_out_of(recordings)[-1:]


def _linked(found: Reidentification, recordings: int) -> Sequence[PeoplePoint]:
    """Among all who are enrolled, and before that among as many as the context states."""
    stated = [
        point
        for point in (found.among.points if found.among else ())
        if point.recordings == recordings and point.people < found.n_enrolled
    ]
    return (*stated, *found.linkage_of(recordings)[-1:])


def _beyond_enrolled(frame: Frame, entries: Sequence[Entry]) -> list[Block]:
    """That nothing is known of as many people as the context states, where fewer are enrolled."""
    people = frame.settings.people or 0
    few = [entry for entry in entries if frame.material.people[entry.id].n_enrolled < people]
    if not few:
        return []
    most = max(frame.material.people[entry.id].n_enrolled for entry in few)
    names = shown_list([frame.names[entry.id] for entry in few])
    return [paragraph(say("opinion.beyond-enrolled", asked=people, names=names, people=most))]


def _cells(point: PeoplePoint) -> tuple[Cell, ...]:
    interval, band = point.interval, point.undisclosed
    return (
        Cell(str(point.people)),
        Cell(str(point.recordings)),
        Cell(
            with_interval("eer", point.probability, interval, is_in_column=True)
            if interval
            else _percent(point.probability, point)
        ),
        Cell(f"{written(100.0 * point.chance, '.1f' if point.chance < 0.1 else '.0f')} %"),
        Cell(
            say("uncertainty.between", low=_percent(band[0], point), high=_percent(band[1], point))
            if band
            else ""
        ),
    )


def _percent(value: float, point: PeoplePoint) -> str:
    return rounded("eer", value, point.people, point.interval)


def _ranks(found: Reidentification, *, is_first: bool) -> Cell:
    """Both figures of ranks, and up to where those of sets without disclosure reach."""
    if not is_first:
        return Cell("")
    ranks = found.ranks
    bits = {"mean": written(ranks.mean_bits, ".1f"), "worst": written(ranks.worst_bits, ".1f")}
    mean, worst = ranks.mean_undisclosed, ranks.worst_undisclosed
    if mean is None or worst is None:
        return Cell(say("opinion.ranks-cell", **bits))
    up_to = {"mean_high": written(mean[1], ".1f"), "worst_high": written(worst[1], ".1f")}
    return Cell(say("opinion.ranks-cell-undisclosed", **bits, **up_to))


# Uniqueness: how many people share their combination of attributes, truly and as inferred from speech.


_UNIQUENESS_HEIGHT = 1.8  # inches of the axes
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
        rows.append((Cell(shown(of_dataset)), *_uniqueness_cells(one.true.true), Cell("")))
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
    return [
        ReportPicture("uniqueness", figure, say("uniqueness.picture"), "people", entry, _UNIQUENESS_HEIGHT)
    ]


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
    share = _uniqueness_percent(inferred.n_right_and_unique, inferred.found)
    return (*_uniqueness_cells(inferred.found), Cell(share))


def _uniqueness_cells(found: Combinations) -> tuple[Cell, ...]:
    return (
        Cell(str(found.n_people)),
        Cell(_uniqueness_percent(found.n_unique, found)),
        Cell(str(found.smallest)),
        Cell(str(found.n_in_small)),
    )


def _uniqueness_percent(count: int, found: Combinations) -> str:
    """A share of people, to a whole per cent, or a tenth where one of them is less."""
    return f"{written(100.0 * count / found.n_people, '.1f' if found.n_people > 100 else '.0f')} %"
