"""Whether one assessment discloses more than another, by more than the choice of speakers explains."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.project.items import Entry
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, error_of_difference
from zebra_core.uncertainty.resampling import FigureDraws, ResamplingUnit


@dataclass(frozen=True)
class Excess:
    """By how many bits the D_ECE of one exceeds that of another, and how likely chance alone gives as much.

    `p_value` is one-sided; NaN where it cannot be tested: nobody asked for intervals, speakers are fewer
    than eight or not known, or another reading discloses more, of which there is no interval.
    """

    bits: float
    p_value: float


def excess(one: Entry, other: Entry, factor: float = 1.0) -> Excess:
    """By how many bits the D_ECE of the first exceeds `factor` times that of the second, with its p-value.

    The standard error is that of the difference of draws, as in paired comparisons. Draws from different
    lists of trials are not paired: the spread is then that of independent draws, which is too wide where
    the speakers are the same, so the test is conservative.
    """
    ours, theirs = _draws(one), _draws(other)
    if ours is None or theirs is None:
        bits = one.assessment.disclosed_by_reading_bits - factor * other.assessment.disclosed_by_reading_bits
        return Excess(bits, math.nan)
    if factor != 1.0:
        return _over_a_share(ours, theirs, factor)
    bits = ours.corrected - theirs.corrected
    return Excess(bits, _p_value(bits, error_of_difference(ours, theirs), ours, theirs))


def _over_a_share(ours: FigureDraws, theirs: FigureDraws, factor: float) -> Excess:
    bits = ours.corrected - factor * theirs.corrected
    errors = (_error(ours), factor * _error(theirs))
    return Excess(bits, _p_value(bits, math.hypot(*errors), ours, theirs))


def _error(draws: FigureDraws) -> float:
    """The standard error of one figure, from its draws; NaN where there are none."""
    there = draws.draws[~np.isnan(draws.draws)]
    return float(there.std(ddof=1)) if len(there) > 1 else math.nan


def _p_value(bits: float, error: float, one: FigureDraws, other: FigureDraws) -> float:
    n = min(one.n_clusters, other.n_clusters)
    if n < FEWEST_SPEAKERS or math.isnan(error):
        return math.nan
    if error == 0.0:
        return float(bits <= 0.0)
    return float(scipy.special.stdtr(n - 1, -bits / error))


def _draws(entry: Entry) -> FigureDraws | None:
    """The draws over speakers of its D_ECE; None where there are none, or another reading leads."""
    trust = entry.trust
    if trust is None or trust.uncertainty.unit is not ResamplingUnit.SPEAKER:
        return None
    if entry.assessment.reading is not EvidenceReading.GIVEN:
        return None
    return trust.uncertainty.figures.get("d_ece_bits")
