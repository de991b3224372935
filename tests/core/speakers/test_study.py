"""The most exposed person, whoever that is: both ends, and who cannot be told from that person."""

import numpy as np
import pytest
from scipy.special import ndtri

import zebra_core
from tests.core.speakers.shifted import shifted
from tests.core.speakers.test_exposure import found_and_true
from zebra_core.evidence.speaker_trials import SpeakerTrials, speakers_of
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.disclosure import SpeakerDisclosures, speaker_disclosures
from zebra_core.speakers.study import MostExposed, cross_validate


def of_shifted(seed: int, people: int, segments: int, shift: list[float]) -> SpeakerDisclosures:
    trials, names = shifted(np.random.default_rng(seed), people, [segments] * people, shift)
    return speaker_disclosures(SpeakerTrials.of_trials(trials, names), replicates=99)


def test_both_ends_hold_what_200_more_recordings_of_the_most_exposed_disclose_whoever_that_is() -> None:
    held = 0
    for seed in range(30):
        found, true = found_and_true(
            seed, 20, 3, np.random.default_rng([9, seed]).normal(0.5, 1.0, 20).tolist()
        )
        most = MostExposed.of([found])
        assert most is not None
        held += most.low_bits <= max(true.values()) <= most.high_bits
    assert held >= 28


def test_over_attacks_the_ends_are_the_highest_and_the_lower_one_is_corrected() -> None:
    """At 97.5 % each: the lower one of two attacks at 98.75 %."""
    both = [of_shifted(seed, 12, 4, [0.0] * 12) for seed in (0, 1)]
    once, corrected = float(ndtri(0.975)), -float(ndtri(0.9875))
    of = [one.exposures for one in both]
    most = MostExposed.of(both)
    assert most is not None
    assert most.high_bits == max(one.recalibrated(once, one.outer(once)).max() for one in of)
    assert most.low_bits == max(one.recalibrated(corrected, one.at(corrected)).max() for one in of)
    assert most.row == max((one.most_exposed for one in both), key=lambda row: row.estimate_bits)
    assert most.people == 12
    other = MostExposed.of(both, datasets=["libri_f", "libri_m"])
    assert other is not None
    assert other.people == 24  # the same name elsewhere is somebody else


def test_another_calibration_widens_both_ends_and_they_never_coincide() -> None:
    found = of_shifted(2, 12, 4, [2.0] + [0.0] * 11)
    one = found.exposures
    assert (one.calibration_error > 0.0).all()
    for deviate in (-1.96, 1.96):
        end = one.outer(deviate)
        moved = one.recalibrated(deviate, end)
        assert (np.abs(moved - one.estimate) >= np.abs(end - one.estimate) - 1e-12).all()
    most = MostExposed.of([found])
    assert most is not None
    assert most.low_bits < most.row.estimate_bits < most.high_bits


def test_of_two_recordings_each_there_are_no_ends_and_nobody_is_told_from_others() -> None:
    found = of_shifted(3, 12, 2, [6.0] + [0.0] * 11)
    assert not any(row.has_interval or row.stands_out for row in found.speakers)
    most = MostExposed.of([found])
    assert most is not None
    assert (most.has_interval, most.alike) == (False, None)
    assert (most.as_json()["low"], most.as_json()["high"]) == (None, None)
    assert "whose it is, so few independent recordings do not tell" in str(most)


def test_one_of_many_who_is_recognised_by_many_recordings_is_alone_and_of_those_alike_nobody_is() -> None:
    exposed = MostExposed.of([of_shifted(4, 30, 12, [6.0] * 3 + [0.0] * 27)])
    assert exposed is not None
    assert exposed.alike == 3
    assert not exposed.is_alone
    assert str(exposed).startswith("Of 30 speakers, whoever is most exposed gives away between ")
    assert "3 of them cannot be told from that person" in str(exposed)
    everybody = MostExposed.of([of_shifted(5, 12, 3, [0.0] * 12)])
    assert everybody is not None
    assert everybody.alike == 12


def test_of_a_group_only_its_own_people_count_and_of_nobody_there_is_none() -> None:
    found = of_shifted(6, 12, 4, [0.0] * 12)
    one = MostExposed.of([found], ["s05"])
    assert one is not None
    assert (one.row.speaker, one.people, one.is_alone) == ("s05", 1, True)
    assert MostExposed.of([found], []) is None
    assert one.as_json()["bits"] == pytest.approx(found.of("s05").estimate_bits)


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
