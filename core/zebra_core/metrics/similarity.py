"""Voice similarity matrices: how alike the voices of every two speakers are to a recogniser.

Source: csl2022 (Noé et al. 2022, "Towards a unified assessment framework of speech pseudonymisation"),
section 4, and Noé et al. 2020 for the older mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.evidence.counts import RankedScores, digest_of
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.evidence.value_types import Share, Whole
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import LN10

NO_DOMINANCE = 1e-12  # means of equal cells differ by rounding: what is smaller is exactly no dominance


class Mean(Enum):
    """How the LLRs of a cell become one similarity.

    `GEOMETRIC`: the geometric mean of the posteriors σ(LLR) (csl2022, eq. 6). `SIGMOID_OF_MEAN`: σ of the
    mean LLR (Noé et al. 2020; csl2022, footnote 4).
    """

    GEOMETRIC = "geometric"
    SIGMOID_OF_MEAN = "sigmoid-of-mean"


@dataclass(frozen=True, eq=False)
class SimilarityMatrix:
    """Comparisons between all speakers of one setting, summed cell by cell.

    Row i is the enrolled (in OP: original) speaker, column j the one heard (in OP: protected). LLRs are
    natural logs, oracle-calibrated over all trials of the setting under Laplace's rule.

    Attributes
    ----------
    `speakers`
        Their names, in the order of rows and columns.
    `n_trials`, `sum_llr`, `sum_log_posterior`
        How many trials a cell has, and the sums over them of LLRs and of the log of the posteriors at even
        odds, ln σ(LLR); (speakers, speakers) each. The sums are 0 in cells without trials.
    `n_target`, `n_nontarget`
        How many trials the setting has of each class.
    `d_ece_bits`, `min_cllr_bits`
        Those of the trials of the setting (plain PAV), each trial counted once; None, with all cells empty,
        where calibration is not possible because there are no target or no nontarget trials.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, similarity_matrix
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> matrix = similarity_matrix(SpeakerTrials.of_trials(trials))
    >>> matrix.speakers, matrix.n_empty
    (('ann', 'cem', 'ben'), 0)
    >>> matrix.mean_log10_lr().round(2)
    array([[ 0.78, -0.4 ,  0.  ],
           [-0.4 ,  0.78, -0.4 ],
           [ 0.  , -0.4 ,  0.  ]])
    >>> round(matrix.d_diag(), 2)
    0.38
    """

    speakers: tuple[str, ...]
    n_trials: IntArray
    sum_llr: FloatArray
    sum_log_posterior: FloatArray
    n_target: Whole
    n_nontarget: Whole
    d_ece_bits: Share | None
    min_cllr_bits: Share | None

    def is_close_to(self, other: SimilarityMatrix) -> bool:
        """Whether both have the same trials, and sums and figures that differ by rounding alone."""
        exact = ("n_trials", "n_target", "n_nontarget")
        close = ("sum_llr", "sum_log_posterior", "d_ece_bits", "min_cllr_bits")
        both = {name: (getattr(self, name), getattr(other, name)) for name in (*exact, *close)}
        return all(np.array_equal(*both[name]) for name in exact) and all(
            one is other if one is None or other is None else np.allclose(one, other, rtol=1e-9, atol=1e-9)
            for one, other in (both[name] for name in close)
        )

    @cached_property
    def digest(self) -> str:
        """What tells these cells from all others; computed once."""
        return digest_of(np.array(self.speakers), self.n_trials, self.sum_llr, self.sum_log_posterior)

    @property
    def is_calibrated(self) -> bool:
        """Whether both classes occur, so that there are LLRs at all."""
        return self.d_ece_bits is not None

    @property
    def n_empty(self) -> int:
        """How many cells have no trial."""
        return int(np.count_nonzero(self.n_trials == 0))

    def cells(self, mean: Mean = Mean.GEOMETRIC) -> FloatArray:
        """Sim(i, j), 0 … 1; NaN where a cell has no trial or the setting cannot be calibrated."""
        if mean is Mean.SIGMOID_OF_MEAN:
            return np.asarray(scipy.special.expit(self._mean_of(self.sum_llr)))
        return np.asarray(np.exp(self._mean_of(self.sum_log_posterior)))

    def mean_log10_lr(self) -> FloatArray:
        """The mean LLR of each cell in base 10: similarity in the log domain, where nothing saturates."""
        return self._mean_of(self.sum_llr) / LN10

    def signed_d_diag(self, mean: Mean = Mean.GEOMETRIC) -> float | None:
        """D_diag (csl2022, eq. 8) before its modulus is taken; see `signed_dominance`."""
        return signed_dominance(self.cells(mean))

    def d_diag(self, mean: Mean = Mean.GEOMETRIC) -> float | None:
        """The diagonal dominance D_diag (csl2022, eq. 8), 0 … 1; None where it is not defined."""
        signed = self.signed_d_diag(mean)
        return None if signed is None else abs(signed)

    @property
    def log_dominance_log10_lr(self) -> float | None:
        """Dominance in the log domain: the mean of the speakers' own mean LLRs above that of the others.

        This is what csl2022, section 8, asks for: every speaker weighs the same, as in eq. 8, and terms are
        compared where evidence adds up (section 3.4). Signed, base 10; None where it is not defined.
        """
        return signed_dominance(self.mean_log10_lr())

    @property
    def self_similarity(self) -> FloatArray:
        """The diagonal of the cells (eq. 6), shape (speakers,); NaN where empty."""
        return self.cells().diagonal().copy()

    @property
    def transposed(self) -> SimilarityMatrix:
        """The matrix with rows and columns exchanged: PO from OP."""
        return replace(
            self,
            n_trials=self.n_trials.T,
            sum_llr=self.sum_llr.T,
            sum_log_posterior=self.sum_log_posterior.T,
        )

    def reordered(self, order: IntArray) -> SimilarityMatrix:
        """The matrix with speaker order[k] in place k."""
        block = np.ix_(order, order)
        return replace(
            self,
            speakers=tuple(self.speakers[int(k)] for k in order),
            n_trials=self.n_trials[block],
            sum_llr=self.sum_llr[block],
            sum_log_posterior=self.sum_log_posterior[block],
        )

    def _mean_of(self, total: FloatArray) -> FloatArray:
        mean = np.full(total.shape, np.nan)
        if self.is_calibrated:
            np.divide(total, self.n_trials, out=mean, where=self.n_trials > 0)
        return mean


def similarity_matrix(trials: SpeakerTrials) -> SimilarityMatrix:
    """Sum up the trials of one setting; O(n log n), no loop over cells.

    Parameters
    ----------
    `trials`
        Without self-comparisons, with the speakers of both sides known in every trial. Where neither side is
        special (`mutual`) one trial serves the cells (i, j) and (j, i), since eq. 6 takes all comparisons of
        the segments of i with those of j, in whichever order they were made.

    Returns
    -------
    SimilarityMatrix
        Between all speakers of the trials.

    Examples
    --------
    >>> from zebra_core import SpeakerTrials, Trials, similarity_matrix
    >>> trials = Trials.from_arrays(
    ...     score=[3, 2, 0, 1, 1, 0, 0, 0, 4],  # ann, ben, cem against one segment of each
    ...     is_target=[1, 0, 0, 0, 1, 0, 0, 0, 1],
    ...     enrol=["ann"] * 3 + ["ben"] * 3 + ["cem"] * 3,
    ...     test=["ann-1", "ben-1", "cem-1"] * 3,
    ... )
    >>> similarity_matrix(SpeakerTrials.of_trials(trials)).cells().round(2)
    array([[0.86, 0.29, 0.5 ],
           [0.29, 0.86, 0.29],
           [0.5 , 0.29, 0.5 ]])
    """
    n_target = int(np.count_nonzero(trials.is_target))
    n_nontarget = len(trials) - n_target
    size = len(trials.speakers)
    cell = trials.enrolled.astype(np.intp) * size + trials.heard

    def summed(values: FloatArray | None = None) -> FloatArray:
        """Σ of the values (None: of ones) over the trials of each cell, shape (speakers, speakers)."""
        cells = np.bincount(cell, values, size * size).reshape(size, size).astype(np.float64)
        return cells + cells.T if trials.mutual else cells

    n_trials = summed().astype(np.int64)
    if not (n_target and n_nontarget):
        nothing = np.zeros(n_trials.shape)
        return SimilarityMatrix(
            trials.speakers, n_trials, nothing, nothing, n_target, n_nontarget, None, None
        )
    ranked = RankedScores.of(trials.score)
    oracle = Oracle.of_counts(ranked.counts(trials.is_target))
    blocks = oracle.laplace
    block = np.repeat(np.arange(len(blocks.llr)), np.diff(blocks.first))[ranked.place]
    return SimilarityMatrix(
        trials.speakers,
        n_trials,
        summed(blocks.llr[block]),
        summed(scipy.special.log_expit(blocks.llr)[block]),
        n_target,
        n_nontarget,
        oracle.d_ece_bits,
        oracle.min_cllr_bits,
    )


def signed_dominance(cells: ArrayLike) -> float | None:
    """The mean of the diagonal minus the mean of all other cells of a square table.

    1 for the identity matrix, 0 for a uniform one, −1 where only the diagonal is 0; its modulus is D_diag
    (csl2022, eq. 8). Empty cells (NaN) are left out of both means. None where the diagonal or the rest has
    no cell with a value, as with one speaker.
    """
    table = np.asarray(cells, dtype=np.float64)
    on_diagonal = np.eye(len(table), dtype=np.bool_)
    filled = ~np.isnan(table)
    own, others = table[on_diagonal & filled], table[~on_diagonal & filled]
    if not (len(own) and len(others)):
        return None
    dominance = float(own.mean() - others.mean())
    scale = max(1.0, float(np.abs(own).max()), float(np.abs(others).max()))
    return 0.0 if abs(dominance) <= NO_DOMINANCE * scale else dominance
