"""Empirical cross-entropy over the prior."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ece import ece_bits, prior_entropy_bits
from tests.core import brute_force

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
