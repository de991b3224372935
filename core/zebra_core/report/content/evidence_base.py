"""What the figures rest on: the files that were examined, and the data in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from zebra_core.evidence.audit import Audit, distinguishing_names
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.project.attackers import AttackGroup, attack_groups
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckLine
from zebra_core.project.items import Entry
from zebra_core.report.content.values import MOST_TOGETHER, Frame, examined_files, shown, shown_list
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    Heading,
    Run,
    TableBlock,
    TableColumn,
    paragraph,
    prose,
)
from zebra_core.wording.texts import after_name, clauses, grouped, named, say, with_aside

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


# Is this assessment to be trusted? The check list, first among what a report does not show.


MOST_IN_SENTENCES = 3
"""Of so many groups of attackers each has a sentence; of more there is a table."""

MOST_GROUPS = 12
"""Of more groups of attackers only the number is told: the evidence has them."""


def checking(frame: Frame) -> tuple[Block, ...]:
    """Every check with its outcome, by sign and word, and its figures."""
    columns = (
        TableColumn(say("check.outcome"), is_text=True),
        TableColumn(say("check.check"), is_text=True, share=1.0),
        TableColumn(say("check.figures"), is_text=True, share=2.0),
    )
    rows = tuple(
        (
            Cell(_outcome(line)),
            Cell(str(line.check)),
            Cell(shown(_as_stated(line))),
        )
        for line in checklist(frame.project, frame.material.printed, frame.material.designs)
    )
    return Heading(say("check.title")), TableBlock(columns, rows, say("check.caption"))


def _outcome(line: CheckLine) -> str:
    """By sign and word; what is only stated has neither, because it is no result."""
    if line.check is Check.PRINTED and line.cases:
        return say("report.stated")
    return f"{line.outcome.sign} {line.outcome_in_words}"


def _as_stated(line: CheckLine) -> str:
    """Its figures; of what is printed elsewhere nobody who verifies the report has the files."""
    text = " ".join(line.sentences())
    return say("report.as-stated", text=text) if line.check is Check.PRINTED and line.cases else text


def strongest_attackers(frame: Frame, *, in_table: bool) -> tuple[Block, ...]:
    """The strongest attacker on each safeguard that several attacked: in sentences, or of many in a table.

    Nothing where it is the other one of both.
    """
    groups = [group for group in attack_groups(frame.project) if group.in_words]
    if not groups or in_table is not (len(groups) > MOST_IN_SENTENCES):
        return ()
    found = groups[:MOST_GROUPS]
    more = len(groups) - len(found)
    rest = [paragraph(say("attacker-section.more", count=more), quiet=True)] if more else []
    if in_table:
        return Heading(say("attacker-section.head")), _strongest(found), *rest
    items = tuple((Run(shown(group.in_words)),) for group in found)
    return Heading(say("attacker-section.head")), Bullets(items), *rest


def _strongest(groups: Sequence[AttackGroup]) -> TableBlock:
    columns = (
        TableColumn(say("attacker-section.who"), is_text=True, share=1.0),
        TableColumn(say("attacker-section.of")),
        TableColumn(say("attacker-section.finds")),
    )
    rows = tuple(
        (Cell(shown(group.who)), Cell(str(len(group.attacks))), Cell(group.shown_bits)) for group in groups
    )
    has_interval = all(group.interval for group in groups)
    return TableBlock(columns, rows, say(f"attacker-section.caption{'' if has_interval else '-uncorrected'}"))
