"""Signing: an update, tagged, by several; told as intact, broken, altered, expired; beside pdfsig's words."""

import datetime as dt
import io
import re
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from cryptography.x509.oid import NameOID

from tests.core.samples import demo, demo_material
from tests.programs import needed
from zebra_core.errors import InputError, OutputError, ZebraError
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report import certificates
from zebra_core.report.attachment import read_evidence
from zebra_core.report.certificates import Key, make_trial, read_certificate, read_key
from zebra_core.report.export import save_report
from zebra_core.report.pages import compared_report
from zebra_core.report.printed_pages import pages_of
from zebra_core.report.signature_fields import HEIGHT
from zebra_core.report.signatures import signatures_of
from zebra_core.report.signing import sign_report, signed
from zebra_core.report.verification import Signature, VerificationStatus
from zebra_core.runtime.progress import no_progress
from zebra_core.version import VERSION

BRIEF = ReportSettings(signers=("Ada", "Bob"))
for _section in Section:
    BRIEF = BRIEF.ticking(_section, ticked=_section is Section.QUESTION)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("signing")


@pytest.fixture(scope="module")
def report(folder: Path) -> bytes:
    material = demo_material(replace(demo(), report=BRIEF))
    return save_report(material, folder / "report.pdf", date=dt.date(2026, 11, 20)).read_bytes()


@pytest.fixture(scope="module")
def ada(folder: Path) -> Key:
    make_trial("Ada Examiner", folder / "ada.p12", "geheim")
    return read_key(folder / "ada.p12", "geheim")


@pytest.fixture(scope="module")
def bob(folder: Path) -> Key:
    make_trial("Bob Reviewer", folder / "bob.p12", "still")
    return read_key(folder / "bob.p12", "still")


@pytest.fixture(scope="module")
def once(report: bytes, ada: Key) -> bytes:
    return signed(report, ada, is_visible=True, reason="I made it")


@pytest.fixture(scope="module")
def twice(once: bytes, bob: Key) -> bytes:
    return signed(once, bob)


def issued(
    folder: Path,
    name: str,
    *,
    days: tuple[int, int] = (-1, 30),
    signs: bool = True,
    issues: bool = False,
    purposes: Sequence[x509.ObjectIdentifier] = (),
) -> Key:
    """A key whose certificate another one vouches for, valid between these days from now."""
    root, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    who, by = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (name, "Court"))
    now = dt.datetime.now(dt.UTC)

    def certificate(subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, ca: bool) -> x509.Certificate:
        usage = dict.fromkeys(
            (
                "key_encipherment",
                "data_encipherment",
                "key_agreement",
                "crl_sign",
                "encipher_only",
                "decipher_only",
            ),
            False,
        )
        usage |= {"digital_signature": signs and not ca, "content_commitment": False, "key_cert_sign": ca}
        usage["data_encipherment"] = not signs
        first, last = (-900, 900) if ca else days
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(by)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + dt.timedelta(days=first))
            .not_valid_after(now + dt.timedelta(days=last))
            .add_extension(x509.BasicConstraints(ca=ca or issues, path_length=None), critical=True)
            .add_extension(x509.KeyUsage(**usage), critical=True)
        )
        if purposes and not ca:
            made = made.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
        return made.sign(root, hashes.SHA256())

    top, made = certificate(by, root, ca=True), certificate(who, own, ca=False)
    packed = pkcs12.serialize_key_and_certificates(b"x", own, made, [top], BestAvailableEncryption(b"w"))
    (folder / f"{name}.p12").write_bytes(packed)
    (folder / f"{name}-court.cer").write_bytes(top.public_bytes(certificates_der()))
    return read_key(folder / f"{name}.p12", "w")


def certificates_der():
    from cryptography.hazmat.primitives.serialization import Encoding

    return Encoding.DER


def told(content: bytes, *trusted) -> list[Signature]:
    found = signatures_of(content, trusted)
    assert found is not None
    return list(found)


def pdfsig(content: bytes, folder: Path) -> list[str]:
    """What poppler says of each signature."""
    (folder / "told.pdf").write_bytes(content)
    done = subprocess.run(
        [needed("pdfsig"), "-nocert", str(folder / "told.pdf")], capture_output=True, text=True, check=False
    )
    whole = re.findall(r"(Total document signed|Not total document signed)", done.stdout)
    valid = re.findall(r"Signature Validation: (.+)\.", done.stdout)
    return [f"{one}; {other}" for one, other in zip(valid, whole, strict=True)]


def marks(content: bytes) -> tuple[object, ...]:
    with pikepdf.open(io.BytesIO(content)) as pdf, pdf.open_metadata() as xmp:
        names = ("pdfaid:part", "pdfaid:conformance", "pdfuaid:part")
        files = {name: spec.get_file().read_bytes() for name, spec in pdf.attachments.items()}
        return (*(xmp.get(name) for name in names), "/OutputIntents" in pdf.Root, files)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_trial_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    make_trial("A. Expert", tmp_path / "key.p12", "secret-words")
    assert stat.S_IMODE((tmp_path / "key.p12").stat().st_mode) == 0o600


def test_an_unsigned_report_has_no_signatures(report: bytes, folder: Path) -> None:
    assert told(report) == []
    assert pdfsig(report, folder) == []


def test_what_was_there_stays_byte_by_byte_with_marks_and_attachments(
    report: bytes, once: bytes, twice: bytes
) -> None:
    assert once.startswith(report)
    assert twice.startswith(once)
    assert marks(report)[:4] == ("3", "A", "1", True)
    assert len(marks(report)[4]) == 4  # type: ignore[arg-type]
    assert marks(twice) == marks(once) == marks(report)


def test_fields_are_tagged_named_and_blank_before_the_first_signature(once: bytes) -> None:
    with pikepdf.open(io.BytesIO(once)) as pdf:
        fields = list(pdf.Root.AcroForm.Fields)
        assert [str(field.TU) for field in fields] == [f"Signature {n}" for n in range(1, len(fields) + 1)]
        assert len(fields) == 8
        tree = dict(zip(*(list(pdf.Root.StructTreeRoot.ParentTree.Nums)[k::2] for k in (0, 1)), strict=True))
        for field in fields:
            element = tree[int(field.StructParent)]
            assert (element.S, element.K.Type) == ("/Form", "/OBJR")
            assert element.K.Obj.objgen == field.objgen
            assert element.objgen in [kid.objgen for kid in element.P.K]
            assert "/N" in field.AP
        assert fields[-1].AP.N.read_bytes() == b""


def test_an_intact_signature_is_told_with_name_time_and_that_it_is_self_made(
    once: bytes, folder: Path
) -> None:
    (one,) = told(once)
    assert (one.name, one.is_intact, one.altered, one.is_sound) == (
        "Ada Examiner, Self-made with ZEBRA for trials",
        True,
        (),
        True,
    )
    assert (one.is_trial, one.is_self_made, one.reason) == (True, True, "I made it")
    assert one.claimed is not None
    assert abs(dt.datetime.now(dt.UTC) - one.claimed) < dt.timedelta(minutes=10)
    assert "for trials: anybody can make one under any name" in " ".join(one.sentences)
    assert pdfsig(once, folder) == ["Signature is Valid; Total document signed"]


def test_two_signatures_hold_one_after_the_other(twice: bytes, folder: Path) -> None:
    assert [(one.name[:3], one.is_sound, one.altered) for one in told(twice)] == [
        ("Ada", True, ()),
        ("Bob", True, ()),
    ]
    # "Not total" is no fault: what came after the first is the second, which poppler does not look into.
    assert pdfsig(twice, folder) == [
        "Signature is Valid; Not total document signed",
        "Signature is Valid; Total document signed",
    ]


def test_one_byte_altered_breaks_the_signature(once: bytes, folder: Path) -> None:
    at = 11  # in the remark of the first lines
    broken = once[:at] + bytes([once[at] ^ 1]) + once[at + 1 :]
    (one,) = told(broken)
    assert (one.is_intact, one.is_sound) == (False, False)
    assert one.sentences[0].startswith("broken: what it covers is not what was signed, by “Ada")
    assert pdfsig(broken, folder) == ["Digest Mismatch; Total document signed"]


def updated(content: bytes, change) -> bytes:
    """With an update at the end, as any program for PDFs appends one."""
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer = IncrementalPdfFileWriter(io.BytesIO(content))
    change(writer)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def paint(writer) -> None:
    from pyhanko.pdf_utils import generic

    page = writer.find_page_for_modification(0)[0].get_object()
    stream = generic.StreamObject(stream_data=b"q 1 0 0 rg 100 600 200 30 re f Q")
    contents = page.raw_get("/Contents")
    parts = contents if isinstance(contents, generic.ArrayObject) else [contents]
    page["/Contents"] = generic.ArrayObject([*parts, writer.add_object(stream)])
    writer.update_container(page)


def test_an_update_over_a_page_is_told_with_the_page_though_poppler_calls_it_valid(
    once: bytes, folder: Path
) -> None:
    content = updated(once, paint)
    (one,) = told(content)
    assert (one.is_intact, one.is_sound) == (True, False)
    assert one.altered == ("Page 1",)
    assert any(sentence.startswith("Altered after signing: Page 1") for sentence in one.sentences)
    # pdfsig checks what is covered, and only says that something came after it.
    assert pdfsig(content, folder) == ["Signature is Valid; Not total document signed"]


def test_an_expired_certificate_is_refused_for_signing_and_told_where_it_signed(
    report: bytes, folder: Path
) -> None:
    key = issued(folder, "Old", days=(-30, -10))
    with pytest.raises(InputError, match=r"The certificate of Old is valid from .* not now"):
        sign_report(folder / "report.pdf", folder / "out.pdf", key)
    (one,) = told(signed(report, key))
    assert (one.is_intact, one.is_expired, one.is_sound) == (True, True, False)
    assert "The certificate was not valid at that time." in one.sentences


def test_a_certificate_that_is_not_for_signing_is_refused_and_told(report: bytes, folder: Path) -> None:
    key = issued(folder, "Cipher", signs=False)
    with pytest.raises(InputError, match="not meant for signing"):
        sign_report(folder / "report.pdf", folder / "out.pdf", key)
    (one,) = told(signed(report, key))
    assert (one.is_intact, one.is_for_signing, one.is_sound) == (True, False, False)


def test_trust_is_that_of_a_certificate_the_user_names(report: bytes, once: bytes, folder: Path) -> None:
    (one,) = told(signed(report, issued(folder, "Clara")), read_certificate(folder / "Clara-court.cer"))
    assert (one.is_sound, one.is_self_made, "Court" in one.trusted_by) == (True, False, True)
    (other,) = told(once, read_certificate(folder / "Clara-court.cer"))
    assert (other.is_intact, other.is_sound) == (True, False)
    assert other.sentences[-1] == "No certificate that you named vouches for it."
    (own,) = told(once, read_certificate(folder / "ada.pem"))
    assert own.is_sound
    assert own.sentences[-1].startswith("Trusted by the certificate that you named: Ada")


def test_a_signature_records_version_report_and_what_it_replaces(
    report: bytes, once: bytes, folder: Path
) -> None:
    for name, content in (("report", report), ("before", once)):
        (folder / f"{name}.pdf").write_bytes(content)
    key = read_key(folder / "ada.p12", "geheim")
    path = sign_report(
        folder / "report.pdf", folder / "new.pdf", key, reason=" Two\nlines", replaces=folder / "before.pdf"
    )
    (one,) = told(path.read_bytes())
    hashes = [sha256(content).hexdigest() for content in (report, once)]
    assert one.reason == "Two lines"
    assert one.record == (
        f"Signed with ZEBRA {VERSION}. SHA-256 of the report before this signature: {hashes[0]}. "
        f"It replaces the signed report with the SHA-256 {hashes[1]}."
    )
    assert f"Recorded when it was signed: “{one.record}”" in one.sentences
    assert {line.status for line in compared_report(path.read_bytes(), report, "", no_progress)} == {
        VerificationStatus.VERIFIED
    }
    with pytest.raises(InputError, match="is not signed"):
        sign_report(folder / "report.pdf", folder / "c.pdf", key, replaces=folder / "report.pdf")


def test_signing_leaves_the_report_as_it_was_and_says_so(report: bytes, twice: bytes) -> None:
    lines = compared_report(twice, report, "", no_progress)
    assert {line.status for line in lines} == {VerificationStatus.VERIFIED}
    assert lines[0].about == "The file itself"
    assert lines[0].found.endswith("bytes, followed by nothing but signatures")


@pytest.mark.parametrize(
    ("content", "word", "code"),
    [
        (b"", "w", "key-not-readable"),
        (b"no key", "w", "key-not-readable"),
        (b"\0" * (2 << 20), "w", "key-not-readable"),
    ],
)
def test_what_is_no_key_is_refused(content: bytes, word: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "k.p12").write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_key(tmp_path / "k.p12", word)
    assert raised.value.code == code


def test_a_wrong_pass_phrase_and_a_file_without_a_key_have_a_sentence_each(ada: Key, folder: Path) -> None:
    for word in ("Geheim", ""):
        with pytest.raises(InputError, match=r"The pass phrase does not open ada\.p12"):
            read_key(folder / "ada.p12", word)
    own = x509.load_pem_x509_certificate((folder / "ada.pem").read_bytes())
    packed = pkcs12.serialize_key_and_certificates(None, None, None, [own], BestAvailableEncryption(b"w"))
    (folder / "no-key.p12").write_bytes(packed)
    with pytest.raises(InputError, match=r"no-key\.p12 has no key to sign with"):
        read_key(folder / "no-key.p12", "w")
    assert "geheim" not in repr(ada)


def somebody_elses() -> bytes:
    stream = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(stream)
    return stream.getvalue()


def encrypted(content: bytes) -> bytes:
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pdf.save(stream, encryption=pikepdf.Encryption(owner="a", user="b"))
    return stream.getvalue()


def with_senseless_tags(content: bytes) -> bytes:
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pdf.Root.StructTreeRoot.K = pikepdf.Array()
        pdf.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda _: somebody_elses(), "sign-no-report"),
        (lambda _: b"words", "sign-no-report"),
        (encrypted, "sign-encrypted"),
        (lambda content: content[: len(content) // 2], "sign-truncated"),
        (lambda _: b"%PDF-1.7\nnothing %%EOF", "report-broken"),
        (with_senseless_tags, "report-broken"),
    ],
)
def test_what_cannot_be_signed_is_refused_in_a_sentence(
    change, code: str, report: bytes, ada: Key, tmp_path: Path
) -> None:
    (tmp_path / "in.pdf").write_bytes(change(report))
    with pytest.raises(ZebraError) as raised:
        sign_report(tmp_path / "in.pdf", tmp_path / "out.pdf", ada)
    assert raised.value.code == code
    assert str(raised.value)
    assert not (tmp_path / "out.pdf").exists()


def test_an_encrypted_report_is_not_called_incomplete(report: bytes, tmp_path: Path) -> None:
    (tmp_path / "in.pdf").write_bytes(encrypted(report))
    with pytest.raises(InputError, match=r"in\.pdf is encrypted\. Give the report as ZEBRA made it"):
        read_evidence(tmp_path / "in.pdf")


def test_the_report_is_never_changed_in_place(report: bytes, ada: Key, tmp_path: Path) -> None:
    (tmp_path / "in.pdf").write_bytes(report)
    (tmp_path / "link.pdf").symlink_to(tmp_path / "in.pdf")
    for out in ("in.pdf", "link.pdf"):
        with pytest.raises(OutputError, match="would be replaced by its signed copy"):
            sign_report(tmp_path / "in.pdf", tmp_path / out, ada, overwrite=True)
    assert (tmp_path / "in.pdf").read_bytes() == report


def test_a_report_that_another_program_signed_gets_no_more_fields(report: bytes, ada: Key) -> None:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.sign.signers import PdfSignatureMetadata, sign_pdf

    foreign = sign_pdf(
        IncrementalPdfFileWriter(io.BytesIO(report)),
        PdfSignatureMetadata(field_name="Other"),
        signer=ada.signer,
    ).getvalue()
    with pytest.raises(InputError, match="was signed with another program"):
        signed(foreign, ada, "r.pdf")


def test_a_signature_of_an_unknown_kind_is_told_as_not_checked(once: bytes) -> None:
    other = once.replace(b"/ETSI.CAdES.detached", b"/ETSI.XXXXX.detached")
    (one,) = told(other)
    assert (one.is_known, one.is_sound) == (False, False)
    assert one.sentences == ("of an unknown kind, which was not checked.",)


def test_a_claimed_time_without_a_zone_is_told_as_that_of_greenwich(once: bytes) -> None:
    """PDF allows it; here it is made by altering the file, so that the signature is broken, but checked."""
    other = re.sub(rb"/M \(D\\072(\d{14})Z\)", rb"/M (D:\1)    ", once)
    assert len(other) == len(once)
    (before,), (after,) = told(once), told(other)
    assert (after.is_known, after.is_intact) == (True, False)
    assert after.sentences[1] == before.sentences[1]


def test_fields_run_out_in_a_sentence(once: bytes, ada: Key) -> None:
    with pikepdf.open(io.BytesIO(once)) as pdf:
        count = len(pdf.Root.AcroForm.Fields)
    content = once
    for _ in range(count - 1):
        content = signed(content, ada)
    with pytest.raises(InputError, match="no empty signature field left"):
        signed(content, ada, "r.pdf")


def test_a_trial_certificate_needs_a_name_and_a_pass_phrase(tmp_path: Path) -> None:
    for name, word, code in (("", "w", "trial-name"), ("A", "", "trial-passphrase")):
        with pytest.raises(OutputError) as raised:
            make_trial(name, tmp_path / "k.p12", word)
        assert raised.value.code == code
    assert certificates.can_sign()


def test_a_visible_signature_stands_on_the_printed_line_of_the_next_signer(once: bytes, ada: Key) -> None:
    again = signed(once, ada, is_visible=True)
    with pikepdf.open(io.BytesIO(again)) as pdf:
        fields = [field for field in pdf.Root.AcroForm.Fields if "/V" in field]
        boxes = [[float(value) for value in field.Rect] for field in fields]
        numbers = {page.objgen: number for number, page in enumerate(pdf.pages)}
        pages = [numbers[field.P.objgen] for field in fields]
    words = list(pages_of(again, "again.pdf"))[pages[0]].words
    lines = [word.box for word in words if word.text.startswith("Signature:")]
    assert len(lines) == len(boxes) == 2
    assert len(set(pages)) == 1
    for (left, bottom, _, top), line in zip(boxes, lines, strict=True):
        assert abs(left - line.left) < 1.0
        assert 4.0 < bottom - line.top < 10.0
        assert top - bottom == pytest.approx(HEIGHT)
    dates = [word for word in words if word.text.startswith("Place,")]
    assert all(word.box.right < boxes[0][0] for word in dates)  # which is for the hand


def test_in_a_summary_it_stands_on_blank_paper(ada: Key, tmp_path: Path) -> None:
    material = demo_material(replace(demo(), report=BRIEF))
    made = save_report(material, tmp_path / "s.pdf", is_summary=True, date=dt.date(2026, 11, 20))
    with pikepdf.open(io.BytesIO(signed(made.read_bytes(), ada, is_visible=True))) as pdf:
        (field,) = [field for field in pdf.Root.AcroForm.Fields if "/V" in field]
        assert field.P.objgen == pdf.pages[-1].objgen
        assert float(field.Rect[2]) > float(field.Rect[0])
