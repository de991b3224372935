"""The PDF report: archivable, accessible, with the evidence inside, the same bytes every time."""

import datetime as dt
import io
import re
import subprocess
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from tests.core.project.test_report_settings import PNG, SVG
from tests.core.samples import HOSTILE, demo_assessments, demo_material, pdf_text, project_of
from tests.programs import needed
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Logo, Paper, ReportSettings, Section
from zebra_core.report.content import report_content
from zebra_core.report.document import Cell, SectionContent, TableBlock, TableColumn
from zebra_core.report.export import made_pdf, make_report
from zebra_core.report.pdf import forget_drawn, report_pages, report_pdf
from zebra_core.version import versions

DATE = dt.date(2026, 11, 20)


def pdf_of(project: Project, author: str = "") -> bytes:
    return made_pdf(make_report(gather(project), date=DATE, author=author))


def text_of(pdf: bytes, folder: Path) -> str:
    """The text on one line."""
    (folder / "report.pdf").write_bytes(pdf)
    return re.sub(r"\s+", " ", pdf_text(folder / "report.pdf"))


@pytest.fixture(scope="module")
def demo_pdf() -> bytes:
    return pdf_of(demo_assessments(), author="A. Author")


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


def test_nothing_that_stands_in_a_table_runs_into_its_neighbour(demo_pdf: bytes) -> None:
    document = pypdfium2.PdfDocument(demo_pdf)
    found = [words_that_overlap(page.get_textpage()) for page in document]
    assert len(found) > 10
    assert [pair for page in found for pair in page] == []


def test_strengths_and_their_bars_are_not_torn_apart_in_heads_of_columns(
    demo_pdf: bytes, tmp_path: Path
) -> None:
    (tmp_path / "demo.pdf").write_bytes(demo_pdf)
    lines = pdf_text(tmp_path / "demo.pdf").splitlines()
    assert "|log10 LR|" in lines
    assert not [line for line in lines if line.endswith((", |", "log10"))]
    assert not {"LR", "LR|", "log10 LR|"} & set(lines)


def test_numbers_and_names_are_found_and_copied_as_they_are(demo_pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "demo.pdf").write_bytes(demo_pdf)
    text = pdf_text(tmp_path / "demo.pdf")
    assert not re.findall("[\u200b-\u200f\u2060-\u2064\ufeff]", text)
    # A word that a line parts has a soft hyphen there, as PDF/UA has it; no number and no name has one.
    assert not re.findall(r"\S*[\d/_.]\S*\xad", text)
    for whole in ("0.0001", "10.1016/j.csl.2021.101299", "10.21437/Interspeech.2025-1699", "B1w/…/scores"):
        assert re.search(rf"(?<!\S){re.escape(whole)}(?!\w)", text), whole


def words_that_overlap(text: Any) -> list[tuple[str, str]]:
    """Runs of text on one line of which one begins before the other ends; formulas are set closer."""
    boxes = [text.get_rect(number) for number in range(text.count_rects())]
    lying = [box for box in boxes if box[3] - box[1] < 20.0]  # what is higher lies across the page
    pairs = [
        tuple(text.get_text_bounded(*box).strip() for box in (one, other))
        for one, other in combinations(lying, 2)
        if min(one[2], other[2]) - max(one[0], other[0]) > 0.5
        and min(one[3], other[3]) - max(one[1], other[1]) > 1.5
    ]
    return [(one, other) for one, other in pairs if max(one + other, default="") < "\U0001d400"]


def test_every_font_is_embedded_and_known(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        fonts = [thing for thing in pdf.objects if _keys(thing).get("/Type") == "/FontDescriptor"]
        assert fonts
        for font in fonts:
            name = str(font.FontName)
            assert "Inter" in name or "NewCMMath" in name  # the second sets the formulas
            assert "/FontFile2" in font or "/FontFile3" in font


def test_evidence_schema_and_tables_are_attached(demo_pdf: bytes) -> None:
    made = make_report(demo_material(demo_assessments()), date=DATE, author="A. Author")
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        found = {name: spec.get_file() for name, spec in pdf.attachments.items()}
        assert sorted(found) == ["evidence.json", "evidence.schema.json", "results.csv", "results.md"]
        assert found["evidence.json"].read_bytes() == made.evidence
        assert found["results.csv"].read_bytes() == made.tables["results.csv"]
        assert found["results.md"].read_bytes() == made.tables["results.md"]
        assert found["evidence.json"].mime_type == "application/json"
        attached = pdf.attachments["evidence.json"]
        assert attached.description.startswith("Every figure of this report unrounded")
        assert str(attached.obj.AFRelationship) == "/Data"
        assert str(pdf.docinfo.Keywords) == f"evidence-sha256:{sha256(made.evidence).hexdigest()}, draft"


def test_bookmarks_lead_to_every_section(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf, pdf.open_outline() as outline:
        assert [item.title.split(" ", 1)[-1] for item in outline.root] == [
            section.heading for section in Section
        ]


def test_tables_have_heads_that_readers_can_name(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        tags = [str(_keys(thing)["/S"]) for thing in pdf.objects if "/S" in _keys(thing)]
    assert tags.count("/Table") == 14
    assert tags.count("/TH") == 6 + 8 + 7 + 8 + 7 + 7 + 6 + 9 + 6 + 3 + 5 + 6 + 9 + 4
    assert tags.count("/Formula") == 9
    assert tags.count("/Figure") >= 9


def test_every_figure_and_formula_has_its_alternative_text_and_nothing_is_a_bitmap(demo_pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        alternatives = [str(thing.Alt) for thing in pdf.objects if "/Alt" in _keys(thing)]
        bitmaps = [thing for thing in pdf.objects if _keys(thing).get("/Subtype") == "/Image"]
    assert sum("B2 OP (0.205, 2.39, C)" in alternative for alternative in alternatives) == 1
    assert sum("63 speakers" in alternative for alternative in alternatives) >= 6
    assert sum(alternative.startswith("Formula: ") for alternative in alternatives) == 9
    assert bitmaps == []


@pytest.mark.parametrize(
    ("paper", "size"), [(Paper.A4, (595.28, 841.89)), (Paper.LETTER, (612.0, 792.0))], ids=["A4", "Letter"]
)
def test_both_sizes_of_paper(paper: Paper, size: tuple[float, float]) -> None:
    project = replace(project_of("a"), report=ReportSettings(paper=paper))
    with pikepdf.open(io.BytesIO(pdf_of(project))) as pdf:
        boxes = [tuple(float(number) for number in page.MediaBox[2:]) for page in pdf.pages]
    assert all(box == pytest.approx(size, abs=0.1) for box in boxes)


@pytest.mark.parametrize("content", [PNG, SVG], ids=["PNG", "SVG"])
def test_a_logo_keeps_the_report_archivable(content: bytes) -> None:
    project = replace(project_of("a"), report=ReportSettings(logo=Logo(content), signers=("A. B.",)))
    with pikepdf.open(io.BytesIO(pdf_of(project))) as pdf:
        assert any("Logo" in str(_keys(thing).get("/Alt", "")) for thing in pdf.objects)


def test_a_preview_has_the_pages_and_where_the_figures_are(demo_pdf: bytes) -> None:
    made = make_report(demo_material(demo_assessments()), date=DATE, author="A. Author")
    preview = report_pages(made.content, 40.0)
    with pikepdf.open(io.BytesIO(demo_pdf)) as pdf:
        assert len(preview.pages) == len(pdf.pages)
    assert all(page.startswith(b"\x89PNG") for page in preview.pages)
    answer, scale, ladder, ece, *speakers = preview.pictures
    assert (answer.topic, answer.page) == ("answer", 1)
    assert (scale.topic, ladder.topic) == ("overview", "overview")
    assert (ece.topic, ece.entry_id) == ("ece", demo_assessments().entries[0].id)
    assert 0.0 < ece.top < ece.bottom < 841.89
    assert [place.topic for place in speakers] == ["people", "people", *["zoo", "speakers"] * 3]
    pages = [place.page for place in speakers[2:]]
    assert pages == [first for k in range(3) for first in [pages[0] + k] * 2]  # a page for each safeguard


def test_says_what_was_found_and_what_was_examined(demo_pdf: bytes, tmp_path: Path) -> None:
    text = text_of(demo_pdf, tmp_path)
    for said in (
        "ZEBRA report: privacy disclosure",
        "B2 OP With these data an attacker gains 0.20 bit on average, 28 % of full disclosure.",
        "The figures weigh what comparisons say for the first proposition",
        "63",
        "odds of about 250 to 1",
        "e0027c39a054c9aef01a39a1d47f70f3",
        "babe4af2ae78d2ccb43762632c039d4e",
        "B2r/…/scores",
        "28 %",
        "page 2 of ",
        "zebra assess -s SCORES -k KEY --json",
        "scipy",
    ):
        assert said in text


def test_same_content_same_bytes(demo_pdf: bytes) -> None:
    forget_drawn()
    assert pdf_of(demo_assessments(), author="A. Author") == demo_pdf


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_names_of_the_worst_kind_appear_as_typed(name: str, tmp_path: Path) -> None:
    report = ReportSettings(case=name, question=name, notes={Section.DATA: name}, signers=(name, "x"))
    project = replace(project_of(name, title=f"title {name}"), report=report)
    text = text_of(pdf_of(project, author=name), tmp_path)
    typed = report_content(gather(project), DATE, versions()).results[0].name
    typed = "".join(c if ord(c) < 0x2000 and not "\u0590" <= c <= "\u06ff" else ascii(c)[1:-1] for c in typed)
    # One of these ends with a hyphen, which pdftotext takes for a parted word where a line ends.
    assert f"title {typed}".replace(" ", "").removesuffix("-") in text.replace(" ", "")
    assert "root:" not in text


def test_many_assessments_with_long_names_flow_over_pages(tmp_path: Path) -> None:
    project = project_of(*(f"{number} {HOSTILE['long']}" for number in range(36)))
    pdf = pdf_of(project)
    text = text_of(pdf, tmp_path)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        pages = len(opened.pages)
    assert 12 <= pages <= 40
    assert f"page {pages} of {pages}" in text
    # The head of the results is repeated; the last name is there in full.
    assert text.count("ROCCH") >= 5
    assert f"35 {HOSTILE['long']}".replace(" ", "") in text.replace(" ", "")


@pytest.mark.parametrize(("letter", "count"), [("W", 33_000), ("ł", 20_000), ("\U0001f600", 4000)])
def test_words_longer_than_a_pdf_can_keep_as_one_are_set(letter: str, count: int) -> None:
    words = dict.fromkeys(("dataset", "attacker", "recogniser"), letter * (count // 40))
    project = project_of(letter * (count // 4), title=letter * (count // 4))
    project = project.replacing(*(replace(one, **words) for one in project.items))
    with pikepdf.open(io.BytesIO(pdf_of(project, author=letter * count))) as opened:
        assert str(opened.docinfo["/Author"]).startswith(
            letter.encode("unicode_escape").decode() if count < 5000 else letter
        )


def test_an_independent_reader_finds_no_fault(demo_pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(demo_pdf)
    done = subprocess.run(
        [needed("qpdf"), "--check", str(tmp_path / "report.pdf")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _keys(thing: pikepdf.Object) -> dict[str, pikepdf.Object]:
    return dict(thing.items()) if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream) else {}


def test_what_is_computed_of_a_test_stays_on_its_line(demo_pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "demo.pdf").write_bytes(demo_pdf)
    assert not [line for line in pdf_text(tmp_path / "demo.pdf").splitlines() if line.endswith("(p =")]


def test_a_long_table_leaves_no_row_or_two_alone_on_a_page(tmp_path: Path) -> None:
    content = make_report(gather(replace(project_of("a"), report=ReportSettings()))).content
    columns = (TableColumn("Assessment", is_text=True, share=1.0), TableColumn("Bits"))
    for count in range(38, 48):
        rows = tuple((Cell(f"row{number}x"), Cell("0.1")) for number in range(count))
        section = SectionContent(Section.DATA, (TableBlock(columns, rows, "Rows."),))
        (tmp_path / "report.pdf").write_bytes(report_pdf(replace(content, answer=(), sections=(section,))))
        pages = [len(re.findall(r"row\d+x", page)) for page in pdf_text(tmp_path / "report.pdf").split("\f")]
        assert sum(pages) == count
        assert all(there == 0 or there >= 3 for there in pages), pages


def test_the_appendix_begins_on_a_page_of_its_own(demo_pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(demo_pdf)
    pages = pdf_text(tmp_path / "report.pdf").split("\f")
    (page,) = [page for page in pages if re.search(r"12\s+Appendix: settings", page) and ". . ." not in page]
    assert "References" not in page
    hashes = [number for number, text in enumerate(pages) if "e0027c39a054c9aef01a39a1d47f70f3" in text]
    assert min(hashes) >= pages.index(page)
