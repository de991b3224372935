"""DET and ROC."""

import numpy as np
import pytest
from scipy.stats import norm

import zebra_core
from tests.core.samples import goes_through, labelled, small_entry
from zebra_core.figures.det import det_figure, roc_figure
from zebra_core.figures.figure import Marker, NamedPoints
from zebra_core.project.items import Condition, Entry


def test_the_det_of_equal_variance_gaussians_is_straight_with_slope_minus_one() -> None:
    quantile = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    trials = zebra_core.Trials.from_scores(quantile + 2.0, quantile)
    entry = Entry("Gaussian", trials, zebra_core.assess(trials))
    drawn = det_figure([entry])
    curve = labelled(drawn)[0]
    middle = (np.abs(curve.x + 1.0) < 1.5) & (np.abs(curve.y + 1.0) < 1.5)
    assert (curve.x + curve.y)[middle] == pytest.approx(-2.0, abs=0.01)
    place = drawn.points[0].x[0]
    assert place == drawn.points[0].y[0] == pytest.approx(-1.0, abs=1e-3)
    assert drawn.x.reading(place) == pytest.approx(norm.cdf(-1.0), abs=1e-3)
    assert (float(norm.ppf(0.05)), "5") in [(pytest.approx(at), text) for at, text in drawn.x.ticks]


def test_the_roc_of_a_case_worked_by_hand() -> None:
    """From above: t, n, t and n tied, n: (0, ½) (⅓, ½) (⅔, 1) (1, 1); the hull leaves out (⅓, ½)."""
    trials = zebra_core.Trials.from_scores([3.0, 1.0], [2.0, 1.0, 0.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    hull, curve = roc_figure([entry]).lines[1:]
    assert goes_through(curve, (0, 0), (0, 0.5), (1 / 3, 0.5), (2 / 3, 1), (1, 1))
    assert goes_through(hull, (0, 0), (0, 0.5), (2 / 3, 1), (1, 1))


def test_the_prior_is_marked_on_the_hull_where_the_best_decision_is() -> None:
    drawn = roc_figure([small_entry()], prior_log_odds=50.0)
    diamonds = [points for points in drawn.points if points.marker is Marker.DIAMOND]
    assert [(p.x[0], p.y[0]) for p in diamonds] == [(0.2, 1.0)]  # no target may be missed


def test_hits_at_few_false_alarms_are_marked_on_the_curve_and_told() -> None:
    """Of 100 nontargets 0 … 99 one may be accepted: 98.5 and 99.5 are hit, 50.5 and 97.5 are not."""
    trials = zebra_core.Trials.from_scores([98.5, 99.5, 50.5, 97.5], np.arange(100.0))
    drawn = roc_figure([Entry("by hand", trials, zebra_core.assess(trials), Condition.OP)])
    (hits,) = [points for points in drawn.points if isinstance(points, NamedPoints)]
    assert (hits.x.tolist(), hits.y.tolist()) == ([0.01], [0.5])
    assert hits.names == ("50.00 % hits at 1 % false alarms · by hand OP",)
    assert drawn.alt_text.endswith(
        "Triangles on the curve of by hand OP: 50.00 % hits at 1 % false alarms; "
        "hits at 0.1 % false alarms cannot be measured below 1 in 100; "
        "hits at 0.01 % false alarms cannot be measured below 1 in 100."
    )
