"""How often intervals of what is told of attributes hold the true value, of people from a known population.

Not run by `make bench`, because it takes minutes: `python -m benchmarks.coverage_inference`, optionally
with the number of sets. Half of the people are women, half men. A recogniser of sex tells each person's
recordings with a probability of that person's own, from a beta distribution; scores of different people have
a part of each, one of their pair, and one that those of one sex share. The truth follows from the
distribution, that of the scores from the mean over large sets. Prints for each figure the truth, how often
95 % intervals hold it, and their mean width.

Measured with 100 sets, in per cent, with the mean width; being told by so much, alike by so much:

    people  told       accuracy   average recall  information    alike  scores alone
    20      .6, .5     95 .26     96 .26          100 .11        0      100 .04
    20      .9, .7     97 .20     97 .20           94 .43        0.5    100 .07
    20      .98, .95   98 .11     98 .11           87 .42        2      100 .24
    40      .6, .5     96 .18     96 .18           98 .06        0      100 .01
    40      .9, .7     95 .15     95 .15           95 .31        0.5    100 .03
    40      .98, .95   90 .08     90 .08           87 .35        2      100 .10

Percentiles of the mutual information on its own scale held it in 75 and 85 in the rows of .98, .95.
"""

import sys
from collections.abc import Sequence

import numpy as np

from zebra_core.speakers.inference import (
    AttributePairs,
    Guesses,
    attribute_disclosure,
    mutual_information_bits,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import AttributeFigure, inference, similarity_inference

SETS, REPLICATES, RECORDINGS = 100, 200, 5
PEOPLE = (20, 40)
RIGHT = ((0.6, 0.5), (0.9, 0.7), (0.98, 0.95))  # the mean probability of being told, of women and of men
SPREAD = 4.0  # α + β of its beta distribution over people: the smaller, the more people differ
SHIFT = (0.0, 0.5, 2.0)  # how much more alike two of one sex are, in standard deviations of a pair
OWN = 0.5  # the standard deviation of a person's own part of the scores
FIRST_OF_TRUTH, LARGE, LARGE_SETS = 100_000, 400, 4


def guesses(n_people: int, right: Sequence[float], seed: int) -> Guesses:
    """What the recogniser said of one set."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_people) % 2
    told = rng.beta(SPREAD * np.array(right)[truth], SPREAD * (1.0 - np.array(right)[truth]))
    speaker = np.repeat(np.arange(n_people), RECORDINGS)
    is_right = rng.random(len(speaker)) < told[speaker]
    names = tuple(f"s{k:03}" for k in range(n_people))
    return Guesses(names, ("f", "m"), truth, speaker, np.where(is_right, truth[speaker], 1 - truth[speaker]))


def true_figures(right: Sequence[float]) -> tuple[float, float, float]:
    """Accuracy, average recall and mutual information of the population."""
    joint = 0.5 * np.array([[right[0], 1.0 - right[0]], [1.0 - right[1], right[1]]])
    mean = float(np.mean(right))
    return mean, mean, mutual_information_bits(joint)


def pairs(n_people: int, shift: float, seed: int) -> AttributePairs:
    """Everybody enrolled against a recording of everybody else."""
    rng = np.random.default_rng(seed)
    first, second = (side.ravel() for side in np.meshgrid(np.arange(n_people), np.arange(n_people)))
    apart = first != second
    first, second, sex = first[apart], second[apart], np.arange(n_people) % 2
    enrolled, heard = OWN * rng.normal(size=(2, n_people))
    score = (
        rng.normal(size=len(first)) + enrolled[first] + heard[second] + shift * (sex[first] == sex[second])
    )
    return AttributePairs(tuple(f"s{k:03}" for k in range(n_people)), ("f", "m"), sex, first, second, score)


def true_disclosure(shift: float) -> float:
    """D_ECE over pairs of the population, from large sets less what chance shows there."""
    if shift == 0.0:
        return 0.0
    seeds = range(FIRST_OF_TRUTH, FIRST_OF_TRUTH + LARGE_SETS)
    return float(np.mean([attribute_disclosure(pairs(LARGE, shift, seed), None) or 0.0 for seed in seeds]))


def held(told: Sequence[AttributeFigure], truth: Sequence[float]) -> list[tuple[bool, float]]:
    """Whether each interval holds its truth, and how wide it is."""
    found = []
    for each, one in zip(told, truth, strict=True):
        assert each.interval is not None
        found.append((each.interval.low <= one <= each.interval.high, each.interval.high - each.interval.low))
    return found


def show(what: str, truth: Sequence[float], rows: Sequence[list[tuple[bool, float]]]) -> None:
    """A line of the table."""
    inside, width = np.array(rows, dtype=float).mean(axis=0).T
    with np.printoptions(suppress=True):
        print(
            f"{what}: truth {np.round(truth, 3)}, held {(100 * inside).round(1)}, width {width.round(3)}",
            flush=True,
        )


def main(sets: int) -> None:
    """Print a line for each number of people and population."""
    for n_people in PEOPLE:
        for right in RIGHT:
            truth = true_figures(right)
            rows = []
            for seed in range(sets):
                told = inference(guesses(n_people, right, seed), BootstrapSettings(REPLICATES, seed=seed))
                figures = told.accuracy, told.unweighted_average_recall, told.mutual_information_bits
                rows.append(held(figures, truth))
            show(f"{n_people} people, told {right}, accuracy, recall, information", truth, rows)
        for shift in SHIFT:
            disclosed = [true_disclosure(shift)]
            rows = []
            for seed in range(sets):
                settings = BootstrapSettings(REPLICATES, seed=seed)
                rows.append(held([similarity_inference(pairs(n_people, shift, seed), settings)], disclosed))
            show(f"{n_people} people, alike by {shift}, scores alone", disclosed, rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
