"""Drawing: units (speakers, listeners, trials) drawn again with replacement, or left out one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

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
