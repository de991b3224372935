"""The signatures of a report, checked one by one: offline, and against what came after them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from zebra_core.report.certificates import (
    TRIAL,
    can_sign,
    is_for_signing,
    is_self_made,
    is_valid_at,
    name_in,
)
from zebra_core.report.pages import seen_differences
from zebra_core.report.signing import embedded_signatures, end_of, end_of_updates
from zebra_core.report.verification import Signature
from zebra_core.runtime.progress import no_progress
from zebra_core.wording.texts import say

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate

_CLOCKS_DIFFER = dt.timedelta(hours=1)
_KINDS = ("/ETSI.CAdES.detached", "/adbe.pkcs7.detached")


def signatures_of(content: bytes, trusted: Sequence[Certificate] = ()) -> tuple[Signature, ...] | None:
    """Every signature of a PDF in the order in which they were made; None where they cannot be checked here.

    Nothing is asked of a network: whether a certificate was revoked is not known. Raises InputError for a
    PDF whose signatures cannot be read.
    """
    if not can_sign():
        return None
    found, count = embedded_signatures(content)
    statements = [_signature_status(one, content, found, trusted) for one in found]
    return (
        *statements,
        *[Signature(is_known=False)] * (count - len(statements)),
    )  # what it cannot read, it leaves out


def _signature_status(
    one: Any, content: bytes, all_found: Sequence[Any], trusted: Sequence[Certificate]
) -> Signature:
    try:
        if one.sig_object.get("/SubFilter") not in _KINDS:
            return Signature(is_known=False)
        return _checked(one, content, all_found, trusted)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - somebody else's: whatever its parts are, it cannot be checked
        return Signature(is_known=False)


def _checked(one: Any, content: bytes, all_found: Sequence[Any], trusted: Sequence[Certificate]) -> Signature:
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko.sign.validation.settings import KeyUsageConstraints
    from pyhanko.sign.validation.status import SignatureCoverageLevel
    from pyhanko_certvalidator import ValidationContext

    certificate = one.signer_cert
    claimed = _with_zone(one.self_reported_timestamp)
    # Whether somebody vouches for it is asked of the day on which it says to have been made.
    context = ValidationContext(trust_roots=list(trusted), allow_fetching=False, moment=claimed)
    status = validate_pdf_signature(
        one, context, key_usage_settings=KeyUsageConstraints(key_usage=set(), match_all_key_usages=False)
    )
    is_all_before = status.coverage in (
        SignatureCoverageLevel.ENTIRE_FILE,
        SignatureCoverageLevel.ENTIRE_REVISION,
    )
    intact = bool(status.intact and status.valid)
    altered = _altered(one, content, all_found, is_all_before=is_all_before) if intact else ()
    reason, _, record = str(one.sig_object.get("/Reason", "")).partition("\n")
    now = dt.datetime.now(dt.UTC)
    is_expired = not is_valid_at(certificate, claimed or now)
    return Signature(
        name=name_in(certificate),
        claimed=claimed,
        reason=reason,
        record=record,
        fingerprint=sha256(certificate.dump()).hexdigest(),
        is_intact=intact,
        altered=altered,
        trusted_by=_trusting(certificate, status, trusted),
        is_trust_asked=bool(trusted),
        is_self_made=is_self_made(certificate),
        is_trial=certificate.subject.native.get("organization_name") == TRIAL,
        is_expired=is_expired,
        is_ahead=claimed is not None and claimed > now + _CLOCKS_DIFFER,
        expired_since=None
        if is_expired or is_valid_at(certificate, now)
        else certificate.not_valid_after.date(),
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


def _altered(one: Any, content: bytes, all_found: Sequence[Any], *, is_all_before: bool) -> tuple[str, ...]:
    """What came after the signature and is no further signature of ours; it must cover all before it."""
    end = end_of_updates(content, end_of(one), all_found)
    if is_all_before and end == len(content):
        return ()
    return tuple(_differences(content[:end], content)) or (say("signature.something"),)


def _differences(before: bytes, after: bytes) -> list[str]:
    """What of a PDF is not as it was when it was signed."""
    return [line.about for line in seen_differences(after, before, "", no_progress)]
