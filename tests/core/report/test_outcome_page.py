"""What came of a check, as a PDF that can be kept with the case: nothing of the outcome is left out."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.core.samples import HOSTILE, pdf_text
from zebra_core.report.checked import Checked, Status, Verification
from zebra_core.report.outcome_page import verification_pdf

WHEN = datetime(2026, 5, 4, 13, 14, 15, 16, tzinfo=UTC)


def verification(*statuses: Status) -> Verification:
    checked = tuple(
        Checked(f"B{number} OP", f"figure {number}", status, f"said {number}", f"found {number}")
        for number, status in enumerate(statuses)
    )
    return Verification("Case 7", checked)


def text_of(pdf: bytes, folder: Path) -> str:
    (folder / "page.pdf").write_bytes(pdf)
    return pdf_text(folder / "page.pdf", "-layout")


def test_the_page_says_of_what_when_and_with_what(tmp_path: Path) -> None:
    report = tmp_path / "report.pdf"
    report.write_bytes(b"abc")
    made = verification_pdf(report, verification(Status.VERIFIED), [tmp_path / "data"], when=WHEN)
    text = " ".join(text_of(made, tmp_path).split())
    assert "Verification of report.pdf" in text
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in text  # SHA-256 of "abc"
    assert "Case 7" in text
    assert "Checked 2026-05-04 13:14:15 UTC" in text
    assert "files and figures are those of the report" in text
    assert "Signature" in text
    assert verification_pdf(report, verification(Status.VERIFIED), [tmp_path / "data"], when=WHEN) == made


def test_what_is_not_verified_comes_first_and_nothing_is_left_out(tmp_path: Path) -> None:
    statuses = [Status.VERIFIED] * 70 + [Status.DIFFERS, Status.FILE_MISSING]
    text = text_of(verification_pdf(tmp_path / "gone.pdf", verification(*statuses), when=WHEN), tmp_path)
    assert "the file is no longer there" in text
    assert "70 verified, one differs, one without its file" in " ".join(text.split())
    assert text.index("figure 70") < text.index("figure 71") < text.index("figure 69")
    assert all(f"figure {number} " in text for number in range(72))
    assert "2 of 2" in text


@pytest.mark.parametrize("name", HOSTILE.values())
def test_names_of_the_worst_kind_are_no_markup(name: str, tmp_path: Path) -> None:
    found = Verification(name, (Checked(name, name, Status.DIFFERS, name, name),))
    made = verification_pdf(tmp_path / "report.pdf", found, when=WHEN)
    assert made.startswith(b"%PDF-")
