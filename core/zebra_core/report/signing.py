"""Signing a report with PAdES, offline: as an update at the end, so that what was signed before stays."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError, OutputError
from zebra_core.files.opening import read_bounded
from zebra_core.files.writing import refuse_in_place, write_file
from zebra_core.report.attachment import MOST_BYTES
from zebra_core.report.certificates import Key, is_self_made, name_in, refuse_unfit
from zebra_core.report.signature_fields import with_fields
from zebra_core.report.signature_mark import HEIGHT, WIDTH, mark_pdf
from zebra_core.runtime.progress import Progress, no_progress

LONGEST_REASON = 200


def sign_report(
    path: Path,
    out: Path,
    key: Key,
    *,
    is_visible: bool = False,
    reason: str = "",
    overwrite: bool = False,
    on_progress: Progress = no_progress,
) -> Path:
    """Write the report with one more signature; the report itself is never changed.

    What was signed before stays as it is, byte by byte. Raises InputError for what is no report of ZEBRA or
    cannot be signed, and for a certificate that is expired or not for signing; OutputError.
    """
    if out.suffix.lower() != ".pdf":
        raise OutputError("report-format", file=out.name)
    refuse_in_place(path, out, "sign-in-place")
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    refuse_unfit(key.certificate, now)
    content = _content(path)
    on_progress(0.1)
    made = signed(content, key, path.name, is_visible=is_visible, reason=reason, when=now)
    on_progress(0.9)
    return write_file(out, made, overwrite=overwrite)


def signed(
    content: bytes,
    key: Key,
    name: str = "",
    *,
    is_visible: bool = False,
    reason: str = "",
    when: dt.datetime | None = None,
) -> bytes:
    """The PDF with one more signature at its end, whatever the certificate is good for. Raises InputError."""
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign.fields import SigSeedSubFilter
    from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner

    if len(reason) > LONGEST_REASON:
        raise InputError("sign-reason", most=LONGEST_REASON)
    when = when or dt.datetime.now(dt.UTC).replace(microsecond=0)
    content, field = with_fields(content, name, is_visible=is_visible)
    who, is_own = name_in(key.certificate), is_self_made(key.certificate)
    mark = mark_pdf(who if is_visible else "", when, reason, is_self_made=is_own)
    meta = PdfSignatureMetadata(
        field_name=field,
        md_algorithm="sha256",
        reason=reason or None,
        name=who,
        subfilter=SigSeedSubFilter.PADES,
        app_build_props=None,
    )
    try:
        signer = PdfSigner(meta, signer=key.signer, stamp_style=_style(mark))
        writer = IncrementalPdfFileWriter(io.BytesIO(content))
        made = signer.sign_pdf(writer, existing_fields_only=True, in_place=False)
    except (InputError, OutputError, MemoryError):
        raise
    except Exception as error:  # what the library raises at somebody's PDF or key has no end
        raise InputError("sign-failed", file=name, reason=str(error) or type(error).__name__) from error
    return bytes(made.getvalue())


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
    from zebra_core.report.attachment import read_evidence

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


def _is_encrypted(content: bytes) -> bool:
    from pypdf import PdfReader

    try:
        return PdfReader(io.BytesIO(content)).is_encrypted
    except Exception:  # noqa: BLE001 - broken: that is told by whoever reads it next
        return False
