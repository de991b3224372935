"""The language of a report is its own: whoever makes and verifies it may speak another."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

import zebra_resources
from tests.core.samples import demo_material
from tests.pseudo import lengthened, pseudo_language
from zebra_core.errors import InputError
from zebra_core.project.report_settings import ReportSettings
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.export import make_report, save_report
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.wording.texts import current, say, speaking

DATE = dt.date(2026, 11, 20)


@pytest.fixture(scope="module")
def language():
    with pseudo_language() as code:
        yield code


def material_in(language):
    english = demo_material()
    report = replace(english.project.report, language=language)
    return replace(english, project=replace(english.project, report=report))


@pytest.fixture(scope="module")
def material(language):
    return material_in(language)


@pytest.fixture(scope="module")
def german(tmp_path_factory) -> Path:
    return save_report(material_in("de"), tmp_path_factory.mktemp("made") / "report.pdf", date=DATE)


def without_texts(values):
    if isinstance(values, dict):
        said = {"text", "remarks", "sentences", "answer", "missing", "strongest"}  # the last names an attack
        return {name: without_texts(each) for name, each in values.items() if name not in said}
    return [without_texts(each) for each in values] if isinstance(values, list) else values


def test_every_heading_is_in_the_language_of_the_report_and_nothing_else_is_afterwards(material):
    content = make_report(material, date=DATE).content
    assert content.kind == lengthened(say("report.kind"))
    english = [section.section.heading for section in content.sections]
    with speaking(content.language):
        assert [lengthened(heading) for heading in english] == [one.heading for one in content.sections]
    assert current() == "en"


def test_its_pdf_names_the_language_and_titles_of_sources_are_english(german):
    with pikepdf.open(german) as pdf:
        assert str(pdf.Root.Lang) == "de"
        elements = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one]
        named = [str(one["/Lang"]) for one in elements if "/Lang" in one]
        assert (set(named), len(named)) == ({"en"}, 15)  # whole sources; parts are marked in pages
        assert pdf.Root.MarkInfo.Marked
        with pdf.open_metadata() as about:
            assert (about["pdfuaid:part"], about["pdfaid:conformance"]) == ("1", "A")
            assert about["dc:language"] == {"de"}


def test_the_evidence_names_the_language_speaks_it_and_has_the_same_figures_and_codes(material):
    english = json.loads(as_bytes(evidence(material, DATE, {"zebra": "1"})))
    made = json.loads(make_report(material, date=DATE).evidence)
    assert made["pages"]["report"]["language"] == "xx"
    remark, other = (each["assessments"][0]["remarks"][0] for each in (made, english))
    assert (remark["code"], remark["text"]) == (other["code"], lengthened(other["text"]))
    assert without_texts(made) == without_texts(english) | {"versions": made["versions"]}


def test_an_english_program_verifies_a_german_report_page_by_page(german):
    found = verify(german, [zebra_resources.path("demo")])
    differ = [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]
    assert [(one.about, one.what, one.recorded, one.found) for one in differ] == []
    assert found.is_verified


def test_a_report_made_in_that_language_is_dated_and_set_as_in_english_when_it_is_english(tmp_path):
    one, other = tmp_path / "one.pdf", tmp_path / "other.pdf"
    save_report(demo_material(), one, date=DATE)
    with pseudo_language() as code, speaking(code):
        save_report(demo_material(), other, date=DATE)
    assert one.read_bytes() == other.read_bytes()


def test_a_language_without_texts_is_refused():
    with pytest.raises(InputError, match="“it”"):
        ReportSettings(language="it")


def test_a_new_project_has_a_report_in_the_language_of_the_window(language):
    with speaking(language):
        assert ReportSettings().language == language
    assert ReportSettings().language == "en"
