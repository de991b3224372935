"""Is the file that of the report? It is made again: the bytes decide, and what is seen to differ is shown."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from itertools import zip_longest

import numpy as np

from zebra_core.errors import ZebraError
from zebra_core.figures.png import png_of
from zebra_core.report.attachment import GivenEvidence, attachments_of
from zebra_core.report.certificates import can_sign
from zebra_core.report.printed_pages import PRINTED, SEEN, Pixels, PrintedPage, pages_of
from zebra_core.report.recomputation import Recomputation, contained, pages_again, why_not_made_again
from zebra_core.report.signing import end_of_signed, report_in
from zebra_core.report.verification import PageDifference, VerificationLine, VerificationStatus
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import say

_DIFFERS = partial(VerificationLine, status=VerificationStatus.DIFFERS)
_AROUND = 14  # pixels around what differs, to see where it stands


def checked_pages(
    given: GivenEvidence, again: Recomputation, on_progress: Progress
) -> list[VerificationLine]:
    """Whether it is the file made again, what is seen to differ, or why not compared. May raise Cancelled."""
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
    """A report beside the one that was made again: byte by byte, and where these differ, what is seen to.

    Only what this program appends to sign it may follow. Raises InputError.
    """
    line = partial(VerificationLine, say("pages.file"), say("pages.bytes"), is_sentence=True)
    if not own.startswith(made):
        found = seen_differences(report_in(own), made, name, on_progress)
        code = "pages.not-made-again" if found else "pages.unseen"
        return [line(VerificationStatus.DIFFERS, found=say(code)), *found]
    end = end_of_signed(own, len(made))
    if end == len(own):
        same = say("pages.same-bytes", count=len(made))
        return [line(VerificationStatus.VERIFIED, same, same)]
    if not can_sign():
        return [line(VerificationStatus.NOT_COMPARED, found=say("signature.not-here"))]
    more = line(VerificationStatus.DIFFERS, found=say("pages.more-bytes", count=len(own) - end))
    return [more, *seen_differences(own, made, name, on_progress)]


def seen_differences(own: bytes, made: bytes, name: str, on_progress: Progress) -> list[VerificationLine]:
    """What of two PDFs can be seen to differ: pages, on the screen or on paper, and attachments.

    Raises InputError for a file that cannot be read.
    """
    lines: list[VerificationLine] = []
    done = 0.0
    draw = partial(pages_of, modes=(SEEN, PRINTED), on_progress=lambda _share: on_progress(done))
    with closing(draw(own, name)) as there, closing(draw(made, name)) as again:
        for one, other in zip_longest(there, again):
            done = min(1.0, done + 0.01)
            if one is None or other is None:
                lines.append(_DIFFERS(say("pages.all"), say("pages.count")))
                break
            lines += _seen_difference(one, other)
    names = sorted({attached for attached, _ in attachments_of(own, name) ^ attachments_of(made, name)})
    return [*lines, *(_DIFFERS(say("pages.attachment", name=each), say("pages.part")) for each in names)]


def _seen_difference(one: PrintedPage, other: PrintedPage) -> list[VerificationLine]:
    """A line with the two pages where they look different, on the screen or on paper alone."""
    for looks, remade, code in zip(
        one.drawn, other.drawn, ("pages.looks", "pages.only-printed"), strict=True
    ):
        if not np.array_equal(looks, remade):
            shown = PageDifference(*map(png_of, _around(looks, remade)))
            about = say("pages.page", number=one.number + 1)
            return [_DIFFERS(about, say("pages.printed"), recorded=say(code), looks=shown)]
    return []


def _around(looks: Pixels, remade: Pixels) -> tuple[Pixels, Pixels]:
    """The part of two pages in which something differs; all of them where they are not of one size."""
    if looks.shape != remade.shape:
        return looks, remade
    where = (looks != remade).any(axis=2)
    rows, columns = (np.flatnonzero(where.any(axis=axis)) for axis in (1, 0))
    part = tuple(slice(max(0, one[0] - _AROUND), one[-1] + _AROUND + 1) for one in (rows, columns))
    return looks[part], remade[part]


def _not_compared(reason: str) -> VerificationLine:
    return VerificationLine(
        say("pages.all"), say("pages.printed"), VerificationStatus.NOT_COMPARED, found=reason
    )
