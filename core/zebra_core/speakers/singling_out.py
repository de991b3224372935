"""Singling out: whether a threshold on one enrolment isolates exactly one of so many people.

Ref: Vauquier et al. 2025 (see `linkage`), after Cohen and Nissim 2020, "Towards formalizing the GDPR's notion
of singling out", whose predicate that ignores all data succeeds in (1 − 1/N)^(N−1) of the attempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from math import comb

import numpy as np

from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray
from zebra_core.metrics.chance.partitioning import fill_with_lots, sets_by_lot
from zebra_core.speakers.candidates import PoolScores

MOST_CALIBRATION = 9
"""The most other recordings of each person that the threshold is learnt from, as in the paper."""

SETS = 200
"""Sets of people for each enrolment; where there are no more at all, every one of them is gone through."""

_MOST_PEOPLE_EXACTLY = 128  # the closed form takes the cube of their number for each enrolment
_CELLS = 1 << 22  # looked at together
_AT_ONCE = 1 << 17  # cells of several draws together: what a processor has near at hand
_A_MOMENT = 1 << 20  # lots: no longer than others are waited for
_FEW_SETS = 8  # for each enrolment, where a figure is one of many that are drawn
_SETS_OF_A_DRAW = 4  # the same in a bootstrap


@dataclass(frozen=True, eq=False)
class IsolationScores:
    """Scores of n enrolments, (n,), with M + 1 recordings of each of the same n people: (n, n, M + 1).

    Row i is the enrolment of person i. Each recording is in turn the one that is tested, for all people
    together, while the other M calibrate the threshold. `places` are the people among all enrolled.
    """

    score: FloatArray
    places: IntArray

    @classmethod
    def of(cls, pooled: PoolScores) -> IsolationScores | None:
        """The scores of people with at least two groups, as many of each; None for fewer than two people."""
        pooled = pooled.complete
        count = np.bincount(pooled.own, minlength=len(pooled.score))
        places = np.flatnonzero(count >= 2)
        if len(places) < 2:
            return None
        of_each = min(int(count[places].min()), MOST_CALIBRATION + 1)
        first = np.searchsorted(pooled.own, places)
        columns = first[:, np.newaxis] + np.arange(of_each)
        return cls(np.ascontiguousarray(pooled.score[places][:, columns]), places)

    @property
    def n_people(self) -> int:
        """How many people there are to be singled out."""
        return len(self.places)

    @property
    def n_calibration(self) -> int:
        """M: how many other recordings of each person set the threshold."""
        return int(self.score.shape[2]) - 1

    def tested(self, fold: int) -> tuple[FloatArray, FloatArray]:
        """Test scores (n, n) and calibration scores (n, n, M), where this recording of each is tested."""
        return self.score[:, :, fold], np.delete(self.score, fold, axis=2)

    def of_sets(self, rows: IntArray, members: IntArray) -> FloatArray:
        """The scores of enrolments, (m,), with all recordings of the members, (m, people)."""
        _, n, recordings = self.score.shape
        pairs = rows[:, np.newaxis] * n + members
        return np.asarray(self.score.reshape(-1, recordings).take(pairs, axis=0), dtype=np.float64)

    def n_sets(self, people: int, *, quick: bool = False) -> int | None:
        """How many sets `singling_out` draws for each enrolment and recording tested; None where it is exact.

        `SETS`; with `quick` as many as take no more than a moment, and one at least.
        """
        n = self.n_people
        if _few_sets(n, people, SETS) or _has_closed_form(self.n_calibration, n):
            return None
        return max(1, min(SETS, _A_MOMENT // (n * n * len(self.folds)))) if quick else SETS

    @staticmethod
    def at_once(n_people: int, n_calibration: int) -> int:
        """How many sets are looked at together."""
        return max(1, _CELLS // (n_people * n_calibration))

    @property
    def folds(self) -> range:
        """Which recording of each person is tested."""
        return range(self.score.shape[2])


def singling_out(scores: IsolationScores, people: int, rng: np.random.Generator, sets: int = SETS) -> float:
    """The probability π_sing that exactly one of `people` people passes, over enrolments and sets of people.

    A set is the person of the enrolment and others drawn without replacement. The threshold lies midway
    between the M-th and the (M+1)-th highest calibration score of its people, so that one in N passes on
    average; a score equal to the threshold does not pass. Who passes does not matter. Exact where there are
    at most `sets` sets for each enrolment, and with one calibration recording of each of up to 128 people;
    else by `sets` sets drawn for each enrolment. Raises ValueError for a number of people there is not.
    """
    if not 2 <= people <= scores.n_people:
        raise ValueError(f"people must be from 2 to {scores.n_people}; found {people}")
    return float(np.mean([_in_fold(scores, fold, people, rng, sets) for fold in scores.folds]))


def singling_out_by_sets(
    several: Sequence[IsolationScores],
    people: int,
    rngs: Sequence[np.random.Generator],
    sets: int = _FEW_SETS,
) -> FloatArray:
    """π_sing of scores of as many people each, (several,), with one recording of each person tested.

    By few sets, each by its own generator: for figures that are drawn many times.
    """
    return _by_sets(several, 0, people, rngs, sets)


def singling_out_drawn(
    scores: IsolationScores, times: IntArray | CodeArray, people: int, rng: np.random.Generator
) -> FloatArray:
    """π_sing by some sets where each person is there so many times, (R, n): their enrolments count so often.

    Shape (R,). Copies of one person are never in one set. Where there are fewer different people than asked
    for, all of them are; NaN where there are fewer than two. Each recording is tested in turn, as for the
    figure itself, or as many of them as are looked at together, from another one on in each replicate.
    """
    found = np.full(len(times), np.nan)
    n_there = np.count_nonzero(times, axis=1)
    tried = {n: _tried_in_a_draw(scores, n) for n in np.unique(n_there).tolist() if n >= 2}
    n_sets = np.array([len(tried[n][0]) * tried[n][1] if n in tried else 0 for n in n_there.tolist()])
    block = np.cumsum(n_sets * n_there) * scores.n_calibration // _AT_ONCE
    for number in np.unique(block).tolist():
        some = np.flatnonzero((block == number) & (n_sets > 0))
        lots = [np.empty((n_sets[k], n_there[k])) for k in some.tolist()]
        for lot in lots:
            fill_with_lots(lot, rng)
        for n in np.unique(n_there[some]).tolist():  # as many different people, so that they make an array
            at = np.flatnonzero(n_there[some] == n).tolist()
            of_these = some[at]
            lot = np.stack([lots[k] for k in at])
            found[of_these] = _of_draws(scores, times[of_these], lot, people, of_these, *tried[n])
    return found


def singling_out_chance(people: int) -> float:
    """What a predicate reaches that ignores the scores and fires for one in `people`: e⁻¹ of many."""
    return float((1.0 - 1.0 / people) ** (people - 1))


def isolated(score: FloatArray, folds: IntArray) -> BoolArray:
    """Whether exactly one of each set passes: its scores (m, people, M + 1), of which one is tested, (m,).

    The scores are overwritten.
    """
    m, people, recordings = score.shape
    sets = np.arange(m)
    test = score[sets, :, folds]
    score[sets, :, folds] = -np.inf  # at the end, behind all that calibrate
    known = score.reshape(m, people * recordings)
    at = known.shape[1] - recordings + 1  # the M-th highest, counted from the lowest
    known.partition(at, axis=1)
    threshold = (known[:, :at].max(axis=1) + known[:, at]) / 2.0
    return np.asarray((test > threshold[:, np.newaxis]).sum(axis=1) == 1)


def _in_fold(scores: IsolationScores, fold: int, people: int, rng: np.random.Generator, sets: int) -> float:
    n = scores.n_people
    if not _few_sets(n, people, sets) and _has_closed_form(scores.n_calibration, n):
        test, calibration = scores.tested(fold)
        return float(np.mean([_of_enrolment(test[k], calibration[k, :, 0], k, people) for k in range(n)]))
    return float(_by_sets([scores], fold, people, [rng], sets)[0])


def _by_sets(
    several: Sequence[IsolationScores],
    fold: int,
    people: int,
    rngs: Sequence[np.random.Generator],
    sets: int,
) -> FloatArray:
    """π_sing of each of several, of as many people: by all sets there are, or `sets` for each enrolment."""
    n = several[0].n_people
    every, rows = (
        _all_sets(n, people) if _few_sets(n, people, sets) else (None, np.repeat(np.arange(n), sets))
    )
    at_once = max(1, _AT_ONCE // n)
    together = max(1, at_once // len(rows))
    found = []
    for first in range(0, len(several), together):
        some = range(len(several))[first : first + together]
        scores = several[first]
        if len(some) > 1:
            scores = IsolationScores(np.concatenate([several[k].score for k in some]), scores.places)
        n_hits = np.zeros(len(some), dtype=np.int64)
        for start in range(0, len(rows), at_once):
            own = rows[start : start + at_once]
            if every is None:
                lot = np.empty((len(some), len(own), n))
                for k, each in zip(some, lot, strict=True):
                    fill_with_lots(each, rngs[k])
                members = sets_by_lot(lot, own, people)
            else:
                members = np.broadcast_to(every[start : start + at_once], (len(some), len(own), people))
            enrolments = (np.arange(len(some))[:, np.newaxis] * n + own).ravel()
            chosen = scores.of_sets(enrolments, members.reshape(-1, people))
            n_hits += isolated(chosen, np.full(len(chosen), fold)).reshape(len(some), -1).sum(axis=1)
        found.append(n_hits / len(rows))
    return np.concatenate(found)


def _tried_in_a_draw(scores: IsolationScores, n: int) -> tuple[IntArray, int]:
    """The enrolments of the sets of n different people, and how many recordings are tested in each."""
    few = IsolationScores.at_once(n, scores.n_calibration)
    rows = np.repeat(np.arange(n), max(1, min(_SETS_OF_A_DRAW, few // n)))
    return rows, max(1, min(len(scores.folds), few // len(rows)))


def _of_draws(
    scores: IsolationScores,
    times: IntArray | CodeArray,
    lot: FloatArray,
    people: int,
    numbers: IntArray,
    rows: IntArray,
    n_folds: int,
) -> FloatArray:
    """π_sing in replicates with these numbers, (g,), of as many different people, by lots (g, sets, n)."""
    g, _, n = lot.shape
    there = np.nonzero(times)[1].reshape(g, n)
    own = np.tile(rows, n_folds)
    members = sets_by_lot(lot, own, min(people, n))
    folds = (numbers[:, np.newaxis] + np.repeat(np.arange(n_folds), len(rows))) % len(scores.folds)
    who = there.take(members + np.arange(0, g * n, n)[:, np.newaxis, np.newaxis])
    hits = isolated(scores.of_sets(there[:, own].ravel(), who.reshape(-1, who.shape[2])), folds.ravel())
    weight = np.take_along_axis(times, there, axis=1).astype(np.float64)[:, rows]
    hit = (hits.reshape(g, n_folds, -1) @ weight[:, :, np.newaxis])[..., 0]
    return np.asarray((hit / weight.sum(axis=1)[:, np.newaxis]).mean(axis=1))


@lru_cache(maxsize=16)  # drawn sets of scores are many, of the same few people
def _all_sets(n: int, people: int) -> tuple[IntArray, IntArray]:
    """All sets of so many of n people, for each enrolment those that its person is in."""
    chosen = np.array(list(combinations(range(n - 1), people - 1)), dtype=np.int64)
    rows = np.repeat(np.arange(n), len(chosen))
    others = np.tile(chosen, (n, 1))
    others += others >= rows[:, np.newaxis]
    return np.column_stack([rows, others]), rows


def _few_sets(n: int, people: int, sets: int) -> bool:
    return comb(n - 1, people - 1) <= sets


def _has_closed_form(n_calibration: int, n: int) -> bool:
    return n_calibration == 1 and n <= _MOST_PEOPLE_EXACTLY


@lru_cache(maxsize=_MOST_PEOPLE_EXACTLY)  # asked for with every recording and number of people
def _pairs_with(own: int, n: int) -> tuple[IntArray, IntArray]:
    """The two highest of every set of n places that `own` is in: it is one of them, or behind both."""
    a, b = np.triu_indices(n, 1)
    keep = a <= own
    keep &= (a == own) | (b <= own)
    return a[keep], b[keep]


def _of_enrolment(test: FloatArray, calibration: FloatArray, own: int, people: int) -> float:
    """The share of all sets with `own` in which exactly one passes, for M = 1; test, calibration (n,).

    The threshold follows from the two highest calibration scores of the set, of a and b, say; all others
    come from those behind b, of whom k pass: a hypergeometric sum for each pair (a, b).
    """
    n = len(test)
    order = np.argsort(-calibration, kind="stable")
    at_own = int(np.flatnonzero(order == own)[0])
    ordered, passed = calibration[order], test[order]
    a, b = _pairs_with(at_own, n)
    threshold = (ordered[a] + ordered[b]) / 2.0
    passes = passed > threshold[:, np.newaxis]
    behind = np.arange(n) > b[:, np.newaxis]
    is_own_behind = at_own > b
    n_behind = n - 1 - b - is_own_behind
    k = (passes & behind).sum(axis=1)
    own_passes = is_own_behind & passes[:, at_own]
    k = k - own_passes
    drawn = people - 2 - is_own_behind
    pairs = np.arange(len(a))
    already = passes[pairs, a].astype(np.int64) + passes[pairs, b] + own_passes
    ways = _binomials(n)
    none = ways[n_behind - k, np.maximum(drawn, 0)]
    one = np.where(drawn >= 1, k * ways[n_behind - k, np.maximum(drawn - 1, 0)], 0.0)
    hits = np.where(already == 1, none, np.where(already == 0, one, 0.0))
    return float(hits[drawn >= 0].sum() / ways[n - 1, people - 1])


@cache
def _binomials(n: int) -> FloatArray:
    """C(i, j) for 0 ≤ i, j ≤ n, 0 where j > i; up to C(128, 64) ≈ 2·10³⁷ to the precision of a float."""
    found = np.zeros((n + 1, n + 1))
    found[:, 0] = 1.0
    for i in range(1, n + 1):
        found[i, 1:] = found[i - 1, 1:] + found[i - 1, :-1]
    return found
