"""Tests that are made together."""

import numpy as np
import pytest

from zebra_core.metrics.chance.multiple_testing import Family, holm


def test_a_family_of_three_safeguards_and_three_figures_has_nine_tests() -> None:
    family = Family.of_pairs(3, 3)
    assert family.size == 9
    assert family.settled_up_to == pytest.approx(0.05 / 9)
    assert family.level_of_each == pytest.approx(1 - 0.05 / 9)
    assert family.adjusted(0.01) == pytest.approx(0.09)
    assert family.adjusted(0.5) == 1.0


def test_a_pair_and_a_figure_alone_are_held_against_the_level_itself() -> None:
    assert Family.of_pairs(2, 1).level_of_each == 0.95
    assert Family.of_pairs(1, 3).size == 1


def test_over_the_family_the_level_holds() -> None:
    p_values = np.random.default_rng(0).random((20_000, 9))
    rejected = (p_values <= Family(9).settled_up_to).any(axis=1).mean()
    assert rejected == pytest.approx(0.05, abs=0.005)


def test_holm_of_a_published_case() -> None:
    """Holm's step-down of 0.01, 0.04, 0.03, 0.005: 4·0.005, 3·0.01, 2·0.03, then no less than that."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []
