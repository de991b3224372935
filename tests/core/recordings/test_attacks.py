"""Back ends on voices that are made: what they learn, and of whom they may not learn."""

import numpy as np
import pytest

from zebra_core.recordings import attacks
from zebra_core.recordings.attacks import (
    Arena,
    Attack,
    BackEndKind,
    TrainingEmbeddings,
    TrainingMaterial,
    _material,
    _thinned,
    attacks_on,
    cosine,
    learnt,
)
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.trial_list import every_pair

DIMENSIONS = 12


OF_EMBEDDINGS = BackEndKind.COSINE, BackEndKind.CENTRED, BackEndKind.WITHIN


def on_embeddings():
    return [one for one in attacks_on(["B2"]) if one.kind in OF_EMBEDDINGS]


def voices(speakers=20, each=4, seed=5, nuisance=3.0, shift=0.0):
    """Recordings of speakers who differ in all dimensions, with two dimensions that vary within a speaker."""
    draw = np.random.default_rng(seed)
    people = np.repeat(np.arange(speakers), each)
    found = draw.normal(size=(speakers, DIMENSIONS))[people] + 0.6 * draw.normal(
        size=(len(people), DIMENSIONS)
    )
    found[:, :2] += nuisance * draw.normal(size=(len(people), 2))
    return unit(found + shift), people


def material(**how):
    vectors, people = voices(**how)
    return TrainingMaterial(vectors, vectors, people, is_one_side=True)


def arena(speakers=20, shift=2.0):
    original, people = voices(speakers)
    protected, _ = voices(speakers, shift=shift)
    names = {f"{who:02}-{n}": f"{who:02}" for n, who in enumerate(people)}
    return Arena(every_pair(names, across=True), {"": original, "B2": protected})


def test_the_cosine_is_the_cosine():
    left, right = np.array([[3.0, 4.0]]), np.array([[4.0, 3.0], [-3.0, -4.0]])

    assert cosine(2).scores(left, right, np.array([[0, 0], [0, 1]])) == pytest.approx([24 / 25, -1.0])


def test_what_varies_within_speakers_counts_for_less():
    back_end = learnt(BackEndKind.WITHIN, material())
    first, third = np.eye(DIMENSIONS)[0], np.eye(DIMENSIONS)[2]

    assert np.linalg.norm(back_end.whitening @ first) < 0.7 * np.linalg.norm(back_end.whitening @ third)
    assert back_end.shrinkage in (0.1, 0.3, 0.5, 0.7, 0.9)


def few_people(kind, seeds, *, speakers, identity, dimensions=64):
    """The mean EER over sets of few people with many dimensions, who differ by so much in each of them."""
    rates = []
    for seed in range(seeds):
        draw = np.random.default_rng([seed, speakers])
        people = np.repeat(np.arange(speakers), 5)
        found = identity * draw.normal(size=(speakers, dimensions))[people]
        found = unit(found + draw.normal(size=found.shape))
        names = {f"{who:02}-{n}": f"{seed}-{who}" for n, who in enumerate(people)}
        stage = Arena(every_pair(names, across=False), {"": found})
        rates.append(stage.attacked(Attack("", False, False, False, kind)).eer)
    return np.mean(rates)


def test_back_ends_of_different_folds_have_one_scale():
    """Nothing varies within speakers more than between them: what few teach may cost little, not 4 points."""
    plain, centred, within = (few_people(kind, 10, speakers=10, identity=0.5) for kind in OF_EMBEDDINGS)

    assert max(centred, within) < plain + 0.02


@pytest.mark.parametrize("speakers", [12, 20])
@pytest.mark.parametrize("kind", [BackEndKind.CENTRED, BackEndKind.WITHIN])
def test_where_nobody_can_be_told_apart_attackers_guess(kind, speakers):
    assert 0.49 < few_people(kind, 50, speakers=speakers, identity=0.0, dimensions=24) < 0.51


def test_an_attacker_who_learns_errs_less_where_there_is_something_to_learn():
    stage = arena()
    found = {one: stage.attacked(one).eer for one in on_embeddings() if one.safeguard}

    plain = found[Attack("B2", False, True, False, BackEndKind.COSINE)]
    adapted = found[Attack("B2", False, True, True, BackEndKind.WITHIN)]
    assert adapted < plain - 0.05


def test_no_back_end_learns_from_the_speakers_of_its_trials(monkeypatch):
    stage, taught = arena(), []
    people = stage.trials.people

    def noting(kind, given):
        taught.append(set(given.people.tolist()))
        return learnt(kind, given)

    monkeypatch.setattr("zebra_core.recordings.attacks.learnt", noting)
    stage.attacked(Attack("B2", False, True, True, BackEndKind.CENTRED))
    judged = [
        set(people[stage.trials.pairs[chosen]].ravel().tolist())
        for _folds, chosen in stage._folds_of_trials()
    ]

    assert len(taught) == len(judged) == 45
    assert all(not learnt_from & scored for learnt_from, scored in zip(taught, judged, strict=True))
    assert sum(len(chosen) for _folds, chosen in stage._folds_of_trials()) == len(stage.trials.pairs)


def test_an_ignorant_attacker_takes_nothing_from_protected_speech():
    stage = arena()
    other = Arena(stage.trials, {**stage.embeddings, "B2": stage.embeddings["B2"][::-1]})
    attack = Attack("B2", False, True, False, BackEndKind.WITHIN)

    assert _material(attack, stage.embeddings, stage.trials.people).enrol is stage.embeddings[""]
    assert stage.attacked(attack).shrinkages == other.attacked(attack).shrinkages


def test_a_folder_of_other_speakers_teaches_one_back_end_for_all_trials():
    vectors, people = voices(seed=9)
    stage = arena(5)  # too few to learn in folds
    taught = Arena(stage.trials, stage.embeddings, TrainingEmbeddings({"": vectors}, people))
    found = taught.attacked(Attack("B2", True, True, False, BackEndKind.WITHIN))
    back_end = learnt(BackEndKind.WITHIN, TrainingMaterial(vectors, vectors, people, is_one_side=True))

    side = stage.embeddings["B2"]
    assert found.scores == pytest.approx(back_end.scores(side, side, stage.trials.pairs), abs=1e-9)
    assert (found.taught_by, found.shrinkages) == (20, (back_end.shrinkage,))
    assert (
        taught.attacked(Attack("B2", True, True, True, BackEndKind.WITHIN)) is None
    )  # no copies under B2 there


def test_the_words_for_what_an_attacker_knows():
    known = [(one.condition, one.knowledge) for one in attacks_on(["B2"])]

    assert list(dict.fromkeys(known)) == [
        ("oo", "none"),
        ("oa", "ignorant"),
        ("oa", "semi-informed"),
        ("aa", "lazy-informed"),
        ("aa", "semi-informed"),
    ]


def test_the_cosine_is_a_back_end_of_every_attacker_and_the_same_whatever_they_know():
    stage, tried = arena(), on_embeddings()
    by_attacker = {}
    for one in tried:
        by_attacker.setdefault((one.condition, one.knowledge), set()).add(one.kind)
    assert all(kinds == {*OF_EMBEDDINGS} for kinds in by_attacker.values())

    for protects in (False, True):
        one, other = (
            stage.attacked(Attack("B2", protects, True, adapted, BackEndKind.COSINE))
            for adapted in (False, True)
        )
        assert (one.scores == other.scores).all()
        assert one.taught_by is other.taught_by is None


@pytest.mark.parametrize("kind", OF_EMBEDDINGS)
def test_too_few_speakers_teach_nothing(kind):
    assert arena(5).attacked(Attack("B2", True, True, True, kind)) is None


def test_scores_do_not_depend_on_the_order_of_recordings():
    taught = material()
    turned = TrainingMaterial(taught.enrol[::-1], taught.test[::-1], taught.people[::-1], is_one_side=True)
    pair = np.array([[0, 5]])

    one, other = (
        learnt(BackEndKind.WITHIN, each).scores(taught.enrol, taught.test, pair) for each in (taught, turned)
    )
    assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize(
    ("speakers", "each", "of_each"), [(4, 600, {250: 4}), (700, 2, {2: 500}), (3, 400, {334: 2, 332: 1})]
)
def test_what_is_judged_on_a_part_of_many_recordings_is_judged_on_all_speakers_alike(speakers, each, of_each):
    found = _thinned(material(speakers=speakers, each=each))

    assert len(found.people) == 1_000
    _, counts = np.unique(found.people, return_counts=True)
    assert {size: int((counts == size).sum()) for size in set(counts.tolist())} == of_each


def test_what_is_learnt_from_originals_is_learnt_once_for_all_conditions(monkeypatch):
    learnt_from, stage = [], arena(speakers=20)
    monkeypatch.setattr(attacks, "learnt", lambda *given: learnt_from.append(given) or learnt(*given))
    tried = on_embeddings()
    shares = []
    found = [stage.attacked(one, shares.append) for one in tried]

    assert len(learnt_from) == 2 * 45 + 6 * 45  # the pairs of folds: two from originals, six of the adapted
    assert shares.count(0.0) == 12
    assert len(shares) == 12 * 45
    for one, each in zip(tried, found, strict=True):
        assert (arena(speakers=20).attacked(one).scores == each.scores).all()
