"""Shared without names, the record of recordings keeps hashes and attackers, and names nobody."""

from datetime import date

import pytest

from tests.core.recordings_records import hashed, write_scored
from zebra_core.project.folder import project_of_folder
from zebra_core.project.gathering import gather
from zebra_core.project.pseudonymised import Places, without_names
from zebra_core.project.scoring_records import attack_of
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
