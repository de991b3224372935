"""Are the printed pages those of the report? They are made again, and compared page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import ZebraError
from zebra_core.figures.png import png_of
from zebra_core.report.attachment import GivenEvidence
from zebra_core.report.certificates import can_sign
from zebra_core.report.pdf_parts import different_parts
from zebra_core.report.printed_pages import PPI, Pixels, PrintedDocument, Word, opened
from zebra_core.report.recomputation import Recomputation, contained, pages_again, why_not_made_again
from zebra_core.report.signature_updates import end_of_signed, report_in
from zebra_core.report.verification import PageDifference, VerificationLine, VerificationStatus
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.names import clauses, shortened
from zebra_core.wording.texts import say, written

_MOST_WORDS = 12  # that are told of a page
_LONGEST = 160
_AROUND = 14  # pixels around what differs, to see where it stands


def checked_pages(
    given: GivenEvidence, again: Recomputation, on_progress: Progress
) -> list[VerificationLine]:
    """One line for each page, or one that says why they were not compared. May raise Cancelled."""
    assert given.pdf is not None  # noqa: S101 - nobody asks it of evidence alone
    if reason := why_not_made_again(given.values):
        return [_not_compared(reason)]
    if not again.has_all:
        return [_not_compared(say("pages.files-missing"))]
    on_progress(0.0)
    try:
        made = contained(pages_again, given, again)
        on_progress(0.3)
        return compared_report(given.pdf, made, given.name, part_of(on_progress, 0.3, 1.0))
    except ZebraError as error:
        return [_not_compared(str(error))]


def compared_report(own: bytes, made: bytes, name: str, on_progress: Progress) -> list[VerificationLine]:
    """A report beside the one that was made again: byte by byte, and where these differ, what differs.

    Only what this program appends to sign it may follow. Raises InputError.
    """
    line = partial(VerificationLine, say("pages.file"), say("pages.bytes"), is_sentence=True)
    if not own.startswith(made):
        lines = compared_documents(report_in(own), made, name, on_progress)
        if any(one.status is not VerificationStatus.VERIFIED for one in lines):
            return [line(VerificationStatus.DIFFERS, found=say("pages.not-made-again")), *lines]
        return [line(VerificationStatus.NOT_COMPARED, found=say("pages.other-bytes")), *lines]
    end = end_of_signed(own, len(made))
    if end == len(own):
        same = say("pages.same-bytes", count=len(made))
        return [line(VerificationStatus.VERIFIED, same, same), *_verified(made, name, on_progress)]
    if not can_sign():
        unread = line(VerificationStatus.NOT_COMPARED, found=say("signature.not-here"))
        return [unread, *_verified(made, name, on_progress)]
    more = say("pages.more-bytes", count=len(own) - end)
    return [
        line(VerificationStatus.DIFFERS, found=more),
        *compared_documents(own, made, name, on_progress),
    ]


def compared_documents(own: bytes, made: bytes, name: str, on_progress: Progress) -> list[VerificationLine]:
    """Two PDFs page by page, as seen and as printed, and then all else that is in them. Raises InputError."""
    with (
        opened(own, name, renderings=2, on_progress=on_progress) as there,
        opened(made, name, renderings=2, on_progress=on_progress) as again,
    ):
        lines = _compared(there, again, on_progress)
        parts = different_parts(there.reader, again.reader, name)
    return [
        *lines,
        *(VerificationLine(part, say("pages.part"), VerificationStatus.DIFFERS) for part in parts),
    ]


def _not_compared(reason: str) -> VerificationLine:
    return VerificationLine(
        say("pages.all"), say("pages.printed"), VerificationStatus.NOT_COMPARED, found=reason
    )


def _verified(made: bytes, name: str, on_progress: Progress) -> list[VerificationLine]:
    """The pages of a PDF that is, byte for byte, the one that was made again."""
    with opened(made, name, renderings=0, on_progress=on_progress) as printed:
        checked = []
        for number in range(len(printed)):
            on_progress(number / len(printed))
            printed.share(number / len(printed))
            checked.append(_verified_page(number, printed))
        return checked


def _verified_page(number: int, printed: PrintedDocument) -> VerificationLine:
    words = say("pages.words", count=len(printed.words(number)))
    about = say("pages.page", number=number + 1)
    return VerificationLine(about, say("pages.printed"), VerificationStatus.VERIFIED, words, words)


def _compared(own: PrintedDocument, made: PrintedDocument, on_progress: Progress) -> list[VerificationLine]:
    checked = []
    if len(own) != len(made):
        count, about = say("pages.count"), say("pages.all")
        checked.append(
            VerificationLine(about, count, VerificationStatus.DIFFERS, f"{len(own)}", f"{len(made)}")
        )
    both = min(len(own), len(made))
    for number in range(both):
        on_progress(number / both)
        own.share(number / both)
        made.share(number / both)
        checked += _compared_page(number, own, made)
    return checked


def _compared_page(number: int, own: PrintedDocument, made: PrintedDocument) -> list[VerificationLine]:
    about, printed = say("pages.page", number=number + 1), say("pages.printed")
    if own.size(number) != made.size(number):
        there, again = (
            say("pages.size", width=w, height=h) for w, h in (own.size(number), made.size(number))
        )
        return [VerificationLine(about, say("pages.paper"), VerificationStatus.DIFFERS, there, again)]
    sentences: list[str] = []
    added, gone = _differing(own.words(number), made.words(number))
    looks, remade = own.pixels(number), made.pixels(number)
    where = _where_different(looks, remade)
    if not where.any():  # as seen; on paper it may be another one
        looks, remade = own.printed(number), made.printed(number)
        where = _where_different(looks, remade)
        if where.any():
            sentences.append(say("pages.only-printed"))
    if not (sentences or added or gone or where.any()):
        return [_verified_page(number, made)]
    if not (sentences or added or gone):
        sentences.append(_looks_different(where))
    recorded, found = clauses((_listed(added), *sentences)), _listed(gone)
    shown = PageDifference(*(png_of(_around(each, where)) for each in (looks, remade)))
    return [VerificationLine(about, printed, VerificationStatus.DIFFERS, recorded, found, looks=shown)]


def _differing(there: Sequence[Word], again: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The words that stand there alone, and those that are missing there, each at its place."""
    mine, others = Counter(there), Counter(again)
    return list((mine - others).elements()), list((others - mine).elements())


def _listed(words: Sequence[Word]) -> str:
    if not words:
        return ""
    text = " ".join(word.text for word in words[:_MOST_WORDS])
    return say("pages.these-words", words=shortened(text, _LONGEST), count=len(words))


def _looks_different(where: NDArray[np.bool_]) -> str:
    """Where the pixels are others, in millimetres from the upper edge."""
    rows = np.flatnonzero(where.any(axis=1)) / PPI * 25.4
    return say("pages.looks", low=written(rows[0], ".0f"), high=written(rows[-1], ".0f"))


def _where_different(looks: Pixels, remade: Pixels) -> NDArray[np.bool_]:
    """The pixels that are others. Most pages are the same, which is seen much sooner."""
    if np.array_equal(looks, remade):
        return np.zeros(looks.shape[:2], np.bool_)
    return np.asarray((looks != remade).any(axis=2))


def _around(pixels: Pixels, where: NDArray[np.bool_]) -> Pixels:
    """The part of a page in which something differs; all of it where nothing does that can be seen."""
    if not where.any():
        return pixels
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    return pixels[
        max(0, rows[0] - _AROUND) : rows[-1] + _AROUND + 1,
        max(0, columns[0] - _AROUND) : columns[-1] + _AROUND + 1,
    ]
