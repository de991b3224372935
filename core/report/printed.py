"""What is printed on the pages of a PDF: words with their places, pixels, and what lies on top of them."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError

PPI = 110.0
INK = 0xD8
"""A pixel with a channel below is printed; the word behind the pages of a draft is lighter."""
MOST_PIXELS = 12_000_000  # of a page: twice A3
_POINTS = 72.0

Pixels = NDArray[np.uint8]
"""Rows from the top, columns, and red, green and blue."""


class Box(NamedTuple):
    """A rectangle in points from the lower left corner of the page, to a tenth."""

    left: float
    bottom: float
    right: float
    top: float


class Word(NamedTuple):
    """Characters without a gap, and where they stand."""

    text: str
    box: Box


class Annotation(NamedTuple):
    """What lies on a page: its kind, its place, and all that decides how it looks and what it does."""

    kind: str
    box: Box
    is_signature: bool
    details: str


@dataclass(frozen=True, eq=False)
class Printed:
    """A PDF that was opened; pages are numbered from 0."""

    document: Any
    reader: Any

    def __len__(self) -> int:
        return len(self.document)

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page in points."""
        width, height = self.document.get_page_size(number)
        return round(width, 1), round(height, 1)

    def pixels(self, number: int) -> Pixels:
        """The page as it looks. Raises InputError for one that is larger than paper is."""
        width, height = self.size(number)
        if width * height * (PPI / _POINTS) ** 2 > MOST_PIXELS:
            raise InputError("page-too-large", page=number + 1)
        page = self.document[number]
        bitmap = page.render(scale=PPI / _POINTS)
        try:
            return np.ascontiguousarray(bitmap.to_numpy()[:, :, 2::-1])
        finally:
            bitmap.close()
            page.close()

    def words(self, number: int) -> list[Word]:
        """Every word with its place, in the order of the page, seen or not."""
        page = self.document[number]
        text = page.get_textpage()
        try:
            return list(_words(text))
        finally:
            text.close()
            page.close()

    def annotations(self, number: int) -> list[Annotation]:
        """What lies on a page, in the order of the file."""
        found = self.reader.pages[number].get("/Annots")
        return [_annotation(one.get_object()) for one in (found.get_object() if found is not None else ())]


@contextmanager
def opened(content: bytes, name: str) -> Iterator[Printed]:
    """The pages of a PDF. Raises InputError for what is none, is locked, or cannot be read."""
    import pypdfium2
    from pypdf import PdfReader, apply_configuration

    try:
        with apply_configuration(jbig2dec_binary=None):
            reader = PdfReader(io.BytesIO(content))
            document = pypdfium2.PdfDocument(content)
    except MemoryError:
        raise
    except Exception as error:  # what readers raise at a file that is broken has no end
        raise InputError("report-broken", file=name) from error
    try:
        yield Printed(document, reader)
    except (pypdfium2.PdfiumError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError("report-broken", file=name) from error
    finally:
        document.close()


def _words(text: Any) -> Iterator[Word]:
    """Characters of a text page, put together to words; whoever reads them needs no library but ctypes."""
    import pypdfium2.raw as pdfium

    corners = [ctypes.c_double() for _ in range(4)]
    letters: list[str] = []
    box: Box | None = None
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, index)
        letter = chr(code) if code < 0x110000 else "\ufffd"
        left, right, bottom, top = corners
        pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        own = Box(left.value, bottom.value, right.value, top.value)
        if letter.isspace() or code == 0:
            if letters and box:
                yield _word(letters, box)
            letters, box = [], None
            continue
        letters.append(letter)
        box = own if box is None else _around(box, own)
    if letters and box:
        yield _word(letters, box)


def _word(letters: list[str], box: Box) -> Word:
    return Word("".join(letters), Box(*(round(value, 1) for value in box)))


def _around(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left),
        min(one.bottom, other.bottom),
        max(one.right, other.right),
        max(one.top, other.top),
    )


def _annotation(values: Any) -> Annotation:
    left, bottom, right, top = (round(float(value), 1) for value in values.get("/Rect", (0, 0, 0, 0)))
    box = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    parent = values.get("/Parent")
    kind = values.get("/FT") or (parent.get_object().get("/FT") if parent is not None else None)
    is_signature = values.get("/Subtype") == "/Widget" and kind == "/Sig"
    looks = ("/A", "/AA", "/Dest", "/Border", "/BS", "/C", "/F")
    details = {key: _plain(values[key]) for key in looks if key in values}
    return Annotation(
        str(values.get("/Subtype", "")), box, is_signature, f"{sorted(details.items())} {'/AP' in values}"
    )


def _plain(value: Any, depth: int = 0) -> str:
    """A value of a PDF as text that does not depend on the numbers of its objects."""
    found = value.get_object() if hasattr(value, "get_object") else value
    if depth > 3 or (isinstance(found, dict) and found.get("/Type") == "/Page"):
        return "…"
    if isinstance(found, dict):
        return str(sorted((key, _plain(found[key], depth + 1)) for key in found))
    if isinstance(found, list):
        return str([_plain(one, depth + 1) for one in found])
    return str(found)
