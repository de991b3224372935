"""The report as PDF/A-3a and PDF/UA-1, set by Typst; the evidence is attached."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime, time
from typing import Any

import typst

import resources
from core.figures.lettering import FAMILY, fonts_folder, in_inter
from core.figures.matplotlib_ import render
from core.figures.paper import shortened
from core.report.content import EVIDENCE_FILE, ReportContent, Result, shown
from core.report.tables import COLUMNS
from core.texts import say

STANDARDS: list[typst.PDFStandard] = ["a-3a", "ua-1"]
# Inches of the axes, by the number of assessments: up to four leave room for the rest on one page.
FIGURE_HEIGHTS = {1: 3.2, 2: 2.8, 3: 2.4, 4: 1.7}
FIGURE_HEIGHT = 3.2
LONGEST_NAME = 60  # characters, in the table

_WORDS = (
    "kind",
    "findings",
    "results",
    "assessment-head",
    "profile",
    "meaning",
    "scale",
    "examined",
    "no-files",
    "remarks",
    "recompute",
    "evidence-description",
)
_FILE_COLUMNS = ("number", "file", "role", "rows", "size", "sha256")


def report_pdf(content: ReportContent, evidence: bytes) -> bytes:
    """The report as a PDF file; the same content and evidence give the same bytes.

    The template gets values only, as JSON: nothing in a name can be taken for markup.
    """
    height = FIGURE_HEIGHTS.get(len(content.results), FIGURE_HEIGHT)
    figure = render(replace(content.figure, title=""), "svg", axes_height=height)
    files = {
        "main.typ": resources.read_bytes("templates/report.typ"),
        "report.json": json.dumps(_values(content)).encode("ascii"),
        "figure.svg": figure,
        EVIDENCE_FILE: evidence,
    }
    # The binding's annotations forget that files may be given in memory, by their names.
    made = typst.compile(  # type: ignore[call-overload]
        files,
        font_paths=[str(fonts_folder())],
        ignore_system_fonts=True,
        format="pdf",
        pdf_standards=STANDARDS,
        timestamp=datetime.combine(content.date, time(), UTC),
    )
    return bytes(made)


def _values(content: ReportContent) -> dict[str, Any]:
    """What the template needs, every text spelt out where the font lacks a character."""
    values = {
        "font": FAMILY,
        "title": content.title,
        "author": content.author,
        "date": {"year": content.date.year, "month": content.date.month, "day": content.date.day},
        "iso_date": content.date.isoformat(),
        "program": content.program,
        "words": {word: say(f"report.{word}") for word in _WORDS},
        # The template asks for these with the numbers put in, which only it knows.
        "page": say("report.page", page="{page}", pages="{pages}"),
        "heads": {name: say(f"table.{name}") for name in (*COLUMNS, *_FILE_COLUMNS)},
        "results": [_result(result) for result in content.results],
        "alt_text": shown(content.figure.alt_text),
        "meaning": content.meaning,
        "scale": [asdict(badge) for badge in content.scale],
        "files": [asdict(file) for file in content.files],
        "remarks": [asdict(remark) for remark in content.remarks],
        "recompute": content.recompute,
        "versions": content.versions,
        "evidence_file": EVIDENCE_FILE,
    }
    return {key: _in_font(value) for key, value in values.items()}


def _result(result: Result) -> dict[str, str]:
    """A result, with what its row in the table has beside: the findings have the name in full."""
    short_name = shortened(result.name, LONGEST_NAME)
    return {**asdict(result), "counts": result.counts, "short_name": short_name}


def _in_font(value: Any) -> Any:
    if isinstance(value, str):
        return in_inter(value)
    if isinstance(value, Mapping):
        return {key: _in_font(part) for key, part in value.items()}
    return [_in_font(part) for part in value] if isinstance(value, list | tuple) else value
