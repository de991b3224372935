"""Population disclosure, worst case and the ceiling."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import quad

from tests.core import brute_force
from zebra_core.metrics.zebra import (
    FULL_DISCLOSURE_BITS,
    d_ece_bits,
    disclosed_area,
    worst_case_ceiling_log10_lr,
)

LN2 = math.log(2.0)


def shares(target: list[float], nontarget: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    in_target = np.repeat([1.0 / len(target), 0.0], [len(target), len(nontarget)])
    in_nontarget = np.repeat([0.0, 1.0 / len(nontarget)], [len(target), len(nontarget)])
    return np.array(target + nontarget), in_target, in_nontarget


def test_full_disclosure_is_what_separated_classes_give() -> None:
    assert d_ece_bits(*shares([math.inf], [-math.inf])) == FULL_DISCLOSURE_BITS
    assert pytest.approx(0.7213475204444817, rel=1e-15) == FULL_DISCLOSURE_BITS


@pytest.mark.parametrize(
    ("llr", "area"),
    [
        pytest.param(0.0, 0.0, id="no evidence"),
        pytest.param(LN2, (-1.0 + 2.0 * LN2) / 4.0, id="LR 2"),
        pytest.param(-LN2, (1.25 - 2.0 * LN2), id="LR 1/2: (5/4 − 2 ln 2) / (4/4)"),
        pytest.param(1e-12, 1e-12 / 6.0, id="tiny"),
        pytest.param(-1e-12, -1e-12 / 6.0, id="tiny, against"),
        pytest.param(700.0, 0.25, id="huge"),
        pytest.param(-700.0, (3.0 - 1400.0) / 4.0, id="huge, against"),
        pytest.param(math.inf, 0.25, id="certain"),
        pytest.param(-math.inf, -math.inf, id="certain and wrong"),
    ],
)
def test_z_of_equation_6_worked_by_hand(llr: float, area: float) -> None:
    assert disclosed_area(np.array([llr]))[0] == pytest.approx(area, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("llr", [0.099999, 0.100001, -0.099999, -0.100001, 1e-3, 3.0, -3.0, 15.0])
def test_z_is_the_integral_that_it_is_said_to_be(llr: float) -> None:
    """∫ π (ln(1/π) − ln(1 + (1 − π)/(π x))) dπ over the prior, with the entropy split by class."""

    def gain(prior: float) -> float:
        rest = 1.0 - prior
        return prior * (math.log1p(rest / prior) - math.log1p(rest / prior * math.exp(-llr)))

    area, _ = quad(gain, 0.0, 1.0, epsabs=1e-14, limit=200)
    assert disclosed_area(np.array([llr]))[0] == pytest.approx(area, rel=1e-9)


finite = st.lists(st.floats(-12.0, 12.0), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(target=finite, nontarget=finite)
def test_d_ece_is_the_integral_of_the_gap_over_the_prior(target: list[float], nontarget: list[float]) -> None:
    assert d_ece_bits(*shares(target, nontarget)) == pytest.approx(
        brute_force.d_ece(target, nontarget), abs=1e-8
    )


def test_tiny_oracle_disclosure_keeps_its_digits() -> None:
    """LLRs ±ε with shares σ(±ε): D_ECE is ε²/(12 ln 2) for small ε, far below what the terms are."""
    eps = 1e-6
    high = 1.0 / (1.0 + math.exp(-eps))
    found = d_ece_bits(np.array([-eps, eps]), np.array([1 - high, high]), np.array([high, 1 - high]))
    assert found == pytest.approx(eps**2 / (12.0 * LN2), rel=1e-4)


@pytest.mark.parametrize(
    ("n_target", "n_nontarget", "ceiling"),
    [
        (156, 9672, math.log10(157 * 9672 / 156)),
        (35, 140, math.log10(36 * 140 / 35)),
        (140, 35, math.log10(36 * 140 / 35)),
        (1, 1, math.log10(2)),
    ],
)
def test_ceiling_worked_by_hand(n_target: int, n_nontarget: int, ceiling: float) -> None:
    assert worst_case_ceiling_log10_lr(n_target, n_nontarget) == pytest.approx(ceiling, rel=1e-15)
