"""Intervals for what an adversary's calibration achieves, over the speakers that it is judged on."""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.trials import CodeArray, FloatArray, Trials
from zebra_core.metrics.adversary import AdversaryReport, IsotonicCalibration, LinearCalibration
from zebra_core.metrics.ece import LN2, softplus
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.resampling import Clusters


def adversary_bootstrap(
    trials: Trials,
    report: AdversaryReport,
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
) -> dict[str, dict[str, FigureDraws]]:
    """Draws of C_ECE and Cllr, in bits, for both calibrations; keys as in `AdversaryReport.as_json`.

    `trials` are those that the report judged; the calibrations are held as they were learnt, for an
    adversary has them before. Both figures are means over trials: nothing in them is too well adapted.
    A figure that is infinite has no draws and is left out. `on_progress` may raise Cancelled.
    """
    settings = settings or BootstrapSettings()
    clusters = Clusters.of_trials(trials, speakers)
    costs = {
        (name, figure): cost
        for name, calibration in (("linear", report.linear_map), ("isotonic", report.isotonic_map))
        for figure, cost in _costs(trials, calibration).items()
        if np.isfinite(cost).all()
    }
    table = np.array(list(costs.values())).reshape(len(costs), len(trials))
    weights = [clusters.all_once, *clusters.left_out()]
    rng = np.random.default_rng(settings.seed)
    values = []
    work = len(weights) + settings.replicates
    for done in range(work):
        on_progress(done / work)
        weight = weights[done] if done < len(weights) else clusters.draw(rng)
        values.append(_means(trials, clusters, table, weight))
    on_progress(1.0)
    found: dict[str, dict[str, FigureDraws]] = {"linear": {}, "isotonic": {}}
    for (name, figure), column in zip(costs, np.array(values).T, strict=True):
        left_out, draws = column[1 : len(weights)], column[len(weights) :]
        found[name][figure] = FigureDraws(float(column[0]), draws, left_out, clusters.n)
    return found


def _costs(trials: Trials, calibration: LinearCalibration | IsotonicCalibration) -> dict[str, FloatArray]:
    """What each trial adds to either figure, in bits, where both classes weigh 1."""
    llr = calibration.llr(trials.score)
    for_truth = np.where(trials.is_target, llr, -llr)
    return {
        "c_ece_bits": disclosed_area(for_truth) / LN2,
        "cllr_bits": softplus(-for_truth) / (2.0 * LN2),
    }


def _means(trials: Trials, clusters: Clusters, table: FloatArray, weight: CodeArray) -> FloatArray:
    """The mean over target trials plus that over nontarget trials, for every row; NaN without either."""
    often = weight[clusters.enrol] * weight[clusters.test]
    total = np.zeros(len(table))
    for of_class in (trials.is_target, ~trials.is_target):
        share = np.where(of_class, often, 0)
        with np.errstate(invalid="ignore"):
            total += np.einsum("kn,n->k", table, share) / share.sum()
    return total
