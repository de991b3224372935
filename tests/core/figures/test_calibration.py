"""Empirical calibration plots."""

import pytest

from tests.core.samples import demo
from zebra_core.figures.calibration import calibration_figure
from zebra_core.figures.llrs import ShownScores


def test_calibration_points_carry_the_counts_of_their_bins_where_there_is_room() -> None:
    entries = demo().entries
    alone = calibration_figure(entries[:1]).points[0]
    assert sum(map(int, alone.texts)) == len(entries[0].trials)
    assert all(points.texts == () for points in calibration_figure(entries).points)
    oracle = calibration_figure(entries[2:3], shown=ShownScores.ORACLE_LLRS).points[0]
    assert oracle.x[:-1] == pytest.approx(oracle.y[:-1], abs=2e-4)  # Laplace's rule moves the ends only
