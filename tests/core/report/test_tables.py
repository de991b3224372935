"""The results as CSV, Markdown and TeX."""

import csv
import datetime as dt
import io
from pathlib import Path

import pytest

from core.project import Project
from core.provenance import versions
from core.report.content import ReportContent, report_content
from core.report.tables import (
    COLUMNS,
    escape_markdown,
    harmless_cell,
    results_csv,
    results_markdown,
    results_tex,
)
from tests.core.samples import HOSTILE, demo, pdflatex, project_of


def content_of(project: Project) -> ReportContent:
    return report_content(project, dt.date(2026, 11, 20), versions())


def test_csv_is_unrounded() -> None:
    rows = list(csv.DictReader(io.StringIO(results_csv(demo().entries))))
    assert [row["name"] for row in rows] == ["unprotected", "B1w", "B2", "B2r"]
    found = demo().entries[2].assessment
    assert float(rows[2]["d_ece_bits"]) == found.d_ece_bits
    assert float(rows[2]["cllr_bits"]) == found.cllr_bits
    assert rows[2]["tag"] == "C"
    assert list(rows[0])[:4] == ["name", "condition", "n_target", "n_nontarget"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r\n"])
def test_no_cell_is_a_formula(name: str) -> None:
    assert harmless_cell(name) == "'" + name


@pytest.mark.parametrize("name", ["B2", "a=b", "", "100 %", "  spaces"])
def test_ordinary_cells_stay_as_they_are(name: str) -> None:
    assert harmless_cell(name) == name


def test_csv_keeps_names_of_the_worst_kind() -> None:
    rows = list(csv.reader(io.StringIO(results_csv(project_of(*HOSTILE.values()).entries), newline="")))
    assert [row[0].removeprefix("'") for row in rows[1:]] == list(HOSTILE.values())


def test_markdown() -> None:
    lines = results_markdown(content_of(demo())).splitlines()
    assert lines[0].startswith(r"| Assessment | Condition | Target / nontarget trials | D\_ECE (bit) |")
    assert {line.count(" | ") for line in lines} == {len(COLUMNS) - 1}
    assert lines[4].startswith(
        "| B2 | OP | 156 / 9\u202f672 | 0.205 | 28 % | 2.39 | C | one wrong in about 248 |"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[a](http://b) *c* _d_ `e` $f$", r"\[a\](http\://b) \*c\* \_d\_ \`e\` \$f\$"),
        ("www.example.org me@example.org", r"www\.example.org me\@example.org"),
        (r"\input{x}", r"\\input\{x\}"),
        ("plain, text (1.5)", "plain, text (1.5)"),
    ],
)
def test_markdown_is_escaped(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped


def test_a_row_stays_one_row_whatever_the_name() -> None:
    lines = results_markdown(content_of(project_of(*HOSTILE.values()))).splitlines()
    assert len(lines) == 2 + len(HOSTILE)


def test_tex_compiles_with_names_of_the_worst_kind(tmp_path: Path) -> None:
    table = results_tex(content_of(project_of(*HOSTILE.values())))
    (tmp_path / "table.tex").write_text(
        "\\documentclass{article}\\usepackage[paperwidth=50cm]{geometry}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{table}\\end{{document}}",
        encoding="ascii",
    )
    text = pdflatex("table.tex", tmp_path)
    assert r"\input{/etc/passwd}" in text
    assert '=HYPERLINK("x")' in text
    assert table.count(r"\\") == 1 + len(HOSTILE)
