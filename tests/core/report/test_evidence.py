"""evidence.json and `zebra assess --json`: every figure unrounded, in a fixed order."""

import datetime as dt
import json
from dataclasses import replace

import pytest

from tests.core.samples import HOSTILE, demo, demo_material, project_of
from zebra_core.document.evidence import evidence_type
from zebra_core.evidence.trials import Trials
from zebra_core.evidence.value_types import fault
from zebra_core.metrics.assessment import assess
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import assess_files
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import assessment_as_json, trust_of

VERSIONS = {"zebra": "1.2.3", "python": "3.11"}
DATE = dt.date(2026, 11, 20)
KEYS = [
    "label",
    "n_target",
    "n_nontarget",
    "d_ece_bits",
    "worst_case_log10_lr",
    "worst_case_ceiling_log10_lr",
    "tag",
    "eer",
    "rocch_eer",
    "cllr_bits",
    "min_cllr_bits",
    "linkability",
    "linkability_by_chance",
    "d_ece_unordered_bits",
    "prior_one_in",
    "wrong_target_share",
    "wrong_nontarget_share",
    "dev_pav_log10",
    "invariance_low_log10_lr",
    "invariance_high_log10_lr",
    "min_dcf",
    "actual_dcf",
    "min_dcf_0_05",
    "actual_dcf_0_05",
    "reading",
    "reversed",
    "cross_fitted",
    "d_ece_corrected_bits",
    "hits_at",
    "profile",
    "remarks",
]


def test_an_assessment_has_exactly_these_keys() -> None:
    found = demo().entries[2].assessment
    made = assessment_as_json("B2", found)
    assert list(made) == KEYS
    assert list(made["profile"]) == ["prior_log_odds", "default_bits", "min_bits", "actual_bits"]
    assert {len(points) for points in made["profile"].values()} == {201}
    assert made["d_ece_bits"] == found.d_ece_bits
    assert made["eer"] == found.eer
    assert list(made["hits_at"].items()) == [(f"{rate:g}", share) for rate, share in found.hits_at.items()]
    assert made["remarks"] == [str(remark) for remark in found.remarks]
    assert json.loads(json.dumps(made, allow_nan=False)) == made


def test_what_is_not_measurable_or_not_finite_is_null() -> None:
    trials = Trials.from_scores(target=[1.0], nontarget=[0.0])
    found = replace(assess(trials), linkability=None, cllr_bits=float("inf"), eer=float("nan"))
    made = assessment_as_json("", found)
    assert (made["linkability"], made["cllr_bits"], made["eer"]) == (None, None, None)


def test_the_evidence_of_the_demo() -> None:
    made = evidence(demo_material(), DATE, VERSIONS)
    assert list(made) == [
        "schema",
        "title",
        "case",
        "date",
        "versions",
        "inputs",
        "assessments",
        "similarities",
        "differences",
        "requirements",
        "answer",
        "answers",
        "pages",
        "attackers",
        "checks",
        "robustness",
        "recordings",
        "listening",
        "context",
    ]
    assert made["schema"] == {"name": "zebra-evidence", "version": 1}
    assert (made["date"], made["versions"]) == ("2026-11-20", VERSIONS)
    assert made["inputs"][1] == {
        "name": "trials",
        "member": "",
        "role": "key",
        "format": "kaldi-key",
        "dialect": "UTF-8, blanks between columns, LF",
        "size": 322596,
        "sha256": "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e",
        "rows": 9828,
    }
    b2 = made["assessments"][2]
    assert (b2["name"], b2["condition"], b2["inputs"], b2["tag"]) == ("B2", "OP", [3, 1], "C")
    assert b2["settings"]["tag_scale"][3] == {
        "letter": "C",
        "from_log10_lr": 2.0,
        "words": "odds of 100 to 10 000 to 1 where both were as likely before",
    }
    assert [remark["code"] for remark in b2["remarks"]] == ["scores-taken-for-llrs"]
    assert b2["remarks"][0]["severity"] == "note"
    assert (b2["audit"]["matched"], b2["audit"]["n_scores"], b2["audit"]["decisions"]) == (9828, 9828, [])
    assert b2["audit"]["findings"] == []
    people = b2["reidentification"]
    assert (people["n_enrolled"], people["n_recordings"], people["n_calibration"]) == (63, 156, 1)
    assert [(each["people"], each["recordings"]) for each in people["linkage"]][:6] == [
        (2, 1), (5, 1), (10, 1), (20, 1), (50, 1), (63, 1),
    ]  # fmt: skip
    first = people["linkage"][0]
    assert first["probability"] == pytest.approx(0.82816377171216, rel=1e-12)
    assert first["low"] is None
    assert first["chance"] == pytest.approx(0.4985714612362411, rel=1e-12)  # not everybody is heard as often
    assert first["undisclosed_low"] < 0.5 < first["undisclosed_high"]


def test_same_project_same_bytes_and_names_as_they_are() -> None:
    project = project_of(*HOSTILE.values())
    made = as_bytes(evidence(gather(project), DATE, VERSIONS))
    assert made == as_bytes(evidence(gather(project), DATE, VERSIONS))
    assert [found["name"] for found in json.loads(made)["assessments"]] == list(HOSTILE.values())


def test_arrays_without_files_have_no_inputs() -> None:
    trials = Trials.from_scores(target=[1.0, 2.0], nontarget=[0.0])
    made = evidence(gather(Project("", (Entry("a", trials, assess(trials)),))), DATE, VERSIONS)
    assert made["inputs"] == []
    assert made["assessments"][0]["inputs"] == []
    assert made["assessments"][0]["condition"] is None


def test_decisions_and_findings_of_the_audit_are_kept(tmp_path) -> None:
    (tmp_path / "key").write_text("a b target\na c nontarget\na d nontarget\n")
    (tmp_path / "scores").write_text("a b 1e308\na c 1.7e308\n")
    decided = ["key-lines-without-score", "lower-is-more-alike"]
    entry = assess_files(tmp_path / "scores", tmp_path / "key", allow=decided)
    found = evidence(gather(Project("", (entry,))), DATE, VERSIONS)["assessments"][0]["audit"]

    assert sorted(found["decisions"]) == decided
    assert found["findings"][0]["code"] == "key-lines-left-out"
    assert found["findings"][0]["examples"] == [{"file": "key", "line": 3, "text": "a d nontarget"}]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_seed_and_the_intervals_are_in_the_evidence_where_somebody_asked() -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    found = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20, seed=11))
    project = Project("", (replace(entry, measured=found),))
    kept = evidence(gather(project), DATE, VERSIONS)["assessments"][0]["trust"]
    assert (kept["seed"], kept["replicates"], kept["level"]) == (11, 20, 0.95)
    assert kept["intervals"]["eer"] == found.as_json()["intervals"]["eer"]
    plain = evidence(demo_material(), DATE, VERSIONS)
    assert [each["trust"] for each in plain["assessments"]] == [None] * 4


def test_every_speaker_is_in_the_evidence_the_most_exposed_first() -> None:
    speakers = evidence(demo_material(), DATE, VERSIONS)["assessments"][2]["speakers"]
    assert len(speakers) == 63
    amounts = [row["estimate_bits"] for row in speakers]
    assert amounts == sorted(amounts, reverse=True)
    assert speakers[0]["speaker"] == "248"
    assert sum(row["n_target"] for row in speakers) == 156


@pytest.mark.parametrize("project", [demo(), project_of("a", "b\u202e")])
def test_evidence_follows_its_schema(project: Project) -> None:
    schema = evidence_type()
    assert fault(json.loads(as_bytes(evidence(gather(project), DATE, VERSIONS))), schema) is None


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda made: made.pop("title"), "title"),
        (lambda made: made.update(more=1), "more"),
        (lambda made: made.update(date="tomorrow"), "date"),
        (lambda made: made["schema"].update(version=True), "schema.version"),
        (lambda made: made["assessments"][0].update(attacker="x" * 1001), "assessments[0].attacker"),
        (lambda made: made.update(title="x" * 20_001), "title"),
        (lambda made: made["inputs"][1].update(size=-1), "inputs[1].size"),
        (lambda made: made["inputs"][0].update(sha256="0"), "inputs[0].sha256"),
        (lambda made: made["assessments"][2].update(eer="0.2"), "assessments[2].eer"),
        (lambda made: made["assessments"][0].update(condition="PO"), "assessments[0].condition"),
        (
            lambda made: made["assessments"][1]["profile"]["min_bits"].append("x"),
            "assessments[1].profile.min_bits[201]",
        ),
    ],
)
def test_what_does_not_follow_the_schema_is_told_by_its_place(change, at: str) -> None:
    made = json.loads(as_bytes(evidence(demo_material(), DATE, VERSIONS)))
    change(made)
    assert fault(made, evidence_type()) == at


def test_choices_name_files_by_their_place_in_the_inputs() -> None:
    entry = demo().entries[2]
    scores, key = entry.files
    choices = {f"reading:{scores.path}": "kaldi-scores", f"key:{scores.path}": str(key.path), "scores": "x"}
    made = evidence(gather(Project("", (replace(entry, choices=choices),))), DATE, VERSIONS)
    assert made["assessments"][0]["choices"] == [
        {"input": 0, "topic": "reading", "choice": "kaldi-scores"},
        {"input": 0, "topic": "key", "key": 1},
    ]
    assert str(key.path.parent) not in json.dumps(made)
