"""The similarity matrices of up to three settings, and what follows from them about a safeguard.

OO compares original with original segments, OP original with protected, PP protected with protected.
Source: csl2022, sections 4.2 (eq. 9, 10) and 7.1 (eq. 17 to 20).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark, Severity, and_more, remarks_on_inputs
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores, SpokenSegments
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.gains import gain_db, is_nothing, loss
from zebra_core.metrics.similarity import Mean, SimilarityMatrix, similarity_matrix
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import joined

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
