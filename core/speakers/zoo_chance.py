"""Whether the animals of a zoo are more than chance: how large their groups are, how speakers differ."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from zebra_core.evidence.speaker_trials import Side, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, FloatArray
from zebra_core.metrics.oracle import Oracle
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.speakers.zoo import CORNERS, Animal, Character, Zoo, ZooScale, zoo_values
from zebra_core.wording.texts import say

CHANCE_BELOW = 0.05
"""A probability below which a group is said to be larger, or a difference greater, than chance makes it."""


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


def group_sizes(zoo: Zoo) -> tuple[GroupSize, ...]:
    """Each corner's size against chance. Over all permutations it is hypergeometric: nothing is drawn."""
    n = len(zoo.speakers)
    if not n:
        return ()
    sizes = []
    for animal, (own, others) in CORNERS.items():
        n_own, n_others = int(own(zoo.target_mean).sum()), int(others(zoo.nontarget_mean).sum())
        count = zoo.animals.count(animal)
        p_value = _share_of_at_least(count, n, n_own, n_others)
        sizes.append(GroupSize(animal, count, n_own * n_others / n, p_value, n))
    return tuple(sizes)


def speaker_differences(
    trials: SpeakerTrials,
    oracle: Oracle | None = None,
    scale: ZooScale = ZooScale.LLR,
    *,
    replicates: int = 199,
    seed: int = 0,
    on_progress: Progress = no_progress,
) -> tuple[Difference, ...]:
    """Permutation tests for goats, lambs and wolves: O(replicates · n), to be run on demand.

    The values of the target (or nontarget) trials are dealt out anew over the same trials; the statistic is
    the spread between the speakers' means, Σ n·(mean − mean of all)². Doddington et al. 1998 ask the same
    by analysis of variance. Trials that share segments are not independent, so small probabilities are
    somewhat too small.
    """
    values = zoo_values(trials, oracle, scale)
    tests = {
        Character.GOAT: (trials.is_target, Side.EITHER),
        Character.LAMB: (~trials.is_target, Side.ENROLLED),
        Character.WOLF: (~trials.is_target, Side.HEARD),
    }
    rng = np.random.default_rng(seed)
    found: list[Difference] = []
    for character, (chosen, side) in tests.items():
        cards = values[chosen] - values[chosen].mean()  # the statistic would drown in a common offset
        dealt = np.zeros(len(values))
        dealt[chosen] = cards
        observed = _spread(trials, dealt, chosen, side)
        as_wide = 0
        for replicate in range(replicates):
            on_progress((len(found) + replicate / replicates) / len(tests))
            dealt[chosen] = rng.permutation(cards)
            # The same cards in the same hands may sum to a little less by rounding alone.
            as_wide += _spread(trials, dealt, chosen, side) >= observed * (1.0 - 1e-12)
        found.append(Difference(character, (1 + as_wide) / (1 + replicates), replicates, seed))
    return tuple(found)


def _spread(trials: SpeakerTrials, values: FloatArray, chosen: BoolArray, side: Side) -> float:
    count = trials.sums_by_speaker(chosen, side)[:, 0]
    total = trials.sums_by_speaker(chosen, side, values)[:, 0]
    return float(np.sum(total[count > 0] ** 2 / count[count > 0]))


def _share_of_at_least(count: int, n: int, marked: int, drawn: int) -> float:
    """The share of all ways to draw some of n, without putting back, that hold at least `count` marked ones.

    The upper tail of the hypergeometric distribution, Σ C(marked, k) · C(n − marked, drawn − k) divided by
    C(n, drawn), in whole numbers: exact but for that division.
    """
    first = max(count, marked + drawn - n, 0)
    ways = comb(marked, first) * comb(n - marked, drawn - first) if first <= drawn else 0
    total = 0
    for k in range(first, min(marked, drawn) + 1):
        total += ways
        # On to k + 1 by the ratio of neighbours, which leaves no remainder: every product counts ways.
        ways = ways * (marked - k) * (drawn - k) // ((k + 1) * (n - marked - drawn + k + 1))
    return total / comb(n, drawn)


def _p_in_words(p_value: float) -> str:
    return f"= {p_value:.3f}" if p_value >= 0.001 else "< 0.001"
