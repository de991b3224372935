"""Printed pages are compared with pages made again: what was painted over is found, on its page."""

import datetime as dt
import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import zebra_resources
from tests.core.samples import demo, demo_material
from zebra_core.errors import InputError
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report import tables
from zebra_core.report.attachment import GivenEvidence, read_evidence
from zebra_core.report.export import made_pdf, make_report, save_report
from zebra_core.report.pages import checked_pages, compared_report
from zebra_core.report.pdf import forget_drawn
from zebra_core.report.recomputation import Recomputation
from zebra_core.report.tables import results_csv
from zebra_core.report.verification import Verification, VerificationLine, VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.runtime.progress import no_progress

DATE = dt.date(2026, 11, 20)
DATA = zebra_resources.path("demo")
WORDS = ReportSettings(
    case="2026/17",
    author="A",
    signers=("A", "B"),
    notes={Section.DATA: "Said *twice*.", Section.METHOD: "Out."},
)
for _section in (Section.METHOD, Section.GLOSSARY, Section.REFERENCES, Section.LIMITATIONS, Section.RESULTS):
    WORDS = WORDS.ticking(_section, ticked=False)


def painted(content: bytes, number: int, stream: bytes) -> bytes:
    """The report with something drawn over one of its pages; nothing else is touched."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[number - 1]
        page.contents_add(b"q Q " + stream)
        return saved(pdf)


def saved(pdf: pikepdf.Pdf) -> bytes:
    stream = io.BytesIO()
    pdf.save(stream)
    return stream.getvalue()


def with_words(content: bytes, number: int, text: str) -> bytes:
    """The report with a white bar and words on it, as everybody's program for PDFs can do it."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[number - 1]
        font = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
            )
        )
        page.Resources.Font["/Other"] = font
        bar = b"q 1 g 60 500 300 20 re f BT 0 g /Other 11 Tf 62 505 Td (" + text.encode() + b") Tj ET Q"
        page.contents_add(bar)
        return saved(pdf)


def said() -> Project:
    """The demo with everything that a user can say of it."""
    words = {"attacker": "lazy-informed", "recogniser": "ECAPA", "back_end": "PLDA", "notes": "As of May."}
    last = replace(demo().entries[-1], **words)
    return replace(demo().replacing(last), title="Case", report=WORDS)


ASKED = {
    "name": "r",
    "figure": "d_ece",
    "sense": "at_most",
    "bound": 0.1,
    "no_worse_than": "",
    "tag": "",
    "confidence": 0.95,
    "scope": {"datasets": [], "conditions": [], "attackers": [], "safeguards": []},
    "why": "",
    "set_by": "",
    "recorded": "before",
}


SCORES = "e1 t1 2.5\ne1 t2 0.5\ne2 t1 -1.0\ne2 t2 1.5\n"
KEY = "e1 t1 target\ne1 t2 nontarget\ne2 t1 nontarget\ne2 t2 target\n"


class Given:
    """One report of the demo with everything that was computed again of its files."""

    def __init__(self, folder: Path) -> None:
        self.path = save_report(demo_material(said()), folder / "report.pdf", date=DATE, author="C")
        self.content = self.path.read_bytes()
        forget_drawn()  # who verifies draws in a process of their own
        self.evidence = read_evidence(self.path)
        self.verified, self.again = verify_keeping(self.path)

    def compared(self, pdf: bytes) -> list[VerificationLine]:
        """Page by page; the file itself, and what is in it besides, have their own tests."""
        lines = compared_report(pdf, self.content, "report.pdf", no_progress)
        assert lines[0].about == "The file itself"
        return [line for line in lines[1:] if line.what != "in the file"]

    def checked(self, pdf: bytes, **said: object) -> list[VerificationLine]:
        values = {**self.evidence.values, **said}
        given = GivenEvidence("report.pdf", values, self.evidence.content, self.evidence.seal, pdf)
        return checked_pages(given, replace(self.again, values=values), no_progress)


def verify_keeping(path: Path) -> tuple[Verification, Recomputation]:
    """The verification, and all that was computed for it."""
    made: list[Recomputation] = []

    def kept(*given: object) -> Recomputation:
        made.append(Recomputation(*given))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zebra_core.report.verify.Recomputation", kept)
        return verify(path, [DATA]), made[0]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    return Given(tmp_path_factory.mktemp("pages"))


def test_a_good_report_is_verified_by_its_bytes(given: Given) -> None:
    assert given.verified.is_verified
    assert given.verified.summary == (
        f"All {len(given.verified.checked)} figures, files and pages are those of the evidence. "
        "As stated, not checked: names and date, author, case, notes, who is to sign, attackers, which side "
        "was protected, notes on scores, choices about files, who made it (no signature). Differs from the "
        "standard report: no sections “Method”, “Results”, “Limitations: what this does not show”, "
        "“Glossary”, “References”; no intervals."
    )
    last = given.verified.checked[-1]
    assert (last.about, last.what) == ("The file itself", "made again, byte by byte")


def test_two_makings_of_one_report_are_equal_bit_by_bit(given: Given) -> None:
    material = demo_material(said())
    forget_drawn()
    assert made_pdf(make_report(material, date=DATE, author="C")) == given.content


def test_words_painted_over_a_page_are_told_on_that_page_and_no_other(given: Given) -> None:
    checked = given.compared(with_words(given.content, 2, "0.002 bit, tag A"))
    (wrong,) = (one for one in checked if one.status is not VerificationStatus.VERIFIED)
    assert (wrong.about, wrong.what, wrong.status) == ("Page 2", "printed page", VerificationStatus.DIFFERS)
    assert wrong.recorded == "looks different"
    assert wrong.looks is not None
    sizes = {Image.open(io.BytesIO(each)).size for each in (wrong.looks.there, wrong.looks.again)}
    assert len(sizes) == 1
    assert wrong.looks.there != wrong.looks.again


def test_what_is_shown_of_a_page_is_where_it_differs(given: Given) -> None:
    (wrong,) = given.compared(painted(given.content, 3, b"q 0.9 0.1 0.1 rg 60 772 200 14 re f Q"))
    assert (wrong.about, wrong.recorded) == ("Page 3", "looks different")
    assert wrong.looks is not None
    width, height = Image.open(io.BytesIO(wrong.looks.there)).size
    assert abs(width - 200 * 110 / 72 - 28) <= 3
    assert abs(height - 14 * 110 / 72 - 28) <= 3


def test_words_that_nobody_sees_make_another_file(given: Given) -> None:
    hidden = b"BT 3 Tr /f0 1 Tf 100 100 Td <00010002> Tj ET"
    with pikepdf.open(io.BytesIO(given.content)) as pdf:
        name = next(iter(pdf.pages[0].Resources.Font.keys()))
    forged = painted(given.content, 1, hidden.replace(b"/f0", str(name).encode()))
    (wrong,) = compared_report(forged, given.content, "report.pdf", no_progress)
    assert (wrong.about, wrong.status) == ("The file itself", VerificationStatus.DIFFERS)
    assert wrong.found.startswith("Something that is not seen differs")


def test_a_note_laid_on_a_page_is_told_where_it_is_seen(given: Given) -> None:
    with pikepdf.open(io.BytesIO(given.content)) as pdf:
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Square, Rect=[100, 100, 200, 120], C=[1, 0, 0]
        )
        page = pdf.pages[3]
        page.Annots = pikepdf.Array([*page.get("/Annots", []), pdf.make_indirect(note)])
        content = saved(pdf)
    (page_line,) = given.compared(content)
    assert (page_line.about, page_line.recorded) == ("Page 4", "looks different")


def test_a_page_that_was_taken_out_is_missed(given: Given) -> None:
    with pikepdf.open(io.BytesIO(given.content)) as pdf:
        del pdf.pages[-1]
        content = saved(pdf)
    (wrong,) = (one for one in given.compared(content) if one.status is VerificationStatus.DIFFERS)
    assert (wrong.about, wrong.what) == ("Pages", "number of pages")


def test_a_page_turned_or_cut_is_shown_whole(given: Given) -> None:
    with pikepdf.open(io.BytesIO(given.content)) as pdf:
        pdf.pages[1].Rotate = 90
        content = saved(pdf)
    (wrong,) = (one for one in given.compared(content) if one.status is VerificationStatus.DIFFERS)
    assert (wrong.about, wrong.recorded) == ("Page 2", "looks different")
    assert wrong.looks is not None
    sizes = [Image.open(io.BytesIO(each)).size for each in (wrong.looks.there, wrong.looks.again)]
    assert sizes[0] == sizes[1][::-1]


@pytest.mark.parametrize(
    ("name", "word"),
    [("zebra", "zebra 0.0.9 then"), ("typst", "typst 0.0.9 then"), ("commit", "commit 0.0.9 then")],
)
def test_pages_of_another_version_are_not_compared(given: Given, name: str, word: str) -> None:
    other = {**given.evidence.values["versions"], name: "0.0.9"}
    (line,) = given.checked(given.content, versions=other)
    assert line.status is VerificationStatus.NOT_COMPARED
    assert word in line.found


def test_pages_in_other_fonts_are_not_compared(given: Given) -> None:
    pages = {**given.evidence.values["pages"], "fonts": "0" * 64}
    (line,) = given.checked(given.content, pages=pages)
    assert (line.status, line.found) == (
        VerificationStatus.NOT_COMPARED,
        "The pages are set in other fonts than this version has.",
    )


def test_pages_that_need_a_missing_file_are_not_compared(given: Given) -> None:
    again = replace(given.again, entries={})
    (line,) = checked_pages(given.evidence, again, no_progress)
    assert line.status is VerificationStatus.NOT_COMPARED
    assert "only if all files are there" in line.found


@pytest.mark.parametrize("date", ["2026-13-45", "0000-00-00"])
def test_evidence_of_a_day_that_no_calendar_has_is_refused(given: Given, tmp_path: Path, date: str) -> None:
    path = tmp_path / "evidence.json"
    path.write_text(json.dumps({**given.evidence.values, "date": date}), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_evidence(path)
    assert (refused.value.code, refused.value.facts["at"]) == ("evidence-broken", "date")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"requirements": [{**ASKED, "bound": "x"}]}, id="a bound that is none"),
        pytest.param({"requirements": [{**ASKED, "figure": "tag", "confidence": None}]}, id="no letter"),
        pytest.param({"requirements": [ASKED, ASKED]}, id="a requirement twice"),
        pytest.param({"title": "\ud800" * 40}, id="a title that is no text"),
    ],
)
def test_evidence_that_makes_no_sense_is_told_and_no_fault(given: Given, said: dict[str, object]) -> None:
    lines = given.checked(given.content, **said)
    assert any(line.status is not VerificationStatus.VERIFIED for line in lines)


def test_notes_of_sections_that_are_left_out_are_not_given_away(given: Given) -> None:
    assert given.evidence.values["pages"]["report"]["notes"] == {"data": "Said *twice*."}
    assert "Out." not in json.dumps(given.evidence.values)


def test_files_under_other_names_make_the_same_pages(given: Given, tmp_path: Path) -> None:
    for number, path in enumerate(sorted(path for path in DATA.rglob("*") if path.is_file())):
        (tmp_path / f"file{number}").write_bytes(path.read_bytes())
    found = verify(given.path, [tmp_path])
    assert found.is_verified, [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]


def test_a_summary_is_made_again_as_a_summary(tmp_path: Path) -> None:
    path = save_report(demo_material(), tmp_path / "brief.pdf", date=DATE, is_summary=True)
    assert verify(path, [DATA]).is_verified


@pytest.mark.parametrize(("factor", "is_verified"), [(1 + 2e-16, True), (1 + 1e-6, False)])
def test_a_table_of_another_processor_may_differ_in_its_last_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, factor: float, is_verified: bool
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(tables, "results_csv", lambda found: nudged(results_csv(found), factor))
        path = save_report(demo_material(), tmp_path / "elsewhere.pdf", date=DATE)

    assert nudged(results_csv(compare(demo())), factor) != results_csv(compare(demo()))
    assert verify(path, [DATA]).is_verified is is_verified


def nudged(table: str, factor: float) -> str:
    """The table with its unrounded figures multiplied."""
    return re.sub(r"\b0\.\d{14,}\b", lambda found: repr(float(found[0]) * factor), table)


def test_a_report_of_a_python_that_keeps_no_docstrings_is_verified(tmp_path: Path) -> None:
    case = tmp_path / "case"
    case.mkdir()
    (case / "scores.txt").write_text(SCORES)
    (case / "key.txt").write_text(KEY)
    program = "import sys; from zebra_gui.program import main; sys.argv[0] = 'zebra'; main()"
    made = [sys.executable, "-OO", "-c", program, "report", str(case), "-o", str(tmp_path / "made.pdf")]
    subprocess.run(made, check=True, capture_output=True)

    found = verify(tmp_path / "made.pdf", [case])

    assert found.is_verified, [one for one in found.checked if one.status is VerificationStatus.DIFFERS]
