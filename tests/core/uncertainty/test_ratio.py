"""The unweighted average recall with draws of the speakers."""

import numpy as np
import pytest

from benchmarks.coverage_emotions import covered
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.ratio import average_recall_draws

SETTINGS = BootstrapSettings(replicates=200)


def test_values_count_alike_and_speakers_are_left_out_one_by_one() -> None:
    """Recalls of 3/4 and 1/2; without the first speaker 5/6 and 2/3, and so on."""
    by_speaker = [[(2, 1), (1, 0)], [(2, 2), (1, 1)], [(4, 3), (2, 1)]]
    found = average_recall_draws(by_speaker, SETTINGS)
    assert found is not None
    assert found.estimate == pytest.approx((6 / 8 + 2 / 4) / 2)
    without = [(5 / 6 + 2 / 3) / 2, (4 / 6 + 1 / 3) / 2, (3 / 4 + 1 / 2) / 2]
    np.testing.assert_allclose(np.sort(found.left_out), np.sort(without))


def test_draws_in_which_nobody_has_a_value_are_left_out() -> None:
    """One of three speakers alone is ever angry: in (2/3)³ of the draws nobody is."""
    found = average_recall_draws([[(3, 2), (0, 0)], [(3, 3), (0, 0)], [(3, 1), (2, 1)]], SETTINGS)
    assert found is not None
    assert np.isnan(found.draws).mean() == pytest.approx(8 / 27, abs=0.1)
    assert found.interval(0.95).low < found.estimate < found.interval(0.95).high


def test_intervals_hold_the_truth_of_speakers_who_differ() -> None:
    """At 95 %, of 1 000 sets with 10 speakers 94.2 % did (`benchmarks.coverage_emotions`)."""
    assert np.mean([covered(12, seed) for seed in range(100)]) >= 0.9
