"""Intervals for an adversary's calibration."""

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.adversary import attack, judge
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.adversary import adversary_bootstrap
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.resampling import Clusters

SETTINGS = BootstrapSettings(replicates=100, seed=2)


def run(seed: int) -> Trials:
    return trials_of(np.random.default_rng(seed), 15, 1.0)


def test_plain_figures_are_those_of_the_report_and_lie_in_their_intervals() -> None:
    test = run(1)
    report = attack(assess(run(0)).counts, assess(test).counts, np.zeros(1))
    found = adversary_bootstrap(test, report, SETTINGS)
    for name, judged in (("linear", report.linear), ("isotonic", report.isotonic)):
        assert found[name]["c_ece_bits"].estimate == pytest.approx(judged.c_ece_bits, rel=1e-12)
        assert found[name]["cllr_bits"].estimate == pytest.approx(judged.cllr_bits, rel=1e-12)
        assert judged.c_ece_bits in found[name]["c_ece_bits"].interval(0.95)


def test_a_draw_judges_the_repeated_trials() -> None:
    test = run(1)
    report = attack(assess(run(0)).counts, assess(test).counts, np.zeros(1))
    clusters = Clusters.of_trials(test)
    weight = clusters.draw(np.random.default_rng(2))
    often = weight[clusters.enrol] * weight[clusters.test]
    repeated = assess(Trials(np.repeat(test.score, often), np.repeat(test.is_target, often))).counts
    judged = judge(report.linear_map.llr(repeated.score), repeated, np.zeros(1))
    found = adversary_bootstrap(test, report, SETTINGS)["linear"]
    assert found["c_ece_bits"].draws[0] == pytest.approx(judged.c_ece_bits, rel=1e-12)
    assert found["cllr_bits"].draws[0] == pytest.approx(judged.cllr_bits, rel=1e-12)
