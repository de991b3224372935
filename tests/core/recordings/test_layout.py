"""Folders of scores say who attacks, and are read so; names that would be misread are refused."""

from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from tests.core.recordings.test_back_ends import arena
from zebra_core.errors import InputError
from zebra_core.intake.similarity_files import read_planned_similarity, read_speaker_map
from zebra_core.intake.sorting.plan import audit_planned, plan
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings.attacks import Attack, AttackerChoice, attacks_on
from zebra_core.recordings.back_ends import BackEndKind
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.layout import (
    require_name,
    write_data,
    write_scores,
    write_similarity_map,
    write_similarity_scores,
)
from zebra_core.recordings.speakers import read_sex, who_speaks
from zebra_core.recordings.trial_list import every_pair

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
