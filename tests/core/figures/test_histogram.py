"""Histograms by class."""

import numpy as np
import pytest

import core
from core.figures.histogram import histogram_figure, shared_edges
from core.project import Entry
from tests.core.samples import demo, labelled


def test_histograms_share_their_bins_and_sum_to_one() -> None:
    entries = demo().entries
    drawn = histogram_figure(entries, bins=20)
    edges = shared_edges([entry.assessment.counts for entry in entries], 20)
    assert (drawn.x.low, drawn.x.high) == (edges[0], edges[-1])
    for entry, line in zip(entries, labelled(drawn)[::2], strict=True):
        scores = entry.trials.score[entry.trials.is_target]
        share = np.histogram(scores, edges)[0] / len(scores)
        assert np.interp((edges[1:] + edges[:-1]) / 2, line.x, line.y) == pytest.approx(share, abs=1e-3)
    assert len(drawn.areas) == len(entries)


def test_one_distinct_score_has_a_histogram_too() -> None:
    trials = core.Trials.from_scores([1e300], [1e300])
    drawn = histogram_figure([Entry("alike", trials, core.assess(trials))])
    assert drawn.x.low < 1e300 < drawn.x.high
    assert drawn.y.high == pytest.approx(1.05)
