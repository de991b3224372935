"""Identification: at which rank the true speaker is found among all enrolled ones (CMC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import CodeArray, FloatArray, IntArray

LARGEST_TABLE = 1 << 26


@dataclass(frozen=True, eq=False)
class Ranks:
    """For each test segment that was compared with every enrolled speaker: who came before the true one.

    Attributes
    ----------
    `speakers`
        The names of the speakers.
    `n_enrolled`
        Out of how many speakers ranks are.
    `tests`
        The names of the t test segments; empty where segments were only ranked, not named.
    `speaker`
        The true speaker of each, (t,), a code into `speakers`.
    `n_higher`, `n_tied`
        How many enrolled speakers have a higher score than the true one, and how many others the same; (t,).
    `n_left_out`
        How many test segments were not compared with all, or their speaker is not enrolled or not known.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, rank_true_speakers
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> ranks = rank_true_speakers(SpeakerTrials.of_trials(trials))
    >>> dict(zip(ranks.tests, ranks.expected_rank.tolist()))  # for ben-1 ann comes first
    {'ben-1': 2.0, 'cem-1': 1.0, 'ann-1': 1.0}
    >>> ranks.cmc().round(2), ranks.chance().round(2)
    (array([0.67, 1.  , 1.  ]), array([0.33, 0.67, 1.  ]))
    """

    speakers: tuple[str, ...]
    n_enrolled: int
    tests: tuple[str, ...]
    speaker: CodeArray
    n_higher: IntArray
    n_tied: IntArray
    n_left_out: int

    @property
    def expected_rank(self) -> FloatArray:
        """The rank of the true speaker, 1 … n_enrolled, the mean over all orders of those who tie."""
        return 1.0 + self.n_higher + self.n_tied / 2.0

    def hit_rate(self, k: int) -> float:
        """The share of test segments whose true speaker is among the first k; ties are drawn by lot."""
        return float(np.clip((k - self.n_higher) / (self.n_tied + 1.0), 0.0, 1.0).mean())

    def cmc(self) -> FloatArray:
        """The cumulative match characteristic: the hit rate in the first 1, 2 … n_enrolled; ends at 1."""
        return np.array([self.hit_rate(k) for k in range(1, self.n_enrolled + 1)])

    def chance(self) -> FloatArray:
        """The hit rates of guessing."""
        return np.arange(1, self.n_enrolled + 1) / self.n_enrolled

    def mean_ranks(self) -> dict[str, float]:
        """The mean rank of every speaker of whom a segment was ranked."""
        count = np.bincount(self.speaker, minlength=len(self.speakers))
        total = np.bincount(self.speaker, self.expected_rank, len(self.speakers))
        return {self.speakers[k]: float(total[k] / count[k]) for k in np.flatnonzero(count)}


def ranks_of_counts(counts: SpeakerCounts) -> Ranks | None:
    """Ranks from an engine; None where somebody is enrolled more than once, or no recording was ranked.

    It knows only the best score of each speaker.
    """
    if counts.ranked is None or not counts.ranked.is_single:
        return None
    every, ranked = counts.ranked, counts.ranked.complete
    if not len(ranked.speaker):
        return None
    speaker, left_out = ranked.speaker.astype(np.int32), every.n_tests - len(ranked.speaker)
    return Ranks(counts.speakers, ranked.n_enrolled, (), speaker, ranked.n_higher, ranked.n_tied, left_out)


def rank_true_speakers(trials: SpeakerTrials) -> Ranks | None:
    """Rank the enrolled speakers for each test segment by their score, the highest first.

    A speaker with several enrolled segments has the mean of their scores.

    Parameters
    ----------
    `trials`
        They say who speaks (`SpeakerTrials.of_trials`).

    Returns
    -------
    Ranks or None
        None where no test segment was compared with all enrolled speakers: a rank among some of them would
        mean nothing. None, too, where a table of all segments and enrolled speakers would have more than
        LARGEST_TABLE cells.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, rank_true_speakers
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> ranks = rank_true_speakers(SpeakerTrials.of_trials(trials))
    >>> [round(ranks.hit_rate(k), 2) for k in (1, 2, 3)]
    [0.67, 1.0, 1.0]
    """
    trials = trials.both_orders()
    enrolled = np.unique(trials.enrolled)
    column = np.full(len(trials.speakers), NOBODY_KNOWN)
    column[enrolled] = np.arange(len(enrolled))
    shape = len(trials.test.names), len(enrolled)
    if shape[0] * shape[1] > LARGEST_TABLE:
        return None
    cell = trials.test.codes.astype(np.intp) * len(enrolled) + column[trials.enrolled]
    count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(cell, trials.score, shape[0] * shape[1]).reshape(shape)

    own = np.where(trials.speaker_of_test == NOBODY_KNOWN, NOBODY_KNOWN, column[trials.speaker_of_test])
    ranked = np.flatnonzero((count > 0).all(axis=1) & (own != NOBODY_KNOWN))
    if not len(ranked):
        return None
    score = total[ranked] / count[ranked]
    true = score[np.arange(len(ranked)), own[ranked]][:, np.newaxis]
    return Ranks(
        trials.speakers,
        len(enrolled),
        tuple(trials.test.names[int(code)] for code in ranked),
        trials.speaker_of_test[ranked],
        np.count_nonzero(score > true, axis=1),
        np.count_nonzero(score == true, axis=1) - 1,
        len(np.unique(trials.test.codes)) - len(ranked),
    )
