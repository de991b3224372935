"""How often intervals of the hits at few false alarms hold the truth, and their bounds keep their level.

Not run by `make bench`, for it takes minutes: `python -m benchmarks.coverage_hits`, optionally with
the number of sets. Sets are those of `zebra_core.installation.simulations.crossed`: everybody against
everybody, 8 to 40 speakers who are alike, or of whom some are exposed (they stay in the sample). Prints for
each case and rate f the false alarms allowed, f·N, the truth and the mean of the figure; then in per cent how
often a 95 % interval holds the truth, how often a requirement is called met though it just is not, and not
met though it just is, each at 95 %. Fails where more than 8 % are called met.

Measured with 300 sets of 250 replicates (150 of the last two), in per cent:

    speakers × segments, separation     f      f·N    true   mean   held   met   not met
    8 × 5, 0                            .01    2.8   .0100  .0086   99.7   0.0    0.3
    8 × 5, 1.5                          .01    2.8   .2043  .2137    100   0.0    1.0
    8 × 5, 3                            .01    2.8   .7497  .7586    100   0.0    0.0
    8 × 5, 0; 1 exposed by 6            .01    2.8   .1337  .1342    100   0.0    0.0
    8 × 2, 1.5                          .01    1.1   .2043  .2546   93.3   0.0    4.7
    8 × 2, 0; 1 exposed by 6            .01    1.1   .1337  .1404    100   0.0    0.0
    20 × 5, 0                           .01     19   .0100  .0112    100   0.0    0.0
                                        .001   1.9   .0010  .0015    100   0.0    0.0
    20 × 5, 1.5                         .01     19   .2043  .2126   98.7   0.7    3.7
                                        .001   1.9   .0559  .0582   97.0   0.0    5.3
    20 × 5, 3.5                         .01     19   .8797  .8844    100   0.3    0.0
                                        .001   1.9   .6590  .6477   98.0   0.3    2.7
    20 × 5, 0; 1 exposed by 6           .01     19   .0595  .0599    100   0.0    0.0
                                        .001   1.9   .0509  .0510    100   0.0    0.0
    20 × 5, 0.3; 2 exposed by 6         .01     19   .1192  .1218    100   0.0    0.0
                                        .001   1.9   .1023  .1028    100   0.0    0.0
    20 × 5, 1.5; strong sides           .01     19   .2043  .2275   97.3   0.0    5.0
                                        .001   1.9   .0559  .0746   95.0   0.0    7.7
    20 × 3, 1.5                         .01     11   .2043  .2138   99.3   0.3    1.3
                                        .001   1.1   .0559  .0735   95.7   0.0    7.0
    20 × 3, 0; 1 exposed by 6           .01     11   .0595  .0585    100   0.0    0.0
                                        .001   1.1   .0509  .0519    100   0.0    0.0
    40 × 5, 0                           .01     78   .0100  .0094   99.7   0.0    1.3
                                        .001   7.8   .0010  .0011    100   0.0    0.0
    40 × 5, 2                           .01     78   .3721  .3760   98.3   2.3    2.3
                                        .001   7.8   .1378  .1390   99.7   0.3    0.7
    40 × 5, 0.3; 4 exposed by 6         .01     78   .1192  .1189    100   0.0    0.0
                                        .001   7.8   .1023  .1022    100   0.0    0.0
    40 × 7, 2                           .01    109   .3721  .3734   98.0   2.3    2.0
                                        .001    11   .1378  .1388   99.0   0.7    0.7
                                        .0001  1.1   .0428  .0572   89.7   0.0   12.3
    40 × 20, 2                          .01    312   .3721  .3743   96.0   0.7    7.3
                                        .001    31   .1378  .1377    100   0.7    0.0
                                        .0001  3.1   .0428  .0482   97.3   0.0    4.0
    40 × 20, 0.3; 4 exposed by 6        .01    312   .1192  .1196    100   0.0    0.0
                                        .001    31   .1023  .1026    100   0.0    0.0
                                        .0001  3.1   .0998  .0999    100   0.0    0.0

Where just one false alarm is allowed, f·N near 1, the threshold lies where other trials have two on average:
the figure is too high, and so is its lower bound. Upper bounds keep their level everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri

from zebra_core.installation.simulations.crossed import STRONG_SIDES, SimulationCase, drawn
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.error_rates import FALSE_ALARM_RATES
from zebra_core.metrics.registry import hits_key
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.resampling import FigureDraws

SETS, REPLICATES, MOST_CALLED_MET = 300, 250, 0.08
LONG = 20  # segments of each: half as many sets
_VOICES = (0.3, 0.3, 0.0, 0.3)
CASES = (
    SimulationCase(8, 5, 0.0, _VOICES),
    SimulationCase(8, 5, 1.5, _VOICES),
    SimulationCase(8, 5, 3.0, _VOICES),
    SimulationCase(8, 5, 0.0, _VOICES, exposed=1, further=6.0),
    SimulationCase(20, 5, 0.0, _VOICES),
    SimulationCase(20, 5, 1.5, _VOICES),
    SimulationCase(20, 5, 3.5, _VOICES),
    SimulationCase(20, 5, 0.0, _VOICES, exposed=1, further=6.0),
    SimulationCase(20, 5, 0.3, _VOICES, exposed=2, further=6.0),
    SimulationCase(20, 5, 1.5, STRONG_SIDES),
    SimulationCase(40, 5, 0.0, _VOICES),
    SimulationCase(40, 5, 2.0, _VOICES),
    SimulationCase(40, 5, 0.3, _VOICES, exposed=4, further=6.0),
    SimulationCase(8, 2, 1.5, _VOICES),
    SimulationCase(20, 3, 1.5, _VOICES),
    SimulationCase(40, 7, 2.0, _VOICES),
    SimulationCase(8, 2, 0.0, _VOICES, exposed=1, further=6.0),
    SimulationCase(20, 3, 0.0, _VOICES, exposed=1, further=6.0),
    SimulationCase(40, LONG, 2.0, _VOICES),
    SimulationCase(40, LONG, 0.3, _VOICES, exposed=4, further=6.0),
)


def truth(case: SimulationCase, false_alarms: float) -> float:
    """The hits of infinitely many trials of these people; nontargets are standard normal."""
    above, share = -ndtri(false_alarms), case.exposed / case.speakers
    usual, exposed = ndtr(case.separation - above), ndtr(case.separation + case.further - above)
    return float((1.0 - share) * usual + share * exposed)


def sets_of(case: SimulationCase, number: int, sets: int) -> Iterator[dict[float, FigureDraws]]:
    """Of each set the rates that are measurable, with their draws."""
    rng = np.random.default_rng([27, number])
    for seed in range(sets):
        trials = drawn(case, rng)
        found = bootstrap(trials, assess(trials), BootstrapSettings(REPLICATES, seed=seed)).figures
        yield {rate: found[hits_key(rate)] for rate in FALSE_ALARM_RATES if hits_key(rate) in found}


def main(sets: int) -> int:
    """Study all cases."""
    worst = 0.0
    for number, case in enumerate(CASES):
        seen = list(sets_of(case, number, sets // 2 if case.segments == LONG else sets))
        for rate in seen[0]:
            true, rows = truth(case, rate), [one[rate] for one in seen]
            bounds = [one_sided(one, 0.95) for one in rows]
            held = np.mean([true in one.interval(0.95) for one in rows])
            met = float(np.mean([one.high < true for one in bounds]))
            missed = np.mean([one.low > true for one in bounds])
            allowed = rate * case.speakers * (case.speakers - 1) * case.segments
            mean = np.mean([one.estimate for one in rows])
            print(
                f"{case.name}, f {rate:g}, f·N {allowed:.1f}: true {true:.4f}, mean {mean:.4f}, "
                f"held {100.0 * held:.1f}, met {100.0 * met:.1f}, not met {100.0 * missed:.1f}",
                flush=True,
            )
            worst = max(worst, met)
    return int(worst > MOST_CALLED_MET)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS))
