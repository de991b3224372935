"""How often groups of people are called different though they are alike, and though they are not.

Not run by `make bench`, as it takes twenty minutes: `python -m benchmarks.levels_of_groups`, perhaps
with the number of sets. Two or three groups are drawn from one population, whose people differ: their voices
vary by what a safeguard leaves between speakers, or, in the mixture, by much for three in ten of them and by
little for the others. A set is called different where any pair by any of the three figures is settled. Fails
where more than 7 % of the sets are.

Measured with 300 sets, in per cent, of groups that are alike (the standard error at 5 % is 1.3):

    people           well     some     none  mixture
    8 and 8           0.0      0.3      0.3      1.3
    8 and 20          0.3      1.0      0.0      1.0
    20 and 20         1.0      1.7      0.3      4.0
    8, 8 and 8        0.7      0.3      0.0      0.7

and, with 100 sets, of groups that are not, by any figure and by D_ECE:

    people          well and some    some and none well and mixture
    8 and 8                  10 4            37 18              4 0
    20 and 20               63 33           100 98            53 27
"""

import sys
from collections.abc import Sequence

import numpy as np

from tests.core.speaker_model import DIMENSIONS, log_likelihood_ratio
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.by_group import D_ECE, GroupsOfPeople
from zebra_core.project.comparison.grouping import groups_of_people
from zebra_core.project.comparison.inference import Labels
from zebra_core.project.items import Condition, Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings

SETS, REPLICATES, RECORDINGS = 300, 200, 3
ALLOWED = 0.07
BETWEEN = {"well": (0.1, 0.1), "some": (0.5, 0.5), "none": (3.0, 3.0), "mixture": (0.1, 3.0)}
"""The variance between seven in ten speakers, and between the others, where that within them is 1."""
SHARE = 0.3
SIZES = ((8, 8), (8, 20), (20, 20), (8, 8, 8))
APART = (("well", "some"), ("some", "none"), ("well", "mixture"))
SIZES_APART = ((8, 8), (20, 20))


def voices(n: int, population: str, rng: np.random.Generator) -> np.ndarray:
    """The voices of so many people, (n, dimensions)."""
    few, many = BETWEEN[population]
    variance = np.where(rng.random(n) < SHARE, many, few)
    return rng.normal(size=(n, DIMENSIONS)) * np.sqrt(variance)[:, np.newaxis]


def groups(sizes: Sequence[int], populations: Sequence[str], seed: int) -> GroupsOfPeople:
    """Groups of so many people, everybody's recordings against everybody's enrolment, compared."""
    rng = np.random.default_rng([seed, *sizes])
    voice = np.concatenate([voices(*each, rng) for each in zip(sizes, populations, strict=True)])
    n, group = len(voice), np.repeat(np.arange(len(sizes)), sizes)
    who = np.repeat(np.arange(n), RECORDINGS)
    enrolled = voice + rng.normal(size=voice.shape)
    heard = voice[who] + rng.normal(size=(len(who), DIMENSIONS))
    names = tuple(f"s{k:02d}" for k in range(n))
    trials = Trials(
        log_likelihood_ratio(enrolled[:, np.newaxis], heard[np.newaxis], 0.5).ravel(),
        (np.arange(n)[:, np.newaxis] == who).ravel(),
        Ids(np.repeat(np.arange(n, dtype=np.int32), len(who)), names),
        Ids(
            np.tile(np.arange(len(who), dtype=np.int32), n),
            tuple(f"{name}-{k}" for name in names for k in range(RECORDINGS)),
        ),
    )
    entry = Entry("B1", trials, assess(trials), Condition.OP)
    labels = Labels(dict(zip(names, map(str, group.tolist()), strict=True)))
    return groups_of_people(entry, ("group", labels), BootstrapSettings(REPLICATES, seed=seed))


def settled(found: GroupsOfPeople) -> tuple[bool, bool]:
    """Whether any difference is settled, and whether one of D_ECE is."""
    own = [each for each in found.differences if each.is_settled]
    return bool(own), any(each.figure == D_ECE for each in own)


def share(sizes: Sequence[int], populations: Sequence[str], sets: int) -> tuple[float, float]:
    """In which share of the sets any difference is settled, and in which one of D_ECE."""
    rows = np.array([settled(groups(sizes, populations, seed)) for seed in range(sets)])
    return float(rows[:, 0].mean()), float(rows[:, 1].mean())


def main(sets: int) -> None:
    """Print a line for each cell: groups alike, then groups that differ, with a third of the sets."""
    too_many = []
    for sizes in SIZES:
        for population in BETWEEN:
            any_one, d_ece = share(sizes, [population] * len(sizes), sets)
            print(
                f"{sizes} alike, {population}: {100 * any_one:.1f} %, D_ECE {100 * d_ece:.1f} %", flush=True
            )
            too_many += [(sizes, population)] if any_one > ALLOWED else []
    for sizes in SIZES_APART:
        for populations in APART:
            any_one, d_ece = share(sizes, populations, sets // 3)
            print(
                f"{sizes} {' and '.join(populations)}: {100 * any_one:.0f} %, D_ECE {100 * d_ece:.0f} %",
                flush=True,
            )
    if too_many:
        sys.exit(f"Called different too often: {too_many}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
