"""The signatures of a report, checked one by one: offline, and against what came after them."""

from __future__ import annotations

import datetime as dt
import io
import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from zebra_core.errors import InputError
from zebra_core.report.certificates import (
    TRIAL,
    can_sign,
    is_for_signing,
    is_self_made,
    is_valid_at,
    name_in,
)
from zebra_core.report.pages import compared_pages
from zebra_core.report.printed_pages import PrintedDocument, opened
from zebra_core.report.signature import Signature
from zebra_core.report.verification import VerificationStatus
from zebra_core.runtime.progress import no_progress
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate

_KINDS = ("/ETSI.CAdES.detached", "/adbe.pkcs7.detached")


def signatures_of(content: bytes, trusted: Sequence[Certificate] = ()) -> tuple[Signature, ...] | None:
    """Every signature of a PDF in the order in which they were made; None where they cannot be checked here.

    Nothing is asked of a network: whether a certificate was revoked is not known. Raises InputError for a
    PDF whose signatures cannot be read.
    """
    if not can_sign():
        return None
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.fields import enumerate_sig_fields

    logging.getLogger("pyhanko").setLevel(logging.CRITICAL)
    logging.getLogger("pyhanko_certvalidator").setLevel(logging.CRITICAL)
    try:
        reader = PdfFileReader(io.BytesIO(content), strict=False)
        found = reader.embedded_signatures
        count = sum(value is not None for _, value, _ in enumerate_sig_fields(reader))
    except MemoryError:
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("signatures-not-readable", reason=str(error) or type(error).__name__) from error
    statements = [_signature_status(one, content, trusted) for one in found]
    return (
        *statements,
        *[Signature(is_known=False)] * (count - len(statements)),
    )  # what it cannot read, it leaves out


def _signature_status(one: Any, content: bytes, trusted: Sequence[Certificate]) -> Signature:
    try:
        if one.sig_object.get("/SubFilter") not in _KINDS:
            return Signature(is_known=False)
        return _checked(one, content, trusted)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - somebody else's: whatever its parts are, it cannot be checked
        return Signature(is_known=False)


def _checked(one: Any, content: bytes, trusted: Sequence[Certificate]) -> Signature:
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko.sign.validation.settings import KeyUsageConstraints
    from pyhanko.sign.validation.status import SignatureCoverageLevel
    from pyhanko_certvalidator import ValidationContext

    certificate = one.signer_cert
    context = ValidationContext(trust_roots=list(trusted), allow_fetching=False)
    status = validate_pdf_signature(
        one, context, key_usage_settings=KeyUsageConstraints(key_usage=set(), match_all_key_usages=False)
    )
    claimed = _with_zone(status.signer_reported_dt)
    is_whole = status.coverage is SignatureCoverageLevel.ENTIRE_FILE
    intact = bool(status.intact and status.valid)
    altered = () if is_whole or not intact else _altered(one, status, content)
    return Signature(
        name=name_in(certificate),
        claimed=claimed,
        reason=str(one.sig_object.get("/Reason", "")),
        fingerprint=sha256(certificate.dump()).hexdigest(),
        is_intact=intact,
        altered=altered,
        trusted_by=_trusting(certificate, status, trusted),
        is_trust_asked=bool(trusted),
        is_self_made=is_self_made(certificate),
        is_trial=certificate.subject.native.get("organization_name") == TRIAL,
        is_expired=not is_valid_at(certificate, claimed or dt.datetime.now(dt.UTC)),
        is_for_signing=is_for_signing(certificate),
    )


def _with_zone(claimed: dt.datetime | None) -> dt.datetime | None:
    """A time; PDF lets its zone be left out, and then it is taken for that of Greenwich."""
    return claimed.replace(tzinfo=dt.UTC) if claimed and claimed.tzinfo is None else claimed


def _trusting(certificate: Certificate, status: Any, trusted: Sequence[Certificate]) -> str:
    """The name of the certificate that vouches for it; empty where none does."""
    if any(one.dump() == certificate.dump() for one in trusted):
        return name_in(certificate)
    if status.trusted and status.validation_path is not None:
        root = status.validation_path.trust_anchor.authority
        return str(root.name.human_friendly)
    return ""


def _altered(one: Any, status: Any, content: bytes) -> tuple[str, ...]:
    """What came after the signature and is no further signature."""
    from pyhanko.sign.diff_analysis import ModificationLevel

    harmless = (ModificationLevel.NONE, ModificationLevel.LTA_UPDATES, ModificationLevel.FORM_FILLING)
    if status.modification_level in harmless:
        return ()
    return tuple(_differences(content[: max(_ends(one))], content)) or (say("signature.something"),)


def _ends(one: Any) -> list[int]:
    """Where the parts of the file that it covers end."""
    numbers = [int(number) for number in one.byte_range]
    return [start + length for start, length in zip(numbers[::2], numbers[1::2], strict=True)]


def _differences(before: bytes, after: bytes) -> list[str]:
    """What of a PDF is not as it was when it was signed: pages, and what is attached."""
    differences = [
        line.about
        for line in compared_pages(after, before, "", no_progress)
        if line.status is not VerificationStatus.VERIFIED
    ]
    with opened(before, "") as one, opened(after, "") as other:
        there = {(each.name, sha256(each.content).hexdigest()) for each in one.reader.attachment_list}
        again = {(each.name, sha256(each.content).hexdigest()) for each in other.reader.attachment_list}
        differences += [
            say("signature.attachment", name=name) for name in sorted({name for name, _ in there ^ again})
        ]
        if _said_of(one) != _said_of(other):
            differences.append(say("signature.metadata"))
    return list(dict.fromkeys(differences))


def _said_of(printed: PrintedDocument) -> dict[str, str]:
    """What a PDF says of itself, but for the program that wrote it last, and when."""
    values = dict(printed.reader.metadata or {})
    return {name: str(value) for name, value in values.items() if name not in ("/Producer", "/ModDate")}
