"""Trials that people judged: what each listener said of each, and on which canvas it was placed.

What draws of speakers, listeners and canvases need: a draw of listeners makes other means, so the scores of
the trials are not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_trials import CellCountBuilder, SpeakerCounts
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, Trials


@dataclass(frozen=True, eq=False)
class HeardTrials:
    """Trials, n of them, between `speakers`, who ascend by name; `first` and `second` (n,) are their codes.

    `said` (n, listeners) holds NaN where one did not judge a trial; the score is the mean over the rest.
    Of a recogniser it has one column, and nobody is among the `listeners`. `canvas` (n,) names the set in
    which a pair was placed; `canvases` are those that there are, ascending, none where nothing was placed.
    """

    speakers: tuple[str, ...]
    first: IntArray
    second: IntArray
    is_target: BoolArray
    said: FloatArray
    listeners: tuple[str, ...]
    canvas: IntArray
    canvases: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.is_target)

    @property
    def score(self) -> FloatArray:
        """The mean over the listeners of each trial."""
        return np.asarray(np.nanmean(self.said, axis=1))

    def counts(self) -> SpeakerCounts:
        """How many trials of each pair of speakers got each mean. Raises InputError for an empty class."""
        score, place = np.unique(self.score, return_inverse=True)
        cells = np.stack([self.first, self.second, self.is_target, place])
        cell, times = np.unique(cells, axis=1, return_counts=True)
        building = CellCountBuilder(score, cell.shape[1])
        building.add(cell[0], cell[1], cell[2], score[cell[3]], times)
        return building.made(self.speakers, 0, score, 0.0)

    def aligned(self, like: HeardTrials) -> HeardTrials:
        """These trials as they are. Raises InputError where `like` has other trials by speakers or canvas."""
        are_alike = bool(self.listeners) == bool(like.listeners)
        if (
            not are_alike
            or self.speakers != like.speakers
            or not np.array_equal(_of_whom(self), _of_whom(like))
        ):
            raise InputError("difference-other-trials", count=len(self), first_count=len(like))
        return self


Resamplable = Trials | SpeakerCounts | HeardTrials
"""What speakers are drawn of."""


def with_the_same_listeners(those: Sequence[HeardTrials]) -> list[HeardTrials]:
    """Trials with a column for each listener of any of them, in one order; NaN where one judged nothing."""
    codes = tuple(sorted({code for one in those for code in one.listeners}))
    return [_with_listeners(one, codes) for one in those] if codes else [*those]


def _with_listeners(one: HeardTrials, codes: tuple[str, ...]) -> HeardTrials:
    said = np.full((len(one), len(codes)), np.nan)
    said[:, [codes.index(code) for code in one.listeners]] = one.said
    return replace(one, said=said, listeners=codes)


def _of_whom(one: HeardTrials) -> IntArray:
    sides = np.stack([one.first, one.second, one.is_target, one.canvas])
    return np.asarray(sides[:, np.lexsort(sides)])
