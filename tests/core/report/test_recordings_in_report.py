"""What a report says of scores that were made from recordings."""

from dataclasses import replace
from datetime import date

import pytest

from tests.core.recordings_records import hashed, write_scored
from zebra_core.errors import InputError
from zebra_core.files.schema import fault
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.project.folder import project_of_folder
from zebra_core.project.gathering import gather
from zebra_core.project.report_settings import Section
from zebra_core.report.content import report_content
from zebra_core.report.document import Bullets, Paragraph, TableBlock
from zebra_core.report.evidence import evidence
from zebra_core.report.evidence_schema import evidence_schema
from zebra_core.version import versions

TODAY = date(2026, 1, 2)


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    return gather(project_of_folder(write_scored(tmp_path_factory.mktemp("scored") / "out")).project)


def section(material, which):
    found = report_content(material, TODAY, versions()).sections
    return next(one for one in found if one.section is which).blocks


def texts(blocks):
    told = [block.text for block in blocks if isinstance(block, Paragraph)]
    return told + [
        run.text for block in blocks if isinstance(block, Bullets) for item in block.items for run in item
    ]


def with_values(material, **values):
    records = {
        entry_id: ScoringRecord({**record.values, **values}, record.sha256)
        for entry_id, record in material.records.items()
    }
    return replace(material, records=records)


def test_the_method_says_recogniser_attackers_and_what_was_left_out(material):
    blocks = section(material, Section.METHOD)
    told = texts(blocks)

    assert (
        "According to their record recordings.json, ZEBRA 0.1.0 made the scores from 48 original recordings "
        "of 12 speakers, 10.0 minutes of speech; the evidence lists each with its SHA-256. Originals "
        "and their copies under B2 were paired by their names."
    ) in told
    assert any(f"Ears (licence: MIT; SHA-256 {hashed('network')[:16]}…)" in one for one in told)
    assert any("The network itself was not trained again" in one for one in told)
    assert "Recordings are compared by their cosine alone, which learns nothing." in told
    assert "2 recordings were left out, because they lack a copy under one or more safeguards." in told
    (table,) = (one for one in blocks if isinstance(one, TableBlock) and one.caption.startswith("Attackers"))
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["B2", "OP", "ignorant", "cosine", "–", "–"],
        ["unprotected", "OO", "on unprotected speech", "cosine", "–", "–"],
    ]


def test_the_limitations_say_that_a_stronger_recogniser_may_find_more(material):
    told = texts(section(material, Section.LIMITATIONS))

    assert any(one.endswith("A stronger recogniser may find more.") for one in told)
    assert any("network of the recogniser itself was not trained again" in one for one in told)
    assert not any("to learn from" in one for one in told)


def test_few_speakers_to_learn_from_and_a_weak_recogniser_are_told(material):
    (record,) = {one.sha256: one for one in material.records.values()}.values()
    taught = [{**one, "taught_by_speakers": 9, "shrinkages": [0.3, 0.5]} for one in record.values["attacks"]]
    weak = {**record.values["recogniser"], "eer": 0.3}
    changed = with_values(material, attacks=taught, recogniser=weak, folds=5)

    limits, told = (texts(section(changed, one)) for one in (Section.LIMITATIONS, Section.METHOD))
    few = "Back ends had only 9 speakers to learn from"
    assert sum(one.startswith(few) for one in limits) == sum(one.startswith(few) for one in told) == 1
    assert any(one.startswith("Even unprotected speech has an EER of 30 %") for one in told)
    assert any(one.startswith("Back ends learnt from these speakers in 5 folds") for one in told)


def test_the_appendix_says_how_equal_scores_are_that_are_made_again(material):
    told = texts(section(material, Section.APPENDIX))
    without = texts(section(replace(material, records={}), Section.APPENDIX))

    [said] = [one for one in told if one not in without]
    assert said.startswith(
        "Where that folder also contains the recordings, the scores are made from them again"
    )
    assert said.endswith("a cosine by 0.0001, and the score of a back end that learns by 0.001.")


def test_scores_that_are_not_those_of_the_record_have_no_attacker(material):
    (record,) = {one.sha256: one for one in material.records.values()}.values()
    others = dict.fromkeys(record.files, hashed("other"))
    told = section(with_values(material, files=others), Section.METHOD)

    assert (
        "Some of the scores are not those that the record lists. What the record says does not hold for them."
        in texts(told)
    )


def test_a_record_that_has_gone_is_told(material):
    first = material.project.entries[0]
    gone = replace(material, records={}, unrecorded={first.id: InputError("changed", file="recordings.json")})

    (told,) = (one for one in texts(section(gone, Section.METHOD)) if "cannot be determined" in one)
    assert told.startswith(
        "unprotected OO, cosine: how these scores were made cannot be determined. recordings.json has"
    )


def test_the_evidence_has_the_record_whole(material):
    made = evidence(material, TODAY, versions())
    (found,) = made["recordings"]

    assert found["assessments"] == [0, 1]
    assert made["inputs"][found["input"]]["role"] == "recordings"
    assert found["record"]["recordings"][0]["original"]["sha256"] == hashed("original/s00-0")
    assert fault(made, evidence_schema()) is None


def test_nothing_is_said_where_there_is_no_record(material):
    without = replace(material, records={})

    assert not any("recognis" in one for one in texts(section(without, Section.METHOD)) if "record " in one)
    assert evidence(without, TODAY, versions())["recordings"] == []


PAIRS = {
    "rule": "*_{}={}_ANON",
    "file": None,
    "sha256": None,
    "missing": ["original/2025_call_9.wav"],
    "ambiguous": [],
    "extra": ["March/call_99_ANON.mp3"],
    "named_otherwise": ["March/REC7.mp3", "March/REC8.mp3"],
}


def test_the_report_says_how_copies_were_paired_lists_the_pairs_and_what_has_no_partner(material):
    [record] = {one.sha256: one for one in material.records.values()}.values()
    renamed = [
        {**row, "protected": {"B2": {**row["protected"]["B2"], "file": f"March/{row['id']}_ANON.mp3"}}}
        for row in record.values["recordings"]
    ]
    values = {"recordings": renamed, "pairs_by": {"B2": PAIRS}, "not_sound": {"B2": ["March/call_5.mp3"]}}
    blocks = section(with_values(material, **values), Section.METHOD)
    told = texts(blocks)

    assert any(
        "Copies under B2 were paired with originals by the rule *_{}={}_ANON, in which {} is what" in one
        for one in told
    )
    [table] = [one for one in blocks if isinstance(one, TableBlock) and one.columns[0].head == "Original"]
    first = renamed[0]
    assert [cell.text for cell in table.rows[0]] == [
        first["original"]["file"],
        f"March/{first['id']}_ANON.mp3",
    ]
    assert len(table.rows) == len(renamed)
    assert "One original has no copy under B2: original/2025_call_9.wav." in told
    assert (
        "One recording under B2 is the copy of no original, and was not used: March/call_99_ANON.mp3." in told
    )
    assert any(one.startswith("2 recordings under B2 do not follow the rule") for one in told)
    assert "One file of B2 is named like a recording and holds no sound: March/call_5.mp3." in told


def test_pairs_of_equal_names_are_not_listed(material):
    blocks = section(material, Section.METHOD)

    assert not any(isinstance(one, TableBlock) and one.columns[0].head == "Original" for one in blocks)
