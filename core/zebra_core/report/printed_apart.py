"""A program of its own: draws the pages of a PDF, and tells the words on them with their places.

PDFium is written in C++, and a PDF may be made for it by the other party; then it is this process that dies.
Nothing of the package is imported, for nothing of it is needed, and what is not loaded starts soon.

Input: the PDF. Argument: JSON of

    {"ppi": 110.0, "most_pixels": 12000000, "backwards": false, "renderings": 1,
     "memory": BYTES, "seconds": SECONDS}

Answer: messages, each the length of what follows as 8 bytes, JSON, and the bytes of its pixels. The first is
{"sizes": [[WIDTH, HEIGHT], ...]} in points, then one for each page follows, the last page first where that
is asked: {"shape": [ROWS, COLUMNS, CHANNELS], "words": [[TEXT, LEFT, BOTTOM, RIGHT, TOP], ...]}, and
{"too_large": true} for a page of more pixels than are asked. With two renderings the pixels of the page as it
is seen come first, then those of the page as it is printed; with none there is no "shape", and there are no
pixels. {"broken": true} says that it is no PDF, and is the last message.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

Message = tuple[dict[str, Any], bytes]
Messages = Generator[Message, None, None]


def main() -> None:
    """Answer once, and end."""
    asked = json.loads(sys.argv[1])
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    import_module("pypdfium2")
    content = sys.stdin.buffer.read()
    bounds.limit_memory(asked["memory"])
    bounds.limit_time(asked["seconds"])
    out = sys.stdout.buffer
    how = {name: asked[name] for name in ("backwards", "renderings")}
    for said, pixels in messages(content, asked["ppi"], asked["most_pixels"], **how):
        encoded = json.dumps(said).encode("ascii")
        out.write(len(encoded).to_bytes(8, "little") + encoded + pixels)
        out.flush()


def messages(content: bytes, ppi: float, most_pixels: int, *, backwards: bool, renderings: int) -> Messages:
    """What is answered, message by message, each with the bytes of its pixels."""
    import pypdfium2

    scale = ppi / 72.0
    try:
        document = pypdfium2.PdfDocument(content)
    except (pypdfium2.PdfiumError, ValueError, TypeError):
        yield {"broken": True}, b""
        return
    try:
        sizes = [document.get_page_size(number) for number in range(len(document))]
        yield {"sizes": sizes}, b""
        numbers = range(len(sizes))
        for number in reversed(numbers) if backwards else numbers:
            width, height = sizes[number]
            if width * height * scale**2 > most_pixels:
                yield {"too_large": True}, b""
            elif renderings:
                yield _page_content(document, number, scale, renderings)
            else:
                yield _said(document, number)
    except pypdfium2.PdfiumError:
        yield {"broken": True}, b""
    finally:
        document.close()


def _page_content(document: Any, number: int, scale: float, renderings: int) -> Message:
    """What is on one page, as it is seen, and perhaps as it is printed."""
    page = document[number]
    text = page.get_textpage()
    try:
        drawn = [_rendered(page, scale, mode) for mode in (None, "print")[:renderings]]
        return {"shape": drawn[0][0], "words": list(_words(text))}, b"".join(pixels for _, pixels in drawn)
    finally:
        text.close()
        page.close()


def _rendered(page: Any, scale: float, mode: str | None) -> tuple[list[int], bytes]:
    """Rows, columns and channels of a page, and its pixels."""
    bitmap = page.render(scale=scale, rev_byteorder=True, optimize_mode=mode)
    try:
        rows, columns, channels = bitmap.height, bitmap.width, bitmap.n_channels
        pixels, stride = bytes(bitmap.buffer), bitmap.stride
        if stride != columns * channels:
            starts = range(0, rows * stride, stride)
            pixels = b"".join(pixels[start : start + columns * channels] for start in starts)
        return [rows, columns, channels], pixels
    finally:
        bitmap.close()


def _said(document: Any, number: int) -> Message:
    """The words on one page alone, in half the time."""
    page = document[number]
    text = page.get_textpage()
    try:
        return {"words": list(_words(text))}, b""
    finally:
        text.close()
        page.close()


def _words(text: Any) -> Iterator[list[Any]]:
    """Characters of a text page, put together to words; whoever reads them needs no library but ctypes."""
    import pypdfium2.raw as pdfium

    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    letters: list[str] = []
    box: list[float] = []
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, index)
        letter = chr(code) if code < 0x110000 else "\ufffd"
        pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        if letter.isspace() or code == 0:
            if letters:
                yield ["".join(letters), *box]
            letters = []
            continue
        own = [left.value, bottom.value, right.value, top.value]
        box = _around(box, own) if letters else own
        letters.append(letter)
    if letters:
        yield ["".join(letters), *box]


def _around(one: list[float], other: list[float]) -> list[float]:
    return [
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    ]


if __name__ == "__main__":
    main()
