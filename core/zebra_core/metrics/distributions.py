"""How LLRs and scores are distributed by class: Tippett curves, the PAV transform, empirical calibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.ece import PavBlocks


@dataclass(frozen=True, eq=False)
class TippettCurves:
    """Cumulative shares of both classes, at observed LLRs only: nothing is extrapolated.

    `target_share[i]` of the target trials have an LLR ≤ `target_llr[i]`, `nontarget_share[j]` of the
    nontarget trials an LLR ≥ `nontarget_llr[j]`. Each curve is a staircase through its distinct LLRs (natural
    log, ascending); its lowest value is the share of those on the first step: 1/N where they are not tied.
    Ref: Morrison et al., "Consensus on validation of forensic voice comparison", 2021, appendix C.
    """

    target_llr: FloatArray  # shape (a,)
    target_share: FloatArray  # shape (a,), up to 1
    nontarget_llr: FloatArray  # shape (b,)
    nontarget_share: FloatArray  # shape (b,), down from 1


def tippett(llrs: ScoreCounts) -> TippettCurves:
    """The curves of natural-log LLRs and their counts; O(m)."""
    target, nontarget = llrs.n_target > 0, llrs.n_nontarget > 0
    at_least = np.cumsum(llrs.n_nontarget[nontarget][::-1])[::-1]
    return TippettCurves(
        target_llr=llrs.score[target],
        target_share=np.cumsum(llrs.n_target[target]) / llrs.total_target,
        nontarget_llr=llrs.score[nontarget],
        nontarget_share=at_least / llrs.total_nontarget,
    )


@dataclass(frozen=True, eq=False)
class PavTransform:
    """The map from score to oracle LLR: level on each block, from its lowest to its highest score."""

    lowest: FloatArray  # shape (b,), ascending
    highest: FloatArray  # shape (b,), lowest[k] ≤ highest[k] < lowest[k + 1]
    llr: FloatArray  # shape (b,), natural log, strictly ascending


def pav_transform(counts: ScoreCounts, blocks: PavBlocks) -> PavTransform:
    """Where each block of `blocks`, plain or under Laplace's rule, begins and ends on the scores it pools."""
    return PavTransform(counts.score[blocks.first[:-1]], counts.score[blocks.first[1:] - 1], blocks.llr)


def oracle_counts(blocks: PavBlocks) -> ScoreCounts:
    """The oracle LLRs as scores with their counts, so that everything said of LLRs can be said of them."""
    return ScoreCounts(blocks.llr, blocks.n_target, blocks.n_nontarget)


@dataclass(frozen=True, eq=False)
class EmpiricalCalibration:
    """Posteriors against what was observed, bin by bin, for the b bins that hold trials.

    Calibrated LLRs have `observed` = `posterior` up to chance, which the counts let one judge.
    """

    prior_log_odds: float
    posterior: FloatArray  # shape (b,), mean posterior of the bin's trials, ascending
    observed: FloatArray  # shape (b,), share of targets among them, at the same prior
    n_target: IntArray  # shape (b,), trials as counted
    n_nontarget: IntArray  # shape (b,)


def empirical_calibration(
    llrs: ScoreCounts, bins: int = 10, prior_log_odds: float | None = None
) -> EmpiricalCalibration:
    """Compare posteriors with observed frequencies in `bins` bins of one width over 0 … 1; O(m).

    The posterior of an LLR is σ(LLR + log-odds of the prior); the prior is the share of targets among the
    trials unless another is given (natural log-odds), to which the classes are then weighted. A bin holds
    its lower edge; the last holds 1. Ref: Ramos and Gonzalez-Rodriguez 2013; csl2022, Fig. 4.
    """
    log_odds = math.log(llrs.total_target / llrs.total_nontarget)
    if prior_log_odds is not None:
        log_odds = prior_log_odds
    posterior = scipy.special.expit(llrs.score + log_odds)
    first = np.searchsorted(posterior, np.linspace(0.0, 1.0, bins + 1)[:-1])
    first = first[np.diff(first, append=len(posterior)) > 0]
    n_target = np.add.reduceat(llrs.n_target, first)
    n_nontarget = np.add.reduceat(llrs.n_nontarget, first)
    per_target = float(scipy.special.expit(log_odds)) / llrs.total_target
    per_nontarget = float(scipy.special.expit(-log_odds)) / llrs.total_nontarget
    weight = per_target * llrs.n_target + per_nontarget * llrs.n_nontarget
    total = per_target * n_target + per_nontarget * n_nontarget
    return EmpiricalCalibration(
        prior_log_odds=log_odds,
        posterior=np.add.reduceat(weight * posterior, first) / total,
        observed=per_target * n_target / total,
        n_target=n_target,
        n_nontarget=n_nontarget,
    )
