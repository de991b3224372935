"""Seeds: one number from the user, and streams of random numbers that do not depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray


class Purpose(Enum):
    """What random numbers are for; its key parts the streams of one seed."""

    def __init__(self, _name: str, *key: int) -> None:
        self.key = key

    # These six share the stream of the bare seed: no two of them meet in one figure.
    SPEAKERS_DRAWN = ("speakers-drawn",)
    NO_DISCLOSURE = ("no-disclosure",)
    MATRICES = ("matrices",)
    FOLDS = ("folds",)
    POOLS = ("pools",)
    ANIMALS = ("animals",)
    # What comes later takes the next number; 3 is free.
    POOLS_BY_CHANCE = ("pools-by-chance", 1)
    EXPOSURE = ("exposure", 2)
    LINKAGE = ("linkage", 4)
    LISTENERS = ("listeners", 5)
    ATTACKERS = ("attackers", 6)
    SETS = ("sets", 7)
    SETS_BY_CHANCE = ("sets-by-chance", 8)
    PEOPLE_DRAWN = ("people-drawn", 9)
    ATTRIBUTES = ("attributes", 10)
    ATTRIBUTES_BY_CHANCE = ("attributes-by-chance", 11)
    COEFFICIENTS = ("coefficients", 12)
    UTILITY = ("utility", 13)
    LISTENING_TEST = ("listening-test", 14)
    LISTENERS_DRAWN = ("listeners-drawn", 15)
    MADE_UP = ("made-up", 16)
    STANDING_OUT = ("standing-out", 17)
    DESIGN = ("design", 18)
    NAMED_BY_CHANCE = ("named-by-chance", 19)
    MODELS = ("models", 20)
    CALIBRATIONS = ("calibrations", 21)


def generator(seed: int, purpose: Purpose, *part: int) -> np.random.Generator:
    """Random numbers for this purpose, the same for the same seed.

    Parts (the number of a fold or of a figure, at least 0) have streams of their own. Streams of different
    purposes or parts do not depend on each other. Ref: O'Neill 2014 and NumPy's SeedSequence, spawn keys.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*purpose.key, *part)))


# Drawing: units (speakers, listeners, trials) drawn again with replacement, or left out one by one.


MOST_LEFT_OUT = 200  # replicates of the jackknife; more units are left out in groups
REDRAWS = 1000  # draws in a row without a result before it is given up

Counts = NDArray[np.int32]
Numbers = NDArray[np.int64]
Result = TypeVar("Result")
Thing = TypeVar("Thing")


def draw(stratum: Numbers, rng: np.random.Generator) -> Counts:
    """How often each unit is drawn, with replacement in its stratum; shape of `stratum`, (n,).

    Strata are numbered from 0 without gaps; each keeps its size.
    """
    return np.asarray(draw_often(stratum, rng, 1)[0])


def draw_often(stratum: Numbers, rng: np.random.Generator, number: int) -> Counts:
    """`draw` so many times in a row, (number, n)."""
    n = len(stratum)
    members = np.argsort(stratum, kind="stable")
    sizes = np.bincount(stratum)
    of_each = np.repeat(sizes, sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    chosen = members[first + rng.integers(np.broadcast_to(of_each, (number, n)))]
    place = chosen + np.arange(number)[:, np.newaxis] * n
    return np.bincount(place.ravel(), minlength=number * n).reshape(number, n).astype(np.int32)


def left_out(n: int, most: int = MOST_LEFT_OUT) -> Iterator[Counts]:
    """The counts of the jackknife: each of n units left out once, or `most` random groups of them."""
    group = np.random.default_rng(0).permutation(n) % min(n, most)
    for number in range(min(n, most)):
        yield (group != number).astype(np.int32)


def between(low: float, high: float, rng: np.random.Generator) -> float:
    """A number from this interval, each as likely as any other."""
    return float(rng.uniform(low, high))


def shuffled(things: Sequence[Thing], rng: np.random.Generator) -> list[Thing]:
    """The things in random order, every order as likely as any other."""
    return [things[place] for place in rng.permutation(len(things)).tolist()]


def heads(rng: np.random.Generator) -> bool:
    """One of two sides of a coin."""
    return bool(rng.random() < 0.5)


def one_of(low: int, high: int, rng: np.random.Generator) -> int:
    """A whole number from `low` up to, not including, `high`."""
    return int(rng.integers(low, high))


def normal(
    shape: int | tuple[int, ...], rng: np.random.Generator, spread: float = 1.0
) -> NDArray[np.float64]:
    """Made-up scores: normal around 0, with this standard deviation."""
    return rng.normal(0.0, spread, shape)


def drawn_until(once: Callable[[], Result | None], redraws: int = REDRAWS) -> Result | None:
    """What `once` gives, again and again until it is not None; None after so many draws in vain."""
    for _ in range(redraws):
        if (found := once()) is not None:
            return found
    return None
