"""Empirical cross-entropy: what an attacker still lacks, in bits, over the prior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.trials import FloatArray

LN2 = math.log(2.0)
_TABLE = 1 << 18  # numbers worked on at once: keeps the intermediate tables in the cache
_CHUNK = 1 << 14  # scores worked on at once, for the same reason
_FAR = 40.0  # beyond ±40 softplus is a straight line or an exponential to within 1e-17 of its value
_CELL = 0.5  # width of the cells that scores are gathered in
_NODES = 12  # Chebyshev nodes in a cell
_FEW = 2048  # fewer scores are summed one by one
_WIDEST = 300.0  # log-odds: far beyond any prior that means something; exp(2 · 300 + 40) does not overflow


@dataclass(frozen=True, eq=False)
class EceProfile:
    """ECE over the prior, all in bits and of shape (p,).

    `default_bits` is perfect privacy (the prior entropy), `min_bits` the attacker with oracle calibration,
    `actual_bits` one who takes the scores for LLRs.
    """

    prior_log_odds: FloatArray  # natural log-odds of the target prior, ascending
    default_bits: FloatArray
    min_bits: FloatArray
    actual_bits: FloatArray

    @property
    def nece_min(self) -> FloatArray:
        """The minimum ECE as a share of the prior entropy, shape (p,): 1 says nothing, 0 is perfect."""
        return np.asarray(self.min_bits / self.default_bits)

    @property
    def nece_actual(self) -> FloatArray:
        """The actual ECE as a share of the prior entropy, shape (p,); above 1 it misleads."""
        return np.asarray(self.actual_bits / self.default_bits)


def prior_entropy_bits(prior_log_odds: ArrayLike) -> FloatArray:
    """The entropy of the prior (ZEBRA paper, eq. 1), at natural log-odds of any shape: 0 … 1 bit."""
    log_odds = np.asarray(prior_log_odds, dtype=np.float64)
    prior = scipy.special.expit(log_odds)
    nats = prior * np.logaddexp(0.0, -log_odds) + scipy.special.expit(-log_odds) * np.logaddexp(0.0, log_odds)
    return np.asarray(nats / LN2)


def ece_bits(
    prior_log_odds: ArrayLike, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray
) -> FloatArray:
    """Empirical cross-entropy of LLRs (ZEBRA paper, eq. 4), at each of the priors; shape (p,).

    `llr` (natural log, shape (m,), any order) occurs in the share `target_share` of the target trials and
    `nontarget_share` of the nontarget trials; each sums to 1. An infinite LLR is allowed: where it is wrong
    the result is infinite. `prior_log_odds` are finite.

    O(m + p): many LLRs are gathered in cells, with a relative error below 1e-13 (see `_gathered`).
    """
    log_odds = np.atleast_1d(np.asarray(prior_log_odds, dtype=np.float64))
    target_cost = _mean_softplus(-llr, target_share, -log_odds)
    nontarget_cost = _mean_softplus(llr, nontarget_share, log_odds)
    prior, complement = scipy.special.expit(log_odds), scipy.special.expit(-log_odds)
    return np.asarray((prior * target_cost + complement * nontarget_cost) / LN2)


def ece_bits_of_each(
    prior_log_odds: FloatArray, llr: FloatArray, target_share: FloatArray, nontarget_share: FloatArray
) -> FloatArray:
    """`ece_bits` of several sets of LLRs at once, term by term: arguments (w, m), at priors (p,); (w, p)."""
    target_cost = _summed(-llr, target_share, -prior_log_odds)
    nontarget_cost = _summed(llr, nontarget_share, prior_log_odds)
    prior, complement = scipy.special.expit(prior_log_odds), scipy.special.expit(-prior_log_odds)
    return np.asarray((prior * target_cost + complement * nontarget_cost) / LN2)


def softplus(x: ArrayLike) -> FloatArray:
    """ln(1 + exp(x)) without overflow, and with all its digits where it is tiny; any shape, ±inf allowed."""
    x = np.asarray(x, dtype=np.float64)
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def _mean_softplus(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """Σ share · softplus(x + shift) for every shift; shape of `shifts`."""
    # Gathering must save more than it costs.
    if np.count_nonzero(share) > _FEW and len(shifts) > _NODES and np.abs(shifts).max() < _WIDEST:
        present = share > 0.0  # a class that is not there must not turn an infinite LLR into 0 · inf
        return _gathered(x[present], share[present], shifts)
    return np.asarray(_summed(x[np.newaxis], share[np.newaxis], shifts)[0])


def _summed(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """The sum of `_mean_softplus` for each row of x and share, (w, m), term by term; (w, shifts)."""
    costs = (share > 0.0) & (x > -np.inf)  # what is right beyond doubt costs nothing
    x = np.where(costs, x, 0.0)
    share = np.where(costs, share, 0.0)
    is_near = np.abs(x).max(initial=0.0) + np.abs(shifts).max() < _WIDEST
    odds, shift_odds = (np.exp(x), np.exp(shifts)) if is_near else (x, shifts)
    total: FloatArray = np.zeros((len(x), len(shifts)))
    rows = max(1, _TABLE // (len(shifts) * max(1, x.shape[1])))
    columns = max(1, _TABLE // len(shifts))
    for row in range(0, len(x), rows):
        for column in range(0, x.shape[1], columns):
            part = slice(row, row + rows), slice(column, column + columns)
            values = odds[part][:, :, np.newaxis]
            # Where nothing overflows, one logarithm for each pair will do.
            values = np.log1p(shift_odds * values) if is_near else softplus(values + shift_odds)
            total[part[0]] += _weighted_rows(values, share[part])
    return total


def _weighted_rows(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Σ weight · value over the axis in the middle, (w, m, p): one after the other, whatever w is."""
    if values.shape[2] > 1:
        return np.asarray(np.einsum("wmp,wm->wp", values, weight))
    row = np.repeat(np.arange(len(values)), values.shape[1])
    return np.asarray(np.bincount(row, (values[:, :, 0] * weight).ravel(), len(values))[:, np.newaxis])


def _gathered(x: FloatArray, share: FloatArray, shifts: FloatArray) -> FloatArray:
    """The sum of `_mean_softplus` in O(m + p): far scores in closed form, near ones at Chebyshev nodes.

    In a cell of half-width h = ¼ softplus is replaced by its interpolation at n = 12 Chebyshev nodes. Its
    singularities lie at ±iπ, so it is analytic in the Bernstein ellipse with ρ = 20 (half-axes 2.5), where
    it exceeds its value at the centre at most by a factor of about exp(2.5). The relative error of each term
    is then below 4 · exp(2.5) · ρ^(1 − n) / (ρ − 1) ≈ 1.3e-14. All shares are positive: nothing cancels.
    """
    widest = float(np.abs(shifts).max())
    reach = widest + _FAR
    high, low = x > reach, x < -reach
    total = shifts * share[high].sum() + _weighted(x[high], share[high])
    # exp(x + shift) in two factors, neither of which overflows.
    total += np.exp(shifts - widest) * _weighted(np.exp(x[low] + widest), share[low])
    near = ~(high | low)
    node, weight = _weighted_nodes(x[near], share[near], reach)
    # Near enough for exp(node) · exp(shift) not to overflow: one logarithm for each pair, and no exponential.
    odds, shift_odds = np.exp(node), np.exp(shifts)[:, np.newaxis]
    step = max(1, _TABLE // len(shifts))
    for start in range(0, len(odds), step):
        part = slice(start, start + step)
        total += _weighted(np.log1p(shift_odds * odds[part]), weight[part])
    return np.asarray(total)


def _weighted(values: FloatArray, weight: FloatArray) -> FloatArray:
    """Σ weight · value over the last axis.

    Not `@`: BLAS would call its threads together for each of these small products, which costs more than the
    sums, and many times more where other threads are busy.
    """
    return np.asarray(np.einsum("...j,j->...", values, weight))


def _weighted_nodes(x: FloatArray, share: FloatArray, reach: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights with Σ weight · f(node) ≈ Σ share · f(x), for |x| ≤ reach and smooth f."""
    n_cells = math.ceil(2.0 * reach / _CELL)
    moments = np.zeros((_NODES, n_cells))  # Σ share · T_j(u) of the scores of a cell, −1 ≤ u ≤ 1 across it
    for start in range(0, len(x), _CHUNK):
        part = slice(start, start + _CHUNK)
        place = (x[part] + reach) / _CELL
        cell = np.minimum(place.astype(np.intp), n_cells - 1)
        u = 2.0 * (place - cell) - 1.0
        # Scores come in order as a rule, so that a cell's are neighbours and few sums remain to be placed.
        start_of_run = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
        cell_of_run = cell[start_of_run]
        before, now = u * share[part], share[part]  # T_(−1) = T_1
        u *= 2.0
        for j in range(_NODES):
            moments[j] += np.bincount(cell_of_run, np.add.reduceat(now, start_of_run), n_cells)
            before, now = now, u * now - before
    angle = math.pi * (np.arange(_NODES) + 0.5) / _NODES
    to_nodes = 2.0 / _NODES * np.cos(np.outer(angle, np.arange(_NODES)))  # discrete orthogonality of the T_j
    to_nodes[:, 0] /= 2.0
    occupied = np.flatnonzero(moments[0])
    centre = (occupied + 0.5) * _CELL - reach
    node = centre + np.cos(angle)[:, np.newaxis] * (_CELL / 2.0)
    return node.ravel(), np.einsum("nj,jc->nc", to_nodes, moments[:, occupied]).ravel()
