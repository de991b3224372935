"""The ZEBRA figures: population disclosure D_ECE and the worst case."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.trials import BoolArray, FloatArray, ScoreCounts
from zebra_core.metrics.ece import LN2, PavBlocks, laplace, pav
from zebra_core.metrics.scales import TagScale

FULL_DISCLOSURE_BITS = 1.0 / (2.0 * LN2)  # D_ECE of perfectly separated classes, ≈ 0.7213 bit
LN10 = math.log(10.0)
_SERIES_BELOW = 0.1
_SERIES = tuple((-1.0) ** (k + 1) / (2.0 * (k + 2)) for k in range(15, 0, -1))


def d_ece_bits(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> float:
    """Population disclosure D_ECE of natural-log LLRs, in bits (ZEBRA paper, eq. 6; csl2022, eq. 13).

    It is the area between perfect privacy and the ECE profile over all priors, each equally likely:
    0 … 1/(2 ln 2) for oracle-calibrated LLRs, possibly negative for others. Arguments as in `ece.ece_bits`.
    """
    rows = (of[np.newaxis] for of in (llr, target_share, nontarget_share))
    return float(d_ece_bits_of_each(*rows)[0])


def d_ece_bits_of_each(llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray) -> FloatArray:
    """`d_ece_bits` of several sets of LLRs at once: arguments (w, m), result (w,)."""
    in_target = target_share > 0.0
    in_nontarget = nontarget_share > 0.0
    area = disclosed_area(np.concatenate([llr[in_target], -llr[in_nontarget]]))
    weight = np.concatenate([target_share[in_target], nontarget_share[in_nontarget]])
    row = np.concatenate([np.nonzero(of)[0] for of in (in_target, in_nontarget)])
    # One after the other: in no row does the sum depend on what is in others.
    return np.bincount(row, weight * area, len(llr)) / LN2


def disclosed_area(llr: FloatArray) -> FloatArray:
    """Z(exp(llr)) of the ZEBRA paper, eq. 6: ∫ of π·(disclosure by one trial) over π, in nats; shape (m,).

    From −inf through 0 (at llr = 0) up to 1/4; keeps its digits near 0 and does not overflow.
    """
    near = np.abs(llr) < _SERIES_BELOW
    out = np.empty_like(llr)
    if near.any():
        # With y = exp(llr) − 1, Z = Σ (−1)^(k+1) y^k / (2 (k + 2)): the closed form would cancel.
        y = np.expm1(llr[near])
        series = np.zeros_like(y)
        for factor in _SERIES:
            series += factor
            series *= y
        out[near] = series
    # Z = 1/4 − r/2 + llr·r²/2 with r = 1/y, written so that exp never overflows.
    x = llr[~near]
    away = -np.abs(x)
    with np.errstate(under="ignore", invalid="ignore"):
        r = np.where(x > 0.0, np.exp(away), -1.0) / -np.expm1(away)
        tail = x * r**2
    tail[x == np.inf] = 0.0  # where ∞ · 0 is no number
    out[~near] = 0.25 - r / 2.0 + tail / 2.0
    return out


def worst_case_log10_lr(laplace_blocks: PavBlocks) -> float:
    """Individual disclosure: the largest |LLR| that any trial got, in base 10 (ZEBRA paper, eq. 8).

    The blocks must come from `calibration.laplace`, so that it is finite. Where all scores are equal it is
    0: the trials that Laplace's rule adds would show a little where there are more of one class.
    """
    against, for_ = strongest_log10_lrs(laplace_blocks)
    return max(abs(against), abs(for_))


def strongest_log10_lrs(laplace_blocks: PavBlocks) -> tuple[float, float]:
    """The lowest and the highest LLR of any trial, base 10: 0 for both where all scores are equal."""
    if laplace_blocks.first[-1] == 1:
        return 0.0, 0.0
    return float(laplace_blocks.llr[0] / LN10), float(laplace_blocks.llr[-1] / LN10)


def worst_case_log10_lr_of_each(laplace_blocks: PavBlocks, are_equal: BoolArray) -> FloatArray:
    """`worst_case_log10_lr` of several weightings at once, (w,); of which `are_equal` all scores are one."""
    llr = laplace_blocks.llr
    return np.where(are_equal, 0.0, np.maximum(np.abs(llr[:, 0]), np.abs(llr[:, -1])) / LN10)


@dataclass(frozen=True)
class ReversedFigures:
    """The ZEBRA figures of the scores with their signs changed, on the scale of tags of the assessment."""

    d_ece_bits: float
    worst_case_log10_lr: float
    tag: str

    @classmethod
    def of(cls, counts: ScoreCounts, scale: TagScale) -> ReversedFigures:
        """Oracle calibration of the reversed scores; O(m) in distinct scores."""
        plain = pav(reversed_counts(counts))
        worst = worst_case_log10_lr(laplace(plain))
        tag = scale.tag_of_scores(worst, are_equal=len(counts.score) == 1)
        return cls(d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share), worst, tag.letter)


def reversed_counts(counts: ScoreCounts) -> ScoreCounts:
    """The counts of the scores with their signs changed."""
    return ScoreCounts(-counts.score[::-1], counts.n_target[::-1], counts.n_nontarget[::-1])


def strongest_reversed_log10_lr(counts: ScoreCounts) -> float:
    """The worst case of the reversed scores, base 10, signed; where both are as strong, for one speaker."""
    against, for_ = strongest_log10_lrs(laplace(pav(reversed_counts(counts))))
    return for_ if for_ >= -against else against


# The most that so many trials can show at all, whatever their scores are.


def worst_case_ceiling_log10_lr(n_target: int, n_nontarget: int) -> float:
    """The largest worst case that so many trials can show at all: perfect separation under Laplace's rule."""
    against, for_ = ceilings_log10_lr(n_target, n_nontarget)
    return max(for_, -against)


def ceilings_log10_lr(n_target: int, n_nontarget: int) -> tuple[float, float]:
    """The lowest and highest base-10 LLR that so many trials can show: all targets above all nontargets."""
    for_two = math.log10((n_nontarget + 1) * n_target / n_nontarget)
    return 0.0 - for_two, math.log10((n_target + 1) * n_nontarget / n_target)
