"""APE plots."""

import numpy as np
import pytest

from tests.core.samples import demo, labelled
from zebra_core.figures.ape import ape_figure


def test_the_peak_of_the_least_bayes_error_is_the_rocch_eer() -> None:
    for entry in demo().entries:
        drawn = ape_figure([entry])
        eer = entry.assessment.rocch_eer
        assert drawn.points[0].y.tolist() == [eer]
        curve = labelled(drawn)[1]
        assert float(curve.y.max()) == pytest.approx(eer, abs=2e-4)
        assert np.interp(drawn.points[0].x[0], curve.x, curve.y) == pytest.approx(eer, abs=2e-4)
