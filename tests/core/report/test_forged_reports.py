"""A report is verified only if it is the one made again, byte for byte, followed by our signatures alone."""

import datetime as dt
import io
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID
from pikepdf import Array, Dictionary, Name, Stream, String
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import SigFieldSpec, append_signature_field
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes

from tests.core.report.test_signing import BRIEF, issued, told
from tests.core.samples import demo, demo_material
from zebra_core.report.certificates import Key, make_trial, read_certificate, read_key
from zebra_core.report.export import save_report
from zebra_core.report.pages import compared_report
from zebra_core.report.signing import signed
from zebra_core.report.verification import VerificationLine, VerificationStatus
from zebra_core.runtime.progress import no_progress

VERIFIED, DIFFERS = VerificationStatus.VERIFIED, VerificationStatus.DIFFERS
FALSE = "D_ECE is 0.00 bit: nobody can be recognised"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forged")


@pytest.fixture(scope="module")
def report(folder: Path) -> bytes:
    material = demo_material(replace(demo(), report=BRIEF))
    return save_report(material, folder / "report.pdf", date=dt.date(2026, 11, 20)).read_bytes()


@pytest.fixture(scope="module")
def ada(folder: Path) -> Key:
    make_trial("Ada Examiner", folder / "ada.p12", "geheim")
    return read_key(folder / "ada.p12", "geheim")


@pytest.fixture(scope="module")
def once(report: bytes, ada: Key) -> bytes:
    return signed(report, ada, is_visible=True, reason="I made it")


def compared(own: bytes, made: bytes) -> list[VerificationLine]:
    return compared_report(own, made, "report.pdf", no_progress)


def wrong(own: bytes, made: bytes) -> list[str]:
    """What is not verified, the file itself first."""
    return [line.about for line in compared(own, made) if line.status is not VERIFIED]


def rewritten(content: bytes, change: Callable[[pikepdf.Pdf], object]) -> bytes:
    stream = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        change(pdf)
        pdf.save(stream, fix_metadata_version=False)
    return stream.getvalue()


def image(pdf: pikepdf.Pdf, name: str = "/Forged", **more: object) -> Stream:
    """A black picture over blank paper at the foot of page 1."""
    made = Stream(
        pdf, b"\0" * 12, Type=Name.XObject, Subtype=Name.Image, Width=2, Height=2, ColorSpace=Name.DeviceRGB
    )
    made.BitsPerComponent = 8
    for key, value in more.items():
        made[f"/{key}"] = value
    page = pdf.pages[0]
    if Name.XObject not in page.Resources:
        page.Resources.XObject = Dictionary()
    page.Resources.XObject[name] = pdf.make_indirect(made)
    page.contents_add(b"q 300 0 0 20 60 60 cm " + name.encode() + b" Do Q")
    return made


def layer(pdf: pikepdf.Pdf, seen: str, printed: str) -> Dictionary:
    usage = Dictionary(
        View=Dictionary(ViewState=Name(seen)),
        Print=Dictionary(PrintState=Name(printed)),
        Zoom=Dictionary(min=1.6, max=64),
    )
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("x"), Usage=usage))
    states = [
        Dictionary(Event=Name(f"/{event}"), Category=Array([Name(f"/{event}")]), OCGs=Array([group]))
        for event in ("View", "Print")
    ]
    order = Dictionary(ON=Array([group]), OFF=Array([]), AS=Array(states))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=order)
    return group


def widget(pdf: pikepdf.Pdf, name: str, kind: str = "/Sig") -> None:
    looks = pdf.make_indirect(Stream(pdf, b"1 0 0 rg 0 0 400 40 re f", Type=Name.XObject, Subtype=Name.Form))
    looks.BBox = Array([0, 0, 400, 40])
    page = pdf.pages[0]
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name(kind), T=String(name), F=4, AP=Dictionary(N=looks)
        )
    )
    field.Rect = Array([60, 60, 460, 100])
    page.Annots = Array([*page.get("/Annots", []), field])
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]))


def attach(pdf: pikepdf.Pdf, name: str, content: bytes) -> None:
    if name in pdf.attachments:
        del pdf.attachments[name]
    pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, content, filename=name)


def every_alt(pdf: pikepdf.Pdf) -> None:
    texts = [one for one in pdf.objects if isinstance(one, Dictionary) and "/S" in one and "/K" in one]
    assert texts
    for one in texts:
        one.ActualText = String(FALSE)


def outline(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as found:
        found.root.insert(0, pikepdf.OutlineItem(FALSE, 0))


def with_key(
    where: Callable[[pikepdf.Pdf], object], key: str, value: object
) -> Callable[[pikepdf.Pdf], None]:
    def change(pdf: pikepdf.Pdf) -> None:
        where(pdf)[key] = value  # type: ignore[index]

    return change


SCRIPT = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
UNSEEN: dict[str, Callable[[pikepdf.Pdf], object]] = {
    "a field of a form": lambda pdf: widget(pdf, "x", "/Tx"),
    "a layer that may be shown": lambda pdf: layer(pdf, "/OFF", "/OFF"),
    "a bookmark": outline,
    "a script on opening": with_key(lambda pdf: pdf.Root, "/OpenAction", SCRIPT),
    "a script of a page": with_key(lambda pdf: pdf.pages[0].obj, "/AA", Dictionary(O=SCRIPT)),
    "a collection": with_key(lambda pdf: pdf.Root, "/Collection", Dictionary(View=Name.T)),
    "what is read out": every_alt,
    "the title": with_key(lambda pdf: pdf.docinfo, "/Title", String(FALSE)),
    "an entry of nobody": with_key(lambda pdf: pdf.Root, "/PieceInfo", Dictionary(X=Dictionary())),
    "where the page is cut": with_key(lambda pdf: pdf.pages[0].obj, "/TrimBox", Array([0, 0, 100, 100])),
    "nothing at all, saved again": lambda _pdf: None,
}


@pytest.mark.parametrize("name", UNSEEN)
def test_whatever_differs_and_is_not_seen_makes_another_file(name: str, report: bytes) -> None:
    (first,) = compared(rewritten(report, UNSEEN[name]), report)
    assert (first.about, first.status) == ("The file itself", DIFFERS)
    assert first.found.startswith("Something that is not seen differs: its bytes are others")


@pytest.mark.parametrize("name", ["results.csv", "more.pdf"])
def test_an_attachment_that_differs_is_told_by_its_name(name: str, report: bytes) -> None:
    forged = rewritten(report, lambda pdf: attach(pdf, name, b"false"))
    assert wrong(forged, report) == ["The file itself", f"the attachment {name}"]


def test_a_picture_that_only_the_printer_shows_is_told_as_such(report: bytes) -> None:
    forged = rewritten(report, lambda pdf: image(pdf, OC=layer(pdf, "/OFF", "/ON")))
    _, page = compared(forged, report)
    assert (page.about, page.recorded) == ("Page 1", "looks different only when it is printed")
    assert page.looks is not None


def appended(content: bytes, change: Callable[[IncrementalPdfFileWriter], object]) -> bytes:
    writer, stream = IncrementalPdfFileWriter(io.BytesIO(content)), io.BytesIO()
    change(writer)
    writer.write(stream)
    return stream.getvalue()


def false_words(writer: IncrementalPdfFileWriter) -> generic.StreamObject:
    made = generic.StreamObject(stream_data=b"1 0 0 rg 0 0 480 40 re f")
    made |= {
        generic.pdf_name("/Type"): generic.pdf_name("/XObject"),
        generic.pdf_name("/Subtype"): generic.pdf_name("/Form"),
        generic.pdf_name("/BBox"): generic.ArrayObject(map(generic.NumberObject, (0, 0, 480, 40))),
    }
    return generic.DictionaryObject({generic.pdf_name("/N"): writer.add_object(made)})


def new_field(writer: IncrementalPdfFileWriter) -> None:
    append_signature_field(writer, SigFieldSpec("ZEBRA-signature-9", on_page=0, box=(60, 60, 540, 100)))
    reference = writer.root["/AcroForm"]["/Fields"][-1]
    reference["/AP"] = false_words(writer)
    writer.update_container(reference)


def other_looks(number: int) -> Callable[[IncrementalPdfFileWriter], None]:
    def change(writer: IncrementalPdfFileWriter) -> None:
        field = writer.root["/AcroForm"]["/Fields"][number]
        field["/AP"] = false_words(writer)
        writer.update_container(field)

    return change


def script(writer: IncrementalPdfFileWriter) -> None:
    action = {generic.pdf_name("/S"): generic.pdf_name("/JavaScript")}
    writer.root["/OpenAction"] = generic.DictionaryObject(action)
    writer.update_root()


AFTERWARDS: dict[str, Callable[[bytes], bytes]] = {
    "a field with false words": lambda content: appended(content, new_field),
    "other looks of the signature": lambda content: appended(content, other_looks(0)),
    "looks for a field that is empty": lambda content: appended(content, other_looks(1)),
    "a script": lambda content: appended(content, script),
    "a comment": lambda content: content + b"\n% nothing to see\n",
    "a whole other report": lambda content: content + content,
}


@pytest.mark.parametrize("name", AFTERWARDS)
def test_whatever_follows_a_signature_is_told_by_the_file_and_by_the_signature(
    name: str, report: bytes, once: bytes, folder: Path
) -> None:
    forged = AFTERWARDS[name](once)
    first = compared(forged, report)[0]
    assert (first.about, first.status) == ("The file itself", DIFFERS)
    assert f"followed by {len(forged) - len(once):,} bytes".replace(",", "\u202f") in first.found
    signatures = told(forged, read_certificate(folder / "ada.pem"))
    assert not any(one.is_sound for one in signatures)


def test_a_field_that_is_signed_without_our_mark_is_no_signature_of_ours(report: bytes, ada: Key) -> None:
    """Signed by an honest key, but over looks that another program gave to our field."""
    first = signed(report, ada)
    forged = signed(appended(first, other_looks(0)), ada)
    assert wrong(forged, report)[0] == "The file itself"


def test_one_digit_of_a_claimed_time_or_of_a_place_makes_another_file(report: bytes, once: bytes) -> None:
    for word in (b"/ByteRange [0 ", b"/Rect ["):
        place = once.index(word, len(report)) + len(word)
        altered = once[:place] + b"1" + once[place + 1 :]
        assert altered != once
        assert wrong(altered, report)[0] == "The file itself"


def test_a_report_signed_in_another_zone_of_time_and_language_is_verified(report: bytes, ada: Key) -> None:
    from zebra_core.wording.texts import speaking

    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Kolkata"
    time.tzset()
    try:
        with speaking("fr"):
            content = signed(signed(report, ada, is_visible=True, reason="(æ) \\"), ada)
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()
    assert wrong(content, report) == []


def test_a_mark_whose_time_is_not_the_one_that_is_told_is_none_of_ours(
    report: bytes, ada: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zone that the mark calls UTC, and a time that is signed beside the one in the mark."""
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    zoned = signed(report, ada, is_visible=True, when=now.astimezone(dt.timezone(dt.timedelta(hours=14))))
    sign = SimpleSigner.async_sign

    async def elsewhere(self: SimpleSigner, digest: bytes, algorithm: str, **given: object) -> object:
        times = PdfCMSSignedAttributes(signing_time=now - dt.timedelta(days=30))
        given |= {"use_pades": False, "signed_attr_settings": times}
        return await sign(self, digest, algorithm, **given)

    monkeypatch.setattr(SimpleSigner, "async_sign", elsewhere)
    backdated = signed(report, ada, is_visible=True, when=now)
    for forged in (zoned, backdated):
        assert wrong(forged, report)[0] == "The file itself"
        assert told(forged)[0].is_intact  # as a signature: the report is another one


def test_certificates_of_servers_and_of_those_who_issue_are_not_for_documents(
    report: bytes, folder: Path
) -> None:
    server = issued(folder, "Server", purposes=[ExtendedKeyUsageOID.SERVER_AUTH])
    person = issued(folder, "Person", purposes=[ExtendedKeyUsageOID.EMAIL_PROTECTION])
    authority = issued(folder, "Authority", issues=True)
    for key, is_fit in ((server, False), (person, True), (authority, False)):
        (one,) = told(signed(report, key))
        assert one.is_for_signing is is_fit
        assert ("The certificate is not meant for signing." in one.sentences) is not is_fit


def test_the_day_after_a_certificate_expired_its_signatures_are_told_with_that_day(
    report: bytes, folder: Path
) -> None:
    key = issued(folder, "Late", days=(-90, -10))
    trusted = read_certificate(folder / "Late-court.cer")
    then = dt.datetime.now(dt.UTC).replace(microsecond=0) - dt.timedelta(days=30)
    (one,) = told(signed(report, key, when=then), trusted)
    assert (one.is_sound, one.trusted_by != "") == (True, True)
    (sentence,) = [each for each in one.sentences if "expired on" in each]
    assert sentence.endswith("that the signature is older than that rests on the signer’s word.")
    (late,) = told(signed(report, key), trusted)
    assert not late.is_sound


def test_a_time_that_has_not_come_yet_is_told_and_a_name_stands_in_quotation_marks(
    report: bytes, folder: Path
) -> None:
    name = "Ada. Trusted by the certificate that you named: Court"
    key = issued(folder, name, days=(-1, 900))
    now = dt.datetime.now(dt.UTC).replace(microsecond=0)
    (one,) = told(signed(report, key, when=now + dt.timedelta(days=400)))
    assert not one.is_sound
    assert one.sentences[0] == f"intact, by “{name}”, as its certificate claims."
    assert "The claimed time has not come yet by the clock of this computer." in one.sentences
    (one,) = told(signed(report, key, when=now + dt.timedelta(minutes=5)))
    assert one.is_sound
