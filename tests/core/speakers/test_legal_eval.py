"""Linking and singling out agree with `voice-anonymization-legal-eval`, of the framework's authors."""

import numpy as np
import pytest
from legal_eval.io import ScoreMatrix
from legal_eval.metrics import linkability as legal_linkability, singling_out as legal_singling_out
from legal_eval.metrics.singling_out import ConversationScores

from tests.core.speakers.test_reidentification_functions import drawn, random_pooled
from zebra_core.speakers.candidates import PoolScores, linkability_probability
from zebra_core.speakers.singling_out import IsolationScores, singling_out


def as_legal_eval(pooled: PoolScores) -> ScoreMatrix:
    names = [f"s{k}" for k in range(len(pooled.score))]
    return ScoreMatrix(pooled.score, names, [names[k] for k in pooled.own], {})


@pytest.mark.parametrize("seed", range(5))
def test_linkage_agrees_with_the_package_of_the_framework(seed: int) -> None:
    pooled = random_pooled(30, 4, seed)
    for people in range(1, 31):
        [theirs] = legal_linkability(as_legal_eval(pooled), people, estimator="exact")
        ours = linkability_probability(pooled.higher.sum(axis=0), 30, people)  # a tie is the attacker's
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("of_each", [2, 4])
def test_singling_out_agrees_with_the_package_of_the_framework(of_each: int) -> None:
    scores = IsolationScores.of(random_pooled(15, of_each))
    assert scores is not None
    names = [f"s{k}" for k in range(15)]
    for people in (2, 6, 15):
        theirs = []
        for fold in scores.folds:
            test, calibration = scores.tested(fold)
            m = scores.n_calibration
            slices = [(k * m, (k + 1) * m) for k in range(15)]
            given = ConversationScores(names, names, test, calibration.reshape(15, 15 * m), slices)
            theirs += [
                hit for hits in legal_singling_out(given, people, 60, fold=fold).values() for hit in hits
            ]
        error = np.std(theirs) / np.sqrt(len(theirs))
        assert singling_out(scores, people, drawn()) == pytest.approx(np.mean(theirs), abs=3 * error + 1e-12)
