"""LLRs by what other speakers taught: no trial is judged by a map that its own speaker had a part in.

On the trials that it was learnt on the best map is too good, the more so the fewer they are, and for every
speaker alike.
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.metrics.calibration import laplace, pav
from zebra_core.metrics.chance.partitioning import into_folds
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.oracle import Oracle

FOLDS = 10


def target_llrs(trials: SpeakerTrials, oracle: Oracle) -> FloatArray:
    """The natural LLR of every target trial from trials in which nobody of its fold of speakers takes part.

    Shape (n_target,), in the order of the trials; under Laplace's rule, finite. `oracle` is that of these
    trials; where nothing is left to learn from, it judges.
    """
    at = np.flatnonzero(trials.is_target)
    llr = oracle.llr(trials.score[at])
    n_speakers = len(trials.speakers)
    n_folds = min(FOLDS, n_speakers)
    fold = into_folds(n_speakers, n_folds, generator(0, Purpose.FOLDS))
    of_enrol = fold[trials.enrolled]
    of_heard = np.where(trials.heard == NOBODY_KNOWN, -1, fold[trials.heard])
    place = np.searchsorted(oracle.counts.score, trials.score)
    for number in range(n_folds):
        judged = np.flatnonzero(of_enrol[at] == number)
        here = np.flatnonzero((of_enrol == number) | (of_heard == number))
        left = _without(oracle.counts, place[here], trials.is_target[here])
        if left is not None and len(judged):
            llr[judged] = _learnt(left, trials.score[at[judged]])
    return llr


def llrs_by_fold(counts: SpeakerCounts, oracle: Oracle) -> tuple[IntArray, FloatArray]:
    """The fold of each speaker, (s,), and the LLR of each score by what everybody outside a fold taught.

    The second is of shape (folds, b), for target trials of the speakers of a fold; −1 is the fold of whom
    nobody knows. The same as `target_llrs`, where speakers are in the same order.
    """
    known = np.flatnonzero(counts.is_known)
    n_folds = min(FOLDS, len(known))
    fold = np.full(len(counts.speakers), -1)
    fold[known] = into_folds(len(known), n_folds, generator(0, Purpose.FOLDS))
    of_enrolled, of_heard = fold[counts.enrolled], fold[counts.heard]
    llr = np.tile(oracle.llr(counts.score), (n_folds, 1))
    for number in range(n_folds):
        others = (of_enrolled != number) & (of_heard != number)
        left = _occurring(counts.weighed(others.astype(np.int64)))
        if left is not None:
            llr[number] = _learnt(left, counts.score)
    return fold, llr


def _learnt(counts: ScoreCounts, score: FloatArray) -> FloatArray:
    """The LLRs of scores by what these counts teach under Laplace's rule."""
    learnt = laplace(pav(counts))
    borders = counts.score[learnt.first[1:-1]]
    return np.asarray(learnt.llr[np.searchsorted(borders, score, side="right")])


def _without(counts: ScoreCounts, place: IntArray, is_target: BoolArray) -> ScoreCounts | None:
    """The counts less these trials; None where a class would be empty."""
    target = counts.n_target - np.bincount(place[is_target], minlength=len(counts.score))
    nontarget = counts.n_nontarget - np.bincount(place[~is_target], minlength=len(counts.score))
    return _occurring(ScoreCounts(counts.score, target, nontarget))


def _occurring(counts: ScoreCounts) -> ScoreCounts | None:
    """The scores that occur; None where a class is empty."""
    target, nontarget = counts.n_target, counts.n_nontarget
    if not target.any() or not nontarget.any():
        return None
    left = np.flatnonzero(target + nontarget)
    return ScoreCounts(counts.score[left], target[left], nontarget[left])
