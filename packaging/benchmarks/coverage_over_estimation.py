"""How often intervals of over-estimation hold 0, where LLRs are calibrated.

Not run by `make bench`, for it takes minutes: `python -m benchmarks.coverage_over_estimation`,
optionally with the number of sets. Scores are those of `zebra_core.installation.simulations.crossed`, of
speakers who are alike (no effects) or who differ, turned into the LLRs that they are worth: d·s − d²/2 for
classes d apart. Prints for each case in per cent how often an interval of 95 % holds 0, on the mean over all
places, at the lowest and the highest, and at all places at once; then the mean over-estimation at both ends
and in the middle. Fails where fewer than 90 % hold 0 on the mean.

Measured with 400 sets of 400 replicates, in per cent; the last columns in powers of ten:

    speakers × segments, d            held   lowest  highest   at once   mean over-estimation
    10 × 5, 1.5; alike                97.7     95.5     99.0      82.0   −.003  +.004  −.009
    10 × 5, 1.5                       97.3     96.0     98.8      82.8   +.002  −.016  −.028
    20 × 5, 1.5; alike                97.4     95.2     98.5      69.2   −.005  +.010  +.002
    20 × 5, 1.5                       96.6     95.8     97.5      71.8   +.016  +.001  +.001
    20 × 5, 1.5; strong sides         95.8     97.5     90.2      75.0   +.020  −.012  −.058
    40 × 5, 2.5; alike                97.8     96.0     99.8      71.8   +.020  +.001  +.001
    40 × 5, 2.5                       96.8     93.5     97.5      70.0   +.012  −.005  −.036
    40 × 5, 2.5; strong sides         95.6     93.5     90.8      71.0   +.018  −.009  −.087
    80 × 3, 2.5                       96.8     93.8     98.2      62.3   +.002  +.002  −.020
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from zebra_core.installation.simulations.crossed import STRONG_SIDES, USUAL, SimulationCase, drawn
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.over_estimation import PLACES, OverEstimation, over_estimation

SETS, REPLICATES, FEWEST_HELD = 400, 400, 0.9
ALIKE = (0.0, 0.0, 0.0, 0.0)
CASES = (
    SimulationCase(10, 5, 1.5, ALIKE),
    SimulationCase(10, 5, 1.5, USUAL),
    SimulationCase(20, 5, 1.5, ALIKE),
    SimulationCase(20, 5, 1.5, USUAL),
    SimulationCase(20, 5, 1.5, STRONG_SIDES),
    SimulationCase(40, 5, 2.5, ALIKE),
    SimulationCase(40, 5, 2.5, USUAL),
    SimulationCase(40, 5, 2.5, STRONG_SIDES),
    SimulationCase(80, 3, 2.5, USUAL),
)


def of_set(case: SimulationCase, rng: np.random.Generator, seed: int) -> OverEstimation:
    """The over-estimation of one set of such LLRs, which are calibrated."""
    trials = drawn(case, rng)
    trials = replace(trials, score=case.separation * trials.score - case.separation**2 / 2.0)
    known = assess(trials, Settings(score_meaning=ScoreMeaning.NATURAL_LLR))
    return over_estimation(trials, known, BootstrapSettings(REPLICATES, seed=seed))


def main(sets: int) -> int:
    """Study all cases."""
    worst = 1.0
    for number, case in enumerate(CASES):
        rng = np.random.default_rng([54, number])
        found = [one for seed in range(sets) if (one := of_set(case, rng, seed)).is_measurable]
        held = np.array([(one.low <= 0.0) & (one.high >= 0.0) for one in found])
        bias = np.mean([one.exceeds for one in found], axis=0)[[0, PLACES // 2, -1]]
        shown = [held.mean(), held[:, 0].mean(), held[:, -1].mean(), held.all(axis=1).mean()]
        print(
            f"{case.name}: held {', '.join(f'{100.0 * one:.1f}' for one in shown)}; "
            f"mean {', '.join(f'{one:+.3f}' for one in bias)}; sets {len(found)}",
            flush=True,
        )
        worst = min(worst, float(held.mean()))
    return int(worst < FEWEST_HELD)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS))
