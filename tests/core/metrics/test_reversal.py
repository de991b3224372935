"""The same scores where lower means more alike."""

import numpy as np
import pytest

from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, ReversedFigures, reversed_counts


def test_reversed_counts_ascend_and_belong_to_the_scores_with_their_signs_changed() -> None:
    counts = ScoreCounts.of(np.array([1.0, 2.0, 2.0]), np.array([True, True, False]))
    turned = reversed_counts(counts)
    assert turned.score.tolist() == [-2.0, -1.0]
    assert turned.n_target.tolist() == [1, 1]
    assert turned.n_nontarget.tolist() == [1, 0]


def test_classes_that_part_the_wrong_way_disclose_everything() -> None:
    found = ReversedFigures.of(ScoreCounts.of(np.arange(4.0), np.arange(4) < 2), PAPER_SCALE)
    assert (found.d_ece_bits, found.tag) == (FULL_DISCLOSURE_BITS, "A")
    # The last digit of a logarithm depends on the processor, and on whether it is one of an array.
    assert found.worst_case_log10_lr == pytest.approx(np.log10(3.0), rel=1e-15)
