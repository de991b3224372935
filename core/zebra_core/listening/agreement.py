"""How far listeners agree: Krippendorff's alpha, the intraclass correlation of answers and of their means.

A matrix has a row for each unit (trial, recording) and a column for each listener, NaN where one did not hear
it; units with fewer than two answers say nothing about agreement.
They are our own: pingouin, which has the correlation, would bring seaborn, scikit-learn and statsmodels into
the bundle. The tests hold both to published cases, and to values of pingouin and krippendorff.
Ref: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; Shrout and Fleiss 1979, case 1, with the
mean number of answers a unit where it differs (Donner 1986).
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.trials import FloatArray


def alpha(answers: FloatArray, *, nominal: bool = False) -> float | None:
    """Krippendorff's alpha for answers on an interval scale, or for mere names of classes.

    1 is full agreement, 0 what chance would give; None where fewer than two units were answered twice, or
    all answers are the same, which nothing can be said about.
    """
    units = _paired(answers)
    if len(units) < 2:
        return None
    observed = sum(_distance(unit, nominal) / (len(unit) - 1) for unit in units)
    together = np.concatenate(units)
    expected = _distance(together, nominal) / (len(together) - 1)
    return float(1.0 - observed / expected) if expected > 0.0 else None


def intraclass(answers: FloatArray) -> tuple[float, float] | None:
    """The correlation of single answers to one unit, ICC(1, 1), and of their means, ICC(1, k).

    One-way random effects: other listeners may have answered to each unit. None where fewer than two units
    were answered twice, or all answers are the same.
    """
    units = _paired(answers)
    if len(units) < 2:
        return None
    sizes = np.array([len(unit) for unit in units], dtype=np.float64)
    means = np.array([unit.mean() for unit in units])
    total, n = sizes.sum(), len(units)
    grand = float(sizes @ means / total)
    between = float(sizes @ (means - grand) ** 2) / (n - 1)
    within = sum(float(((unit - unit.mean()) ** 2).sum()) for unit in units) / (total - n)
    typical = float((total - (sizes**2).sum() / total) / (n - 1))
    if between + (typical - 1.0) * within <= 0.0 or between <= 0.0:
        return None
    single = (between - within) / (between + (typical - 1.0) * within)
    return float(single), float((between - within) / between)


def _paired(answers: FloatArray) -> list[FloatArray]:
    found = (row[~np.isnan(row)] for row in answers)
    return [unit for unit in found if len(unit) > 1]


def _distance(values: FloatArray, nominal: bool) -> float:
    """The sum over all ordered pairs of their squared difference, or of whether they differ."""
    n = len(values)
    if nominal:
        counts = np.unique(values, return_counts=True)[1].astype(np.float64)
        return float(n * n - (counts**2).sum())
    return float(2.0 * n * ((values - values.mean()) ** 2).sum())
