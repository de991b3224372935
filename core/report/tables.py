"""The results as tables: CSV for computing, Markdown and TeX for reading."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.figures.paper import shortened
from core.project import Entry
from core.report.content import ReportContent, Result
from core.report.evidence import assessment_as_json
from core.texts import say

COLUMNS = (
    "name",
    "condition",
    "trials",
    "d_ece",
    "share",
    "worst_case",
    "tag",
    "odds",
    "ceiling",
    "eer",
    "rocch_eer",
    "cllr",
    "min_cllr",
    "linkability",
)
"""The fields of a Result that the tables show; `table.<field>` is the text of the head."""

LONGEST_TEX_NAME = 40  # characters: a tabular does not break lines

_TEXT_COLUMNS = ("name", "condition", "odds")
_NOT_IN_CSV = ("label", "profile", "remarks")
_FORMULA_STARTS = "=+-@＝＋－＠\t\r\n"
# Everything that GitHub's Markdown gives a meaning inside a cell; a bare address would become a link.
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$#!@:{}]|(?<=www)\.", re.IGNORECASE)


@dataclass(frozen=True)
class Column:
    """The head of a column, and whether it holds text (set left) or numbers (set right)."""

    head: str
    is_text: bool

    @property
    def alignment(self) -> str:
        """The letter of a TeX tabular."""
        return "l" if self.is_text else "r"


def columns() -> tuple[Column, ...]:
    """The columns of the results, in the order of COLUMNS."""
    return tuple(Column(say(f"table.{name}"), name in _TEXT_COLUMNS) for name in COLUMNS)


def cells(result: Result) -> tuple[str, ...]:
    """The row of a result, in the order of COLUMNS."""
    return tuple(getattr(result, name) for name in COLUMNS)


def results_csv(entries: Sequence[Entry]) -> str:
    """Every figure unrounded, one assessment a row, the keys of `zebra assess --json` as heads.

    A figure that is not measurable is an empty cell. Text that a spreadsheet would run as a formula is
    preceded by an apostrophe.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for number, entry in enumerate(entries):
        found = assessment_as_json(entry.name, entry.assessment)
        figures = {key: value for key, value in found.items() if key not in _NOT_IN_CSV}
        if number == 0:
            writer.writerow(["name", "condition", *figures])
        condition = entry.condition.value if entry.condition else ""
        writer.writerow([harmless_cell(entry.name), condition, *figures.values()])
    return stream.getvalue()


def results_markdown(content: ReportContent) -> str:
    """The results as a table in GitHub's Markdown."""
    described = columns()
    lines = [
        _markdown_row([column.head for column in described]),
        _markdown_row(["---" if column.is_text else "---:" for column in described], escaped=False),
        *(_markdown_row(cells(result)) for result in content.results),
    ]
    return "\n".join(lines) + "\n"


def results_tex(content: ReportContent) -> str:
    r"""The results as a tabular to \input, for a document that loads booktabs."""
    from core.tex import fill  # and with it jinja2, which takes its time

    rows = [
        cells(replace(result, name=shortened(result.name, LONGEST_TEX_NAME))) for result in content.results
    ]
    return fill("results.tex", columns=columns(), rows=rows)


def harmless_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ")[:1] and text.lstrip(" ")[0] in _FORMULA_STARTS else text


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as typed."""
    return _MARKDOWN.sub(lambda match: "\\" + match.group(), text)


def _markdown_row(row: Sequence[str], *, escaped: bool = True) -> str:
    return f"| {' | '.join(escape_markdown(cell) if escaped else cell for cell in row)} |"
