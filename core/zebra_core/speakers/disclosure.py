"""Disclosure speaker by speaker: who is exposed by own target trials, and who is taken for others.

What csl2022 leaves for the future (section 8), with what so few trials can bear: estimates that are drawn
towards the mean of all, intervals, and whether speakers differ by more than chance.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials, TrialSide
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.metrics.chance.permutation import exchanged, exchanged_often, n_as_far, p_value
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.metrics.zebra import LN10
from zebra_core.speakers.exposure import (
    FEWEST_SPEAKERS,
    Exposures,
    Units,
    additive_effects,
    bits_of_nontargets,
    exposures,
    exposures_of_counts,
    less_enrolment,
    normal_scores,
    p_of_spread,
    target_bits,
)
from zebra_core.wording.texts import listed, say, visible, written

REPLICATES = 499
CHANCE_BELOW = 0.05
_DEVIATE = 1.96  # to each side, of intervals at 95 %


@dataclass(frozen=True)
class SpeakerDisclosure:
    """What the trials of one speaker disclose, under the calibration of all trials.

    `d_ece_bits` takes the own target trials together with the nontarget trials of all, so that it has the
    scale of population disclosure; `estimate_bits` is what new recordings of this speaker would disclose, and
    `low_bits` and `high_bits` are the ends of its 95 % interval, NaN where nobody can say, as of fewer than
    three test segments; see `exposure`.
    `worst_case_log10_lr` is the strongest evidence for the same speaker in an own target trial under the
    calibration of all, never beyond `ceiling_log10_lr`, what so many own trials can show; 0 where none
    speaks for it. `taken_log10_lr` is the same in nontarget trials: being taken for somebody else.
    """

    speaker: str
    n_target: int
    n_nontarget: int
    n_segments: int  # test segments in own target trials
    d_ece_bits: float  # below 0 where the calibration misleads the attacker about this speaker
    estimate_bits: float
    low_bits: float
    high_bits: float
    worst_case_log10_lr: float
    tag: str
    ceiling_log10_lr: float
    taken_log10_lr: float
    quantile: float  # share of the other speakers with a lower estimate, those alike counted half; 0 … 1
    p_value: float = 1.0  # of being as the others are, see `standing_out`; 1 where nobody can tell

    @property
    def stands_out(self) -> bool:
        """Whether the speaker may be called to stand out from the others."""
        return self.p_value <= LEVEL

    @property
    def has_interval(self) -> bool:
        """Whether anything is known of how far the estimate may be off."""
        return not math.isnan(self.low_bits)


@dataclass(frozen=True)
class ExposureChance:
    """Whether speakers differ in exposure by more than recordings that are dealt out by chance.

    Of exchanges of whole test segments (with the observed one among them) `p_value` is the larger one of two
    shares: of those in which the best recognised speaker stands out as far in scores, and of those in which
    speakers are spread as far in bits; either without what enrolments do to all comparisons. Where somebody
    stands out it is the p-value of that, if that is smaller: one in forty spreads all of them little. Half of
    the exchanges show a highest mean above `highest_bits`. Where nobody can tell speakers from recordings
    `can_be_told` is False and the p-value 1; `of_counts` says that recordings are not known, only counts.
    """

    p_value: float
    highest_bits: float
    observed_bits: float  # the highest mean there is
    replicates: int
    seed: int
    can_be_told: bool = True
    of_counts: bool = False

    @property
    def is_more_than_chance(self) -> bool:
        """Whether speakers differ by more than chance."""
        return self.p_value < CHANCE_BELOW

    def __str__(self) -> str:
        if self.of_counts:
            return say("speakers.chance-of-counts")
        outcome = "differ" if self.is_more_than_chance else "alike" if self.can_be_told else "open"
        p = f"= {written(self.p_value, '.3f')}" if self.p_value >= 0.001 else f"< {written(0.001, 'g')}"
        by_chance, observed = written(self.highest_bits, ".2f"), written(self.observed_bits, ".2f")
        return say(f"speakers.chance-{outcome}", p=p, by_chance=by_chance, observed=observed)


@dataclass(frozen=True, eq=False)
class SpeakerDisclosures:
    """What each speaker discloses, and whether speakers differ by more than chance.

    Attributes
    ----------
    `speakers`
        All who have both target and nontarget trials, the most exposed (highest estimate) first.
    `left_out`
        The names of the others.
    `ceiling_log10_lr`
        That of all trials together: no worst case is above it.
    `tag_scale`
        The scale of the tags.
    `chance`
        Whether speakers differ by more than recordings that are dealt out by chance.
    `exposures`
        Of all speakers, also of those who are left out.
    `codes`
        Where in `exposures` each of the speakers is, (s,).

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SpeakerTrials, Trials, speaker_disclosures
    >>> enrol, test = np.divmod(np.arange(9 * 72), 72)  # 9 speakers with 8 segments each
    >>> is_target = enrol == test // 8
    >>> score = np.random.default_rng(0).normal(size=648)
    >>> score += is_target * np.where(enrol == 5, 4.0, 1.0)  # 5 is easily recognised
    >>> segments = [f"{n // 8}-{n}" for n in range(72)]
    >>> trials = Trials.from_arrays(
    ...     score=score, is_target=is_target, enrol=enrol, test=segments * 9
    ... )
    >>> found = speaker_disclosures(SpeakerTrials.of_trials(trials))
    >>> found.most_exposed.speaker, round(found.most_exposed.estimate_bits, 2)
    ('5', 0.44)
    >>> [row.speaker for row in found.standing_out]
    ['5']
    """

    speakers: tuple[SpeakerDisclosure, ...]
    left_out: tuple[str, ...]
    ceiling_log10_lr: float
    tag_scale: TagScale
    chance: ExposureChance
    exposures: Exposures
    codes: IntArray

    def __len__(self) -> int:
        return len(self.speakers)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures."""
        facts: dict[str, object] = {"count": len(self.left_out), "names": listed(self.left_out)}
        return (Remark("speakers-without-disclosure", facts),) if self.left_out else ()

    @property
    def most_exposed(self) -> SpeakerDisclosure:
        """The speaker with the highest estimate."""
        return self.speakers[0]

    @property
    def standing_out(self) -> tuple[SpeakerDisclosure, ...]:
        """The speakers who stand out from the others, the most exposed first; see `standing_out`."""
        return tuple(row for row in self.speakers if row.stands_out)

    @property
    def verdict(self) -> str:
        """Whether speakers differ by more than chance, and who may then be called more exposed."""
        if not self.chance.is_more_than_chance:
            return str(self.chance)
        names = [say("name.speaker", name=visible(row.speaker)) for row in self.standing_out]
        code = "speakers.most-exposed" if names else "speakers.most-exposed-nobody"
        return f"{self.chance} {say(code, names=listed(names))}"

    def of(self, speaker: str) -> SpeakerDisclosure:
        """The figures of one speaker. Raises KeyError."""
        for found in self.speakers:
            if found.speaker == speaker:
                return found
        raise KeyError(speaker)

    def keeping(self, tag: str = "C") -> tuple[SpeakerDisclosure, ...]:
        """The speakers with this tag or a worse one, the most exposed first."""
        letters = [each.letter for each in self.tag_scale.tags]
        worse = letters[letters.index(tag) :]
        return tuple(found for found in self.speakers if found.tag in worse)

    def sentence(self, safeguard: str, tag: str = "C") -> str:
        """How many of the speakers keep this tag or a worse one under a safeguard."""
        kept = len(self.keeping(tag))
        code = "speakers.keep-tag" if kept else "speakers.keep-tag-nobody"
        everybody = len(self) + len(self.left_out)
        of = say(
            "speakers.some" if self.left_out else "speakers.all", speakers=len(self), everybody=everybody
        )
        return say(code, count=kept, of=of, tag=self.tag_scale.shown(tag), safeguard=safeguard)


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """Speakers paired before and under a safeguard, in the order of `after`; and those in one only."""

    pairs: tuple[tuple[SpeakerDisclosure, SpeakerDisclosure], ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


def speaker_disclosures(
    trials: SpeakerTrials,
    oracle: Oracle | None = None,
    *,
    tag_scale: TagScale = PAPER_SCALE,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> SpeakerDisclosures:
    """Exposure, worst case, tag and being taken for others of every speaker.

    O(n log n + replicates · segments).

    Parameters
    ----------
    `trials`
        They say who speaks (`SpeakerTrials.of_trials`).
    `oracle`
        The calibration; by default that of these trials.
    `tag_scale`
        By default the one of the ZEBRA paper.
    `replicates`
        How many exchanges of test segments show what chance does.
    `seed`
        From which these are drawn.

    Returns
    -------
    SpeakerDisclosures
        The most exposed speaker first.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SpeakerTrials, Trials, speaker_disclosures
    >>> enrol, test = np.divmod(np.arange(6 * 24), 24)  # 6 speakers with 4 segments each
    >>> is_target = enrol == test // 4
    >>> score = np.random.default_rng(0).normal(size=144) + 2.0 * is_target
    >>> segments = [f"{n // 4}-{n}" for n in range(24)]
    >>> trials = Trials.from_arrays(
    ...     score=score, is_target=is_target, enrol=enrol, test=segments * 6
    ... )
    >>> found = speaker_disclosures(SpeakerTrials.of_trials(trials))
    >>> [(row.speaker, round(row.estimate_bits, 2)) for row in found.speakers][:3]
    [('3', 0.48), ('5', 0.47), ('0', 0.45)]
    >>> found.chance.is_more_than_chance, found.chance.p_value
    (False, 0.412)
    """
    oracle = oracle or Oracle.of_speakers(trials)
    everybody = len(trials.speakers)
    units, apart = target_bits(trials, oracle)
    segments = np.bincount(units.speaker, minlength=everybody)
    rng = generator(seed, Purpose.STANDING_OUT)
    in_scores, in_bits = standing_out(trials, oracle, units, replicates, rng)
    p_value = np.where(segments < FEWEST_SEGMENTS, 1.0, np.maximum(in_scores, in_bits))
    n_target, n_nontarget = (
        trials.sums_by_speaker(chosen, TrialSide.EITHER)[:, 0].astype(np.int64)
        for chosen in (trials.is_target, ~trials.is_target)
    )
    known = _SpeakerMeans(
        trials.speakers,
        n_target,
        n_nontarget,
        segments,
        exposures(trials, oracle, p_value <= LEVEL),
        _strongest(trials, oracle, trials.is_target),
        _strongest(trials, oracle, ~trials.is_target),
    )
    rows, codes, left_out = _listed(known, tag_scale, p_value)
    chance = _chance(units, apart, float(in_scores.min()), bits_of_nontargets(oracle), replicates, seed)
    best = [row.p_value for row in rows if row.stands_out]
    chance = replace(chance, p_value=min(chance.p_value, *best)) if best else chance
    return SpeakerDisclosures(
        rows, left_out, oracle.ceiling_log10_lr, tag_scale, chance, known.exposures, codes
    )


def disclosures_of_counts(
    counts: SpeakerCounts, oracle: Oracle | None = None, *, tag_scale: TagScale = PAPER_SCALE
) -> SpeakerDisclosures:
    """Disclosure of every speaker from counted trials; nobody can tell whether they differ beyond chance.

    Where test segments are not known, estimates are means over target trials.
    """
    oracle = oracle or Oracle.of_speakers(counts)
    n_target, n_nontarget = (
        counts.sums_by_speaker(TrialSide.EITHER, of_target=of_target).astype(np.int64)
        for of_target in (True, False)
    )
    exposures, segments = exposures_of_counts(counts, oracle)
    worst, taken = (
        _of_highest(counts.highest_by_speaker(of_target=of_target), counts, oracle)
        for of_target in (True, False)
    )
    known = _SpeakerMeans(counts.speakers, n_target, n_nontarget, segments, exposures, worst, taken)
    rows, codes, left_out = _listed(known, tag_scale)
    nobody = {name for name, is_known in zip(counts.speakers, counts.is_known, strict=True) if not is_known}
    named = tuple(name for name in left_out if name not in nobody)
    highest = float(np.nanmax(exposures.mean))
    chance = ExposureChance(1.0, math.nan, highest, 0, 0, can_be_told=False, of_counts=True)
    return SpeakerDisclosures(rows, named, oracle.ceiling_log10_lr, tag_scale, chance, exposures, codes)


@dataclass(frozen=True, eq=False)
class _SpeakerMeans:
    """What is known of each speaker, shape (s,) each."""

    speakers: tuple[str, ...]
    n_target: IntArray
    n_nontarget: IntArray
    segments: IntArray
    exposures: Exposures
    worst: FloatArray
    taken: FloatArray


def _listed(
    known: _SpeakerMeans, tag_scale: TagScale, p_value: FloatArray | None = None
) -> tuple[tuple[SpeakerDisclosure, ...], IntArray, tuple[str, ...]]:
    """Who has trials of both classes, the most exposed first, with their codes, and the others."""
    n_target, n_nontarget, found = known.n_target, known.n_nontarget, known.exposures
    has = np.flatnonzero((n_target > 0) & (n_nontarget > 0))
    of_end = found.outer if p_value is None else found.at
    few = known.segments < FEWEST_SEGMENTS
    low, high = (np.where(few, np.nan, of_end(end)) for end in (-_DEVIATE, _DEVIATE))
    mean, estimate, low, high = (values[has] for values in (found.mean, found.estimate, low, high))
    ceiling = np.log10((n_target[has] + 1.0) * n_nontarget[has] / n_target[has])
    worst, taken = np.minimum(known.worst[has], ceiling), known.taken[has]
    # Another processor may compute another last digit: who is alike but for that is alike.
    alike = np.round([estimate, mean], 12)
    ascending = np.sort(alike[0])  # those who are alike share the mean of their ranks
    rank = np.mean([np.searchsorted(ascending, alike[0], side) for side in ("left", "right")], axis=0) - 0.5
    quantile = np.where(np.isnan(alike[0]), np.nan, rank) / max(1, len(has) - 1)
    names = [known.speakers[int(code)] for code in has]
    rows = [
        SpeakerDisclosure(
            names[k],
            int(n_target[code]),
            int(n_nontarget[code]),
            int(known.segments[code]),
            float(mean[k]),
            float(estimate[k]),
            float(low[k]),
            float(high[k]),
            float(worst[k]),
            tag_scale.tag_of(float(worst[k])).letter,
            float(ceiling[k]),
            float(taken[k]),
            float(quantile[k]),
            1.0 if p_value is None else float(p_value[code]),
        )
        for k, code in enumerate(has)
    ]
    order = sorted(range(len(rows)), key=lambda k: (-alike[0, k], -alike[1, k], names[k]))
    left_out = tuple(sorted(set(known.speakers) - set(names)))
    return tuple(rows[k] for k in order), has[order], left_out


def before_and_after(before: SpeakerDisclosures, after: SpeakerDisclosures) -> BeforeAfter:
    """Pair the speakers of two conditions by name."""
    first = {found.speaker: found for found in before.speakers}
    second = {found.speaker: found for found in after.speakers}
    return BeforeAfter(
        tuple((first[name], found) for name, found in second.items() if name in first),
        _missing(first, second),
        _missing(second, first),
    )


def _missing(names: Iterable[str], others: Container[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def _strongest(trials: SpeakerTrials, oracle: Oracle, chosen: BoolArray) -> FloatArray:
    """The strongest evidence for the same speaker in each speaker's chosen trials, base 10; at least 0.

    Under Laplace's rule and the calibration of all; shape (speakers,).
    """
    llr = oracle.laplace.llr
    block = oracle.block_of(trials.score, oracle.laplace)
    occurs = trials.sums_by_speaker(chosen, TrialSide.EITHER, None, block, len(llr)) > 0.0
    return np.asarray(np.where(occurs, np.maximum(llr, 0.0), 0.0).max(axis=1) / LN10)


def _of_highest(place: IntArray, counts: SpeakerCounts, oracle: Oracle) -> FloatArray:
    """The strongest evidence of each speaker by the place of the highest score; 0 for −1, without trials.

    Base 10, shape (speakers,). LLRs ascend with scores, so that the highest score has the largest.
    """
    found = oracle.llr(counts.score[place])
    return np.asarray(np.where(place >= 0, np.maximum(found, 0.0), 0.0) / LN10)


def _chance(
    units: Units, apart: Units, in_scores: float, of_all: float, replicates: int, seed: int
) -> ExposureChance:
    """Deal out whole segments among the speakers, everybody as many as before."""
    count = np.maximum(1, np.bincount(units.speaker))
    named = np.unique(units.speaker)
    observed = of_all + float((np.bincount(units.speaker, units.value) / count)[named].max())
    if not units.can_be_told or len(named) < FEWEST_SPEAKERS:
        return ExposureChance(1.0, math.nan, observed, 0, seed, can_be_told=False)
    rng = generator(seed, Purpose.EXPOSURE)
    dealt = [units.value[exchanged(len(units.value), rng)] for _ in range(replicates)]
    means = np.array([np.bincount(units.speaker, values) / count for values in dealt])
    by_chance = of_all + float(np.median(means[:, named].max(axis=1)))
    p = max(in_scores, p_of_spread(apart, replicates, rng))
    return ExposureChance(p, by_chance, observed, replicates, seed)


# Who stands out from the others: step-down tests of the highest mean, by exchange of whole test segments.
#
# Ref: Westfall and Young 1993, "Resampling-based multiple testing" (step-down tests of the highest
# statistic); Romano and Wolf 2005 (a test of everybody who remains); Phipson and Smyth 2010 (a p-value that
# is never 0).


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
