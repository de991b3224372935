"""Losses as shares and gains in decibels."""

import pytest

from zebra_core.metrics.gains import gain_db, loss


@pytest.mark.parametrize(
    ("after", "before", "share"),
    [
        (0.25, 1.0, 0.75),
        (1.0, 1.0, 0.0),
        (0.0, 0.5, 1.0),
        (2.0, 1.0, -1.0),
        (0.1, 0.0, None),
        (None, 1.0, None),
    ],
)
def test_loss(after: float | None, before: float | None, share: float | None) -> None:
    assert loss(after, before) == share


@pytest.mark.parametrize(
    ("after", "before", "decibels"),
    [
        (0.1, 1.0, -10.0),
        (1.0, 1.0, 0.0),
        (2.0, 0.2, 10.0),
        (0.0, 1.0, None),
        (1.0, 1e-13, None),
        (1.0, None, None),
    ],
)
def test_gain(after: float | None, before: float | None, decibels: float | None) -> None:
    assert gain_db(after, before) == pytest.approx(decibels)
