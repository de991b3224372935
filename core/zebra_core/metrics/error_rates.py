"""The conventional figures of speaker verification: DET and ROC, EER, detection costs, Cllr, linkability."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.audit import Finding, Severity
from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.trials import BinCounts, CountedTrials, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.ece import PavBlocks, ece_bits, ece_bits_of_each, laplace, pav
from zebra_core.metrics.zebra import LN10, d_ece_bits, reversed_counts, worst_case_log10_lr

MOST_LINKABILITY_BINS = 100
TARGETS_PER_LINKABILITY_BIN = 10
FALSE_ALARM_RATES = (1e-2, 1e-3, 1e-4)
"""Where hits are reported: an attacker who must not be wrong often."""


def eer(counts: ScoreCounts) -> float:
    """The equal error rate over the distinct scores, a fraction; see `ErrorRates.equal`."""
    return ErrorRates.of(counts).equal()


def rocch_eer(plain: PavBlocks) -> float:
    """The equal error rate on the convex hull of the ROC, a fraction; exact, from plain PAV blocks."""
    return ErrorRates.of(plain).equal()


def hits_at_false_alarm_rates(rates: ErrorRates) -> dict[float, float | None]:
    """The true-positive rate at each of `FALSE_ALARM_RATES`; see `ErrorRates.hits_at`."""
    return {rate: rates.hits_at(rate) for rate in FALSE_ALARM_RATES}


def cllr_bits(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> float:
    """Log-likelihood-ratio cost of natural-log LLRs, in bits: 0 is perfect, 1 says nothing.

    It is the ECE at prior ½. Arguments as in `ece.ece_bits`. Ref: Brümmer and du Preez 2006.
    """
    return float(ece_bits(0.0, llr, target_share, nontarget_share)[0])


def cllr_bits_of_each(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> FloatArray:
    """`cllr_bits` of several sets of LLRs at once: arguments (w, m), result (w,)."""
    return ece_bits_of_each(np.zeros(1), llr, target_share, nontarget_share)[:, 0]


def linkability(counts: ScoreCounts) -> float | None:
    """Global linkability D_sys, 0 … 1, as the VoicePrivacy evaluations compute it; None: not measurable.

    Histograms of both classes over the common range of scores with min(⌊N_target / 10⌋, 100) bins; in each
    bin D = 2·LR/(1 + LR) − 1 where LR > 1, else 0 (1 where only targets fall); trapezoid rule over the bin
    centres. That rule ignores the outer halves of the edge bins, so with fewer than two bins (under 20
    targets), with one distinct score, or with all target mass in the edge bins it measures nothing.
    Ref: Gomez-Barrero et al. 2018, adapted by Maouche et al. 2020.
    """
    edges = linkability_bins(counts)
    if edges is None:
        return None
    return linkability_of(counts.within(edges), counts.total_target, counts.total_nontarget)


def local_linkability(counts: ScoreCounts) -> tuple[FloatArray, FloatArray] | None:
    """Scores s, the centres of the bins of `linkability`, and local linkability D(s) there, 0 … 1; (b,) both.

    D_sys is the integral of D(s) times the density of target scores, by the same trapezoid rule; None where
    that is not measurable. Ref: Gomez-Barrero et al. 2018, eq. 9, with ω = 1; ISO/IEC 30136.
    """
    edges = linkability_bins(counts)
    if edges is None or linkability(counts) is None:
        return None
    binned = counts.within(edges)
    local = _local_linkability(
        binned.n_target / counts.total_target, binned.n_nontarget / counts.total_nontarget
    )
    return edges[:-1] / 2.0 + edges[1:] / 2.0, local


def _local_linkability(target: FloatArray, nontarget: FloatArray) -> FloatArray:
    """max(0, 2·LR/(1 + LR) − 1) of the shares of both classes in bins, any shape: (p − q)/(p + q) or 0."""
    local = np.zeros(target.shape)
    np.divide(target - nontarget, target + nontarget, out=local, where=target > nontarget)
    return local


def linkability_bins(counts: ScoreCounts) -> FloatArray | None:
    """The edges of the bins of `linkability`; None where there are too few targets, or one distinct score."""
    bins = min(counts.total_target // TARGETS_PER_LINKABILITY_BIN, MOST_LINKABILITY_BINS)
    return None if bins < 2 or len(counts.score) == 1 else counts.even_edges(bins)


def linkability_by_chance(counts: ScoreCounts) -> float | None:
    """What `linkability` gives on average where the same scores are dealt out to the trials by chance.

    It is not 0: bins in which there happen to be more targets count, and others do not make up for them.
    Trials are taken for independent. None where linkability is not measurable.
    """
    edges = linkability_bins(counts)
    if edges is None:
        return None
    binned = counts.within(edges)
    if linkability_of(binned, counts.total_target, counts.total_nontarget) is None:
        return None
    weight = np.ones(len(edges) - 1)
    weight[[0, -1]] = 0.5  # of the trapezoid rule
    sizes = binned.n_target + binned.n_nontarget
    return float(weight @ _masses_by_chance(sizes, counts.total_target, counts.total_nontarget))


def _masses_by_chance(size: IntArray, n_target: int, n_nontarget: int) -> FloatArray:
    """The expected D · density · width of bins of `size` (b,) trials, whose targets are hypergeometric."""
    total = n_target + n_nontarget
    share = n_target / total
    spread = 10.0 * np.sqrt(size * share * (1.0 - share) * (total - size) / max(total - 1, 1)) + 10.0
    low = np.maximum(np.maximum(size - n_nontarget, 0), np.floor(size * share - spread))
    high = np.minimum(np.minimum(size, n_target), np.ceil(size * share + spread))
    n = (high - low + 1.0).astype(np.int64)
    first = np.cumsum(n) - n  # the numbers of targets that each bin may have, one bin after the other
    inside = np.arange(n.sum()) + np.repeat(low - first, n)
    beside = np.repeat(size, n) - inside
    log_p = log_choose(n_target, inside) + log_choose(n_nontarget, beside)
    p = np.exp(log_p - np.repeat(np.maximum.reduceat(log_p, first), n))
    target, nontarget = inside / n_target, beside / n_nontarget
    above = np.maximum(target - nontarget, 0.0)
    linked = above * target / np.maximum(target + nontarget, np.finfo(float).tiny)
    return np.asarray(np.add.reduceat(p * linked, first) / np.add.reduceat(p, first))


def log_choose(n: int, k: FloatArray | IntArray) -> FloatArray:
    """The natural logarithm of the number of ways to choose k (m,) of n."""
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def linkability_of(binned: BinCounts, total_target: int, total_nontarget: int) -> float | None:
    """The `linkability` of trials that are binned already; None with all target mass in the edge bins."""
    found = linkability_of_each(binned, np.array(total_target), np.array(total_nontarget))
    return None if np.isnan(found) else float(found)


def linkability_of_each(binned: BinCounts, total_target: IntArray, total_nontarget: IntArray) -> FloatArray:
    """`linkability_of` several weightings at once: counts (w, b), totals and result (w,); NaN for None."""
    target = binned.n_target / total_target[..., np.newaxis]
    nontarget = binned.n_nontarget / total_nontarget[..., np.newaxis]
    mass = _local_linkability(target, nontarget) * target  # D · density · bin width
    found = ((mass[..., 1:] + mass[..., :-1]) / 2.0).sum(axis=-1)
    return np.where(binned.n_target[..., 1:-1].any(axis=-1), found, np.nan)


# Detection costs over the prior: the Bayes error of the decisions that LLRs lead to, and the least possible.
#
# A detection cost with costs of its own is a Bayes error at another prior, whose odds are multiplied by the
# ratio of the costs: nothing is lost by equal costs. Ref: Brümmer and de Villiers, "The BOSARIS toolkit user
# guide", 2011, sections 2 to 4.


_MOST_LOG_ODDS = 700.0  # exp() of more is infinite
_ON_THE_THRESHOLD = 1e-9  # natural log-odds


@dataclass(frozen=True)
class DecisionErrors:
    """What one rule decides wrongly, fractions of each class."""

    of_target: float  # rejected
    of_nontarget: float  # accepted


@dataclass(frozen=True, eq=False)
class BayesErrorProfile:
    """Bayes error over the prior (APE plot), fractions of shape (p,).

    `default` decides by the prior alone, `minimum` by oracle-calibrated LLRs, `actual` by the LLRs as they
    are. The greatest value that `minimum` takes at any prior is the ROCCH-EER.
    """

    prior_log_odds: FloatArray  # natural log-odds of the target prior, ascending
    default: FloatArray
    minimum: FloatArray
    actual: FloatArray

    @property
    def normalised_minimum(self) -> FloatArray:
        """`minimum` over `default` (normalised Bayes error, NBER), shape (p,): 0 … 1."""
        return np.asarray(self.minimum / self.default)

    @property
    def normalised_actual(self) -> FloatArray:
        """`actual` over `default`, shape (p,); above 1 the LLRs are worse than deciding without them."""
        return np.asarray(self.actual / self.default)


def bayes_error_profile(
    prior_log_odds: ArrayLike, llr: FloatArray, rates: ErrorRates, plain: PavBlocks
) -> BayesErrorProfile:
    """The profile at priors of shape (p,), natural log-odds; finite at any prior, also ±700 and beyond.

    `llr` of shape (m,) ascends (natural log), `rates` has the error rates at its values, and `plain` are the
    plain PAV blocks of the same trials. O(p log m).
    """
    log_odds = _bounded(prior_log_odds)
    return BayesErrorProfile(
        prior_log_odds=log_odds,
        default=scipy.special.expit(-np.abs(log_odds)),
        minimum=minimum_dcf(log_odds, plain),
        actual=rates.bayes_error(log_odds, bayes_thresholds(log_odds, llr)),
    )


def minimum_dcf(prior_log_odds: ArrayLike, plain: PavBlocks) -> FloatArray:
    """The least Bayes error that any threshold on the scores has, at priors of shape (p,); a fraction.

    Exact: the best threshold at a prior is a corner of the ROC's convex hull, the one that oracle-calibrated
    LLRs would choose.
    """
    log_odds = _bounded(prior_log_odds)
    return ErrorRates.of(plain).bayes_error(log_odds, bayes_thresholds(log_odds, plain.llr))


def normalised_dcf(prior_log_odds: float, decided: ScoreCounts | PavBlocks) -> float:
    """The Bayes error at a prior over that without scores, as NIST normalises detection costs.

    Of PAV blocks it is the minimum (minDCF), of natural-log LLRs as they are the actual DCF; 1 is no better
    than deciding without scores. The log-odds are natural.
    """
    log_odds = _bounded(prior_log_odds)
    at = int(bayes_thresholds(log_odds, decided.llr if isinstance(decided, PavBlocks) else decided.score)[0])
    missed = decided.n_target[:at].sum() / decided.n_target.sum()
    accepted = decided.n_nontarget[at:].sum() / decided.n_nontarget.sum()
    target, nontarget = np.exp(-np.logaddexp(0.0, [-log_odds[0], log_odds[0]]))
    return float((target * missed + nontarget * accepted) / min(target, nontarget))


def oracle_decision_errors(prior_log_odds: float, plain: PavBlocks) -> DecisionErrors:
    """The shares of either class that an oracle-calibrated attacker decides wrongly; fractions.

    `prior_log_odds` are natural. Accepted is where the posterior reaches ½; an LLR within 1e-9 of that is on
    it, for LRs of counts do meet it, and rounding must not decide. Weighted by the prior, both shares sum
    to `minimum_dcf`. Ref: Brümmer and de Villiers, as above.
    """
    at = int(bayes_thresholds(_bounded(prior_log_odds) + _ON_THE_THRESHOLD, plain.llr)[0])
    rejected, accepted = plain.n_target[:at].sum(), plain.n_nontarget[at:].sum()
    return DecisionErrors(float(rejected / plain.n_target.sum()), float(accepted / plain.n_nontarget.sum()))


def bayes_thresholds(prior_log_odds: FloatArray, llr: FloatArray) -> IntArray:
    """Which threshold of `ErrorRates` is Bayes' at each prior: accept where llr ≥ −log-odds; shape (p,).

    `llr` of shape (m,) ascends. An LLR on the threshold is accepted; either decision would cost the same.
    """
    return np.searchsorted(llr, -prior_log_odds, side="left").astype(np.int64)


def _bounded(prior_log_odds: ArrayLike) -> FloatArray:
    """Finite log-odds of shape (p,), so that neither prior of the two underflows to nothing."""
    log_odds = np.atleast_1d(np.asarray(prior_log_odds, dtype=np.float64))
    return np.clip(log_odds, -_MOST_LOG_ODDS, _MOST_LOG_ODDS)


# What rounding scores down to bins can have done to figures: computed from the counts, not guessed.


ROUNDED = "rounded"
"""The code of the finding that scores were rounded."""
FIGURES = ("d_ece_bits", "min_cllr_bits", "eer", "worst_case_log10_lr")


def bounds(counted: BinnedCounts) -> dict[str, tuple[float, float]]:
    """Between which values each of `FIGURES` lies without rounding, lower end first; see `Extremes`."""
    extremes = counted.extremes()
    ends = [_figures(counts) for counts in (extremes.least, extremes.most)]
    return {name: (min(values), max(values)) for name, *values in zip(FIGURES, *ends, strict=True)}


def told_of_rounding(trials: CountedTrials) -> CountedTrials:
    """Trials with the warning that their scores were rounded, if they were, before what is only noted."""
    if not trials.width:
        return trials
    found = Finding(ROUNDED, Severity.WARNING, rounding_facts(BinnedCounts(trials.counts, trials.width)))
    audit = trials.audit and replace(trials.audit, findings=_before_notes(found, trials.audit.findings))
    return replace(trials, remarks=_before_notes(found.as_remark(), trials.remarks), audit=audit)


def rounding_facts(counted: BinnedCounts) -> dict[str, object]:
    """The facts of the finding that scores were rounded."""
    facts: dict[str, object] = {"power": round(-math.log2(counted.width)), "width": f"{counted.width:.2g}"}
    for name, (low, high) in bounds(counted).items():
        facts[name] = f"{low:.7g} … {high:.7g}"
    return facts


def _before_notes(one: Any, others: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(other.code == one.code for other in others):
        return others
    is_noted = [other.severity is Severity.NOTE for other in others]
    at = [*is_noted, True].index(True)
    return (*others[:at], one, *others[at:])


def _figures(counts: ScoreCounts) -> tuple[float, float, float, float]:
    plain = pav(counts)
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    eer = ErrorRates.of(counts).equal()
    return d_ece_bits(*oracle), cllr_bits(*oracle), eer, worst_case_log10_lr(laplace(plain))


# LLRs as handed in against what the trials bear out: devPAV, and the bounds that so many trials set.


_JEFFREYS = 0.5  # trials added on either side of a threshold, of each class


def dev_pav_log10(llrs: ScoreCounts, plain: PavBlocks) -> float | None:
    """How far the plain PAV lies from the LLRs it was made of, on the mean, in powers of ten (devPAV).

    `llrs` are natural-log LLRs with their counts, `plain` their blocks. It is the area between the diagonal
    and the PAV, straight between distinct LLRs, over the range of those whose PAV is finite, divided by the
    length of that range: 0 for LLRs that the PAV leaves as they are, no upper bound. With one such LLR it is
    its distance; None where there is none, infinite where an infinite LLR got a finite one. Equal LLRs are
    one point. Ref: Vergeer, van Schaik and Sjerps 2021.
    """
    oracle = plain.llr_by_score
    kept = np.isfinite(oracle)
    x, y = llrs.score[kept] / LN10, oracle[kept] / LN10
    if not len(x):
        return None
    if not np.isfinite(x).all():
        return float("inf")
    away = y - x
    if len(x) == 1:
        return float(abs(away[0]))
    width = np.diff(x) / (x[-1] - x[0])
    return float(np.sum(width * _mean_distance(away[:-1], away[1:])))


def _mean_distance(one: FloatArray, two: FloatArray) -> FloatArray:
    """The mean of |d| along straight lines from `one` to `two`, (m,) each; squares are not made of them."""
    a, b = np.abs(one), np.abs(two)
    whole = a + b
    crosses = one * np.sign(two) < 0.0
    share = np.divide(a, whole, out=np.full(len(a), 0.5), where=whole > 0.0)
    return np.where(crosses, (a * share + b * (1.0 - share)) / 2.0, whole / 2.0)


@dataclass(frozen=True)
class InvarianceBounds:
    """The lowest and the highest log10 LR that a set of this size bears out; low ≤ 0 ≤ high.

    Upwards to the lowest threshold t at which LLRs of t and more are less than 10^t times as frequent among
    targets as among nontargets, where half a trial of each class is added on either side of t (Jeffreys);
    downwards in the same way; 0 where that is on the wrong side of 0. Where no threshold fails, the bound is
    the highest LLR of a target, or the lowest of a nontarget. Trials count as if each were independent of
    the others. Ref: Alberink, Leegwater, Malmborg, Nordgaard, Sjerps and van der Ham 2025 (invariance
    verification).
    """

    low: float
    high: float

    @classmethod
    def of(cls, llrs: ScoreCounts) -> InvarianceBounds:
        """The bounds of natural-log LLRs with their counts; exact, O(m)."""
        turned = reversed_counts(llrs)
        turned = ScoreCounts(turned.score, turned.n_nontarget, turned.n_target)
        return cls(-_upper(turned) or 0.0, _upper(llrs))


def _upper(llrs: ScoreCounts) -> float:
    score = llrs.score / LN10
    ratio = np.log10(_at_least(llrs.n_target)) - np.log10(_at_least(llrs.n_nontarget))
    # Above one score up to the next the shares are what they are at the next: only t grows.
    fails = np.flatnonzero(ratio < score)
    if len(fails):
        first = int(fails[0])
        begin = score[first - 1] if first else -np.inf
        found = max(float(ratio[first]), float(begin))
    else:
        found = float(score[llrs.n_target > 0][-1])
    return max(found, 0.0)


def _at_least(count: IntArray) -> FloatArray:
    """The share of a class at each score and above, (m,)."""
    return np.asarray((np.cumsum(count[::-1])[::-1] + _JEFFREYS) / (count.sum() + 2.0 * _JEFFREYS))


# Misses and false alarms at every threshold: the curves behind EER, DET, ROC and detection costs.


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
