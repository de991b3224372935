"""What a requirement takes where nothing is disclosed: how many recordings of how many people.

The attacker guesses: all scores are independent and alike, and everybody's enrolment is compared with as many
recordings of everybody. The number is that which has an even chance of being called met, by one attack. A
bound that an attacker who guesses cannot keep is kept by no safeguard.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from zebra_core.evidence.trials import FloatArray
from zebra_core.project.requirements.figures import D_ECE, HITS_AT, MOST_LINKED, PI_LINK
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.speakers.candidates import linkage_chance, none_drawn
from zebra_core.uncertainty.mean_bounds import probability_of_so_little
from zebra_core.wording.texts import clauses, say

MOST_NEEDED = 10_000
"""Recordings of each person, beyond which no number is named."""

_USUAL_PEOPLE, _FEWEST_PEOPLE = 20, 8
_EVEN = 0.5
_GRID = 64  # parts of a recording in which fractions of linked ones are summed
_WIDER = 1.12  # bounds of rates than a binomial's: candidates are drawn, too
CONFIDENCES = (0.9, 0.95, 0.99)


class GuessingLaw(NamedTuple):
    """How far the deciding bound of a figure lies from `ideal`: `away`/T^`power` of T recordings in all.

    `away` is that at each of `CONFIDENCES`; `away_by_guessing` of `installation/simulations/measured.py`
    measures it.
    """

    ideal: float
    power: float
    away: tuple[float, float, float]


LAWS = {
    D_ECE: GuessingLaw(0.0, 1.0, (1.08, 1.56, 2.52)),
    "min_cllr_bits": GuessingLaw(1.0, 1.0, (1.54, 2.21, 3.60)),
    "eer": GuessingLaw(0.5, 0.5, (0.36, 0.47, 0.68)),
    "rocch_eer": GuessingLaw(0.5, 0.5, (0.29, 0.38, 0.55)),
}


class Reach(NamedTuple):
    """How many recordings of each of so many people it takes; None where no number of theirs is enough."""

    people: int
    recordings: int | None


def reaches(asked: Requirement) -> tuple[Reach, ...]:
    """What it takes, for one or two numbers of people; empty where that is not known, or nothing is enough.

    Known for D_ECE, min Cllr, EER, ROCCH-EER, π_link by single recordings and the person who is linked
    most, where they are held against a bound on the side of protection.
    """
    confidence = asked.confidence
    if confidence is None or not _is_held_against_guessing(asked) or not _within_guessing(asked):
        return ()
    people, bound = asked.detail.people or _USUAL_PEOPLE, float(asked.bound)
    if asked.figure in LAWS:
        return _by_law(LAWS[asked.figure], bound, confidence)
    if asked.figure == MOST_LINKED:
        return tuple(Reach(n, _for_everybody(people, n, bound, confidence)) for n in (people, 2 * people))
    if asked.figure == PI_LINK and asked.recordings == 1:
        return _by_mean(people, bound, confidence)
    return ()


def _by_mean(among: int, bound: float, confidence: float) -> tuple[Reach, ...]:
    """Of a mean over recordings: with as many people as are needed at least, and before that with fewer.

    No bound lies below 1 − (1 − confidence)^(1/people), which so many people leave possible.
    """
    least = max(_FEWEST_PEOPLE, among)
    fewest = max(least, math.ceil(math.log1p(-confidence) / math.log1p(-bound))) if bound < 1.0 else least
    found = [Reach(least, None)] if fewest > least else []
    for people in (fewest, 2 * fewest):
        variance = float(none_drawn(people - 1, among - 1).var())
        found.append(Reach(people, _of_rate(linkage_chance(among), variance, people, bound, confidence)))
    return tuple(found[:2])


def reach_in_words(asked: Requirement) -> str:
    """What it takes in a sentence; empty where that is not known."""
    if not _within_guessing(asked):
        return say("reach.guessing", chance=asked.of.in_words(_chance(asked)))
    items = [
        say("reach.item", recordings=_about(one.recordings), people=one.people)
        if one.recordings is not None
        else say("reach.item-never", people=one.people)
        for one in reaches(asked)
    ]
    return say("reach.takes", numbers=clauses(items)) if items else ""


def _chance(asked: Requirement) -> float | None:
    """What an attacker who guesses comes to; None where that is not known."""
    if asked.figure in LAWS:
        return LAWS[asked.figure].ideal
    if asked.figure == HITS_AT:
        return asked.detail.false_alarms
    if asked.figure in (MOST_LINKED, PI_LINK):
        return linkage_chance(asked.detail.people or _USUAL_PEOPLE)
    return None


def _within_guessing(asked: Requirement) -> bool:
    """Whether the bound leaves room for guessing, as far as is known what that comes to."""
    chance, bound = _chance(asked), asked.bound
    if chance is None or isinstance(bound, str) or not _is_held_against_guessing(asked):
        return True
    return chance < bound if asked.is_upper else chance > bound


def _is_held_against_guessing(asked: Requirement) -> bool:
    """Whether it has a bound of its own, on the side of protection."""
    has_bound = asked.confidence is not None and not asked.no_worse_than
    return has_bound and asked.is_upper == asked.of.worse_is_more


def _about(number: int) -> int:
    """A number with two digits: nobody should read more into it."""
    return round(number, min(0, 1 - math.floor(math.log10(number))))


def _by_law(law: GuessingLaw, bound: float, confidence: float) -> tuple[Reach, ...]:
    if not CONFIDENCES[0] <= confidence <= CONFIDENCES[-1]:
        return ()
    away = np.interp(scipy.special.ndtri(confidence), scipy.special.ndtri(CONFIDENCES), law.away)
    total = (float(away) / abs(bound - law.ideal)) ** (1.0 / law.power)
    return tuple(Reach(n, _counted(total / n)) for n in (_USUAL_PEOPLE, 2 * _USUAL_PEOPLE))


def _of_rate(chance: float, variance: float, people: int, bound: float, confidence: float) -> int | None:
    """By the spread of a mean over recordings on the logit, with Student's t over people."""
    room = float(scipy.special.logit(bound) - scipy.special.logit(chance))
    error = room / float(scipy.special.stdtrit(people - 1, confidence)) / _WIDER
    return _counted(variance / (chance * (1.0 - chance)) ** 2 / (people * error**2))


def _counted(number: float) -> int | None:
    return max(1, math.ceil(number)) if number <= MOST_NEEDED else None


def _for_everybody(among: int, people: int, bound: float, confidence: float) -> int | None:
    """The fewest with which all upper bounds lie within in half of the sets, by halving."""
    low, high = 0, 1
    while _chance_of_all(among, people, high, bound, confidence) < _EVEN:
        low, high = high, 2 * high
        if low > MOST_NEEDED:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = _chance_of_all(among, people, middle, bound, confidence) >= _EVEN
        low, high = (low, middle) if is_enough else (middle, high)
    return high if high <= MOST_NEEDED else None


def _chance_of_all(among: int, people: int, recordings: int, bound: float, confidence: float) -> float:
    """How probable it is that each of the people stays within: the sum of what recordings come to, by FFT."""
    total = _largest_within(recordings, bound, confidence)
    if total < 0.0:
        return 0.0
    place, share = np.divmod(none_drawn(people - 1, among - 1) * _GRID, 1.0)
    mass = np.zeros(_GRID + 2)
    np.add.at(mass, place.astype(np.int64), (1.0 - share) / people)
    np.add.at(mass, place.astype(np.int64) + 1, share / people)
    length = scipy.fft.next_fast_len(recordings * (_GRID + 1) + 1, real=True)
    sums = np.fft.irfft(np.fft.rfft(mass, length) ** recordings, length)
    return float(min(1.0, sums[: math.floor(total * _GRID + 1e-6) + 1].sum())) ** people


def _largest_within(recordings: int, bound: float, confidence: float) -> float:
    """The largest sum on the grid of which the upper bound lies within; below 0 where there is none."""

    def largest(totals: FloatArray) -> float:
        p = probability_of_so_little(totals, recordings, np.full(len(totals), bound))
        return float(totals[p <= 1.0 - confidence].max(initial=-1.0))

    whole = largest(np.arange(math.floor(recordings * bound) + 1.0))
    return whole if whole < 0.0 else largest(whole + np.arange(_GRID) / _GRID)
