"""By group of people in a report: where it is said, what the evidence has, and that it is computed again."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from tests.core.group_cases import write_safeguard
from zebra_core.document.evidence import evidence_type
from zebra_core.evidence.value_types import fault
from zebra_core.project.comparison.difference_tests import measure
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.project import Project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import weighable_of
from zebra_core.project.report_settings import Section
from zebra_core.project.sharing.pseudonymised import Places, without_names
from zebra_core.report.content import report_content
from zebra_core.report.document import Heading, Paragraph, ReportPicture, TableBlock
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.version import versions

DATE, DRAWN = dt.date(2026, 11, 27), BootstrapSettings(40)
ATTACKS = {"lazy-informed": (3.0, 0.1, 0.5), "ignorant": (0.3, 0.1, 0.1)}


def measured(project: Project) -> Project:
    return project.with_trust(measure(project.entries, weighable_of, DRAWN, deals=0).trust)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A safeguard that two attackers tried, and another."""
    made = tmp_path_factory.mktemp("groups")
    write_safeguard(made, "B1", (3.0, 0.1, 0.5))
    write_safeguard(made, "B2", (0.3, 0.3, 0.3))
    weaker = made / "exp/B1/ASV-libri_test_enrolls-libri_test_trials_mixed_anon"
    write_safeguard(made / "weaker", "B1", (0.3, 0.1, 0.1))
    (scores,) = (made / "weaker").glob("exp/B1/*/scores")
    weaker.mkdir()
    scores.rename(weaker / "scores")
    for path in sorted((made / "weaker").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (made / "weaker").rmdir()
    return made


@pytest.fixture(scope="module")
def project(folder: Path) -> Project:
    return measured(project_of_folder(folder).project)


@pytest.fixture(scope="module")
def material(project: Project) -> StudiedProject:
    return gather(project)


@pytest.fixture(scope="module")
def values(material: StudiedProject) -> dict[str, Any]:
    return json.loads(as_bytes(evidence(material, DATE, versions())))


def test_groups_are_those_of_the_strongest_attacks(values: dict[str, Any]) -> None:
    found = {
        (one["name"], one["attacker"]): [each["attribute"] for each in one.get("by_group", [])]
        for one in values["assessments"]
    }
    assert found == {
        ("B1", "ignorant"): [],
        ("B1", "lazy-informed"): ["sex"],
        ("B2", "lazy-informed"): ["sex"],
    }
    assert fault(values, evidence_type()) is None


def test_the_section_has_a_sentence_a_table_and_a_picture(material: StudiedProject) -> None:
    content = report_content(material, DATE, versions())
    blocks = next(one.blocks for one in content.sections if one.section is Section.OPINION)
    start = next(n for n, one in enumerate(blocks) if isinstance(one, Heading) and "group" in one.text)
    said = [one.text for one in blocks[start:] if isinstance(one, Paragraph)]
    assert any(
        one.startswith("B1 protects “female” less than “male” (sex) under the strongest") for one in said
    )
    assert any(one.startswith("One group is not judged") and one.endswith("other (2).") for one in said)
    (table,) = (one for one in blocks[start:] if isinstance(one, TableBlock))
    assert [[cell.text for cell in row[1:3]] for row in table.rows] == [["female", "10"], ["male", "9"]] * 2
    assert all(" … " in cell.note for row in table.rows for cell in row[3:6])
    (picture,) = (one for one in blocks[start:] if isinstance(one, ReportPicture))
    assert len(picture.figure.points) == 4  # type: ignore[union-attr]


def test_without_intervals_it_says_that_groups_are_not_compared(folder: Path) -> None:
    plain = gather(project_of_folder(folder).project)
    assert plain.by_group == {}
    content = report_content(plain, DATE, versions())
    blocks = next(one.blocks for one in content.sections if one.section is Section.OPINION)
    assert any(isinstance(one, Paragraph) and one.text.startswith("Not compared:") for one in blocks)


def test_verifying_computes_it_again(folder: Path, values: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(as_bytes(values))
    found = verify(path, [folder])
    assert found.is_verified, found.summary
    (group,) = (one for one in values["assessments"] if one.get("by_group") and one["name"] == "B1")
    kept = group["by_group"][0]["groups"][0]["d_ece_low"]
    group["by_group"][0]["groups"][0]["d_ece_low"] = kept - 0.01
    path.write_bytes(as_bytes(values))
    forged = verify(path, [folder])
    group["by_group"][0]["groups"][0]["d_ece_low"] = kept
    assert not forged.is_verified
    assert any("by_group[0].female" in str(one.what) for one in forged.checked)


def test_evidence_from_before_there_were_groups_is_verified(
    folder: Path, project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(as_bytes(evidence(gather(project, grouped=()), DATE, versions())))
    assert b"by_group" not in path.read_bytes()
    assert verify(path, [folder]).is_verified


def test_without_names_groups_stay_and_nobody_is_named(project: Project, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    shared = without_names(project, Places(tmp_path / "shared/scores", tmp_path / "key.json"))
    found = evidence(gather(measured(shared.project)), DATE, versions())
    groups = [each for one in found["assessments"] for each in one.get("by_group", [])]  # type: ignore[attr-defined]
    assert [[one["value"] for one in each["groups"]] for each in groups] == [["female", "male", "other"]] * 2
    assert {each["attribute"] for each in groups}.isdisjoint({"sex"})
    text = as_bytes(found).decode()
    assert "ms000" not in text
    assert "fs000" not in text
