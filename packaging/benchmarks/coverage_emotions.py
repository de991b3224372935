"""How often the interval of the unweighted average recall of emotions holds its truth.

Not run by `make bench`: `python -m benchmarks.coverage_emotions`, optionally with the number of sets.
Speakers differ in how well each of four emotions is told of them, and in how often each has it; the truth is
the mean of how well each is told over all speakers there could be. Fails below 92 %.

Measured with 1 000 sets of 400 draws, in per cent (the standard error is 0.7):

    speakers     6    10    20    40
              93.3  94.2  96.0  94.8
"""

import sys

import numpy as np

from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.ratio import average_recall_draws

SETS, LEAST = 1_000, 0.92
SIZES = (6, 10, 20, 40)
MEANS = np.array([0.75, 0.6, 0.45, 0.3])  # how well each emotion is told, over speakers
_PRECISION = 6.0  # of the beta distribution of speakers about these


def speakers(rng: np.random.Generator, n: int) -> np.ndarray:
    """For each speaker and emotion how many recordings there are, and how many are told; (n, 4, 2)."""
    told = rng.beta(MEANS * _PRECISION, (1.0 - MEANS) * _PRECISION, (n, len(MEANS)))
    counts = rng.integers(5, 40, (n, len(MEANS)))
    return np.stack([counts, rng.binomial(counts, told)], axis=-1)


def covered(n: int, seed: int) -> bool:
    """Whether the interval of one set holds the truth."""
    rng = np.random.default_rng([n, seed])
    drawn = average_recall_draws(speakers(rng, n).tolist(), BootstrapSettings(400, seed=seed))
    return drawn is not None and float(MEANS.mean()) in drawn.interval(0.95)


def main(sets: int) -> int:
    """Print a line for each number of speakers."""
    found = {n: float(np.mean([covered(n, seed) for seed in range(sets)])) for n in SIZES}
    for n, share in found.items():
        print(f"{n:3d} speakers: {100.0 * share:5.1f} %")
    return int(min(found.values()) < LEAST)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS))
