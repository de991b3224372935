"""Who stands out from the others: step-down tests of the highest mean, by exchange of whole test segments.

Ref: Westfall and Young 1993, "Resampling-based multiple testing" (step-down tests of the highest statistic);
Romano and Wolf 2005 (a test of everybody who remains); Phipson and Smyth 2010 (a p-value that is never 0).
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.chance.permutation import exchanged_often, n_as_far, p_value
from zebra_core.metrics.oracle import Oracle
from zebra_core.speakers.exposure import FEWEST_SPEAKERS, normal_scores
from zebra_core.speakers.recordings import Units, additive_effects, less_enrolment

FEWEST_SEGMENTS = 3
"""Of fewer test segments nobody can tell a speaker from a recording: such a speaker never stands out."""

LEVEL = 0.05
"""How often somebody may be called to stand out in a set of speakers who are alike."""

_AT_ONCE = 1 << 20  # values that are held at once
_ROUNDING = 1e-12  # of values that are all alike, what is left of them is no spread


def standing_out(
    trials: SpeakerTrials, oracle: Oracle, bits: Units, replicates: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Step-down p-values of each speaker, (speakers,) each: in scores, and in what their trials disclose.

    `bits` are those of `exposure.target_bits`: by a map that is the same whoever is called by whose name, so
    that exchanges of segments are exact.

    Whoever is at or below `LEVEL` in both stands out. In scores a speaker must be recognised better than the
    others are; in bits, under the calibration of all trials, better than the mean of the others and than the
    mean of all. The scores alone would call private speakers who differ a little from other private ones.
    """
    n = len(trials.speakers)
    count = np.maximum(1, np.bincount(bits.speaker, minlength=n))
    means = np.bincount(bits.speaker, bits.value, n) / count
    centre = float(means[np.unique(bits.speaker)].mean())
    order = np.argsort(trials.score)  # what is looked up in order is found near what was found before
    normal = np.empty(len(trials.score))
    normal[order] = normal_scores(oracle.counts)[np.searchsorted(oracle.counts.score, trials.score[order])]
    in_scores = step_down(own_scores(trials, normal), n, replicates, rng)
    return in_scores, step_down(bits, n, replicates, rng, centre=centre)


def own_scores(trials: SpeakerTrials, score: FloatArray) -> Units:
    """How far the target scores of each test segment lie above what its enrolments and itself do to others.

    `score`, (n,), are those of the trials on a scale on which effects add, see `normal_scores`: effect of the
    enrolment + effect of the segment is fitted to nontarget trials by least squares; what is left of target
    trials is averaged over the enrolments of a segment. Where scores pass all others ranks hardly tell what
    an enrolment does, so its effect is taken out by its slope in target trials. Whatever was compared with
    nobody else has no effect that could be known, and is left out.
    """
    both = trials.both_orders()
    value = np.tile(score, 2) if trials.mutual else score
    enrol, test = both.enrol.codes, both.test.codes
    shape = len(both.enrol.names), len(both.test.names)
    at = np.flatnonzero(~both.is_target)
    of_enrol, of_test = additive_effects(value[at], enrol[at], test[at], shape)
    met = np.bincount(enrol[at], minlength=shape[0])[enrol] > 0
    met &= np.bincount(test[at], minlength=shape[1])[test] > 0
    own = trials.own()
    own = own[met[own] & (both.heard[own] != NOBODY_KNOWN)]
    left, count, _ = less_enrolment(
        value[own] - of_test[test[own]],
        of_enrol[enrol[own]],
        test[own],
        both.heard[own],
        (shape[1], len(both.speakers)),
    )
    has = np.flatnonzero(count)
    has = has[np.argsort(both.speaker_of_test[has], kind="stable")]
    return Units(left[has] / count[has], count[has], both.speaker_of_test[has].astype(np.int64))


def step_down(
    units: Units,
    n_speakers: int,
    replicates: int,
    rng: np.random.Generator,
    *,
    centre: float = -np.inf,
) -> FloatArray:
    """The p-value of each speaker, (n_speakers,), of being as the others are: 1 for whom it is not tested.

    The highest mean in standard errors is held against the highest of exchanges of whole segments among all
    speakers there are; who stands out is taken away with their segments, and the others are tested alike,
    until nobody does. Among speakers who are alike somebody is at or below `LEVEL` as often as that says,
    whoever else stands out. Means are also held against `centre`, which stays as speakers are taken away.
    `units` are in the order of speakers.
    """
    found, left, before = np.ones(n_speakers), np.ones(n_speakers, dtype=np.bool_), 0.0
    while True:
        chosen = left[units.speaker]
        value, count_of = units.value[chosen], np.bincount(units.speaker[chosen], minlength=n_speakers)
        people = np.flatnonzero(count_of)
        count = count_of[people]
        if len(people) < FEWEST_SPEAKERS or len(value) == len(people):
            return found
        observed = in_standard_errors(value[np.newaxis], count, centre)[0]
        first, step = int(np.argmax(observed)), max(1, _AT_ONCE // len(value))
        highest = [
            in_standard_errors(exchanged_often(value, min(step, replicates - done), rng), count).max(axis=1)
            for done in range(0, replicates, step)
        ]
        far = n_as_far(float(observed[first]), np.concatenate(highest))
        before = max(before, p_value(far, replicates))
        found[people[first]] = before
        if before > LEVEL:
            return found
        left[people[first]] = False


def in_standard_errors(value: FloatArray, count: IntArray, centre: float = -np.inf) -> FloatArray:
    """How far the mean of each speaker lies above that of everybody else, by its standard error, (R, s).

    `value` (R, u) is in the order of speakers, `count` (s,) of each, two or more speakers. (mᵢ − m)·√(nᵢN/(N
    − nᵢ))/σ with σ² the variance within speakers: one recording counts like one of twenty, and somebody far
    from all does not hide another. Where `centre` is above the mean of all values it takes its place.
    """
    n, middle = int(count.sum()), value.mean(axis=1, keepdims=True)
    off = value - middle
    total = np.add.reduceat(off, np.concatenate([[0], np.cumsum(count)[:-1]]), axis=1)
    mean = total / count
    within = np.maximum(0.0, (off * off).sum(axis=1) - (total * mean).sum(axis=1)) / max(1, n - len(count))
    scale = np.sqrt(within + (_ROUNDING * np.abs(off).max(axis=1)) ** 2)[:, np.newaxis]
    above = (mean - np.maximum(0.0, centre - middle)) * np.sqrt(count * n / (n - count))
    return np.asarray(np.divide(above, scale, out=np.zeros_like(above), where=scale > 0.0))
