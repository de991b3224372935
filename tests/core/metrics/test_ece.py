"""Empirical cross-entropy over the prior."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.core import brute_force
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.ece import (
    EceProfile,
    PavBlocks,
    _gathered,
    _summed,
    ece_bits,
    laplace,
    pav,
    pav_of_each,
    prior_entropy_bits,
    softplus,
)

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


LN = math.log
small_scores = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=14)


def counts_of(target: list[float], nontarget: list[float]) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


@pytest.mark.parametrize(
    ("target", "nontarget", "llr"),
    [
        pytest.param([1.0], [0.0], [-math.inf, math.inf], id="separated"),
        pytest.param([0.0], [1.0], [0.0, 0.0], id="the wrong way round"),
        pytest.param([5.0, 5.0], [5.0, 5.0, 5.0], [0.0], id="all equal"),
        # Shares of targets 0, 1, 1/2 (tie), 1: the second and third violate and pool to 2/3.
        pytest.param(
            [1.0, 2.0, 3.0],
            [0.0, 2.0],
            [-math.inf, LN(2 / 1 * 2 / 3)] * 1 + [LN(4 / 3), math.inf],
            id="tie pools",
        ),
    ],
)
def test_plain_pav_of_cases_worked_by_hand(
    target: list[float], nontarget: list[float], llr: list[float]
) -> None:
    assert pav(counts_of(target, nontarget)).llr_by_score == pytest.approx(llr, abs=1e-15)


@pytest.mark.parametrize(
    ("target", "nontarget", "llr"),
    [
        # Two targets above two nontargets: (2 + 1) : 1 above, 1 : (2 + 1) below, at even prior odds.
        pytest.param([3.0, 4.0], [1.0, 2.0], [-LN(3)] * 2 + [LN(3)] * 2, id="separated"),
        # One target, three nontargets: 2 : 1 above odds of 1 : 3, and 1 : 4 below.
        pytest.param([9.0], [1.0, 2.0, 3.0], [LN(3 / 4)] * 3 + [LN(6)], id="prior odds of the real counts"),
        # All tied, 1 : 3. The dummies below the scores (1 : 1) violate and pool: 2 : 4 at odds 1 : 3.
        pytest.param([0.0], [0.0, 0.0, 0.0], [LN(2 / 4 * 3)], id="all equal"),
    ],
)
def test_laplace_of_cases_worked_by_hand(
    target: list[float], nontarget: list[float], llr: list[float]
) -> None:
    assert laplace(pav(counts_of(target, nontarget))).llr_by_score == pytest.approx(llr, abs=1e-15)


@pytest.mark.parametrize("rule", [False, True], ids=["plain", "laplace"])
@given(target=small_scores, nontarget=small_scores)
def test_agrees_with_pav_in_exact_fractions(rule: bool, target: list[float], nontarget: list[float]) -> None:
    counts = counts_of(target, nontarget)
    blocks = laplace(pav(counts)) if rule else pav(counts)
    expected = brute_force.pav_llrs(target, nontarget, laplace=rule)
    assert blocks.llr_by_score == pytest.approx([expected[s] for s in counts.score], abs=1e-14)
    assert (np.diff(blocks.llr) > 0.0).all()
    assert blocks.n_target.sum() == len(target)
    assert blocks.n_nontarget.sum() == len(nontarget)


@given(target=small_scores, nontarget=small_scores)
def test_exchanging_classes_and_sign_mirrors_the_llrs(target: list[float], nontarget: list[float]) -> None:
    there = pav(counts_of(target, nontarget)).llr_by_score
    back = pav(counts_of([-s for s in nontarget], [-s for s in target])).llr_by_score
    assert back == pytest.approx(-there[::-1], abs=1e-14)


def test_neighbours_whose_rounded_means_are_equal_are_still_pooled() -> None:
    """1/3 and 333333/999999 are the same share: one block, one LLR, exactly 0."""
    counts = ScoreCounts(np.array([0.0, 1.0]), np.array([1, 333333]), np.array([2, 666666]))
    assert pav(counts).llr.tolist() == [0.0]


def test_llrs_near_zero_keep_their_digits() -> None:
    """10^8 + 1 targets against 10^8 nontargets, at even prior odds but for one trial."""
    counts = ScoreCounts(np.array([0.0, 1.0]), np.array([10**8, 10**8 + 1]), np.array([10**8 + 1, 10**8]))
    assert pav(counts).llr.tolist() == pytest.approx([-1e-8, 1e-8], rel=1e-8)


def in_row(blocks: PavBlocks, row: int) -> list[list[float]]:
    """What a weighting has in its blocks that are not empty, and the LLR of every score."""
    there = blocks.n_target[row] + blocks.n_nontarget[row] > 0
    columns = (blocks.n_target, blocks.n_nontarget, blocks.llr)
    return [of[row][there].tolist() for of in columns]


@pytest.mark.parametrize("most", [2, 40, 3_000], ids=["few trials", "some", "many"])
def test_several_weightings_at_once_are_as_one_by_one(most: int) -> None:
    """Whole numbers decide: the same blocks, whatever is pooled beside, and LLRs to the last digit."""
    rng = np.random.default_rng(most)
    n_target, n_nontarget = rng.integers(0, most, (2, 70, 30)) * (rng.random((2, 70, 30)) < 0.7)
    n_target[:, 9], n_nontarget[:, 4] = 1, 1
    together = pav_of_each(n_target, n_nontarget)
    for row, counts in enumerate(zip(n_target, n_nontarget, strict=True)):
        there = counts[0] + counts[1] > 0
        alone = pav(ScoreCounts(np.flatnonzero(there).astype(float), *(of[there] for of in counts)))
        for both in ((together, alone), (laplace(together), laplace(alone))):
            assert in_row(both[0], row) == [
                of.tolist() for of in (both[1].n_target, both[1].n_nontarget, both[1].llr)
            ]
            assert both[0].llr_by_score[row][there].tolist() == both[1].llr_by_score.tolist()


def test_very_many_trials_are_pooled_one_weighting_at_a_time() -> None:
    """Two means that differ by 1e-12 are told apart, in whichever row they stand."""
    n = 1_000_001
    n_target, n_nontarget = np.array([[n - 2, n - 1]] * 40), np.array([[n - 1, n]] * 40)
    assert pav(ScoreCounts(np.arange(2.0), n_target[0], n_nontarget[0])).first.tolist() == [0, 1, 2]
    assert pav_of_each(n_target, n_nontarget).first.tolist() == [[0, 1, 2]] * 40
