"""Whether the animals of a zoo are more than chance: how large their groups are, how speakers differ.

Test segments, or enrolments, are dealt out among the speakers as wholes. What an enrolment does to all its
trials stays with its speaker; so where everybody is enrolled once, enrolment and speaker cannot be told
apart, and nothing is said of lambs. Doddington et al. 1998 ask whether speakers differ by analysis of
variance over trials, which takes recordings that differ for speakers who do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import IntArray
from zebra_core.metrics.chance.multiple_testing import holm
from zebra_core.metrics.chance.permutation import exchanged, n_as_far, p_value
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.oracle import Oracle
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.recordings import RecordingSums, p_of_spread
from zebra_core.speakers.zoo import CORNERS, Animal, Character, Zoo, ZooScale, quarters, zoo_of, zoo_values
from zebra_core.wording.texts import say, written

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
