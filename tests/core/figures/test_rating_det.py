"""Ratings of a listening test as DET curves: a curve for each safeguard, with its EER."""

import pytest

from zebra_core.errors import InputError
from zebra_core.figures.rating_det import rated_figure

CLEAN = [0, 0, 0, 0, 0, 0, 0, 2, 4, 4]
MIXED = [0, 0, 0, 0, 0, 0, 0, 2, 4, 4]
WORSE = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0]


def test_a_curve_for_each_safeguard_says_how_often_ratings_confuse_it():
    counts = {"same": {"upper": CLEAN, "lower": MIXED}, "worse": {"upper": CLEAN, "lower": WORSE}}
    figure = rated_figure({"question": "naturalness", "counts": counts})
    assert figure.title == "Listeners: how natural?"
    assert [line.label for line in figure.lines if line.label] == [
        "same (ROCCH-EER 50.00 %)",
        "worse (ROCCH-EER 0.00 %)",
    ]
    assert "worse (ROCCH-EER 0.00 %)" in figure.alt_text


def test_counts_that_are_none_are_refused():
    with pytest.raises(InputError, match="cannot be read"):
        rated_figure({"question": "naturalness", "counts": {"x": {"upper": [1], "lower": WORSE}}})
