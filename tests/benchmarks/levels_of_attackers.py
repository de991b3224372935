"""How often an attacker who knows more is called badly trained although he finds no less.

Not run by `make bench`, for it takes minutes: `python -m tests.benchmarks.levels_of_attackers`, optionally
with numbers of speakers. For each size and strength of the safeguard it draws the trials of two attackers
whose scores disclose truly the same: once by recordings of their own, once of the same speech with the same
scores but for noise of their own. The check may fail in at most 5 % and two standard errors.

Measured with 20 speakers and 100 sets of 100 replicates, in per cent (the standard error at 5 % is 2.2):

    voices          protected well  protected  unprotected
    other speech               0.0        3.0          3.0
    same speech                0.0        3.0          2.0
"""

import sys
from dataclasses import replace
from math import sqrt

import numpy as np

from tests.benchmarks.coverage_uncertainty import BETWEEN
from tests.core.speaker_model import trials_of
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.checks.knowledge import knowing_more_finds_no_less
from zebra_core.project.checks.outcome import Outcome
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

SETS, REPLICATES = 250, 250
MOST = 0.05 + 2.0 * sqrt(0.05 * 0.95 / SETS)
NOISE = 1.0  # standard deviation, natural logarithm


def failing(n_speakers: int, between: float, *, are_pairs: bool, sets: int = SETS) -> float:
    """The share of sets in which the one who knows more is said to find less."""
    rng = np.random.default_rng([n_speakers, are_pairs])
    failed = 0
    for number in range(sets):
        first = trials_of(rng, n_speakers, between)
        second = first if are_pairs else trials_of(rng, n_speakers, between)
        pair = [(first, "ignorant"), (second, "lazy-informed")]
        made = [_entry(_noisy(each, rng) if are_pairs else each, name, number) for each, name in pair]
        (case,) = knowing_more_finds_no_less(Project("", tuple(made)))
        failed += case.outcome is Outcome.FAILED
    return failed / sets


def _noisy(trials: Trials, rng: np.random.Generator) -> Trials:
    return replace(trials, score=trials.score + rng.normal(scale=NOISE, size=len(trials.score)))


def _entry(trials: Trials, attacker: str, seed: int) -> Entry:
    found = assess(trials)
    trust = trust_of(trials, found, BootstrapSettings(REPLICATES, seed=seed), deals=0)
    return Entry("B", trials, found, Condition.PP, attacker=attacker, measured=trust)


def main(sizes: list[int]) -> int:
    """Study all sizes and strengths."""
    worst = 0.0
    for n_speakers in sizes:
        for words, between in BETWEEN.items():
            shares = [failing(n_speakers, between, are_pairs=pairs) for pairs in (False, True)]
            told = " and ".join(f"{100.0 * share:.1f} %" for share in shares)
            print(f"{n_speakers} speakers, {words}: {told} (other speech, same speech)", flush=True)
            worst = max(worst, *shares)
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]] or [10, 20, 40]))
