"""Resampling whole speakers: who is drawn how often, and how much each trial then counts.

Trials that share a speaker rise and fall together, so the unit that is drawn again is the speaker with all
of their trials, never a single trial. The same draw serves both sides: somebody drawn twice is there
twice, both as an enrolled speaker and as one who is heard.

How often a trial then counts follows from what such a draw would be if it were made in the world. A speaker
who is drawn w times stands for w different people with the same scores. A nontarget trial of speakers i and j
is then made by each copy of i with each copy of j: w_i·w_j. A target trial of speaker i is made by each copy
with itself: w_i, not w_i², for two copies are two people, whose comparison would be a nontarget trial that
nobody made. (With w_i² those who happen to be drawn often dominate the targets: in simulations with 30
speakers intervals came out 1.5 times too wide, and covered 99 % where 95 % was asked for.) Trials within one
draw are not resampled again, as Davison and Hinkley advise for clusters.

Ref: Bolle, Ratha and Pankanti 2004 (subset bootstrap for biometrics); Poh and Bengio 2007, "Performance
generalization in biometric authentication using joint user-specific and sample bootstraps"; Owen 2007, "The
pigeonhole bootstrap" (products of weights for crossed factors); Davison and Hinkley 1997, section 3.8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark, Severity
from zebra_core.evidence.heard_trials import HeardTrials
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials, speakers_of
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, Ids, IntArray, Trials
from zebra_core.metrics.chance.seeds import MOST_LEFT_OUT, draw_often, left_out
from zebra_core.metrics.similarity import SETTINGS
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.study import n_unknown
from zebra_core.uncertainty.intervals import (
    RATE_AT_ERROR,
    AtError,
    Interval,
    IntervalScale,
    corrected,
    is_spread,
    jackknife_bias,
    no_narrower,
    on_scale,
    percentile,
    without_optimism,
)

FEWEST_CLUSTERS = 3
FEW_CLUSTERS = 20  # below it no interval can be trusted far
_PARTS = 100  # a trial counts in whole numbers: so many times where its pair of speakers has the most trials


class ResamplingUnit(Enum):
    """What is drawn again as a whole."""

    SPEAKER = "speaker"
    TRIAL = "trial"  # where nobody knows who spoke: each trial by itself


@dataclass(frozen=True, eq=False)
class Clusters:
    """What is drawn: `n` clusters, each with a stratum, and the cluster of either side of every trial.

    `enrol` and `test` have shape (n_trials,). Where both sides are of one cluster `test` holds `n`, whose
    weight is always 1, so that a trial counts weight[enrol] · weight[test] times in every case. Draws keep
    the size of each stratum: those with target trials, and those who only stand against others, by side.
    """

    n: int
    enrol: CodeArray
    test: CodeArray
    stratum: IntArray  # shape (n,), numbered from 0 without gaps
    unit: ResamplingUnit
    remarks: tuple[Remark, ...] = ()
    n_unknown: int = 0  # of the clusters are test segments of speakers whom nobody knows
    n_listeners: int = 0  # of the clusters come after the speakers, each judged trials of them
    n_canvases: int = 0  # come last, each has trials of its own
    times: IntArray | None = None  # how often each trial counts, (n_trials,), beside the draws; None: once

    @classmethod
    def of_trials(cls, trials: Trials, speakers: Speakers | None = None) -> Clusters:
        """The speakers of trials: by a map (utt2spk) or a rule on the ids, and by the target trials.

        Two ids are of one speaker where the map or the rule says so, or where a target trial compares them.
        An id of which neither is known is taken for a speaker by itself, and a remark counts them; where the
        trials have no ids at all, each is drawn by itself, and a warning says that this is too narrow.
        Raises InputError where fewer than three are left to draw from.
        """
        trials = in_order(trials)
        if trials.enrol is None or trials.test is None:
            return cls._of_single_trials(trials)
        utt2spk = _as_map(speakers, trials.enrol, trials.test)
        enrol, test = speakers_of(trials.enrol, trials.test, trials.is_target, utt2spk)
        n, unknown = int(max(enrol.max(), test.max())) + 1, n_unknown(trials, utt2spk)
        if n - unknown < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=n - unknown, fewest=FEWEST_CLUSTERS)
        return cls._of_sides(enrol, test, trials.is_target, n, unknown)

    @classmethod
    def of_counts(cls, counts: SpeakerCounts) -> Clusters:
        """The speakers of counts for each pair of speakers; `enrol` and `test` have a value for each pair."""
        n, unknown = len(counts.speakers), counts.n_unknown
        if n - unknown < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=n - unknown, fewest=FEWEST_CLUSTERS)
        return cls._of_sides(counts.enrolled, counts.heard, counts.is_target, n, unknown)

    @classmethod
    def of_heard(cls, heard: HeardTrials) -> Clusters:
        """The speakers of trials that people judged, then these people, then the canvases; each as a whole.

        Of a kind of which there is one that one is always drawn.
        """
        n = len(heard.speakers)
        if n < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
        made = cls._of_sides(heard.first, heard.second, heard.is_target, n, 0)
        beside = len(heard.listeners), len(heard.canvases)
        last = int(made.stratum.max())
        strata = [np.full(count, last + 1 + kind) for kind, count in enumerate(beside)]
        return replace(
            made,
            n=n + sum(beside),
            test=np.where(made.test == n, n + sum(beside), made.test).astype(np.int32),
            stratum=np.concatenate([made.stratum, *strata]),
            n_listeners=beside[0],
            n_canvases=beside[1],
        )

    @classmethod
    def _of_sides(
        cls, enrol: IntArray, test: IntArray, is_target: BoolArray, n: int, unknown: int
    ) -> Clusters:
        in_target, enrolled, heard = (np.zeros(n, dtype=np.int64) for _ in range(3))
        in_target[enrol[is_target]] = 1
        enrolled[enrol] = 1
        heard[test] = 1
        role = np.where(in_target, 0, 1 + enrolled + 2 * heard)
        stratum = np.unique(role, return_inverse=True)[1].astype(np.int64)
        remarks = []
        if unknown:
            remarks.append(Remark("uncertainty-by-id", {"count": unknown}))
        remarks += few_speakers(n - unknown)
        test = np.where(enrol == test, n, test)
        sides = enrol.astype(np.int32), test.astype(np.int32)
        return cls(n, *sides, stratum, ResamplingUnit.SPEAKER, tuple(remarks), unknown)

    @classmethod
    def _of_single_trials(cls, trials: Trials) -> Clusters:
        n = len(trials)
        if n < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
        return cls(
            n,
            np.arange(n, dtype=np.int32),
            np.full(n, n, dtype=np.int32),
            np.where(trials.is_target, 0, 1),
            ResamplingUnit.TRIAL,
            (Remark("uncertainty-single-trials", {}, Severity.WARNING),),
        )

    @classmethod
    def of_speaker_trials(cls, trials: SpeakerTrials) -> Clusters:
        """The speakers of one setting of segments; those of both sides must be known in every trial."""
        n = len(trials.speakers)
        if n < FEWEST_CLUSTERS:
            raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
        test = np.where(trials.enrolled == trials.heard, n, trials.heard).astype(np.int32)
        return cls(n, trials.enrolled, test, np.zeros(n, dtype=np.int64), ResamplingUnit.SPEAKER)

    @classmethod
    def of_several(cls, sets: Sequence[SpeakerTrials]) -> tuple[Clusters, ...]:
        """The speakers of several sets of trials together: who has a name in several is drawn for all.

        Raises InputError where nobody knows who speaks in some trials.
        """
        everybody = {name: n for n, name in enumerate(sorted({who for one in sets for who in one.speakers}))}
        codes = [np.array([everybody[name] for name in one.speakers], dtype=np.int64) for one in sets]
        if any((one.heard == NOBODY_KNOWN).any() for one in sets) or len(everybody) < FEWEST_CLUSTERS:
            raise InputError("speakers-unknown")
        enrol, test = (
            np.concatenate([code[side] for code, side in zip(codes, sides, strict=True)])
            for sides in ([one.enrolled for one in sets], [one.heard for one in sets])
        )
        is_target = np.concatenate([one.is_target for one in sets])
        whole = cls._of_sides(enrol, test, is_target, len(everybody), 0)
        ends = np.cumsum([len(one) for one in sets])[:-1]
        parts = zip(np.split(whole.enrol, ends), np.split(whole.test, ends), strict=True)
        return tuple(replace(whole, enrol=one, test=other) for one, other in parts)

    @property
    def of_people(self) -> Clusters:
        """The same, with every pair of speakers counted alike, however many trials there are of it.

        So a speaker of whom there are many recordings counts as much as one of whom there are few. Itself
        where that is so without.
        """
        pair, sides = np.unique(self.enrol.astype(np.int64) * (self.n + 1) + self.test, return_inverse=True)
        count = np.bincount(sides)
        is_own = pair % (self.n + 1) == self.n
        if all(len(np.unique(of_class)) <= 1 for of_class in (count[is_own], count[~is_own])):
            return self
        return replace(self, times=np.rint(_PARTS * count.max() / count[sides]).astype(np.int64))

    @property
    def n_told(self) -> int:
        """How many speakers there are, or trials: how much is known rests on these alone."""
        return self.n_speakers - self.n_unknown

    @property
    def n_speakers(self) -> int:
        """How many clusters are neither listeners nor canvases."""
        return self.n - self.n_listeners - self.n_canvases

    @property
    def n_fewest(self) -> int:
        """The smallest of the numbers of speakers or trials, listeners and canvases that is above one."""
        return min(n for n in (self.n_told, self.n_listeners, self.n_canvases) if n > 1)

    @property
    def all_once(self) -> CodeArray:
        """The weights that leave everything as it is: ones, shape (n + 1,)."""
        return np.ones(self.n + 1, dtype=np.int32)

    def draw(self, rng: np.random.Generator) -> CodeArray:
        """How often each cluster is drawn, with replacement in its stratum; shape (n + 1,), ending in 1."""
        return np.asarray(self.draw_often(rng, 1)[0])

    def draw_often(self, rng: np.random.Generator, number: int) -> CodeArray:
        """So many draws in a row, (number, n + 1)."""
        return self._with_fixed(draw_often(self.stratum, rng, number))

    def left_out(self) -> Iterator[CodeArray]:
        """The weights of the jackknife: each speaker or trial left out once, or many groups of them."""
        return (self._with_fixed(times[np.newaxis])[0] for times in left_out(self.n_speakers))

    @property
    def n_left_out(self) -> int:
        """How many weights `left_out` yields."""
        return min(self.n_speakers, MOST_LEFT_OUT)

    def of_speakers_alone(self, weight: CodeArray) -> CodeArray:
        """The weights with the same draw of speakers and canvases, and every listener once."""
        alone = weight.copy()
        alone[..., self.n_speakers : self.n_speakers + self.n_listeners] = 1
        return alone

    def _with_fixed(self, times: CodeArray) -> CodeArray:
        """The weights with a 1 at the end for all that is not drawn here and for the side that needs none."""
        fixed = np.ones((len(times), self.n + 1 - times.shape[1]), dtype=np.int32)
        return np.concatenate([times, fixed], axis=1)


def few_speakers(n: int) -> tuple[Remark, ...]:
    """A warning that intervals over so many speakers are rough; none from FEW_CLUSTERS on."""
    if n >= FEW_CLUSTERS:
        return ()
    return (Remark("uncertainty-few-speakers", {"count": n}, Severity.WARNING),)


def _as_map(speakers: Speakers | None, enrol: Ids, test: Ids) -> Mapping[str, str]:
    """Raises InputError for what is neither a map nor a rule: it would be passed over."""
    rules, names = {rule.value: rule for rule in SpeakerRule}, (*enrol.names, *test.names)
    said: object = speakers  # whatever a notebook gives
    if isinstance(said, str):
        said = rules.get(said)
    if isinstance(said, SpeakerRule):
        return {name: said.speaker_of(name) for name in names}
    if speakers is None:
        return {}
    if not isinstance(said, Mapping) or said.keys().isdisjoint(names):
        raise InputError("speakers-of-no-id", rules=", ".join(rules))
    return said


# One figure with its bootstrap draws: its interval, and what it is without bias.


BY_SETTING: Mapping[str, tuple[float, float]] = {
    "d_diag": (0.0, 1.0),
    "d_ece_bits": (0.0, FULL_DISCLOSURE_BITS),
    "min_cllr_bits": (0.0, 1.0),
}
"""Figures of one matrix, in this order, named d_diag_oo and so on; with the range that no interval leaves."""

RELATIVE: Mapping[str, tuple[float, float]] = {
    "de_id": (-np.inf, 1.0),
    "g_vd_db": (-np.inf, np.inf),
    "d_ece_op_oo": (-np.inf, 1.0),
    "min_cllr_op_oo": (-np.inf, 1.0),
    "g_d_ece_db": (-np.inf, np.inf),
    "g_cllr_db": (-np.inf, np.inf),
}
"""Figures of two settings, named as those of `VoiceSimilarity`."""

VOICE_FIGURES: Mapping[str, tuple[float, float]] = {
    **{f"{name}_{setting}": ends for name, ends in BY_SETTING.items() for setting in SETTINGS},
    **RELATIVE,
}
"""Everything that is drawn, with its range."""

_AN_END = 0.1  # of the width of an interval: nearer to an end than that is as good as there
_DUST = 1e-12


@dataclass(frozen=True, eq=False)
class FigureDraws:
    """The plain figure, its draws (R,), and its values with one cluster of `n_clusters` left out (g,).

    NaN stands where a draw could not measure it. `optimistic` figures come from the plain PAV, which makes
    them look better for the attacker than they are. No interval leaves the range from `lowest` to `highest`.
    Figures with a `scale` spread about evenly on it. Intervals hold the figure without optimism; where
    `at_error` says what the figure is where some speakers are not recognised, none ends before that of as
    many speakers without any error (`perfect_separation`). With `leads_as_computed` the plain figure stands
    beside the interval, whatever it is corrected: as those do that it is compared with. `figure` is its key,
    and draws of one `set_of_draws` are pairs; both are empty where nobody knows.
    """

    estimate: float
    draws: FloatArray
    left_out: FloatArray
    n_clusters: int
    optimistic: bool = False
    lowest: float = -np.inf
    highest: float = np.inf
    scale: IntervalScale | None = None
    at_error: Sequence[AtError] = ()
    leads_as_computed: bool = False
    figure: str = ""
    set_of_draws: str = ""

    def interval(self, level: float, first: int | None = None) -> Interval:
        """The interval at this level; `first` takes so many draws only.

        Percentiles on the scale of the figure, or plain ones where hardly any speaker errs; where it has no
        scale, percentiles freed of optimism (`intervals.corrected`) if the figure is optimistic.
        """
        found = self._intervals.get((level, first))
        if found is None:
            found = no_narrower(
                self._of_draws(self.draws[:first], level), self.at_error, self.n_clusters, level
            )
            self._intervals[level, first] = found
        return found

    @cached_property
    def _intervals(self) -> dict[tuple[float, int | None], Interval]:
        """Those that were worked out, by level and number of draws: a report shows one in many places."""
        return {}

    def _of_draws(self, draws: FloatArray, level: float) -> Interval:
        there = draws[~np.isnan(draws)]
        if self.scale is not None and is_spread(there, self.scale, self.highest):
            place = self._without_optimism(draws, self.scale)
            return on_scale(place, there, self.left_out, level, self.n_clusters, self.scale, self._range)
        if self.optimistic and self.scale is None:
            low, high = corrected(self.estimate, draws, self.left_out, level, self.n_clusters, *self._range)
        else:
            low, high = percentile(draws, level, self.n_clusters)
            # Where a scale told no spread: outwards only, by what the draws lie beside the figure.
            aside = self.corrected - there.mean() if self.scale is not None else 0.0
            low, high = low + min(aside, 0.0), high + max(aside, 0.0)
        found = self._in_range(float(low)), self._in_range(float(high))
        return Interval(min(found[0], self.corrected), max(found[1], self.corrected))

    def beside(self, interval: Interval) -> float:
        """The value to show beside this interval: the figure without optimism if that is inside, or as it is.

        As it is, too, where that leads, or where the interval does not bear the correction.
        """
        is_corrected = not self.leads_as_computed and self.bears_correction(interval)
        return self.corrected_shown if is_corrected else self._without_dust(self.estimate)

    def bears_correction(self, interval: Interval) -> bool:
        """Whether the figure without optimism may stand beside this interval.

        Not where both are inside, but with few speakers the one without optimism has come to an end of what
        figures can be: so few do not bear out that nothing is disclosed.
        """
        value = self.corrected
        if value not in interval or self.n_clusters >= FEW_CLUSTERS:
            return value in interval
        end = self.lowest if value < self.estimate else self.highest
        came_to_an_end = abs(value - end) < _AN_END * (interval.high - interval.low)
        return not (came_to_an_end and self.estimate in interval)

    def _without_dust(self, value: float) -> float:
        """The end of what figures can be, where rounding alone keeps a value from it: 0 for 1e-16 bit."""
        return next((end for end in self._range if abs(value - end) < _DUST), value)

    @cached_property
    def corrected(self) -> float:
        """The figure without the PAV's optimism, on its scale or by the jackknife; others as they are.

        It lies within its interval.
        """
        if self.scale is not None:
            return self._without_optimism(self.draws, self.scale)
        bias = float(jackknife_bias(self.estimate, self.left_out)) if self.optimistic else 0.0
        return self._in_range(self.estimate - bias)

    @property
    def corrected_shown(self) -> float:
        """The figure without optimism as it is shown: 0 where rounding alone left 1e-16."""
        return self._without_dust(self.corrected)

    @property
    def _range(self) -> tuple[float, float]:
        return self.lowest, self.highest

    def _without_optimism(self, draws: FloatArray, scale: IntervalScale) -> float:
        there = draws[~np.isnan(draws)]
        return without_optimism(self.estimate, there, scale, self._range, optimistic=self.optimistic)

    def _in_range(self, value: float) -> float:
        return min(max(value, self.lowest), self.highest)


def rate_draws(rate: float, draws: FloatArray, left_out: FloatArray, n_people: int) -> FigureDraws | None:
    """A rate of people with its draws, whose interval is made on the logit; None where none was measured."""
    if np.isnan(draws).all():
        return None
    return FigureDraws(rate, draws, left_out, n_people, False, 0.0, 1.0, IntervalScale.LOGIT, RATE_AT_ERROR)


def rate_interval(
    rate: float, draws: FloatArray, left_out: FloatArray, n_people: int, level: float
) -> Interval | None:
    """The interval of `rate_draws` at this level; None where no draw could be measured."""
    found = rate_draws(rate, draws, left_out, n_people)
    return found.interval(level) if found else None


# A figure with its draws, worked out because a requirement asks for a bound of it.


@dataclass(frozen=True, eq=False)
class BoundedFigure:
    """The draws of a figure; None where it cannot be measured in these trials, for the reason `why`.

    `chance` is what guessing reaches, None where nobody guesses.
    """

    draws: FigureDraws | None
    chance: float | None = None
    why: Remark | None = None

    def as_json(self, level: float) -> dict[str, object]:
        """The object in evidence: its value, its interval at this level, and how many draws there are."""
        ends = self.draws.interval(level) if self.draws else None
        return {
            "value": self.draws.estimate if self.draws else None,
            "interval": [ends.low, ends.high] if ends else None,
            "replicates": len(self.draws.draws) if self.draws else None,
            "chance": self.chance,
        }
