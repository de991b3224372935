"""How often a requirement that is just not fulfilled is called met, where the truth is known.

Not run by `make bench`, for it takes minutes: `python -m tests.benchmarks.levels_of_verdicts`, optionally
with numbers of speakers. For each size and each strength of the safeguard it draws sets of trials and
requires what is just not so: D_ECE to be at most, and the EER at least, what it truly is, to the last digit.
"Not met" is counted of the same, as if it were just fulfilled. Fails where more than 5 % and two standard
errors are called met, or not met, at a confidence of 95 %.

Measured with 250 sets of 250 replicates, in per cent (the standard error at 5 % is 1.4):

    speakers                     10                  20                  40
    safeguard              well some none      well some none      well some none
    D_ECE called met        0.0  1.2  0.8       0.0  3.2  2.0       0.0  1.2  0.8
    D_ECE called not met    0.0  2.0  0.4       0.8  3.2  1.2       1.6  4.4  4.8
    EER called met          1.2  1.6  0.4       3.2  5.6  2.0       5.2  2.8  1.2
    EER called not met      2.8  2.0  0.4       3.6  3.6  2.0       3.2  4.0  2.8
"""

import sys
from math import sqrt

import numpy as np

from tests.benchmarks.coverage_uncertainty import BETWEEN, truth
from tests.core.speaker_model import trials_of
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.requirements.deciding import verdicts
from zebra_core.project.requirements.requirement import Requirement, Sense
from zebra_core.project.requirements.verdict import Outcome
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

SETS, REPLICATES = 250, 250
PROTECTS = {"d_ece": Sense.AT_MOST, "eer": Sense.AT_LEAST}
MOST = 0.05 + 2.0 * sqrt(0.05 * 0.95 / SETS)


def study(n_speakers: int, between: float) -> dict[str, float]:
    """The shares of sets in which what is just not fulfilled is called met, and what just is, not met."""
    true = truth(between)
    at = {"d_ece": true["d_ece_bits"], "eer": true["eer"]}
    asked = {
        f"{code} called {outcome.value}": (Requirement(code, code, at[code], sense), outcome)
        for code, sense in PROTECTS.items()
        for outcome in (Outcome.MET, Outcome.NOT_MET)
    }
    called = dict.fromkeys(asked, 0)
    rng = np.random.default_rng(n_speakers)
    for number in range(SETS):
        trials = trials_of(rng, n_speakers, between)
        found = assess(trials)
        trust = trust_of(trials, found, BootstrapSettings(REPLICATES, seed=number), deals=0)
        project = Project(items=(Entry("B", trials, found, Condition.OP, measured=trust),))
        for name, (requirement, outcome) in asked.items():
            (verdict,) = verdicts(project, [requirement], against={})
            called[name] += verdict.outcome is outcome
    return {name: count / SETS for name, count in called.items()}


def main(sizes: list[int]) -> int:
    """Study all sizes and strengths."""
    worst = 0.0
    for n_speakers in sizes:
        for words, between in BETWEEN.items():
            shares = study(n_speakers, between)
            told = ", ".join(f"{name} {100.0 * share:.1f} %" for name, share in shares.items())
            print(f"{n_speakers} speakers, {words}: {told}", flush=True)
            worst = max(worst, *shares.values())
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]] or [10, 20, 40]))
