"""The speakers of the results: who is most exposed, and the zoo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.figures.palette import tag_colour
from zebra_core.figures.speakers import speakers_figure
from zebra_core.figures.zoo import zoo_figure
from zebra_core.project.items import Entry
from zebra_core.report.content.files import shown
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Badge, Block, Bullets, Cell, Column, Picture, Run, Table, paragraph
from zebra_core.report.material import BySpeaker
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.zoo_chance import group_sizes
from zebra_core.wording.texts import say
from zebra_core.wording.wording import log10_lr, signed

MOST_AT_RISK = 5
"""So many speakers of an assessment are named; all of them are in the evidence."""

MOST_AT_RISK_OF_MANY = 1
MOST_PICTURED = 4
"""Of so many assessments the speakers are drawn one by one; of more, only tables tell of them."""

EXPOSED_FROM = 3
"""The place in the scale from which on a speaker is counted as exposed: C in the papers' scale."""


def speakers_of(frame: Frame) -> tuple[Block, ...]:
    """The most exposed speakers of every assessment, their pictures where these are few, and the zoos."""
    known = [entry for entry in frame.entries if entry.id in frame.material.speakers]
    told: list[Block] = [paragraph(say("speakers-section.intro"))] if known else []
    told += _left_out(frame)
    if not known:
        return tuple(told)
    told.append(_table(frame, known))
    protected = [entry for entry in known if entry.colour is not None] or known
    if len(protected) <= MOST_PICTURED:
        for number, entry in enumerate(protected, start=1):
            told += _pictures(frame, entry, number)
    else:
        told.append(paragraph(say("speakers-section.not-pictured", most=MOST_PICTURED), quiet=True))
    return tuple(told)


def _left_out(frame: Frame) -> list[Block]:
    """Why nothing can be said of the speakers of some assessments, each reason once."""
    why: dict[str, list[str]] = {}
    for entry in frame.entries:
        if error := frame.material.missing.get(entry.id):
            why.setdefault(shown(str(error)), []).append(frame.names[entry.id])
    return [
        paragraph(say("speakers-section.missing", names=", ".join(names), why=reason))
        for reason, names in why.items()
    ]


def _table(frame: Frame, entries: Sequence[Entry]) -> Table:
    columns = (
        Column(say("report.assessment-name"), is_text=True, share=1.0),
        Column(say("speakers-section.exposed"), is_text=True),
        Column(say("speakers-section.speaker"), is_text=True, share=0.6),
        Column(say("table.tag"), is_text=True),
        Column(say("table.worst_case")),
        Column(say("table.d_ece")),
        Column(say("speakers-section.own-trials")),
    )
    most = MOST_AT_RISK if len(entries) <= MOST_PICTURED + 1 else MOST_AT_RISK_OF_MANY
    rows: list[tuple[Cell, ...]] = []
    for entry in entries:
        for place, row in enumerate(frame.material.speakers[entry.id].disclosures.speakers[:most]):
            rows.append(_row(frame, entry, row, is_first=place == 0))
    return Table(columns, tuple(rows), say("speakers-section.caption", count=most))


def _row(frame: Frame, entry: Entry, row: SpeakerDisclosure, *, is_first: bool) -> tuple[Cell, ...]:
    scale = entry.assessment.settings.tag_scale
    found = frame.material.speakers[entry.id].disclosures
    exposed = say("speakers-section.of", count=len(found.keeping(_exposed_tag(entry))), all=len(found))
    return (
        Cell(frame.row_name(entry)),
        Cell(exposed if is_first else ""),
        Cell(shown(row.speaker)),
        Cell(badge=Badge(row.tag, tag_colour(scale, row.tag))),
        Cell(log10_lr(row.worst_case_log10_lr)),
        Cell(signed(row.d_ece_bits)),
        Cell(f"{row.n_target} / {row.n_nontarget}"),
    )


def _exposed_tag(entry: Entry) -> str:
    tags = entry.assessment.settings.tag_scale.tags
    return tags[min(EXPOSED_FROM, len(tags) - 1)].letter


def _pictures(frame: Frame, entry: Entry, number: int) -> list[Block]:
    found: BySpeaker = frame.material.speakers[entry.id]
    name = frame.names[entry.id]
    dots = replace(speakers_figure(found.disclosures, name, entry.colour or 0), title="")
    animals = replace(zoo_figure(found.zoo, name), title="")
    sizes = tuple((Run(str(size)),) for size in group_sizes(found.zoo))
    return [
        Picture(
            f"zoo-{number}", animals, say("speakers-section.zoo-caption", name=name), "zoo", entry.id, 2.6
        ),
        *((Bullets(sizes),) if sizes else ()),
        Picture(
            f"speakers-{number}", dots, say("speakers-section.dots-caption", name=name), "speakers", entry.id
        ),
    ]
