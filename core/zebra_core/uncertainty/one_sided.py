"""Bounds on one side: up to where a figure may lie at a stated confidence, and how many speakers decide.

A one-sided bound at 95 % is the end of a two-sided interval at 90 %, by the rules of `draws`: on the scale of
the figure, without the optimism of small sets, in tails widened for few speakers. Tails as small as many rows
leave to each have few draws in them; so the same bound is worked out by Student's t from the spread of the
draws, too, and the outer one of the two is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.speakers.disclosure import FEWEST_SEGMENTS, SpeakerDisclosures
from zebra_core.speakers.exposure import recalibrated
from zebra_core.uncertainty.intervals import (
    BoundedScale,
    Interval,
    freedom,
    is_spread,
    no_narrower,
    percentile,
)
from zebra_core.uncertainty.mean_bounds import lower_mean, probability_of_so_little, upper_mean
from zebra_core.uncertainty.reidentification import PoolRanks
from zebra_core.uncertainty.resampling import FigureDraws

FEWEST_DRAWS = 100  # with fewer no bound is given
MOST_TIMES = 32  # so many times as many speakers are looked at
DECIDED_IN = 0.8  # of the simulated continuations
_IN_TAIL = 20  # draws, beyond a quantile that is relied upon
_STEPS = (
    1.1,
    1.25,
    1.5,
    1.75,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    6.0,
    8.0,
    10.0,
    12.0,
    16.0,
    20.0,
    24.0,
    float(MOST_TIMES),
)
_GRID = (np.arange(400) + 0.5) / 400.0


def one_sided(draws: FigureDraws, confidence: float) -> Interval:
    """The lower and the upper bound of a figure, each at this confidence (above a half) by itself."""
    found = draws.interval(2.0 * confidence - 1.0)
    spread = Spread.of(draws)
    low, high = (
        float(np.clip(spread.back(end), draws.lowest, draws.highest)) for end in spread.bounds(confidence)
    )
    outer = Interval(min(found.low, low), max(found.high, high))
    return no_narrower(outer, draws.at_error, draws.n_clusters, confidence)


def confidence_of_each(drawn: Sequence[FigureDraws], confidence: float) -> float:
    """At which confidence bounds of several figures, of draws that are pairs, hold all at once at this one.

    By the largest of their standardised deviations in each draw, on either side; so figures that go up and
    down together cost little. Never more than Bonferroni's; tails that have too few draws in them are taken
    as the smallest that has enough. Ref: Romano and Wolf 2005, "Stepwise multiple testing as formalized data
    snooping".
    """
    bonferroni = 1.0 - (1.0 - confidence) / max(1, len(drawn))
    count = min((len(each.draws) for each in drawn), default=0)
    together = np.array([each.draws[:count] for each in drawn])
    there = ~np.isnan(together).any(axis=0) if count else np.zeros(0, np.bool_)
    if len(drawn) < 2 or there.sum() <= _IN_TAIL:
        return bonferroni
    moved = [Spread.of(replace(each, draws=each.draws[:count][there])).deviations for each in drawn]
    apart = [each / each.std() for each in moved if each.std() > 0.0]
    if not apart:
        return confidence
    level = min(confidence, 1.0 - _IN_TAIL / there.sum())
    highest = max(np.quantile(np.max(np.multiply(side, apart), axis=0), level) for side in (1.0, -1.0))
    times = (1.0 - level) / float(scipy.special.ndtr(-highest))  # as many as are not alike
    return float(min(1.0 - (1.0 - confidence) / max(1.0, times), bonferroni))


@dataclass(frozen=True, eq=False)
class Spread:
    """A figure on the scale where its draws spread about evenly: its place, and how they lie about it.

    `deviations` (R,) are of n speakers, and have a mean of 0.
    """

    place: float
    deviations: FloatArray
    n: int
    freedom: float
    there: Callable[[float], float]  # from the figure to the scale, which ascends
    back: Callable[[float], float]

    @classmethod
    def of(cls, draws: FigureDraws) -> Spread:
        """The spread of a figure, from its draws."""
        values = draws.draws[~np.isnan(draws.draws)]
        place, left_out = draws.corrected, draws.left_out
        if draws.scale is None or not is_spread(values, draws.scale, draws.highest):
            return cls(
                place, values - values.mean(), draws.n_clusters, freedom(left_out), lambda x: x, lambda x: x
            )
        straight = BoundedScale.of(draws.scale, draws.highest, np.append(values, place))
        moved = straight.there(values)
        return cls(
            float(straight.there(place)),
            moved - moved.mean(),
            draws.n_clusters,
            freedom(straight.there(left_out)),
            lambda x: float(straight.there(x)),
            lambda x: float(straight.back(x)),
        )

    @classmethod
    def of_difference(cls, value: float, error: float, n: int) -> Spread:
        """The spread of a difference whose standard error is known, normal about its value."""
        return cls(value, error * scipy.special.ndtri(_GRID), n, float(n - 1), lambda x: x, lambda x: x)

    def bounds(self, confidence: float) -> tuple[float, float]:
        """Lower and upper bound on the scale, each at this confidence, by Student's t."""
        half = float(scipy.special.stdtrit(self.freedom, confidence)) * self._error(self.n)
        return self.place - half, self.place + half

    def decided_share(self, n: int, below: float, met_at: float, missed_at: float) -> float:
        """In which share of continuations up to n speakers, n ≥ those there are, a bound is decided.

        Those there are stay, and further ones come from a population as far from them as they leave open: the
        place moves by ((n − self.n)/n)^½ of its error. `below` is the bound, on the scale, below which the
        figure must lie with confidence `met_at`; above it, it must with `missed_at`. Ref: Spiegelhalter,
        Freedman and Blackburn 1986, "Monitoring clinical trials: conditional or predictive power?"
        """
        kept = math.sqrt((n - self.n) / n)
        places = self.place + self.deviations * kept
        met, missed = self._halves(n, met_at)[1], self._halves(n, missed_at)[0]
        return float(np.mean((places + met <= below) | (places - missed > below)))

    def _halves(self, n: int, confidence: float) -> tuple[float, float]:
        """How far either bound of n speakers lies off: the outer one of both rules, as in `one_sided`."""
        student = float(scipy.special.stdtrit(n - 1, confidence)) * self._error(n)
        ends = percentile(self.deviations, 2.0 * confidence - 1.0, n, self.freedom * n / self.n)
        low, high = (float(end) * math.sqrt(self.n / n) for end in ends)
        return max(student, -low), max(student, high)

    def _error(self, n: int) -> float:
        """The standard error for n speakers; division by n in the draws is made up for."""
        own = float(np.std(self.deviations)) * math.sqrt(self.n / (self.n - 1.0))
        return own * math.sqrt(self.n / n)


def more_speakers(
    spread: Spread, bound: float, *, met_at: float, missed_at: float, is_upper: bool
) -> int | None:
    """How many more speakers like these decide a bound in four of five simulated continuations.

    `is_upper`: the figure must not lie above the bound, else not below it. None where even 32 times as many
    do not.
    """
    below = spread.there(bound)
    if not is_upper:
        spread = Spread(
            -spread.place, -spread.deviations, spread.n, spread.freedom, spread.there, spread.back
        )
        below = -below
    for times in _STEPS:
        n = math.ceil(spread.n * times)
        if n > spread.n and spread.decided_share(n, below, met_at, missed_at) >= DECIDED_IN:
            return n - spread.n
    return None


# Bounds of what every single person discloses: their exposure, and how often their recordings are linked.
#
# A requirement of everybody is met where the one-sided bound of each person holds, uncorrected (Berger 1982,
# intersection-union tests), and not met where somebody lies beyond: of linking corrected for the number of
# people (Holm 1979, whose first step that is). Nothing is said of people who were not heard.


DEVIATES = np.linspace(-5.0, 5.0, 81)
"""How many standard errors mean scores are moved, where exposures are kept for bounds at any confidence."""

_TIMES = np.geomspace(MOST_TIMES, 1.0, 81)  # as many recordings of each, which are tried


@dataclass(frozen=True, eq=False)
class ExposureBounds:
    """Exposures of p people, each of so many recordings, (p,).

    `bits` (p, d) has them where mean scores are moved by each of `DEVIATES`, ascending in each row, under the
    calibration of these people, and `error`, (p,), what others would make of that. Bounds are those of
    `MostExposed`: the highest upper one holds of the most exposed, whoever that is, and so does the highest
    lower one, since estimates are shrunk as far as the highest of so many lies too high.
    """

    recordings: IntArray
    bits: FloatArray
    error: FloatArray

    @property
    def value(self) -> FloatArray:
        """The estimates."""
        return np.asarray(self.bits[:, len(DEVIATES) // 2])

    @property
    def are_enough(self) -> BoolArray:
        """Of whom there are so many recordings that something is known of new ones, (p,)."""
        return self.recordings >= FEWEST_SEGMENTS

    def upper(self, confidence: float, times: float = 1.0) -> FloatArray:
        """What mean scores so far above would disclose, also of so many times as many recordings."""
        return self._at(float(scipy.special.ndtri(confidence)), times)

    def lower(self, confidence: float, times: float = 1.0) -> FloatArray:
        """What mean scores so far below would disclose; nothing of too few recordings."""
        found = self._at(-float(scipy.special.ndtri(confidence)), times)
        return np.where(self.recordings * times >= FEWEST_SEGMENTS, found, 0.0)

    def recordings_needed(self, bound: float, confidence: float, corrected: float) -> FloatArray:
        """Of how many recordings like theirs a bound would lie on the same side as the exposure.

        The upper one at `confidence`, the lower one at `corrected`; ∞ where 32 times as many would not do.
        Standard errors fall with the root of the number of recordings, that of the calibration does not.
        """
        found = np.full(len(self.recordings), np.inf)
        for times in _TIMES.tolist():
            does = (self.upper(confidence, times) <= bound) | (self.lower(corrected, times) > bound)
            found[does] = np.ceil(self.recordings[does] * times)
        return found

    def _at(self, deviate: float, times: float) -> FloatArray:
        end = np.array([np.interp(deviate / np.sqrt(times), DEVIATES, row) for row in self.bits])
        return recalibrated(deviate, self.value, end, self.error)


@dataclass(frozen=True, eq=False)
class LinkageBounds:
    """How often the recordings of each of p people are linked among `people`: sums of probabilities, (p,)."""

    recordings: IntArray
    total: FloatArray
    people: int
    n_unknown: int = 0  # people of whom no recording was compared with everybody

    @property
    def value(self) -> FloatArray:
        """The means."""
        return self.total / self.recordings

    def upper(self, confidence: float) -> FloatArray:
        """See `mean_bounds`: right for the few and uneven fractions that these are."""
        return self._by_number(lambda total, n: upper_mean(total, n, confidence))

    def lower(self, confidence: float) -> FloatArray:
        """See `mean_bounds`."""
        return self._by_number(lambda total, n: lower_mean(total, n, confidence))

    def p_above(self, bound: float) -> FloatArray:
        """The p-values of means that are at most `bound`."""

        def p(total: FloatArray, n: int) -> FloatArray:
            return probability_of_so_little(n - total, n, np.full(len(total), 1.0 - bound))

        return self._by_number(p)

    def recordings_needed(self, bound: float, confidence: float, corrected: float) -> FloatArray:
        """Of how many recordings with the same mean a bound would lie on its side; ∞ as of exposures."""
        found = np.full(len(self.total), np.inf)
        for times in _TIMES:
            many = np.ceil(self.recordings * times).astype(np.int64)
            more = LinkageBounds(many, self.value * many, self.people)
            does = (more.upper(confidence) <= bound) | (more.p_above(bound) <= 1.0 - corrected)
            found[does] = many[does]
        return found

    def _by_number(self, of: Callable[[FloatArray, int], FloatArray]) -> FloatArray:
        """What becomes of the sums of all people with the same number of recordings, and that number."""
        found = np.empty(len(self.total))
        for n in np.unique(self.recordings).tolist():
            at = self.recordings == n
            found[at] = of(self.total[at], n)
        return found


EverybodysBounds = ExposureBounds | LinkageBounds


@dataclass(frozen=True, eq=False)
class PeopleBounds:
    """What every single person discloses; None of what nobody knows, or of what nobody can tell.

    `linkage` is among all who are enrolled, then among as many as were asked for; empty where that cannot be
    determined. `bits_apart` has the exposures of those who stand out from the others, (k,).
    """

    exposure: ExposureBounds | None
    linkage: tuple[LinkageBounds, ...]
    bits_apart: FloatArray | None

    @property
    def n_enrolled(self) -> int | None:
        """Among how many people somebody can be linked at most; None where that cannot be determined."""
        return self.linkage[0].people if self.linkage else None

    def linkage_among(self, people: int | None) -> LinkageBounds | None:
        """The bounds of linkage among so many, None for all; None where there are none."""
        wanted = self.n_enrolled if people is None else people
        return next((one for one in self.linkage if one.people == wanted), None)

    @classmethod
    def of(
        cls,
        exposed: SpeakerDisclosures,
        ranks: PoolRanks | None = None,
        n_enrolled: int = 0,
        among: Collection[int] = (),
    ) -> PeopleBounds:
        """The bounds of people whose disclosure is known; of linking single recordings among all enrolled.

        Also among these numbers of people, as far as so many are enrolled.
        """
        exposure = bits_apart = None
        linkage: tuple[LinkageBounds, ...] = ()
        if exposed.exposures.shrunk is not None:
            recordings = np.array([row.n_segments for row in exposed.speakers])
            of, codes = exposed.exposures, exposed.codes
            bits = [of.at(one) if one < 0.0 else of.outer(one) for one in DEVIATES.tolist()]
            exposure = ExposureBounds(recordings, np.array(bits).T[codes], of.calibration_error[codes])
        if exposed.chance.can_be_told:
            bits_apart = np.array([row.estimate_bits for row in exposed.speakers if row.stands_out])
        if ranks is not None:
            fewer = sorted({people for people in among if people < n_enrolled})
            n_heard = sum(row.n_segments > 0 for row in exposed.speakers)
            linkage = tuple(_linkage(ranks, n_enrolled, people, n_heard) for people in (n_enrolled, *fewer))
        return cls(exposure, linkage, bits_apart)

    @property
    def n_apart(self) -> int | None:
        """How many people are not as the others; None where nobody can tell."""
        return None if self.bits_apart is None else len(self.bits_apart)


def _linkage(ranks: PoolRanks, n_enrolled: int, people: int, n_heard: int) -> LinkageBounds:
    """The bounds among so many of those enrolled, of `n_heard` people who are heard."""
    recordings, total = ranks.by_session(n_enrolled, people)
    known = recordings > 0
    return LinkageBounds(recordings[known], total[known], people, max(0, n_heard - int(known.sum())))
