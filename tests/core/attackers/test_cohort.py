"""AS-norm: a cosine is held against those with other enrolled, of the folds of neither speaker."""

import numpy as np
import pytest

from zebra_core.attackers.cohort import LEAST, normalised
from zebra_core.attackers.fusion import fold_of_each, folds_of_trials
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.error_rates import eer


def people(count=20, each=2, seed=2, dimensions=6):
    draw = np.random.default_rng(seed)
    found = draw.normal(size=(count * each, dimensions))
    speaker = np.repeat(np.arange(count), each)
    return found / np.linalg.norm(found, axis=1, keepdims=True), speaker


def test_it_is_the_mean_of_both_sides_scores_in_standard_deviations():
    """Independent: one trial after the other, with sorted lists."""
    vectors, speaker = people()
    fold = fold_of_each([str(n) for n in range(20)])[speaker]
    pairs = np.array([(0, 1), (0, 5), (7, 30), (12, 13)])
    found = normalised(vectors, vectors, pairs, fold, fold)

    for folds, chosen in folds_of_trials(fold[pairs[:, 0]], fold[pairs[:, 1]]):
        cohort = [one for one, place in zip(vectors, fold, strict=True) if place not in folds]
        for number in chosen:
            sides = []
            for vector in vectors[pairs[number]]:
                most = sorted((float(vector @ other) for other in cohort), reverse=True)[: len(cohort) // 2]
                sides.append((vectors[pairs[number]].prod(axis=0).sum() - np.mean(most)) / np.std(most))
            assert found[number] == pytest.approx(np.mean(sides))


def test_whoever_speaks_in_a_trial_is_no_part_of_what_is_usual():
    vectors, speaker = people()
    fold = fold_of_each([str(n) for n in range(20)])[speaker]
    pair = np.array([(0, 1)])
    before = normalised(vectors, vectors, pair, fold, fold)
    others = vectors.copy()
    others[(speaker == 0) & (np.arange(len(speaker)) > 1)] = 0.0
    of_fold = fold == fold[0]
    of_fold[:2] = False
    others[of_fold] = 0.0

    assert normalised(others, others, pair, fold, fold) == pytest.approx(before)


def test_without_identity_it_guesses():
    """Speakers who differ in how many recordings there are of each."""
    found = []
    for seed in range(50):
        draw = np.random.default_rng(seed)
        speaker = np.repeat(np.arange(20), draw.integers(2, 8, 20))
        vectors = draw.normal(size=(len(speaker), 16))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        fold = fold_of_each([str(n) for n in range(20)])[speaker]
        pairs = np.stack(np.triu_indices(len(speaker), 1), axis=1)
        scores = normalised(vectors, vectors, pairs, fold, fold)
        found.append(eer(ScoreCounts.of(scores, speaker[pairs[:, 0]] == speaker[pairs[:, 1]])))

    assert 0.49 <= np.mean(found) <= 0.51


def test_with_few_enrolled_nothing_is_normalised():
    vectors, speaker = people(count=5, each=1)
    fold = fold_of_each([str(n) for n in range(5)])[speaker]

    assert len(vectors) - 2 < LEAST
    assert normalised(vectors, vectors, np.array([(0, 1)]), fold, fold) is None
