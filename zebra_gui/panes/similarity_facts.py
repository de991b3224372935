"""The figures that follow from similarity matrices, in words: as a line and as a table of safeguards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from zebra_core.metrics.similarity import SETTINGS, VoiceSimilarity
from zebra_core.project.items import SimilarityEntry
from zebra_core.uncertainty.shown import rounded
from zebra_core.uncertainty.voices import figure_of
from zebra_core.wording.texts import bits, clauses, visible_name

translate = QCoreApplication.translate
_LONGEST_HEADING = 20


@dataclass(frozen=True)
class FactRow:
    """One figure of several safeguards, and what it means."""

    name: str
    values: tuple[str, ...]
    meaning: str


def summary(entry: SimilarityEntry) -> str:
    """De-identification, the gain of distinctiveness and the dominances in one line."""
    voices = entry.similarity
    parts = []
    if voices.op:
        parts.append(translate("Similarity", "DeID {value}").format(value=shown(entry, "de_id")))
    if voices.pp:
        parts.append(translate("Similarity", "G_VD {value}").format(value=shown(entry, "g_vd_db")))
    dominances = clauses(f"{s.upper()} {shown(entry, f'd_diag_{s}')}" for s in voices.matrices)
    parts.append(translate("Similarity", "D_diag {values}").format(values=dominances))
    return " · ".join(parts)


def rows(entries: Sequence[SimilarityEntry]) -> tuple[FactRow, ...]:
    """All figures of these safeguards, side by side, with their intervals where these are known."""
    dominances = [
        FactRow(
            translate("Similarity", "D_diag {setting}").format(setting=setting.upper()),
            tuple(_dominance(entry, setting) for entry in entries),
            translate(
                "Similarity",
                "How far speakers are more like themselves than like others: 0 not at all, 1 fully",
            ),
        )
        for setting in SETTINGS
    ]
    logarithmic = FactRow(
        translate("Similarity", "Dominance of log10 LR, OP"),
        tuple(_in_logs(entry.similarity) for entry in entries),
        translate("Similarity", "The same for mean log10 LRs, which do not saturate; signed"),
    )
    return (*_figures(entries), *dominances, *_by_chance(entries), logarithmic)


def trust_in_words(entry: SimilarityEntry) -> str:
    """What its intervals rest on, and what chance alone would show; empty where nobody asked."""
    return " ".join((entry.trust.rests_on, *entry.trust.sentences)) if entry.trust else ""


def headings(entries: Sequence[SimilarityEntry]) -> tuple[str, ...]:
    """The names of the safeguards, for their columns."""
    return ("", *(visible_name(entry.full_name, _LONGEST_HEADING) for entry in entries))


def _figures(entries: Sequence[SimilarityEntry]) -> tuple[FactRow, ...]:
    figures = (
        ("DeID", "de_id", translate("Similarity", "1 − D_diag(OP) / D_diag(OO)")),
        ("G_VD", "g_vd_db", translate("Similarity", "10 log10 D_diag(PP) / D_diag(OO)")),
        (
            "D_ECE(OP/OO)",
            "d_ece_op_oo",
            translate("Similarity", "The share of the population disclosure of OO that is gone in OP"),
        ),
        (
            "min Cllr(OP/OO)",
            "min_cllr_op_oo",
            translate("Similarity", "The same share for what min Cllr leaves to 1 bit"),
        ),
        (
            "G_DECE",
            "g_d_ece_db",
            translate("Similarity", "The gain of distinctiveness by population disclosure"),
        ),
        ("G_Cllr", "g_cllr_db", translate("Similarity", "The gain of distinctiveness by min Cllr")),
    )
    return tuple(
        FactRow(name, tuple(shown(entry, figure) for entry in entries), meaning)
        for name, figure, meaning in figures
    )


def shown(entry: SimilarityEntry, figure: str) -> str:
    """A figure, with its interval where that is known."""
    sure, voices = entry.trust.with_interval(figure) if entry.trust else "", entry.similarity
    return sure or rounded(figure, figure_of(voices, figure), len(voices.speakers))


def _dominance(entry: SimilarityEntry, setting: str) -> str:
    """D_diag, with the signed value beside it where its modulus hides a sign."""
    value = shown(entry, f"d_diag_{setting}")
    matrix = entry.similarity.matrices.get(setting)
    signed = matrix.signed_d_diag(entry.similarity.mean) if matrix else None
    return f"{value} (−)" if signed is not None and signed < 0.0 else value


def _by_chance(entries: Sequence[SimilarityEntry]) -> list[FactRow]:
    """What sets without disclosure go beyond, for the settings of which anybody knows."""
    chance = {s: tuple(one.trust.chance(s) if one.trust else "" for one in entries) for s in SETTINGS}
    return [
        FactRow(
            translate("Similarity", "D_diag {setting} by chance").format(setting=setting.upper()),
            values,
            translate("Similarity", "What one set in twenty exceeds without any disclosure"),
        )
        for setting, values in chance.items()
        if any(values)
    ]


def _in_logs(voices: VoiceSimilarity) -> str:
    value = voices.op.log_dominance_log10_lr if voices.op else None
    return bits(value).replace("-", "−")
