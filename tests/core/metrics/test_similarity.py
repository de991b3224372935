"""One voice similarity matrix: cells, dominance, orders."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core import similarity_cases as cases
from tests.core.similarity_cases import Rows, random_rows, scores, segments
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.metrics.similarity import Mean, SimilarityMatrix, signed_dominance, similarity_matrix


def matrix_of(rows: Rows, spoken: dict[str, str], *, mutual: bool = True) -> SimilarityMatrix:
    segments_of = SpokenSegments.of(scores(rows), spoken)
    return similarity_matrix(segments_of.trials(tuple(sorted(set(spoken.values()))), mutual=mutual))


TWO = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
SEPARATED: Rows = [
    ("a1", "a2", 9.0), ("b1", "b2", 8.0), ("a1", "b1", 1.0),
    ("a2", "b1", 2.0), ("a1", "b2", 3.0), ("b2", "a2", 4.0),
]  # fmt: skip


def test_cells_worked_by_hand() -> None:
    """2 targets above 4 nontargets; with Laplace's dummies the blocks hold (3, 1) … and (1, 5) trials.

    Upper block: 2 targets + 1 dummy target + 1 dummy nontarget: LR (3/1)·(4/2) = 6; lower: 4 nontargets and
    a dummy of each: LR (1/5)·(4/2) = 2/5.
    """
    found = matrix_of(SEPARATED, TWO)

    own, other = 6 / 7, 2 / 7
    assert found.cells() == pytest.approx(np.array([[own, other], [other, own]]), rel=1e-14)
    assert found.cells(Mean.SIGMOID_OF_MEAN) == pytest.approx(found.cells(), rel=1e-14)
    assert found.n_trials.tolist() == [[2, 4], [4, 2]]
    assert found.d_diag() == pytest.approx(4 / 7, rel=1e-14)
    assert found.log_dominance_log10_lr == pytest.approx(math.log10(6 / 0.4), rel=1e-14)
    assert (found.n_target, found.n_nontarget, found.min_cllr_bits) == (2, 4, 0.0)


@pytest.mark.parametrize("mutual", [True, False], ids=["within a set", "between sets"])
@pytest.mark.parametrize("mean", Mean)
@pytest.mark.parametrize("seed", range(3))
def test_cells_are_those_of_the_plain_loops(seed: int, mean: Mean, mutual: bool) -> None:
    spoken = segments(4, 3)
    rows = random_rows(spoken, seed, ordered=not mutual)
    found = matrix_of(rows, spoken, mutual=mutual)

    slow = cases.matrix(rows, spoken, mutual=mutual, sigmoid_of_mean=mean is Mean.SIGMOID_OF_MEAN)
    assert found.cells(mean) == pytest.approx(np.array(slow), rel=1e-12)
    assert found.d_diag(mean) == pytest.approx(cases.d_diag(slow), rel=1e-10)


def test_a_setting_between_sets_is_not_forced_to_be_symmetric() -> None:
    spoken = segments(3, 2)
    found = matrix_of(random_rows(spoken, 5, ordered=True, decimals=3), spoken, mutual=False)
    cells = found.cells()
    assert not np.allclose(cells, cells.T, rtol=1e-3)
    assert (found.transposed.cells() == cells.T).all()


@pytest.mark.parametrize(
    ("cells", "signed"),
    [
        pytest.param(np.eye(4), 1.0, id="identity"),
        pytest.param(1.0 - np.eye(4), -1.0, id="everybody but oneself"),
        pytest.param(np.full((7, 7), 0.1), 0.0, id="uniform, though means of 0.1 are rounded"),
        pytest.param([[0.8, 0.2], [0.4, 0.6]], 0.4, id="by hand"),
        pytest.param([[0.8, np.nan], [0.4, np.nan]], 0.4, id="empty cells are left out"),
        pytest.param([[0.8]], None, id="one speaker"),
        pytest.param([[np.nan, 0.1], [0.1, np.nan]], None, id="no self-similarity"),
        pytest.param([[0.9, np.nan], [np.nan, 0.9]], None, id="no others"),
    ],
)
def test_dominance_worked_by_hand(cells: np.ndarray, signed: float | None) -> None:
    found = signed_dominance(cells)
    assert found == (signed if signed is None else pytest.approx(signed, abs=1e-15))
    assert signed != 0.0 or found == 0.0


def test_perfectly_separated_speakers_approach_the_identity() -> None:
    spoken = segments(20, 10)
    found = matrix_of(random_rows(spoken, 0, ordered=False, gap=100.0), spoken)
    assert found.d_diag() == pytest.approx(1.0, abs=2e-3)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 1000), data=st.data())
def test_permuting_speakers_permutes_the_matrix(seed: int, data: st.DataObject) -> None:
    spoken = segments(4, 2)
    rows = random_rows(spoken, seed, ordered=True)
    order = data.draw(st.permutations(range(4)))
    renamed = {segment: f"s{order[int(speaker[1:])]}" for segment, speaker in spoken.items()}

    before = matrix_of(rows, spoken, mutual=False)
    after = matrix_of(rows, renamed, mutual=False)

    assert after.reordered(np.array(order)).cells() == pytest.approx(before.cells(), rel=1e-12)
    assert after.d_diag() == pytest.approx(before.d_diag(), rel=1e-9, abs=1e-12)


def test_the_order_of_the_trials_does_not_matter() -> None:
    spoken = segments(3, 3)
    rows = random_rows(spoken, 1, ordered=False)
    turned = [(b, a, score) for a, b, score in reversed(rows)]
    assert matrix_of(turned, spoken).cells() == pytest.approx(matrix_of(rows, spoken).cells(), rel=1e-12)


def test_random_speakers_leave_no_dominance() -> None:
    """Relabelled at random, the mean dominance of several draws is near 0."""
    spoken = segments(10, 8)
    rows = random_rows(spoken, 2, ordered=False)
    rng = np.random.default_rng(0)
    signed = []
    for _ in range(10):
        relabelled = dict(zip(spoken, rng.permutation(list(spoken.values())).tolist(), strict=True))
        signed.append(matrix_of(rows, relabelled).signed_d_diag())
    assert np.mean(signed) == pytest.approx(0.0, abs=0.02)
    assert matrix_of(rows, spoken).d_diag() > 0.3


def test_a_cell_without_trials_is_empty_and_counted() -> None:
    rows = [row for row in SEPARATED if row[:2] != ("b1", "b2")]
    found = matrix_of(rows, TWO)
    assert math.isnan(found.cells()[1, 1])
    assert (found.n_empty, found.n_trials[1, 1]) == (1, 0)
    assert found.d_diag() is not None


@pytest.mark.parametrize(
    ("rows", "targets"),
    [
        pytest.param([("a1", "a2", 1.0)], 1, id="no nontargets"),
        pytest.param([("a1", "b1", 1.0), ("a2", "b1", 2.0)], 0, id="no targets"),
    ],
)
def test_without_both_classes_nothing_is_defined(rows: Rows, targets: int) -> None:
    found = matrix_of(rows, TWO)
    assert np.isnan(found.cells()).all()
    assert np.isnan(found.mean_log10_lr()).all()
    assert (found.n_target, found.d_ece_bits, found.min_cllr_bits) == (targets, None, None)
    assert (found.d_diag(), found.log_dominance_log10_lr) == (None, None)
