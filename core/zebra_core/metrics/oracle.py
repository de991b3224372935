"""The oracle calibration of one set of trials, kept so that its speakers can be looked at one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.speaker_trials import SpeakerCounts, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.ece import PavBlocks, laplace, pav
from zebra_core.metrics.error_rates import cllr_bits
from zebra_core.metrics.zebra import d_ece_bits, worst_case_ceiling_log10_lr, worst_case_log10_lr


@dataclass(frozen=True, eq=False)
class Oracle:
    """What PAV learnt from a set of trials, without and with Laplace's rule; maps scores to LLRs.

    The plain blocks are for D_ECE and minimum costs and may hold infinite LLRs; under Laplace's rule all
    LLRs are finite: these are for worst cases, means and similarities.
    """

    counts: ScoreCounts
    plain: PavBlocks
    laplace: PavBlocks

    @classmethod
    def of(cls, score: FloatArray, is_target: BoolArray) -> Oracle:
        """Learn from finite scores of shape (n,) in any order; both classes must be present. O(n log n)."""
        return cls.of_counts(ScoreCounts.of(score, is_target))

    @classmethod
    def of_counts(cls, counts: ScoreCounts) -> Oracle:
        """Learn from counts of trials by distinct score; both classes must be present."""
        plain = pav(counts)
        return cls(counts, plain, laplace(plain))

    @classmethod
    def of_speakers(cls, trials: SpeakerTrials | SpeakerCounts) -> Oracle:
        """Learn from trials between speakers, or from their counts."""
        if isinstance(trials, SpeakerCounts):
            return cls.of_counts(trials.counted.counts)
        return cls.of(trials.score, trials.is_target)

    def block_of(self, score: FloatArray, blocks: PavBlocks) -> IntArray:
        """The block into which each of the calibrated scores fell, in input order, shape (n,)."""
        # Blocks are few even where scores are millions: their borders stay in the cache.
        borders = self.counts.score[blocks.first[1:-1]]
        return np.asarray(np.searchsorted(borders, score, side="right"))

    def llr(self, score: FloatArray) -> FloatArray:
        """The natural-log LLR under Laplace's rule for each of the calibrated scores; finite."""
        return self.laplace.llr[self.block_of(score, self.laplace)]

    @property
    def d_ece_bits(self) -> float:
        """Population disclosure of all the trials, in bits."""
        return d_ece_bits(self.plain.llr, self.plain.target_share, self.plain.nontarget_share)

    @property
    def min_cllr_bits(self) -> float:
        """Cllr after oracle calibration, in bits."""
        return cllr_bits(self.plain.llr, self.plain.target_share, self.plain.nontarget_share)

    @property
    def worst_case_log10_lr(self) -> float:
        """The largest |LLR| under Laplace's rule, base 10."""
        return worst_case_log10_lr(self.laplace)

    @property
    def ceiling_log10_lr(self) -> float:
        """The largest worst case that so many trials can show, base 10."""
        return worst_case_ceiling_log10_lr(self.counts.total_target, self.counts.total_nontarget)
