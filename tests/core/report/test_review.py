"""Comments in reports: in the record and in the evidence, where somebody asked for them."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import zebra_resources
from tests.core.samples import demo, demo_material, pdf_text
from zebra_core.document.evidence import evidence_type
from zebra_core.evidence.value_types import fault
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.project.review import LONGEST_COMMENT, Review
from zebra_core.report.document import TableBlock
from zebra_core.report.export import make_report, save_report
from zebra_core.report.markdown import report_markdown
from zebra_core.report.tex import report_tex
from zebra_core.report.verify import verify

AT = dt.datetime(2026, 11, 27, 10, 0, 5, tzinfo=dt.UTC)
DATE = dt.date(2026, 11, 20)
BRIEF = ReportSettings(left_out=frozenset(Section) - {Section.QUESTION, Section.APPENDIX}, with_comments=True)
HOSTILE = 'Is <b>#this</b> $x$ \\emph{it}? "=1+1" \u202e*you*'
SAID = Review().commenting(HOSTILE, "question", "Ada", AT).answering(1, "Yes.", "Bo", AT)


def with_review(review: Review, report: ReportSettings = BRIEF) -> Project:
    return replace(demo(), items=demo().entries[:1], report=report, review=review)


def made(review: Review, report: ReportSettings = BRIEF):
    return make_report(demo_material(with_review(review, report)), date=DATE)


def record(content) -> list[list[tuple[str, str]]]:
    (appendix,) = (one for one in content.sections if one.section is Section.APPENDIX)
    tables = [one for one in appendix.blocks if isinstance(one, TableBlock)]
    (table,) = (one for one in tables if one.caption == "Comments on this report")
    return [[(cell.text, cell.note) for cell in row] for row in table.rows]


def test_the_record_lists_each_comment_with_place_person_time_answer_and_state() -> None:
    review = SAID.answering(1, "And no.", "Cy", AT).commenting("A unit?", "picture:ece-1-1", "Ada", AT)
    when = "2026-11-27 10:00:05 UTC"
    shown = HOSTILE.replace("\u202e", "\\u202e")
    assert record(made(review.closing(2, "Ada", AT)).content) == [
        [
            ("1", ""),
            ("Question and propositions", ""),
            (shown, f"Ada, {when}"),
            ("Yes.", f"Bo, {when}"),
            ("answered", ""),
        ],
        [("", ""), ("", ""), ("", ""), ("And no.", f"Cy, {when}"), ("", "")],
        [
            ("2", ""),
            ("picture:ece-1-1 (not in this report)", ""),
            ("A unit?", f"Ada, {when}"),
            ("–", ""),
            ("closed", f"Ada, {when}"),
        ],
    ]


def test_a_report_says_nothing_of_comments_unless_it_is_asked_to() -> None:
    for review, report in ((Review(), BRIEF), (SAID, replace(BRIEF, with_comments=False))):
        found = made(review, report)
        assert "review" not in json.loads(found.evidence)
        assert "#this" not in report_markdown(found.content, "figures")
    assert "review" not in json.loads(made(Review(), BRIEF).evidence)


def test_no_page_says_who_approved_it() -> None:
    assert not {"Status", "Comments", "Version"} & {label for label, _ in made(SAID).content.front}


def test_places_have_the_names_of_sections_pictures_and_tables_in_every_language() -> None:
    english, german = made(SAID), made(SAID, replace(BRIEF, language="de"))
    assert list(english.content.places) == list(german.content.places)
    assert {"report", "answer", "question", "picture:headline-scale"} <= set(english.content.places)


def test_the_evidence_has_the_review_within_its_bounds() -> None:
    values = json.loads(made(SAID).evidence)
    assert fault(values, evidence_type()) is None
    assert values["review"]["comments"][0]["text"] == HOSTILE
    values["review"]["comments"][0]["text"] = "x" * (LONGEST_COMMENT + 1)
    assert fault(values, evidence_type()) == "review.comments[0].text"


def test_a_comment_is_text_in_every_format(tmp_path: Path) -> None:
    found = made(SAID)
    save_report(demo_material(with_review(SAID)), tmp_path / "a.pdf", date=DATE)
    assert "Is <b>#this</b> $x$" in " ".join(pdf_text(tmp_path / "a.pdf").split())
    markdown = report_markdown(found.content, "figures")
    assert "\\<b>#this\\</b>" in markdown
    assert "\u202e" not in markdown
    tex = report_tex(found.content)["report.tex"].decode()
    assert "\\emph{it}" not in tex


def verified(path: Path):
    return verify(path, [zebra_resources.path("demo")])


def test_a_report_with_a_review_verifies(tmp_path: Path) -> None:
    save_report(demo_material(with_review(SAID)), tmp_path / "a.pdf", date=DATE)
    assert verified(tmp_path / "a.pdf").is_verified


def test_the_record_is_said_in_the_language_of_the_report() -> None:
    german = made(SAID, replace(BRIEF, language="de"))
    (appendix,) = (one for one in german.content.sections if one.section is Section.APPENDIX)
    (table,) = (
        one for one in appendix.blocks if isinstance(one, TableBlock) and one.caption.startswith("Komm")
    )
    assert [cell.text for cell in table.rows[0]][-1] == "beantwortet"
