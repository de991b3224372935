"""What is told of attributes, with intervals over speakers and what dealt attributes show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.chance.permutation import band, exchanged
from zebra_core.metrics.chance.seeds import Purpose, draw, generator, left_out
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.inference import (
    AttributePairs,
    Guesses,
    accuracy,
    accuracy_chance,
    attribute_disclosure,
    mutual_information_bits,
    unweighted_average_recall,
    unweighted_average_recall_chance,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import AT_ERROR, Interval, IntervalScale, most_errors, on_scale
from zebra_core.uncertainty.linking_points import above_guessing
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS, FigureDraws, rate_draws, rate_interval

DEALS = 99
"""Sets whose attributes were dealt out among the speakers."""

_ROUNDING = 1e-9  # bits

Figure = Callable[[IntArray | None, IntArray | None], float | None]
"""A figure by how often each speaker is there and by the attributes; None for both: as observed."""


@dataclass(frozen=True)
class AttributeFigure:
    """A figure, what it is without listening, its interval, and what dealt attributes show.

    `interval` is None where nobody asked, or a value has fewer than three speakers. Between the ends of
    `undisclosed` lie 95 % of the sets whose attributes were dealt out among the speakers.
    """

    value: float
    chance: float
    interval: Interval | None
    undisclosed: tuple[float, float]

    def as_json(self) -> dict[str, object]:
        """The object that `zebra assess --json` prints for a figure; keys and their order are a promise."""
        low, high = self.undisclosed
        return {
            "value": self.value,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "chance": self.chance,
            "undisclosed_low": low,
            "undisclosed_high": high,
            "above_guessing": self.above_guessing,
        }

    @property
    def above_guessing(self) -> float | None:
        """How far a rate lies above guessing; None of bits, which nobody guesses."""
        return above_guessing(self.value, self.chance) if self.chance else None


@dataclass(frozen=True)
class Inference:
    """What a recogniser of an attribute told of so many recordings of so many speakers.

    The mutual information is adjusted for chance (`adjusted`), and so is its band; beside it as computed.
    """

    accuracy: AttributeFigure
    unweighted_average_recall: AttributeFigure
    mutual_information_bits: AttributeFigure
    mutual_information_as_computed_bits: float
    n_speakers: int
    n_recordings: int

    def as_json(self) -> dict[str, object]:
        """The three figures as `zebra assess --json` prints them, and how many speakers and recordings."""
        return {
            "accuracy": self.accuracy.as_json(),
            "unweighted_average_recall": self.unweighted_average_recall.as_json(),
            "mutual_information_bits": self.mutual_information_bits.as_json(),
            "mutual_information_as_computed_bits": self.mutual_information_as_computed_bits,
            "speakers": self.n_speakers,
            "recordings": self.n_recordings,
        }


def inference(guesses: Guesses, settings: BootstrapSettings | None = None, seed: int = 0) -> Inference:
    """All three figures; with `settings` intervals. The same settings and seed give the same.

    Speakers are drawn with all their recordings, each true value keeping its number of speakers.
    Chance is the commonest value for the accuracy, 1 over the number of values for the mean recall, 0 bits.
    """

    def of(figure: Callable[[IntArray], float]) -> Figure:
        return lambda times, truth: figure(guesses.confusion(times, truth))

    counts = guesses.confusion()
    rate = _AttributeDraws(guesses.truth, settings, seed, rate_interval)
    bits = _AttributeDraws(guesses.truth, settings, seed, partial(_bits, counts))
    return Inference(
        rate.figure_of(of(accuracy), accuracy_chance(counts)),
        rate.figure_of(of(unweighted_average_recall), unweighted_average_recall_chance(counts)),
        bits.figure_of(of(mutual_information_bits), 0.0, _highest_bits(counts)),
        mutual_information_bits(counts),
        len(guesses.speakers),
        int(counts.sum()),
    )


def recall_draws(guesses: Guesses, settings: BootstrapSettings) -> FigureDraws | None:
    """The unweighted average recall with its draws; None where a value has fewer than three speakers."""

    def recall(times: IntArray | None, truth: IntArray | None) -> float:
        return unweighted_average_recall(guesses.confusion(times, truth))

    drawn = _AttributeDraws(guesses.truth, settings, settings.seed, rate_interval).drawn(recall)
    return None if drawn is None else rate_draws(recall(None, None), *drawn, len(guesses.speakers))


def similarity_inference(
    pairs: AttributePairs, settings: BootstrapSettings | None = None, seed: int = 0
) -> AttributeFigure:
    """`attribute_disclosure` with its interval: speakers are drawn on both sides of their trials."""
    drawn = _AttributeDraws(pairs.attribute, settings, seed, _disclosure)
    return drawn.figure_of(lambda times, attribute: attribute_disclosure(pairs, times, attribute), 0.0)


Ends = Callable[[float, FloatArray, FloatArray, int, float], Interval | None]


@dataclass(frozen=True, eq=False)
class _AttributeDraws:
    """Speakers with these attributes, (n,), to be drawn and dealt; `ends` makes the interval."""

    attribute: IntArray
    settings: BootstrapSettings | None
    seed: int
    ends: Ends

    def figure_of(self, figure: Figure, chance: float, highest: float | None = None) -> AttributeFigure:
        """The figure; with the `highest` value it can have, adjusted for what dealt attributes show."""
        value = figure(None, None)
        assert value is not None  # noqa: S101 - whoever made the evidence refuses what has no such figure
        dealt = self._dealt(figure)
        low, high = map(float, band(dealt))
        if highest is not None:
            value, low, high = (adjusted(each, float(dealt.mean()), highest) for each in (value, low, high))
        return AttributeFigure(value, chance, self._interval(value, figure), (low, high))

    def drawn(self, figure: Figure) -> tuple[FloatArray, FloatArray] | None:
        """Its draws, (R,), and its values without one speaker; None where nobody asked, or of too few."""
        n = len(self.attribute)
        _, stratum, size = np.unique(self.attribute, return_inverse=True, return_counts=True)
        if self.settings is None or size.min() < FEWEST_CLUSTERS:
            return None
        rng = generator(self.settings.seed, Purpose.ATTRIBUTES)
        times = [draw(stratum, rng).astype(np.int64) for _ in range(self.settings.replicates)]
        draws = _values(figure(each, None) for each in times)
        return draws, _values(figure(each.astype(np.int64), None) for each in left_out(n))

    def _interval(self, value: float, figure: Figure) -> Interval | None:
        drawn = self.drawn(figure)
        if self.settings is None or drawn is None:
            return None
        return self.ends(value, *drawn, len(self.attribute), self.settings.level)

    def _dealt(self, figure: Figure) -> FloatArray:
        rng, n = generator(self.seed, Purpose.ATTRIBUTES_BY_CHANCE), len(self.attribute)
        dealt = _values(figure(None, self.attribute[exchanged(n, rng)]) for _ in range(DEALS))
        return dealt[~np.isnan(dealt)]  # some deals leave no two speakers of one value


def adjusted(bits: float, by_chance: float, highest: float) -> float:
    """Mutual information without what chance gives: 0 up to there, and unchanged at the `highest`.

    Ref: Vinh, Epps and Bailey 2010, "Information theoretic measures for clusterings comparison"; here times
    the entropy of the true values, which is the highest there can be.
    """
    if highest - by_chance < _ROUNDING:
        return 0.0
    return max(0.0, highest * (bits - by_chance) / (highest - by_chance))


def _values(found: Iterable[float | None]) -> FloatArray:
    return np.array([np.nan if each is None else each for each in found], dtype=np.float64)


def _bits(
    counts: IntArray, value: float, draws: FloatArray, left: FloatArray, n: int, level: float
) -> Interval:
    """The interval around the adjusted figure, which it holds.

    On the logarithm of what is left to the entropy of the true values, as D_ECE, and at least down to as many
    errors as n speakers without any leave open.
    """
    found = on_scale(value, draws, left, level, n, IntervalScale.LEFT, (0.0, _highest_bits(counts)))
    unseen = mutual_information_bits(_told_with(counts, most_errors(n, level)))
    return Interval(min(value, found.low, unseen), max(value, found.high))


def _highest_bits(counts: IntArray) -> float:
    """The entropy of the true values: what a recogniser tells that is always right."""
    return mutual_information_bits(_told_with(counts, 0.0))


def _told_with(counts: IntArray, error: float) -> FloatArray:
    """Shares by true value and guess where this share of each value is told for one of the others."""
    of_value = counts.sum(axis=1) / counts.sum()
    there = np.flatnonzero(of_value)
    chances = np.full((len(there), len(there)), error / max(1, len(there) - 1))
    np.fill_diagonal(chances, 1.0 - error)
    return np.asarray(of_value[there, np.newaxis] * chances)


def _disclosure(value: float, draws: FloatArray, left: FloatArray, n: int, level: float) -> Interval | None:
    """The interval of D_ECE of an attribute, made as that of D_ECE of trials; None without draws."""
    if np.isnan(draws).all():
        return None
    ends = (0.0, FULL_DISCLOSURE_BITS, IntervalScale.LEFT, AT_ERROR["d_ece_bits"])
    return FigureDraws(value, draws, left, n, True, *ends).interval(level)
