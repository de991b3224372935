"""Bounds of what every single person discloses: their exposure, and how often their recordings are linked.

A requirement of everybody is met where the one-sided bound of each person holds, uncorrected (Berger 1982,
intersection-union tests), and not met where somebody lies beyond: of linking corrected for the number of
people (Holm 1979, whose first step that is). Nothing is said of people who were not heard.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.exposure import recalibrated
from zebra_core.speakers.standing_out import FEWEST_SEGMENTS
from zebra_core.uncertainty.mean_bounds import lower_mean, probability_of_so_little, upper_mean
from zebra_core.uncertainty.one_sided import MOST_TIMES
from zebra_core.uncertainty.reidentification import PoolRanks

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
