"""Fuzzed, too: the pages of a PDF, whose objects stay objects while what is in them is changed."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator

_ODD = (
    *(b"0", b"1", b"-1", b"2", b"3", b"255", b"256", b"65535", b"65536", b"0.5", b"-0.0", b"1e9"),
    *(
        b"2147483647",
        b"-2147483648",
        b"4294967296",
        b"99999999999999999999",
        b"null",
        b"true",
        b"[]",
        b"<<>>",
    ),
)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_WORD = re.compile(rb"/[A-Za-z]+|\b[a-zA-Z*]{1,3}\b")
_DRAWN = (
    b"BT /F1 12 Tf 10 50 Td (one two) Tj ET",
    b"q 1 0 0 rg 0 0 200 100 re f Q 0 0 m 50 50 l 10 90 20 80 30 70 c S",
    b"q 0.5 0 0 0.5 10 10 cm /Fm1 Do Q 5 w 2 J [3 1] 0 d 20 20 100 50 re W n 1 0 1 RG 0 0 m 99 99 l S",
    b"BI /W 4 /H 4 /CS /G /BPC 8 ID 0123456789abcdef EI",
)


def mutated(content: bytes, most: int, seed: int, otherwise: Callable[[bytes, int], bytes]) -> bytes:
    """Numbers and words changed where they stand; one time in six as the fuzzer likes it."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    if rng.random() < 1 / 6:
        return otherwise(content, most)
    for _ in range(rng.choice((1, 1, 2, 3, 6, 12))):
        kind = rng.choice((_NUMBER, _NUMBER, _WORD))
        places = list(kind.finditer(content))
        if not places:
            return otherwise(content, most)
        place = rng.choice(places)
        new = rng.choice(_ODD) if kind is _NUMBER and rng.random() < 0.7 else rng.choice(places).group()
        content = content[: place.start()] + new + content[place.end() :]
    return content if len(content) <= most else otherwise(content, most)


def good() -> Iterator[bytes]:
    """Small files of one page or two, uncompressed: words, shapes, a form within a form, an image."""
    yield _made(_DRAWN[0], _DRAWN[1])
    yield from (_made(drawn) for drawn in _DRAWN)


def _made(*pages: bytes) -> bytes:
    from pypdf import PdfReader, PdfWriter  # most of what fuzzes makes no PDF
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    for drawn in pages:
        page = writer.add_blank_page(200, 100)
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        form = DecodedStreamObject()
        form.set_data(_DRAWN[0])
        fonts = DictionaryObject({NameObject("/F1"): font})
        form.update(
            {
                NameObject("/Type"): NameObject("/XObject"),
                NameObject("/Subtype"): NameObject("/Form"),
                NameObject("/BBox"): page.mediabox,
                NameObject("/Resources"): DictionaryObject({NameObject("/Font"): fonts}),
            }
        )
        forms = DictionaryObject({NameObject("/Fm1"): writer._add_object(form)})
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): fonts, NameObject("/XObject"): forms}
        )
        stream = DecodedStreamObject()
        stream.set_data(drawn)
        page[NameObject("/Contents")] = writer._add_object(stream)
    file = io.BytesIO()
    writer.write(file)
    assert len(PdfReader(file).pages) == len(pages)
    return file.getvalue()
