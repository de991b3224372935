"""What a report says of scores that were made from recordings."""

from dataclasses import replace
from datetime import date

import pytest

from tests.core.recordings_records import hashed, write_scored
from zebra_core.document.evidence import evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault
from zebra_core.intake.recordings_file import ScoringRecord, as_bytes as record_bytes, record_of
from zebra_core.project.by_group import EntryFindings
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.report_settings import Section
from zebra_core.report.content import report_content
from zebra_core.report.document import Bullets, Paragraph, TableBlock
from zebra_core.report.evidence import evidence
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
    return replace(material, records=EntryFindings(records))


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
    without = texts(section(replace(material, records=EntryFindings({})), Section.APPENDIX))

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
    gone = replace(
        material, records=EntryFindings({}, {first.id: InputError("changed", file="recordings.json")})
    )

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
    assert fault(made, evidence_type()) is None


def with_likeness(material, of):
    (record,) = {one.sha256: one for one in material.records.values()}.values()
    rows = [
        {**row, "protected": {"B2": {**row["protected"]["B2"], "likeness": of(n)}}}
        for n, row in enumerate(record.values["recordings"])
    ]
    return with_values(material, recordings=rows, likeness_of_one_person=[0.77, 0.92])


def test_a_real_voice_in_the_release_is_told_on_the_first_page_and_in_the_method(material):
    one = with_likeness(material, lambda n: 0.98 if n == 7 else 0.4 + 0.002 * n)
    name = next(iter(one.records.values())).values["recordings"][7]["id"]

    first = texts(report_content(one, TODAY, versions()).answer)
    assert f"The release contains a real voice: {name} under B2 was never changed." in " ".join(first)
    assert any(
        text.startswith(f"One copy under B2 was never changed, by its sound: {name}. It is a real voice: it")
        for text in texts(section(one, Section.METHOD))
    )
    clean = with_likeness(material, lambda n: 0.4 + 0.002 * n)
    assert not any("real voice" in text for text in texts(report_content(clean, TODAY, versions()).answer))


def test_a_copy_that_was_delivered_twice_is_told_with_both_names(material):
    (record,) = {one.sha256: one for one in material.records.values()}.values()
    again = {"repeated": ["x3.opus"], "twice": [["x3.opus", "x1.opus"]]}
    told = texts(
        section(
            with_values(material, pairs_by={"B2": {**record.values["pairs_by"]["B2"], **again}}),
            Section.METHOD,
        )
    )

    assert (
        "One recording under B2 was not used, because the table names it as a further copy of an original "
        "that has one: x3.opus."
    ) in told
    assert "Under B2, x3.opus is identical, byte by byte, to x1.opus: one copy was delivered twice." in told


def test_how_alike_two_speakers_are_is_told_and_who_counts_as_one_person(material):
    values = {"sound_alike": [["s00", "s01"]], "sound_alike_by": [[0.71, 0.62, 0.8]]}
    told = texts(section(with_values(material, **values, one_person=[["s02", "s03"]]), Section.METHOD))

    pair = "s00 and s01 (likeness 0.71; recordings of one speaker: 0.62 to 0.80 for half of the speakers)"
    assert any(one.startswith(pair) for one in told)
    assert "s02 and s03 count as one person, as the user says." in told


def test_a_record_may_name_pairs_of_speakers_who_sound_alike(material):
    record = next(iter(material.records.values()))
    whole = record_bytes({**record.values, "sound_alike": [["s00", "s01"]]})
    assert record_of(whole, "recordings.json").values["sound_alike"] == [["s00", "s01"]]
    with pytest.raises(InputError, match=r"sound_alike\[0\]"):
        record_of(record_bytes({**record.values, "sound_alike": [["s00"]]}), "recordings.json")


def test_nothing_is_said_where_there_is_no_record(material):
    without = replace(material, records=EntryFindings({}))

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
    values = {"recordings": renamed, "pairs_by": {"B2": PAIRS}}
    values["left_out_files"] = [{"safeguard": "B2", "file": "March/call_5.mp3", "why": "not-sound"}]
    blocks = section(with_values(material, **values), Section.METHOD)
    told = texts(blocks)

    assert any(
        "Copies under B2 were paired with originals by the rule *_{}={}_ANON, in which {} is what" in one
        for one in told
    )
    in_full = section(with_values(material, **values), Section.APPENDIX)
    [table] = [one for one in in_full if isinstance(one, TableBlock) and one.columns[0].head == "Original"]
    assert not any(isinstance(one, TableBlock) and one.columns[0].head == "Original" for one in blocks)
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
    blocks = section(material, Section.APPENDIX)

    assert not any(isinstance(one, TableBlock) and one.columns[0].head == "Original" for one in blocks)


def test_every_file_that_was_left_out_is_named_with_its_reason(material):
    lost = [
        ("", "a.m4a", "unread"),
        ("B2", "a.m4a", "unread"),
        ("B2", "locked", "closed"),
        ("", "b.wav", "same-name"),
        ("", "b.mp3", "same-name"),
        ("", "who.wav", "unknown-speaker"),
        ("", "again.wav", "equal"),
        ("B2", "torn.mp3", "sound-cut-off"),
        ("", "odd.wav", "sound-of-a-later-version"),
        ("", "hostile.wav", "not-protected"),
    ]
    files = [dict(zip(("safeguard", "file", "why"), one, strict=True)) for one in lost]
    left_out = {"same_name": 2, "unknown_speaker": 1, "not_heard": 3, "equal": 1}
    told = texts(section(with_values(material, left_out=left_out, left_out_files=files), Section.METHOD))

    for sentence in (
        "One recording of the originals is in a format that ZEBRA does not read, and was left out: a.m4a.",
        "One recording of B2 is in a format that ZEBRA does not read, and was left out: a.m4a.",
        "One folder of B2 could not be opened; whatever is in it was left out: locked.",
        (
            "2 recordings share a name with another in the same folder, and were left out. They are: "
            "b.wav, b.mp3."
        ),
        "One recording of an unknown speaker was left out. It is who.wav.",
        (
            "3 recordings were left out, because at least one version of them could not be used. "
            "B2 › torn.mp3: cut off. odd.wav: cannot be used. hostile.wav: cannot be used."
        ),
        "One recording that is identical, byte by byte, to another was left out. It is again.wav.",
    ):
        assert sentence in told


def test_very_many_that_cannot_be_heard_are_counted_where_the_list_ends(material):
    files = [{"safeguard": "", "file": f"{n}.wav", "why": "sound-silent"} for n in range(50)]
    told = texts(
        section(with_values(material, left_out={"not_heard": 50}, left_out_files=files), Section.METHOD)
    )

    [said] = [one for one in told if "39.wav: no speech." in one]
    assert said.endswith("10 more files are listed in the evidence.")


def test_the_report_says_what_hashes_and_lengths_say_against_copies(material):
    """Copies that do not protect, are those of others, or are long where originals are short."""
    [record] = {one.sha256: one for one in material.records.values()}.values()
    rows = [
        {
            **row,
            "original": {**row["original"], "seconds": 10.0 + n},
            "protected": {"B2": {**row["protected"]["B2"], "seconds": 90.0 - n}},
        }
        for n, row in enumerate(record.values["recordings"])
    ]
    for copy, other in ((0, rows[0]["original"]), (1, rows[2]["original"]), (3, rows[4]["protected"]["B2"])):
        rows[copy]["protected"]["B2"]["sha256"] = other["sha256"]
    rows[5]["protected"]["left alone"] = rows[5]["protected"]["B2"]  # which nothing is known of elsewhere
    told = texts(section(with_values(material, recordings=rows), Section.METHOD))

    ids = [row["id"] for row in rows]
    for beginning in (
        f"One copy under B2 is identical to its original, byte by byte, and so is not protected: {ids[0]}.",
        (
            "One copy under B2 is identical, byte by byte, to the original of another recording; it is "
            f"the wrong file, and not protected: {ids[1]}."
        ),
        f"2 copies under B2 are identical, byte by byte, to copies of other originals: {ids[3]}, {ids[4]}.",
        "Under B2 long originals do not have long copies and short ones short copies.",
    ):
        assert any(one.startswith(beginning) for one in told)
    assert not any("byte by byte" in one or "long originals" in one for one in method_of(material))


def method_of(material):
    return texts(section(material, Section.METHOD))


def test_the_report_says_where_what_is_understood_comes_from(material):
    words = {"B2": {"sha256": hashed("text"), "recordings": 40}}
    told = method_of(with_values(material, words_by=words))

    said = (
        "What is understood under B2 was stated by a file text that lay with the copies "
        f"(SHA-256 {hashed('text')[:16]}…), for 40 of these recordings; ZEBRA did not find it out itself."
    )
    assert any(said in one for one in told)


def test_a_rule_that_codes_hide_is_not_told_as_equal_names(material):
    hidden = {"B2": {**PAIRS, "rule": None}}
    told = method_of(with_values(material, pairs_by=hidden, is_coded=True))

    assert any("paired with originals by a rule that is not stated here" in one for one in told)
    assert not any("by their names" in one for one in told)
