"""Empirical cross-entropy over the prior."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core import brute_force
from zebra_core.metrics.ece import EceProfile, _gathered, _summed, ece_bits, prior_entropy_bits, softplus

ONE = np.array([1.0])


@pytest.mark.parametrize(
    ("log_odds", "bits"),
    [(0.0, 1.0), (math.log(3), 2.0 - 0.75 * math.log2(3)), (-math.log(3), 2.0 - 0.75 * math.log2(3))],
)
def test_prior_entropy_worked_by_hand(log_odds: float, bits: float) -> None:
    assert float(prior_entropy_bits(log_odds)) == pytest.approx(bits, abs=1e-15)


def test_prior_entropy_far_out_neither_overflows_nor_vanishes_early() -> None:
    """At log-odds x ≫ 0 it is (x + 1)·exp(−x)/ln 2."""
    assert float(prior_entropy_bits(700.0)) == pytest.approx(
        701.0 * math.exp(-700.0) / math.log(2), rel=1e-12
    )
    assert float(prior_entropy_bits(-1e6)) == 0.0


@pytest.mark.parametrize(
    ("target_llr", "nontarget_llr", "bits"),
    [
        pytest.param(0.0, 0.0, 1.0, id="says nothing"),
        pytest.param(math.log(3), -math.log(3), math.log2(4 / 3), id="LR 3, right both times"),
        pytest.param(math.inf, -math.inf, 0.0, id="certain and right"),
        pytest.param(-math.inf, 0.0, math.inf, id="certain and wrong"),
    ],
)
def test_ece_at_even_odds_worked_by_hand(target_llr: float, nontarget_llr: float, bits: float) -> None:
    llr, target, nontarget = np.array([target_llr, nontarget_llr]), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert ece_bits(0.0, llr, target, nontarget)[0] == pytest.approx(bits, abs=1e-15)


def test_llrs_of_zero_leave_the_prior_entropy() -> None:
    log_odds = np.linspace(-30.0, 30.0, 61)
    assert ece_bits(log_odds, np.zeros(1), ONE, ONE) == pytest.approx(prior_entropy_bits(log_odds), rel=1e-14)


@pytest.mark.parametrize("llr", [1e-12, -1e-12, 700.0, -700.0, 1e300])
def test_tiny_and_huge_llrs_neither_overflow_nor_lose_digits(llr: float) -> None:
    cost = max(llr, 0.0) + math.log1p(math.exp(-abs(llr)))
    expected = (cost - llr + cost) / 2.0 / math.log(2)
    assert ece_bits(0.0, np.array([llr]), ONE, ONE)[0] == pytest.approx(expected, rel=1e-12)


llrs = st.lists(st.floats(-20.0, 20.0), min_size=1, max_size=9)


@given(target=llrs, nontarget=llrs, prior=st.floats(0.001, 0.999))
def test_agrees_with_the_sum_of_equation_4(target: list[float], nontarget: list[float], prior: float) -> None:
    llr = np.array(target + nontarget)
    in_target = np.repeat([1.0 / len(target), 0.0], [len(target), len(nontarget)])
    in_nontarget = np.repeat([0.0, 1.0 / len(nontarget)], [len(target), len(nontarget)])
    found = ece_bits(math.log(prior / (1.0 - prior)), llr, in_target, in_nontarget)[0]
    assert found == pytest.approx(brute_force.ece(target, nontarget, prior), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("x", [-math.inf, -800.0, -40.0, -1e-9, 0.0, 1e-9, 40.0, 800.0, math.inf])
def test_softplus_keeps_its_digits(x: float) -> None:
    expected = max(x, 0.0) + math.log1p(math.exp(-abs(x)))
    assert float(softplus(x)) == pytest.approx(expected, rel=1e-15)


def _scores(kind: str) -> np.ndarray:
    rng = np.random.default_rng(11)
    return {
        "like LLRs": rng.normal(-3.0, 4.0, 40_000),
        "far wider than the priors": rng.normal(0.0, 400.0, 40_000),
        "heavy tails": rng.standard_cauchy(40_000) * 20.0,
        "all far below": rng.normal(-45.0, 2.0, 40_000),
        "all far above": rng.normal(400.0, 9.0, 40_000),
        "within one cell": rng.normal(0.3, 1e-4, 40_000),
        "on the edges of cells": rng.integers(-200, 200, 40_000) * 0.25,
        "on the edges of reach": rng.choice([-50.0, 50.0, np.nextafter(50.0, 0.0)], 40_000),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "like LLRs", "far wider than the priors", "heavy tails", "all far below", "all far above",
        "within one cell", "on the edges of cells", "on the edges of reach",
    ],
)  # fmt: skip
@pytest.mark.parametrize("limit", [10.0, 40.0])
def test_gathering_scores_in_cells_agrees_with_the_sum_of_all_terms(kind: str, limit: float) -> None:
    x = _scores(kind)
    share = np.random.default_rng(12).random(len(x))
    shifts = np.linspace(-limit, limit, 41)
    (expected,) = _summed(x[np.newaxis], share[np.newaxis], shifts)
    assert _gathered(x, share, shifts) == pytest.approx(expected, rel=1e-13, abs=0.0)


def test_gathering_takes_infinite_llrs() -> None:
    x = np.array([-np.inf, 0.0, 1.0])
    share = np.array([0.25, 0.5, 0.25])
    shifts = np.linspace(-1.0, 1.0, 5)
    (expected,) = _summed(x[np.newaxis], share[np.newaxis], shifts)
    assert _gathered(x, share, shifts) == pytest.approx(expected, rel=1e-13)
    assert (_gathered(-x, share, shifts) == np.inf).all()


def test_normalised_profiles_are_shares_of_the_prior_entropy() -> None:
    log_odds = np.linspace(-10.0, 10.0, 5)
    default = prior_entropy_bits(log_odds)
    profile = EceProfile(log_odds, default, default / 2.0, default * 3.0)
    assert profile.nece_min == pytest.approx(0.5, rel=1e-15)
    assert profile.nece_actual == pytest.approx(3.0, rel=1e-15)
