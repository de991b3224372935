"""What the figures rest on: the files that were examined, and the data in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from zebra_core.evidence.audit import Audit
from zebra_core.evidence.files import distinguishing_names
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.items import Entry
from zebra_core.report.content.frame import MOST_TOGETHER, Frame
from zebra_core.report.content.values import examined_files, shown, shown_list
from zebra_core.report.document import Block, Bullets, Cell, Heading, Run, TableBlock, TableColumn, paragraph
from zebra_core.report.prose import prose
from zebra_core.wording.names import after_name, clauses, named, with_aside
from zebra_core.wording.texts import grouped, say

_MOST_FOLDERS = 8
MOST_REMARKED = 6
"""So many assessments are named beside a remark; of more, only their number is."""


def examined(frame: Frame) -> tuple[Block, ...]:
    """How many files of which kind, from where, and what the audit found."""
    remarks = (Heading(say("report.remarks")), *_remarks(frame))
    if not frame.files:
        return (paragraph(say("report.no-files")), *remarks)
    files = examined_files(frame.files)
    roles = Counter(file.role for file in files)
    kinds = clauses(with_aside(role, grouped(count)) for role, count in roles.items())
    facts = {"count": len(files), "roles": kinds}
    folders = list(dict.fromkeys(name.split("/")[0] for name in _shown_names(frame) if "/" in name))
    return (
        paragraph(say("examined.files", **facts)),
        *([paragraph(say("examined.folders", names=shown_list(folders, _MOST_FOLDERS)))] if folders else []),
        paragraph(say("examined.listed" if frame.has_appendix else "examined.listed-here")),
        *remarks,
    )


def _shown_names(frame: Frame) -> list[str]:
    return list(distinguishing_names([file.path for file in frame.files]))


def examined_one_by_one(frame: Frame) -> tuple[Block, ...]:
    """Every file with its hash and how it was written; nothing where there is none."""
    if not frame.files:
        return ()
    files = examined_files(frame.files)
    columns = (
        TableColumn(say("table.number"), is_text=True),
        TableColumn(say("table.file"), is_text=True, share=1.0),
        TableColumn(say("table.role"), is_text=True),
        TableColumn(say("table.rows")),
        TableColumn(say("table.size")),
        TableColumn(say("table.sha256"), is_text=True),
    )
    rows = tuple(
        (
            Cell(file.number),
            Cell(file.file, file.dialect),
            Cell(file.role),
            Cell(file.rows),
            Cell(file.size),
            Cell(file.sha256, mono=True),
        )
        for file in files
    )
    return (
        Heading(say("examined.head")),
        TableBlock(columns, rows, say("examined.caption")),
    )


def data(frame: Frame) -> tuple[Block, ...]:
    """Speakers, trials and conditions of every assessment, and their relevance as the user states it."""
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("table.condition"), is_text=True),
        TableColumn(say("data.attacker"), is_text=True),
        TableColumn(say("data.speakers")),
        TableColumn(say("data.enrolments")),
        TableColumn(say("data.tests")),
        TableColumn(say("data.target")),
        TableColumn(say("data.nontarget")),
    )
    rows = _data_rows(frame)
    relevance = prose(frame.settings.relevance) or (paragraph(say("data.relevance-not-stated")),)
    return (
        paragraph(say("data.conditions")),
        TableBlock(columns, rows, say("data.caption")),
        paragraph(say("data.sessions"), quiet=True),
        Heading(say("data.relevance-head")),
        *relevance,
    )


def _data_rows(frame: Frame) -> tuple[tuple[Cell, ...], ...]:
    """A row for each assessment; of many those of a dataset share one if all but their names is alike."""
    rows = [(entry, _data_row(frame, entry)) for entry in frame.entries]
    if len(rows) <= MOST_TOGETHER:
        return tuple(row for _, row in rows)
    alike: dict[tuple[str, tuple[Cell, ...]], list[str]] = {}
    for entry, (name, *others) in rows:
        dataset = shown(entry.own_dataset) if len(frame.project.datasets) > 1 else ""
        key = dataset, (Cell("", name.note), *others)
        alike.setdefault(key, []).append(shown(entry.name_and_run))
    return tuple(
        (replace(first, text=named(dataset, ", ".join(names)) if dataset else ", ".join(names)), *others)
        for (dataset, (first, *others)), names in alike.items()
    )


def _data_row(frame: Frame, entry: Entry) -> tuple[Cell, ...]:
    audit = entry.audit or Audit()
    by_speaker = frame.material.speakers.get(entry.id)
    speakers = len(by_speaker.disclosures) if by_speaker else audit.speakers
    return (
        Cell(frame.short_name(entry), shown(entry.notes)),
        Cell(entry.condition.value if entry.condition else say("report.condition-unknown")),
        Cell(shown(entry.attack_in_words) or say("report.condition-unknown")),
        *(_count(number) for number in (speakers, audit.enrolments, audit.tests)),
        _count(entry.assessment.n_target),
        _count(entry.assessment.n_nontarget),
    )


def _count(number: int | None) -> Cell:
    return Cell(say("data.not-known") if number is None else grouped(number))


def _remarks(frame: Frame) -> tuple[Block, ...]:
    """Each remark once, with the assessments that it is about; decisions of the user are among them.

    Of a folder that was dropped, whoever verifies the report has no more than what is said here.
    """
    found: dict[bool, dict[str, list[str]]] = {False: {}, True: {}}
    for item in frame.project.items:
        for remark in item.remarks:
            about = found[remark.code in OF_THE_DROP]
            about.setdefault(shown(str(remark)), []).append(frame.names[item.id])
    known, of_drop = (_about(frame, about) for about in found.values())
    if not (known or of_drop):
        return (paragraph(say("examined.no-remarks")),)
    blocks: list[Block] = [Bullets(known)] if known else []
    if of_drop:
        blocks += [paragraph(say("examined.as-stated")), Bullets(of_drop)]
    return tuple(blocks)


def _about(frame: Frame, about: dict[str, list[str]]) -> tuple[tuple[Run, ...], ...]:
    """Each text behind the names of those it is about."""
    items = []
    for text, names in about.items():
        everyone = len(names) == len(frame.project.items)
        who = say("report.remark-for-all") if everyone else shown_list(names, MOST_REMARKED)
        items.append((Run(who, bold=True), Run(after_name(text))))
    return tuple(items)
