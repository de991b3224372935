"""Whether safeguards really differ: paired comparisons on the same trials, with the same speakers drawn."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import scipy

from zebra_core.errors import InputError
from zebra_core.evidence.heard_trials import HeardTrials, Resamplable, with_the_same_listeners
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.speaker_trials import SpeakerCounts, SpeakerTrials
from zebra_core.evidence.trials import Ids, IntArray, Trials
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.chance.multiple_testing import Family, holm
from zebra_core.metrics.registry import DRAWN, PairedFamily
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import (
    BootstrapSettings,
    Uncertainty,
    bootstrap_together,
    clusters_of,
)
from zebra_core.uncertainty.intervals import (
    BoundedScale,
    Interval,
    difference_in_words,
    difference_with_interval,
    within_scale,
)
from zebra_core.uncertainty.resampling import Clusters, FigureDraws
from zebra_core.wording.texts import say, written

TESTED = tuple(key for key, drawn in DRAWN.items() if drawn.tested_with)
"""The figures of assessments whose pairs are tested, those of one `PairedFamily` together. A maximum does not
resample: the worst case, tags and shares at a tag are not tested."""

STRONGEST = "d_ece_strongest_bits"
"""D_ECE of whichever reading of the scores is borne out to disclose most, as given or normalised."""

TESTED_OF_VOICES = ("de_id", "g_vd_db")
"""Those of matrices, a family of their own."""

FEWEST_SPEAKERS = 8  # with fewer no test holds its level


@dataclass(frozen=True)
class Difference:
    """By how much a figure of one assessment exceeds that of another, without the optimism of small sets.

    Test and interval are one: the interval at the level of each test of the `family` leaves 0 out where the
    p-value is at most its share.
    """

    figure: str
    first: int  # places in the order of what was compared, from 0
    second: int
    value: float  # first − second
    interval: Interval  # corrected for the family
    p_value: float  # of this test alone; NaN where it is not tested
    family: Family
    n_clusters: int  # speakers, mostly; where people listened, of the kind of which there are fewest

    @property
    def is_tested(self) -> bool:
        """Whether the figure is among those that are tested, and there are speakers enough."""
        return not math.isnan(self.p_value)

    @property
    def has_too_few(self) -> bool:
        """Whether too few speakers take part for any test."""
        return self.n_clusters < FEWEST_SPEAKERS

    @property
    def is_settled(self) -> bool:
        """Whether the two differ by more than the speakers who happened to take part explain."""
        return self.is_tested and 0.0 not in self.interval

    @property
    def p_adjusted(self) -> float:
        """The p-value adjusted for the family of tests, to be held against 5 %."""
        return self.family.adjusted(self.p_value)

    @property
    def in_words(self) -> str:
        """The difference with its interval, to digits that fit it: "−0.021 ± 0.008 bit"."""
        return difference_with_interval(self.figure, self.value, self.interval)

    def sentence(self, names: Sequence[str]) -> str:
        """Who discloses more, and whether that is settled; `names` in the order of what was compared."""
        if self.has_too_few:
            outcome = "too-few"
        elif not self.is_tested:
            outcome = "not-tested"
        else:
            outcome = "settled" if self.is_settled else "open"
        shown = within_scale(self.figure, self.interval)
        return say(
            f"difference.{outcome}",
            first=names[self.first],
            second=names[self.second],
            value=difference_in_words(self.figure, self.value),
            low=difference_in_words(self.figure, shown.low),
            high=difference_in_words(self.figure, shown.high),
            p=p_in_words(self.p_adjusted),
            count=self.n_clusters,
            fewest=FEWEST_SPEAKERS,
        )


@dataclass(frozen=True)
class Ranking:
    """The order of what was compared by one figure, ascending, and what of it is settled.

    `values` are the figures as they stand, in the order of what was compared; `differences` are those of
    all pairs.
    """

    figure: str
    values: tuple[float, ...]
    differences: tuple[Difference, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The places of what was compared, ascending by the figure; equal ones as they were given."""
        return tuple(sorted(range(len(self.values)), key=lambda k: self.values[k]))

    @property
    def settled(self) -> tuple[bool, ...]:
        """Whether the difference of the k-th of the order and the next is settled, for each k."""
        by_pair = self._by_pair
        return tuple(by_pair[frozenset(pair)].is_settled for pair in pairwise(self.order))

    @property
    def ranks(self) -> tuple[tuple[int, int], ...]:
        """The best and the worst rank of each, from 1, that the settled differences leave open."""
        among = self.ranks_among(range(len(self.values)))
        return tuple(among[k] for k in range(len(self.values)))

    def ranks_among(self, places: Collection[int]) -> dict[int, tuple[int, int]]:
        """The best and the worst rank of each of these places among them; corrected for all pairs anyway."""
        order, by_pair = [k for k in self.order if k in places], self._by_pair
        return {k: _ranks(k, order, by_pair) for k in order}

    @property
    def _by_pair(self) -> dict[frozenset[int], Difference]:
        return {frozenset((each.first, each.second)): each for each in self.differences}


def bootstrap_paired(
    assessed: Sequence[tuple[Resamplable, Assessment]],
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
) -> tuple[Uncertainty, ...]:
    """Intervals for each of several assessments of the same trials, whose draws are pairs.

    Parameters
    ----------
    `assessed`
        The trials, or counts, with their assessments. Trials are the same where enrolments, test segments and
        labels are, in any order; of counts and answers, where each pair of speakers has as many.
    `settings`, `speakers`, `on_progress`
        As in `bootstrap`.

    Returns
    -------
    tuple of Uncertainty
        Those of each assessment, in their order.

    Raises
    ------
    InputError
        Where trials are not the same, or have no ids to tell by.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, Trials, assess, bootstrap_paired
    >>> enrol, test = np.divmod(np.arange(144), 12)  # 12 speakers, each against each
    >>> same = enrol == test
    >>> noise = np.random.default_rng(0).normal(size=144)
    >>> pairs = []
    >>> for by in (2.0, 0.5):  # a weak safeguard, and a strong one
    ...     trials = Trials.from_arrays(
    ...         score=noise + by * same, is_target=same, enrol=enrol, test=test
    ...     )
    ...     pairs.append((trials, assess(trials)))
    >>> found = bootstrap_paired(pairs, BootstrapSettings(200))
    >>> of_weak, of_strong = (each.figures["rocch_eer"].draws for each in found)
    >>> float((of_strong > of_weak).mean())  # the share of draws
    1.0
    """
    (first, _), *others = assessed
    alike = _by_the_same_listeners([first, *(alike_in_order(trials, first) for trials, _ in others)])
    pairs = [(trials, known) for trials, (_, known) in zip(alike, assessed, strict=True)]
    return bootstrap_together(
        pairs, clusters_of(alike[0], speakers), settings or BootstrapSettings(), on_progress
    )


def joint_difference(
    figure: str,
    now: tuple[Trials, Assessment],
    then: tuple[Trials, Assessment],
    named: Sequence[SpeakerTrials],
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> Difference:
    """By how much a figure is another on other trials, some of whose people are the same.

    Everybody of either is drawn for both: who is in one alone moves one alone. `named` are both with their
    speakers. Raises InputError where speakers are not known.
    """
    own = Clusters.of_several(named)
    drawn = bootstrap_together([now, then], own[0], settings, on_progress, own=own)
    (found,) = ranking(figure, [each.figures[figure] for each in drawn], settings.level).differences
    return found


def ranking(
    figure: str, compared: Sequence[FigureDraws], level: float = 0.95, *, has_strongest: bool = False
) -> Ranking:
    """Compare each with each, and say which ranks are settled.

    The family of tests are all pairs by all figures of one family (or of TESTED_OF_VOICES), whichever of them
    this is: over all of them at most 1 − level of the comparisons without a difference are called settled.

    Parameters
    ----------
    `figure`
        One of TESTED (or TESTED_OF_VOICES), such as "d_ece_bits".
    `compared`
        Its draws, of two at least. They must be pairs, as `bootstrap_paired`, and `voices_bootstrap` of the
        same speakers in one order, make them.
    `level`
        The level of the whole family, between 0 and 1.
    `has_strongest`
        Whether D_ECE by the strongest readings is tested, too.

    Returns
    -------
    Ranking
        The order, ascending, and what of it is settled.

    Raises
    ------
    InputError
        For a name that no figure has, draws of another figure, and draws that are no pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, Trials, assess, bootstrap_paired, ranking
    >>> enrol, test = np.divmod(np.arange(1600), 40)  # 40 speakers, each against each
    >>> same = enrol == test
    >>> noise = np.random.default_rng(0).normal(size=1600)
    >>> pairs = []
    >>> for by in (2.0, 0.5):  # a weak safeguard, and a strong one
    ...     trials = Trials.from_arrays(
    ...         score=noise + by * same, is_target=same, enrol=enrol, test=test
    ...     )
    ...     pairs.append((trials, assess(trials)))
    >>> drawn = bootstrap_paired(pairs, BootstrapSettings(200))
    >>> ranked = ranking("d_ece_bits", [each.figures["d_ece_bits"] for each in drawn])
    >>> ranked.order, ranked.settled, ranked.ranks  # the second discloses less
    ((1, 0), (True,), ((2, 2), (1, 1)))
    >>> ranked.differences[0].in_words
    '0.34 (0.21 … 0.48) bit'
    """
    known = (*TESTED, STRONGEST, *TESTED_OF_VOICES)
    if figure not in (*known, *DRAWN):
        raise InputError("no-such-figure", found=figure, known=", ".join(known))
    meant = "d_ece_bits" if figure == STRONGEST else figure
    if others := {draws.figure for draws in compared} - {"", meant}:
        raise InputError("ranking-other-figure", figure=figure, found=", ".join(sorted(others)))
    if len({draws.set_of_draws for draws in compared} - {""}) > 1:
        raise InputError("ranking-no-pairs")
    pairs = list(combinations(range(len(compared)), 2))
    family = family_of(figure, len(compared), level, has_strongest=has_strongest)
    differences = tuple(_difference(figure, i, j, compared, family) for i, j in pairs)
    return Ranking(figure, tuple(draws.estimate for draws in compared), differences)


def family_of(figure: str, n_compared: int, level: float = 0.95, *, has_strongest: bool = False) -> Family:
    """The tests that are made together with those of this figure; `has_strongest` as in `ranking`."""
    if figure in TESTED_OF_VOICES:
        return Family.of_pairs(n_compared, len(TESTED_OF_VOICES), level)
    tested_with = DRAWN[figure].tested_with if figure in DRAWN else None
    joined = tested_with or PairedFamily.DISCLOSURE
    together = sum(drawn.tested_with is joined for drawn in DRAWN.values())
    together += has_strongest and joined is PairedFamily.DISCLOSURE
    return Family.of_pairs(n_compared, together, level)


def _difference(figure: str, i: int, j: int, compared: Sequence[FigureDraws], family: Family) -> Difference:
    """Student's interval about the difference, and its inversion, with a degree of freedom a speaker but one.

    The spread of R draws is known to 1/√(2R) of itself, 2 % for 1000, whatever the level: unlike percentiles
    it needs no more draws for the small tails that a family leaves to each. Ref: Efron and Tibshirani 1993,
    section 12.2; Davison and Hinkley 1997, section 5.2.
    """
    one, other = compared[i], compared[j]
    value, n = one.corrected - other.corrected, one.n_clusters
    error = error_of_difference(one, other)
    half = float(scipy.special.stdtrit(n - 1, 0.5 + family.level_of_each / 2.0)) * error
    p_value = math.nan
    if n >= FEWEST_SPEAKERS and figure in (*TESTED, STRONGEST, *TESTED_OF_VOICES):
        tail = float(scipy.special.stdtr(n - 1, -abs(value) / error)) if error > 0.0 else 0.5 * (value == 0.0)
        p_value = 2.0 * tail
    return Difference(figure, i, j, value, Interval(value - half, value + half), p_value, family, n)


def error_of_difference(one: FigureDraws, other: FigureDraws) -> float:
    """The standard error of the difference of figures whose draws are pairs; NaN where there are no draws.

    It is that of their difference on the scale of the figure, where draws spread alike near an end and far
    from it, times the slope of the secant between the two: on the plain scale, near full disclosure, three
    safeguards that were alike were told apart in 13 instead of 5 % of pairs.
    """
    n = min(len(one.draws), len(other.draws))
    there = ~np.isnan(one.draws[:n]) & ~np.isnan(other.draws[:n])
    draws = [each.draws[:n][there] for each in (one, other)]
    if len(draws[0]) < 2:
        return math.nan
    if one.scale is None:
        return float(np.std(draws[0] - draws[1], ddof=1))
    places = [one.corrected, other.corrected]
    straight = BoundedScale.of(one.scale, one.highest, np.concatenate([*draws, places]))
    error = float(np.std(straight.there(draws[0]) - straight.there(draws[1]), ddof=1))
    return error * straight.slope(*places)


def p_in_words(p_value: float) -> str:
    """A p-value with its sign: "= 0.012", or "< 0.001"."""
    return f"= {written(p_value, '.3f')}" if p_value >= 0.001 else f"< {written(0.001, 'g')}"


def _ranks(k: int, order: Sequence[int], by_pair: Mapping[frozenset[int], Difference]) -> tuple[int, int]:
    place = order.index(k)
    below = sum(by_pair[frozenset((k, other))].is_settled for other in order[:place])
    above = sum(by_pair[frozenset((k, other))].is_settled for other in order[place + 1 :])
    return 1 + below, len(order) - above


def alike_in_order(trials: Resamplable, like: Resamplable) -> Resamplable:
    """Trials, or counts, in the order of `like`. Raises InputError where the two are not the same trials."""
    if isinstance(trials, Trials) and isinstance(like, Trials):
        return aligned(trials, like)
    if isinstance(trials, SpeakerCounts) and isinstance(like, SpeakerCounts):
        return trials.aligned(like)
    if isinstance(trials, HeardTrials) and isinstance(like, HeardTrials):
        return trials.aligned(like)
    raise InputError("difference-counts-and-trials")


def _by_the_same_listeners(alike: Sequence[Resamplable]) -> list[Resamplable]:
    """Trials with the listeners of all, where people listened: somebody who is drawn is drawn for all."""
    heard = [one for one in alike if isinstance(one, HeardTrials)]
    return [*with_the_same_listeners(heard)] if heard else [*alike]


def aligned(trials: Trials, like: Trials) -> Trials:
    """Trials in the order of `like`. Raises InputError where one has no ids, or they are not the same."""
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


# Whether a figure differs between sets of different people, each drawn by itself.
#
# Nobody is in two of them, so nothing is paired: the variance of a difference is the sum of both. What each
# figure adds is taken from its own interval, on the side of the other figure, where it may be wider than on
# its far side; so the test knows of the scale of the figure, and of errors that nobody happened to make. Ref:
# Zou and Donner 2008, "Construction of confidence limits about effect measures" (variances from intervals);
# Welch 1947 (freedom); Holm 1979.


_LEVEL = 0.95  # of the intervals that variances are taken from: how often these hold the truth was simulated


@dataclass(frozen=True)
class IndependentDifference:
    """By how much a figure of one set exceeds that of another, without the optimism of small sets.

    `first` and `second` are places in what was compared, from 0. `p_value` is that of this test alone,
    `p_family` corrected for all that were made together.
    """

    figure: str
    first: int
    second: int
    value: float  # first − second
    p_value: float
    p_family: float
    level: float = 0.95

    @property
    def is_settled(self) -> bool:
        """Whether the two differ by more than the people who happened to take part explain."""
        return self.p_family <= 1.0 - self.level


def independent_differences(
    compared: Sequence[Mapping[str, FigureDraws]], figures: Sequence[str], level: float = 0.95
) -> tuple[IndependentDifference, ...]:
    """All pairs by all of these figures that both have, corrected together; figure by figure.

    `compared` has the draws of each set by figure.
    """
    found = []
    for figure in figures:
        for i, j in combinations(range(len(compared)), 2):
            if figure in compared[i] and figure in compared[j]:
                value, p_value = independent_test(*(_stated(compared[place][figure]) for place in (i, j)))
                found.append(IndependentDifference(figure, i, j, value, p_value, p_value, level))
    corrected = holm([each.p_value for each in found])
    return tuple(replace(each, p_family=p) for each, p in zip(found, corrected, strict=True))


class StatedFigure(NamedTuple):
    """A figure with the ends of its interval at a level, and how many people it rests on."""

    value: float
    low: float
    high: float
    people: int
    level: float


def _stated(draws: FigureDraws) -> StatedFigure:
    interval = draws.interval(_LEVEL)
    return StatedFigure(draws.corrected, interval.low, interval.high, draws.n_clusters, _LEVEL)


def independent_test(one: StatedFigure, other: StatedFigure) -> tuple[float, float]:
    """The difference of two figures of different people, and its p-value by Welch's test."""
    value = one.value - other.value
    lower, upper = (one, other) if value < 0.0 else (other, one)
    ends = lower.high - lower.value, upper.value - upper.low
    freedom = [max(each.people - 1, 1) for each in (lower, upper)]
    variances = [
        (end / float(scipy.special.stdtrit(free, 0.5 + each.level / 2.0))) ** 2
        for each, end, free in zip((lower, upper), ends, freedom, strict=True)
    ]
    total = sum(variances)
    if not total > 0.0:
        return value, 1.0  # no spread is known, so nothing is told
    welch = total**2 / sum(each**2 / free for each, free in zip(variances, freedom, strict=True))
    return value, 2.0 * float(scipy.special.stdtr(welch, -abs(value) / math.sqrt(total)))
