"""Intervals for the figures of similarity matrices: speakers drawn again, cells counted by their speakers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.draws import FigureDraws
from core.errors import InputError
from core.intervals import Interval
from core.resampling import FEWEST_CLUSTERS
from core.trials import FloatArray
from core.uncertainty import BootstrapSettings
from core.voices import SETTINGS, VoiceSimilarity


@dataclass(frozen=True, eq=False)
class VoicesUncertainty:
    """Draws of d_diag (by setting: d_diag_oo …), de_id and g_vd_db, those that are defined."""

    settings: BootstrapSettings
    figures: Mapping[str, FigureDraws]

    @property
    def intervals(self) -> dict[str, Interval]:
        """The intervals at the level and by the method of the settings."""
        level, method = self.settings.level, self.settings.method
        return {name: draws.interval(level, method) for name, draws in self.figures.items()}


def voices_bootstrap(voices: VoiceSimilarity, settings: BootstrapSettings | None = None) -> VoicesUncertainty:
    """Draw the speakers of the matrices again and again; O(replicates · speakers²) for each matrix.

    Somebody drawn w times is in w rows and columns: the cell of i with itself counts w_i times, as there are
    w_i people who are like themselves, and that of i with j w_i·w_j times. All settings share each draw, so
    that DeID and G_VD are those of pairs. The calibration behind the cells is held as it is, which makes
    intervals a little narrower than if it were learnt anew. Raises InputError with fewer than three speakers.
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
    with np.errstate(divide="ignore", invalid="ignore"):
        if {"d_diag_op", "d_diag_oo"} <= set(values):
            values["de_id"] = 1.0 - values["d_diag_op"] / values["d_diag_oo"]
        if {"d_diag_pp", "d_diag_oo"} <= set(values):
            values["g_vd_db"] = 10.0 * np.log10(values["d_diag_pp"] / values["d_diag_oo"])
    return VoicesUncertainty(
        settings, {name: _drawn(of_name, n) for name, of_name in values.items() if np.isfinite(of_name[0])}
    )


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
