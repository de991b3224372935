"""The PDF report: archivable, accessible, with the evidence inside, the same bytes every time."""

import datetime as dt
import io
import re
import subprocess
from pathlib import Path

import pikepdf
import pytest

from core.project import Project
from core.provenance import versions
from core.report.content import report_content
from core.report.evidence import as_bytes, evidence
from core.report.pdf import report_pdf
from tests.core.samples import HOSTILE, demo, pdf_text, project_of

DATE = dt.date(2026, 11, 20)


def evidence_of(project: Project) -> bytes:
    return as_bytes(evidence(project, DATE, versions()))


def pdf_of(project: Project, author: str = "") -> bytes:
    return report_pdf(report_content(project, DATE, versions(), author=author), evidence_of(project))


def text_of(pdf: bytes, folder: Path) -> str:
    """The text on one line, without the invisible places where a long word may break."""
    (folder / "report.pdf").write_bytes(pdf)
    return re.sub(r"\s+", " ", pdf_text(folder / "report.pdf").replace("\u200b", ""))


@pytest.fixture(scope="module")
def demo_pdf() -> bytes:
    return pdf_of(demo(), author="A. Author")


def test_claims_pdf_a_3a_and_pdf_ua_1(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf, pdf.open_metadata() as xmp:
        assert (xmp["pdfaid:part"], xmp["pdfaid:conformance"]) == ("3", "A")
        assert xmp["pdfuaid:part"] == "1"
        assert xmp["dc:title"] == "Demo: LibriSpeech, female speakers"
        assert "A. Author" in xmp["dc:creator"]
        assert str(pdf.Root.Lang).lower() == "en-gb"
        assert pdf.Root.MarkInfo.Marked
        assert "/StructTreeRoot" in pdf.Root
        assert "/OutputIntents" in pdf.Root


def test_every_font_is_ours_and_embedded(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        fonts = [thing for thing in pdf.objects if _keys(thing).get("/Type") == "/FontDescriptor"]
        assert fonts
        for font in fonts:
            assert "Inter" in str(font.FontName)
            assert "/FontFile2" in font or "/FontFile3" in font


def test_the_evidence_is_attached(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        assert list(pdf.attachments) == ["evidence.json"]
        attached = pdf.attachments["evidence.json"]
        assert attached.get_file().read_bytes() == evidence_of(demo())
        assert attached.get_file().mime_type == "application/json"
        assert attached.description.startswith("Every figure of this report unrounded")
        assert str(attached.obj.AFRelationship) == "/Data"


def test_the_figure_has_its_alternative_text_and_is_no_bitmap(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        alternatives = [str(thing.Alt) for thing in pdf.objects if "/Alt" in _keys(thing)]
        bitmaps = [thing for thing in pdf.objects if _keys(thing).get("/Subtype") == "/Image"]
    assert len(alternatives) == 1
    assert "B2 OP (0.205, 2.39, C)" in alternatives[0]
    assert bitmaps == []


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_up_to_four_assessments_are_one_page(count: int) -> None:
    project = Project(demo().title, demo().entries[:count])
    with pikepdf.open(io.BytesIO(pdf_of(project))) as pdf:
        assert len(pdf.pages) == 1
        width, height = (float(number) for number in pdf.pages[0].MediaBox[2:])
    assert (width, height) == (pytest.approx(595.28, abs=0.1), pytest.approx(841.89, abs=0.1))


def test_says_what_was_found_and_what_was_examined(demo_pdf: bytes, tmp_path: Path) -> None:
    text = text_of(demo_pdf, tmp_path)
    for said in (
        "ZEBRA report: privacy disclosure · 2026-11-20 · A. Author",
        "B2 OP With these data an adversary gains 0.205 bit on average, 28 % of full disclosure.",
        "one wrong in about 248",
        "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e",
        "B2r/…/scores",
        "42.31 %",
        "16.337",
        "page 1 of 1",
        "zebra assess -s SCORES -k KEY --json",
        "scipy",
    ):
        assert said in text


def test_same_content_same_bytes(demo_pdf: bytes) -> None:
    assert pdf_of(demo(), author="A. Author") == demo_pdf


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_names_of_the_worst_kind_appear_as_typed(name: str, tmp_path: Path) -> None:
    project = project_of(name, title=f"title {name}")
    text = text_of(pdf_of(project, author=name), tmp_path)
    typed = report_content(project, DATE, versions()).results[0].name
    typed = "".join(c if ord(c) < 0x2000 and not "\u0590" <= c <= "\u06ff" else ascii(c)[1:-1] for c in typed)
    assert f"title {typed}".replace(" ", "") in text.replace(" ", "")
    assert "root:" not in text


def test_many_assessments_with_long_names_flow_over_pages(tmp_path: Path) -> None:
    project = project_of(*(f"{number} {HOSTILE['long']}" for number in range(40)))
    pdf = pdf_of(project)
    text = text_of(pdf, tmp_path)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        pages = len(opened.pages)
    assert 5 <= pages <= 12
    assert f"page {pages} of {pages}" in text
    # The head of the results is repeated; the last name is there in full.
    assert text.count("ROCCH-EER") >= 3
    assert f"39 {HOSTILE['long']}".replace(" ", "") in text.replace(" ", "")


def test_an_independent_reader_finds_no_fault(demo_pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(demo_pdf)
    done = subprocess.run(
        ["qpdf", "--check", str(tmp_path / "report.pdf")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _keys(thing: pikepdf.Object) -> dict[str, pikepdf.Object]:
    return dict(thing.items()) if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream) else {}
