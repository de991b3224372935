"""PAV on tied scores, plain and with Laplace's rule."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core import brute_force
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.calibration import PavBlocks, laplace, pav, pav_of_each

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
