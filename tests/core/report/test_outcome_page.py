"""What came of a check, as a PDF that can be kept with the case: nothing of the outcome is left out."""

import hashlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.core.samples import HOSTILE, pdf_text
from zebra_core.errors import OutputError
from zebra_core.report.outcome_page import save_record, verification_pdf
from zebra_core.report.verification import (
    PageDifference,
    Signature,
    Verification,
    VerificationLine,
    VerificationStatus,
)
from zebra_core.wording.texts import speaking

WHEN = datetime(2026, 5, 4, 13, 14, 15, 16, tzinfo=UTC)


def verification(*statuses: VerificationStatus) -> Verification:
    checked = tuple(
        VerificationLine(f"B{number} OP", f"figure {number}", status, f"said {number}", f"found {number}")
        for number, status in enumerate(statuses)
    )
    return Verification("Case 7", checked)


def text_of(pdf: bytes, folder: Path) -> str:
    (folder / "page.pdf").write_bytes(pdf)
    return pdf_text(folder / "page.pdf", "-layout")


def test_the_page_says_of_what_when_and_with_what(tmp_path: Path) -> None:
    report = tmp_path / "report.pdf"
    report.write_bytes(b"abc")
    made = verification_pdf(report, verification(VerificationStatus.VERIFIED), [tmp_path / "data"], when=WHEN)
    text = " ".join(text_of(made, tmp_path).split())
    assert "Verification of report.pdf" in text
    assert "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" in text  # SHA-256 of "abc"
    assert "Case 7" in text
    assert "Checked 2026-05-04 13:14:15 UTC" in text
    assert "All 1 figures and files are those of the evidence." in text
    assert "Signature" in text
    assert (
        verification_pdf(report, verification(VerificationStatus.VERIFIED), [tmp_path / "data"], when=WHEN)
        == made
    )


def test_a_german_page_dates_as_germans_do_and_parts_no_name_by_a_hyphen(tmp_path: Path) -> None:
    name = "B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores of reidentification.linkage_among"
    found = Verification("Case 7", (VerificationLine(name, name, VerificationStatus.VERIFIED, name, name),))
    with speaking("de"):
        text = text_of(verification_pdf(tmp_path / "report.pdf", found, when=WHEN), tmp_path)
    assert "Geprüft 04.05.2026 13:14:15 UTC" in " ".join(text.split())
    below = text[text.index("Ergebnis") :]
    assert "enrolls" in below
    assert "\u00ad" not in below


def test_what_is_not_verified_comes_first_and_nothing_is_left_out(tmp_path: Path) -> None:
    statuses = [VerificationStatus.VERIFIED] * 70 + [
        VerificationStatus.DIFFERS,
        VerificationStatus.FILE_MISSING,
    ]
    text = text_of(verification_pdf(tmp_path / "gone.pdf", verification(*statuses), when=WHEN), tmp_path)
    assert "the file is no longer there" in text
    assert "70 verified, one differs, one without its file" in " ".join(text.split())
    assert text.index("figure 70") < text.index("figure 71") < text.index("figure 69")
    assert all(f"figure {number} " in text for number in range(72))
    assert "2 of 2" in text


@pytest.mark.parametrize("name", HOSTILE.values())
def test_names_of_the_worst_kind_are_no_markup(name: str, tmp_path: Path) -> None:
    found = Verification(name, (VerificationLine(name, name, VerificationStatus.DIFFERS, name, name),))
    made = verification_pdf(tmp_path / "report.pdf", found, when=WHEN)
    assert made.startswith(b"%PDF-")


def test_the_record_of_a_verification_has_signatures_and_what_was_not_checked(tmp_path: Path) -> None:
    (tmp_path / "r.pdf").write_bytes(b"%PDF-1.7")
    one = Signature(name="Ada", is_intact=True, is_self_made=True, altered=("Page 2",))
    line = VerificationLine("Page 2", "printed page", VerificationStatus.DIFFERS, "“tag A”", "“tag C”")
    found = Verification("Case", (line,), True, (one,))
    made = save_record(tmp_path / "r.pdf", found, [tmp_path], tmp_path / "record.pdf")
    assert [path.name for path in made] == ["record.pdf", "record.json"]
    values = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert (values["record"], values["verified"]) == ("zebra-verification", False)
    assert values["sha256"] == hashlib.sha256(b"%PDF-1.7").hexdigest()
    assert values["signatures"][0]["altered_after"] == ["Page 2"]
    assert any("revoked" in one for one in values["not_checked"])
    with pikepdf.open(tmp_path / "record.pdf") as pdf:
        assert json.loads(pdf.attachments["verification.json"].get_file().read_bytes()) == values
        with pdf.open_metadata() as xmp:
            assert (xmp["pdfaid:part"], xmp["pdfuaid:part"]) == ("3", "1")
    text = " ".join(pdf_text(tmp_path / "record.pdf").split())
    assert "Altered after signing: Page 2." in text
    assert "Whether a certificate was revoked" in text


def test_a_record_never_replaces_the_report_that_it_is_of(tmp_path: Path) -> None:
    report = tmp_path / "r.pdf"
    report.write_bytes(b"%PDF-1.7")
    with pytest.raises(OutputError, match=r"^r.pdf would be replaced by the record of its verification\. "):
        save_record(report, Verification("Case", ()), [], tmp_path / "." / "r.pdf", overwrite=True)
    assert report.read_bytes() == b"%PDF-1.7"


def test_pages_that_differ_are_shown_beside_each_other_and_of_too_many_the_number(tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (40, 20), (200, 30, 30)).save(picture, "PNG")
    there = picture.getvalue()
    picture = io.BytesIO()
    Image.new("RGB", (40, 20), (255, 255, 255)).save(picture, "PNG")
    looks = PageDifference(there, picture.getvalue())
    checked = [
        VerificationLine(f"Page {number}", "as printed", VerificationStatus.DIFFERS, looks=looks)
        for number in range(1, 15)
    ]
    made = verification_pdf(tmp_path / "gone.pdf", Verification("Case 7", tuple(checked), True), when=WHEN)
    text = " ".join(text_of(made, tmp_path).split())
    assert text.count("As it is printed") == text.count("As it was made again") == 12
    assert "Of 2 more pages that differ no pictures are shown." in text
    with pikepdf.open(io.BytesIO(made)) as opened:
        described = [str(one["/Alt"]) for one in opened.objects if _is_figure(one)]
        assert b"pdfaid" in opened.Root.Metadata.read_bytes()
    assert len(described) == 24
    assert described[0] == "Page 1, as printed: As it is printed"


def _is_figure(one: pikepdf.Object) -> bool:
    return isinstance(one, pikepdf.Dictionary) and "/Alt" in one
