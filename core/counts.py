"""Distinct scores with their counts: the one sort that every figure of an assessment shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.trials import BoolArray, FloatArray, IntArray, Trials


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """How many target and nontarget trials got each distinct score.

    All three have shape (m,); `score` ascends strictly, so tied trials share one place. Nothing that is
    computed from counts can depend on the order of the trials or on how a sort treats ties.
    """

    score: FloatArray
    n_target: IntArray
    n_nontarget: IntArray

    @classmethod
    def of(cls, score: FloatArray, is_target: BoolArray) -> ScoreCounts:
        """Count finite scores of shape (n,), n > 0, in any order; O(n log n)."""
        order = np.argsort(score)
        ascending = score[order]
        starts = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
        n_target = np.add.reduceat(is_target[order], starts, dtype=np.int64)
        n_trials = np.diff(starts, append=len(score))
        return cls(ascending[starts], n_target, n_trials - n_target)

    @classmethod
    def of_trials(cls, trials: Trials) -> ScoreCounts:
        """Count the scores of these trials."""
        return cls.of(trials.score, trials.is_target)

    @property
    def total_target(self) -> int:
        """The number of target trials."""
        return int(self.n_target.sum())

    @property
    def total_nontarget(self) -> int:
        """The number of nontarget trials."""
        return int(self.n_nontarget.sum())

    @property
    def target_share(self) -> FloatArray:
        """The share of all target trials at each score, shape (m,); sums to 1."""
        return self.n_target / self.total_target

    @property
    def nontarget_share(self) -> FloatArray:
        """The share of all nontarget trials at each score, shape (m,); sums to 1."""
        return self.n_nontarget / self.total_nontarget
