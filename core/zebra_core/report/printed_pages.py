"""What is printed on the pages of a PDF: words with their places, and pixels."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.report import printed_apart
from zebra_core.runtime import apart
from zebra_core.runtime.progress import Progress, no_progress

PPI = 110.0
INK = 0xD8
"""A pixel with a channel below is printed; the word behind the pages of a draft is lighter."""
SEEN, PRINTED = None, "print"
"""How a page can be drawn."""
_MOST_PIXELS = 12_000_000  # of a page: twice A3
_PROGRAM = Path(printed_apart.__file__)
_CPU_SECONDS, _WAIT_SECONDS = 60.0, 360.0  # of a processor, and by the clock: hundreds of pages
_MEMORY, _MEMORY_RATIO = 1 << 30, 8
_MOST_SAID = 32 << 20  # bytes of one message but for its pixels

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


class PrintedPage(NamedTuple):
    """A page: its number from 0, width and height in points, its words, seen or not, and how it was drawn."""

    number: int
    size: tuple[float, ...]
    words: list[Word]
    drawn: tuple[Pixels, ...]


def pages_of(
    content: bytes,
    name: str,
    modes: Sequence[str | None] = (),
    *,
    backwards: bool = False,
    on_progress: Progress = no_progress,
) -> Generator[PrintedPage, None, None]:
    """The pages of a PDF, from the first or from the last, drawn in these modes.

    PDFium sees it in a process of its own, wherever there is something to start one; `on_progress` is called
    while it keeps us waiting. Raises InputError for what is no PDF, is locked, or has pages that are larger
    than paper is.
    """
    how = {"ppi": PPI, "most_pixels": _MOST_PIXELS, "backwards": backwards, "modes": list(modes)}
    try:
        with _messages(content, how, on_progress) as messages:
            for said, pixels in messages:
                if "broken" in said:
                    raise InputError("report-broken", file=name)
                if "too_large" in said:
                    raise InputError("page-too-large", page=int(said["too_large"]) + 1)
                yield _page(said, pixels)
    except (
        apart.NoAnswer,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise apart.refusal(error, "report-hostile", name) from error


@contextmanager
def _messages(
    content: bytes, how: dict[str, Any], on_progress: Progress
) -> Iterator[Iterator[printed_apart.Message]]:
    if not apart.can_run():
        yield printed_apart.messages(content, **how)
        return
    limits = {"memory": _MEMORY + _MEMORY_RATIO * len(content), "seconds": _CPU_SECONDS}
    given = [json.dumps(how | limits)]
    with apart.running(_PROGRAM, given, content, seconds=_WAIT_SECONDS, on_progress=on_progress) as answer:
        yield _received(answer, len(how["modes"]))


def _received(answer: apart.ProgramOutput, renderings: int) -> Iterator[printed_apart.Message]:
    """Message by message; no byte is trusted, for the program may be doing what the file wants it to do."""
    while length := int.from_bytes(answer.read(8), "little"):
        if length > _MOST_SAID:
            raise ValueError(length)
        said = json.loads(answer.read(length))
        rows, columns = said.get("shape", (0, 0))
        if not (0 <= rows * columns <= 1.01 * _MOST_PIXELS + 10_000 and min(rows, columns) >= 0):
            raise ValueError(said["shape"])
        yield said, answer.read(4 * rows * columns * renderings)


def _page(said: dict[str, Any], pixels: bytes) -> PrintedPage:
    words = [Word(str(text), Box(*(round(float(one), 1) for one in box))) for text, *box in said["words"]]
    size = tuple(round(float(one), 1) for one in said["size"])
    if len(size) != 2 or not all(map(math.isfinite, size)):
        raise ValueError(size)
    drawn = np.frombuffer(pixels, np.uint8).reshape(-1, *said["shape"], 4) if pixels else ()
    return PrintedPage(
        int(said["number"]), size, words, tuple(np.ascontiguousarray(one[..., :3]) for one in drawn)
    )
