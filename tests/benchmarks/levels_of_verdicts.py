"""How often a requirement that is just not fulfilled is called met, where the truth is known.

Not run by `make bench`, for it takes minutes: `python -m tests.benchmarks.levels_of_verdicts`, optionally
with numbers of speakers. For each size and each strength of the safeguard it draws sets of trials and
requires what is just not so: D_ECE to be at most, EER and min Cllr at least, what they truly are, to the last
digit; and each to be no worse than that of a better safeguard by more than what it truly is worse, on paired
draws of the same voices. "Not met" is counted of the same, as if it were just fulfilled. Fails where more
than 5 % and two standard errors are called met, or not met, at a confidence of 95 %.

Measured with 250 sets of 250 replicates, in per cent (the standard error at 5 % is 1.4); the column of 40
speakers is of D_ECE and EER alone:

    speakers                                10                 20                 40
    safeguard                         well some none     well some none     well some none
    D_ECE called met                   0.0  0.8  0.4      0.0  2.0  2.4      0.0  1.2  0.8
    D_ECE called not met               0.4  1.2  0.0      2.0  3.2  2.4      1.6  4.4  4.8
    EER called met                     2.8  0.8  0.4      4.8  3.2  2.8      5.2  2.8  1.2
    EER called not met                 4.0  1.6  0.4      4.4  5.6  3.6      3.2  4.0  2.8
    min Cllr called met                0.0  0.8  0.4      0.0  2.0  2.4
    min Cllr called not met            0.4  0.8  0.4      2.4  2.8  2.0
    D_ECE, no worse called met         0.4  2.0  0.0      2.4  3.6  0.0
    D_ECE, no worse called not met     3.2  0.8  0.0      5.6  2.0  0.0
    EER, no worse called met           1.2  0.0  0.4      1.2  1.6  0.8
    EER, no worse called not met       0.0  0.0  0.0      0.4  0.8  0.4
    min Cllr, no worse called met      0.4  2.0  0.0      2.4  4.0  0.8
    min Cllr, no worse called not met  3.6  0.0  0.0      5.6  2.0  0.0
"""

import sys
from dataclasses import replace
from math import sqrt

import numpy as np

from tests.benchmarks.coverage_uncertainty import BETWEEN, truth
from tests.core.speaker_model import trials_of
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import Requirement, Scope, Sense
from zebra_core.project.settling import settle
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.verdict import Outcome
from zebra_core.uncertainty.bootstrap import BootstrapSettings

SETS, REPLICATES = 250, 250
PROTECTS = {"d_ece": Sense.AT_MOST, "eer": Sense.AT_LEAST, "min_cllr": Sense.AT_LEAST}
BETTER = 0.7  # times the variance between speakers, of the safeguard that another must be no worse than
OUTCOMES = (Outcome.MET, Outcome.NOT_MET)


def study(n_speakers: int, between: float, sets: int = SETS) -> dict[str, dict[Outcome, float]]:
    """The shares of sets in which what is just not fulfilled is called met, and what just is, not met."""
    asked = requirements(between)
    called = {each.name: dict.fromkeys(OUTCOMES, 0) for each in asked}
    for number in range(sets):
        project = paired(n_speakers, between, number)
        for verdict in verdicts(project, asked, against={}):
            if verdict.outcome in OUTCOMES:
                called[verdict.requirement.name][verdict.outcome] += 1
    return {name: {each: n / sets for each, n in of.items()} for name, of in called.items()}


def requirements(between: float) -> list[Requirement]:
    """What is just not fulfilled by B1: each figure, and each difference from B2, as it truly is."""
    true, better, scope = truth(between), truth(BETTER * between), Scope(safeguards=("B1",))
    keys = {"d_ece": "d_ece_bits", "eer": "eer", "min_cllr": "min_cllr_bits"}
    made = []
    for code, sense in PROTECTS.items():
        at, margin = true[keys[code]], abs(true[keys[code]] - better[keys[code]])
        made.append(Requirement(code, code, at, sense, scope=scope))
        made.append(Requirement(f"{code} no worse", code, margin, scope=scope, no_worse_than="B2"))
    return made


def paired(n_speakers: int, between: float, seed: int) -> Project:
    """Two safeguards on the same voices, of which the second leaves less of them, with all intervals."""
    made = []
    for name, variance in (("B1", between), ("B2", BETTER * between)):
        trials = trials_of(np.random.default_rng([n_speakers, seed]), n_speakers, variance)
        made.append(Entry(name, trials, assess(trials), Condition.OP, dataset="x"))
    project = Project(items=tuple(made))
    found = settle(project, lambda entry, _: entry.trials, BootstrapSettings(REPLICATES, seed=seed))
    return replace(project.with_trust(found.measured), differences=found.settled)


def main(sizes: list[int]) -> int:
    """Study all sizes and strengths."""
    worst, most = 0.0, 0.05 + 2.0 * sqrt(0.05 * 0.95 / SETS)
    for n_speakers in sizes:
        for words, between in BETWEEN.items():
            for name, shares in study(n_speakers, between).items():
                told = ", ".join(
                    f"{outcome.value} {100.0 * share:.1f} %" for outcome, share in shares.items()
                )
                print(f"{n_speakers} speakers, {words}, {name}: {told}", flush=True)
                worst = max(worst, *shares.values())
    return int(worst > most)


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]] or [10, 20, 40]))
