"""Lists for similarity matrices: which pairs, which scores, and that they are read as matrices."""

import numpy as np
import pytest

from tests.core.recordings.test_back_ends import arena
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import read_similarity
from zebra_core.recordings.attacks import AttackerChoice, attacks_on
from zebra_core.recordings.layout import write_data, write_scores
from zebra_core.recordings.similarity_lists import count_listed, voices_of, write_similarity_lists
from zebra_core.recordings.trial_list import apart

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
