"""Labels dealt out anew, and how probable what was observed is then."""

import numpy as np
import pytest

from zebra_core.metrics.chance.permutation import band, exchanged, n_as_far, p_value


def test_every_order_is_as_probable_as_any_other() -> None:
    rng = np.random.default_rng(0)
    seen = np.array([exchanged(3, rng) for _ in range(6000)])
    assert np.unique(seen, axis=0, return_counts=True)[1] == pytest.approx(1000, abs=120)


def test_a_p_value_counts_the_observed_order_among_those_dealt() -> None:
    dealt = [1.0, 2.0, 3.0, 4.0]
    assert n_as_far(3.0, dealt) == 2
    assert n_as_far(3.0 + 1e-14, dealt) == 2  # the same but for rounding
    assert n_as_far(2.0, dealt, less_is_more=True) == 2
    assert p_value(0, 99) == 0.01
    assert p_value(99, 99) == 1.0


def test_a_band_holds_what_chance_shows_point_by_point() -> None:
    dealt = np.stack([np.linspace(0.0, 1.0, 1001), np.linspace(5.0, 7.0, 1001)], axis=1)
    low, high = band(dealt, 0.9)
    assert low == pytest.approx([0.05, 5.1])
    assert high == pytest.approx([0.95, 6.9])
