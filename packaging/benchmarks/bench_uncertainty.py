"""How long a replicate of the bootstrap takes, for 12 000 and a million trials, against what it cannot spare.

The floor is one product of weights for every trial, one np.add.reduceat of them, and one isotonic regression
of as many blocks. Prints the ratio, and how long a thousand replicates take; fails where either is too much.
"""

import resource
import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy.optimize import isotonic_regression

from tests.core.speaker_model import trials_of
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import WeightedTrials

REPEATS = 9
MOST = {63: 6.0, 577: 3.0}  # times the floor, by speakers: few trials are little work and much calling
MOST_SECONDS = {63: 10.0, 577: 600.0}  # for a thousand replicates
MEASURED = 100  # replicates that are timed
TOGETHER = 16  # weights that are gone through at once


def seconds(work: Callable[[], object]) -> float:
    """The median of some runs, by the clock."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def floor(trials: Trials, clusters: Clusters, runs: int) -> Callable[[], object]:
    """The least that a replicate must do."""
    weight = clusters.draw(np.random.default_rng(0))
    starts = np.linspace(0, len(trials), runs, endpoint=False).astype(np.intp)
    share = np.random.default_rng(1).random(runs)

    def work() -> None:
        product = weight.take(clusters.enrol, mode="clip") * weight.take(clusters.test, mode="clip")
        sums = np.add.reduceat(product, starts, dtype=np.int64)
        isotonic_regression(share, weights=sums + 1.0)

    return work


def study(n_speakers: int) -> bool:
    """Measure and print; whether it is fast enough."""
    trials = trials_of(np.random.default_rng(0), n_speakers, 0.5)
    known = assess(trials)
    clusters = Clusters.of_trials(trials)
    ordered = WeightedTrials.of(trials, clusters)
    rng = np.random.default_rng(0)
    priors = known.profile.prior_log_odds
    ours = seconds(lambda: ordered.figures(clusters.draw_often(rng, TOGETHER), priors)) / TOGETHER
    least = seconds(floor(trials, clusters, ordered.target.counts.shape[0]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    start = time.perf_counter()
    bootstrap(trials, known, BootstrapSettings(replicates=MEASURED))
    per_replicate = (time.perf_counter() - start) / (MEASURED + clusters.n_left_out)
    thousand = per_replicate * (1000 + clusters.n_left_out)
    start = time.perf_counter()
    without_disclosure(trials, known, replicates=MEASURED)
    null = (time.perf_counter() - start) / MEASURED * 1000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    print(
        f"{len(trials):,} trials: a replicate {1e3 * ours:.2f} ms, floor {1e3 * least:.2f} ms, ratio "
        f"{ours / least:.1f}; 1000 replicates {thousand:.1f} s, 1000 sets without disclosure {null:.1f} s, "
        f"{grown:.0f} MiB more at the peak"
    )
    return ours / least <= MOST[n_speakers] and thousand + null <= MOST_SECONDS[n_speakers]


def main() -> int:
    """Both sizes."""
    fast_enough = [study(n_speakers) for n_speakers in MOST]
    return int(not all(fast_enough))


if __name__ == "__main__":
    sys.exit(main())
