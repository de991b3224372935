"""Certificates with their keys, as PKCS #12: read for one signature and forgotten, or made for trials."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import read_bounded, write_file
from zebra_core.wording.texts import dated, say

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate
    from cryptography.x509 import KeyUsage
    from pyhanko.sign.signers import SimpleSigner

MOST_BYTES = 1 << 20
TRIAL_DAYS = 365
TRIAL = "Self-made with ZEBRA for trials"
"""The organisation in a certificate that was made here; whoever reads it is told."""

_FOR_DOCUMENTS = frozenset(
    {
        "2.5.29.37.0",  # any purpose
        "1.3.6.1.5.5.7.3.4",  # protection of e-mail, as most certificates of persons have it
        "1.3.6.1.5.5.7.3.36",  # signing documents, RFC 9336
        "1.3.6.1.4.1.311.10.3.12",  # the same, before that, of Microsoft
        "1.2.840.113583.1.1.5",  # and of Adobe
    }
)


@dataclass(frozen=True, eq=False)
class Key:
    """What signs: never written, never shown."""

    signer: SimpleSigner
    certificate: Certificate

    def __repr__(self) -> str:
        return f"Key({name_in(self.certificate)!r})"


def can_sign() -> bool:
    """Whether this installation can sign: on Macs with Intel what it takes is not to be had."""
    from importlib.util import find_spec

    return find_spec("pyhanko") is not None


def require_signing() -> None:
    """Raise OutputError where this installation cannot sign."""
    if not can_sign():
        raise OutputError("signing-not-here")


def read_key(path: Path, passphrase: str) -> Key:
    """The key and the certificate of a PKCS #12 file. Raises InputError: a sentence for each thing amiss."""
    require_signing()
    from cryptography.hazmat.primitives.serialization import pkcs12
    from pyhanko.sign.signers import SimpleSigner

    content = _content(path)
    word = passphrase.encode() or None
    try:
        key, certificate, _ = pkcs12.load_key_and_certificates(content, word)
    except ValueError as error:
        is_locked = "password" in str(error).lower() or "mac" in str(error).lower()
        raise InputError("key-passphrase" if is_locked else "key-not-readable", file=path.name) from error
    except Exception as error:  # what a reader of somebody's bytes raises has no end
        raise InputError("key-not-readable", file=path.name) from error
    if key is None or certificate is None:
        raise InputError("key-without-key", file=path.name)
    signer = SimpleSigner.load_pkcs12_data(content, other_certs=[], passphrase=word)
    if signer is None or signer.signing_cert is None:
        raise InputError("key-not-readable", file=path.name)
    return Key(signer, signer.signing_cert)


def read_passphrase(path: Path) -> str:
    """The first line of a file. Raises InputError where there is none."""
    lines = _content(path).splitlines()
    try:
        word = lines[0].decode() if lines else ""
    except UnicodeDecodeError as error:
        raise InputError("passphrase-file", file=path.name) from error
    if not word:
        raise InputError("passphrase-file", file=path.name)
    return word


def read_certificate(path: Path) -> Certificate:
    """A certificate that the user trusts, PEM or DER. Raises InputError."""
    require_signing()
    from asn1crypto import pem, x509

    content = _content(path)
    try:
        if pem.detect(content):
            kind, _, content = pem.unarmor(content)
            if kind != "CERTIFICATE":
                raise InputError("certificate-not-readable", file=path.name)
        found = x509.Certificate.load(content, strict=True)
        found.native  # noqa: B018 - reads all of it
    except (ValueError, TypeError, KeyError) as error:
        raise InputError("certificate-not-readable", file=path.name) from error
    return found


def make_trial(name: str, path: Path, passphrase: str, *, overwrite: bool = False) -> Path:
    """Write a certificate with its key for trials: whoever reads a signature is told that it is self-made.

    Beside it stands the certificate alone, as PEM, which others may name as trusted. Raises OutputError.
    """
    require_signing()
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12
    from cryptography.x509.oid import NameOID

    if not name.strip() or len(name) > 60:
        raise OutputError("trial-name")
    if not passphrase:
        raise OutputError("trial-passphrase")
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, name.strip()),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, TRIAL),
        ]
    )
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=TRIAL_DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_for_signing(), critical=True)
        .sign(key, hashes.SHA256())
    )
    packed = pkcs12.serialize_key_and_certificates(
        name.encode(), key, made, None, BestAvailableEncryption(passphrase.encode())
    )
    write_file(path, packed, overwrite=overwrite, private=True)
    return write_file(path.with_suffix(".pem"), made.public_bytes(Encoding.PEM), overwrite=overwrite)


def name_in(certificate: Certificate) -> str:
    """Whom a certificate names, in its own words."""
    named = certificate.subject.native
    words = [named.get(part) for part in ("common_name", "organization_name")]
    sentences = [word if isinstance(word, str) else str(word) for word in words if word]
    return ", ".join(sentences) or str(certificate.subject.human_friendly)


def is_self_made(certificate: Certificate) -> bool:
    """Whether nobody but its owner vouches for it."""
    return certificate.self_issued in ("yes", "maybe", True)


def is_for_signing(certificate: Certificate) -> bool:
    """Whether its owner may sign documents with it; one that says nothing of its use is for every use.

    RFC 5280, 4.2.1.3, 4.2.1.9 and 4.2.1.12: a certificate that issues others is not for documents, nor is one
    whose extended usage names other purposes alone, as that of a server.
    """
    usage, purposes = certificate.key_usage_value, certificate.extended_key_usage_value
    is_usable = usage is None or bool({"digital_signature", "non_repudiation"} & usage.native)
    is_purpose = purposes is None or bool(_FOR_DOCUMENTS & {one.dotted for one in purposes})
    return is_usable and is_purpose and not certificate.ca


def is_valid_at(certificate: Certificate, when: dt.datetime) -> bool:
    """Whether it is neither expired nor not yet valid."""
    return bool(certificate.not_valid_before <= when <= certificate.not_valid_after)


def refuse_unfit(certificate: Certificate, when: dt.datetime) -> None:
    """Raise InputError for a certificate that makes no good signature now."""
    name = name_in(certificate)
    if not is_valid_at(certificate, when):
        since, until = (
            dated(day.date()) for day in (certificate.not_valid_before, certificate.not_valid_after)
        )
        raise InputError("certificate-expired", name=name, since=since, until=until)
    if not is_for_signing(certificate):
        raise InputError("certificate-not-for-signing", name=name)


def told_of(certificate: Certificate) -> str:
    """The name with what must be known about it."""
    return (
        say("signature.self-made", name=name_in(certificate))
        if is_self_made(certificate)
        else name_in(certificate)
    )


def _for_signing() -> KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _content(path: Path) -> bytes:
    return read_bounded(path, MOST_BYTES, InputError("key-not-readable", file=path.name))
