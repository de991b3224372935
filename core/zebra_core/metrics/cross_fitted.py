"""What holds beyond the trials that were learnt from: disclosure without an order, and a worst case.

The toolkit's worst case is the largest of many LLRs that were learnt on the very trials, so that it grows
with their number also where nothing is disclosed. Here every trial is judged by PAV under Laplace's rule that
was learnt on other speakers, and what comes out is believed as far as the trials bear it out (`bounds.elub`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
import scipy
from msgspec import Meta

from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray, ScoreCounts, Trials
from zebra_core.metrics.chance.partitioning import counts_into_folds
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.ece import LN2, PavBlocks, laplace, pav_of_each
from zebra_core.metrics.zebra import LN10, d_ece_bits, disclosed_area

_SHIFTS = 4
_BINS_BY_ROOT = 1.5  # bins for each cube root of the number of target trials
_FEWEST_BINS, _MOST_BINS = 2, 24
_ADDED = 2.0  # trials of either class, spread like all: what pulls the ratio towards 1


def unordered_llr(n_target: IntArray, n_nontarget: IntArray) -> FloatArray:
    """A smooth natural-log LR of every bin, learnt without any order; shapes as `Learn` says.

    Bins are placed by rank in a mixture that holds both classes in equal parts, and pooled into
    1.5·T^(1/3) cells of equal shares of it (2 … 24), four times, shifted by 1/8, 3/8, 5/8 and 7/8 of a cell.
    Two trials of either class, spread over the cells as the mixture is, are added to each. The posterior for
    equal priors is the mean of those of the four.
    """
    total_target, total_nontarget = (of.sum(axis=-1, keepdims=True) for of in (n_target, n_nontarget))
    is_there = (total_target > 0) & (total_nontarget > 0)
    mixture = (n_target / np.maximum(total_target, 1) + n_nontarget / np.maximum(total_nontarget, 1)) / 2.0
    rank = np.cumsum(mixture, axis=-1) - mixture / 2.0
    cells = np.clip(np.rint(_BINS_BY_ROOT * total_target ** (1.0 / 3.0)), _FEWEST_BINS, _MOST_BINS)
    every = (_SHIFTS, *n_target.shape)
    begin = np.arange(math.prod(every[:-1])).reshape(*every[:-1], 1)  # of weightings and their shifts
    shift = np.arange(_SHIFTS).reshape(-1, *[1] * n_target.ndim)
    cell = np.clip(rank * cells + (shift + 0.5) / _SHIFTS, 0, cells).astype(np.int64)
    cell += begin * (_MOST_BINS + 1)  # those of each behind those of the last

    def pooled(values: FloatArray | IntArray) -> FloatArray:
        of_all = np.broadcast_to(values, every).ravel()
        counted = np.bincount(cell.ravel(), of_all, begin.size * (_MOST_BINS + 1))
        return np.asarray(counted.reshape(*every[:-1], -1), np.float64)

    added = _ADDED * pooled(mixture)
    target = (pooled(n_target) + added) / (total_target + _ADDED)
    nontarget = (pooled(n_nontarget) + added) / (total_nontarget + _ADDED)
    # A bin that nobody was learnt on may fall into an empty cell: nothing is known of it.
    both = target + nontarget
    share = np.divide(target, both, out=np.full(both.shape, 0.5), where=both > 0.0)
    posterior = (share.ravel()[cell] / _SHIFTS).sum(axis=0)
    return np.where(is_there, np.log(posterior) - np.log1p(-posterior), 0.0)


def d_ece_unordered_bits(folds: FoldCounts, llr: FloatArray) -> float:
    """D_ECE in bits of the LLRs (k, k, g) that trials got by their folds; below 0 where these mislead."""
    target, nontarget = folds.n_target.ravel(), folds.n_nontarget.ravel()
    return d_ece_bits(llr.ravel(), target / target.sum(), nontarget / nontarget.sum())


def elub(llr: FloatArray, n_target: IntArray, n_nontarget: IntArray) -> tuple[float, float]:
    """The lowest and the highest natural-log LLR that these trials bear out: at most 0, and at least 0.

    `llr` (m,) is finite, in any order, with the counts of both classes that got it. Deciding for one speaker
    from a threshold θ ≥ 1 on costs the share of targets below it, and θ times that of nontargets from it on,
    one more of which is supposed; without the LR it costs 1. Between two neighbouring LLRs only θ changes, so
    that the bound is exact. The lower bound is that of −LLR with the classes exchanged.
    """
    distinct, place = np.unique(llr, return_inverse=True)
    target = np.bincount(place, n_target, len(distinct)).astype(np.float64)
    nontarget = np.bincount(place, n_nontarget, len(distinct)).astype(np.float64)
    low = _upper(-distinct[::-1], nontarget[::-1], target[::-1])
    return 0.0 - low, _upper(distinct, target, nontarget)


def _upper(llr: FloatArray, target: FloatArray, nontarget: FloatArray) -> float:
    """The highest threshold ≥ 0 up to which every one is of use; `llr` ascends."""
    missed = (np.cumsum(target) - target) / target.sum()
    false = (np.cumsum(nontarget[::-1])[::-1] + 1.0) / (nontarget.sum() + 1.0)
    with np.errstate(divide="ignore"):
        most = np.log(np.maximum(1.0 - missed, 0.0)) - np.log(false)
    above = llr > 0.0
    fails = most[above] < llr[above]
    if not fails.any():
        return float(llr[-1]) if above.any() else 0.0
    first = int(np.argmax(fails))
    reached = llr[above][first - 1] if first else 0.0
    return float(max(reached, most[above][first]))


@dataclass(frozen=True)
class CrossFitted:
    """Figures of LLRs that were learnt on other speakers than they are judged on.

    `strongest_against_log10_lr` ≤ 0 ≤ `strongest_for_log10_lr` are the outermost LLRs that the trials got and
    bear out. `unordered_exceeds` says whether the unordered reading discloses more than the given one
    by more than chance: more than the oracle of it, and significantly more than what others teach of it.
    Without known speakers (`is_by_speaker` is False) single trials are held apart, and what trials of one
    speaker share flatters: an estimate, as must be said.
    """

    d_ece_unordered_bits: Annotated[float, Meta(le=1.0)]
    strongest_against_log10_lr: Annotated[float, Meta(ge=-1000.0, le=0.0)]
    strongest_for_log10_lr: Annotated[float, Meta(ge=0.0, le=1000.0)]
    unordered_exceeds: bool
    is_by_speaker: bool

    @property
    def worst_case_log10_lr(self) -> float:
        """The larger magnitude of both."""
        return max(self.strongest_for_log10_lr, -self.strongest_against_log10_lr)

    @classmethod
    def of_trials(cls, trials: Trials, counts: ScoreCounts, plain: PavBlocks) -> CrossFitted:
        """Figures of trials, given the counts of their distinct scores and their PAV; O(n) beside these."""
        trials = in_order(trials)
        folded = FoldedTrials.of(trials, counts)
        if folded is None:
            return cls.of_counts(counts, plain)
        return cls._made(folded.counts, plain, partial(exceeds_by_speaker, trials, folded))

    @classmethod
    def of_counts(cls, counts: ScoreCounts, plain: PavBlocks) -> CrossFitted:
        """Figures of counts, or where no three speakers are known: single trials are dealt into the folds."""
        folds = FoldCounts.of_counts(counts)
        return cls._made(folds, plain, partial(exceeds_by_trial, folds))

    @classmethod
    def _made(
        cls, folds: FoldCounts, plain: PavBlocks, exceeds: Callable[[FloatArray, FloatArray], bool]
    ) -> CrossFitted:
        llr = folds.judged_by(unordered_llr)
        found = d_ece_unordered_bits(folds, llr)
        is_more = found > d_ece_bits(plain.llr, plain.target_share, plain.nontarget_share)
        against, for_ = strongest_log10_lrs(folds)
        exceeding = is_more and exceeds(llr, folds.judged_by(laplace_llr))
        return cls(found, against, for_, exceeding, folds.is_by_speaker)


def strongest_log10_lrs(folds: FoldCounts) -> tuple[float, float]:
    """The lowest and the highest base-10 LLR that a trial got from others, as far as it is borne out."""
    llr = folds.judged_by(laplace_llr)
    seen = folds.n_target + folds.n_nontarget > 0
    low, high = elub(llr[seen], folds.n_target[seen], folds.n_nontarget[seen])
    lowest, highest = float(llr[seen].min()), float(llr[seen].max())
    return min(max(lowest, low), 0.0) / LN10, max(min(highest, high), 0.0) / LN10


def laplace_llr(n_target: IntArray, n_nontarget: IntArray) -> FloatArray:
    """PAV under Laplace's rule, as `Learn`; a bin without trials has the LLR of that below."""
    llr = np.zeros(n_target.shape)
    is_there = n_target.any(axis=-1) & n_nontarget.any(axis=-1)
    if is_there.any():
        llr[is_there] = laplace(pav_of_each(n_target[is_there], n_nontarget[is_there])).llr_by_score
    return llr


LEVEL = 0.05  # how often so much may be chance: one-sided


def exceeds_by_speaker(trials: Trials, folded: FoldedTrials, llr: FloatArray, given: FloatArray) -> bool:
    """Whether the LLRs (k, k, g) disclose more than the given ones of the same trials; O(n)."""
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018, S101 - folded trials have ids
    enrol = folded.people.of_enrol[trials.enrol.codes]
    test = folded.people.of_test[trials.test.codes]
    n = len(folded.people)
    mean = np.zeros(n)  # of the gain without each of the speakers
    whole = 0.0
    for chosen, gain in zip((trials.is_target, ~trials.is_target), _gains(llr, given), strict=True):
        own, total = _without_each(gain[folded.place[chosen]], enrol[chosen], test[chosen], n)
        mean += own
        whole += total
    error = math.sqrt((n - 1) / n * float(((mean - mean.mean()) ** 2).sum()))
    return _exceeds(whole, error, int(folded.people.has_targets.sum()) - 1)


def exceeds_by_trial(counts: FoldCounts, llr: FloatArray, given: FloatArray) -> bool:
    """Whether the LLRs (k, k, g) of counted trials disclose more than the given ones of the same trials.

    Nobody knows the speakers; trials are taken for independent.
    """
    whole = variance = 0.0
    for of_class, gain in zip((counts.n_target, counts.n_nontarget), _gains(llr, given), strict=True):
        share = of_class.ravel() / of_class.sum()
        mean = float(share @ gain)
        whole += mean
        variance += float(share @ (gain - mean) ** 2 / of_class.sum())
    return _exceeds(whole, math.sqrt(variance), int(counts.n_target.sum()) - 1)


def _exceeds(value: float, error: float, freedom: int) -> bool:
    return bool(value > 0.0 and value > error * float(scipy.special.stdtrit(freedom, 1.0 - LEVEL)))


def _gains(llr: FloatArray, given: FloatArray) -> list[FloatArray]:
    """What a target and what a nontarget trial adds to the difference of D_ECE, bits, by its place."""
    return [
        np.asarray(disclosed_area(sign * llr.ravel()) - disclosed_area(sign * given.ravel())) / LN2
        for sign in (1.0, -1.0)
    ]


def _without_each(gain: FloatArray, enrol: IntArray, test: IntArray, n: int) -> tuple[FloatArray, float]:
    """The mean gain without the trials of each speaker, shape (n,), and that of all."""
    other = test != enrol
    sums, numbers = (
        np.bincount(enrol, values, n) + np.bincount(test[other], None if values is None else values[other], n)
        for values in (gain, None)
    )
    left = len(gain) - numbers
    whole = float(gain.mean())
    # Where nobody else has such trials there is nothing to compare with: as if nobody were left out.
    return np.divide(gain.sum() - sums, left, out=np.full(n, whole), where=left > 0), whole


# Calibration that never sees whom it judges: trials counted by the folds of their speakers.
#
# Speakers are dealt into folds; a trial is judged by a map that was learnt on all trials in which nobody of
# the two folds takes part that its own speakers are in. All that learning needs are counts in bins of scores,
# so that one pass over the trials is enough for all maps. The borders of the bins follow from the scores
# alone, without a look at who is who.


FOLDS = 5
FEWEST_PEOPLE = 3  # with target trials: a trial between two folds must leave a third one to learn from
_EVEN, _TAILS = 64, 512  # equal shares of the trials, and equal steps of the logit of the share
_CELLS = 1 << 14  # of the grid that finds most bins without a search
_SEED = 0  # deals out trials of which nobody knows the speakers

Learn = Callable[[IntArray, IntArray], FloatArray]
"""From counts of target and nontarget trials in ascending bins to natural-log LLRs, each of shape (…, g).

Each weighting is learnt by itself. Where a class has no trials there is nothing to learn: zeros.
"""


@dataclass(frozen=True, eq=False)
class People:
    """The person behind each id of either side, numbered from 0 without gaps.

    Two ids are one person's where they are equal or where a target trial compares them; an id of which
    nothing is known is a person by itself. `of_enrol` and `of_test` have one number for each *name* of the
    ids, `has_targets` (n,) says of whom there are target trials. Persons ascend by their first id; the order
    of trials is irrelevant.
    """

    of_enrol: IntArray
    of_test: IntArray
    has_targets: BoolArray

    def __len__(self) -> int:
        return len(self.has_targets)

    @classmethod
    def of(cls, enrol: Ids, test: Ids, is_target: BoolArray) -> People:
        """Join the ids of target trials; O(n)."""
        place = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
        of_enrol = np.array([place[name] for name in enrol.names], dtype=np.int64)
        of_test = np.array([place[name] for name in test.names], dtype=np.int64)
        one, other = of_enrol[enrol.codes[is_target]], of_test[test.codes[is_target]]
        graph = scipy.sparse.coo_array((np.ones(len(one)), (one, other)), shape=(len(place), len(place)))
        n, person = scipy.sparse.csgraph.connected_components(graph, directed=False)
        least = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(least, person, np.arange(len(place)))
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(least, kind="stable")] = np.arange(n)
        number = rank[person]
        has_targets = np.zeros(n, dtype=np.bool_)
        has_targets[number[one]] = True
        return cls(number[of_enrol], number[of_test], has_targets)

    def folds(self, n_folds: int) -> IntArray:
        """The fold of every person, shape (n,): first those with target trials are dealt out."""
        dealt = np.empty(len(self), dtype=np.int64)
        for members in (np.flatnonzero(self.has_targets), np.flatnonzero(~self.has_targets)):
            dealt[members] = np.arange(len(members)) % n_folds
        return dealt


@dataclass(frozen=True, eq=False)
class FoldCounts:
    """How many trials fall into each of g bins of scores, by the folds of their two speakers.

    `n_target` and `n_nontarget` have shape (k, k, g): fold of the enrolment, fold of the test, bin. Bin j
    holds the scores from borders[j − 1] up to, not including, borders[j]; `borders` (g − 1,) ascends. Where
    nobody knows the speakers single trials are dealt out (not `is_by_speaker`): both folds are then the same.
    """

    borders: FloatArray
    n_target: IntArray
    n_nontarget: IntArray
    is_by_speaker: bool

    @property
    def n_folds(self) -> int:
        """The number of folds, k."""
        return len(self.n_target)

    @classmethod
    def of_counts(cls, counts: ScoreCounts) -> FoldCounts:
        """Trials without speakers, each dealt into a fold by itself: the same counts give the same folds."""
        borders = borders_of(counts)
        starts = np.searchsorted(counts.score, np.concatenate([[counts.score[0]], borders]))
        rng = generator(_SEED, Purpose.FOLDS)
        dealt = []
        for of_class in (counts.n_target, counts.n_nontarget):
            by_fold = counts_into_folds(np.add.reduceat(of_class, starts), FOLDS, rng)
            table = np.zeros((FOLDS, FOLDS, len(starts)), dtype=np.int64)
            table[np.arange(FOLDS), np.arange(FOLDS)] = by_fold.T
            dealt.append(table)
        return cls(borders, dealt[0], dealt[1], is_by_speaker=False)

    def judged_by(self, learn: Learn) -> FloatArray:
        """The natural-log LLR that trials get from maps learnt without their folds, shape (k, k, g).

        0 for folds that have no trials with one another: single trials are all in one.
        """
        llr = np.zeros(self.n_target.shape)
        there = (self.n_target + self.n_nontarget).any(axis=2)
        first, second = np.nonzero(np.triu(there | there.T))
        of_target, of_nontarget = (
            _without_two_folds(of)[first, second] for of in (self.n_target, self.n_nontarget)
        )
        llr[first, second] = llr[second, first] = learn(of_target, of_nontarget)
        return llr


def _without_two_folds(counts: IntArray) -> IntArray:
    """The counts of a class, (k, k, g), without those in which either of two folds takes part, (k, k, g).

    Those of all trials, less those with the one and those with the other, which has those with both twice.
    """
    each = np.arange(len(counts))
    with_fold = counts.sum(axis=0) + counts.sum(axis=1) - counts[each, each]
    with_both = counts + counts.swapaxes(0, 1)
    with_both[each, each] = with_fold
    return np.asarray(counts.sum(axis=(0, 1)) - with_fold[:, np.newaxis] - with_fold + with_both)


@dataclass(frozen=True, eq=False)
class FoldedTrials:
    """Counts by folds together with the place of every trial in them; all arrays of shape (n,)."""

    counts: FoldCounts
    people: People
    place: IntArray  # in the flattened (k, k, g)

    @classmethod
    def of(cls, trials: Trials, counts: ScoreCounts) -> FoldedTrials | None:
        """The folds of trials whose distinct scores are `counts`; None where too few speakers are known."""
        if trials.enrol is None or trials.test is None:
            return None
        people = People.of(trials.enrol, trials.test, trials.is_target)
        n_people = int(people.has_targets.sum())
        if n_people < FEWEST_PEOPLE:
            return None
        k = min(FOLDS, n_people)
        fold = people.folds(k)
        borders = borders_of(counts)
        size = len(borders) + 1
        place = (fold[people.of_enrol] * k * size)[trials.enrol.codes]
        place += (fold[people.of_test] * size)[trials.test.codes]
        place += _bins_of(trials.score, borders)
        tables = [
            np.bincount(place[chosen], minlength=k * k * size).reshape(k, k, size)
            for chosen in (trials.is_target, ~trials.is_target)
        ]
        return cls(FoldCounts(borders, tables[0], tables[1], is_by_speaker=True), people, place)


def borders_of(counts: ScoreCounts) -> FloatArray:
    """Where bins begin, but for the first: 64 equal shares of all trials, and 512 steps of their logit.

    The former are fine where most scores are, the latter in both tails down to single trials; where there are
    few distinct scores each has a bin of its own. Labels play no part.
    """
    up_to = np.cumsum(counts.n_target + counts.n_nontarget)
    total = up_to[-1]
    reach = np.log(total)
    even = np.arange(1, _EVEN) / _EVEN
    tails = 1.0 / (1.0 + np.exp(-np.linspace(-reach, reach, _TAILS + 1)))
    share = np.concatenate([even, tails])
    place = np.unique(np.searchsorted(up_to, share * total, side="right"))
    return np.asarray(counts.score[place[(place > 0) & (place < len(up_to))]])


def _bins_of(score: FloatArray, borders: FloatArray) -> IntArray:
    """How many borders each score has reached, shape (n,): a binary search, but for most by one look-up."""
    span = borders[-1] - borders[0] if len(borders) else 0.0
    with np.errstate(over="ignore"):
        scale = _CELLS / span if span > 0.0 else np.inf
    if len(score) < _CELLS // 8 or not 0.0 < scale < np.inf:
        return np.asarray(np.searchsorted(borders, score, side="right"))

    def cells(values: FloatArray) -> IntArray:
        with np.errstate(over="ignore"):
            return np.asarray(np.clip((values - borders[0]) * scale, -1.0, _CELLS).astype(np.int64) + 1)

    # Rounding keeps the order: a border in a lower cell is reached, one in a higher cell is not.
    in_cell = np.bincount(cells(borders), minlength=_CELLS + 2)
    cell = cells(score)
    found = (np.cumsum(in_cell) - in_cell)[cell]
    unclear = np.flatnonzero((in_cell > 0)[cell])
    found[unclear] = np.searchsorted(borders, score[unclear], side="right")
    return np.asarray(found)
