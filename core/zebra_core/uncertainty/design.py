"""How well a rule that hears no voice tells targets from nontargets, with draws of the speakers.

The area under its ROC curve is how often such a rule picks the target out of a target and a nontarget trial,
both drawn at random; ties count half. Ref: Hanley and McNeil 1982, "The meaning and use of the area under a
receiver operating characteristic (ROC) curve".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from zebra_core.evidence.counts import digest_of
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.speakers.design import Clue, TrivialRule
from zebra_core.uncertainty.draws import FigureDraws, rate_draws
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.resampling import Clusters

DRAWS = 500
KNOWN_OF = 0.9  # of either class, at least, or a rule says nothing
_STEPS = 256  # that many different values are told apart, equally many trials each
_CELLS = 1 << 22  # gone through at once


@dataclass(frozen=True, eq=False)
class RuleArea:
    """The area of a rule, 0 … 1, with its draws; 0.5 is guessing.

    `target` and `nontarget` are the shares of trials in which both sides share the clue; NaN of one that is
    closer or farther. Rules of one `digest` are the same rule on the same trials.
    """

    clue: Clue
    area: float
    target: float
    nontarget: float
    draws: FigureDraws | None
    digest: str

    def interval(self, level: float) -> Interval | None:
        """The interval over speakers at this level; None where no draw could be measured."""
        return one_sided(self.draws, (1.0 + level) / 2.0) if self.draws else None


def rule_areas(
    rules: Sequence[TrivialRule], is_target: BoolArray, clusters: Clusters
) -> tuple[RuleArea, ...]:
    """The area of each rule that says something of nearly all trials; of values (n,) in the order of trials.

    One sort for each rule, then O(n) a draw; the draws are those of everybody, from one seed.
    """
    told = [rule for rule in rules if _is_known(rule, is_target)]
    if not told:
        return ()
    steps = [_steps(rule.value) for rule in told]
    table = _Table.of(steps, is_target, clusters)
    plain = table.areas(clusters.all_once[np.newaxis])[0]
    left = np.concatenate([table.areas(weight[np.newaxis]) for weight in clusters.left_out()])
    rng = generator(0, Purpose.DESIGN)
    at_once = max(1, _CELLS // table.n_pairs)
    counts = [min(at_once, DRAWS - begin) for begin in range(0, DRAWS, at_once)]
    draws = np.concatenate([table.areas(clusters.draw_often(rng, count)) for count in counts])
    return tuple(
        RuleArea(
            rule.clue,
            float(plain[k]),
            _share(rule, is_target),
            _share(rule, ~is_target),
            rate_draws(float(plain[k]), draws[:, k], left[:, k], clusters.n_told),
            table.digest(k),
        )
        for k, rule in enumerate(told)
    )


def _is_known(rule: TrivialRule, is_target: BoolArray) -> bool:
    known = ~np.isnan(rule.value)
    return all(float(known[chosen].mean()) >= KNOWN_OF for chosen in (is_target, ~is_target))


def _share(rule: TrivialRule, chosen: BoolArray) -> float:
    return float(np.nanmean(rule.value[chosen])) if rule.clue.is_shared else np.nan


def _steps(value: FloatArray) -> IntArray:
    """The step of each value, from 0; −1 where there is none. Equal values have equal steps."""
    known = ~np.isnan(value)
    _, place, count = np.unique(value[known], return_inverse=True, return_counts=True)
    if len(count) > _STEPS:
        before = np.cumsum(count) - count
        place = (before * _STEPS // int(count.sum()))[place]
    steps = np.full(len(value), -1, dtype=np.int64)
    steps[known] = place
    return steps


@dataclass(frozen=True, eq=False)
class _Table:
    """Trials counted by rule, step and class (rows), and by pair of clusters (columns)."""

    counts: sparse.csr_array
    enrol: CodeArray  # of each pair
    test: CodeArray
    size: tuple[int, ...]  # how many steps each rule has

    @classmethod
    def of(cls, steps: Sequence[IntArray], is_target: BoolArray, clusters: Clusters) -> _Table:
        sides = clusters.enrol.astype(np.int64) * (clusters.n + 1) + clusters.test
        pairs, pair = np.unique(sides, return_inverse=True)
        size = tuple(int(each.max()) + 1 for each in steps)
        begin = np.concatenate([[0], np.cumsum(size)[:-1]])
        known = [each >= 0 for each in steps]
        rows = np.concatenate(
            [2 * (start + each) + is_target for start, each in zip(begin, steps, strict=True)]
        )
        there, columns = np.concatenate(known), np.tile(pair, len(steps))
        place = rows[there], columns[there]
        counts = sparse.csr_array((np.ones(len(place[0])), place), (2 * sum(size), len(pairs)))
        counts.sum_duplicates()
        enrol, test = (side.astype(np.int32) for side in np.divmod(pairs, clusters.n + 1))
        return cls(counts, enrol, test, size)

    def digest(self, rule: int) -> str:
        """Equal for a rule that says the same of as many trials of the same pairs."""
        ends = 2 * np.cumsum((0, *self.size))
        of_rule = self.counts[ends[rule] : ends[rule + 1]]
        return digest_of(of_rule.data, of_rule.indices, of_rule.indptr, self.enrol, self.test)

    @property
    def n_pairs(self) -> int:
        return len(self.enrol)

    def areas(self, weights: CodeArray) -> FloatArray:
        """The area of each rule under these weights, (w, rules); NaN where a class is not there."""
        by_cluster = np.ascontiguousarray(weights.T, dtype=np.float64)
        found = (self.counts @ (by_cluster[self.enrol] * by_cluster[self.test])).T
        ends = 2 * np.cumsum(self.size)[:-1]
        return np.stack([_area(part[:, 1::2], part[:, ::2]) for part in np.split(found, ends, 1)], axis=1)


def _area(target: FloatArray, nontarget: FloatArray) -> FloatArray:
    """From the counts by ascending steps, (w, steps) both; (w,)."""
    below = np.cumsum(nontarget, axis=1) - nontarget / 2.0
    total = target.sum(axis=1) * nontarget.sum(axis=1)
    right = (target * below).sum(axis=1)
    return np.asarray(np.divide(right, total, out=np.full(len(total), np.nan), where=total > 0.0))
