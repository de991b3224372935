"""The menagerie: means, corners, characters and whether they are chance."""

import numpy as np
import pytest

from tests.core import brute_force
from tests.core.similarity_cases import ids, random_rows, scores, segments
from tests.core.speakers.test_disclosure import dense, made
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.speakers.zoo import Animal, Character, Zoo, ZooScale, ZooTests, _quartiles, zoo_of, zoo_tests
from zebra_core.wording.texts import knows


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


def judged(trials: Trials, seed: int = 0, replicates: int = 199) -> ZooTests:
    return zoo_tests(SpeakerTrials.of_trials(trials), replicates=replicates, seed=seed)


def of(tests: ZooTests, character: Character) -> float:
    return next(one.p_value for one in tests.differences if one.character is character)


def with_wolves(seed: int) -> Trials:
    """Twenty speakers of five segments; the segments of each are alike in how high they score with others."""
    trials = made(seed, segment=0.0)
    assert trials.test is not None
    effect = np.random.default_rng(seed + 1).normal(size=20)
    heard = np.array([int(trials.test[k][1:3]) for k in range(len(trials))])
    return Trials(trials.score + 0.7 * effect[heard], trials.is_target, trials.enrol, trials.test)


def test_segments_that_differ_are_no_wolves() -> None:
    """Where single trials were dealt out wolves were real in every such set."""
    for seed in range(3):
        tests = judged(made(seed, segment=0.8))
        assert of(tests, Character.WOLF) > 0.05, seed
        assert not any(one.is_more_than_chance for one in (*tests.sizes, *tests.differences)), seed


def test_wolves_are_real_where_the_segments_of_a_speaker_are_alike() -> None:
    tests = judged(with_wolves(0))
    _, _, wolves = tests.differences
    assert (wolves.character, wolves.raw_p_value) == (Character.WOLF, 1 / 200)
    assert str(wolves).startswith("There are wolves, in a test at 5 %: speakers differ in how easily")


def test_goats_are_real_where_speakers_differ_in_their_own_trials() -> None:
    goats, *_ = judged(made(0, segments=8, own=1.0)).differences
    assert (goats.character, goats.raw_p_value) == (Character.GOAT, 1 / 200)
    assert "199 exchanges of whole test segments" in str(goats)


def test_of_one_enrolment_each_nobody_can_tell_lambs() -> None:
    _, lambs, _ = judged(made(0)).differences
    assert (lambs.p_value, lambs.can_be_told) == (1.0, False)
    assert str(lambs).startswith(
        "Whether there are lambs cannot be determined: no speaker has more than one enrolment"
    )


def test_enrolments_as_wholes_tell_lambs() -> None:
    """Three enrolments each; those of a speaker are alike, or only single enrolments differ."""
    rng = np.random.default_rng(0)
    rows = [
        (f"e{s}-{k}", f"t{t}-{m}") for s in range(12) for k in range(3) for t in range(12) for m in range(2)
    ]
    speaker = {name: name[1:].partition("-")[0] for row in rows for name in row}
    target = np.array([speaker[e] == speaker[t] for e, t in rows])
    noise = rng.normal(size=len(rows)) + target
    of_speaker = {str(s): value for s, value in enumerate(rng.normal(size=12))}
    of_enrol = dict(zip(sorted({e for e, _ in rows}), rng.normal(size=36), strict=True))
    p = []
    for effect in ([of_speaker[speaker[e]] for e, _ in rows], [of_enrol[e] for e, _ in rows]):
        trials = Trials(
            noise + np.array(effect), target, ids([e for e, _ in rows]), ids([t for _, t in rows])
        )
        found = zoo_tests(SpeakerTrials.of_trials(trials, speaker), replicates=199)
        p.append(of(found, Character.LAMB))
    assert p[0] <= 7 / 200
    assert p[1] > 0.05


def test_tests_of_a_zoo_are_corrected_together_by_holm() -> None:
    tests = judged(with_wolves(1))
    told = [one for one in (*tests.sizes, *tests.differences) if one.can_be_told]
    assert len(told) == 6  # lambs cannot be told
    smallest = min(told, key=lambda one: one.raw_p_value)
    assert smallest.p_value == pytest.approx(min(1.0, 6 * smallest.raw_p_value))
    assert all(one.p_value >= one.raw_p_value for one in told)


def test_sizes_are_those_of_the_zoo_and_said_in_words() -> None:
    trials = SpeakerTrials.of_trials(made(4))
    found = zoo_of(trials)
    for size in zoo_tests(trials, replicates=49).sizes:
        assert size.count == found.animals.count(size.animal)
        assert f"{size.count} of 20 speakers; differences between recordings alone would give" in str(size)
        assert 0.0 <= size.expected <= 5.0


def test_the_tests_repeat_with_their_seed_and_hardly_depend_on_the_scale() -> None:
    trials = SpeakerTrials.of_trials(dense())
    assert zoo_tests(trials, seed=1).differences == zoo_tests(trials, seed=1).differences
    # Goats, lambs and wolves are told from scores on either scale.
    raw = [[one.raw_p_value for one in zoo_tests(trials, scale=scale).differences] for scale in ZooScale]
    assert raw[0] == raw[1]


def test_every_animal_and_character_has_its_sentences() -> None:
    for animal in Animal:
        assert all(knows(f"zoo.{animal.value}-{verdict}") for verdict in ("more", "chance", "open"))
    for character in set(Character) - {Character.SHEEP}:
        assert all(knows(f"zoo.{character.value}-{verdict}") for verdict in ("differ", "chance", "open"))


def test_where_all_are_equal_no_group_is_larger_than_chance() -> None:
    trials = made(0)
    same = Trials(trials.is_target.astype(np.float64), trials.is_target, trials.enrol, trials.test)
    tests = judged(same, replicates=49)
    assert [one.raw_p_value for one in (*tests.sizes, *tests.differences)] == [1.0] * 7
