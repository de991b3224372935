"""Agreement against published examples, and laws."""

import numpy as np
import pytest

from zebra_core.listening.evaluation import alpha, intraclass

NAN = float("nan")
# Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
# Shrout and Fleiss 1979, table 2: four judges rate six targets.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=np.float64
)


def test_alpha_of_the_published_example():
    assert alpha(KRIPPENDORFF) == pytest.approx(0.849, abs=5e-4)
    assert alpha(KRIPPENDORFF, nominal=True) == pytest.approx(0.743, abs=5e-4)


def test_the_intraclass_correlation_of_the_published_example():
    assert intraclass(SHROUT_FLEISS) == pytest.approx((0.17, 0.44), abs=5e-3)


def test_values_are_those_of_the_libraries():
    """Thirty recordings rated by four people, seed 2026: krippendorff 0.8.1, pingouin 0.7.0, NumPy 2.4.6."""
    rng = np.random.default_rng(2026)
    rated = rng.normal(5.5, 2.0, size=(30, 1)) + rng.normal(0.0, 1.5, size=(30, 4))
    answers = np.clip(np.round(rated), 1.0, 10.0)
    some = np.where(rng.random(answers.shape) < 0.25, NAN, answers)
    assert (answers.sum(), np.isnan(some).sum()) == (667.0, 30)
    assert alpha(answers) == pytest.approx(0.4833389684060255, rel=1e-12)
    assert alpha(some) == pytest.approx(0.40217513174122643, rel=1e-12)
    assert alpha(some, nominal=True) == pytest.approx(0.05553812362723565, rel=1e-12)
    assert intraclass(answers) == pytest.approx((0.48971757310800096, 0.7933370330241449), rel=1e-12)


def test_full_agreement_is_one_and_chance_is_about_none():
    units = np.arange(10.0)
    same = np.stack([units, units, units], axis=1)
    assert alpha(same) == 1.0
    assert intraclass(same) == (1.0, 1.0)
    noise = np.random.default_rng(3).normal(size=(2000, 3))
    assert alpha(noise) == pytest.approx(0.0, abs=0.05)
    assert intraclass(noise)[0] == pytest.approx(0.0, abs=0.05)


def test_the_correlation_of_known_variances_with_answers_missing():
    rng = np.random.default_rng(4)
    answers = rng.normal(size=(4000, 1)) + rng.normal(size=(4000, 4))
    answers[rng.random(answers.shape) < 0.3] = NAN
    assert intraclass(answers)[0] == pytest.approx(0.5, abs=0.03)


def test_of_nothing_nothing_is_said():
    assert alpha(np.array([[1.0, NAN], [NAN, 2.0]])) is None
    assert alpha(np.ones((4, 2))) is None
    assert intraclass(np.array([[1.0, 2.0]])) is None
