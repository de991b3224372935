"""The report as TeX: a document for plain pdflatex, and the figure it inputs."""

from __future__ import annotations

from dataclasses import asdict

from core.figures.paper import shortened
from core.figures.pgfplots import tikz
from core.report.content import ReportContent, Result
from core.tex import Tex, fill
from core.texts import say

REPORT_FILE = "report.tex"
FIGURE_FILE = "report-ece.tex"
LONGEST_NAME = 60  # characters, in the table of results

_HEADS = (
    "d_ece",
    "share",
    "tag",
    "worst_case",
    "odds",
    "ceiling",
    "eer",
    "rocch_eer",
    "cllr",
    "min_cllr",
    "linkability",
)
_FILE_HEADS = ("number", "file", "role", "rows", "size", "sha256")
_WORDS = ("findings", "results", "meaning", "scale", "examined", "no-files", "remarks", "recompute")


def report_tex(content: ReportContent) -> dict[str, bytes]:
    """The files of the report, name to content; pdflatex makes report.tex into a PDF. Pure ASCII."""
    report = fill(
        "report.tex",
        title=content.title,
        author=content.author,
        kind=say("report.kind"),
        date=content.date.isoformat(),
        words={word: say(f"report.{word}") for word in _WORDS},
        heads=[say("report.assessment-head"), *(say(f"table.{head}") for head in _HEADS)],
        results=[_result(result) for result in content.results],
        figure_file=Tex(FIGURE_FILE),
        meaning=content.meaning,
        scale=[{**asdict(step), "colour": _html(step.colour)} for step in content.scale],
        file_heads=[say(f"table.{head}") for head in _FILE_HEADS],
        files=content.files,
        remarks=content.remarks,
        recompute=content.recompute,
        versions=content.versions,
    )
    return {REPORT_FILE: report.encode("ascii"), FIGURE_FILE: tikz(content.figure).encode("ascii")}


def _result(result: Result) -> dict[str, str]:
    return {
        **asdict(result),
        "colour": _html(result.colour),
        "short_name": shortened(result.name, LONGEST_NAME),
        "counts": result.counts,
    }


def _html(colour: str) -> Tex:
    """The colour as xcolor's model HTML wants it."""
    return Tex(colour.removeprefix("#"))
