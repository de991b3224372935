"""Signing a report with PAdES, offline: as an update at the end, so that what was signed before stays."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import read_bounded, refuse_in_place, write_file
from zebra_core.report.attachment import MOST_BYTES, read_evidence
from zebra_core.report.certificates import Key, can_sign, is_self_made, name_in, refuse_unfit
from zebra_core.report.signature_fields import (
    FIELD,
    HEIGHT,
    WIDTH,
    fields_added,
    language_of,
    mark_pdf,
    update_of,
    with_fields,
)
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.version import VERSION
from zebra_core.wording.texts import say, speaking

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate


LONGEST_REASON, LONGEST_RECORD = 200, 600
"""Of the reason that somebody gives, and of that with what is recorded below it."""

_DIGEST = "sha256"


@dataclass(frozen=True, eq=False)
class SignatureStatement:
    """What a signature says: in which of our fields, by whose certificate, when, why; whether on paper.

    The first line of the reason is that of who signs, what follows is recorded by the program.
    """

    field: str
    certificate: Certificate
    when: dt.datetime
    reason: str = ""
    is_visible: bool = False


def sign_report(
    path: Path,
    out: Path,
    key: Key,
    *,
    is_visible: bool = False,
    reason: str = "",
    replaces: Path | None = None,
    overwrite: bool = False,
    on_progress: Progress = no_progress,
) -> Path:
    """Write the report with one more signature; the report itself is never changed.

    What was signed before stays as it is, byte by byte. With its reason the signature records the version of
    ZEBRA, the SHA-256 of `path`, and that of the signed report which it replaces, if any.
    Raises InputError for what is no report of ZEBRA or
    cannot be signed, and for a certificate that is expired or not for signing; OutputError.
    """
    if out.suffix.lower() != ".pdf":
        raise OutputError("report-format", file=out.name)
    refuse_in_place(path, out, "sign-in-place")
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    refuse_unfit(key.certificate, now)
    content, replaced = _content(path), _sha256_of_signed(replaces) if replaces else ""
    on_progress(0.1)
    made = signed(content, key, path.name, is_visible=is_visible, reason=reason, replaced=replaced, when=now)
    on_progress(0.9)
    return write_file(out, made, overwrite=overwrite)


def signed(
    content: bytes,
    key: Key,
    name: str = "",
    *,
    is_visible: bool = False,
    reason: str = "",
    replaced: str = "",
    when: dt.datetime | None = None,
) -> bytes:
    """The PDF with one more signature at its end, whatever the certificate is good for. Raises InputError.

    `replaced` is the SHA-256 of the signed report that it replaces.
    """
    if len(reason) > LONGEST_REASON:
        raise InputError("sign-reason", most=LONGEST_REASON)
    when = when or dt.datetime.now(dt.UTC).replace(microsecond=0)
    with speaking(language_of(content)):
        record = say("sign.record", version=VERSION, sha256=sha256(content).hexdigest())
        record += f" {say('sign.record-replaces', sha256=replaced)}" if replaced else ""
    content, field = with_fields(content, name, is_visible=is_visible)
    said = f"{' '.join(reason.split())}\n{record}"
    statement = SignatureStatement(field, key.certificate, when, said, is_visible)
    try:
        return asyncio.run(_signed(content, statement, key))
    except (InputError, OutputError, MemoryError):
        raise
    except Exception as error:  # what the library raises at somebody's PDF or key has no end
        raise InputError("sign-failed", file=name, reason=str(error) or type(error).__name__) from error


async def _signed(content: bytes, statement: SignatureStatement, key: Key) -> bytes:
    # A signature of zeros says how much room it takes: two digits for each byte, and half as much again.
    tried = await key.signer.async_sign(bytes(32), _DIGEST, use_pades=True, dry_run=True)
    room = 3 * len(tried.dump()) // 2 * 2
    embedding, digest, output = _prepared(content, statement, room)
    embedding.send(await key.signer.async_sign(digest, _DIGEST, use_pades=True))
    return bytes(output.getvalue())


def before_signing(content: bytes, statement: SignatureStatement, room: int) -> bytes:
    """The PDF with all that signing adds to it, but the signature: so many zeros are in its place."""
    _, _, output = _prepared(content, statement, room)
    return bytes(output.getvalue())


def _prepared(content: bytes, statement: SignatureStatement, room: int) -> tuple[Any, bytes, io.BytesIO]:
    """What takes the signature, what is to be signed, and the PDF as it is until then."""
    from pyhanko.sign.fields import SigSeedSubFilter
    from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigAppearanceSetup, SigIOSetup, SigObjSetup
    from pyhanko.sign.signers.pdf_byterange import SignatureObject

    who, when = name_in(statement.certificate), statement.when
    with speaking(language_of(content)):
        mark = mark_pdf(
            who if statement.is_visible else "",
            when,
            statement.reason.partition("\n")[0],
            is_self_made=is_self_made(statement.certificate),
        )
    writer = update_of(content)
    embedding = PdfCMSEmbedder().write_cms(statement.field, writer, existing_fields_only=True)
    next(embedding)
    placeholder = SignatureObject(
        timestamp=when,
        subfilter=SigSeedSubFilter.PADES,
        name=who,
        reason=statement.reason or None,
        bytes_reserved=room,
    )
    embedding.send(SigObjSetup(placeholder, appearance_setup=SigAppearanceSetup(_style(mark), when, who)))
    prepared, output = embedding.send(SigIOSetup(_DIGEST))
    return embedding, prepared.document_digest, output


def _style(mark: bytes) -> Any:
    """What a signature looks like: a page that was set by ourselves, in our font."""
    from pyhanko.pdf_utils.content import RawContent
    from pyhanko.pdf_utils.layout import AxisAlignment, BoxConstraints, InnerScaling, SimpleBoxLayoutRule
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.stamp import StaticStampStyle

    class Mark(RawContent):
        """The page as it stands in the PDF that is signed."""

        def render(self) -> bytes:
            page, writer = PdfFileReader(io.BytesIO(mark)), self.writer
            assert writer is not None  # noqa: S101 - whoever draws it has set it
            self.resources.xobject["/Mark"] = writer.import_page_as_xobject(page)
            return b"/Mark Do"

    return StaticStampStyle(
        background=Mark(b"", box=BoxConstraints(WIDTH, HEIGHT)),
        background_layout=SimpleBoxLayoutRule(
            AxisAlignment.ALIGN_MIN, AxisAlignment.ALIGN_MID, inner_content_scaling=InnerScaling.NO_SCALING
        ),
        border_width=0,
        background_opacity=1.0,
    )


def _content(path: Path) -> bytes:
    """A report of ours. Raises InputError."""
    content = read_bounded(path, MOST_BYTES, InputError("sign-no-report", file=path.name))
    if not content.startswith(b"%PDF-"):
        raise InputError("sign-no-report", file=path.name)
    if b"/Encrypt" in content and _is_encrypted(content):
        raise InputError("sign-encrypted", file=path.name)
    if b"%%EOF" not in content[-1024:]:
        raise InputError("sign-truncated", file=path.name)
    try:
        read_evidence(path)
    except InputError as error:
        if error.code == "report-without-evidence":
            raise InputError("sign-no-report", file=path.name) from error
        raise
    return content


def _sha256_of_signed(path: Path) -> str:
    """The hash of a report that is signed. Raises InputError."""
    from pypdf import PdfReader

    content = _content(path)
    try:
        fields = PdfReader(io.BytesIO(content)).get_fields() or {}
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("report-broken", file=path.name) from error
    if not any(field.get("/FT") == "/Sig" and "/V" in field for field in fields.values()):
        raise InputError("sign-replaces-unsigned", file=path.name)
    return sha256(content).hexdigest()


def _is_encrypted(content: bytes) -> bool:
    from pypdf import PdfReader

    try:
        return PdfReader(io.BytesIO(content)).is_encrypted
    except Exception:  # noqa: BLE001 - broken: that is told by whoever reads it next
        return False


# Whether what was appended to a report signs it and does nothing else: made again, and compared by bytes.


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
