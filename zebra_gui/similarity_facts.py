"""The figures that follow from similarity matrices, in words: as a line and as a table of safeguards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.project import SimilarityEntry
from core.texts import visible
from core.voices import SETTINGS, VoiceSimilarity
from core.wording import bits, decibels, percent

translate = QCoreApplication.translate
_LONGEST_HEADING = 20


@dataclass(frozen=True)
class FactRow:
    """One figure of several safeguards, and what it means."""

    name: str
    values: tuple[str, ...]
    meaning: str


def summary(voices: VoiceSimilarity) -> str:
    """De-identification, the gain of distinctiveness and the dominances in one line."""
    shown = [translate("Similarity", "DeID {value}").format(value=share(voices.de_id))] if voices.op else []
    if voices.pp:
        shown.append(translate("Similarity", "G_VD {value}").format(value=decibels(voices.g_vd_db)))
    dominances = ", ".join(f"{s.upper()} {bits(voices.d_diag(s))}" for s in voices.matrices)
    shown.append(translate("Similarity", "D_diag {values}").format(values=dominances))
    return " · ".join(shown)


def rows(entries: Sequence[SimilarityEntry]) -> tuple[FactRow, ...]:
    """All figures of these safeguards, side by side."""
    found = [entry.similarity for entry in entries]
    dominances = [
        FactRow(
            translate("Similarity", "D_diag {setting}").format(setting=setting.upper()),
            tuple(_dominance(voices, setting) for voices in found),
            translate(
                "Similarity",
                "How far speakers are more like themselves than like others: 0 not at all, 1 fully",
            ),
        )
        for setting in SETTINGS
    ]
    logarithmic = FactRow(
        translate("Similarity", "Dominance of log10 LR, OP"),
        tuple(_in_logs(voices) for voices in found),
        translate("Similarity", "The same of mean log10 LRs, where nothing saturates; signed"),
    )
    return (*_figures(found), *dominances, logarithmic)


def share(value: float | None) -> str:
    """A share in per cent with a true minus sign."""
    return percent(value).replace("-", "−")


def headings(entries: Sequence[SimilarityEntry]) -> tuple[str, ...]:
    """The names of the safeguards, for their columns."""
    return ("", *(visible(entry.full_name, _LONGEST_HEADING) for entry in entries))


def _figures(found: Sequence[VoiceSimilarity]) -> tuple[FactRow, ...]:
    told = (
        ("DeID", [share(v.de_id) for v in found], translate("Similarity", "1 − D_diag(OP) / D_diag(OO)")),
        (
            "G_VD",
            [decibels(v.g_vd_db) for v in found],
            translate("Similarity", "10 log10 D_diag(PP) / D_diag(OO)"),
        ),
        (
            "D_ECE(OP/OO)",
            [share(v.d_ece_op_oo) for v in found],
            translate("Similarity", "The share of the population disclosure of OO that is gone in OP"),
        ),
        (
            "min Cllr(OP/OO)",
            [share(v.min_cllr_op_oo) for v in found],
            translate("Similarity", "The same share for what min Cllr leaves to 1 bit"),
        ),
        (
            "G_DECE",
            [decibels(v.g_d_ece_db) for v in found],
            translate("Similarity", "The gain of distinctiveness by population disclosure"),
        ),
        (
            "G_Cllr",
            [decibels(v.g_cllr_db) for v in found],
            translate("Similarity", "The gain of distinctiveness by min Cllr"),
        ),
    )
    return tuple(FactRow(name, tuple(values), meaning) for name, values, meaning in told)


def _dominance(voices: VoiceSimilarity, setting: str) -> str:
    """D_diag, with the signed value beside it where its modulus hides a sign."""
    value = bits(voices.d_diag(setting))
    matrix = voices.matrices.get(setting)
    signed = matrix.signed_d_diag(voices.mean) if matrix else None
    return f"{value} (−)" if signed is not None and signed < 0.0 else value


def _in_logs(voices: VoiceSimilarity) -> str:
    value = voices.op.log_dominance_log10_lr if voices.op else None
    return bits(value).replace("-", "−")
