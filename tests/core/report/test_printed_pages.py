"""PDFium draws the pages of a PDF in a process of its own, which a file may kill or take over."""

import io
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NumberObject

from zebra_core.errors import InputError
from zebra_core.report import printed_pages
from zebra_core.report.pdf_parts import different_parts
from zebra_core.report.printed_pages import Box, Word, opened
from zebra_core.runtime import apart

_WORDS = b"BT /F 20 Tf 10 50 Td (one two) Tj ET"


def pdf(*contents: bytes, width: float = 200.0) -> bytes:
    """A PDF with a page for each of these contents, packed."""
    writer = PdfWriter()
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    for content in contents:
        page = writer.add_blank_page(width, 100.0)
        fonts = DictionaryObject({NameObject("/F"): named})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(content)
        page[NameObject("/Contents")] = writer._add_object(stream.flate_encode(9))
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def test_pages_are_told_with_their_words_and_pixels_from_either_end() -> None:
    content = pdf(_WORDS, b"1 0 0 rg 0 0 200 100 re f")
    with opened(content, "a.pdf") as there:
        assert (len(there), there.size(0), there.size(1)) == (2, (200.0, 100.0), (200.0, 100.0))
        first, words = there.pixels(0), there.words(0)
        assert there.pixels(1).shape == (153, 306, 3)
        assert (there.pixels(1) == [255, 0, 0]).all()
    assert [word.text for word in words] == ["one", "two"]
    assert 10.0 <= words[0].box.left < words[0].box.right < words[1].box.left
    assert 49.0 <= words[0].box.bottom < words[0].box.top <= 65.0
    with opened(content, "a.pdf", backwards=True) as there:
        assert (there.pixels(1) == [255, 0, 0]).all()
        assert np.array_equal(there.pixels(0), first)
        assert there.words(0) == words
    with opened(content, "a.pdf", renderings=0) as there:
        assert there.words(0) == words
        assert there.words(1) == []


def test_where_no_process_can_be_started_pages_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for can_run in (True, False):
        monkeypatch.setattr(apart, "can_run", lambda can_run=can_run: can_run)
        with opened(pdf(_WORDS), "a.pdf") as there, opened(pdf(_WORDS), "a.pdf", renderings=0) as said:
            found.append((there.size(0), there.words(0), there.pixels(0).tobytes(), said.words(0)))
    assert found[0] == found[1]
    assert found[0][3] == found[0][1]


def test_a_pdf_that_keeps_pdfium_busy_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four million rectangles fit into two hundred kilobytes; drawing them is stopped after its time."""
    monkeypatch.setattr(printed_pages, "_CPU_SECONDS", 0.0)
    hostile = pdf(b"0 0 200 100 re f " * 4_000_000)
    assert len(hostile) < 200_000
    with (
        pytest.raises(InputError, match="crashes the PDF library") as refused,
        opened(hostile, "a.pdf") as there,
    ):
        there.pixels(0)
    assert refused.value.code == "report-hostile"


@pytest.mark.parametrize(
    "answer",
    [
        "ctypes.string_at(0)",  # as where the library is overrun
        "say({'sizes': 'all'})",
        "say({'sizes': [[1e999, 1.0]]})",
        "say({'sizes': [[9, 9]]}); say({'shape': [1 << 20, 1 << 20, 3], 'words': []})",
        "say({'sizes': [[9, 9]]}); say({'shape': [-1, -1, 3], 'words': []})",
        "say({'sizes': [[9, 9]]}); say({'shape': [1, 1, 3], 'words': [[1, 2, 3, 4, 5]]}, b'abc')",
        "say({'sizes': [[9, 9]]}); say({'shape': [1, 1, 3], 'words': []}, b'a')",
        "sys.stdout.buffer.write(bytes([255]) * 100)",
    ],
)
def test_no_byte_of_the_answer_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import ctypes, json, sys\n"
        "def say(what, pixels=b''):\n"
        "    text = json.dumps(what).encode()\n"
        "    sys.stdout.buffer.write(len(text).to_bytes(8, 'little') + text + pixels)\n"
        f"sys.stdin.buffer.read()\n{answer}\n"
    )
    monkeypatch.setattr(printed_pages, "_PROGRAM", program)
    with pytest.raises(InputError) as refused, opened(pdf(b""), "a.pdf") as there:
        there.pixels(0)
    assert refused.value.code == "report-hostile"


@pytest.mark.parametrize(
    "rectangle",
    [
        pytest.param([0, 0, 10**400, 9], id="a number of 400 digits"),
        pytest.param(["/a", 0, 0, 0], id="a name"),
        pytest.param([0, 0], id="two numbers"),
    ],
)
def test_what_lies_on_a_page_is_not_trusted_either(rectangle: list[object]) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(b""))))
    numbers = ArrayObject(
        [NumberObject(one) if isinstance(one, int) else NameObject(one) for one in rectangle]
    )
    laid = DictionaryObject({NameObject("/Rect"): numbers})
    writer.pages[0][NameObject("/Annots")] = ArrayObject([laid])
    made = io.BytesIO()
    writer.write(made)
    with opened(made.getvalue(), "a.pdf") as there, opened(pdf(b""), "b.pdf") as plain:
        found: list[str] = []
        with suppress(InputError):
            found = different_parts(there.reader, plain.reader, "a.pdf")
        assert found in ([], ["Page 1: what lies on the page"])


def test_a_page_larger_than_paper_is_not_drawn() -> None:
    with opened(pdf(_WORDS, width=1e6), "a.pdf") as there:
        assert there.size(0) == (1e6, 100.0)
        with pytest.raises(InputError) as refused:
            there.pixels(0)
    assert refused.value.code == "page-too-large"


def test_what_is_no_pdf_for_pdfium_is_broken() -> None:
    with pytest.raises(InputError) as refused, opened(b"%PDF-1.7\n", "a.pdf"):
        pass
    assert refused.value.code == "report-broken"


def test_a_word_is_a_text_and_its_place() -> None:
    assert printed_pages._word("a", 1.04, 2, 3, 4.06) == Word("a", Box(1.0, 2.0, 3.0, 4.1))
