"""The record of recordings in a drop: whose it is, and what is told where scores are not those it lists."""

import shutil
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.core.plans import asks_nothing
from tests.core.recordings_records import record_values, write_scored
from zebra_core.errors import InputError
from zebra_core.intake.recordings_file import as_bytes, record_of
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings.section import attack_of, read_record

OO = "exp/asv_orig/cosine_out/recordings_enrolls-recordings_trials/scores"


@pytest.fixture
def drop(tmp_path):
    return write_scored(tmp_path / "out")


def test_scores_come_with_their_record_by_their_hash(drop):
    made = plan([drop], {})

    assert asks_nothing(made)
    assert not made.unused
    assert {one.record.source.path.name for one in made.assessments} == {"recordings.json"}
    assert [
        finding for one in made.assessments for finding in one.findings if finding.code == "not-as-recorded"
    ] == []


def test_the_record_is_among_the_files_and_says_which_attack_it_was(drop):
    for entry in project_of_folder(drop).project.entries:
        record = read_record(entry)

        assert entry.files[-1].role == "recordings"
        assert entry.files[-1].sha256 == sha256((drop / "recordings.json").read_bytes()).hexdigest()
        assert attack_of(entry, record)["condition"].upper().replace("A", "P") == entry.condition.value


def test_scores_that_were_moved_are_known_by_their_hash(drop, tmp_path):
    (tmp_path / "moved").mkdir()
    shutil.move(drop / OO, tmp_path / "moved" / "scores.txt")
    shutil.rmtree(drop / "exp")
    (one,) = plan([tmp_path / "moved", drop], {}).assessments

    assert one.record is not None
    assert not one.findings


def test_changed_scores_are_told(drop):
    lines = (drop / OO).read_text().splitlines()
    (drop / OO).write_text("\n".join([lines[0] + "1", *lines[1:]]) + "\n")
    entries = project_of_folder(drop).project.entries
    (changed,) = (entry for entry in entries if entry.condition.value == "OO")

    (told,) = (str(one) for one in changed.remarks if one.code == "not-as-recorded")
    assert told == (
        "scores is not the file that recordings.json lists under this name: it was changed, or made again, "
        "after the record was written. The record does not say where it comes from."
    )
    assert attack_of(changed, read_record(changed)) is None


def codes_of(entry):
    return {one.code for one in entry.remarks}


def test_a_folder_that_was_not_finished_is_told(drop):
    gone = next(place for place in (drop / "exp").rglob("scores") if "trials_B2" in str(place))
    gone.unlink()
    (left,) = project_of_folder(drop).project.entries

    (told,) = (str(one) for one in left.remarks if one.code == "record-incomplete")
    assert told.startswith("recordings.json lists one file that is not there: exp/asv_orig/cosine_out/")


def test_scores_of_another_run_are_told(drop):
    other = drop / OO.replace("cosine_out", "centred_out")
    other.parent.mkdir(parents=True)
    shutil.copy(drop / OO, other)
    other.write_text(other.read_text().replace("\n", "1\n"))
    entries = project_of_folder(drop).project.entries

    (told,) = [str(one) for entry in entries for one in entry.remarks if one.code == "not-in-record"]
    assert told.startswith(
        f"{other.relative_to(drop).as_posix()} lies beside recordings.json, which lists nothing there:"
    )
    assert [codes_of(entry) & {"record-incomplete"} for entry in entries] == [set()] * 3


def test_so_are_scores_that_are_those_of_another_name(drop):
    other = drop / OO.replace("recordings_trials", "recordings_trials_X9")
    other.parent.mkdir(parents=True)
    shutil.copy(next(path for path in drop.rglob("scores") if "trials_B2" in str(path)), other)

    told = [
        entry.name for entry in project_of_folder(drop).project.entries if "not-in-record" in codes_of(entry)
    ]
    assert told == ["X9"]


def test_matrices_of_another_run_are_told(drop):
    matrices = drop / "matrices" / "recordings" / "B3"
    matrices.mkdir(parents=True)
    pairs = [f"s{a:02}-0 s{b:02}-1 {a * b % 7}\n" for a in range(6) for b in range(6)]
    (matrices.parent / "utt2spk").write_text(
        "".join(f"s{a:02}-{n} s{a:02}\n" for a in range(6) for n in (0, 1))
    )
    (matrices / "scores_pp.txt").write_text("".join(pairs))
    (item,) = project_of_folder(drop).project.similarities

    assert "not-in-record" in codes_of(item)


def test_equal_scores_of_two_attackers_go_back_to_that_of_whoever_attacked(drop):
    record = record_of((drop / "recordings.json").read_bytes(), "recordings.json")
    ignorant = next(one for one in record.values["attacks"] if one["attacker"] == "ignorant")
    semi = {**ignorant, "attacker": "semi-informed", "adapted": True}
    both = replace(record, values={**record.values, "attacks": [ignorant, semi]})
    sha256 = record.files[ignorant["scores"]]

    found = [both.attack_of(sha256, who) for who in ("ignorant", "semi-informed", "somebody")]
    assert found == [ignorant, semi, ignorant]
    assert both.attack_of("other", "ignorant") is None


def test_a_record_alone_is_not_used(drop):
    made = plan([drop / "recordings.json"], {})

    assert [file.role.value for file in made.unused] == ["recordings"]


def test_archives_hold_it_as_well(drop, tmp_path):
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "out")
    entries = project_of_folder(_alone(packed, tmp_path / "alone")).project.entries

    assert [attack_of(entry, read_record(entry))["condition"] for entry in entries] == ["oo", "oa"]


def _alone(packed, folder):
    folder.mkdir()
    shutil.move(packed, folder)
    return folder


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 2}, "recordings.json is a record of version 2, but only versions up to 1 can be read"),
        (
            {"attacks": None},
            "recordings.json is not a record of scores as ZEBRA writes it: “attacks” is wrong",
        ),
        ({"files": {}}, "“attacks\\[0\\].scores” is wrong or missing"),
        ({"more": 1}, "“more” is wrong or missing"),
    ],
)
def test_a_record_that_is_none_has_a_sentence(change, sentence):
    with pytest.raises(InputError, match=sentence):
        record_of(as_bytes({**record_values(), **change}), "recordings.json")


def test_a_broken_record_is_a_problem_of_the_drop_and_the_scores_are_read(drop):
    content = (drop / "recordings.json").read_text()
    (drop / "recordings.json").write_text(content[: len(content) // 2])
    made = plan([drop], {})

    assert [problem.error.code for problem in made.problems] == ["record-not-json"]
    assert [one.record for one in made.assessments] == [None, None]


def test_a_recording_without_the_copy_of_an_attack_contradicts_it():
    values = record_values()
    values["attacks"].append({**values["attacks"][0], "safeguard": "B2"})
    del values["recordings"][1]["protected"]["B2"]

    with pytest.raises(InputError, match=r"recordings\[1\].protected"):
        record_of(as_bytes(values), "recordings.json")
