"""Calibration across disjoint speakers of one run."""

import numpy as np
import pytest

import zebra_core
from zebra_core.evidence.speaker_trials import speakers_of
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.folds import cross_validate

GRID = np.linspace(-10.0, 10.0, 21)


def ids(*names: str) -> Ids:
    distinct = sorted(set(names))
    return Ids(np.array([distinct.index(name) for name in names], dtype=np.int32), tuple(distinct))


def trials_of(n_speakers: int, seed: int = 0) -> Trials:
    """Every speaker's model against two utterances of everyone; scores follow d′ = 2."""
    rng = np.random.default_rng(seed)
    pairs = [(a, b, u) for a in range(n_speakers) for b in range(n_speakers) for u in range(2)]
    same = np.array([a == b for a, b, _ in pairs])
    return Trials(
        rng.normal(0.0, 1.0, len(pairs)) + 2.0 * same,
        same,
        ids(*(f"s{a}" for a, _, _ in pairs)),
        ids(*(f"s{b}-{u}" for _, b, u in pairs)),
    )


def test_every_trial_is_judged_or_left_out_and_folds_have_at_least_two_speakers() -> None:
    found = cross_validate(trials_of(10), GRID, n_folds=5)
    assert (found.n_speakers, found.n_folds) == (10, 5)
    assert found.n_judged + found.n_left_out == 200
    assert found.n_judged == 5 * (2 * 2 * 2)  # five folds of two speakers, two utterances each
    assert cross_validate(trials_of(5), GRID).n_folds == 2


def test_a_learnt_calibration_discloses_less_than_the_oracle_claims() -> None:
    found = cross_validate(trials_of(12), GRID)
    assert found.linear.c_ece_bits < found.d_ece_bits
    assert found.isotonic.c_ece_bits < found.d_ece_bits
    assert found.linear.cllr_bits > found.min_cllr_bits
    assert found.isotonic.actual_bits.shape == (21,)


def test_the_seed_decides_the_folds() -> None:
    trials = trials_of(12)
    one, again, other = (cross_validate(trials, GRID, seed=seed) for seed in (1, 1, 2))
    assert one.linear.c_ece_bits == again.linear.c_ece_bits
    assert one.linear.c_ece_bits != other.linear.c_ece_bits


def test_target_trials_say_whose_an_utterance_is_and_utt2spk_says_the_rest() -> None:
    """u2 meets no model of its own speaker; only utt2spk can tell that it is a's."""
    enrol, test = ids("a", "b", "b", "a"), ids("u1", "u1", "u2", "u3")
    is_target = np.array([True, False, False, False])
    speaker = {}
    for name, mapping in (("silent", {}), ("told", {"u2": "a", "u3": "c", "unused": "d"})):
        left, right = speakers_of(enrol, test, is_target, mapping)
        speaker[name] = dict(zip(["a", "b", "b", "a"], left.tolist(), strict=True)) | dict(
            zip(["u1", "u1", "u2", "u3"], right.tolist(), strict=True)
        )
    assert speaker["silent"]["u1"] == speaker["silent"]["a"]
    assert len(set(speaker["silent"].values())) == 4  # a with u1, b, u2, u3
    assert speaker["told"]["u2"] == speaker["told"]["a"]
    assert sorted(set(speaker["told"].values())) == [0, 1, 2]


@pytest.mark.parametrize(
    ("trials", "message"),
    [
        pytest.param(Trials.from_scores([1.0], [0.0]), "have no ids", id="no ids"),
        pytest.param(trials_of(3), "There are only 3 speakers", id="three speakers"),
    ],
)
def test_what_cannot_be_divided_is_said(trials: Trials, message: str) -> None:
    with pytest.raises(zebra_core.InputError, match=message):
        cross_validate(trials, GRID)


def test_folds_without_nontargets_are_said() -> None:
    """Eight speakers, but nontarget trials only between the first two."""
    enrol = ids(*"abcdefgh", "a")
    test = ids(*"ABCDEFGH", "B")
    trials = Trials(np.arange(9.0), np.array([True] * 8 + [False]), enrol, test)
    with pytest.raises(zebra_core.InputError, match="one part has only"):
        cross_validate(trials, GRID)
