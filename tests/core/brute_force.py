"""Slow and plain versions of the figures, written from the papers, to judge the fast ones by."""

import itertools
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.integrate import quad

Scores = list[float]


def pav_llrs(target: Scores, nontarget: Scores, *, laplace: bool = False) -> dict[float, float]:
    """Score → natural-log LLR, in exact fractions."""
    prior = Fraction(len(target), len(nontarget))
    blocks = pav_blocks(target, nontarget, laplace=laplace)
    return {score: _log_ratio(t, n, prior) for scores, t, n in blocks for score in scores}


def pav_blocks(
    target: Scores, nontarget: Scores, *, laplace: bool = False
) -> list[tuple[list[float], int, int]]:
    """Scores with their numbers of targets and nontargets: neighbours pooled until the share ascends."""
    blocks = [
        ([score], target.count(score), nontarget.count(score)) for score in sorted({*target, *nontarget})
    ]
    if laplace:
        blocks = [([], 1, 1), *blocks, ([], 1, 1)]
    at = 0
    while at + 1 < len(blocks):
        (scores, t, n), (more, u, m) = blocks[at], blocks[at + 1]
        if Fraction(t, t + n) >= Fraction(u, u + m):
            blocks[at : at + 2] = [(scores + more, t + u, n + m)]
            at = max(at - 1, 0)
        else:
            at += 1
    return blocks


def _log_ratio(t: int, n: int, prior: Fraction) -> float:
    if n == 0:
        return math.inf
    return -math.inf if t == 0 else math.log(Fraction(t, n) / prior)


def ece(target_llr: Scores, nontarget_llr: Scores, prior: float) -> float:
    """ZEBRA paper, eq. 4, term by term, in bits."""
    odds = prior / (1.0 - prior)
    a = sum(math.log2(1.0 + math.exp(-llr) / odds) for llr in target_llr) / len(target_llr)
    b = sum(math.log2(1.0 + math.exp(llr) * odds) for llr in nontarget_llr) / len(nontarget_llr)
    return prior * a + (1.0 - prior) * b


def d_ece(target_llr: Scores, nontarget_llr: Scores) -> float:
    """ZEBRA paper, eq. 5: the integral over the prior, by quadrature."""

    def gap(log_odds: float) -> float:
        prior = 1.0 / (1.0 + math.exp(-log_odds))
        rest = 1.0 / (1.0 + math.exp(log_odds))
        entropy = -prior * math.log2(prior) - rest * math.log2(rest)
        return (entropy - ece(target_llr, nontarget_llr, prior)) * prior * rest  # dπ = π (1 − π) d log-odds

    return sum(float(quad(gap, low, low + 5.0, epsabs=1e-12)[0]) for low in range(-35, 35, 5))


def eer(target: Scores, nontarget: Scores) -> float:
    """Both error rates at every threshold, and where the broken line through them meets the diagonal."""
    points = []
    for threshold in [-math.inf, *sorted({*target, *nontarget}), math.inf]:
        miss = np.mean([score < threshold for score in target])
        false_alarm = np.mean([score >= threshold for score in nontarget])
        points.append((miss, false_alarm))
    return _on_diagonal(points)


def rocch_eer(target: Scores, nontarget: Scores) -> float:
    """The lowest error at which every mixture of two operating points has equal rates."""
    points = [(0.0, 1.0), (1.0, 0.0)]
    for threshold in sorted({*target, *nontarget}):
        miss = float(np.mean([score < threshold for score in target]))
        points.append((miss, float(np.mean([score >= threshold for score in nontarget]))))
    return min(_on_diagonal([p, q]) for p in points for q in points if (p[0] - p[1]) * (q[0] - q[1]) <= 0)


def _on_diagonal(points: list[tuple[float, float]]) -> float:
    for (miss, false_alarm), (more_miss, less_false_alarm) in pairwise(points):
        before, after = miss - false_alarm, more_miss - less_false_alarm
        if before == 0.0:
            return miss
        if before * after <= 0.0:
            return miss + (more_miss - miss) * before / (before - after)
    raise AssertionError("error rates always cross")


def rates_at(target: Scores, nontarget: Scores, threshold: float) -> tuple[float, float]:
    """Miss and false-alarm rate of accepting every score that is at least the threshold."""
    miss = sum(score < threshold for score in target) / len(target)
    return miss, sum(score >= threshold for score in nontarget) / len(nontarget)


def bayes_error(target: Scores, nontarget: Scores, log_odds: float, threshold: float) -> float:
    """π·P(miss) + (1 − π)·P(false alarm) at this threshold."""
    miss, false_alarm = rates_at(target, nontarget, threshold)
    return miss / (1.0 + math.exp(-log_odds)) + false_alarm / (1.0 + math.exp(log_odds))


def min_dcf(target: Scores, nontarget: Scores, log_odds: float) -> float:
    """The least Bayes error at any threshold."""
    thresholds = [-math.inf, *target, *nontarget, math.inf]
    return min(bayes_error(target, nontarget, log_odds, threshold) for threshold in thresholds)


def wrong_decisions(target: Scores, nontarget: Scores, one_in: int) -> tuple[float, float]:
    """The posterior of every trial, and which are on the wrong side of one half, in exact fractions."""
    blocks = pav_blocks(target, nontarget)
    prior = Fraction(len(target), len(nontarget))
    accepted = {score for scores, t, n in blocks for score in scores if t >= (one_in - 1) * n * prior}
    miss = np.mean([score not in accepted for score in target])
    return float(miss), float(np.mean([score in accepted for score in nontarget]))


def hits_at(target: Scores, nontarget: Scores, most_false_alarms: float) -> float | None:
    """The best true-positive rate at any threshold with so few false alarms."""
    if most_false_alarms < 1 / len(nontarget):
        return None
    rates = [rates_at(target, nontarget, threshold) for threshold in [*target, *nontarget, math.inf]]
    return max(1.0 - miss for miss, false_alarm in rates if false_alarm <= most_false_alarms)


def elub(target_llr: Scores, nontarget_llr: Scores, step: float = 1e-3) -> tuple[float, float]:
    """Vergeer et al. 2016: threshold by threshold from LR 1 on until deciding by it costs more than 1."""

    def upper(of_use: Scores, misleading: Scores) -> float:
        theta = step
        while True:
            missed = sum(llr < theta for llr in of_use) / len(of_use)
            false = (sum(llr >= theta for llr in misleading) + 1) / (len(misleading) + 1)
            if missed + math.exp(theta) * false > 1.0:
                return theta - step
            theta += step

    return -upper([-llr for llr in nontarget_llr], [-llr for llr in target_llr]), upper(
        target_llr, nontarget_llr
    )


def unordered_llr(n_target: list[int], n_nontarget: list[int]) -> Scores:
    """Averaged shifted histograms over the rank in a balanced mixture; see `metrics.cross_fitted`."""
    total_target, total_nontarget = sum(n_target), sum(n_nontarget)
    mixture = [
        t / total_target / 2 + n / total_nontarget / 2 for t, n in zip(n_target, n_nontarget, strict=True)
    ]
    rank = [sum(mixture[:k]) + mixture[k] / 2 for k in range(len(mixture))]
    cells = min(max(round(1.5 * total_target ** (1 / 3)), 2), 24)
    llrs = []
    for own in rank:
        posterior = 0.0
        for shift in (0.125, 0.375, 0.625, 0.875):
            cell = min(int(own * cells + shift), cells)
            here = [k for k, other in enumerate(rank) if min(int(other * cells + shift), cells) == cell]
            added = 2.0 * sum(mixture[k] for k in here)
            target = (sum(n_target[k] for k in here) + added) / (total_target + 2.0)
            nontarget = (sum(n_nontarget[k] for k in here) + added) / (total_nontarget + 2.0)
            posterior += target / (target + nontarget) / 4 if target + nontarget else 0.125
        llrs.append(math.log(posterior / (1 - posterior)))
    return llrs


def unique_by_number(rows: list[tuple[int, ...]]) -> list[float]:
    """The share of rows that no other is like, over every choice of 1, 2, … columns."""
    curve = []
    for size in range(1, len(rows[0]) + 1):
        shares = []
        for columns in itertools.combinations(range(len(rows[0])), size):
            cut = [tuple(row[k] for k in columns) for row in rows]
            shares.append(sum(cut.count(one) == 1 for one in cut) / len(cut))
        curve.append(sum(shares) / len(shares))
    return curve


def dev_pav(target_llr: Scores, nontarget_llr: Scores, steps: int = 200_000) -> float:
    """devPAV in powers of ten: |PAV − LLR| at many places of one distance, straight between distinct LLRs."""
    oracle = pav_llrs(target_llr, nontarget_llr)
    points = [(x / math.log(10), y / math.log(10)) for x, y in sorted(oracle.items()) if math.isfinite(y)]
    (low, _), (high, _) = points[0], points[-1]
    total, k = 0.0, 0
    for step in range(steps):
        at = low + (step + 0.5) * (high - low) / steps
        while points[k + 1][0] < at:
            k += 1
        (x, y), (next_x, next_y) = points[k], points[k + 1]
        total += abs(y + (at - x) / (next_x - x) * (next_y - y) - at)
    return total / steps


def invariance_bounds(target_llr: Scores, nontarget_llr: Scores, step: float = 1e-3) -> tuple[float, float]:
    """The last log10 LR on either side of 0 before frequencies, half a trial added, fail a threshold."""
    target, nontarget = ([llr / math.log(10) for llr in of] for of in (target_llr, nontarget_llr))

    def shown(of: list[float], at: float, *, above: bool) -> float:
        return (sum(1 for llr in of if (llr >= at) is above) + 0.5) / (len(of) + 1.0)

    def fails_above(at: float) -> bool:
        return shown(target, at, above=True) < 10.0**at * shown(nontarget, at, above=True)

    def fails_below(at: float) -> bool:
        return shown(nontarget, at, above=False) < 10.0**-at * shown(target, at, above=False)

    most, least = max(target + nontarget), min(target + nontarget)
    grid = [step * k for k in range(int(min(least, 0.0) / step), int(max(most, 0.0) / step) + 1)]
    above = next((at for at in grid if fails_above(at)), max(target) + step)
    below = next((at for at in reversed(grid) if fails_below(at)), min(nontarget) - step)
    return min(below + step, 0.0), max(above - step, 0.0)
