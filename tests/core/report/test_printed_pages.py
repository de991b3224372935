"""PDFium draws the pages of a PDF in a process of its own, which a file may kill or take over."""

import io
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from zebra_core.errors import InputError
from zebra_core.report import printed_pages
from zebra_core.report.printed_pages import PRINTED, SEEN, Box, Word, pages_of
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
    first, second = pages_of(content, "a.pdf", (SEEN, PRINTED))
    assert [one.number for one in (first, second)] == [0, 1]
    assert first.size == second.size == (200.0, 100.0)
    assert [one.shape for one in second.drawn] == [(153, 306, 3)] * 2
    assert (second.drawn[0] == [255, 0, 0]).all()
    assert [word.text for word in first.words] == ["one", "two"]
    one, two = (word.box for word in first.words)
    assert 10.0 <= one.left < one.right < two.left
    assert 49.0 <= one.bottom < one.top <= 65.0
    last, again = pages_of(content, "a.pdf", (SEEN,), backwards=True)
    assert [last.number, again.number] == [1, 0]
    assert np.array_equal(again.drawn[0], first.drawn[0])
    undrawn = list(pages_of(content, "a.pdf"))
    assert [(page.words, page.drawn) for page in undrawn] == [(first.words, ()), ([], ())]


def test_where_no_process_can_be_started_pages_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for can_run in (True, False):
        monkeypatch.setattr(apart, "can_run", lambda can_run=can_run: can_run)
        (page,) = pages_of(pdf(_WORDS), "a.pdf", (SEEN,))
        found.append((page.size, page.words, page.drawn[0].tobytes()))
    assert found[0] == found[1]


def test_a_pdf_that_keeps_pdfium_busy_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four million rectangles fit into two hundred kilobytes; drawing them is stopped after its time."""
    monkeypatch.setattr(printed_pages, "_CPU_SECONDS", 0.0)
    hostile = pdf(b"0 0 200 100 re f " * 4_000_000)
    assert len(hostile) < 200_000
    with pytest.raises(
        InputError, match="may be slow or busy with other work, or the file may be"
    ) as refused:
        list(pages_of(hostile, "a.pdf", (SEEN,)))
    assert refused.value.code == "took-too-long"


@pytest.mark.parametrize(
    "answer",
    [
        "ctypes.string_at(0)",  # as where the library is overrun
        "say({'size': 'all'})",
        "say({'number': 0, 'size': [1e999, 1.0], 'shape': [1, 1], 'words': []}, b'abcd')",
        "say({'number': 0, 'size': [9, 9], 'shape': [1 << 20, 1 << 20], 'words': []})",
        "say({'number': 0, 'size': [9, 9], 'shape': [-1, -1], 'words': []})",
        "say({'number': 0, 'size': [9, 9], 'shape': [1, 1], 'words': [[1, 'a', 3, 4, 5]]}, b'abcd')",
        "say({'number': 0, 'size': [9, 9], 'shape': [1, 1], 'words': []}, b'a')",
        "say({'number': 0, 'size': [9, 9], 'shape': [1, 1], 'words': []}, b'abcd')",  # and no end
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
    with pytest.raises(InputError) as refused:
        list(pages_of(pdf(b""), "a.pdf", (SEEN,)))
    assert refused.value.code == "report-hostile"


def test_a_page_larger_than_paper_is_not_drawn() -> None:
    content = pdf(_WORDS, width=1e6)
    (page,) = pages_of(content, "a.pdf")
    assert page.size == (1e6, 100.0)
    with pytest.raises(InputError) as refused:
        list(pages_of(content, "a.pdf", (SEEN,)))
    assert refused.value.code == "page-too-large"


def test_what_is_no_pdf_is_broken() -> None:
    with pytest.raises(InputError) as refused:
        list(pages_of(b"%PDF-1.7\n", "a.pdf"))
    assert refused.value.code == "report-broken"


def test_a_word_is_a_text_and_its_place() -> None:
    said = {"number": 0, "size": [9, 9], "shape": [0, 0], "words": [["a", 1.04, 2, 3, 4.06]]}
    (word,) = printed_pages._page(said, b"").words
    assert word == Word("a", Box(1.0, 2.0, 3.0, 4.1))
