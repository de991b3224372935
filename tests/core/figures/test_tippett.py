"""Tippett plots."""

import numpy as np

import zebra_core
from tests.core.samples import goes_through, labelled, small_entry
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.tippett import tippett_figure
from zebra_core.project.items import Entry

LN10 = np.log(10.0)


def test_tippett_curves_are_staircases_between_observed_values() -> None:
    trials = zebra_core.Trials.from_scores([1.0, 2.0, 4.0], [-1.0, 0.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    target, nontarget = labelled(tippett_figure([entry], shown=ShownScores.SCORES_AS_LLRS))
    expected = [(1, 1 / 3), (2, 1 / 3), (2, 2 / 3), (4, 2 / 3), (4, 1)]
    assert goes_through(target, *((x / LN10, y) for x, y in expected))
    assert goes_through(nontarget, (-1 / LN10, 1), (-1 / LN10, 0.5), (0, 0.5))


def test_tippett_labels_tell_how_often_evidence_misleads() -> None:
    drawn = tippett_figure([small_entry()], shown=ShownScores.SCORES_AS_LLRS)
    assert "B1 OP, target ≤ x (0.00 % misleading)" in drawn.alt_text
    assert "B1 OP, nontarget ≥ x (20.00 % misleading)" in drawn.alt_text
