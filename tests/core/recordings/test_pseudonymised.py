"""Shared without names, the record of recordings keeps hashes and attackers, and names nobody."""

import json
from datetime import date

import pytest

from tests.core.recordings_records import hashed, write_scored
from zebra_core.intake.recordings_file import FILE
from zebra_core.intake.recordings_file import as_bytes as record_as_bytes
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.sharing.pseudonymised import Places, without_names
from zebra_core.recordings.scoring_records import attack_of
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.version import versions


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
