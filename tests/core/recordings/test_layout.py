"""Folders of scores say who attacks, and are read so; names that would be misread are refused."""

from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from tests.core.recordings.test_attacks import arena
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.drop import read_planned_similarity, read_speaker_map
from zebra_core.intake.sorting.plan import audit_planned, plan
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import read_similarity
from zebra_core.recordings.attacks import Attack, AttackerChoice, BackEndKind, attacks_on
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.layout import (
    count_listed,
    require_name,
    voices_of,
    write_data,
    write_scores,
    write_similarity_lists,
    write_similarity_map,
    write_similarity_scores,
)
from zebra_core.recordings.speakers import read_sex, who_speaks
from zebra_core.recordings.trial_list import apart, every_pair

WITHIN = "cosine, whitened within speakers"


@pytest.mark.parametrize("name", ["B2", "my-system_v2.1", "Vendor delivery"])
def test_every_attacker_is_read_off_its_folder(tmp_path, name):
    stage = arena(10)
    write_data(tmp_path, stage.trials, {}, {})
    scores = np.linspace(0.0, 1.0, len(stage.trials.pairs))
    for attack in attacks_on([name], has_words=True, understood=[name]):
        write_scores(tmp_path, attack, stage.trials, scores)
    found = project_of_folder(tmp_path).project.entries
    plain = ("", "cosine"), ("", "centred cosine"), ("", WITHIN), ("", "cosine, AS-norm")
    others = ("pitch", "Gaussian"), ("words", "character n-grams")
    adapted = [
        ("", "cosine"),
        ("", "cosine, AS-norm"),
        ("", "centred cosine, back-end adapted"),
        ("", f"{WITHIN}, back-end adapted"),
    ]
    adapted += [("pitch", "Gaussian, back-end adapted"), ("together", "logistic regression")]
    expected = [("unprotected", "OO", "", *one) for one in (*plain, *others, adapted[-1])]
    for condition, knowing_less in (("OP", "ignorant"), ("PP", "lazy-informed")):
        expected += [(name, condition, knowing_less, *one) for one in (*plain, *others)]
        expected += [(name, condition, "semi-informed", *one) for one in adapted]

    assert {one.dataset for one in found} == {"recordings"}
    told = [(e.name, e.condition.value, e.attacker, e.recogniser, e.back_end) for e in found]
    assert sorted(told) == sorted(expected)


@pytest.mark.parametrize(
    "name",
    ["f", "M_2", "anon", "all-of-it", "my trials", "enrolled", "a/b", "", "ü", "x" * 61, "my_op", "run1"],
)
def test_names_that_would_be_misread_are_refused(name):
    with pytest.raises(InputError, match="cannot be the name of a safeguard"):
        require_name(name)


def test_scores_are_written_to_the_last_digit_and_transcripts_where_they_are_known(tmp_path):
    stage = arena(10)
    attack = attacks_on(["B2"], AttackerChoice.COSINE)[1]
    scores = stage.attacked(attack).scores
    path = write_scores(tmp_path, attack, stage.trials, scores).path
    first = stage.trials.ids[0]
    words = {first: "SO IT IS", "x": "NO"}
    files = [one.path for one in write_data(tmp_path, stage.trials, {"00": "f"}, words)]

    assert [float(line.split()[2]) for line in path.read_text().splitlines()] == scores.tolist()
    assert [one.name for one in files] == ["trials", "utt2spk", "spk2gender", "text"]
    assert files[2].read_text() == "00 f\n"
    assert files[3].read_text() == f"{first} SO IT IS\n"


def test_names_with_blanks_are_written_and_read_as_they_are(tmp_path):
    """Also where speakers are called by a number, and where only some names hold a blank."""
    who = ["Eva Novak", "17", 'Ben "B" Fischer', "山田\u3000太郎", "x%20y"]
    speaker = {f"{one}/call {n}": one for one in who for n in range(2)}
    trials = every_pair(speaker, across=False)
    attack = Attack("", False, False, False, BackEndKind.COSINE)
    scores = np.linspace(-1.0, 1.0, len(trials.pairs))
    write_scores(tmp_path, attack, trials, scores)
    sex = {one: "fm"[n % 2] for n, one in enumerate(who)}
    data = {one.place: one.path for one in write_data(tmp_path, trials, sex, {trials.ids[0]: "SO IT IS"})}
    write_similarity_map(tmp_path, trials)
    write_similarity_scores(tmp_path, attack, trials, scores)
    made = plan([tmp_path])

    assert not made.problems
    assert not made.questions
    (planned,) = made.assessments
    (similar,) = made.similarities
    found, _ = audit_planned(planned)
    assert {*found.enrol.names, *found.test.names} == set(speaker)
    assert sorted(found.score.tolist()) == scores.tolist()
    evidence = read_planned_similarity(similar)
    assert dict(evidence.speakers) == speaker
    top = "data/recordings_trials"
    assert read_speaker_map(data[f"{top}/utt2spk"]) == speaker
    assert read_sex(data[f"{top}/spk2gender"]) == sex
    recordings = {name: Recording(Path(name), PurePosixPath(f"{name}.wav")) for name in speaker}
    assert who_speaks(recordings, data[f"{top}/utt2spk"]).speaker == speaker
    assert data[f"{top}/text"].read_text() == f'utterance\ttext\n"{trials.ids[0]}"\tSO IT IS\n'


def test_names_without_blanks_are_written_as_in_kaldi(tmp_path):
    trials = every_pair({"a/1": "a", "a%20/2": "a", "b/1": "b"}, across=False)
    (key, spoken) = write_data(tmp_path, trials, {}, {})

    assert spoken.path.read_text() == "a%20/2 a\na/1 a\nb/1 b\n"
    assert key.path.read_text().splitlines()[0] == "a%20/2 a/1 target"


VOICES = {"a-1": "a", "a-2": "a", "b-1": "b"}
EAST, NORTH, NORTH_EAST = [1.0, 0.0], [0.0, 1.0], [np.sqrt(0.5), np.sqrt(0.5)]
EMBEDDINGS = {"": np.array([EAST, NORTH_EAST, NORTH]), "B2": np.array([NORTH, NORTH, EAST])}


def written(top, speaker=VOICES, safeguards=("B2",)):
    return write_similarity_lists(top, speaker, safeguards, lambda _ids: EMBEDDINGS)


def pairs(path):
    lines = (line.split() for line in path.read_text().splitlines())
    return {(first, second): float(score) for first, second, score in lines}


def test_originals_stand_in_pairs_once_and_never_against_their_own_copy(tmp_path):
    found = written(tmp_path)
    folder = tmp_path / "matrices" / "recordings"
    half = pytest.approx(np.sqrt(0.5))

    assert pairs(folder / "scores_oo.txt") == {
        ("a-1", "a-2"): half, ("a-1", "b-1"): pytest.approx(0.0), ("a-2", "b-1"): half,
    }  # fmt: skip
    assert pairs(folder / "B2" / "scores_op.txt") == {
        ("a-1", "a-2"): pytest.approx(0.0), ("a-2", "a-1"): half,
        ("a-1", "b-1"): pytest.approx(1.0), ("b-1", "a-1"): pytest.approx(1.0),
        ("a-2", "b-1"): half, ("b-1", "a-2"): pytest.approx(1.0),
    }  # fmt: skip
    assert pairs(folder / "B2" / "scores_pp.txt") == {
        ("a-1", "a-2"): pytest.approx(1.0), ("a-1", "b-1"): 0.0, ("a-2", "b-1"): 0.0,
    }  # fmt: skip
    assert (folder / "utt2spk").read_text() == "a-1 a\na-2 a\nb-1 b\n"
    assert {tmp_path / one.place for one in found.files} == {p for p in tmp_path.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    ("speaker", "sentence"),
    [
        ({"a-1": "a", "a-2": "a"}, "Recordings of only one speaker can be compared"),
        ({"a-1": "a", "b-1": "b"}, "No speaker has two recordings that can be compared"),
        (
            {f"{n:04}": str(n // 2) for n in range(1002)},
            "1\u202f002 recordings make 1\u202f003\u202f002 pairs of original with protected",
        ),
    ],
)
def test_where_there_can_be_none_a_sentence_says_why(tmp_path, speaker, sentence):
    found = written(tmp_path, speaker)

    assert found.sentences[0].startswith("No lists for similarity matrices were written")
    assert sentence in found.sentences[0]
    assert list(tmp_path.iterdir()) == []


def test_with_enrolments_apart_the_voices_are_those_of_the_tests():
    trials = apart({**VOICES, "a-3": "a", "b-2": "b"}, 1, {})

    assert voices_of(trials, every_pair=False) == {"a-2": "a", "a-3": "a", "b-2": "b"}
    assert len(voices_of(trials, every_pair=True)) == 5


def test_beside_a_key_of_the_same_pairs_they_are_read_as_matrices(tmp_path):
    stage = arena(6)
    speaker = dict(zip(stage.trials.ids, stage.trials.speaker, strict=True))
    write_data(tmp_path, stage.trials, {}, {})
    for attack in attacks_on(["B2"], AttackerChoice.COSINE):
        write_scores(tmp_path, attack, stage.trials, stage.attacked(attack).scores)
    write_similarity_lists(tmp_path, speaker, ["B2"], lambda _ids: stage.embeddings)
    project = project_of_folder(tmp_path).project
    folder = tmp_path / "matrices" / "recordings"
    alone = read_similarity(
        oo=folder / "scores_oo.txt",
        op=folder / "B2" / "scores_op.txt",
        pp=folder / "B2" / "scores_pp.txt",
        speakers=SpeakerRule.BEFORE_HYPHEN,
    )
    [entry] = project.similarities

    assert len(project.entries) == 3
    assert (entry.name, entry.dataset) == ("B2", "recordings")
    assert entry.similarity.as_json() == alone.as_json()


def test_pairs_are_counted_before_any_list_is_written(tmp_path):
    lines = [len(pairs(one.path)) for one in written(tmp_path).files if "scores" in one.path.name]

    assert sum(lines) == count_listed(3, 1) == 3 + 6 + 3
    assert count_listed(1_001, 1) == 0
