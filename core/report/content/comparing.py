"""The comparison of safeguards: each against speech without protection, on the same data."""

from __future__ import annotations

from core.project import Condition, Entry
from core.report.content.frame import Frame
from core.report.content.result import share_of
from core.report.document import Badge, Block, Cell, Column, Heading, Table, paragraph
from core.texts import say
from core.wording import disclosure, log10_lr, signed


def comparison(frame: Frame) -> tuple[Block, ...]:
    """For every dataset the protected assessments beside the unprotected one, the least disclosing first.

    Nothing is said where there is nothing to compare: a single assessment, or none without protection.
    """
    told: list[Block] = []
    by_baseline: dict[str, list[Entry]] = {}
    for entry in frame.entries:
        if entry.condition is not Condition.OO and (baseline := _baseline(frame, entry)):
            by_baseline.setdefault(baseline.id, []).append(entry)
    for baseline_id, entries in by_baseline.items():
        baseline = frame.project.entry(baseline_id)
        if len(by_baseline) > 1:
            told.append(Heading(frame.names[baseline_id]))
        told.append(_table(frame, baseline, entries))
    if not told:
        return (paragraph(say("comparison-section.nothing")),)
    return (
        paragraph(say("comparison-section.intro")),
        *told,
        paragraph(say("comparison-section.note"), quiet=True),
    )


def _baseline(frame: Frame, entry: Entry) -> Entry | None:
    """The unprotected assessment of the same dataset: that on the same key where there are several."""
    candidates = [
        other for other in frame.entries if other.condition is Condition.OO and other.dataset == entry.dataset
    ]
    keys = _keys(entry)
    return next((other for other in candidates if _keys(other) == keys), None)


def _keys(entry: Entry) -> tuple[str, ...]:
    """Which labels it rests on: only on the same trials are figures comparable."""
    return tuple(file.sha256 for file in entry.files if file.role == "key")


def _table(frame: Frame, baseline: Entry, entries: list[Entry]) -> Table:
    columns = (
        Column(say("table.tag"), is_text=True),
        Column(say("report.assessment-name"), is_text=True, share=1.0),
        Column(say("table.condition"), is_text=True),
        Column(say("table.d_ece")),
        Column(say("comparison-section.change")),
        Column(say("comparison-section.remains")),
        Column(say("table.worst_case")),
    )
    ranked = sorted(entries, key=lambda entry: entry.assessment.d_ece_bits)
    before = baseline.assessment.d_ece_bits
    rows = []
    for entry in (baseline, *ranked):
        found, told = entry.assessment, frame.result(entry)
        change = "–" if entry is baseline else signed(found.d_ece_bits - before)
        remains = "–" if entry is baseline or not before else share_of(found.d_ece_bits / before)
        rows.append(
            (
                Cell(badge=Badge(told.tag, told.colour)),
                Cell(told.name),
                Cell(told.condition),
                Cell(disclosure(found.d_ece_bits)),
                Cell(change),
                Cell(remains),
                Cell(log10_lr(found.worst_case_log10_lr)),
            )
        )
    return Table(columns, tuple(rows), say("comparison-section.caption", name=frame.names[baseline.id]))
