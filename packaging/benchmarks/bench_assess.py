"""How long the figures of a million trials take, against the sort and the regression they cannot do without.

Run by `make bench`. Prints the ratio and fails where it is above `MOST`. In processor time, the least of
nine runs beside others: all figures and curves 0.224 s, `assess` alone 0.184 s, the floor 0.042 s. Of these
0.184 s (0.14 s before scores were read the other way round, without order and on other speakers) the cross-
fitted readings take a fifth, the profiles a fifth, the digest of the counts and the sort an eighth each.
"""

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy.optimize import isotonic_regression

import zebra_core
from zebra_core.metrics.distributions import empirical_calibration, oracle_counts, pav_transform, tippett
from zebra_core.metrics.error_rates import ErrorRates

TRIALS = 1_000_000
TARGET_SHARE = 0.05
REPEATS = 7
MOST = 6.0


def trials() -> zebra_core.Trials:
    """Scores like those of a recogniser, all different."""
    rng = np.random.default_rng(2020)
    is_target = rng.random(TRIALS) < TARGET_SHARE
    return zebra_core.Trials(rng.normal(-3.0, 2.5, TRIALS) + 6.0 * is_target, is_target)


def yardstick(given: zebra_core.Trials) -> None:
    """One sort and one isotonic regression."""
    order = np.argsort(given.score)
    isotonic_regression(given.is_target[order].astype(np.float64))


def everything(given: zebra_core.Trials) -> None:
    """All metrics, profiles and curves."""
    found = zebra_core.assess(given)
    ErrorRates.of(found.counts)
    tippett(found.llrs)
    pav_transform(found.counts, found.plain)
    empirical_calibration(found.llrs)
    empirical_calibration(oracle_counts(found.plain))
    found.counts.within(found.counts.even_edges(100))


def seconds(work: Callable[[zebra_core.Trials], None], given: zebra_core.Trials) -> float:
    """Once, by the clock."""
    start = time.perf_counter()
    work(given)
    return time.perf_counter() - start


def main() -> int:
    """Measure both in turn, so that a busy moment meets both."""
    given = trials()
    everything(given)  # imports and first pages are not what is measured
    pairs = [(seconds(everything, given), seconds(yardstick, given)) for _ in range(REPEATS)]
    ours, theirs = (median(times) for times in zip(*pairs, strict=True))
    ratio = ours / theirs
    print(f"assess {TRIALS:,} trials: {ours:.3f} s, sort and PAV {theirs:.3f} s, ratio {ratio:.2f}")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
