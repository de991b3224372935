"""The biometric menagerie: every speaker by how they fare against self and against others.

Sources: Yager and Dunstone 2010, "The biometric menagerie" (doves, worms, chameleons, phantoms); Doddington
et al. 1998 (sheep, goats, lambs, wolves); csl2022, section 4.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials, TrialSide
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.metrics.chance.multiple_testing import holm
from zebra_core.metrics.chance.permutation import exchanged, n_as_far, p_value
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.oracle import Oracle
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.exposure import RecordingSums, p_of_spread
from zebra_core.wording.texts import listed, say, written

Quarter = Callable[[FloatArray], BoolArray]
"""Who of all speakers is in a certain quarter of their means."""


class ZooScale(Enum):
    """What is averaged for each speaker: oracle LLRs under Laplace's rule (natural log), or raw scores."""

    LLR = "llr"
    SCORE = "score"


class Animal(Enum):
    """The corners of the zoo plot, by quarters of the speakers (Yager and Dunstone 2010)."""

    DOVE = "dove"  # own scores in the highest quarter, others' in the lowest: recognised, taken for nobody
    CHAMELEON = "chameleon"  # both in the highest quarter: alike to all
    PHANTOM = "phantom"  # both in the lowest quarter: alike to nobody, not even to self
    WORM = "worm"  # own in the lowest quarter, others' in the highest


class Character(Enum):
    """Doddington's animals. A speaker may be several of the first three; sheep are those who are none.

    Doddington named no borders for LLRs; here the quarter of the speakers that goes farthest has the name.
    """

    GOAT = "goat"  # mean target value in the lowest quarter: hard to recognise
    LAMB = "lamb"  # mean nontarget value when enrolled in the highest quarter: easy to be taken for
    WOLF = "wolf"  # mean nontarget value when heard in the highest quarter: easily taken for others
    SHEEP = "sheep"


@dataclass(frozen=True, eq=False)
class Zoo:
    """Means and spreads of every speaker who has both target and nontarget trials.

    Arrays have shape (s,), in the order of `speakers`. Values are natural-log LLRs or raw scores. Nontarget
    values are those of all trials that the speaker takes part in. Standard deviations are those of the trials
    themselves (divided by their number).

    Attributes
    ----------
    `speakers`
        Their names.
    `scale`
        Whether values are LLRs or raw scores.
    `target_mean`, `nontarget_mean`
        The means of the values of each class.
    `target_sd`, `nontarget_sd`
        Their standard deviations.
    `lamb_mean`, `wolf_mean`
        The mean nontarget value only when enrolled, and only when heard; NaN where there are no such trials.
    `n_target`, `n_nontarget`
        How many trials of each class there are.
    `left_out`
        The names of the other speakers.
    `of_counts`
        Whether single recordings are not known.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SpeakerTrials, Trials, zoo_of
    >>> enrol, test = np.divmod(np.arange(64), 8)  # 8 speakers, each against each
    >>> is_target = enrol == test
    >>> score = np.random.default_rng(0).normal(size=64) + 3.0 * is_target * (enrol != 5)
    >>> trials = Trials.from_arrays(score=score, is_target=is_target, enrol=enrol, test=test)
    >>> zoo = zoo_of(SpeakerTrials.of_trials(trials))
    >>> lowest = int(zoo.target_mean.argmin())
    >>> zoo.speakers[lowest]  # hard to recognise
    '5'
    >>> sorted(each.value for each in zoo.characters[lowest])
    ['goat', 'lamb']
    """

    speakers: tuple[str, ...]
    scale: ZooScale
    target_mean: FloatArray
    nontarget_mean: FloatArray
    target_sd: FloatArray
    nontarget_sd: FloatArray
    lamb_mean: FloatArray
    wolf_mean: FloatArray
    n_target: IntArray
    n_nontarget: IntArray
    left_out: tuple[str, ...]
    of_counts: bool = False

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the plot."""
        facts: dict[str, object] = {"count": len(self.left_out), "names": listed(self.left_out)}
        remarks = (Remark("zoo-left-out", facts),) if self.left_out else ()
        return (*remarks, Remark("zoo-of-counts")) if self.of_counts else remarks

    @cached_property
    def target_quartiles(self) -> tuple[float, float]:
        """The borders of the lowest and the highest quarter of the target means."""
        return _quartiles(self.target_mean)

    @cached_property
    def nontarget_quartiles(self) -> tuple[float, float]:
        """The borders of the lowest and the highest quarter of the nontarget means."""
        return _quartiles(self.nontarget_mean)

    @cached_property
    def animals(self) -> tuple[Animal | None, ...]:
        """The animal of every speaker; None for most, who are in no corner."""
        corners = {
            animal: own(self.target_mean) & others(self.nontarget_mean)
            for animal, (own, others) in CORNERS.items()
        }
        return tuple(
            next((animal for animal, members in corners.items() if members[k]), None)
            for k in range(len(self.speakers))
        )

    @cached_property
    def characters(self) -> tuple[frozenset[Character], ...]:
        """Doddington's animals of every speaker; see `Character`."""
        members = {
            Character.GOAT: lowest_quarter(self.target_mean),
            Character.LAMB: highest_quarter(self.lamb_mean),
            Character.WOLF: highest_quarter(self.wolf_mean),
        }
        return tuple(
            frozenset(character for character, who in members.items() if who[k])
            or frozenset({Character.SHEEP})
            for k in range(len(self.speakers))
        )

    def ellipse(self, speaker: str, points: int = 73) -> tuple[FloatArray, FloatArray]:
        """The outline of the spread of a speaker's values: one standard deviation to each side.

        x is the target, y the nontarget axis; closed, shape (points,). Raises KeyError.
        """
        if speaker not in self.speakers:
            raise KeyError(speaker)
        k = self.speakers.index(speaker)
        angle = np.linspace(0.0, 2.0 * np.pi, points)
        x = self.target_mean[k] + self.target_sd[k] * np.cos(angle)
        y = self.nontarget_mean[k] + self.nontarget_sd[k] * np.sin(angle)
        return x, y


def zoo_of(
    trials: SpeakerTrials | SpeakerCounts, oracle: Oracle | None = None, scale: ZooScale = ZooScale.LLR
) -> Zoo:
    """Place every speaker by their mean target and mean nontarget value; O(n).

    Parameters
    ----------
    `trials`
        They say who speaks (`SpeakerTrials.of_trials`), or are counts for each pair of speakers.
    `oracle`
        The calibration that makes LLRs; by default that of these trials.
    `scale`
        Whether values are LLRs or raw scores.

    Returns
    -------
    Zoo
        Means and spreads of those who have trials of both classes.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, zoo_of
    >>> from zebra_core.speakers.zoo import ZooScale
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> zoo = zoo_of(SpeakerTrials.of_trials(trials), scale=ZooScale.SCORE)
    >>> dict(zip(zoo.speakers, zip(zoo.target_mean.tolist(), zoo.nontarget_mean.tolist())))
    {'ann': (3.0, 0.75), 'cem': (4.0, 0.0), 'ben': (1.0, 0.75)}
    """
    values = zoo_values(trials, oracle, scale)
    n_target, target_mean, target_sd = _moments(trials, values, TrialSide.EITHER, of_target=True)
    n_nontarget, nontarget_mean, nontarget_sd = _moments(trials, values, TrialSide.EITHER, of_target=False)
    _, lamb_mean, _ = _moments(trials, values, TrialSide.ENROLLED, of_target=False)
    _, wolf_mean, _ = _moments(trials, values, TrialSide.HEARD, of_target=False)
    has = (n_target > 0) & (n_nontarget > 0)
    known = trials.is_known if isinstance(trials, SpeakerCounts) else np.ones_like(has)
    return Zoo(
        tuple(name for name, kept in zip(trials.speakers, has, strict=True) if kept),
        scale,
        target_mean[has],
        nontarget_mean[has],
        target_sd[has],
        nontarget_sd[has],
        lamb_mean[has],
        wolf_mean[has],
        n_target[has],
        n_nontarget[has],
        tuple(name for name, left in zip(trials.speakers, known & ~has, strict=True) if left),
        isinstance(trials, SpeakerCounts),
    )


def zoo_values(trials: SpeakerTrials | SpeakerCounts, oracle: Oracle | None, scale: ZooScale) -> FloatArray:
    """What the zoo averages: the value of every trial, shape (n,), or of every score that was counted."""
    if scale is ZooScale.SCORE:
        return trials.score
    return (oracle or Oracle.of_speakers(trials)).llr(trials.score)


def _moments(
    trials: SpeakerTrials | SpeakerCounts, values: FloatArray, side: TrialSide, *, of_target: bool
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Number, mean and standard deviation of each speaker's values; NaN where there are none."""
    centre, sums = _of_class(trials, values, side, of_target=of_target)
    off = values - centre  # squares of what is far from 0 would cancel
    count, total, squares = (sums(part) for part in (None, off, off * off))
    mean, square = np.full(len(count), np.nan), np.full(len(count), np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    np.divide(squares, count, out=square, where=count > 0)
    return count.astype(np.int64), centre + mean, np.sqrt(np.maximum(square - mean * mean, 0.0))


def _of_class(
    trials: SpeakerTrials | SpeakerCounts, values: FloatArray, side: TrialSide, *, of_target: bool
) -> tuple[float, Callable[[FloatArray | None], FloatArray]]:
    """The mean value of a class, 0 without trials, and what sums values of its trials speaker by speaker."""
    if isinstance(trials, SpeakerCounts):
        counts = trials.counted.counts
        of_class = counts.n_target if of_target else counts.n_nontarget
        centre = float(of_class @ values) / max(1, int(of_class.sum()))
        return centre, lambda part: trials.sums_by_speaker(side, of_target=of_target, value=part)
    chosen = trials.is_target == of_target
    centre = float(values[chosen].mean()) if chosen.any() else 0.0
    return centre, lambda part: trials.sums_by_speaker(chosen, side, part)[:, 0]


def _quartiles(means: FloatArray) -> tuple[float, float]:
    """Lower and upper quartile, equal to NumPy's, which take ten times as long over so few numbers."""
    known = np.sort(means[~np.isnan(means)])
    if not len(known):
        return np.nan, np.nan
    return _between(known, 0.25), _between(known, 0.75)


def _between(ordered: FloatArray, share: float) -> float:
    """The value of a place between two of them: from the nearer one, as NumPy's quantile rounds."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    low, high, part = float(ordered[below]), float(ordered[math.ceil(place)]), place - below
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1.0 - part)


def lowest_quarter(means: FloatArray) -> BoolArray:
    """Who is on or below the lower border; nobody where the borders coincide."""
    return quarters(means)[lowest_quarter]


def highest_quarter(means: FloatArray) -> BoolArray:
    """Who is on or above the upper border; nobody where the borders coincide."""
    return quarters(means)[highest_quarter]


def quarters(means: FloatArray) -> dict[Quarter, BoolArray]:
    """Who is in the lowest and who in the highest quarter, by these functions; the borders are found once."""
    low, high = _quartiles(means)
    return {
        lowest_quarter: np.asarray((means <= low) & (low < high)),
        highest_quarter: np.asarray((means >= high) & (low < high)),
    }


CORNERS: dict[Animal, tuple[Quarter, Quarter]] = {
    Animal.DOVE: (highest_quarter, lowest_quarter),
    Animal.CHAMELEON: (highest_quarter, highest_quarter),
    Animal.PHANTOM: (lowest_quarter, lowest_quarter),
    Animal.WORM: (lowest_quarter, highest_quarter),
}
"""In which quarter of the target and of the nontarget means each animal is."""


# Whether the animals of a zoo are more than chance: how large their groups are, how speakers differ.
#
# Test segments, or enrolments, are dealt out among the speakers as wholes. What an enrolment does to all its
# trials stays with its speaker; so where everybody is enrolled once, enrolment and speaker cannot be told
# apart, and nothing is said of lambs. Doddington et al. 1998 ask whether speakers differ by analysis of
# variance over trials, which takes recordings that differ for speakers who do.


CHANCE_BELOW = 0.05
"""A corrected probability below which a group is larger, or speakers differ, by more than chance."""

REPLICATES = 499


@dataclass(frozen=True)
class GroupSize:
    """Whether an animal group is larger than recordings that differ make it.

    `expected` is the mean size and `raw_p_value` the share of exchanges of whole test segments (with the
    observed ones among them) which give a group of at least this size; `p_value` is corrected for all tests
    of the zoo by Holm. Where speakers cannot be told from their recordings, `can_be_told` is False and
    both are 1; `of_counts` says that recordings are not known.
    """

    animal: Animal
    count: int
    expected: float
    p_value: float
    raw_p_value: float
    n_speakers: int
    can_be_told: bool = True
    of_counts: bool = False

    @property
    def is_more_than_chance(self) -> bool:
        """Whether the group is larger than chance makes it."""
        return self.p_value < CHANCE_BELOW

    def __str__(self) -> str:
        outcome = "more" if self.is_more_than_chance else "chance" if self.can_be_told else "open"
        if self.of_counts:
            outcome = "counted"
        return say(
            f"zoo.{self.animal.value}-{outcome}",
            count=self.count,
            speakers=self.n_speakers,
            expected=written(self.expected, ".1f"),
            p=_p_in_words(self.p_value),
        )


@dataclass(frozen=True)
class SpeakerDifference:
    """Whether speakers differ from each other by more than their recordings, which makes an animal real.

    `raw_p_value` is the share of exchanges of whole test segments (goats, wolves) or enrolments (lambs)
    under which the means of the speakers differ at least as much, `p_value` the same corrected for all tests
    of the zoo by Holm. Both are 1 where there is nothing to exchange: `can_be_told` is False.
    """

    character: Character
    p_value: float
    raw_p_value: float
    replicates: int
    seed: int
    can_be_told: bool = True

    @property
    def is_more_than_chance(self) -> bool:
        """Whether speakers differ by more than chance."""
        return self.p_value < CHANCE_BELOW

    def __str__(self) -> str:
        outcome = "differ" if self.is_more_than_chance else "chance" if self.can_be_told else "open"
        p = _p_in_words(self.p_value)
        return say(f"zoo.{self.character.value}-{outcome}", p=p, replicates=self.replicates)


@dataclass(frozen=True)
class ZooTests:
    """All tests of one zoo: of speakers who are alike they say something false in one of twenty."""

    sizes: tuple[GroupSize, ...]
    differences: tuple[SpeakerDifference, ...]


def zoo_tests(
    trials: SpeakerTrials,
    oracle: Oracle | None = None,
    scale: ZooScale = ZooScale.LLR,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    zoo: Zoo | None = None,
    on_progress: Progress = no_progress,
) -> ZooTests:
    """Test goats, lambs, wolves and the corners of the trials’ `zoo`. O(n + replicates · segments)."""
    oracle = oracle or Oracle.of(trials.score, trials.is_target)
    zoo = zoo or zoo_of(trials, oracle, scale)
    rng = generator(seed, Purpose.ANIMALS)
    # Scores, on whatever scale the zoo is: LLRs are cut off where classes part, and effects no longer add.
    scores = RecordingSums.of(trials, trials.score)
    units = {Character.GOAT: scores.own, Character.LAMB: scores.as_enrolled, Character.WOLF: scores.as_heard}
    differences = []
    for number, (character, each) in enumerate(units.items()):
        on_progress(0.2 * number)
        p = p_of_spread(each, replicates, rng)
        differences.append(SpeakerDifference(character, p, p, replicates, seed, each.can_be_told))
    found = scores if scale is ZooScale.SCORE else RecordingSums.of(trials, zoo_values(trials, oracle, scale))
    code = {name: number for number, name in enumerate(trials.speakers)}
    has = np.array([code[name] for name in zoo.speakers], dtype=np.int64)
    sizes = _group_sizes(
        zoo, found, has, None if trials.mutual else rng, replicates, part_of(on_progress, 0.6, 1.0)
    )
    on_progress(1.0)
    return _corrected(sizes, differences)


def tests_of_counts(zoo: Zoo) -> ZooTests:
    """The sizes of the corners, and no test: of counts nobody can tell recordings apart."""
    n = len(zoo.speakers)
    sizes = [
        GroupSize(animal, zoo.animals.count(animal), math.nan, 1.0, 1.0, n, can_be_told=False, of_counts=True)
        for animal in (CORNERS if n else ())
    ]
    return ZooTests(tuple(sizes), ())


def _corrected(sizes: list[GroupSize], differences: list[SpeakerDifference]) -> ZooTests:
    """The tests with the p-values of those that can be told corrected together."""
    raw: dict[Animal | Character, float] = {
        **{one.animal: one.raw_p_value for one in sizes if one.can_be_told},
        **{one.character: one.raw_p_value for one in differences if one.can_be_told},
    }
    p = dict(zip(raw, holm(list(raw.values())), strict=True))
    return ZooTests(
        tuple(replace(one, p_value=p.get(one.animal, 1.0)) for one in sizes),
        tuple(replace(one, p_value=p.get(one.character, 1.0)) for one in differences),
    )


def _group_sizes(
    zoo: Zoo,
    found: RecordingSums,
    has: IntArray,
    rng: np.random.Generator | None,
    replicates: int,
    on_progress: Progress,
) -> list[GroupSize]:
    """The corners against exchanges of whole segments; nobody can tell without a generator."""
    n = len(zoo.speakers)
    counts = [zoo.animals.count(animal) for animal in CORNERS] if n else []
    if rng is None or not found.as_heard.can_be_told or not n:
        rows = zip(CORNERS, counts, strict=False)
        return [GroupSize(animal, count, float("nan"), 1.0, 1.0, n, False) for animal, count in rows]
    segments = np.flatnonzero(found.speaker_of_test != NOBODY_KNOWN)
    speaker = found.speaker_of_test[segments]

    def corners(dealt: IntArray) -> list[int]:
        own, others = (quarters(means[has]) for means in found.means(dealt, speaker))
        return [int(np.count_nonzero(own[a] & others[b])) for a, b in CORNERS.values()]

    observed, dealt = corners(segments), np.empty((replicates, len(CORNERS)))
    for replicate in range(replicates):
        on_progress(replicate / replicates)
        dealt[replicate] = corners(segments[exchanged(len(segments), rng)])
    p = [p_value(n_as_far(seen, by), replicates) for seen, by in zip(observed, dealt.T, strict=True)]
    return [
        GroupSize(animal, count, float(mean), each, each, n)
        for animal, count, mean, each in zip(CORNERS, counts, dealt.mean(axis=0), p, strict=True)
    ]


def _p_in_words(p_value: float) -> str:
    return f"= {written(p_value, '.3f')}" if p_value >= 0.001 else f"< {written(0.001, 'g')}"
