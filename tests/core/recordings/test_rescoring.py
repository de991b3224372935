"""Scores made again from recordings are those that were written; what has another hash is not heard."""

import pytest

from tests.core.recordings.samples import tone, write
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.recordings_file import ScoringRecord, record_of
from zebra_core.recordings.request import Request
from zebra_core.recordings.rescoring import RecomputedEmbeddings, recogniser_of
from zebra_core.recordings.scoring import score


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Four tones each of two "speakers", of which one is lower than the other."""
    top = tmp_path_factory.mktemp("again")
    for who, hertz in (("a", 200.0), ("b", 600.0)):
        for n in range(4):
            write(top / "original" / who / f"{who}{n}.wav", tone(0.3, hertz=hertz + 20 * n))
    score(Request(top / "original", {}, SpeakerRule.FIRST_FOLDER, enrol=2), top / "out")
    return top


@pytest.fixture(scope="module")
def stage(scored):
    return made_again(scored)


def record(scored):
    return record_of((scored / "out" / "recordings.json").read_bytes(), "recordings.json")


def made_again(scored):
    found = record(scored)
    paths = {row["original"]["sha256"]: scored / "original" / row["original"]["file"] for row in found.rows}
    return RecomputedEmbeddings.of(found, paths, recogniser_of(found))


def test_the_scores_are_the_same_to_the_last_bit_on_one_machine(scored, stage):
    (attack,) = stage.record.values["attacks"]
    table = recognise(open_file(scored / "out" / attack["scores"])).read()

    assert len(table.score) == 8
    assert stage.scores(attack, *table.sides).tolist() == table.score.tolist()


def test_similarity_lists_are_the_same_too_and_compare_recordings_whatever_the_trials_are(scored, stage):
    place = "matrices/recordings/scores_oo.txt"
    made = stage.list_of(stage.record.files[place])
    table = recognise(open_file(scored / "out" / place)).read()

    assert (made["scores"], made["condition"], made["safeguard"]) == (place, "oo", "")
    assert len(table.score) == 6  # pairs of the four recordings of the tests
    again = stage.scores(made, *table.sides, each_alone=True)
    assert again.tolist() == table.score.tolist()


def test_scores_of_trials_are_no_similarity_list(stage):
    (attack,) = stage.record.values["attacks"]

    assert stage.list_of(stage.record.files[attack["scores"]]) is None


def test_trials_of_others_are_refused(scored, stage):
    (attack,) = stage.record.values["attacks"]
    enrol, _test = recognise(open_file(scored / "out" / attack["scores"])).read().sides

    with pytest.raises(InputError, match="The scores name “a”, but their record does not list"):
        stage.scores(attack, enrol, enrol)


def test_the_folds_of_coded_names_are_not_known(scored, stage):
    (attack,) = stage.record.values["attacks"]
    table = recognise(open_file(scored / "out" / attack["scores"])).read()
    coded = ScoringRecord({**stage.record.values, "is_coded": True}, "")
    under_codes = RecomputedEmbeddings(coded, stage.embeddings, stage.rows)

    assert under_codes.scores(attack, *table.sides).tolist() == table.score.tolist()
    with pytest.raises(InputError, match="codes have replaced the names"):
        under_codes.scores({**attack, "back_end": "within"}, *table.sides)


def test_another_recogniser_is_asked_for(scored):
    found = record(scored)
    other = {**found.values["recogniser"], "name": "Ears", "sha256": "0" * 64}

    with pytest.raises(InputError, match="made by another recogniser, Ears"):
        recogniser_of(ScoringRecord({**found.values, "recogniser": other}, ""))
