"""Verdicts in a report: beside the answer, among the findings, in the evidence, and computed again."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import zebra_resources
from tests.core.samples import HOSTILE, demo, demo_assessments, demo_material, pdflatex
from zebra_core.document.evidence import evidence_type
from zebra_core.evidence.value_types import fault
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import Requirement, Scope
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.content import report_content
from zebra_core.report.document import FindingLine, Paragraph, TableBlock
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.markdown import report_markdown
from zebra_core.report.tex import report_tex
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.version import versions

STRICT = Requirement("no tag beyond A", "tag", "A", confidence=None, why="It was agreed.", set_by="the board")
LOOSE = Requirement("no tag beyond E", "tag", "E", confidence=None, scope=Scope(("*",), ("OP",)))
OPEN = Requirement("little", "d_ece", 0.3)
VERSIONS = versions()
DAY = dt.date(2026, 11, 22)


def one(*asked: Requirement) -> Project:
    """One protected assessment of the demo with these requirements, and unprotected speech beside it."""
    unprotected, *others = demo_assessments().entries
    assert unprotected.condition is Condition.OO
    return demo_assessments().without([each.id for each in others if each is not others[1]]).requiring(*asked)


def content(*asked: Requirement):
    return report_content(demo_material(one(*asked)), DAY, VERSIONS)


def made(*asked: Requirement) -> dict[str, Any]:
    values = evidence(demo_material(one(*asked)), DAY, VERSIONS)
    return dict(json.loads(as_bytes(values)))


def texts(blocks) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Paragraph)]


def tables(blocks) -> list[TableBlock]:
    return [block for block in blocks if isinstance(block, TableBlock)]


def required(*asked: Requirement) -> list[str]:
    """What the answer for the one safeguard says of requirements."""
    card = next(block for block in content(*asked).sections[1].blocks if isinstance(block, FindingLine))
    return [line for line in card.more if "equire" in line]


def test_the_answer_says_the_verdicts_those_first_that_are_not_met() -> None:
    assert [text.split(". ")[0] for text in required(LOOSE, OPEN, STRICT)] == [
        f"Required: {STRICT.name} ({STRICT.in_words}): not met on these trials",
        f"Required: {OPEN.name} ({OPEN.in_words}): not yet judged",
        f"Required: {LOOSE.name} ({LOOSE.in_words}): met on these trials",
    ]


def test_a_long_reason_stands_there_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was left out there could say the opposite."""
    monkeypatch.setattr(Verdict, "reason", "It lies between the bounds. " * 20 + "But not for all.")
    (told,) = required(OPEN)
    assert told.endswith("It lies between the bounds. But not for all.")


def test_of_many_the_answer_counts_the_rest() -> None:
    many = [Requirement(f"r{n}", "tag", "AE"[n % 2], confidence=None) for n in range(6)]
    told = required(*many)
    assert [line[:14] for line in told] == [
        "Required: r0 (",
        "Required: r2 (",
        "Required: r4 (",
        "3 more require",
    ]
    assert told[-1] == "3 more requirements stand with the findings."


def test_a_requirement_of_unprotected_speech_alone_is_told_below_the_answers() -> None:
    asked = replace(LOOSE, name="the recogniser works", scope=Scope(conditions=("OO",)))
    assert required(asked) == []
    assert any(
        text.startswith(f"the recogniser works ({asked.in_words}): ") for text in texts(content(asked).answer)
    )


def test_the_findings_have_all_with_why_and_by_whom_they_were_set() -> None:
    findings = content(LOOSE, STRICT).sections[1]
    (table,) = [each for each in tables(findings.blocks) if each.columns[0].head == "requirement"]
    strict = table.rows[1]
    assert (strict[0].text, strict[1].text) == ("no tag beyond A", "not met on these trials")
    assert strict[0].note == "the tag is at most A. Of: everything that is protected."
    assert strict[2].note == (
        "It was agreed; set by the board; recorded in this project after data in its scope had been assessed"
        " here"
    )


def test_why_of_several_lines_is_one_line_among_what_is_said_with_it() -> None:
    asked = replace(STRICT, why="It was agreed,\nlong ago.")
    (table,) = [
        each for each in tables(content(asked).sections[1].blocks) if each.columns[0].head == "requirement"
    ]
    assert table.rows[0][2].note.startswith(
        "It was agreed, long ago; set by the board; recorded in this project"
    )


def test_without_requirements_nothing_is_said_of_them() -> None:
    told = " ".join([*texts(content().answer), *texts(content().sections[1].blocks)])
    assert "requirement" not in told.lower()


def test_the_evidence_has_every_verdict_and_follows_its_schema() -> None:
    values = made(LOOSE, STRICT)
    assert fault(values, evidence_type()) is None
    assert [each["verdict"] for each in values["requirements"]] == ["met", "not-met"]
    assert values["requirements"][1]["why"] == "It was agreed."


def test_verdicts_are_computed_again_and_altered_ones_are_told(tmp_path: Path) -> None:
    values = made(LOOSE, STRICT)
    values["requirements"][1]["verdict"] = "met"
    path = tmp_path / "evidence.json"
    path.write_bytes(as_bytes(values))
    found = verify(path, [zebra_resources.path("demo")])
    told = {each.what: each.status for each in found.checked if each.about == "requirements"}
    assert told["no tag beyond E"] is VerificationStatus.VERIFIED
    assert told["no tag beyond A"] is VerificationStatus.DIFFERS
    others = [each for each in found.checked if each.status is not VerificationStatus.VERIFIED]
    assert [each.what for each in others] == ["no tag beyond A", "everything in it, made again"]


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if text.strip()])
def test_names_of_the_worst_kind_harm_no_page(text: str) -> None:
    asked = Requirement(
        text[:200], "tag", "A", confidence=None, scope=Scope((), ("*",)), why=text, set_by=text
    )
    said = content(asked)
    assert report_markdown(said, "figures")
    assert b"\\input{/etc" not in report_tex(said)["report.tex"]


def test_tex_of_them_compiles(tmp_path: Path) -> None:
    worst = [
        Requirement(f"{n} {text[:150]}", "tag", "A", confidence=None, why=text, set_by=text)
        for n, text in enumerate(HOSTILE.values())
    ]
    for name, part in report_tex(content(*worst)).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(part)
    assert "no tag" not in pdflatex("report.tex", tmp_path)
    assert demo().requirements == ()


def test_the_validation_matrix_names_what_is_required_as_the_criterion() -> None:
    criteria = {}
    for asked in ((), (STRICT, LOOSE)):
        (table,) = [
            each
            for section in content(*asked).sections
            for each in tables(section.blocks)
            if each.columns[-1].head == "Criterion"
        ]
        criteria[len(asked)] = {row[0].text: row[-1].text for row in table.rows}
    assert set(criteria[0].values()) == {"none set here"}
    assert criteria[2]["Discriminating power"] == (
        "no tag beyond A: not met on these trials; no tag beyond E: met on these trials"
    )
    assert criteria[2]["Accuracy"] == criteria[2]["Generalisation"] == "none set here"
