"""Metamorphic laws: what must hold of the figures of any scores, tried on seeded random sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy

from zebra_core.evidence.trials import BoolArray, FloatArray, ScoreCounts, Trials
from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.metrics.assessment import Assessment, assess
from zebra_core.metrics.chance.seeds import Purpose, generator, normal, one_of, shuffled
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import say, written

SETS = 24
SEED = 27
FULL_BITS = 1.0 / (2.0 * math.log(2.0))
_FIGURES = ("d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "min_cllr_bits")
_ZEBRA, _ASSESSMENT = "tests/core/metrics/test_zebra.py", "tests/core/metrics/test_assessment.py"
_CALIBRATION, _VERIFICATION = (
    "tests/core/metrics/test_ece.py",
    "tests/core/metrics/test_verification.py",
)


@dataclass(frozen=True, eq=False)
class Scores:
    """A set of scores with their classes, and what the program makes of it."""

    score: FloatArray
    is_target: BoolArray
    rng: np.random.Generator
    assessed: Assessment

    @classmethod
    def of(cls, score: FloatArray, is_target: BoolArray, rng: np.random.Generator) -> Scores:
        """The set, assessed."""
        return cls(score, is_target, rng, assess(Trials(score, is_target)))


@dataclass(frozen=True)
class Law:
    """A law: by how much a set departs from it, how far it may, and which test checks the same."""

    name: str
    departure: Callable[[Scores], float]
    at_most: float
    test: str


def random_sets(count: int) -> Iterator[Scores]:
    """Sets of 2 to 60 trials a class, weak and strong, every other one with many equal scores."""
    rng = generator(SEED, Purpose.MADE_UP)
    for number in range(count):
        n_target, n_nontarget = one_of(2, 60, rng), one_of(2, 60, rng)
        score = normal(n_target + n_nontarget, rng)
        is_target = np.arange(len(score)) < n_target
        score = score + (0.0, 0.7, 1.5, 3.0)[number // 2 % 4] * is_target
        yield Scores.of(np.round(score * 2.0) / 2.0 if number % 2 else score, is_target, rng)


def tried(
    laws: Sequence[Law] | None = None, on_progress: Progress = no_progress
) -> list[ExaminedRequirement]:
    """Every law on every set: the largest departure that was found, beside the one that is allowed."""
    sets, chosen = list(random_sets(SETS)), LAWS if laws is None else laws
    lines = []
    for number, law in enumerate(chosen):
        on_progress(number / len(chosen))
        # Not `max`, which would let a NaN pass.
        departure = float(np.max([law.departure(one) for one in sets]))
        lines.append(
            ExaminedRequirement(
                say(f"dossier.law-{law.name}"),
                say("dossier.law-criterion", most=written(law.at_most, "g"), sets=SETS)
                if law.at_most
                else say("dossier.law-criterion-exact", sets=SETS),
                say("dossier.law-result", found=written(departure, ".2g")),
                departure <= law.at_most,
                say(f"dossier.law-{law.name}-source"),
                law.test,
            )
        )
    return lines


def _apart(one: Assessment, other: Assessment, names: Sequence[str] = _FIGURES) -> float:
    return max(abs(float(getattr(one, name)) - float(getattr(other, name))) for name in names)


def _order(of: Scores) -> float:
    order = shuffled(range(len(of.score)), of.rng)
    return _apart(of.assessed, assess(Trials(of.score[order], of.is_target[order])))


def _increasing(of: Scores) -> float:
    """Whatever keeps the order of the scores keeps the figures: a line, and a curve."""
    maps = (3.0 * of.score + 7.0, np.exp(of.score / 4.0))
    return max(_apart(of.assessed, assess(Trials(mapped, of.is_target))) for mapped in maps)


def _ties(of: Scores) -> float:
    """Equal scores told apart with the targets below are pooled again by the PAV."""
    step = np.diff(np.unique(of.score)).min(initial=1.0) / 4.0
    moved = of.score - step * of.is_target
    oracle = ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "min_cllr_bits")
    tied = np.isin(of.score, np.intersect1d(of.score[of.is_target], of.score[~of.is_target]))
    told_apart = np.where(tied, moved, of.score)
    return _apart(of.assessed, assess(Trials(told_apart, of.is_target)), oracle)


def _exchange(of: Scores) -> float:
    return _apart(of.assessed, assess(Trials(-of.score, ~of.is_target)))


def _perfect(of: Scores) -> float:
    found = assess(Trials(of.score + 100.0 * of.is_target, of.is_target))
    return max(abs(found.d_ece_bits - FULL_BITS), found.eer, found.rocch_eer, found.min_cllr_bits)


def _equal(of: Scores) -> float:
    found = assess(Trials(np.zeros_like(of.score), of.is_target))
    if found.tag != "0":
        return math.inf
    return max(abs(found.d_ece_bits), abs(found.worst_case_log10_lr), abs(found.eer - 0.5))


def _copies(of: Scores) -> float:
    found = assess(Trials(np.tile(of.score, 3), np.tile(of.is_target, 3)))
    return _apart(of.assessed, found, ("d_ece_bits", "eer", "rocch_eer", "min_cllr_bits"))


def _integral(of: Scores) -> float:
    _, *counts = at_scores(of.score, of.is_target)
    return abs(of.assessed.d_ece_bits - d_ece(oracle_llrs(*counts), *counts))


def _shares(of: Scores) -> FloatArray:
    """The share of targets that the program's PAV gives each distinct score."""
    blocks = of.assessed.plain
    return np.repeat(blocks.n_target / (blocks.n_target + blocks.n_nontarget), np.diff(blocks.first))


def _scipy(of: Scores) -> float:
    counts = ScoreCounts.of(of.score, of.is_target)
    both = counts.n_target + counts.n_nontarget
    theirs = scipy.optimize.isotonic_regression(counts.n_target / both, weights=both).x
    return float(np.abs(_shares(of) - theirs).max())


def _minimax(of: Scores) -> float:
    _, *counts = at_scores(of.score, of.is_target)
    return float(np.abs(_shares(of) - minimax_shares(*counts)).max())


def _worst_case(of: Scores) -> float:
    _, *counts = at_scores(of.score, of.is_target)
    return abs(of.assessed.worst_case_log10_lr - worst_case(*counts))


def _min_cllr(of: Scores) -> float:
    _, *counts = at_scores(of.score, of.is_target)
    return abs(of.assessed.min_cllr_bits - cllr(oracle_llrs(*counts), *counts))


def _eer(of: Scores) -> float:
    return abs(of.assessed.eer - eer(of.score, of.is_target))


def _rocch_eer(of: Scores) -> float:
    return abs(of.assessed.rocch_eer - rocch_eer(of.score, of.is_target))


LAWS = (
    Law("order", _order, 0.0, _ASSESSMENT),
    Law("increasing", _increasing, 0.0, _ASSESSMENT),
    Law("ties", _ties, 1e-12, _CALIBRATION),
    Law("exchange", _exchange, 1e-12, _ZEBRA),
    Law("perfect", _perfect, 1e-12, _ZEBRA),
    Law("equal", _equal, 1e-12, _ZEBRA),
    Law("copies", _copies, 1e-12, _ZEBRA),
    Law("integral", _integral, 1e-9, _ZEBRA),
    Law("scipy", _scipy, 1e-12, _CALIBRATION),
    Law("minimax", _minimax, 1e-12, _CALIBRATION),
    Law("worst-case", _worst_case, 1e-10, _ZEBRA),
    Law("min-cllr", _min_cllr, 1e-10, _VERIFICATION),
    Law("eer", _eer, 1e-12, "tests/core/metrics/test_error_rates.py"),
    Law("rocch-eer", _rocch_eer, 1e-12, _VERIFICATION),
)


# The figures once more, slowly and from the papers alone: none of the program's own routines is used.


_FAR = 36.0  # log-odds beyond which the prior has less than 1e-15 of its range
_PANELS = 288


def minimax_shares(n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """Isotonic regression of the share of targets at each distinct score: the max-min of means, (m,).

    Ref: Robertson, Wright and Dykstra 1988, section 1.4. O(m^3) on purpose: nothing is pooled.
    """
    target = np.concatenate([[0.0], np.cumsum(n_target)])
    both = np.concatenate([[0.0], np.cumsum(n_target + n_nontarget)])
    m = len(n_target)
    return np.array(
        [
            max(
                min((target[end] - target[start]) / (both[end] - both[start]) for end in range(k + 1, m + 1))
                for start in range(k + 1)
            )
            for k in range(m)
        ]
    )


def at_scores(score: FloatArray, is_target: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The distinct scores, and how many trials of either class have each: three of (m,)."""
    distinct = np.unique(score)
    target = np.array([np.sum(score[is_target] == one) for one in distinct], dtype=np.float64)
    nontarget = np.array([np.sum(score[~is_target] == one) for one in distinct], dtype=np.float64)
    return distinct, target, nontarget


def oracle_llrs(n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """The natural-log LLR of each distinct score, from posterior odds and those of the counts; (m,)."""
    share = minimax_shares(n_target, n_nontarget)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(share) - np.log1p(-share) - np.log(n_target.sum() / n_nontarget.sum()))


def worst_case(n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """The largest |log10 LR| under Laplace's rule: a target and a nontarget more beyond either end."""
    if len(n_target) == 1:
        return 0.0
    ends = [np.concatenate([[1.0], of, [1.0]]) for of in (n_target, n_nontarget)]
    share = minimax_shares(*ends)[1:-1]
    odds = np.log(share) - np.log1p(-share) - np.log(n_target.sum() / n_nontarget.sum())
    return float(np.abs(odds).max() / np.log(10.0))


def ece(log_odds: FloatArray, llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> FloatArray:
    """ZEBRA paper, eq. 4, in bits, at each prior; (p,)."""
    prior, rest = 1.0 / (1.0 + np.exp(-log_odds)), 1.0 / (1.0 + np.exp(log_odds))
    of, no = n_target > 0, n_nontarget > 0
    missed = np.logaddexp(0.0, -llr[of][:, np.newaxis] - log_odds).T @ n_target[of] / n_target.sum()
    false = np.logaddexp(0.0, llr[no][:, np.newaxis] + log_odds).T @ n_nontarget[no] / n_nontarget.sum()
    return np.asarray((prior * missed + rest * false) / np.log(2.0))


def d_ece(llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """ZEBRA paper, eq. 5: the area between the entropy of the prior and ECE, by Gauss and Legendre."""
    node, weight = np.polynomial.legendre.leggauss(16)
    edge = np.linspace(-_FAR, _FAR, _PANELS + 1)
    half = (edge[1] - edge[0]) / 2.0
    log_odds = (edge[:-1, np.newaxis] + half * (node + 1.0)).ravel()
    prior, rest = 1.0 / (1.0 + np.exp(-log_odds)), 1.0 / (1.0 + np.exp(log_odds))
    entropy = (prior * np.logaddexp(0.0, -log_odds) + rest * np.logaddexp(0.0, log_odds)) / np.log(2.0)
    gap = (entropy - ece(log_odds, llr, n_target, n_nontarget)) * prior * rest
    return float(gap @ np.tile(weight * half, _PANELS))


def cllr(llr: FloatArray, n_target: FloatArray, n_nontarget: FloatArray) -> float:
    """ECE at even odds, which is Cllr (Brümmer and du Preez 2006), in bits."""
    return float(ece(np.zeros(1), llr, n_target, n_nontarget)[0])


def eer(score: FloatArray, is_target: BoolArray) -> float:
    """Both error rates at every threshold, and where the broken line through them meets the diagonal."""
    points = [
        (float(np.mean(score[is_target] < at)), float(np.mean(score[~is_target] >= at)))
        for at in [-np.inf, *np.unique(score), np.inf]
    ]
    return min(_on_diagonal(*pair) for pair in pairwise(points))


def rocch_eer(score: FloatArray, is_target: BoolArray) -> float:
    """The least error at which any mixture of two thresholds has equal rates."""
    points = [
        (float(np.mean(score[is_target] < at)), float(np.mean(score[~is_target] >= at)))
        for at in [-np.inf, *np.unique(score), np.inf]
    ]
    return min(_on_diagonal(one, other) for one in points for other in points)


def _on_diagonal(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Where the line between two operating points has equal rates; infinite where it has them nowhere."""
    before, after = one[0] - one[1], other[0] - other[1]
    if before == 0.0:
        return one[0]
    if before * after > 0.0 or before == after:
        return float("inf")
    return one[0] + (other[0] - one[0]) * before / (before - after)
