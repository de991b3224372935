"""What hearing and attacking take, one beside the other."""

import pytest

from tests.core.recordings.samples import tone, write
from zebra_core.recordings.attacks import Attack, AttackerChoice, attacks_on
from zebra_core.recordings.back_ends import BackEndKind
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.workload import (
    ExpectedWork,
    of_assessing,
    of_attack,
    of_hearing,
    of_steps,
    seconds_of,
)


def test_attacking_is_told_in_recordings_that_could_be_heard_meanwhile():
    expected = ExpectedWork(recordings=60, trials=870, hearing_s=30.0, attacking_s=10.0)

    assert expected.share_of_hearing == pytest.approx(0.75)
    assert expected.attacking_as_recordings == pytest.approx(20.0)


def test_assessing_comes_after_the_scores_and_is_told_in_recordings_as_well():
    expected = ExpectedWork(recordings=60, trials=870, hearing_s=30.0, attacking_s=10.0, assessing_s=10.0)

    assert expected.share_of_scores == pytest.approx(0.8)
    assert expected.assessing_as_recordings == pytest.approx(20.0)


def test_keys_scores_and_similarity_lists_have_their_share_of_attacking():
    attacks = attacks_on(["b2"], AttackerChoice.COSINE)
    steps = of_steps(attacks, {"oo": 1e6, "oa": 2e6, "aa": 1e6}, 4e6, 300, in_folds=True)

    assert list(steps) == pytest.approx([3.6, 0.9, 2.0, 1.8, 4.0, 0.9, 2.0, 11.6])


def test_every_file_and_every_trial_is_read_again_to_be_assessed():
    attacks = attacks_on(["b2"], AttackerChoice.COSINE)

    assert of_assessing(attacks, {"oo": 1e6, "oa": 2e6, "aa": 1e6}, 4e6) == pytest.approx(4 * 0.014 + 8.0)


def test_hearing_takes_as_long_as_there_is_speech_on_all_threads(monkeypatch):
    monkeypatch.setattr("zebra_core.recordings.workload.threads_for", lambda _count: 2)

    assert of_hearing(100, 500.0) == pytest.approx((100 * 0.02 + 500.0 * 0.027) / 2)  # 7.75 s


@pytest.mark.parametrize(
    ("kind", "adapted", "safeguard", "in_folds", "seconds"),
    [
        pytest.param(BackEndKind.COSINE, False, "", True, 0.09, id="trials alone: 100 000 times 0.9 µs"),
        pytest.param(BackEndKind.CENTRED, True, "b2", True, 0.09, id="means are learnt in no time"),
        pytest.param(
            BackEndKind.WITHIN, False, "", True, 0.09 + 45 * (0.015 + 1.5e-7 * 5 * 120**2), id="45 back ends"
        ),
        pytest.param(BackEndKind.WITHIN, False, "b2", True, 0.09, id="learnt from originals before"),
        pytest.param(
            BackEndKind.WITHIN,
            True,
            "b2",
            False,
            0.09 + 0.015 + 1.5e-7 * 5 * 150**2,
            id="from other speakers",
        ),
    ],
)
def test_attacks_that_learn_take_longest(kind, adapted, safeguard, in_folds, seconds):
    attack = Attack(safeguard, bool(safeguard), bool(safeguard), adapted, kind)

    assert of_attack(attack, 100_000, 300, in_folds=in_folds) == pytest.approx(seconds)


def test_more_recordings_than_shrinkage_is_judged_on_take_no_longer():
    attack = Attack("", False, False, False, BackEndKind.WITHIN)

    assert of_attack(attack, 0, 3_000, in_folds=True) == of_attack(attack, 0, 9_000, in_folds=True)


def test_seconds_are_those_that_recordings_say_of_themselves(tmp_path):
    write(tmp_path / "a.wav", tone(1.0))
    write(tmp_path / "b.wav", tone(2.0))
    whole = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "c.wav").write_bytes(whole[:20])  # says nothing, and counts as the others

    assert seconds_of(look_into(tmp_path).recordings) == pytest.approx(4.5)
