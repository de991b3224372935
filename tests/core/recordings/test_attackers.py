"""Attackers beside the network: pitch, words, AS-norm and all together, on voices that are made."""

import numpy as np
import pytest

from tests.core.recordings.test_attacks import arena as of_voices
from zebra_core.attackers.fusion import PAIRS_OF_FOLDS
from zebra_core.recordings.attacks import (
    Arena,
    Attack,
    AttackerChoice,
    BackEndKind,
    TrainingEmbeddings,
    attacks_on,
)

WORDS = ["so", "it", "is", "and", "nobody", "may", "say", "or", "be", "heard", "again", "whoever", "there"]


def arena(speakers=20, **known):
    """Pitch that tells people apart and is moved by a safeguard; words that each person has of their own."""
    stage = of_voices(speakers)
    draw = np.random.default_rng(4)
    who = stage.trials.people
    original = 84.0 + 3.0 * draw.normal(size=(speakers, 3))[who] + draw.normal(size=(len(who), 3))
    own = [f"word{''.join(chr(97 + int(one)) for one in str(number))}" for number in range(speakers)]
    said = [" ".join([*draw.choice(WORDS, 6), own[number]]) for number in who]
    known = {"pitch": {"": original, "B2": original + 5.0}, "words": {"": said}} | known
    return Arena(stage.trials, stage.embeddings, **known)


def attack(kind, *, enrol=False, adapted=False):
    return Attack("B2", enrol, True, adapted, kind)


def test_whoever_heard_others_under_a_safeguard_knows_by_how_much_it_moves_pitch():
    stage = arena()
    ignorant = stage.attacked(attack(BackEndKind.GAUSSIAN)).eer
    adapted = stage.attacked(attack(BackEndKind.GAUSSIAN, adapted=True)).eer

    assert adapted < 0.15 < ignorant - 0.05


def test_pitch_is_learnt_from_other_speakers_where_they_are_given():
    stage = arena(5)
    taught = arena(20)
    people = taught.trials.people
    given = TrainingEmbeddings(taught.embeddings, people, taught.pitch)
    found = arena(5, training=given).attacked(attack(BackEndKind.GAUSSIAN, adapted=True))

    assert stage.attacked(attack(BackEndKind.GAUSSIAN, adapted=True)) is None
    assert found.taught_by == 20


def test_a_recording_without_pitch_speaks_for_nobody():
    stage = arena()
    stage.pitch["B2"][0] = np.nan
    found = stage.attacked(attack(BackEndKind.GAUSSIAN))
    silent = stage.trials.pairs[:, 1] == 0

    assert (found.scores[silent] == 0.0).all()
    assert (found.scores[~silent] != 0.0).all()


def test_words_are_those_that_are_understood_of_protected_speech_where_somebody_says_so():
    kept = arena().attacked(attack(BackEndKind.NGRAMS)).eer
    lost = arena()
    understood = ["so it is"] * len(lost.trials.ids)
    nothing = arena(words={"": lost.words[""], "B2": understood}).attacked(attack(BackEndKind.NGRAMS)).eer

    assert kept < 0.2
    assert nothing > 0.4


def test_all_together_find_no_less_than_the_strongest_of_them():
    stage = arena()
    parts = [
        found
        for one in attacks_on(["B2"], has_words=True)
        if one.group == ("B2", "oa") and one.adds and (found := stage.attacked(one))
    ]
    together = Attack("B2", False, True, True, BackEndKind.FUSED)
    found = stage.together(together, parts)

    assert {one.kind for one in found.parts} == set(BackEndKind) - {BackEndKind.FUSED}
    assert found.eer <= min(one.eer for one in parts) + 0.005
    assert stage.together(together, parts[:1]) is None


def test_as_norm_needs_enough_who_are_enrolled():
    assert arena(5).attacked(attack(BackEndKind.NORMALISED)) is None
    assert arena(12).attacked(attack(BackEndKind.NORMALISED)).taught_by is None


@pytest.mark.parametrize(
    ("choice", "kinds"),
    [
        (AttackerChoice.ALL, set(BackEndKind)),
        (AttackerChoice.COSINE, {BackEndKind.COSINE}),
        (AttackerChoice.WORDS, {BackEndKind.NGRAMS}),
        (AttackerChoice.PITCH, {BackEndKind.GAUSSIAN}),
    ],
)
def test_which_attackers_are_tried(choice, kinds):
    assert {one.kind for one in attacks_on(["B2"], choice, has_words=True)} == kinds


def test_without_words_nobody_compares_them_and_kept_words_are_compared_once():
    assert BackEndKind.NGRAMS not in {one.kind for one in attacks_on(["B2"])}
    of_words = {
        understood: [
            one.condition
            for one in attacks_on(["B2"], AttackerChoice.WORDS, has_words=True, understood=understood)
        ]
        for understood in ((), ("B2",))
    }

    assert of_words == {(): ["oo", "oa"], ("B2",): ["oo", "oa", "aa"]}


def test_whatever_is_learnt_is_learnt_for_each_pair_of_folds():
    shares = []
    arena().attacked(attack(BackEndKind.GAUSSIAN, adapted=True), shares.append)

    assert len(shares) == PAIRS_OF_FOLDS
