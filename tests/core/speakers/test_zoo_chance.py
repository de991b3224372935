"""Whether animals are more than chance."""

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from tests.core.speakers.test_disclosure import dense, made
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.speakers.zoo import Animal, Character, ZooScale, zoo_of
from zebra_core.speakers.zoo_chance import ZooTests, zoo_tests
from zebra_core.wording.texts import knows


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
