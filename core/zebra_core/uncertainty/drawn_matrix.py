"""One similarity matrix whose speakers are drawn: its calibration is learnt anew for every draw.

A matrix is made of oracle-calibrated LLRs, and the calibration has seen the very speakers that are drawn.
Held as it is, the draws are too much alike, and nothing tells how far it flatters the attacker: in
simulations 95 % intervals of D_diag, DeID and G_VD then held the truth in 55 to 84 of 100 sets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import CodeArray, FloatArray, IntArray
from zebra_core.metrics.calibration import laplace
from zebra_core.metrics.similarity import Mean
from zebra_core.metrics.verification import cllr_bits
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.uncertainty.resampling import Clusters
from zebra_core.uncertainty.weighted import SortedTrials

MATRIX_FIGURES = ("d_diag", "d_ece_bits", "min_cllr_bits")
"""What is computed again of a matrix, in this order."""


@dataclass(frozen=True, eq=False)
class DrawnMatrix:
    """The trials of one setting, sorted once by score and once by cell.

    `run` says for each trial in the order of cells in which run of `ordered` it is, shape (n,); `start` where
    each cell that has trials begins, and `cell` which that is, row by row, both (c,). `n_trials` has shape
    (speakers, speakers), 0 where a cell is empty.
    """

    ordered: SortedTrials
    run: CodeArray
    start: IntArray
    cell: IntArray
    n_trials: FloatArray
    mutual: bool
    mean: Mean

    @classmethod
    def of(cls, trials: SpeakerTrials, mean: Mean) -> DrawnMatrix:
        """Sort the trials between the speakers of a matrix; both classes must be there. O(n log n)."""
        clusters = Clusters.of_speaker_trials(trials)
        ordered, n = SortedTrials.of(trials, clusters), clusters.n
        sides = (ordered.target, ordered.nontarget)
        cell = np.concatenate([side.cells(n) for side in sides])
        by_cell = np.argsort(cell, kind="stable")
        run = np.concatenate([side.run_by_trial for side in sides])[by_cell].astype(np.int32)
        at, start, count = np.unique(cell[by_cell], return_index=True, return_counts=True)
        n_trials = _table(count, at, n, mutual=trials.mutual)
        return cls(ordered, run, start, at, n_trials, trials.mutual, mean)

    def figures(self, weight: CodeArray) -> FloatArray:
        """MATRIX_FIGURES under these weights, (speakers + 1,) as of `Clusters.draw`, shape (3,).

        NaN where the weights leave a class without trials, or the matrix without a diagonal. O(n).
        """
        learnt = self.ordered.oracle(weight)
        if learnt is None:
            return np.full(len(MATRIX_FIGURES), np.nan)
        plain, is_there = learnt
        llr = np.zeros(len(is_there))  # what was not drawn has no weight
        llr[is_there] = laplace(plain).llr_by_score
        by_class = plain.llr, plain.target_share, plain.nontarget_share
        d_diag = abs(weighted_dominance(self._cells(llr), weight[:-1].astype(np.float64)))
        return np.array([d_diag, d_ece_bits(*by_class), cllr_bits(*by_class)])

    def _cells(self, llr: FloatArray) -> FloatArray:
        """Sim(i, j) as `SimilarityMatrix.cells` has it, where each run has this LLR; NaN where empty."""
        is_geometric = self.mean is Mean.GEOMETRIC
        by_run = scipy.special.log_expit(llr) if is_geometric else llr
        sums = np.add.reduceat(by_run[self.run], self.start)
        with np.errstate(invalid="ignore"):
            mean = _table(sums, self.cell, len(self.n_trials), mutual=self.mutual) / self.n_trials
        return np.asarray(np.exp(mean) if is_geometric else scipy.special.expit(mean))


def _table(values: FloatArray | IntArray, cell: IntArray, size: int, *, mutual: bool) -> FloatArray:
    """The values in their cells, 0 in the others; in both orders of a pair where neither side is special."""
    flat = np.zeros(size * size)
    flat[cell] = values
    table = flat.reshape(size, size)
    return table + table.T if mutual else table


def weighted_dominance(cells: FloatArray, weight: FloatArray) -> float:
    """`similarity.signed_dominance` where speaker i is there weight[i] times; NaN where it is not defined.

    The cell of i with itself counts w_i times, as there are w_i people who are like themselves, and that of
    i with j w_i·w_j times. Cells (speakers, speakers) are NaN where empty.
    """
    filled = ~np.isnan(cells)
    own, own_filled = np.where(filled, cells, 0.0).diagonal(), filled.diagonal()
    others, others_filled = np.where(filled, cells, 0.0), filled.astype(np.float64)
    np.fill_diagonal(others, 0.0)
    np.fill_diagonal(others_filled, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        diagonal = (weight @ own) / (weight @ own_filled)
        return float(diagonal - (weight @ others @ weight) / (weight @ others_filled @ weight))
