"""Workbooks of which only some sheets are evidence: a note beside the figures names the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Severity, and_more
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import PlannedAssessment, PlannedSimilarity
from zebra_core.intake.sorting.naming import SHEETS_LEFT_OUT, is_workbook

_MOST_NAMED = 3
_LONGEST = 100  # characters of a name; a sheet has at most 31

Kind = TypeVar("Kind", PlannedAssessment, PlannedSimilarity)


def with_sheets_left_out(planned: Sequence[Kind], unused: Iterable[Source]) -> list[Kind]:
    """Assessments and matrices, with a note where other sheets of their workbook were left out."""
    left_out: dict[Path, list[str]] = {}
    for source in unused:
        if source.member and is_workbook(source.path):
            left_out.setdefault(source.path, []).append(source.member)
    return [_noted(one, left_out) for one in planned]


def _noted(one: Kind, left_out: dict[Path, list[str]]) -> Kind:
    books: dict[Path, None] = dict.fromkeys(
        file.source.path for file in one.files if file.source.path in left_out
    )
    if not books:
        return one
    return replace(one, findings=(*one.findings, *(_finding(book, left_out[book]) for book in books)))


def _finding(book: Path, sheets: Sequence[str]) -> Finding:
    facts = {"file": book.name, "count": len(sheets), "sheets": and_more(sheets, _MOST_NAMED, _LONGEST)}
    return Finding(SHEETS_LEFT_OUT, Severity.NOTE, facts)
