"""What is printed on the pages of a PDF: words with their places, and pixels."""

from __future__ import annotations

import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
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
MOST_PIXELS = 12_000_000  # of a page: twice A3
_PROGRAM = Path(printed_apart.__file__)
_CPU_SECONDS, _WAIT_SECONDS = 60.0, 180.0  # of a processor, and by the clock: hundreds of pages
_MEMORY, _MEMORY_RATIO = 1 << 30, 8
_MOST_SAID = 32 << 20  # bytes of one message but for its pixels
# What comes of an answer that is not what it should be.
_NONSENSE = (
    apart.NoAnswer,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)

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


class _Page(NamedTuple):
    words: list[Word]
    renderings: tuple[Pixels, ...] = ()  # none where the page is too large, or was not to be drawn


class PrintedDocument:
    """A PDF that was opened; pages are numbered from 0, and asked for in the order they were opened in."""

    def __init__(self, said: _PageMessages, reader: Any, name: str, *, backwards: bool) -> None:
        self.reader = reader
        self._said, self._name = said, name
        with self._trusting_nothing():
            self._sizes = [_size(one) for one in said.message()[0]["sizes"]]
        numbers = range(len(self._sizes))
        self._to_come = iter(reversed(numbers) if backwards else numbers)
        self._number, self._page = -1, _Page([])

    def __len__(self) -> int:
        return len(self._sizes)

    def share(self, done: float) -> None:
        """Say how much of the work with it is done, which is told while it keeps us waiting."""
        self._said.share(done)

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page in points."""
        return self._sizes[number]

    def pixels(self, number: int) -> Pixels:
        """The page as it looks. Raises InputError for one that is larger than paper is."""
        return self._rendering(number, 0)

    def printed(self, number: int) -> Pixels:
        """The page as it comes out of a printer; `pixels` says what is raised."""
        return self._rendering(number, 1)

    def _rendering(self, number: int, which: int) -> Pixels:
        found = self._at(number).renderings
        if not found:
            raise InputError("page-too-large", page=number + 1)
        return found[which]

    def words(self, number: int) -> list[Word]:
        """Every word with its place, in the order of the page, seen or not."""
        return self._at(number).words

    def _at(self, number: int) -> _Page:
        with self._trusting_nothing():
            while self._number != number:
                self._number = next(self._to_come, -1)
                if self._number < 0:
                    raise ValueError(number)
                self._page = self._read()
        return self._page

    def _read(self) -> _Page:
        said, pixels = self._said.message()
        if "too_large" in said:
            return _Page([])
        words = [_word(*one) for one in said["words"]]
        if "shape" not in said:
            return _Page(words)
        # Red, green and blue, and perhaps one that is not used.
        drawn = np.frombuffer(pixels, np.uint8).reshape(-1, *said["shape"])[..., :3]
        return _Page(words, tuple(map(np.ascontiguousarray, drawn)))

    @contextmanager
    def _trusting_nothing(self) -> Iterator[None]:
        try:
            yield
        except _NONSENSE as error:
            raise InputError("report-hostile", file=self._name) from error


@contextmanager
def opened(
    content: bytes,
    name: str,
    *,
    backwards: bool = False,
    renderings: int = 1,
    on_progress: Progress = no_progress,
) -> Iterator[PrintedDocument]:
    """The pages of a PDF, from the first or from the last.

    `renderings`: 0, without pixels; 1, as they are seen; 2, as they are printed, too.

    Raises InputError for what is none, is locked, or cannot be read.

    PDFium sees it in a process of its own, wherever there is a Python to start one.
    """
    from pypdf import PdfReader, apply_configuration

    try:
        with apply_configuration(jbig2dec_binary=None):
            reader = PdfReader(io.BytesIO(content))
    except MemoryError:
        raise
    except Exception as error:  # what readers raise at a file that is broken has no end
        raise InputError("report-broken", file=name) from error
    with _page_messages(content, name, on_progress, backwards=backwards, renderings=renderings) as said:
        printed = PrintedDocument(said, reader, name, backwards=backwards)
        try:
            yield printed
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError("report-broken", file=name) from error


@contextmanager
def _page_messages(
    content: bytes, name: str, on_progress: Progress, *, backwards: bool, renderings: int
) -> Iterator[_PageMessages]:
    if not apart.can_run():
        messages = printed_apart.messages(
            content, PPI, MOST_PIXELS, backwards=backwards, renderings=renderings
        )
        try:
            yield _PagesInProcess(messages, name)
        finally:
            messages.close()
        return
    asked = {
        "ppi": PPI,
        "most_pixels": MOST_PIXELS,
        "backwards": backwards,
        "renderings": renderings,
        "memory": _MEMORY + _MEMORY_RATIO * len(content),
        "seconds": _CPU_SECONDS,
    }
    given = [json.dumps(asked)]
    with apart.running(_PROGRAM, given, content, seconds=_WAIT_SECONDS, on_progress=on_progress) as answer:
        yield _PagesOutOfProcess(answer, name, renderings)


class _PageMessages(ABC):
    """Message by message, each with the bytes of its pixels. Raises InputError where it is no PDF."""

    def __init__(self, name: str) -> None:
        self._name = name

    def message(self) -> printed_apart.Message:
        """The next one."""
        said, pixels = self._next()
        if "broken" in said:
            raise InputError("report-broken", file=self._name)
        return said, pixels

    @abstractmethod
    def share(self, done: float) -> None:
        """How much of the work with the pages is done, told to whoever waits for the next message."""

    @abstractmethod
    def _next(self) -> printed_apart.Message:
        """The next message, and the bytes of its pixels."""


class _PagesInProcess(_PageMessages):
    """From this process, where there is no Python to start another one."""

    def __init__(self, messages: Iterator[printed_apart.Message], name: str) -> None:
        super().__init__(name)
        self._messages = messages

    def share(self, done: float) -> None:
        """Nobody is told: the next message is there when it is asked for."""

    def _next(self) -> printed_apart.Message:
        return next(self._messages, ({"broken": True}, b""))


class _PagesOutOfProcess(_PageMessages):
    """From the process; no byte of it is trusted, for it may be doing what the file wants it to do."""

    def __init__(self, answer: apart.ProgramOutput, name: str, renderings: int) -> None:
        super().__init__(name)
        self._answer, self._renderings = answer, renderings

    def share(self, done: float) -> None:
        self._answer.share = done

    def _next(self) -> printed_apart.Message:
        length = int.from_bytes(self._answer.read(8), "little")
        if length > _MOST_SAID:
            raise ValueError(length)
        said = json.loads(self._answer.read(length))
        if "shape" not in said:
            return said, b""
        rows, columns, channels = said["shape"]
        if not (
            0 < rows * columns <= 1.01 * MOST_PIXELS + 10_000
            and min(rows, columns) > 0
            and channels in (3, 4)
        ):
            raise ValueError(said["shape"])
        return said, self._answer.read(rows * columns * channels * self._renderings)


def _size(said: Any) -> tuple[float, float]:
    width, height = (round(float(one), 1) for one in said)
    if not (math.isfinite(width) and math.isfinite(height)):
        raise ValueError(said)
    return width, height


def _word(text: str, *box: float) -> Word:
    if not isinstance(text, str):
        raise TypeError(text)
    left, bottom, right, top = (round(float(value), 1) for value in box)
    return Word(text, Box(left, bottom, right, top))
