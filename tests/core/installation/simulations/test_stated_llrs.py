"""The six made-up cases of stated LLRs are what the manual says of them."""

import numpy as np
import pytest

from zebra_core.installation.simulations.stated_llrs import CASES
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess
from zebra_core.uncertainty.over_estimation import over_estimation

STATED = Settings(score_meaning=ScoreMeaning.LOG10_LR)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_over_estimation_is_the_true_one(case):
    found = over_estimation(None, assess(case.trials, STATED))
    assert found.exceeds == pytest.approx([case.exceeds(x) for x in found.log10_lr], abs=0.03)


def test_calibration_alone_tells_the_last_five_apart():
    found = {case.name: assess(case.trials, STATED) for case in CASES}
    least = [one.min_cllr_bits for name, one in found.items() if name != "neutral"]
    assert least == pytest.approx([least[0]] * 5)
    losses = {name: one.calibration_loss_bits for name, one in found.items()}
    assert max(losses["good"], losses["neutral"]) < 0.01
    assert min(loss for name, loss in losses.items() if name not in {"good", "neutral"}) > 0.05
    assert losses["shifted up"] == pytest.approx(losses["shifted down"])
    deviations = {name: one.dev_pav_log10 for name, one in found.items()}
    assert min(deviations, key=deviations.get) in {"good", "neutral"}
    assert deviations["shifted up"] == pytest.approx(1.0, abs=0.1)


def test_quantiles_are_those_of_calibrated_normal_llrs():
    """Density ratio at log10 LR x of N(d²/2, d²) to N(−d²/2, d²) is 10^x: here by counting within bins."""
    good = next(case for case in CASES if case.name == "good").trials
    counts = [np.histogram(good.score[good.is_target == of], [0.4, 0.6])[0][0] for of in (True, False)]
    assert np.log10(counts[0] / counts[1]) == pytest.approx(0.5, abs=0.05)
