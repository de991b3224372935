"""Tippett curves, the PAV transform and empirical calibration."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.distributions import empirical_calibration, oracle_counts, pav_transform, tippett
from zebra_core.metrics.ece import laplace, pav
from zebra_core.metrics.error_rates import cllr_bits

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def counts_of(target: object, nontarget: object) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


@given(target=scores, nontarget=scores)
def test_tippett_curves_agree_with_counting_and_are_not_extrapolated(
    target: list[float], nontarget: list[float]
) -> None:
    curves = tippett(counts_of(target, nontarget))
    assert curves.target_llr.tolist() == sorted(set(target))
    assert curves.nontarget_llr.tolist() == sorted(set(nontarget))
    for llr, share in zip(curves.target_llr, curves.target_share, strict=True):
        assert share == sum(t <= llr for t in target) / len(target)
    for llr, share in zip(curves.nontarget_llr, curves.nontarget_share, strict=True):
        assert share == sum(n >= llr for n in nontarget) / len(nontarget)


def test_tippett_curves_begin_at_one_trial() -> None:
    curves = tippett(counts_of([1.0, 2.0, 3.0, 4.0], [-1.0, 0.0]))
    assert (curves.target_share[0], curves.target_share[-1]) == (0.25, 1.0)
    assert (curves.nontarget_share[0], curves.nontarget_share[-1]) == (1.0, 0.5)


@given(target=scores, nontarget=scores)
def test_the_transform_covers_every_score_once(target: list[float], nontarget: list[float]) -> None:
    counts = counts_of(target, nontarget)
    blocks = laplace(pav(counts))
    found = pav_transform(counts, blocks)
    assert (found.lowest[0], found.highest[-1]) == (counts.score[0], counts.score[-1])
    assert (found.lowest <= found.highest).all()
    assert (found.highest[:-1] < found.lowest[1:]).all()
    block = np.searchsorted(found.lowest, counts.score, side="right") - 1
    assert found.llr[block].tolist() == blocks.llr_by_score.tolist()


@given(target=scores, nontarget=scores)
def test_oracle_counts_stand_for_the_same_trials(target: list[float], nontarget: list[float]) -> None:
    plain = pav(counts_of(target, nontarget))
    oracle = oracle_counts(plain)
    assert (oracle.total_target, oracle.total_nontarget) == (len(target), len(nontarget))
    assert cllr_bits(oracle.score, oracle.target_share, oracle.nontarget_share) <= 1.0 + 1e-12


def test_empirical_calibration_of_a_case_worked_by_hand() -> None:
    """At even empirical odds the posteriors are 1/4 (t, n, n) and 3/4 (t, t, n): observed 1/3 and 2/3."""
    third = math.log(3.0)
    found = empirical_calibration(counts_of([-third, third, third], [-third, -third, third]), bins=2)
    assert found.prior_log_odds == 0.0
    assert found.posterior == pytest.approx([0.25, 0.75])
    assert found.observed == pytest.approx([1 / 3, 2 / 3])
    assert (found.n_target.tolist(), found.n_nontarget.tolist()) == ([1, 2], [2, 1])


@given(target=scores, nontarget=scores, bins=st.integers(1, 12))
def test_empirical_calibration_counts_every_trial_in_its_bin(
    target: list[float], nontarget: list[float], bins: int
) -> None:
    found = empirical_calibration(counts_of(target, nontarget), bins)
    assert (found.n_target.sum(), found.n_nontarget.sum()) == (len(target), len(nontarget))
    assert found.observed == pytest.approx(found.n_target / (found.n_target + found.n_nontarget))
    # A mean posterior may be rounded over the edge of its bin, either way.
    place = found.posterior * bins
    assert (np.floor(place * (1 + 1e-12))[1:] > np.floor(place * (1 - 1e-12))[:-1]).all()


def test_oracle_llrs_are_calibrated_at_any_prior() -> None:
    """Every PAV block by itself has posterior = observed, so every bin of blocks has."""
    rng = np.random.default_rng(4)
    plain = pav(counts_of(rng.normal(1.0, 1.0, 200), rng.normal(0.0, 1.0, 900)))
    for log_odds in (None, -4.0, 0.0, 2.0):
        found = empirical_calibration(oracle_counts(plain), 10, log_odds)
        assert found.observed == pytest.approx(found.posterior, abs=1e-12)


def test_posteriors_of_zero_and_one_have_a_bin() -> None:
    found = empirical_calibration(counts_of([math.exp(9), 800.0], [-800.0]), bins=10)
    assert (found.n_target.tolist(), found.n_nontarget.tolist()) == ([0, 2], [1, 0])
