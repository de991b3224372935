"""The menagerie: means, corners, characters and whether they are chance."""

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.similarity_cases import ids, random_rows, scores, segments
from tests.core.speakers.test_disclosure import dense
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.speakers.zoo import Animal, Character, Zoo, ZooScale, _quartiles, zoo_of


def animals(target: list[float], nontarget: list[float]) -> Zoo:
    n = len(target)
    means = np.array(target), np.array(nontarget)
    nothing = np.zeros(n)
    count = np.ones(n, dtype=np.int64)
    names = tuple(f"s{k}" for k in range(n))
    return Zoo(names, ZooScale.LLR, *means, nothing, nothing, means[1], means[1], count, count, ())


def test_corners_worked_by_hand() -> None:
    """Eight speakers: quarters end at 1.75 and 5.25."""
    found = animals([7, 6, 0, 1, 3, 4, 2, 5], [0, 7, 1, 6, 3, 4, 2, 5])
    assert found.target_quartiles == found.nontarget_quartiles == (1.75, 5.25)
    assert found.animals == (
        Animal.DOVE, Animal.CHAMELEON, Animal.PHANTOM, Animal.WORM, None, None, None, None,
    )  # fmt: skip


def test_characters_follow_their_rules() -> None:
    found = animals([7, 6, 0, 1, 3, 4, 2, 5], [0, 7, 1, 6, 3, 4, 2, 5])
    assert found.characters[0] == {Character.SHEEP}
    assert found.characters[2] == {Character.GOAT}
    assert found.characters[3] == {Character.GOAT, Character.LAMB, Character.WOLF}


def test_where_all_are_equal_nobody_is_an_animal() -> None:
    found = animals([1.0] * 8, [2.0] * 8)
    assert found.animals == (None,) * 8
    assert set(found.characters) == {frozenset({Character.SHEEP})}


@pytest.mark.parametrize("scale", ZooScale)
def test_means_and_spreads_are_those_of_the_plain_loops(scale: ZooScale) -> None:
    trials = dense(1)
    found = zoo_of(SpeakerTrials.of_trials(trials), scale=scale)
    value = {score: score for score in trials.score.tolist()}
    if scale is ZooScale.LLR:
        value = brute_force.pav_llrs(
            trials.score[trials.is_target].tolist(), trials.score[~trials.is_target].tolist(), laplace=True
        )
    assert trials.enrol is not None
    assert trials.test is not None
    rows = [(trials.enrol[k], trials.test[k][0], value[float(trials.score[k])]) for k in range(len(trials))]
    for k, who in enumerate(found.speakers):
        own = [v for a, b, v in rows if a == b == who]
        enrolled = [v for a, b, v in rows if a == who != b]
        heard = [v for a, b, v in rows if b == who != a]
        assert found.target_mean[k] == pytest.approx(np.mean(own), abs=1e-12)
        assert found.target_sd[k] == pytest.approx(np.std(own), abs=1e-12)
        assert found.nontarget_mean[k] == pytest.approx(np.mean(enrolled + heard), abs=1e-12)
        assert found.nontarget_sd[k] == pytest.approx(np.std(enrolled + heard), abs=1e-12)
        assert found.lamb_mean[k] == pytest.approx(np.mean(enrolled), abs=1e-12)
        assert found.wolf_mean[k] == pytest.approx(np.mean(heard), abs=1e-12)
        assert (found.n_target[k], found.n_nontarget[k]) == (len(own), len(enrolled + heard))


def test_the_ellipse_goes_one_standard_deviation_to_each_side() -> None:
    found = zoo_of(SpeakerTrials.of_trials(dense()))
    x, y = found.ellipse("b", points=5)
    k = found.speakers.index("b")
    right = found.target_mean[k] + found.target_sd[k]
    up = found.nontarget_mean[k] + found.nontarget_sd[k]
    assert (x[0], y[1]) == (pytest.approx(right), pytest.approx(up))
    assert (x[4], y[4]) == (pytest.approx(x[0]), pytest.approx(y[0]))
    with pytest.raises(KeyError):
        found.ellipse("nobody")


def test_speakers_without_both_classes_are_named() -> None:
    made = Trials(
        np.arange(3.0), np.array([True, False, False]), ids(["a", "b", "a"]), ids(["a1", "a1", "x"])
    )
    found = zoo_of(SpeakerTrials.of_trials(made))
    assert (found.speakers, found.left_out) == (("a",), ("b",))
    assert str(found.remarks[0]).startswith("One speaker lacks target or nontarget trials and has no place")


def test_within_a_set_lambs_are_wolves_since_no_side_is_special() -> None:
    spoken = segments(4, 3)
    rows = random_rows(spoken, 0, ordered=False)
    trials = SpokenSegments.of(scores(rows), spoken).trials(("s0", "s1", "s2", "s3"), mutual=True)
    found = zoo_of(trials)
    assert found.lamb_mean.tolist() == found.wolf_mean.tolist() == found.nontarget_mean.tolist()
    assert found.n_nontarget.tolist() == [27] * 4
    assert found.n_target.tolist() == [3] * 4


def test_the_borders_are_those_of_numpy_to_the_last_bit():
    rng = np.random.default_rng(5)
    for n in range(1, 120):
        means = np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n) * 10.0 ** rng.integers(-9, 9))
        if not np.isnan(means).all():
            assert _quartiles(means) == tuple(np.nanquantile(means, (0.25, 0.75)))


def test_without_means_there_are_no_borders():
    assert np.isnan(_quartiles(np.array([np.nan, np.nan]))).all()
