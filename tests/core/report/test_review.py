"""A review in reports: what stands on the front and in the record, in the evidence, and after a signature."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest

import zebra_resources
from tests.core.samples import demo, demo_material, pdf_text
from zebra_core.document.evidence import evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.project.review import LONGEST_COMMENT, Review, ReviewStatus
from zebra_core.report.certificates import make_trial, read_key
from zebra_core.report.document import TableBlock
from zebra_core.report.export import make_report, save_report
from zebra_core.report.markdown import report_markdown
from zebra_core.report.signatures import signed_version
from zebra_core.report.signing import sign_report
from zebra_core.report.tex import report_tex
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.wording.languages import speaking

AT = dt.datetime(2026, 11, 27, 10, 0, 5, tzinfo=dt.UTC)
DATE = dt.date(2026, 11, 20)
BRIEF = ReportSettings(left_out=frozenset(Section) - {Section.QUESTION, Section.APPENDIX})
HOSTILE = 'Is <b>#this</b> $x$ \\emph{it}? "=1+1" \u202e*you*'
SAID = Review().commenting(HOSTILE, "question", "Ada", AT).answering(1, "Yes.", "Bo", AT)


def with_review(review: Review, report: ReportSettings = BRIEF) -> Project:
    return replace(demo(), items=demo().entries[:1], report=report, review=review)


def made(review: Review, report: ReportSettings = BRIEF):
    return make_report(demo_material(with_review(review, report)), date=DATE)


def approved(by: str = "Bo", review: Review = SAID) -> Review:
    standing = made(review).content.standing
    assert standing is not None
    return review.at_status(ReviewStatus.APPROVED, standing.said, by, AT)


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


def test_the_front_says_how_many_comments_are_open() -> None:
    assert ("Comments", "0 open, 1 answered, 0 closed") in made(SAID).content.front


def test_a_report_without_a_review_says_nothing_of_one() -> None:
    found = made(Review())
    assert not {"Status", "Comments", "Version"} & {label for label, _ in found.content.front}
    assert "review" not in json.loads(found.evidence)


def test_places_have_the_names_of_sections_pictures_and_tables_in_every_language() -> None:
    english, german = made(SAID), made(SAID, replace(BRIEF, language="de"))
    assert list(english.content.places) == list(german.content.places)
    assert {"report", "question", "picture:headline-scale", "picture:headline-ladder"} <= set(
        english.content.places
    )


def test_an_approved_report_says_so_until_something_in_it_changes() -> None:
    review = approved()
    status = ("Status", "approved by Bo, 2026-11-27 10:00:05 UTC")
    assert status in made(review).content.front
    assert status in made(review.commenting("Later.", "report", "Ada", AT)).content.front
    changed = made(review, replace(BRIEF, requester="Somebody else"))
    assert ("Status", "Bo approved an earlier version, 2026-11-27 10:00:05 UTC") in changed.content.front
    assert json.loads(changed.evidence)["review"]["status_holds"] is False


def test_the_evidence_has_the_review_within_its_bounds() -> None:
    values = json.loads(made(approved()).evidence)
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
    save_report(demo_material(with_review(approved())), tmp_path / "a.pdf", date=DATE)
    assert verified(tmp_path / "a.pdf").is_verified


@pytest.mark.parametrize(
    ("name", "value"),
    [("status_holds", True), ("version", 7), ("status", "reviewed")],
)
def test_what_follows_from_a_review_is_not_believed(tmp_path: Path, name: str, value: object) -> None:
    review = SAID.at_status(ReviewStatus.APPROVED, "0" * 64, "Bo", AT)
    values = json.loads(made(review).evidence)
    values["review"][name] = value
    (tmp_path / "evidence.json").write_text(json.dumps(values))
    differs = [
        one
        for one in verified(tmp_path / "evidence.json").checked
        if one.status is not VerificationStatus.VERIFIED
    ]
    assert [one.found for one in differs] == [
        f"one entry is another than the one computed again: review.{name}"
    ]


def test_after_a_signature_a_comment_makes_a_new_version_and_the_signed_one_still_verifies(
    tmp_path: Path,
) -> None:
    project = with_review(approved())
    report, signed = tmp_path / "a.pdf", tmp_path / "signed.pdf"
    save_report(demo_material(project), report, date=DATE)
    make_trial("Ada", tmp_path / "ada.p12", "word", overwrite=True)
    with pytest.raises(InputError, match="no signature"):
        signed_version(report, project)
    sign_report(report, signed, read_key(tmp_path / "ada.p12", "word"), is_visible=False)
    version = signed_version(signed, project)
    kept = project.review.signing(version)
    same = made(kept).content
    assert "Version" not in dict(same.front)
    after = replace(project, review=kept.commenting("The date is wrong.", "report", "Cy", AT))
    content = make_report(demo_material(after), date=DATE).content
    assert dict(content.front)["Version"] == "2, replaces version 1"
    save_report(demo_material(after), tmp_path / "b.pdf", date=DATE)
    words = " ".join(pdf_text(tmp_path / "b.pdf").split())
    assert "Comments made since then: 2." in words
    assert verified(signed).is_verified
    assert verified(tmp_path / "b.pdf").is_verified
    with pytest.raises(InputError, match="other files"):
        signed_version(signed, demo())


def test_the_record_is_said_in_the_language_of_the_report() -> None:
    german = made(approved(), replace(BRIEF, language="de"))
    with speaking("de"):
        assert dict(german.content.front)["Kommentare"] == "0 offen, 1 beantwortet, 0 geschlossen"
        assert dict(german.content.front)["Status"].startswith("frühere Fassung freigegeben von Bo")
