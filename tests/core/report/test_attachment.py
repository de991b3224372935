"""The evidence inside a PDF from somebody else: what is packed in a way that we do not know stays packed."""

import io
from pathlib import Path

import pytest
from pypdf import Configuration, PdfWriter, apply_configuration
from pypdf.generic import NameObject

from zebra_core.errors import InputError
from zebra_core.report.attachment import read_evidence


def report_packed_as(filter_name: str, folder: Path) -> Path:
    """A PDF whose attachment says that it is packed so."""
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_attachment("evidence.json", b"{}")
    for one in writer._objects:
        if one is not None and one.get("/Type") == "/EmbeddedFile":
            one[NameObject("/Filter")] = NameObject(filter_name)
    stream = io.BytesIO()
    writer.write(stream)
    (folder / "report.pdf").write_bytes(stream.getvalue())
    return folder / "report.pdf"


@pytest.mark.parametrize("filter_name", ["/JBIG2Decode", "/Nonsense"])
def test_an_attachment_that_cannot_be_unpacked_is_a_sentence(tmp_path: Path, filter_name: str) -> None:
    with pytest.raises(
        InputError, match=r"^report\.pdf is not a complete PDF\. Copy or download it again\.$"
    ):
        read_evidence(report_packed_as(filter_name, tmp_path))


def test_no_other_program_is_run_on_what_a_pdf_holds(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "jbig2dec"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\necho jbig2dec 0.20\n")
    program.chmod(0o755)
    with apply_configuration(Configuration(jbig2dec_binary=str(program))):
        with pytest.raises(InputError, match="is not a complete PDF"):
            read_evidence(report_packed_as("/JBIG2Decode", tmp_path))
        assert not ran.exists()
