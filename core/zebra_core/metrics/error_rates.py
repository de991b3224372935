"""Misses and false alarms at every threshold: the curves behind EER, DET, ROC and detection costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray, IntArray


class Groups(Protocol):
    """Trials counted by class in groups of ascending score: distinct scores or `PavBlocks`."""

    @property
    def n_target(self) -> IntArray:
        """Target trials in each group, shape (m,)."""

    @property
    def n_nontarget(self) -> IntArray:
        """Nontarget trials in each group, shape (m,)."""


@dataclass(frozen=True, eq=False)
class ErrorRates:
    """Both error rates at all m + 1 thresholds between m groups of ascending score; fractions.

    Threshold k accepts the groups k, k + 1, …: the first accepts everything (no misses), the last nothing
    (no false alarms). A group of tied trials is passed at once. Over distinct scores these are the corners
    of the empirical ROC, over plain PAV blocks those of its convex hull.
    """

    miss: FloatArray  # shape (m + 1,), from 0 up to 1
    false_alarm: FloatArray  # shape (m + 1,), from 1 down to 0
    n_target: int
    n_nontarget: int

    @classmethod
    def of(cls, groups: Groups) -> ErrorRates:
        """Count the errors; O(m)."""
        rejected_targets = np.concatenate([[0], np.cumsum(groups.n_target)])
        rejected_nontargets = np.concatenate([[0], np.cumsum(groups.n_nontarget)])
        n_target, n_nontarget = int(rejected_targets[-1]), int(rejected_nontargets[-1])
        return cls(
            miss=rejected_targets / n_target,
            false_alarm=(n_nontarget - rejected_nontargets) / n_nontarget,
            n_target=n_target,
            n_nontarget=n_nontarget,
        )

    @property
    def crossing(self) -> int:
        """The group, counted from 0, on whose way from threshold to threshold the rates become equal."""
        gap = self.miss - self.false_alarm  # ascends from −1 to 1
        return int(np.searchsorted(gap, 0.0)) - 1

    def equal(self) -> float:
        """Where both rates are equal (EER), 0 … 1: both are read along the straight line between thresholds.

        Ref: VoicePrivacy 2020 evaluation plan, 6.1, which leaves open what to do when no threshold makes
        them equal. Linear interpolation is what the mixture of two neighbouring thresholds attains.
        """
        before = self.crossing
        miss, more_miss = self.miss[before : before + 2]
        gap, more_gap = self.miss[before : before + 2] - self.false_alarm[before : before + 2]
        return float(miss + (more_miss - miss) * gap / (gap - more_gap))

    def threshold_at(self, most_false_alarms: float) -> int | None:
        """The first threshold whose false-alarm rate is at most the one given: that with the most hits.

        None (not measurable) where fewer false alarms are asked for than one in all the nontarget trials,
        `most_false_alarms` < 1/N: nothing can be told from no false alarm at all.
        """
        if most_false_alarms < 1.0 / self.n_nontarget:
            return None
        return int(np.searchsorted(-self.false_alarm, -most_false_alarms))

    def hits_at(self, most_false_alarms: float) -> float | None:
        """The largest true-positive rate at any threshold whose false-alarm rate is at most the one given.

        Nothing is interpolated: the rate is that of a real threshold, and a group of tied trials is accepted
        whole or not at all. None as `threshold_at` has it. Ref: Carlini et al. 2022 (membership inference);
        Tsaprazlis et al. 2025 (VoxGuard), of voices.
        """
        at = self.threshold_at(most_false_alarms)
        return None if at is None else float(1.0 - self.miss[at])

    def bayes_error(self, prior_log_odds: FloatArray, at: IntArray) -> FloatArray:
        """π·P(miss) + (1 − π)·P(false alarm) at threshold at[j] for prior j; shapes (p,)."""
        prior, complement = scipy.special.expit(prior_log_odds), scipy.special.expit(-prior_log_odds)
        return np.asarray(prior * self.miss[at] + complement * self.false_alarm[at])


RatesOfEach = tuple[FloatArray, FloatArray]
"""Misses and false alarms of several weightings of the same groups, (w, m) each, above every group."""


def rates_of_each(n_target: IntArray, n_nontarget: IntArray) -> RatesOfEach:
    """Both rates at the thresholds of `ErrorRates` but for the first, which accepts all; counts (w, m)."""
    miss = np.cumsum(n_target, axis=1) / n_target.sum(axis=1, keepdims=True)
    total = n_nontarget.sum(axis=1, keepdims=True)
    return miss, (total - np.cumsum(n_nontarget, axis=1)) / total


def equal_error_rates(miss: FloatArray, false_alarm: FloatArray) -> FloatArray:
    """`ErrorRates.equal` of several weightings at once: `rates_of_each`, result (w,)."""
    after = (miss >= false_alarm).argmax(axis=1)[:, np.newaxis]  # the last group rejects all
    more_miss, less_false_alarm = (np.take_along_axis(of, after, 1)[:, 0] for of in (miss, false_alarm))
    before = np.maximum(after - 1, 0)
    is_first = after[:, 0] == 0
    miss = np.where(is_first, 0.0, np.take_along_axis(miss, before, 1)[:, 0])
    false_alarm = np.where(is_first, 1.0, np.take_along_axis(false_alarm, before, 1)[:, 0])
    gap, more_gap = miss - false_alarm, more_miss - less_false_alarm
    return np.asarray(miss + (more_miss - miss) * gap / (gap - more_gap))


def hits_of_each(
    miss: FloatArray, false_alarm: FloatArray, n_nontarget: IntArray, most_false_alarms: float
) -> FloatArray:
    """`ErrorRates.hits_at` of several weightings at once, which have `n_nontarget` nontarget trials, (w,).

    Rates as `rates_of_each` has them, `most_false_alarms` below 1; result (w,), NaN where a weighting leaves
    too few nontarget trials.
    """
    first = (false_alarm <= most_false_alarms).argmax(axis=1)  # the last group rejects all
    hits = 1.0 - np.take_along_axis(miss, first[:, np.newaxis], axis=1)[:, 0]
    return np.where(most_false_alarms < 1.0 / n_nontarget, np.nan, hits)


@dataclass(frozen=True)
class MisleadingEvidence:
    """How often LLRs support the wrong proposition, as fractions of each class; an LLR of 0 supports none."""

    of_target: float  # target trials with LLR < 0
    of_nontarget: float  # nontarget trials with LLR > 0

    @classmethod
    def of(cls, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> MisleadingEvidence:
        """The rates of LLRs with their shares of each class, all of shape (m,) in any order."""
        return cls(float(target_share[llr < 0.0].sum()), float(nontarget_share[llr > 0.0].sum()))
