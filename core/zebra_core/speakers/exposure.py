"""How exposed each speaker is, from their own target trials: shrunk, with an interval, against chance.

A mean over two or three trials scatters far more than speakers differ, and of sixty such means the largest
is large by itself. So each is drawn towards the mean of all as far as the scatter within speakers says
(Gelman et al. 2013, section 5.4; the spread between speakers is integrated over a flat prior), and whether
speakers differ at all is tested by dealing out whole test segments among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_trials import SpeakerTrials, TrialSide
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.speakers.cross_fitted_llrs import llrs_by_fold, target_llrs
from zebra_core.speakers.recordings import Units, additive_effects, less_enrolment

FEWEST_SPEAKERS = 5
"""The fewest speakers of whom it can be said how much they differ."""

_WIDTH = 2.3
"""Standard deviations to each side: with 1.96 intervals held the truth in 90 to 97 % of simulations, since
scatter and calibration are estimates, too; with this in 94 to 97 % (installation.simulations, exposure)."""

_SPREADS = 200  # between speakers, that the posterior is summed over


@dataclass(frozen=True, eq=False)
class ShrunkExposures:
    """For each speaker, shape (speakers,): the mean, the estimate drawn towards all, and its interval.

    NaN where a speaker has no target trial; the interval is NaN for all where nothing is known of the scatter
    within speakers, or of how much they differ.
    """

    mean: FloatArray
    estimate: FloatArray
    low: FloatArray
    high: FloatArray


def target_units(trials: SpeakerTrials, oracle: Oracle) -> tuple[Units, Units]:
    """What the target trials of every test segment disclose in bits; and without what enrolments do to all.

    Calibrations are learnt from other speakers. Of natural LLRs λ under Laplace's rule a target trial
    discloses Z(λ)/ln 2, see `zebra.disclosed_area`. What an enrolment does to comparisons with others, too,
    is no exposure of its speaker: where speakers are told from chance it is left out.
    """
    at = np.flatnonzero(trials.is_target)
    value = disclosed_area(target_llrs(trials, oracle)) / LN2
    enrol, segment = trials.enrol.codes[at], trials.test.codes[at]
    of_others = _effects_of_enrolments(trials, oracle)[enrol]
    shape = (len(trials.test.names), len(trials.speakers))
    left, count, _ = less_enrolment(value, of_others, segment, trials.heard[at], shape)
    total = np.bincount(segment, value, len(count))
    has = np.flatnonzero(count)
    speaker = trials.speaker_of_test[has].astype(np.int64)
    n = count[has]
    return Units(total[has] / n, n, speaker), Units(left[has] / n, n, speaker)


def exposures_of_counts(counts: SpeakerCounts, oracle: Oracle) -> tuple[ShrunkExposures, IntArray]:
    """Exposures from counted trials, and how many test segments in target trials each speaker has, (s,).

    Where test segments are not known there is the mean over target trials alone, and no segment.
    """
    fold, llr = llrs_by_fold(counts, oracle)
    value, n_speakers, targets = disclosed_area(llr) / LN2, len(counts.speakers), counts.targets
    if targets is None:
        total, n_trials = np.zeros(n_speakers), counts.sums_by_speaker(TrialSide.ENROLLED, of_target=True)
        for number, of_score in enumerate(value):
            summed = counts.sums_by_speaker(TrialSide.ENROLLED, of_target=True, value=of_score)
            total += np.where(fold == number, summed, 0.0)
        mean = np.full(n_speakers, np.nan)
        np.divide(total, n_trials, out=mean, where=n_trials > 0)
        nothing = np.full(n_speakers, np.nan)
        return ShrunkExposures(mean, mean, nothing, nothing), np.zeros(n_speakers, np.int64)
    of_segment = np.bincount(targets.segment, value[fold[targets.speaker], targets.place])
    count = np.bincount(targets.segment)
    speaker = np.empty(len(count), np.int64)
    speaker[targets.segment] = targets.speaker
    units = Units(of_segment / count, count, speaker)
    return shrunk(units, n_speakers), np.bincount(speaker, minlength=n_speakers)


def _effects_of_enrolments(trials: SpeakerTrials, oracle: Oracle) -> FloatArray:
    """How many bits more trials of different speakers seem to disclose with each enrolment, shape (e,)."""
    at = np.flatnonzero(~trials.is_target)
    value = disclosed_area(oracle.llr(trials.score[at])) / LN2
    shape = (len(trials.enrol.names), len(trials.test.names))
    return additive_effects(value, trials.enrol.codes[at], trials.test.codes[at], shape)[0]


def shrunk(units: Units, n_speakers: int) -> ShrunkExposures:
    """Estimates for all speakers: the mean of the segments of each, drawn towards that of all."""
    count = np.bincount(units.speaker, minlength=n_speakers)
    total = np.bincount(units.speaker, units.value, n_speakers)
    mean = np.full(n_speakers, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    has = np.flatnonzero(count)
    off = units.value - mean[units.speaker]
    free = len(units.value) - len(has)
    if len(has) < FEWEST_SPEAKERS or free < 1:
        nothing = np.full(n_speakers, np.nan)
        return ShrunkExposures(mean, mean, nothing, nothing)
    estimate, low, high = mean.copy(), np.full(n_speakers, np.nan), np.full(n_speakers, np.nan)
    estimate[has], deviation = _posterior(mean[has], float(off @ off) / free / count[has])
    low[has], high[has] = estimate[has] - _WIDTH * deviation, estimate[has] + _WIDTH * deviation
    return ShrunkExposures(mean, estimate, low, high)


def _posterior(mean: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Posterior mean and standard deviation of normal means with these variances, shape (s,) each."""
    if not variance.max() > 0.0:
        return mean, np.zeros_like(mean)
    spread = np.linspace(0.0, 5.0 * float(mean.std()) + 1e-9, _SPREADS)[:, None]
    total = spread**2 + np.maximum(variance, 1e-18)
    centre = (mean / total).sum(axis=1) / (1.0 / total).sum(axis=1)
    of_centre = 1.0 / (1.0 / total).sum(axis=1)
    log_weight = 0.5 * (
        np.log(of_centre) - (np.log(total) + (mean - centre[:, None]) ** 2 / total).sum(axis=1)
    )
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    kept = spread**2 / total
    each = centre[:, None] + kept * (mean - centre[:, None])
    within = kept * variance + (1.0 - kept) ** 2 * of_centre[:, None]
    found = weight @ each
    return found, np.sqrt(weight @ (within + (each - found) ** 2))
