"""The comparison of safeguards: each against speech without protection, on the same data."""

from __future__ import annotations

from core.assessment import Assessment
from core.comparison import baseline_of
from core.project import Entry
from core.report.content.frame import Frame
from core.report.content.groups import Group
from core.report.document import Badge, Block, Cell, Column, Heading, Table, paragraph
from core.texts import say
from core.wording import disclosure, log10_lr, share, signed


def comparison(frame: Frame) -> tuple[Block, ...]:
    """The protected assessments of every group beside the unprotected speech they belong to.

    The least disclosing comes first. Nothing is said of what has no baseline, see `baseline_of`.
    """
    told: list[Block] = []
    for group in frame.groups:
        compared = [(entry, found) for entry in group.entries if (found := baseline_of(entry, frame.entries))]
        if compared:
            told += [Heading(group.heading)] if group.heading else []
            told.append(_table(frame, group, compared))
    if not told:
        return (paragraph(say("comparison-section.nothing")),)
    return (
        paragraph(say("comparison-section.intro")),
        *told,
        paragraph(say("comparison-section.note"), quiet=True),
    )


def _table(frame: Frame, group: Group, compared: list[tuple[Entry, Assessment]]) -> Table:
    columns = (
        Column(say("table.tag"), is_text=True),
        Column(say("report.assessment-name"), is_text=True, share=1.0),
        Column(say("table.d_ece")),
        Column(say("comparison-section.before")),
        Column(say("comparison-section.change")),
        Column(say("comparison-section.remains")),
        Column(say("table.worst_case")),
    )
    ranked = sorted(compared, key=lambda pair: pair[0].assessment.d_ece_bits)
    rows = []
    for entry, baseline in ranked:
        found, told = entry.assessment, frame.result(entry, group)
        before = baseline.d_ece_bits
        rows.append(
            (
                Cell(badge=Badge(told.tag, told.colour)),
                Cell(frame.row_name(entry, group)),
                Cell(disclosure(found.d_ece_bits)),
                Cell(disclosure(before)),
                Cell(signed(found.d_ece_bits - before)),
                Cell(share(found.d_ece_bits / before) if before else "–"),
                Cell(log10_lr(found.worst_case_log10_lr)),
            )
        )
    return Table(columns, tuple(rows), say("comparison-section.caption"))
