"""Whether what was appended to a report signs it and does nothing else: made again, and compared by bytes."""

from __future__ import annotations

import datetime as dt
import io
import logging
import re
from collections.abc import Iterator, Sequence
from typing import Any

from zebra_core.errors import InputError
from zebra_core.report.certificates import can_sign
from zebra_core.report.signature_fields import FIELD, fields_added
from zebra_core.report.signing import LONGEST_RECORD, SignatureStatement, before_signing

_END = b"%%EOF\n"
_MOST_ROOM = 1 << 16  # digits of a signature with its certificates
_BLANKS_OF_RANGE = 62  # between the brackets that hold the four numbers, and after them
# What is new whenever an update is written: the second identifier, its date in three places, the signature.
_DATE = rb"D\\072\d{14}(?:Z|\\05[35]\d\d\\047\d\d(?:\\047)?)"
_WRITTEN_ONCE = re.compile(
    rb"(?<=> <)[0-9a-f]{32}(?=> \]\n/Prev )"
    rb"|(?<=/ModDate \()" + _DATE + rb"(?=\))"
    rb'|(?<= xmp:ModifyDate=")[0-9T:+-]{19,25}Z?(?=")'
    rb"|(?<=/Contents <)[0-9A-F]+(?=>\n/ByteRange \[)"
)
_OFFSET = re.compile(rb"(?<=\n)(\d{10})(?= 00000 n \n)|(?<=\nstartxref\n)(\d+)(?=\n%%EOF\n)")
_RANGE = re.compile(rb"(?<=/ByteRange )\[0 (\d+) (\d+) \d+\] *")


def end_of_signed(content: bytes, report: int) -> int:
    """Up to which byte a PDF is a report of that many bytes and what this program appends to sign it.

    Raises InputError where its signatures cannot be read.
    """
    return end_of_updates(content, report, embedded_signatures(content)[0]) if can_sign() else report


def report_in(content: bytes) -> bytes:
    """The report without the signatures that this program appended; all of it where others are among them.

    Raises InputError where its signatures cannot be read.
    """
    return content[: _report_end(content, embedded_signatures(content)[0])] if can_sign() else content


def embedded_signatures(content: bytes) -> tuple[list[Any], int]:
    """The signatures that can be read, in their order, and how many there are."""
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.fields import enumerate_sig_fields

    logging.getLogger("pyhanko").setLevel(logging.CRITICAL)
    logging.getLogger("pyhanko_certvalidator").setLevel(logging.CRITICAL)
    try:
        reader = PdfFileReader(io.BytesIO(content), strict=False)
        found = list(reader.embedded_signatures)
        return found, sum(value is not None for _, value, _ in enumerate_sig_fields(reader))
    except MemoryError:
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("signatures-not-readable", reason=str(error) or type(error).__name__) from error


def end_of_updates(content: bytes, start: int, signatures: Sequence[Any]) -> int:
    """Up to which byte `content` is, from `start` on, what this program appends to sign a report.

    The first `start` bytes are a whole PDF. Every update is made again of what stands before it: our empty
    fields where there are none, then signature by signature, each with its name, its place and what it looks
    like. Only what nobody can make again may differ: the signature itself, dates, an identifier, and the
    numbers that follow from their length. `signatures` are those that pyHanko found, in their order.
    """
    position = start
    after_start = [one for one in signatures if end_of(one) > start]
    try:
        if after_start and len(after_start) == len(
            signatures
        ):  # none was there yet, and so no fields for any
            position = _end_if_same(content, position, fields_added(content[:position], ""))
        for one in after_start:
            end = end_of(one)
            if not any(
                _end_if_same(content, position, each) == end for each in _made_again(content[:position], one)
            ):
                break
            position = end
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - what was appended is somebody else's, and its readers raise anything
        return position
    return position


def _report_end(content: bytes, signatures: Sequence[Any]) -> int:
    """Where the report ends and our signatures begin; its whole length where something else follows."""
    first = content.find(b"%%EOF") + len(b"%%EOF")
    for start in (first, first + 1):
        if 0 < start < len(content) and end_of_updates(content, start, signatures) == len(content):
            return start
    return len(content)


def end_of(one: Any) -> int:
    """Where in the file that ends which a signature covers."""
    _, _, second, length = (int(number) for number in one.byte_range)
    return second + length


def _update_end(content: bytes, start: int) -> int:
    return content.find(_END, start) + len(_END)


def _made_again(before: bytes, one: Any) -> Iterator[bytes]:
    """What signing makes of the PDF before it, but for the signature: with a mark on paper, and without."""
    reason = str(one.sig_object.get("/Reason", ""))
    # The time that is told of it, which may be signed elsewhere: the mark and the entry must say the same.
    when = one.self_reported_timestamp.astimezone(dt.UTC)
    room = 2 * len(one.pkcs7_content)
    if len(reason) <= LONGEST_RECORD and room <= _MOST_ROOM and str(one.field_name).startswith(FIELD):
        for is_visible in (True, False):
            statement = SignatureStatement(one.field_name, one.signer_cert, when, reason, is_visible)
            yield before_signing(before, statement, room)


def _end_if_same(content: bytes, start: int, again: bytes) -> int:
    """Where the update ends that is the one made again; `start` where it is another one."""
    end = _update_end(content, start)
    return end if content[start:end] == _with_its_own_values(again, content[start:end], start) else start


def _with_its_own_values(again: bytes, update: bytes, start: int) -> bytes:
    """The update that was made again, with what only the other one can know, and the numbers that follow."""
    own = list(_WRITTEN_ONCE.finditer(again, start))
    others = [one.group() for one in _WRITTEN_ONCE.finditer(update)]
    if len(own) != len(others):
        return b""
    made, position, moved = bytearray(), start, []
    for mine, other in zip(own, others, strict=True):
        made += again[position : mine.start()] + other
        position = mine.end()
        moved.append((position, len(other) - len(mine.group())))
    made += again[position:]

    def at(offset: int) -> int:
        return offset + sum(by for place, by in moved if place <= offset)

    def moved_offset(found: re.Match[bytes]) -> bytes:
        return b"%0*d" % (len(found.group()) if found[1] else 0, at(int(found.group())))

    def moved_range(found: re.Match[bytes]) -> bytes:
        first, second = at(int(found[1])), at(int(found[2]))
        written = b"[0 %d %d %d]" % (first, second, start + len(made) - second)
        return written.ljust(_BLANKS_OF_RANGE)

    return _RANGE.sub(moved_range, _OFFSET.sub(moved_offset, bytes(made)))
