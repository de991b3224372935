"""A program of its own: draws the pages of a PDF, and tells the words on them with their places.

PDFium is written in C++, and a PDF may be made for it by the other party; then it is this process that dies.
Nothing of the package is imported, for nothing of it is needed, and what is not loaded starts soon.

Input: the PDF. Argument: JSON of

    {"ppi": 110.0, "most_pixels": 12000000, "backwards": false, "modes": [null, "print"],
     "memory": BYTES, "seconds": SECONDS}

where a mode is null for a page as it is seen, "print" for one as it is printed. Answer: a message for each
page, the last page first where that is asked, then one of no length. A message is the length of what follows
as 8 bytes, JSON in points, and for each mode four bytes a pixel:

    {"number": 0, "size": [WIDTH, HEIGHT], "shape": [ROWS, COLUMNS],
     "words": [[TEXT, LEFT, BOTTOM, RIGHT, TOP], ...]}

{"broken": true} says that it is no PDF, {"too_large": NUMBER} that a page has more pixels than are asked;
either is the last message.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

Message = tuple[dict[str, Any], bytes]


def main() -> None:
    """Answer once, and end."""
    asked = json.loads(sys.argv[1])
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    import_module("pypdfium2")
    content = sys.stdin.buffer.read()
    bounds.limit_memory(asked.pop("memory"))
    bounds.limit_time(asked.pop("seconds"))
    for said, pixels in messages(content, **asked):
        encoded = json.dumps(said).encode("ascii")
        sys.stdout.buffer.write(len(encoded).to_bytes(8, "little") + encoded + pixels)
        sys.stdout.buffer.flush()
    sys.stdout.buffer.write(bytes(8))


def messages(
    content: bytes, ppi: float, most_pixels: int, *, backwards: bool, modes: Sequence[str | None]
) -> Generator[Message, None, None]:
    """What is answered, message by message, each with the bytes of its pixels."""
    import pypdfium2

    scale = ppi / 72.0
    try:
        document = pypdfium2.PdfDocument(content)
        for number in range(len(document))[:: -1 if backwards else 1]:
            page = document[number]
            width, height = page.get_size()
            if modes and width * height * scale**2 > most_pixels:
                yield {"too_large": number}, b""
                return
            drawn = [
                page.render(scale=scale, prefer_bgrx=True, rev_byteorder=True, optimize_mode=m) for m in modes
            ]
            shape = [drawn[0].height, drawn[0].width] if drawn else [0, 0]
            said = {"number": number, "size": [width, height], "shape": shape}
            said["words"] = list(_words(page.get_textpage()))
            yield said, b"".join(bytes(each.buffer) for each in drawn)
    except (pypdfium2.PdfiumError, ValueError, TypeError):
        yield {"broken": True}, b""


def _words(text: Any) -> Iterator[list[Any]]:
    """Characters of a text page, put together to words, each with the box around them."""
    import pypdfium2.raw as pdfium

    codes = (pdfium.FPDFText_GetUnicode(text, index) for index in range(text.count_chars()))
    letters = "".join(chr(code or 32) if code < 0x110000 else "\ufffd" for code in codes)
    for word in re.finditer(r"\S+", letters):
        left, bottom, right, top = zip(*(text.get_charbox(at) for at in range(*word.span())), strict=True)
        yield [word.group(), min(left), min(bottom), max(right), max(top)]


if __name__ == "__main__":
    main()
