"""The report as TeX, compiled by plain pdflatex."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from tests.core.samples import HOSTILE, demo, demo_material, pdflatex, project_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.report.content import report_content
from zebra_core.report.tex import report_tex
from zebra_core.version import versions
from zebra_core.wording.texts import speaking


def compiled(project: Project, folder: Path) -> str:
    content = report_content(gather(project), dt.date(2026, 11, 20), versions(), author="A. Author")
    for name, made in report_tex(content).items():
        (folder / name).write_bytes(made)
    return pdflatex("report.tex", folder)


def test_the_demo(tmp_path: Path) -> None:
    text = compiled(demo(), tmp_path)
    for said in (
        "Demo: LibriSpeech, female speakers",
        "ZEBRA report: privacy disclosure",
        "2026-11-20",
        "A. Author",
        "What was examined",
        "chameleons (10)",
        "With these data an attacker gains 0.20 bit on average",
        "perfect privacy (0, 0, 0)",
        "28 %",
        "e0027c39a054c9aef01a39a1d47f70f3",
    ):
        assert said in text


def test_in_german_with_the_rules_and_quotation_marks_of_the_language(tmp_path: Path) -> None:
    german = project_of("B1 „neu“")
    german = replace(german, report=replace(german.report, language="de"))
    with speaking("de"):
        text = compiled(german, tmp_path)
    assert "Was untersucht wurde" in text
    assert ",,neu“" in text
    assert "\\u201" not in (tmp_path / "report.tex").read_text(encoding="ascii")
    assert "babel-de.ini" in (tmp_path / "report.log").read_text(encoding="utf-8", errors="replace")
    with pikepdf.open(tmp_path / "report.pdf") as pdf:
        assert pdf.Root.Lang == "de"


@pytest.mark.parametrize("count", [1, 40])
def test_names_of_the_worst_kind(tmp_path: Path, count: int) -> None:
    names = (list(HOSTILE.values()) * 4)[:count]
    text = compiled(project_of(*names, title=" ".join(HOSTILE.values())), tmp_path)
    assert r"\input{/etc/passwd} OP" in text
    assert "root:" not in text


def test_same_content_same_bytes() -> None:
    content = report_content(demo_material(), dt.date(2026, 11, 20), versions())
    assert report_tex(content) == report_tex(content)
    assert all(made.isascii() for name, made in report_tex(content).items() if name.endswith(".tex"))
