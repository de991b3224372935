"""What recordings do to trials, so that speakers are not blamed for it: segments and enrolments as wholes.

All trials of one recording share what is in it (noise, channel, length, what was said), so single trials
must not be dealt out anew among the speakers: recordings that differ would be taken for speakers that
differ. Whole test segments are, and whole enrolments. What an enrolment does to comparisons with everybody is
left out of the target values of its speaker.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import CodeArray, FloatArray, IntArray
from zebra_core.metrics.chance.permutation import exchanged, n_as_far, p_value

Codes = IntArray | CodeArray

_ROUNDS = 50
_STEADY = 1e-9


@dataclass(frozen=True, eq=False)
class Units:
    """What is exchanged as a whole, shape (u,) each: a value, how many trials it is of, and whose it is."""

    value: FloatArray
    weight: IntArray
    speaker: IntArray

    @property
    def can_be_told(self) -> bool:
        """Whether speakers can be told from recordings: somebody has two, and there is somebody else."""
        count = np.bincount(self.speaker) if len(self.speaker) else np.zeros(1)
        return bool(np.count_nonzero(count) > 1 and count.max() > 1)


@dataclass(frozen=True, eq=False)
class RecordingSums:
    """Values of trials by recording: sums over test segments (t,), and what enrolments (e,) do to trials.

    Of a pair that stands for both orders a nontarget trial counts for both segments, a target trial for the
    one named second: it must be in one whole only.
    """

    n_speakers: int
    speaker_of_enrol: IntArray
    speaker_of_test: IntArray  # or NOBODY_KNOWN
    of_enrol: FloatArray  # additive effects on nontarget trials, each against those it was compared beside
    of_test: FloatArray
    n_of_enrol: IntArray
    n_of_test: IntArray
    target: FloatArray  # Σ of target values less what goes with the enrolment, (t,)
    n_target: IntArray
    own_enrolment: FloatArray  # what goes with the enrolments in a speaker's target trials, (s,)
    others: FloatArray  # Σ over a segment's nontarget trials of value − effect of the enrolment, (t,)
    enrolled: FloatArray  # Σ and number of the nontarget values of each speaker when enrolled, (s,)
    n_enrolled: IntArray
    met: FloatArray  # mean effect of the enrolments that a speaker's segments met in nontarget trials, (s,)

    @classmethod
    def of(cls, trials: SpeakerTrials, values: FloatArray) -> RecordingSums:
        """Take values of trials, shape (n,), apart. O(n)."""
        both = trials.both_orders()
        value = np.tile(values, 2) if trials.mutual else values
        known = both.heard != NOBODY_KNOWN
        at, own = np.flatnonzero(known & ~both.is_target), np.flatnonzero(known & both.is_target)
        own = own[own < len(trials)]
        enrol, test, heard = both.enrol.codes[at], both.test.codes[at], both.heard[at]
        e, t, s = len(both.enrol.names), len(both.test.names), len(both.speakers)
        effect, of_test = additive_effects(value[at], enrol, test, (e, t))
        _, of_enrol = additive_effects(value[at], test, enrol, (t, e))
        target, n_target, own_enrolment = less_enrolment(
            value[own], effect[both.enrol.codes[own]], both.test.codes[own], both.heard[own], (t, s)
        )
        return cls(
            s,
            both.speaker_of_enrol.astype(np.int64),
            both.speaker_of_test.astype(np.int64),
            of_enrol,
            of_test,
            np.bincount(enrol, minlength=e),
            np.bincount(test, minlength=t),
            target,
            n_target,
            own_enrolment,
            _sums(test, value[at] - effect[enrol], t),
            _sums(both.enrolled[at], value[at], s),
            np.bincount(both.enrolled[at], minlength=s),
            _sums(heard, effect[enrol], s) / np.maximum(1, np.bincount(heard, minlength=s)),
        )

    @property
    def own(self) -> Units:
        """Test segments by what is left of their target values: how well their speakers are recognised."""
        has = np.flatnonzero(self.n_target)
        return Units(self.target[has] / self.n_target[has], self.n_target[has], self.speaker_of_test[has])

    @property
    def as_enrolled(self) -> Units:
        """Enrolments by what they do to comparisons with others."""
        has = np.flatnonzero(self.n_of_enrol)
        return Units(self.of_enrol[has], self.n_of_enrol[has], self.speaker_of_enrol[has])

    @property
    def as_heard(self) -> Units:
        """Test segments by what they do to comparisons with others."""
        has = np.flatnonzero(self.n_of_test)
        return Units(self.of_test[has], self.n_of_test[has], self.speaker_of_test[has])

    def means(self, segments: IntArray, speaker: IntArray) -> tuple[FloatArray, FloatArray]:
        """Mean target and mean nontarget value of every speaker, shape (s,), if these segments were theirs.

        `speaker` has shape (segments,). What enrolments do stays with their speakers. NaN without trials.
        """
        own = quotients(
            self._sums(self.target, segments, speaker), self._sums(self.n_target, segments, speaker)
        )
        heard = self._sums(self.n_of_test, segments, speaker)
        others = self.enrolled + self._sums(self.others, segments, speaker) + heard * self.met
        return own + self.own_enrolment, quotients(others, self.n_enrolled + heard)

    def _sums(self, values: FloatArray | IntArray, segments: IntArray, speaker: IntArray) -> FloatArray:
        return _sums(speaker, values[segments], self.n_speakers)


def additive_effects(
    value: FloatArray, row: Codes, column: Codes, shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """Least squares of value = of its row + of its column, by turns, rows first: shapes (rows,), (columns,).

    `row` and `column` are numbers below `shape`. Effects of columns average to 0 in every part of the list
    that hangs together, so columns of parts that were never compared are measured each against its own part.
    Rows and columns without a value have 0.
    """
    n_rows, n_columns = shape
    in_row = np.maximum(1, np.bincount(row, minlength=n_rows))
    in_column = np.maximum(1, np.bincount(column, minlength=n_columns))
    of_row, of_column = np.zeros(n_rows), np.zeros(n_columns)
    steady = _STEADY * (float(np.ptp(value)) if len(value) else 0.0)
    for _ in range(_ROUNDS):
        of_row = _sums(row, value - of_column[column], n_rows) / in_row
        before, of_column = of_column, _sums(column, value - of_row[row], n_columns) / in_column
        if float(np.abs(of_column - before).max(initial=0.0)) <= steady:
            break
    return of_row, of_column


def less_enrolment(
    value: FloatArray, effect: FloatArray, test: Codes, speaker: Codes, shape: tuple[int, int]
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Σ and number of target values by segment without what goes with the enrolments, and that by speaker.

    `shape` is the number of segments and of speakers. What a step in the effect of an enrolment on nontarget
    values is worth in target values is the slope of the regression of the speakers' means, by trials.
    """
    n_segments, n_speakers = shape
    count = np.bincount(speaker, minlength=n_speakers)
    x, y = (_sums(speaker, each, n_speakers) / np.maximum(1, count) for each in (effect, value))
    slope = 0.0
    if len(value):
        x_off = x - np.average(x, weights=count)
        square = float(count @ (x_off * x_off))
        slope = float(count @ (x_off * (y - np.average(y, weights=count)))) / square if square > 0.0 else 0.0
    left = _sums(test, value - slope * effect, n_segments)
    return left, np.asarray(np.bincount(test, minlength=n_segments)), slope * x


def p_of_spread(units: Units, replicates: int, rng: np.random.Generator) -> float:
    """The share of exchanges of wholes that spread the means of the speakers at least as far.

    The spread is Σ weight · (mean of the speaker − mean of all)². A whole goes to another speaker with its
    weight; everybody keeps their number. 1 where speakers cannot be told from their recordings.
    """
    if not units.can_be_told:
        return 1.0
    weight = units.weight.astype(np.float64)
    off = units.value - float(np.average(units.value, weights=weight))

    def spread(weighted: FloatArray, weights: FloatArray) -> float:
        total, all_weights = np.bincount(units.speaker, weighted), np.bincount(units.speaker, weights)
        there = all_weights > 0.0
        return float((total[there] ** 2 / all_weights[there]).sum())

    weighted, dealt = off * weight, []
    for _ in range(replicates):
        order = exchanged(len(off), rng)
        dealt.append(spread(weighted[order], weight[order]))
    return p_value(n_as_far(spread(weighted, weight), dealt), replicates)


def _sums(group: Codes, values: FloatArray | IntArray, n: int) -> FloatArray:
    """Σ of the values in each of n groups."""
    return np.asarray(np.bincount(group, values, n), dtype=np.float64)


def quotients(total: FloatArray | IntArray, count: FloatArray | IntArray) -> FloatArray:
    """Totals by count, NaN where there is nothing."""
    found = np.full(len(total), np.nan)
    np.divide(total, count, out=found, where=count > 0)
    return found
