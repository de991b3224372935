"""What holds beyond the trials that were learnt from: disclosure without an order, and a worst case.

The toolkit's worst case is the largest of many LLRs that were learnt on the very trials, so that it grows
with their number also where nothing is disclosed. Here every trial is judged by PAV under Laplace's rule that
was learnt on other speakers, and what comes out is believed as far as the trials bear it out (`bounds.elub`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from msgspec import Meta

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import FloatArray, IntArray, Trials
from zebra_core.metrics.bounds import elub
from zebra_core.metrics.calibration import PavBlocks, laplace, pav
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials
from zebra_core.metrics.excess import exceeds_by_speaker, exceeds_by_trial
from zebra_core.metrics.unordered import d_ece_unordered_bits, unordered_llr
from zebra_core.metrics.zebra import LN10, d_ece_bits


@dataclass(frozen=True)
class CrossFitted:
    """Figures of LLRs that were learnt on other speakers than they are judged on.

    `strongest_against_log10_lr` ≤ 0 ≤ `strongest_for_log10_lr` are the outermost LLRs that the trials got and
    bear out. `unordered_exceeds` says whether the unordered reading discloses more than the given one
    by more than chance: more than the oracle of it, and significantly more than what others teach of it.
    Without known speakers (`is_by_speaker` is False) single trials are held apart, and what trials of one
    speaker share flatters: an estimate, as must be said.
    """

    d_ece_unordered_bits: Annotated[float, Meta(le=1.0)]
    strongest_against_log10_lr: Annotated[float, Meta(ge=-1000.0, le=0.0)]
    strongest_for_log10_lr: Annotated[float, Meta(ge=0.0, le=1000.0)]
    unordered_exceeds: bool
    is_by_speaker: bool

    @property
    def worst_case_log10_lr(self) -> float:
        """The larger magnitude of both."""
        return max(self.strongest_for_log10_lr, -self.strongest_against_log10_lr)

    @classmethod
    def of_trials(cls, trials: Trials, counts: ScoreCounts, plain: PavBlocks) -> CrossFitted:
        """Figures of trials, given the counts of their distinct scores and their PAV; O(n) beside these."""
        trials = in_order(trials)
        folded = FoldedTrials.of(trials, counts)
        if folded is None:
            return cls.of_counts(counts, plain)
        return cls._made(folded.counts, plain, partial(exceeds_by_speaker, trials, folded))

    @classmethod
    def of_counts(cls, counts: ScoreCounts, plain: PavBlocks) -> CrossFitted:
        """Figures of counts, or where no three speakers are known: single trials are dealt into the folds."""
        folds = FoldCounts.of_counts(counts)
        return cls._made(folds, plain, partial(exceeds_by_trial, folds))

    @classmethod
    def _made(
        cls, folds: FoldCounts, plain: PavBlocks, exceeds: Callable[[FloatArray, FloatArray], bool]
    ) -> CrossFitted:
        llr = folds.judged_by(unordered_llr)
        found = d_ece_unordered_bits(folds, llr)
        is_more = found > d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share)
        against, for_ = strongest_log10_lrs(folds)
        exceeding = is_more and exceeds(llr, folds.judged_by(laplace_llr))
        return cls(found, against, for_, exceeding, folds.is_by_speaker)


def strongest_log10_lrs(folds: FoldCounts) -> tuple[float, float]:
    """The lowest and the highest base-10 LLR that a trial got from others, as far as it is borne out."""
    llr = folds.judged_by(laplace_llr)
    seen = folds.n_target + folds.n_nontarget > 0
    low, high = elub(llr[seen], folds.n_target[seen], folds.n_nontarget[seen])
    lowest, highest = float(llr[seen].min()), float(llr[seen].max())
    return min(max(lowest, low), 0.0) / LN10, max(min(highest, high), 0.0) / LN10


def laplace_llr(n_target: IntArray, n_nontarget: IntArray) -> FloatArray:
    """PAV under Laplace's rule, as `cross_fitting.Learn`; a bin without trials has the LLR of that below."""
    there = n_target + n_nontarget > 0
    if not (n_target.any() and n_nontarget.any()):
        return np.zeros(len(n_target))
    counts = ScoreCounts(np.flatnonzero(there).astype(np.float64), n_target[there], n_nontarget[there])
    llr = laplace(pav(counts)).llr_by_score
    return np.asarray(llr[np.maximum(np.cumsum(there) - 1, 0)])
