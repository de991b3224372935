"""What a reader is told that verifying does not cover, and forgeries in which everything agrees."""

import copy
import datetime as dt
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import zebra_resources
from tests.core.samples import demo, pdf_text
from zebra_core.document.parts import scales_as_json
from zebra_core.metrics.assessment import Settings
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.report_settings import Section
from zebra_core.report.attachment import GivenEvidence, read_evidence
from zebra_core.report.evidence import as_bytes
from zebra_core.report.export import save_report
from zebra_core.report.found_files import find_inputs
from zebra_core.report.not_covered import not_covered
from zebra_core.report.outcome_page import verification_json, verification_pdf
from zebra_core.report.recomputation import Recomputation, pages_again
from zebra_core.report.verification import Verification
from zebra_core.report.verify import items_of, verify
from zebra_core.runtime.progress import no_progress
from zebra_core.version import versions

DATE = dt.date(2026, 11, 20)
LIE = "✓ passed: tag A, D_ECE is 0.00 bit"
Values = dict[str, Any]
Forged = Callable[[Values], object]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "demo"
    shutil.copytree(zebra_resources.path("demo"), folder)
    return folder


@cache
def honest(data: Path) -> Mapping[str, Any]:
    """The evidence of a report of one safeguard and the speech without it, without intervals."""
    kept = [one for one in demo().entries if one.name in ("B2", "unprotected")]
    project = replace(demo(), items=tuple(kept), differences=())
    report = save_report(gather(project), data.parent / "honest.pdf", date=DATE)
    return read_evidence(report).values


def assessments(values: Values) -> list[Values]:
    found: list[Values] = values["assessments"]
    return found


def forged(data: Path, folder: Path, change: Forged) -> Verification:
    """What verifying says where a change was made, and all else was made again by the program itself."""
    values = copy.deepcopy(dict(honest(data)))
    change(values)
    again = Recomputation(values, find_inputs(values["inputs"], (data,), no_progress))
    for item in items_of(again):
        item.again(no_progress)
    made = again.evidence()
    content = as_bytes(made)
    path = folder / "forged.pdf"
    given = GivenEvidence("forged.pdf", made, content, None)
    path.write_bytes(pages_again(given, replace(again, values=made)))
    return verify(path, [data])


def own_scale(values: Values) -> None:
    for one in assessments(values):
        for tag, bound in zip(one["settings"]["tag_scale"], (0, 0, 7, 8, 9, 10, 11), strict=True):
            tag["from_log10_lr"] = float(bound)


def turned_round(values: Values) -> None:
    for one in assessments(values):
        one["audit"]["decisions"] = ["lower-is-more-alike"]


def left_out(values: Values) -> None:
    values["pages"]["report"]["left_out"] = ["limitations"]


def noted(values: Values) -> None:
    values["pages"]["report"] |= {"notes": {"findings": LIE}, "question": LIE, "author": LIE}


def told_of_the_drop(values: Values) -> None:
    facts = {"rules": LIE}
    remark = {"code": "by-folders", "severity": "note", "text": "", "facts": facts}
    assessments(values)[0]["remarks"].append(remark)


def agreed(values: Values) -> None:
    (line,) = (one for one in values["checks"] if one["check"] == "printed")
    case = {"outcome": "passed", "code": "printed-agree", "assessments": [0], "figures": {"figures": 9}}
    line |= {"outcome": "passed", "cases": [case | {"text": LIE}], "text": LIE}


@pytest.mark.parametrize(
    ("change", "told", "on_pages"),
    [
        pytest.param(own_scale, "own tag scale", "On the standard scale the worst one here is C", id="scale"),
        pytest.param(
            turned_round,
            "lower scores read as more alike (“unprotected”, “B2”)",
            "Read as they stand, with higher ones more alike, these scores disclose",
            id="direction",
        ),
        pytest.param(left_out, "no section “Limitations: what this does not show”", "", id="section"),
        pytest.param(noted, "author, question, notes", "", id="stated"),
        pytest.param(told_of_the_drop, "what was found when files were dropped", "", id="drop"),
        pytest.param(
            agreed,
            "one check (figures printed elsewhere)",
            "All 9 figures printed in the result files were reproduced. (As stated",
            id="printed",
        ),
    ],
)
def test_what_is_accepted_of_a_consistent_forgery_is_told(
    data: Path, tmp_path: Path, change: Forged, told: str, on_pages: str
) -> None:
    found = forged(data, tmp_path, change)
    assert found.is_verified
    assert found.summary.startswith(f"All {len(found.checked)} figures, files and pages are those of the")
    assert told in found.summary
    assert told in json.dumps(found.as_json(), ensure_ascii=False).replace('\\"', '"')
    path = tmp_path / "forged.pdf"
    assert json.loads(verification_json(path, found))["outcome"] == found.summary
    page = tmp_path / "page.pdf"
    page.write_bytes(verification_pdf(path, found))
    assert told.replace(" ", "") in "".join(pdf_text(page).split())
    said = " ".join(pdf_text(path).split())
    assert on_pages in said
    assert LIE not in said or change in (noted, told_of_the_drop)


def found_by_nobody(values: Values) -> None:
    """A finding of the drop in words of somebody's own."""
    finding = {"code": "under-codes", "severity": "note", "text": LIE, "examples": [], "lifted_by": []}
    assessments(values)[0]["audit"]["findings"].append(finding)


def of_no_python(values: Values) -> None:
    values["versions"]["python"] = "3.11.0verified"


def without_figures(values: Values) -> None:
    agreed(values)
    (line,) = (one for one in values["checks"] if one["check"] == "printed")
    line["cases"] = []


@pytest.mark.parametrize("change", [found_by_nobody, agreed, of_no_python, without_figures])
def test_words_that_nobody_said_or_computed_are_not_verified(
    data: Path, tmp_path: Path, change: Forged
) -> None:
    values = copy.deepcopy(dict(honest(data)))
    change(values)
    (tmp_path / "evidence.json").write_bytes(as_bytes(values))
    found = verify(tmp_path / "evidence.json", [data])
    assert not found.is_verified
    assert "all " not in found.summary.lower()


def of_the_usual() -> Values:
    settings = {**honest_settings(), "verbal_scale": None}
    trust = {"level": 0.95, "replicates": 1000, "seed": 0}
    audit = {"decisions": [], "findings": []}
    one = {"name": "B2", "notes": "", "choices": [], "condition": None, "audit": audit, "remarks": []}
    one |= {"attacker": "", "recogniser": "", "back_end": "", "settings": settings, "trust": trust}
    order = [section.value for section in Section]
    pages = {"report": {"order": order, "left_out": []}, "author": "", "is_summary": False}
    made = {"versions": versions()}
    return made | {"assessments": [one], "similarities": [], "pages": pages, "requirements": [], "checks": []}


def honest_settings() -> Values:
    usual = Settings()
    scales = scales_as_json(usual.tag_scale, None)
    priors = ("prior_one_in", "prior_log_odds_limit", "prior_points")
    return {**json.loads(json.dumps(scales)), **{name: getattr(usual, name) for name in priors}}


def trust_with(**values: object) -> Forged:
    return lambda of: of["assessments"][0]["trust"].update(values)


def settings_with(**values: object) -> Forged:
    return lambda of: of["assessments"][0]["settings"].update(values)


OWN_WORDS = {"name": "ours", "levels": [{"from_log10_lr": 0.0, "words": "nothing"}]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (trust_with(level=0.5), "intervals at 50 %, 1 000 draws, seed 0"),
        (trust_with(seed=7), "intervals at 95 %, 1 000 draws, seed 7"),
        (settings_with(prior_one_in=1000), "decisions at 1 in 1 000"),
        (settings_with(prior_log_odds_limit=1.0), "profiles of 201 priors up to log odds of 1"),
        (settings_with(verbal_scale=OWN_WORDS), "own verbal scale"),
        (lambda of: of["assessments"][0].update(trust=None), "no intervals"),
        (lambda of: of["pages"].update(is_summary=True), "a summary only"),
        (lambda of: of["pages"].update(ticked=[True, False]), "assessments left out of the answer"),
        (lambda of: of["pages"]["report"]["order"].reverse(), "sections in another order"),
        (
            lambda of: of["assessments"][0]["audit"].update(decisions=["nan-scores"]),
            "decided: leave out trials whose score is not a number",
        ),
    ],
)
def test_each_departure_from_the_standard_report_is_named(change: Forged, told: str) -> None:
    values = of_the_usual()
    assert not_covered(values).departing == ""
    change(values)
    assert [one.replace("\u202f", " ") for one in not_covered(values).departures] == [told]
