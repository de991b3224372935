"""Whether safeguards really differ: paired comparisons on the same trials, with the same speakers drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.trials import Ids, IntArray, Trials
from zebra_core.metrics.assessment import Assessment
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty, bootstrap_together
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import difference_in_words, difference_with_interval
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.wording.texts import say

SETTLED_BELOW = 0.05


@dataclass(frozen=True)
class Difference:
    """By how much a figure of one assessment exceeds that of another."""

    figure: str
    first: int  # places in the order of what was compared, from 0
    second: int
    value: float  # first − second, as the figures stand
    interval: Interval
    p_value: float
    p_adjusted: float  # for all pairs that were compared, by Holm

    @property
    def is_settled(self) -> bool:
        """Whether the two differ by more than the speakers who happened to take part explain."""
        return self.p_adjusted < SETTLED_BELOW

    @property
    def in_words(self) -> str:
        """The difference with its interval, to digits that fit it: "−0.021 ± 0.008 bit"."""
        return difference_with_interval(self.figure, self.value, self.interval)

    def sentence(self, names: Sequence[str]) -> str:
        """Who discloses more, and whether that is settled; `names` in the order of what was compared."""
        settled = "settled" if self.is_settled else "open"
        return say(
            f"difference.{settled}",
            first=names[self.first],
            second=names[self.second],
            value=difference_in_words(self.figure, self.value),
            low=difference_in_words(self.figure, self.interval.low),
            high=difference_in_words(self.figure, self.interval.high),
            p=p_in_words(self.p_adjusted),
        )


@dataclass(frozen=True)
class Ranking:
    """The order of what was compared by one figure, ascending, and what of it is settled.

    `values` are the figures, in the order of what was compared, `differences` those of all its pairs.
    """

    figure: str
    values: tuple[float, ...]
    differences: tuple[Difference, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The places of those compared, ascending; equal ones as they were given."""
        return tuple(sorted(range(len(self.values)), key=lambda k: self.values[k]))

    @property
    def settled(self) -> tuple[bool, ...]:
        """Whether the k-th of the order and the next differ."""
        by_pair = self._by_pair
        return tuple(by_pair[frozenset(pair)].is_settled for pair in pairwise(self.order))

    @property
    def ranks(self) -> tuple[tuple[int, int], ...]:
        """For each, the best and the worst rank, from 1, that the settled differences leave open."""
        among = self.ranks_among(range(len(self.values)))
        return tuple(among[k] for k in range(len(self.values)))

    def ranks_among(self, places: Collection[int]) -> dict[int, tuple[int, int]]:
        """The same within some of those compared, by their place; corrected for all pairs nevertheless."""
        order, by_pair = [k for k in self.order if k in places], self._by_pair
        return {k: _ranks(k, order, by_pair) for k in order}

    @property
    def _by_pair(self) -> dict[frozenset[int], Difference]:
        return {frozenset((each.first, each.second)): each for each in self.differences}


def bootstrap_paired(
    assessed: Sequence[tuple[Trials, Assessment]],
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
) -> tuple[Uncertainty, ...]:
    """Intervals for each of several assessments of the same trials, whose draws are pairs.

    Trials are the same where enrolments, test segments and labels are, in any order. Raises InputError
    where they are not, or have no ids to tell by. Otherwise as `bootstrap`.
    """
    (first, _), *others = assessed
    alike = [assessed[0]] + [(aligned(trials, first), known) for trials, known in others]
    clusters = Clusters.of_trials(first, speakers)
    return bootstrap_together(alike, clusters, settings or BootstrapSettings(), on_progress)


def ranking(figure: str, compared: Sequence[FigureDraws], level: float = 0.95) -> Ranking:
    """Compare each with each (two at least), correct for that by Holm, and say which ranks are settled.

    The draws must be pairs, as `bootstrap_paired` and `voices_bootstrap` of the same speakers make them.
    """
    pairs = list(combinations(range(len(compared)), 2))
    found = [compared[i].minus(compared[j]) for i, j in pairs]
    p_values = [draws.p_value_of_zero for draws in found]
    differences = tuple(
        Difference(figure, i, j, draws.estimate, draws.interval(level), p, adjusted)
        for (i, j), draws, p, adjusted in zip(pairs, found, p_values, holm(p_values), strict=True)
    )
    return Ranking(figure, tuple(draws.estimate for draws in compared), differences)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values for a family of tests, in the same order, such that each may be held against the level alone.

    The k-th smallest of m is multiplied by m − k + 1, and none is below a smaller one's. Ref: Holm 1979.
    """
    m = len(p_values)
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(m)
    ascending = np.asarray(p_values, dtype=np.float64)[order] * (m - np.arange(m))
    adjusted[order] = np.minimum(np.maximum.accumulate(ascending), 1.0)
    return [float(p) for p in adjusted]


def p_in_words(p_value: float) -> str:
    """A p-value with its sign: "= 0.012", or "< 0.001"."""
    return f"= {p_value:.3f}" if p_value >= 0.001 else "< 0.001"


def _ranks(k: int, order: Sequence[int], by_pair: Mapping[frozenset[int], Difference]) -> tuple[int, int]:
    place = order.index(k)
    below = sum(by_pair[frozenset((k, other))].is_settled for other in order[:place])
    above = sum(by_pair[frozenset((k, other))].is_settled for other in order[place + 1 :])
    return 1 + below, len(order) - above


def aligned(trials: Trials, like: Trials) -> Trials:
    """The same trials in the order of others. Raises InputError where they are not the same."""
    if trials.enrol is None or trials.test is None or like.enrol is None or like.test is None:
        raise InputError("difference-without-ids")
    if len(trials) != len(like):
        raise InputError("difference-other-trials", count=len(trials), first_count=len(like))
    ours, theirs = _pairs(trials.enrol, trials.test, like.enrol, like.test)
    from_ours, from_theirs = (np.argsort(pairs, kind="stable") for pairs in (ours, theirs))
    place = np.empty(len(trials), dtype=np.int64)
    place[from_theirs] = from_ours
    if (ours[place] != theirs).any() or (trials.is_target[place] != like.is_target).any():
        raise InputError("difference-other-trials", count=len(trials), first_count=len(like))
    return Trials(trials.score[place], like.is_target, like.enrol, like.test)


def _pairs(enrol: Ids, test: Ids, like_enrol: Ids, like_test: Ids) -> tuple[IntArray, IntArray]:
    """One number for each pair of ids, the same in both sets of trials; −1 for a pair of unknown ids."""
    size = len(like_test.names)
    own = [
        np.array([known.get(name, -1) for name in ids.names], dtype=np.int64)[ids.codes]
        for ids, known in (
            (side, {name: code for code, name in enumerate(like.names)})
            for side, like in ((enrol, like_enrol), (test, like_test))
        )
    ]
    ours = np.where((own[0] < 0) | (own[1] < 0), -1, own[0] * size + own[1])
    return ours, like_enrol.codes.astype(np.int64) * size + like_test.codes
