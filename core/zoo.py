"""The biometric menagerie: every speaker by how he or she fares against self and against others.

Sources: Yager and Dunstone 2010, "The biometric menagerie" (doves, worms, chameleons, phantoms); Doddington
et al. 1998 (sheep, goats, lambs, wolves); csl2022, section 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from scipy.stats import hypergeom

from core.listing import listed
from core.oracle import Oracle
from core.remarks import Remark
from core.speaker_trials import Side, SpeakerTrials
from core.texts import say
from core.trials import BoolArray, FloatArray, IntArray

CHANCE_BELOW = 0.05
"""A probability below which a group is said to be larger, or a difference greater, than chance makes it."""


class ZooScale(Enum):
    """What is averaged for each speaker."""

    LLR = "llr"  # oracle LLRs under Laplace's rule, natural log
    SCORE = "score"  # raw scores


class Animal(Enum):
    """The corners of the zoo plot, by quarters of the speakers (Yager and Dunstone 2010)."""

    DOVE = "dove"  # own scores in the highest quarter, others' in the lowest: recognised, taken for nobody
    CHAMELEON = "chameleon"  # both in the highest quarter: alike to all
    PHANTOM = "phantom"  # both in the lowest quarter: alike to nobody, not even to self
    WORM = "worm"  # own in the lowest quarter, others' in the highest


class Character(Enum):
    """Doddington's animals. A speaker may be several of the last three; sheep are those who are none.

    His rules name no borders for LLRs; here the quarter of the speakers that goes farthest has the name.
    """

    GOAT = "goat"  # mean target value in the lowest quarter: hard to recognise
    LAMB = "lamb"  # mean nontarget value when enrolled in the highest quarter: easy to be taken for
    WOLF = "wolf"  # mean nontarget value when heard in the highest quarter: easily taken for others
    SHEEP = "sheep"


@dataclass(frozen=True)
class GroupSize:
    """Whether an animal group is larger than chance: if own and others' scores had nothing to do with it.

    `p_value` is the share of all ways to pair own with others' means at random (every permutation) which
    give a group of at least this size.
    """

    animal: Animal
    count: int
    expected: float
    p_value: float
    n_speakers: int

    def __str__(self) -> str:
        larger = self.p_value < CHANCE_BELOW
        return say(
            f"zoo.{self.animal.value}-{'more' if larger else 'chance'}",
            count=self.count,
            speakers=self.n_speakers,
            expected=f"{self.expected:.1f}",
            p=_p_in_words(self.p_value),
        )


@dataclass(frozen=True)
class Difference:
    """Whether speakers differ from each other by more than chance, which makes goats, lambs or wolves real.

    `p_value` is the share of random distributions of the same values over the trials (with the observed
    one among them) under which the means of the speakers differ at least as much.
    """

    character: Character
    p_value: float
    replicates: int
    seed: int

    def __str__(self) -> str:
        differ = self.p_value < CHANCE_BELOW
        code = f"zoo.{self.character.value}-{'differ' if differ else 'chance'}"
        return say(code, p=_p_in_words(self.p_value), replicates=self.replicates)


@dataclass(frozen=True, eq=False)
class Zoo:
    """Means and spreads of every speaker who has both target and nontarget trials, shape (s,) each.

    Values are natural-log LLRs or raw scores, as `scale` says. Nontarget values are those of all trials
    that the speaker takes part in; `lamb_mean` only when enrolled, `wolf_mean` only when heard (NaN where
    there are none). Standard deviations are those of the trials themselves (divided by their number).
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

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the plot."""
        facts: dict[str, object] = {"count": len(self.left_out), "names": listed(self.left_out)}
        return (Remark("zoo-left-out", facts),) if self.left_out else ()

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
        target, nontarget = self.target_mean, self.nontarget_mean
        corners = {
            Animal.DOVE: _high(target) & _low(nontarget),
            Animal.CHAMELEON: _high(target) & _high(nontarget),
            Animal.PHANTOM: _low(target) & _low(nontarget),
            Animal.WORM: _low(target) & _high(nontarget),
        }
        return tuple(
            next((animal for animal, members in corners.items() if members[k]), None)
            for k in range(len(self.speakers))
        )

    @cached_property
    def characters(self) -> tuple[frozenset[Character], ...]:
        """Doddington's animals of every speaker; see `Character`."""
        members = {
            Character.GOAT: _low(self.target_mean),
            Character.LAMB: _high(self.lamb_mean),
            Character.WOLF: _high(self.wolf_mean),
        }
        return tuple(
            frozenset(character for character, who in members.items() if who[k])
            or frozenset({Character.SHEEP})
            for k in range(len(self.speakers))
        )

    def group_sizes(self) -> tuple[GroupSize, ...]:
        """Each corner's size against chance. Over all permutations it is hypergeometric: nothing is drawn."""
        n = len(self.speakers)
        if not n:
            return ()
        sizes = []
        for animal, (own, others) in _CORNERS.items():
            n_own, n_others = int(own(self.target_mean).sum()), int(others(self.nontarget_mean).sum())
            count = self.animals.count(animal)
            p_value = float(hypergeom.sf(count - 1, n, n_own, n_others))
            sizes.append(GroupSize(animal, count, n_own * n_others / n, p_value, n))
        return tuple(sizes)

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


def zoo_of(trials: SpeakerTrials, oracle: Oracle | None = None, scale: ZooScale = ZooScale.LLR) -> Zoo:
    """Place every speaker by his or her mean target and mean nontarget value. O(n)."""
    values = _values(trials, oracle, scale)
    n_target, target_mean, target_sd = _moments(trials, values, trials.is_target, Side.EITHER)
    n_nontarget, nontarget_mean, nontarget_sd = _moments(trials, values, ~trials.is_target, Side.EITHER)
    _, lamb_mean, _ = _moments(trials, values, ~trials.is_target, Side.ENROLLED)
    _, wolf_mean, _ = _moments(trials, values, ~trials.is_target, Side.HEARD)
    has = (n_target > 0) & (n_nontarget > 0)
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
        tuple(name for name, kept in zip(trials.speakers, has, strict=True) if not kept),
    )


def speaker_differences(
    trials: SpeakerTrials,
    oracle: Oracle | None = None,
    scale: ZooScale = ZooScale.LLR,
    *,
    replicates: int = 199,
    seed: int = 0,
) -> tuple[Difference, ...]:
    """Permutation tests for goats, lambs and wolves: O(replicates · n), to be run on demand.

    The values of the target (or nontarget) trials are dealt out anew over the same trials; the statistic is
    the spread between the speakers' means, Σ n·mean². Trials that share segments are not independent, so
    small probabilities are somewhat too small. Doddington et al. 1998 ask the same by analysis of variance.
    """
    values = _values(trials, oracle, scale)
    tests = {
        Character.GOAT: (trials.is_target, Side.EITHER),
        Character.LAMB: (~trials.is_target, Side.ENROLLED),
        Character.WOLF: (~trials.is_target, Side.HEARD),
    }
    rng = np.random.default_rng(seed)
    found = []
    for character, (chosen, side) in tests.items():
        observed = _spread(trials, values, chosen, side)
        dealt = values.copy()
        as_wide = 0
        for _ in range(replicates):
            dealt[chosen] = rng.permutation(values[chosen])
            # The same cards in the same hands may sum to a little less by rounding alone.
            as_wide += _spread(trials, dealt, chosen, side) >= observed * (1.0 - 1e-12)
        found.append(Difference(character, (1 + as_wide) / (1 + replicates), replicates, seed))
    return tuple(found)


def _values(trials: SpeakerTrials, oracle: Oracle | None, scale: ZooScale) -> FloatArray:
    if scale is ZooScale.SCORE:
        return trials.score
    return (oracle or Oracle.of(trials.score, trials.is_target)).llr(trials.score)


def _moments(
    trials: SpeakerTrials, values: FloatArray, chosen: BoolArray, side: Side
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Number, mean and standard deviation of each speaker's values; NaN where there are none."""
    centre = float(values[chosen].mean()) if chosen.any() else 0.0
    off = values - centre  # squares of what is far from 0 would cancel
    count, total, squares = (
        trials.sums_by_speaker(chosen, side, part)[:, 0] for part in (None, off, off * off)
    )
    mean, square = np.full(len(count), np.nan), np.full(len(count), np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    np.divide(squares, count, out=square, where=count > 0)
    return count.astype(np.int64), centre + mean, np.sqrt(np.maximum(square - mean * mean, 0.0))


def _spread(trials: SpeakerTrials, values: FloatArray, chosen: BoolArray, side: Side) -> float:
    count = trials.sums_by_speaker(chosen, side)[:, 0]
    total = trials.sums_by_speaker(chosen, side, values)[:, 0]
    return float(np.sum(total[count > 0] ** 2 / count[count > 0]))


def _quartiles(means: FloatArray) -> tuple[float, float]:
    known = means[~np.isnan(means)]
    if not len(known):
        return np.nan, np.nan
    low, high = np.quantile(known, (0.25, 0.75))
    return float(low), float(high)


def _low(means: FloatArray) -> BoolArray:
    """Who is on or below the lower border; nobody where the borders coincide."""
    low, high = _quartiles(means)
    return np.asarray((means <= low) & (low < high))


def _high(means: FloatArray) -> BoolArray:
    """Who is on or above the upper border; nobody where the borders coincide."""
    low, high = _quartiles(means)
    return np.asarray((means >= high) & (low < high))


_CORNERS = {
    Animal.DOVE: (_high, _low),
    Animal.CHAMELEON: (_high, _high),
    Animal.PHANTOM: (_low, _low),
    Animal.WORM: (_low, _high),
}


def _p_in_words(p_value: float) -> str:
    return f"= {p_value:.3f}" if p_value >= 0.001 else "< 0.001"
