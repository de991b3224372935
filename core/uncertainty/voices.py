"""Intervals for the figures of similarity matrices: speakers drawn again, cells counted by their speakers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.progress import Progress, no_progress
from core.speakers.trials import SpeakerTrials
from core.trials import FloatArray
from core.uncertainty.bootstrap import BootstrapSettings
from core.uncertainty.draws import FigureDraws
from core.uncertainty.intervals import Interval
from core.uncertainty.resampling import FEWEST_CLUSTERS, Clusters
from core.uncertainty.weighted import FIGURES, SortedTrials
from core.voices import SETTINGS, VoiceSimilarity


@dataclass(frozen=True, eq=False)
class VoicesUncertainty:
    """Draws of d_diag (by setting: d_diag_oo …), de_id, g_vd_db and, where trials were given, of D_ECE.

    Only what is defined is there: d_ece_bits and saved_bits (1 − C_llr^min) by setting, d_ece_op_oo,
    min_cllr_op_oo, g_d_ece_db and g_cllr_db.
    """

    settings: BootstrapSettings
    figures: Mapping[str, FigureDraws]

    @property
    def intervals(self) -> dict[str, Interval]:
        """The intervals at the level and by the method of the settings."""
        level, method = self.settings.level, self.settings.method
        return {name: draws.interval(level, method) for name, draws in self.figures.items()}


def voices_bootstrap(
    voices: VoiceSimilarity,
    settings: BootstrapSettings | None = None,
    *,
    trials: Mapping[str, SpeakerTrials] | None = None,
    on_progress: Progress = no_progress,
) -> VoicesUncertainty:
    """Draw the speakers of the matrices again and again; O(replicates · speakers²) for each matrix.

    Somebody drawn w times is in w rows and columns: the cell of i with itself counts w_i times, as there are
    w_i people who are like themselves, and that of i with j w_i·w_j times. All settings share each draw, so
    that DeID and G_VD are those of pairs. The calibration behind the cells is held as it is, which makes
    intervals a little narrower than if it were learnt anew. With `trials`, those of each setting between
    the same speakers (`SpokenSegments.trials`), the disclosure relative to OO and the gains of voice
    distinctiveness by D_ECE and C_llr^min (csl2022, eq. 17 to 20) are drawn too, and for these the PAV is
    learnt anew. Raises InputError with fewer than three speakers.
    """
    settings = settings or BootstrapSettings()
    n = len(voices.speakers)
    if n < FEWEST_CLUSTERS:
        raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
    rng = np.random.default_rng(settings.seed)
    chosen = rng.integers(n, size=(settings.replicates, n))
    drawn = np.array([np.bincount(row, minlength=n) for row in chosen], dtype=np.float64)
    weights = np.vstack([np.ones(n), 1.0 - np.eye(n), drawn])  # as it is, one left out each, draws

    values: dict[str, FloatArray] = {}
    for setting in SETTINGS:
        if setting in voices.matrices:
            cells = voices.matrices[setting].cells(voices.mean)
            values[f"d_diag_{setting}"] = np.abs(_dominance(cells, weights))
    _relate(values, "d_diag", "de_id", "g_vd_db")
    if trials:
        values |= _disclosures(trials, weights, on_progress)
        _relate(values, "d_ece_bits", "d_ece_op_oo", "g_d_ece_db")
        _relate(values, "saved_bits", "min_cllr_op_oo", "g_cllr_db")
    return VoicesUncertainty(
        settings, {name: _drawn(of_name, n) for name, of_name in values.items() if np.isfinite(of_name[0])}
    )


def _disclosures(
    trials: Mapping[str, SpeakerTrials], weights: FloatArray, on_progress: Progress
) -> dict[str, FloatArray]:
    """D_ECE and 1 − C_llr^min of each setting under each row of weights."""
    found = {}
    at = [FIGURES.index("d_ece_bits"), FIGURES.index("min_cllr_bits")]
    whole = np.column_stack([weights, np.ones(len(weights))]).astype(np.int32)
    for number, (setting, of_setting) in enumerate(trials.items()):
        ordered = SortedTrials.of(of_setting, Clusters.of_speaker_trials(of_setting))
        rows = np.full((len(whole), 2), np.nan)
        for row, weight in enumerate(whole):
            on_progress((number + row / len(whole)) / len(trials))
            if measured := ordered.figures(weight, np.zeros(1)):
                rows[row] = measured[0][at]
        found[f"d_ece_bits_{setting}"], found[f"saved_bits_{setting}"] = rows[:, 0], 1.0 - rows[:, 1]
    on_progress(1.0)
    return found


def _relate(values: dict[str, FloatArray], figure: str, loss: str, gain: str) -> None:
    """Add what OP loses and PP gains relative to OO, where there are both."""
    oo, op, pp = (values.get(f"{figure}_{setting}") for setting in SETTINGS)
    with np.errstate(divide="ignore", invalid="ignore"):
        if oo is not None and op is not None:
            values[loss] = 1.0 - op / oo
        if oo is not None and pp is not None:
            values[gain] = 10.0 * np.log10(pp / oo)


def _drawn(values: FloatArray, n: int) -> FigureDraws:
    values = np.where(np.isfinite(values), values, np.nan)
    return FigureDraws(float(values[0]), values[n + 1 :], values[1 : n + 1], n)


def _dominance(cells: FloatArray, weights: FloatArray) -> FloatArray:
    """`similarity.signed_dominance` under each row of weights (k, speakers), shape (k,); NaN if undefined."""
    filled = ~np.isnan(cells)
    own, own_filled = np.where(filled, cells, 0.0).diagonal(), filled.diagonal()
    others, others_filled = np.where(filled, cells, 0.0), filled.astype(np.float64)
    np.fill_diagonal(others, 0.0)
    np.fill_diagonal(others_filled, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        diagonal = (weights @ own) / (weights @ own_filled)
        rest = ((weights @ others) * weights).sum(1) / ((weights @ others_filled) * weights).sum(1)
        return np.asarray(diagonal - rest)
