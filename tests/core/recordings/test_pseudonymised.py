"""Shared without names, the record of recordings keeps hashes and attackers, and names nobody."""

import json
from dataclasses import fields
from datetime import date

import pytest

from tests.core.recordings_records import hashed, write_scored
from zebra_core.intake.recordings_file import FILE, as_bytes as record_as_bytes
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail, Scope
from zebra_core.project.sharing.pseudonymised import Places, without_names, words_without
from zebra_core.project.sharing.pseudonymised_files import HiddenNames
from zebra_core.recordings.layout import DATASET
from zebra_core.recordings.section import attack_of
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.version import versions
from zebra_core.wording.texts import say


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    top = tmp_path_factory.mktemp("nameless")
    before = project_of_folder(write_scored(top / "out")).project
    return gather(without_names(before, Places(top / "shared", top / "codes.json")).project), top


def test_every_assessment_keeps_its_attack(shared):
    material, _top = shared
    found = [
        (e.condition.value, attack_of(e, material.records[e.id])["attacker"])
        for e in material.project.entries
    ]

    assert found == [("OO", "none"), ("OP", "ignorant")]


def test_no_name_is_in_evidence_or_files_and_every_hash_is(shared):
    material, top = shared
    told = as_bytes(evidence(material, date(2026, 1, 2), versions()))
    files = [path.read_bytes() for path in (top / "shared").iterdir()]

    for content in (told, *files):
        for name in (b"s00", b"s11-3", b"s98", b"Novak", b"original/", b".flac"):
            assert name not in content
    assert hashed("original/s00-0").encode() in told
    assert hashed("B2/s11-3").encode() in told
    assert b"original/s00-0.flac" in (top / "codes.json").read_bytes()


def test_neither_folds_nor_the_order_of_names_are_told(shared):
    material, _top = shared
    (record,) = {each.sha256: each for each in material.records.values()}.values()
    names = [row["id"] for row in record.values["recordings"]]

    assert (record.values["folds"], record.values["is_coded"]) == (None, True)
    assert names == sorted(names)
    assert len(set(names)) == 48


def test_columns_rules_and_files_that_were_left_out_are_coded(tmp_path):
    top = write_scored(tmp_path / "out")
    values = json.loads((top / FILE).read_bytes())
    values["speakers_by"] = {
        "rule": None, "file": "calls.csv", "sha256": hashed("calls"), "column": "Acme sellers",
    }  # fmt: skip
    values["pairs_by"]["B2"]["rule"] = "acme_{}={}_x"
    values["one_person"] = [["Zoe", "Smith"]]
    values["pairs_by"]["B2"]["repeated"] = ["Zoe Smith.opus"]
    values["pairs_by"]["B2"]["twice"] = [["Zoe Smith.opus", "Smith 2.opus"]]
    values["left_out_files"] += [
        {"safeguard": "B2", "file": "Zoe Smith.m4a", "why": "unread"},
        {"safeguard": "", "file": "Zoe Smith.wav", "why": "sound-silent"},
    ]
    values["words_by"] = {"B2": {"sha256": hashed("text"), "recordings": 4}}
    (top / FILE).write_bytes(record_as_bytes(values))
    before = project_of_folder(top).project
    material = gather(without_names(before, Places(tmp_path / "shared", tmp_path / "codes.json")).project)
    told = as_bytes(evidence(material, date(2026, 1, 2), versions()))

    for content in (told, *(path.read_bytes() for path in (tmp_path / "shared").iterdir())):
        assert not any(name in content for name in (b"cme", b"Zoe", b"Smith", b"calls.csv"))
    [record] = {each.sha256: each for each in material.records.values()}.values()
    assert {one["why"] for one in record.values["left_out_files"]} == {"not-sound", "unread", "sound-silent"}
    assert [*record.values["words_by"].values()] == [*values["words_by"].values()]


def test_equal_names_stay_the_rule(shared):
    material, _top = shared
    [record] = {each.sha256: each for each in material.records.values()}.values()

    assert [one["rule"] for one in record.values["pairs_by"].values()] == ["{}={}"]


def test_a_requirement_goes_along_whatever_zebra_calls_its_fields_and_folders(tmp_path):
    before = project_of_folder(write_scored(tmp_path / "out")).project
    of_recordings = Requirement(
        "In at most 1 of 10", "pi_link", 0.1, detail=RequirementDetail(people=20), scope=Scope((DATASET,))
    )
    of_a_person = Requirement("Not s00", "d_ece_bits", 0.1)
    made = without_names(
        before.requiring(of_recordings, of_a_person), Places(tmp_path / "shared", tmp_path / "codes.json")
    )

    assert [one.name for one in made.project.requirements] == ["In at most 1 of 10"]
    assert say("nameless.requirements") in made.sentences


@pytest.mark.parametrize(
    "name",
    [one.name for of in (Requirement, Scope, RequirementDetail) for one in fields(of)]
    + ["0.1", "at_most", "d_ece_bits", "requirementdetail", "scope", "none"],
)
def test_what_zebra_calls_the_parts_of_a_requirement_is_the_name_of_nobody(name):
    project = Project(requirements=(Requirement("R", "d_ece_bits", 0.1),))

    assert words_without(project, HiddenNames([name]))[0].requirements == project.requirements
