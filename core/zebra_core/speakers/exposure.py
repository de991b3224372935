"""How exposed each speaker is: what new recordings of theirs would disclose, with an interval.

Everybody is judged by the calibration of all trials, so also by what their own other recordings teach. A
mean over two or three trials scatters far more than speakers differ, so each speaker's mean score, on the
scale of `normal_scores`, is shrunk towards that of all as far as the scatter within speakers says (Gelman et
al. 2013, section 5.4; the spread between speakers is integrated over a flat prior), unless they stand out:
those are not like the others. New recordings scatter around that place as those of all speakers do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials, TrialSide
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, ScoreCounts
from zebra_core.metrics.chance.permutation import exchanged, n_as_far, p_value
from zebra_core.metrics.chance.seeds import Purpose, draw_often, generator
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, disclosed_area

FEWEST_SPEAKERS = 5
"""The fewest speakers of whom it can be said how much they differ."""

_WIDTH = 2.3 / 1.96
"""By how much intervals are wider than normal ones: without it they hold the truth too seldom, since scatter
and spread are estimates, too; with it in 94 to 99 % of simulations (installation.simulations, exposure)."""

_SPREADS = 200  # between speakers, that the posterior is summed over
_SCATTER = 200  # quantiles of the scatter of new recordings
_AT_ONCE = 1 << 20  # scores that are judged at once
_ROUNDING = 1e-9  # what a mean of equal scores may be off
_CALIBRATIONS = 40  # of speakers who are drawn again, by whose spread intervals are wider
_FEWEST_CALIBRATIONS = 10
_MOST_REFITTED = 20_000_000  # trials in all of them together


@dataclass(frozen=True, eq=False)
class Exposures:
    """For each speaker the mean of their trials in bits, (speakers,), and what new recordings would disclose.

    Both with what the nontarget trials of all disclose, so that they have the scale of population disclosure,
    and at most full disclosure. New recordings scatter by `scatter`, (k,), around a mean score: `shrunk` has
    those that are shrunk towards that of all, and their standard errors, `unshrunk` those that are not,
    (speakers,) each, all on the scale of `normal`, the `normal_scores` of each distinct score. NaN where a
    speaker has no target trial; None where nothing is known of the scatter within speakers, or of how much
    they differ. `stands_out`, (speakers,), says who stands out from the others.
    """

    mean: FloatArray
    mean_error: FloatArray  # by the scatter within speakers, of all of them together
    shrunk: tuple[FloatArray, FloatArray] | None
    unshrunk: tuple[FloatArray, FloatArray] | None
    scatter: FloatArray
    normal: FloatArray
    oracle: Oracle
    stands_out: BoolArray
    calibration_error: FloatArray  # of estimates, with speakers drawn again to calibrate; 0 where not known

    @property
    def estimate(self) -> FloatArray:
        """The bits that new recordings would disclose; the mean where nothing is known of the scatter."""
        return self.at(0.0) if self.shrunk else self.mean

    def at(self, deviate: float) -> FloatArray:
        """The bits if mean scores lay this normal deviate away from what they are: 1.96 for the upper end.

        Wider than normal by what was simulated; NaN where nothing is known. Of who stands out, whose scores
        may pass all others, the estimate lies halfway to the mean, which is too high, and the ends hold it.
        """
        moved = self._moved(self.shrunk, deviate)
        return np.where(self.stands_out, self._beyond(deviate, moved, self._mean(deviate)), moved)

    def outer(self, deviate: float) -> FloatArray:
        """The same or beyond: mean scores that are not shrunk lie farther away, and the mean may, too.

        The mean score of the highest of many speakers is shrunk too far where it is the highest by more than
        chance.
        """
        if not deviate:
            return self.at(deviate)
        unshrunk = self._moved(self.unshrunk, deviate)
        return self._beyond(deviate, self._beyond(deviate, self.at(deviate), unshrunk), self._mean(deviate))

    def recalibrated(self, deviate: float, end: FloatArray) -> FloatArray:
        """An `end` at this deviate, moved by what other people would make of the calibration, too.

        Both errors add up as squares. `at` and `outer` hold under the calibration of these people.
        """
        return recalibrated(deviate, self.at(0.0), end, self.calibration_error)

    @staticmethod
    def _beyond(deviate: float, one: FloatArray, other: FloatArray) -> FloatArray:
        """The higher of two for an upper end, the lower for a lower one; halfway in between."""
        if not deviate:
            return np.asarray((one + other) / 2.0)
        return np.maximum(one, other) if deviate > 0.0 else np.minimum(one, other)

    def _mean(self, deviate: float) -> FloatArray:
        """The mean so many of its standard errors away, no higher than the strongest evidence there is."""
        top = float(disclosed_area(self.oracle.laplace.llr[-1:])[0]) / LN2 + bits_of_nontargets(self.oracle)
        return np.minimum(
            self.mean + _WIDTH * deviate * self.mean_error, max(top, float(np.nanmax(self.mean)))
        )

    def _moved(self, place: tuple[FloatArray, FloatArray] | None, deviate: float) -> FloatArray:
        if place is None:
            return np.full_like(self.mean, np.nan)
        score, error = place
        return self.disclosed(score + _WIDTH * deviate * error, self.oracle)

    def disclosed(self, place: FloatArray, oracle: Oracle) -> FloatArray:
        """The mean bits of new target trials that scatter around each place, (speakers,), by a calibration.

        That of these trials, or of some of their scores.
        """
        blocks, scores = oracle.laplace, self.oracle.counts.score
        borders = self.normal[np.searchsorted(scores, oracle.counts.score[blocks.first[1:-1]])] - _ROUNDING
        bits, found = disclosed_area(blocks.llr) / LN2, np.empty(len(place))
        step = max(1, _AT_ONCE // len(self.scatter))
        for at in range(0, len(place), step):
            new = place[at : at + step, np.newaxis] + self.scatter
            found[at : at + step] = bits[np.searchsorted(borders, new, side="right")].mean(axis=1)
        found = np.minimum(found + bits_of_nontargets(oracle), FULL_DISCLOSURE_BITS)
        return np.where(np.isnan(place), np.nan, found)


def recalibrated(deviate: float, middle: FloatArray, end: FloatArray, error: FloatArray) -> FloatArray:
    """An `end` at this deviate from the `middle`, with the `error` of the calibration: squares add up."""
    moved = middle + np.sign(deviate) * np.hypot(end - middle, _WIDTH * deviate * error)
    return np.asarray(np.clip(moved, np.minimum(end, 0.0), FULL_DISCLOSURE_BITS))


def bits_of_nontargets(oracle: Oracle) -> float:
    """What the nontarget trials of all disclose, in bits: the other part of population disclosure."""
    in_nontarget = oracle.plain.n_nontarget > 0
    area = disclosed_area(-oracle.plain.llr[in_nontarget])
    return float(oracle.plain.nontarget_share[in_nontarget] @ area) / LN2


def target_bits(trials: SpeakerTrials, oracle: Oracle) -> tuple[Units, Units]:
    """What the target trials of every test segment disclose in bits; and without what enrolments do to all.

    Of natural LLRs λ under Laplace's rule a target trial discloses Z(λ)/ln 2, see `zebra.disclosed_area`.
    What an enrolment does to comparisons with others, too, is no exposure of its speaker: where speakers are
    told from chance it is left out.
    """
    at = trials.own()
    value = disclosed_area(oracle.llr(trials.score[at])) / LN2
    enrol, segment = trials.enrol.codes[at], trials.test.codes[at]
    of_others = _effects_of_enrolments(trials, oracle)[enrol]
    shape = (len(trials.test.names), len(trials.speakers))
    left, count, _ = less_enrolment(value, of_others, segment, trials.heard[at], shape)
    total = np.bincount(segment, value, len(count))
    has = np.flatnonzero(count)
    has = has[np.argsort(trials.speaker_of_test[has], kind="stable")]
    speaker = trials.speaker_of_test[has].astype(np.int64)
    n = count[has]
    return Units(total[has] / n, n, speaker), Units(left[has] / n, n, speaker)


def exposures(trials: SpeakerTrials, oracle: Oracle, stands_out: BoolArray) -> Exposures:
    """The exposure of everybody; who stands out, (speakers,), is not shrunk towards the others."""
    at = trials.own()
    segment, speaker = trials.test.codes[at], trials.heard[at].astype(np.int64)
    found = _exposures(trials.score[at], segment, speaker, len(trials.speakers), oracle, stands_out)
    if found.shrunk is None:
        return found
    place = found.shrunk[0]
    by_each = [found.disclosed(place, each) for each in _calibrations(trials, oracle.counts)]
    return replace(found, calibration_error=np.std(by_each, axis=0, ddof=1))


def _calibrations(trials: SpeakerTrials, counts: ScoreCounts) -> Iterator[Oracle]:
    """What is learnt where speakers are drawn again, with all trials between them; counts are of all trials.

    The same trials give the same.
    """
    n = len(trials.speakers)
    number = max(_FEWEST_CALIBRATIONS, min(_CALIBRATIONS, _MOST_REFITTED // len(trials)))
    # No block but the first begins with a score that no target trial has: those go with their neighbours.
    has_target = counts.n_target > 0
    begins = has_target | np.append(True, has_target[:-1])
    score = counts.score[begins]
    at = np.searchsorted(score, trials.score, side="right") - 1
    own, cross = (
        (at[of], trials.heard[of].astype(np.intp), trials.enrolled[of].astype(np.intp))
        for of in (trials.is_target, ~trials.is_target)
    )
    lots = draw_often(np.zeros(n, dtype=np.int64), generator(0, Purpose.CALIBRATIONS), number)
    for drawn in lots.astype(np.float64):
        times = np.append(drawn, 1.0)  # at the end, which is at NOBODY_KNOWN, who is never drawn
        n_target = np.bincount(own[0], times[own[1]], len(score)).astype(np.int64)
        n_nontarget = np.bincount(cross[0], times[cross[1]] * times[cross[2]], len(score)).astype(np.int64)
        there = n_target + n_nontarget > 0
        if n_target.any() and n_nontarget.any():
            yield Oracle.of_counts(ScoreCounts(score[there], n_target[there], n_nontarget[there]))


def exposures_of_counts(counts: SpeakerCounts, oracle: Oracle) -> tuple[Exposures, IntArray]:
    """Exposures from counted trials, and how many test segments in target trials each speaker has, (s,).

    Nobody can tell who stands out. Where test segments are not known there is the mean over target trials
    alone, and no segment.
    """
    n, targets = len(counts.speakers), counts.targets
    if targets is None:
        value = disclosed_area(oracle.llr(counts.score)) / LN2
        mean = quotients(
            counts.sums_by_speaker(TrialSide.ENROLLED, of_target=True, value=value),
            counts.sums_by_speaker(TrialSide.ENROLLED, of_target=True),
        )
        mean = np.minimum(mean + bits_of_nontargets(oracle), FULL_DISCLOSURE_BITS)
        nobody, none = np.zeros(n, np.bool_), np.zeros(n, np.int64)
        return Exposures(mean, 0.0 * mean, None, None, mean, mean, oracle, nobody, 0.0 * mean), none
    speaker = np.empty(int(targets.segment.max()) + 1, np.int64)
    speaker[targets.segment] = targets.speaker
    score, nobody = counts.score[targets.place], np.zeros(n, np.bool_)
    found = _exposures(score, targets.segment, targets.speaker, n, oracle, nobody)
    return found, np.bincount(speaker, minlength=n)


def _effects_of_enrolments(trials: SpeakerTrials, oracle: Oracle) -> FloatArray:
    """How many bits more trials of different speakers seem to disclose with each enrolment, shape (e,)."""
    at = np.flatnonzero(~trials.is_target)
    value = (disclosed_area(oracle.laplace.llr) / LN2)[oracle.block_of(trials.score[at], oracle.laplace)]
    shape = (len(trials.enrol.names), len(trials.test.names))
    return additive_effects(value, trials.enrol.codes[at], trials.test.codes[at], shape)[0]


def _exposures(
    score: FloatArray,
    segment: IntArray | CodeArray,
    speaker: IntArray,
    n_speakers: int,
    oracle: Oracle,
    stands_out: BoolArray,
) -> Exposures:
    """Exposures from target trials, (n,) each: the scores, and of which test segment and speaker they are."""
    value = disclosed_area(oracle.llr(score)) / LN2
    of_segment = quotients(np.bincount(segment, value), np.bincount(segment))
    whose = np.full(len(of_segment), -1)
    whose[segment] = speaker
    has = np.flatnonzero(whose >= 0)
    count = np.bincount(whose[has], minlength=n_speakers)
    mean = quotients(np.bincount(whose[has], of_segment[has], n_speakers), count)
    away = of_segment[has] - mean[whose[has]]
    mean = np.minimum(mean + bits_of_nontargets(oracle), FULL_DISCLOSURE_BITS)
    there, free = np.flatnonzero(count), len(has) - int(np.count_nonzero(count))
    if len(there) < FEWEST_SPEAKERS or free < 1:
        return Exposures(mean, 0.0 * mean, None, None, mean, mean, oracle, stands_out, 0.0 * mean)
    mean_error = np.sqrt(float(away @ away) / free / np.maximum(1, count))
    normal = normal_scores(oracle.counts)
    scaled = normal[np.searchsorted(oracle.counts.score, score)]
    own = quotients(np.bincount(segment, scaled), np.bincount(segment))[has]
    place = quotients(np.bincount(whose[has], own, n_speakers), count)
    off = own - place[whose[has]]
    error = np.sqrt(float(off @ off) / free / np.maximum(1, count))
    shrunk, doubt = place.copy(), error.copy()
    shrunk[there], doubt[there] = _posterior(place[there], error[there] ** 2)
    shrunk, doubt = np.where(stands_out, place, shrunk), np.where(stands_out, error, doubt)
    n = np.bincount(speaker, minlength=n_speakers)[speaker]
    scatter = (scaled - place[speaker]) * np.sqrt(n / np.maximum(1, n - 1))
    quantiles = (np.arange(_SCATTER) + 0.5) / _SCATTER
    quantile = np.quantile(scatter[n > 1], quantiles)
    both = (shrunk, doubt), (place, error)
    return Exposures(mean, mean_error, *both, quantile, normal, oracle, stands_out, 0.0 * mean)


def _posterior(mean: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Posterior mean and standard deviation of normal means with these variances, shape (s,) each."""
    if not variance.max() > 0.0:
        return mean, np.zeros_like(mean)
    spread = np.linspace(0.0, 5.0 * float(mean.std()), _SPREADS)[:, None]
    total = spread**2 + variance
    centre = (mean / total).sum(axis=1) / (1.0 / total).sum(axis=1)
    of_centre = 1.0 / (1.0 / total).sum(axis=1)
    log_weight = 0.5 * (
        np.log(of_centre) - (np.log(total) + (mean - centre[:, None]) ** 2 / total).sum(axis=1)
    )
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    kept = spread**2 / total
    each = centre[:, None] + kept * (mean - centre[:, None])
    within = kept * variance + (1.0 - kept) ** 2 * of_centre[:, None]
    found = weight @ each
    return found, np.sqrt(weight @ (within + (each - found) ** 2))


def normal_scores(counts: ScoreCounts) -> FloatArray:
    """The normal deviate of the rank of each distinct score, (m,), ascending; those that tie share a place.

    Target and nontarget trials weigh the same together, however many there are of each.
    """
    below = [
        (np.cumsum(of_class) - of_class / 2.0) / of_class.sum()
        for of_class in (counts.n_target, counts.n_nontarget)
    ]
    return np.asarray(scipy.special.ndtri((below[0] + below[1]) / 2.0))


# What recordings do to trials, so that speakers are not blamed for it: segments and enrolments as wholes.
#
# All trials of one recording share what is in it (noise, channel, length, what was said), so single trials
# must not be dealt out anew among the speakers: recordings that differ would be taken for speakers that
# differ. Whole test segments are, and whole enrolments. What an enrolment does to comparisons with everybody
# is left out of the target values of its speaker.


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
