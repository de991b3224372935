"""Whether intervals hold the truth and tests their level, where speakers and segments have effects.

Not run by `make bench`: `python -m tests.benchmarks.levels_and_coverage [SETS]` takes some fifteen processor
minutes for 200 sets of each case, which is what it makes unless told otherwise.
Scores have crossed effects of enrolment, speaker, segment and pair, total variance 1; target trials are
shifted by `separation`. So the true figures follow by quadrature. Fails where a 95 % interval of D_ECE, min
Cllr, EER or ROCCH-EER holds the truth in fewer than 89 of 100 sets or, but near no disclosure, in more than
99.5; or where more than 8 % of pairs that are alike have p ≤ 0.05, or over 8 % of groups have a difference
that is called settled.

Measured on the rules of today with 200 sets of 250 draws, in per cent, standard error about 1.5 (the rule of
0.1.0 had 74.5 for D_ECE at 20 × 5, 4, and 89.5 for ROCCH-EER at 20 × 5, 0.3). Coverage of D_ECE, min Cllr,
EER and ROCCH-EER, after the true D_ECE; `u` stands for unequal numbers of segments:

    | 20 × 5, 0.3 | 0.011 | 98.5 | 98.0 | 96.5 | 93.5 |
    | 60 × 3, 0.3 | 0.011 | 99.0 | 99.0 | 94.5 | 89.0 |
    | 20 × u, 0.3, unbalanced | 0.011 | 100.0 | 100.0 | 97.5 | 96.0 |
    | 20 × 5, 0.3, tied | 0.010 | 97.5 | 98.0 | 95.5 | 92.0 |
    | 20 × 5, 1.5 | 0.220 | 94.5 | 94.5 | 96.5 | 95.0 |
    | 20 × 5, 1.5, strong sides | 0.220 | 97.5 | 98.0 | 98.5 | 96.0 |
    | 20 × u, 1.5, unbalanced | 0.220 | 95.5 | 95.5 | 95.0 | 94.5 |
    | 20 × 5, 1.5, tied | 0.206 | 94.5 | 95.5 | 97.0 | 96.0 |
    | 60 × 3, 1.5 | 0.220 | 96.0 | 95.0 | 95.0 | 93.0 |
    | 20 × 5, 2.5 | 0.450 | 94.0 | 94.5 | 96.0 | 94.0 |
    | 20 × 5, 4 | 0.655 | 98.5 | 99.0 | 97.0 | 98.5 |
    | 60 × 3, 4 | 0.655 | 92.0 | 93.0 | 96.0 | 95.0 |
    | 20 × u, 4, unbalanced | 0.655 | 97.5 | 97.5 | 98.0 | 98.5 |
    | 20 × 5, 4, tied | 0.642 | 98.0 | 99.0 | 95.5 | 97.0 |
    | 10 × 5, 1.5 | 0.220 | 97.0 | 97.0 | 97.0 | 95.5 |

Near no disclosure hardly an upper end can lie below the truth: 97.5 is what is to be expected there.
`uncertainty.measured_coverage` says beside the figure what was found of sets that disclose as much.

Raw p ≤ 0.05 among pairs of three safeguards that are alike (D_ECE, EER, min Cllr), and any of the nine tests
of such a group settled:

    | 20 × 5, 0.3 | 0.5 | 2.8 | 0.5 | 0.5 |
    | 20 × 5, 1 | 2.7 | 2.7 | 3.0 | 0.5 |
    | 20 × 5, 3.5 | 3.0 | 1.8 | 2.5 | 1.0 |
    | 20 × u, 1, unbalanced | 4.8 | 6.7 | 4.7 | 1.0 |
    | 20 × 5, 1, tied | 3.7 | 4.8 | 3.5 | 1.0 |
    | 8 × 6, 1.5 | 0.7 | 1.0 | 0.7 | 0.0 |

Power, of 100 sets each: pairs with p ≤ 0.05 of which one discloses more, and groups with any settled:

    | 20 × 5, 1, the third 1.5 | 85.5 | 76.0 | 88.0 | 78.0 |
    | 20 × 5, 1, the third 2 | 100.0 | 99.5 | 100.0 | 100.0 |
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import FloatArray, Ids, IntArray, Trials
from zebra_core.metrics.assessment import assess, assess_counts
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap_together
from zebra_core.uncertainty.difference import TESTED, ranking
from zebra_core.uncertainty.resampling import Clusters

FIGURES = ("d_ece_bits", "min_cllr_bits", "eer", "rocch_eer")
DRAWS, SAFEGUARDS, ALIKE = 250, 3, 0.5
SETS = 200
WEAK = 0.05  # bits of true D_ECE: below, hardly an upper end can lie below the truth
MANY = 10**9  # trials of either class, which tell the truth about scores with ties


@dataclass(frozen=True)
class Case:
    """So many speakers with so many test segments each (0: some have many), and how far classes lie apart.

    With `ties` scores are rounded to whole numbers. `better` separates the last of three safeguards more.
    """

    speakers: int
    segments: int
    separation: float
    effects: tuple[float, float, float, float] = (0.3, 0.3, 0.4, 0.3)  # enrolment, speaker, pair, segment
    ties: bool = False
    better: float = 0.0

    @property
    def words(self) -> str:
        """Speakers × segments, separation, and what else is peculiar."""
        peculiar = [
            "strong sides" if self.effects[0] > 0.5 else "",
            "unbalanced" if not self.segments else "",
            "tied" if self.ties else "",
            f"the third {self.separation + self.better:g}" if self.better else "",
        ]
        size = f"{self.speakers} × {self.segments or 'u'}, {self.separation:g}"
        return ", ".join([size, *filter(None, peculiar)])


STRONG_SIDES = (0.6, 0.5, 0.4, 0.2)
CASES = (
    Case(20, 5, 0.3),
    Case(60, 3, 0.3),
    Case(20, 0, 0.3),
    Case(20, 5, 0.3, ties=True),
    Case(20, 5, 1.5),
    Case(20, 5, 1.5, STRONG_SIDES),
    Case(20, 0, 1.5),
    Case(20, 5, 1.5, ties=True),
    Case(60, 3, 1.5),
    Case(20, 5, 2.5),
    Case(20, 5, 4.0),
    Case(60, 3, 4.0),
    Case(20, 0, 4.0),
    Case(20, 5, 4.0, ties=True),
    Case(10, 5, 1.5),
)
PAIRS = (
    Case(20, 5, 0.3),
    Case(20, 5, 1.0),
    Case(20, 5, 3.5),
    Case(20, 0, 1.0),
    Case(20, 5, 1.0, ties=True),
    Case(8, 6, 1.5),
)
DIFFERENT = (Case(20, 5, 1.0, better=0.5), Case(20, 5, 1.0, better=1.0))


def truth(case: Case) -> dict[str, float]:
    """The figures of infinitely many trials, by Gauss and Hermite, or counted where scores are rounded."""
    separation = case.separation
    if case.ties:
        edge = np.arange(-12, 20) + 0.5
        target, nontarget = (
            np.round(MANY * np.diff(ndtr(edge - mean))).astype(np.int64) for mean in (separation, 0.0)
        )
        kept = target + nontarget > 0
        counts = ScoreCounts((edge[:-1] + 0.5)[kept], target[kept], nontarget[kept])
        known = assess_counts(counts)
        return {name: getattr(known, name) for name in FIGURES}
    node, weight = np.polynomial.hermite_e.hermegauss(120)
    weight /= weight.sum()
    target_llr = separation * (node + separation) - separation**2 / 2.0
    nontarget_llr = separation * node - separation**2 / 2.0
    error = math.erfc(separation / 2.0 / math.sqrt(2.0)) / 2.0
    area = weight @ disclosed_area(target_llr) + weight @ disclosed_area(-nontarget_llr)
    cost = weight @ (np.logaddexp(0, -target_llr) + np.logaddexp(0, nontarget_llr))
    return {
        "d_ece_bits": float(area) / LN2,
        "min_cllr_bits": float(cost) / (2 * LN2),
        "eer": error,
        "rocch_eer": error,
    }


def segments_of(rng: np.random.Generator, case: Case) -> IntArray:
    """Who speaks in each test segment."""
    counts = np.maximum(1, np.round(np.exp(rng.normal(1.2, 1.0, case.speakers)))).astype(int)
    return np.repeat(np.arange(case.speakers), counts if case.segments == 0 else case.segments)


def noise_of(rng: np.random.Generator, case: Case, who: IntArray) -> FloatArray:
    """What scores are but for the separation, of everybody's enrolment against everybody's segments."""
    n = case.speakers
    by_enrolment, by_speaker, by_pair, by_segment = case.effects
    rest = math.sqrt(1.0 - sum(effect**2 for effect in case.effects))
    score = rng.normal(0, by_enrolment, n)[:, None] + rng.normal(0, by_speaker, n)[who]
    score = score + rng.normal(0, by_segment, len(who)) + rng.normal(0, by_pair, (n, n))[:, who]
    return np.asarray(score + rng.normal(0, rest, (n, len(who))))


def trials_of(case: Case, who: IntArray, noise: FloatArray) -> Trials:
    """The trials of such noise."""
    is_target = np.arange(case.speakers)[:, None] == who
    score = noise + case.separation * is_target
    enrol, test = np.nonzero(np.ones_like(score))
    return Trials(
        (np.round(score) if case.ties else score)[enrol, test],
        is_target[enrol, test],
        Ids(enrol.astype(np.int32), tuple(f"s{k:03d}" for k in range(case.speakers))),
        Ids(test.astype(np.int32), tuple(f"s{speaker:03d}-{k}" for k, speaker in enumerate(who))),
    )


def coverage(case: Case, sets: int) -> dict[str, float]:
    """In what share of the sets the interval of each figure holds the truth."""
    rng, true = np.random.default_rng(case.speakers), truth(case)
    held = dict.fromkeys(FIGURES, 0)
    for seed in range(sets):
        who = segments_of(rng, case)
        trials = trials_of(case, who, noise_of(rng, case, who))
        settings = BootstrapSettings(DRAWS, seed=seed)
        (found,) = bootstrap_together([(trials, assess(trials))], Clusters.of_trials(trials), settings)
        intervals = found.intervals
        for name in FIGURES:
            held[name] += true[name] in intervals[name]
    return {name: count / sets for name, count in held.items()}


def levels(case: Case, sets: int) -> dict[str, float]:
    """Of three safeguards: the share of pairs with p ≤ 0.05, and of groups with any settled.

    They are alike, but for the last where the case has a better one; then the pairs are those with it.
    """
    rng = np.random.default_rng(case.speakers)
    small, settled = dict.fromkeys(TESTED, 0.0), 0
    better = replace(case, separation=case.separation + case.better)
    for seed in range(sets):
        who = segments_of(rng, case)
        base = noise_of(rng, case, who)
        alike = []
        for number in range(SAFEGUARDS):
            mixed = math.sqrt(ALIKE) * base + math.sqrt(1.0 - ALIKE) * noise_of(rng, case, who)
            alike.append(trials_of(better if number == SAFEGUARDS - 1 else case, who, mixed))
        found = bootstrap_together(
            [(each, assess(each)) for each in alike],
            Clusters.of_trials(alike[0]),
            BootstrapSettings(DRAWS, seed=seed),
        )
        ranked = {name: ranking(name, [each.figures[name] for each in found]) for name in TESTED}
        last = {SAFEGUARDS - 1} if case.better else {1, 2}
        for name, one in ranked.items():
            pairs = [each for each in one.differences if {each.first, each.second} & last]
            small[name] += float(np.mean([each.p_value <= 0.05 for each in pairs]))
        settled += any(each.is_settled for one in ranked.values() for each in one.differences)
    return {**{name: count / sets for name, count in small.items()}, "settled": settled / sets}


def row(case: Case, shares: dict[str, float], true: str = "") -> None:
    """A line of a table."""
    print(
        f"| {case.words} |{true} {' | '.join(f'{100 * share:.1f}' for share in shares.values())} |",
        flush=True,
    )


def main(sets: int) -> int:
    """All cases, as tables; the exit status tells whether all hold."""
    at_fault = 0
    print("| speakers × segments, separation | true D_ECE | D_ECE | min Cllr | EER | ROCCH-EER |")
    for case in CASES:
        held = coverage(case, sets)
        most = 1.0 if truth(case)["d_ece_bits"] < WEAK else 0.995
        row(case, held, f" {truth(case)['d_ece_bits']:.3f} |")
        at_fault += sum(not 0.89 <= share <= most for share in held.values())
    print("| alike | D_ECE | EER | min Cllr | any settled |")
    for case in PAIRS:
        found = levels(case, sets)
        row(case, found)
        at_fault += sum(share > 0.08 for share in found.values())
    print("| different | D_ECE | EER | min Cllr | any settled |")
    for case in DIFFERENT:
        row(case, levels(case, sets))
    return int(at_fault > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS))
