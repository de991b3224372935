"""How often a requirement is called met though it just is not, and a check fails though nothing is wrong.

Not run by `make bench`, for it takes an hour: `python -m benchmarks.levels verdicts`, or `others`, or
`attackers`, optionally with numbers of speakers. Sets of trials are drawn from a two-covariance model, whose
truth is known, for each size and each strength of the safeguard. Fails where more than 5 % and two standard
errors are called what they are not. Coverage and levels of everything else that is said of assessments,
differences, chance and speakers are simulated by `packaging/simulations.py`.

`verdicts` requires what is just not so: D_ECE to be at most, EER and min Cllr at least, what they truly are,
to the last digit; and each to be no worse than that of a better safeguard by more than what it truly is
worse, on paired draws of the same voices. "Not met" is counted of the same, as if it were just fulfilled.
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

`others` requires the worst case that other speakers bear out to be at most what it truly is. It grows with
the number of speakers, so its truth is the mean of what sets of as many speakers show, from 300 of them.
Measured with 100 sets of 100 replicates, in per cent (the standard error at 5 % is 2.2):

    speakers             20                40
    safeguard      well some none    well some
    called met      1.0  5.0  0.0     3.0  6.0
    called not met  0.0  0.0  0.0     0.0  0.0

Draws show a tenth less than sets of other speakers do, which widens the bounds downwards: nothing was called
not met that just was.

`attackers` counts how often one who knows more is called badly trained although they find no less: two whose
scores disclose truly the same, once by recordings of their own, once of the same speech with the same scores
but for noise of their own. Measured with 20 speakers and 100 sets of 100 replicates, in per cent (the
standard error at 5 % is 2.2):

    voices          protected well  protected  unprotected
    other speech               0.0        3.0          3.0
    same speech                0.0        3.0          2.0
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

import numpy as np

from tests.core.speaker_model import DIMENSIONS, log_likelihood_ratio, trials_of
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.ece import LN2
from zebra_core.metrics.error_rates import eer
from zebra_core.metrics.zebra import disclosed_area
from zebra_core.project.checks.checklist import knowing_more_finds_no_less
from zebra_core.project.checks.outcome import CheckOutcome
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import Requirement, Scope, Sense
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.measuring import worst_of_others
from zebra_core.project.verdicts.verdict import VerdictOutcome
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.trust import trust_of

BETWEEN = {"protected well": 0.1, "protected": 0.5, "unprotected": 3.0}
"""The variance between speakers that safeguards leave, where that within them is 1."""
SETS = {"verdicts": 250, "others": 100, "attackers": 250}
SIZES = {"verdicts": (10, 20, 40), "others": (20, 40), "attackers": (10, 20, 40)}
PAIRS = 1_000_000  # of either class, for the truth
SETS_FOR_THE_TRUTH = 300  # of the worst case of others
PROTECTS = {"d_ece": Sense.AT_MOST, "eer": Sense.AT_LEAST, "min_cllr": Sense.AT_LEAST}
BETTER = 0.7  # times the variance between speakers, of the safeguard that another must be no worse than
NOISE = 1.0  # of an attacker's scores, a standard deviation; natural logarithm


def draws(what: str, number: int) -> BootstrapSettings:
    """As many replicates as there are sets."""
    return BootstrapSettings(SETS[what], seed=number)


def truth(between: float) -> dict[str, float]:
    """The figures of infinitely many speakers, as near as two million independent pairs tell."""
    rng = np.random.default_rng(99)
    voice = rng.normal(size=(PAIRS, DIMENSIONS)) * np.sqrt(between)
    one, other = (voice + rng.normal(size=voice.shape) for _ in range(2))
    target = log_likelihood_ratio(one, other, between)
    strangers = (rng.normal(size=voice.shape) * np.sqrt(between + 1.0) for _ in range(2))
    nontarget = log_likelihood_ratio(*strangers, between)
    score = np.concatenate([target, nontarget])
    cost = np.logaddexp(0.0, -target).mean() + np.logaddexp(0.0, nontarget).mean()
    return {
        # The scores are true LLRs: no calibration is needed, and none can be too well adapted.
        "d_ece": float((disclosed_area(target).mean() + disclosed_area(-nontarget).mean()) / LN2),
        "min_cllr": float(cost / (2.0 * LN2)),
        "eer": eer(ScoreCounts.of(score, np.arange(len(score)) < PAIRS)),
    }


def of_verdicts(n_speakers: int, between: float) -> Mapping[str, int]:
    """In how many sets what is just not fulfilled is called met, and what just is, not met."""
    asked, outcomes = requirements(between), (VerdictOutcome.MET, VerdictOutcome.NOT_MET)
    called = Counter({f"{each.name} {outcome.value}": 0 for each in asked for outcome in outcomes})
    for number in range(SETS["verdicts"]):
        for verdict in verdicts(paired(n_speakers, between, number), asked, against={}):
            if verdict.outcome in outcomes:
                called[f"{verdict.requirement.name} {verdict.outcome.value}"] += 1
    return called


def requirements(between: float) -> list[Requirement]:
    """What is just not fulfilled by B1: each figure, and each difference from B2, as it truly is."""
    true, better, scope = truth(between), truth(BETTER * between), Scope(safeguards=("B1",))
    made = []
    for code, sense in PROTECTS.items():
        margin = abs(true[code] - better[code])
        made.append(Requirement(code, code, true[code], sense, scope=scope))
        made.append(Requirement(f"{code} no worse", code, margin, scope=scope, no_worse_than="B2"))
    return made


def paired(n_speakers: int, between: float, seed: int) -> Project:
    """Two safeguards on the same voices, of which the second leaves less of them, with all intervals."""
    made = []
    for name, variance in (("B1", between), ("B2", BETTER * between)):
        trials = trials_of(np.random.default_rng([n_speakers, seed]), n_speakers, variance)
        made.append(Entry(name, trials, assess(trials), Condition.OP, dataset="x"))
    project = Project(items=tuple(made))
    found = settle(project, lambda entry, _: entry.trials, draws("verdicts", seed))
    return replace(project.with_trust(found.measured), differences=found.settled)


def of_others(n_speakers: int, between: float) -> Mapping[str, int]:
    """In how many sets the truth as a bound on the worst case of others is called kept, and broken."""
    rng, called = np.random.default_rng([n_speakers, 7]), Counter[str]()
    sets = (assess(trials_of(rng, n_speakers, between)) for _ in range(SETS_FOR_THE_TRUTH))
    true = float(np.mean([found.cross_fitted.worst_case_log10_lr for found in sets]))
    for number in range(SETS["others"]):
        trials = trials_of(np.random.default_rng([n_speakers, number]), n_speakers, between)
        drawn = worst_of_others(trials, draws("others", number))
        assert drawn is not None
        bounds = one_sided(drawn, 0.95)
        called["met"] += bounds.high <= true
        called["not met"] += bounds.low > true
    return called


def of_attackers(n_speakers: int, between: float) -> Mapping[str, int]:
    """In how many sets the one who knows more is said to find less."""
    called = Counter[str]()
    for are_pairs in (False, True):
        rng = np.random.default_rng([n_speakers, are_pairs])
        for number in range(SETS["attackers"]):
            first = trials_of(rng, n_speakers, between)
            second = first if are_pairs else trials_of(rng, n_speakers, between)
            pair = [(first, "ignorant"), (second, "lazy-informed")]
            made = [_attack(_noisy(each, rng) if are_pairs else each, name, number) for each, name in pair]
            (case,) = knowing_more_finds_no_less(Project("", tuple(made)))
            called["same speech" if are_pairs else "other speech"] += case.outcome is CheckOutcome.FAILED
    return called


def _noisy(trials: Trials, rng: np.random.Generator) -> Trials:
    return replace(trials, score=trials.score + rng.normal(scale=NOISE, size=len(trials.score)))


def _attack(trials: Trials, attacker: str, seed: int) -> Entry:
    found = assess(trials)
    trust = trust_of(trials, found, draws("attackers", seed), deals=0)
    return Entry("B", trials, found, Condition.PP, attacker=attacker, measured=trust)


STUDIES = {"verdicts": of_verdicts, "others": of_others, "attackers": of_attackers}


def main(what: str, sizes: list[int]) -> int:
    """Study all sizes and strengths."""
    sets, worst = SETS[what], 0.0
    for n_speakers in sizes or SIZES[what]:
        for words, between in BETWEEN.items():
            shares = {name: count / sets for name, count in STUDIES[what](n_speakers, between).items()}
            told = ", ".join(f"{name} {100.0 * share:.1f} %" for name, share in shares.items())
            print(f"{n_speakers} speakers, {words}: {told}", flush=True)
            worst = max(worst, *shares.values(), 0.0)
    return int(worst > 0.05 + 2.0 * sqrt(0.05 * 0.95 / sets))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [int(size) for size in sys.argv[2:]]))
