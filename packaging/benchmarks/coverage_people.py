"""How often intervals of π_link and π_sing hold the true value, of people drawn from a known population.

Not run by `make bench`, for it takes minutes: `python -m benchmarks.coverage_people`, optionally with
the number of sets. The truth is the mean of both figures over other sets of the same population. Prints for
each number of people the truth, how often 95 % intervals hold it, and their mean width.

Measured for π_sing with 60 sets, in per cent, with the mean width and 3.92 standard deviations of the figure
over the sets, which is what it needs:

    people, variance, among    2            10           all
    20, 0.3           100 .22 .11  100 .28 .11   98 .35 .27
    20, 1.5           100 .23 .16  100 .32 .21   97 .36 .28
    40, 1.5            98 .15 .11  100 .18 .12   97 .25 .22

With 40 sets of 40 people and a variance of 0.8 between them 100 of 100 held it each time.

A draw has few sets of people, and its own scatter is in the width. Before each recording was tested in turn
the widths of the first row were .39, .49 and .59.
"""

import sys

import numpy as np

from tests.core.uncertainty.test_reidentification import candidates
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.speakers.candidates import linkage
from zebra_core.speakers.singling_out import IsolationScores, singling_out
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.linking_points import PeoplePoint, linkage_points, singling_out_points

SETS, REPLICATES, RECORDINGS = 100, 200, 3
SETTINGS = ((20, 0.3), (20, 1.5), (40, 0.3), (40, 1.5))  # people, and the variance between them
FIRST_OF_TRUTH = 100_000  # seeds beyond those of the sets


def numbers(n_people: int) -> list[int]:
    """Among how many people both are looked at."""
    return [2, 10, n_people]


def isolation(n_people: int, between: float, seed: int) -> IsolationScores:
    """The scores that singling out is measured on, of one set."""
    found = IsolationScores.of(candidates(between, n_people, RECORDINGS, seed).pooled())
    assert found is not None
    return found


def truths(n_people: int, between: float, sets: int) -> tuple[np.ndarray, np.ndarray]:
    """Both figures for each number of people, as means over so many other sets."""
    linked, singled = [], []
    for seed in range(FIRST_OF_TRUTH, FIRST_OF_TRUTH + sets):
        pooled = candidates(between, n_people, RECORDINGS, seed).pooled()
        linked.append([linkage(pooled, people) for people in numbers(n_people)])
        scores = isolation(n_people, between, seed)
        rngs = (generator(0, Purpose.SETS, people) for people in numbers(n_people))
        singled.append([singling_out(scores, n, rng) for n, rng in zip(numbers(n_people), rngs, strict=True)])
    return np.mean(linked, axis=0), np.mean(singled, axis=0)


def held(points: list[PeoplePoint], truth: np.ndarray) -> tuple[list[bool], list[float]]:
    """Whether each interval holds its truth, and how wide it is."""
    intervals = [point.interval for point in points]
    assert all(intervals)
    found = [
        (each.low <= one <= each.high, each.high - each.low)
        for each, one in zip(intervals, truth, strict=True)
        if each
    ]
    return [one for one, _ in found], [width for _, width in found]


def main(sets: int) -> None:
    """Print a line for each figure and setting."""
    for n_people, between in SETTINGS:
        of_truth = truths(n_people, between, 4 * sets)
        rows: tuple[list, list] = ([], [])
        for seed in range(sets):
            settings = BootstrapSettings(REPLICATES, seed=seed)
            pooled = candidates(between, n_people, RECORDINGS, seed).pooled()
            linked = linkage_points(pooled, numbers(n_people), settings)
            scores = isolation(n_people, between, seed)
            singled = singling_out_points(scores, 1, numbers(n_people), settings, seed)
            for row, points, truth in zip(rows, (linked, singled), of_truth, strict=True):
                row.append(held(points, truth))
        for name, row, truth in zip(("linkage", "singling out"), rows, of_truth, strict=True):
            inside, width = (np.mean([each[k] for each in row], axis=0) for k in (0, 1))
            print(
                f"{n_people} people, variance {between}, {name}, among {numbers(n_people)}:"
                f" truth {truth.round(3)}, held {(100 * inside).round(1)}, width {width.round(3)}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
