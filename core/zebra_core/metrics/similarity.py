"""Voice similarity matrices: how alike the voices of every two speakers are to a recogniser.

Source: csl2022 (Noé et al. 2022, "Towards a unified assessment framework of speech pseudonymisation"),
section 4, and Noé et al. 2020 for the older mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from zebra_core.errors import InputError
from zebra_core.evidence.audit import InputFile, Remark, Severity, and_more, remarks_on_inputs
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores, SpokenSegments
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import FloatArray, IntArray, RankedScores, digest_of
from zebra_core.evidence.value_types import Share, Whole
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.zebra import LN10
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import joined

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


# The similarity matrices of up to three settings, and what follows from them about a safeguard.
#
# OO compares original with original segments, OP original with protected, PP protected with protected.
# Source: csl2022, sections 4.2 (eq. 9, 10) and 7.1 (eq. 17 to 20).


SETTINGS = ("oo", "op", "pp")


@dataclass(frozen=True, eq=False)
class VoiceSimilarity:
    """Matrices of the same speakers in up to three settings, and the figures that compare them.

    Figures are None where a setting they need is missing, or where they are not defined: then `remarks` says
    why. Nothing is divided by zero.

    Attributes
    ----------
    `speakers`
        In ascending order of their names.
    `oo`, `op`, `pp`
        The matrix of each setting; None stands for one that was not given.
    `mean`
        The rule by which the LLRs of a cell become one similarity.
    `remarks_on_files`, `files`
        What reading the files showed, and the files that the scores and their speakers were read from.
    `sex`
        That of speakers, in the words of a file, where given.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import read_similarity
    >>> folder = zebra_resources.path("demo/similarity/libri_test_trials_f")
    >>> oo, op = folder / "scores_oo.txt.gz", folder / "B2/scores_op.txt.gz"
    >>> found = read_similarity(oo=oo, op=op)
    >>> len(found.speakers), list(found.matrices)
    (63, ['oo', 'op'])
    >>> round(found.d_diag("oo"), 2), round(found.d_diag("op"), 2), round(found.de_id, 2)
    (0.95, 0.35, 0.63)
    >>> print(found.g_vd_db)  # needs protected segments against protected ones
    None
    """

    speakers: tuple[str, ...]
    oo: SimilarityMatrix | None
    op: SimilarityMatrix | None
    pp: SimilarityMatrix | None
    mean: Mean
    remarks_on_files: tuple[Remark, ...] = ()
    files: tuple[InputFile, ...] = ()
    sex: Mapping[str, str] = field(default_factory=dict)

    @property
    def matrices(self) -> dict[str, SimilarityMatrix]:
        """The matrices there are, by "oo", "op" and "pp"."""
        given = {"oo": self.oo, "op": self.op, "pp": self.pp}
        return {setting: matrix for setting, matrix in given.items() if matrix is not None}

    def has_cells_of(self, other: VoiceSimilarity) -> bool:
        """Whether both rest on the same cells of the same files, taken to the same mean."""
        return self.rests_on == other.rests_on

    def is_close_to(self, other: VoiceSimilarity) -> bool:
        """Whether both have the same speakers, trials and sums, but for rounding."""
        ours, theirs = self.matrices, other.matrices
        return (self.speakers, ours.keys()) == (other.speakers, theirs.keys()) and all(
            matrix.is_close_to(theirs[setting]) for setting, matrix in ours.items()
        )

    @property
    def rests_on(self) -> tuple[object, ...]:
        """The version of these figures: equal for the same cells from the same files, wherever these lie."""
        return (
            self.mean,
            tuple((setting, matrix.digest) for setting, matrix in self.matrices.items()),
            tuple((file.role, file.sha256) for file in self.files),
        )

    def d_diag(self, setting: str) -> float | None:
        """Diagonal dominance of a setting (eq. 8), 0 … 1."""
        return self._of(setting, lambda matrix: matrix.d_diag(self.mean))

    @property
    def de_id(self) -> float | None:
        """De-identification (eq. 9): 1 is perfect, 0 none; below 0 the diagonal stands out even more."""
        return loss(self.d_diag("op"), self.d_diag("oo"))

    @property
    def g_vd_db(self) -> float | None:
        """Gain of voice distinctiveness (eq. 10), in dB: 0 keeps it, below 0 loses it."""
        return gain_db(self.d_diag("pp"), self.d_diag("oo"))

    @property
    def d_ece_op_oo(self) -> float | None:
        """The normalised disclosure D_ECE^(OP/OO) (eq. 17), a share: 1 is full de-identification."""
        return loss(self._d_ece_bits("op"), self._d_ece_bits("oo"))

    @property
    def min_cllr_op_oo(self) -> float | None:
        """The normalised C_llr^min(OP/OO) (eq. 18), a share: 1 is full de-identification."""
        # (C(OP) − C(OO)) / (1 − C(OO)) is the loss of what C leaves to 1 bit.
        return loss(self._saved_bits("op"), self._saved_bits("oo"))

    @property
    def g_d_ece_db(self) -> float | None:
        """The gain of voice distinctiveness by D_ECE (eq. 19), in dB."""
        return gain_db(self._d_ece_bits("pp"), self._d_ece_bits("oo"))

    @property
    def g_cllr_db(self) -> float | None:
        """The gain of voice distinctiveness by C_llr^min (eq. 20), in dB."""
        return gain_db(self._saved_bits("pp"), self._saved_bits("oo"))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures: first of the files, then of what is not defined, and why."""
        of_files = (*remarks_on_inputs(self.files), *self.remarks_on_files)
        return (*of_files, *self._remarks_on_figures())

    def as_json(self) -> dict[str, Any]:
        """Plain values, unrounded; None (null) for empty cells, missing settings and undefined figures."""
        matrices = self.matrices
        return {
            "speakers": list(self.speakers),
            **{s: _rows(matrices[s].cells(self.mean)) if s in matrices else None for s in SETTINGS},
            "d_diag": {s: self.d_diag(s) for s in SETTINGS},
            "de_id": self.de_id,
            "g_vd_db": self.g_vd_db,
            "d_ece_bits": {s: self._d_ece_bits(s) for s in SETTINGS},
            "min_cllr_bits": {s: self._of(s, lambda matrix: matrix.min_cllr_bits) for s in SETTINGS},
        }

    def _of(self, setting: str, figure: Callable[[SimilarityMatrix], float | None]) -> float | None:
        matrix = self.matrices.get(setting)
        return None if matrix is None else figure(matrix)

    def _d_ece_bits(self, setting: str) -> float | None:
        return self._of(setting, lambda matrix: matrix.d_ece_bits)

    def _saved_bits(self, setting: str) -> float | None:
        min_cllr = self._of(setting, lambda matrix: matrix.min_cllr_bits)
        return None if min_cllr is None else 1.0 - min_cllr

    def _remarks_on_figures(self) -> list[Remark]:
        if len(self.speakers) == 1:
            return [Remark("one-speaker", {"speaker": self.speakers[0]}, Severity.WARNING)]
        remarks: list[Remark] = []
        for setting, matrix in self.matrices.items():
            remarks += _remarks_on_matrix(setting.upper(), matrix, matrix.signed_d_diag(self.mean))
        for setting, divided_with in (("oo", {"op", "pp"}), ("pp", {"oo"})):
            if not divided_with & set(self.matrices):
                continue
            if is_nothing(self.d_diag(setting)):
                remarks.append(Remark(f"dominance-none-{setting}"))
            if is_nothing(self._d_ece_bits(setting)):
                remarks.append(Remark(f"disclosure-none-{setting}"))
        return remarks


def similarity_of(
    found: SegmentEvidence, mean: Mean = Mean.GEOMETRIC, on_progress: Progress = no_progress
) -> VoiceSimilarity:
    """The matrices of scores that were read, with their files. Raises InputError, see `voice_similarity`."""
    made = voice_similarity(
        **found.scores,
        speakers=found.speakers,
        mean=mean,
        across_runs=found.across_runs,
        on_progress=on_progress,
    )
    return replace(made, files=found.files, sex=found.sex)


def voice_similarity(
    *,
    oo: SegmentScores | None = None,
    op: SegmentScores | None = None,
    pp: SegmentScores | None = None,
    speakers: Speakers,
    mean: Mean = Mean.GEOMETRIC,
    across_runs: bool = False,
    on_progress: Progress = no_progress,
) -> VoiceSimilarity:
    """Matrices and figures of the settings given, over the speakers that occur in all of them.

    A segment against its own protected version in OP is left out like a self-comparison in OO and PP. Each
    setting has its own oracle calibration, over all trials that remain when those of segments without a known
    speaker, and of speakers that a setting lacks, are left out; `remarks` tell of them.

    Parameters
    ----------
    `oo`, `op`, `pp`
        Scores of originals with originals, originals with protected segments, and these with one another. In
        OP the first segment is original and the second protected, with the id of its original.
    `speakers`
        Who speaks: a map, or a rule on ids.
    `mean`
        How the LLRs of a cell become one similarity.
    `across_runs`
        Whether PP compares one run of the safeguard with another: its sides then differ as they do in OP.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    VoiceSimilarity
        A matrix for each setting, and the figures that follow.

    Raises
    ------
    InputError
        Where no setting is given, a pair is scored twice, or no speaker is in all settings.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import SegmentScores, SpeakerRule, voice_similarity
    >>> from zebra_core.evidence.trials import Ids
    >>> one, two = np.triu_indices(30, k=1)  # 10 speakers with 3 segments each, all pairs
    >>> names = np.array([f"{n // 3}-{n}" for n in range(30)])
    >>> first, second, same = Ids.of(names[one]), Ids.of(names[two]), one // 3 == two // 3
    >>> noise = np.random.default_rng(0).normal(size=len(one))
    >>> oo = SegmentScores(first, second, noise + 3.0 * same)
    >>> pp = SegmentScores(first, second, noise + 1.0 * same)
    >>> found = voice_similarity(oo=oo, pp=pp, speakers=SpeakerRule.BEFORE_HYPHEN)
    >>> round(found.d_diag("oo"), 2), round(found.d_diag("pp"), 2), round(found.g_vd_db, 1)
    (0.83, 0.31, -4.2)
    """
    given = {name: scores for name, scores in (("oo", oo), ("op", op), ("pp", pp)) if scores is not None}
    if not given:
        raise InputError("no-setting")
    spoken = {setting: SpokenSegments.of(scores, speakers) for setting, scores in given.items()}
    on_progress(0.2)
    common = tuple(sorted(frozenset.intersection(*(segments.speakers for segments in spoken.values()))))
    if not common:
        raise _nothing_in_common(spoken)
    one_sided = {"op", "pp"} if across_runs else {"op"}
    matrices = {}
    for done, (setting, segments) in enumerate(spoken.items(), start=1):
        matrices[setting] = similarity_matrix(segments.trials(common, mutual=setting not in one_sided))
        on_progress(0.2 + 0.8 * done / len(spoken))
    remarks = _remarks_on_files(spoken, common, speakers, one_sided)
    remarks += [Remark("pp-across-runs")] if across_runs and "pp" in given else []
    return VoiceSimilarity(
        common, matrices.get("oo"), matrices.get("op"), matrices.get("pp"), mean, tuple(remarks)
    )


def _nothing_in_common(spoken: Mapping[str, SpokenSegments]) -> InputError:
    for setting, segments in spoken.items():
        if not segments.speakers:
            names = segments.without_speaker
            return InputError("no-segment-has-speaker", setting=setting.upper(), example=names[0])
    return InputError("no-common-speaker", settings=joined([setting.upper() for setting in spoken]))


def _remarks_on_files(
    spoken: Mapping[str, SpokenSegments],
    common: tuple[str, ...],
    speakers: Speakers,
    one_sided: Collection[str],
) -> list[Remark]:
    remarks = [remark for segments in spoken.values() for remark in segments.scores.remarks]
    remarks += [Remark(f"speakers-{speakers.value}")] if isinstance(speakers, SpeakerRule) else []
    unknown = list(dict.fromkeys(name for segments in spoken.values() for name in segments.without_speaker))
    if unknown:
        facts: dict[str, object] = {"count": len(unknown), "names": and_more(unknown)}
        remarks.append(Remark("segments-without-speaker", facts, Severity.WARNING))
    known = frozenset.union(*(segments.speakers for segments in spoken.values()))
    for setting, segments in spoken.items():
        remarks += _names("speakers-missing", setting, sorted(known - segments.speakers), Severity.WARNING)
    remarks += _remarks_on_segments(spoken, frozenset(common))
    for setting, segments in spoken.items():
        remarks += _remarks_on_pairs(setting, segments, common, is_one_sided=setting in one_sided)
    return remarks


def _remarks_on_segments(spoken: Mapping[str, SpokenSegments], common: frozenset[str]) -> list[Remark]:
    """Which segments of the common speakers a setting lacks; allowed, but to be said."""
    by_setting = {
        setting: {
            name for name, who in zip(segments.names, segments.speaker_of, strict=True) if who in common
        }
        for setting, segments in spoken.items()
    }
    everything = set[str]().union(*by_setting.values())
    remarks: list[Remark] = []
    if not any(segments.ids_are_speakers for segments in spoken.values()):
        for setting, names in by_setting.items():
            remarks += _names("segments-missing", setting, sorted(everything - names))
    return remarks


def _remarks_on_pairs(
    setting: str, segments: SpokenSegments, common: tuple[str, ...], *, is_one_sided: bool
) -> list[Remark]:
    remarks: list[Remark] = []
    same = int(np.count_nonzero(segments.self_comparisons()))
    if same:
        code = "self-comparisons-protected" if is_one_sided else "self-comparisons"
        remarks.append(Remark(code, {"count": same, "setting": setting.upper()}))
    if not is_one_sided and (both := segments.n_both_orders()):
        remarks.append(Remark("pairs-in-both-orders", {"count": both, "setting": setting.upper()}))
    if not segments.ids_are_speakers:
        count = segments.segments_by_speaker()
        remarks += _names("one-segment-speakers", setting, [name for name in common if count[name] == 1])
    return remarks


def _remarks_on_matrix(setting: str, matrix: SimilarityMatrix, signed: float | None) -> list[Remark]:
    if not matrix.is_calibrated:
        code = "setting-without-nontargets" if matrix.n_target else "setting-without-targets"
        return [Remark(code, {"setting": setting}, Severity.WARNING)]
    remarks: list[Remark] = []
    if matrix.n_empty:
        facts: dict[str, object] = {
            "count": matrix.n_empty,
            "cells": matrix.n_trials.size,
            "setting": setting,
        }
        remarks.append(Remark("cells-empty", facts))
    if signed is not None and signed < 0.0:
        remarks.append(Remark("dominance-negative", {"setting": setting, "value": f"{signed:.3f}"}))
    return remarks


def _names(code: str, setting: str, names: list[str], severity: Severity = Severity.NOTE) -> list[Remark]:
    facts: dict[str, object] = {"count": len(names), "names": and_more(names), "setting": setting.upper()}
    return [Remark(code, facts, severity)] if names else []


def _rows(cells: FloatArray) -> list[list[float | None]]:
    return [[None if math.isnan(cell) else cell for cell in row] for row in cells.tolist()]


# What a figure is worth against that of unprotected speech: losses as shares, gains in decibels.
#
# Source: csl2022, eq. 9 and 17 (losses), eq. 10, 19 and 20 (gains).


NOTHING = 1e-12
"""Not above this a figure counts as 0, by which nothing can be divided."""


def is_nothing(figure: float | None) -> bool:
    """Whether the figure is known, and is 0 but for rounding."""
    return figure is not None and figure <= NOTHING


def loss(after: float | None, before: float | None) -> float | None:
    """1 − after/before, a share; None where either is missing or `before` is 0."""
    if after is None or before is None or is_nothing(before):
        return None
    return 1.0 - after / before


def gain_db(after: float | None, before: float | None) -> float | None:
    """10·log10(after/before), in dB; None where either is missing or 0."""
    if after is None or before is None or is_nothing(before) or is_nothing(after):
        return None
    return 10.0 * math.log10(after / before)
