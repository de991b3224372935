"""The results in TeX: whatever there is, it fits the text of a page, as pdflatex sets it."""

import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.core.challenge_case import challenge
from tests.core.samples import HOSTILE, demo, demo_assessments, pdf_text, pdflatex, project_of, small_entry
from tests.programs import needed
from zebra_core.project.attributes import AttributeInference
from zebra_core.project.comparison.comparison import Comparison, compare
from zebra_core.project.comparison.difference_tests import with_certainty
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.report.results_tex import CHOICES, TexTables, results_tex
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import AttributeFigure, Inference
from zebra_core.uncertainty.intervals import Interval

_DOCUMENT = (
    "\\documentclass[OPTIONS]{article}\\usepackage[CLASS]{geometry}\\usepackage{booktabs,longtable}"
    "\\pagestyle{empty}\\begin{document}\n\\noindent\\rule{\\linewidth}{1pt}\n\\input{results}\n\\end{document}"
)
_WORD = re.compile(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')


def named_by_the_worst() -> Comparison:
    worst = [
        replace(entry, dataset=entry.name, attacker=entry.name, run=entry.name)
        for entry in project_of(*HOSTILE.values()).entries
    ]
    return compare(Project(items=tuple(worst)))


def of_forty_safeguards() -> Comparison:
    entry = replace(
        small_entry(), dataset="libri_test_trials_f", attacker="lazy-informed", condition=Condition.OP
    )
    names = [f"a_safeguard_with_a_long_name_of_its_own_{number:02}" for number in range(40)]
    return compare(Project(items=tuple(replace(entry, name=name, id=name) for name in names)))


@cache
def with_intervals() -> Comparison:
    return compare(with_certainty(demo_assessments(), BootstrapSettings(replicates=50))[0])


def with_attributes() -> Comparison:
    """Two attributes with names of the worst kind, one with intervals and a recogniser."""
    rate, bits = (
        AttributeFigure(0.9375, 0.5, Interval(0.71, 1.0), (0.3, 0.7)),
        AttributeFigure(0.66, 0.0, None, (0.0, 0.2)),
    )
    by = Inference(rate, rate, bits, 0.7, 8, 16)
    found = compare(project_of(*list(HOSTILE.values())[:2]))
    names = [f"{name} {name}" for name in HOSTILE.values()]
    told = AttributeInference(("f", "m"), 8, bits, by), AttributeInference(("a", "b"), 8, rate, None)
    return found.with_found(
        "inference", {row.entry.id: list(zip(names, told, strict=False)) for row in found.rows}
    )


def set_on(
    paper: str,
    comparison: Comparison,
    folder: Path,
    tables: TexTables | None = None,
    options: str = "10pt",
) -> Path:
    (folder / "results.tex").write_text(results_tex(comparison, tables), encoding="ascii")
    document = _DOCUMENT.replace("CLASS", paper).replace("OPTIONS", options)
    (folder / "page.tex").write_text(document, encoding="ascii")
    pdflatex("page.tex", folder)
    pdflatex("page.tex", folder)  # longtable learns its widths in the first run
    return folder / "page.pdf"


def words_of(pdf: Path) -> list[tuple[float, float, float, str]]:
    """Where every word begins and ends, and how low it reaches, in points; and the word."""
    text = pdf_text(pdf, "-bbox")
    return [(float(a), float(b), float(low), word) for a, b, low, word in _WORD.findall(text)]


MADE = pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: compare(demo_assessments()), id="the demo"),
        pytest.param(lambda: compare(challenge()), id="a challenge"),
        pytest.param(with_attributes, id="attributes of the worst kind"),
        pytest.param(of_forty_safeguards, id="forty safeguards with long names"),
        pytest.param(with_intervals, id="with intervals"),
        pytest.param(named_by_the_worst, id="names of the worst kind"),
    ],
)


@MADE
def test_it_fits_a_column_of_two(make, tmp_path: Path) -> None:
    """240pt are a column of a conference paper on A4 or letter; 490 for both, with 10 between them."""
    paper = "paper=a4paper,textwidth=490pt,columnsep=10pt,textheight=650pt,left=50pt"
    pdf = set_on(paper, make(), tmp_path, options="10pt,twocolumn")
    left, middle, right = (at * 72 / 72.27 for at in (50, 290, 540))
    for begin, end, low, word in words_of(pdf):
        assert left - 1 <= begin, word
        assert end <= (middle if begin < middle else right) + 1, word
        assert low < 842, word
    log = (tmp_path / "page.log").read_text(encoding="latin-1")
    assert "Overfull" not in log


@MADE
def test_it_fits_the_text_of_a_page(make, tmp_path: Path) -> None:
    """345pt is how wide the text of an article of 10pt is, whatever the paper."""
    pdf = set_on(
        "paper=a4paper,textwidth=345pt,textheight=600pt,left=100pt", make(), tmp_path, TexTables(is_long=True)
    )
    left, right = 100 * 72 / 72.27, 445 * 72 / 72.27  # of TeX's points, in those of PDF
    for begin, end, low, word in words_of(pdf):
        assert left - 1 <= begin, word
        assert end <= right + 1, word
        assert low < 842, word
    log = (tmp_path / "page.log").read_text(encoding="latin-1")
    assert "Overfull" not in log


def test_every_safeguard_stands_in_it_below_what_its_group_is_of(tmp_path: Path) -> None:
    pdf = set_on("a4paper", compare(challenge()), tmp_path)
    text = pdf_text(pdf, "-layout")
    n_tables = results_tex(compare(challenge())).count(r"\begin{tabular*}")
    rows = [row for row in compare(challenge()).rows if row.system == "B2r run1"]
    assert text.count("B2r run1") == n_tables * len(rows) > 0
    assert "OP, test side protected · ignorant" in text
    assert "PP, both sides protected · lazy-informed" in text
    assert "results.csv" in results_tex(compare(challenge()))


def test_figures_are_those_of_the_demo_with_their_intervals(tmp_path: Path) -> None:
    comparison = with_intervals()
    lines = pdf_text(set_on("a4paper", comparison, tmp_path), "-layout").splitlines()
    heads = next(line for line in lines if line.lstrip().startswith("Safeguard"))
    assert "corrected" not in heads  # which stands above, in two lines
    b2 = next(line for line in lines if line.startswith("B2 ") or line.strip().startswith("B2 "))
    assert b2.split()[1:4] == ["0.17", "0.205", "2.4"]
    assert any(re.search(r"\(0\.\d+ … 0\.\d+\)", line.replace(". . .", "…")) for line in lines)


def test_it_goes_on_over_the_pages_with_its_heads(tmp_path: Path) -> None:
    pdf = set_on("a5paper", of_forty_safeguards(), tmp_path, TexTables(is_long=True))
    pages = subprocess.run([needed("pdfinfo"), str(pdf)], capture_output=True, text=True, check=True).stdout
    assert int(re.search(r"Pages:\s+(\d+)", pages)[1]) > 3
    assert pdf_text(pdf).count("Safeguard") > 3
    joined = pdf_text(pdf).replace("\n", "")
    assert all(f"{number:02}" in joined for number in range(40))


def test_columns_and_digits_are_those_asked_for(tmp_path: Path) -> None:
    comparison = compare(demo_assessments())
    tables = TexTables(("rocch_eer", "tag", "trials"), digits=3)
    lines = pdf_text(set_on("a4paper", comparison, tmp_path, tables), "-layout").splitlines()
    row = next(row for row in comparison.rows if row.system == "B2")
    b2 = next(line for line in lines if line.split()[:1] == ["B2"])
    assert b2.split()[1:4] == [f"{100.0 * row.assessment.rocch_eer:.3f}", "%", row.assessment.tag]
    assert "".join(b2.split()[4:]) == f"{row.assessment.n_target}/{row.assessment.n_nontarget}"


def test_intervals_have_the_digits_too(tmp_path: Path) -> None:
    comparison = with_intervals()
    row = next(row for row in comparison.rows if row.system == "B2")
    interval = row.entry.trust.uncertainty.interval("rocch_eer")
    text = results_tex(comparison, TexTables(("rocch_eer",), digits=2))
    assert f"{100.0 * row.entry.trust.uncertainty.shown('rocch_eer'):.2f}" in text
    assert f"({100.0 * interval.low:.2f} " in text


@pytest.mark.parametrize("code", CHOICES.values())
def test_every_column_can_be_chosen(code: str) -> None:
    assert r"\toprule" in results_tex(compare(demo()), TexTables((code,), digits=2))
