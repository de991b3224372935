"""The conventional figures of speaker verification: EER, ROCCH-EER, Cllr, linkability."""

from __future__ import annotations

import numpy as np

from core.calibration import PavBlocks
from core.counts import ScoreCounts
from core.ece import ece_bits
from core.trials import FloatArray, IntArray

MOST_LINKABILITY_BINS = 100
TARGETS_PER_LINKABILITY_BIN = 10


def equal_error_rate(n_target: IntArray, n_nontarget: IntArray) -> float:
    """Where the rates of misses and of false alarms are equal, as a fraction 0 … 1.

    `n_target` and `n_nontarget` of shape (m,) count the trials at ascending thresholds: at distinct scores
    for the EER (VoicePrivacy 2020 evaluation plan, 6.1), at PAV blocks for the ROCCH-EER, whose corners the
    blocks are. The threshold passes a group of tied trials at once; between two thresholds both rates move
    along the straight line, which is where the crossing is read.
    """
    miss = np.concatenate([[0.0], np.cumsum(n_target) / n_target.sum()])
    false_alarm = 1.0 - np.concatenate([[0.0], np.cumsum(n_nontarget) / n_nontarget.sum()])
    gap = miss - false_alarm  # ascends from −1 to 1
    after = int(np.searchsorted(gap, 0.0))
    step = -gap[after - 1] / (gap[after] - gap[after - 1])
    return float(miss[after - 1] + step * (miss[after] - miss[after - 1]))


def eer(counts: ScoreCounts) -> float:
    """The equal error rate over the distinct scores, a fraction."""
    return equal_error_rate(counts.n_target, counts.n_nontarget)


def rocch_eer(plain: PavBlocks) -> float:
    """The equal error rate on the convex hull of the ROC, a fraction; exact, from plain PAV blocks."""
    return equal_error_rate(plain.n_target, plain.n_nontarget)


def cllr_bits(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> float:
    """Log-likelihood-ratio cost of natural-log LLRs, in bits: 0 is perfect, 1 says nothing.

    It is the ECE at prior ½. Arguments as in `ece.ece_bits`. Ref: Brümmer and du Preez 2006.
    """
    return float(ece_bits(0.0, llr, target_share, nontarget_share)[0])


def linkability(counts: ScoreCounts) -> float | None:
    """Global linkability D_sys, 0 … 1, as the VoicePrivacy evaluations compute it; None: not measurable.

    Histograms of both classes over the common range of scores with min(⌊N_target / 10⌋, 100) bins; in each
    bin D = 2·LR/(1 + LR) − 1 where LR > 1, else 0 (1 where only targets fall); trapezoid rule over the bin
    centres. That rule ignores the outer halves of the edge bins, so with fewer than two bins (under 20
    targets), with one distinct score, or with all target mass in the edge bins it measures nothing.
    Ref: Gomez-Barrero et al. 2018, adapted by Maouche et al. 2020.
    """
    bins = min(counts.total_target // TARGETS_PER_LINKABILITY_BIN, MOST_LINKABILITY_BINS)
    lowest, highest = counts.score[0], counts.score[-1]
    if bins < 2 or not lowest < highest:
        return None
    edges = np.linspace(lowest, highest, bins + 1)
    target, _ = np.histogram(counts.score, edges, weights=counts.target_share)
    nontarget, _ = np.histogram(counts.score, edges, weights=counts.nontarget_share)
    if not target[1:-1].any():
        return None
    disclosing = target > nontarget
    local = np.zeros(bins)
    local[disclosing] = (target - nontarget)[disclosing] / (target + nontarget)[disclosing]
    mass = local * target  # D · density · bin width
    return float(((mass[1:] + mass[:-1]) / 2.0).sum())
