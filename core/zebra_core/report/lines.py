"""Results in a few lines of plain text: the badge, the toolkit's three lines, similarity matrices."""

from __future__ import annotations

from functools import partial

from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.reading import by_reading, reading_in_words
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.uncertainty.shown import as_computed, rounded
from zebra_core.wording.numbers import log10_lr, odds_in_words, zebra_number
from zebra_core.wording.texts import say


def badge(assessment: Assessment) -> str:
    """The whole badge in one line: letter, number, odds in words, and the ceiling of that side.

    Where another reading discloses more, that is told as well.
    """
    line = say(
        "badge.line",
        tag=assessment.settings.tag_scale.shown(assessment.tag),
        worst_case=as_computed("worst_case_log10_lr", assessment),
        odds=odds_in_words(assessment.worst_case_log10_lr),
        ceiling=log10_lr(abs(assessment.strongest_ceiling_log10_lr)),
    )
    return by_reading(assessment, "badge-reversed", "badge-unordered", line=line) or line


def zebra_lines(label: str, assessment: Assessment) -> str:
    """The reference toolkit's three lines, its digits too; a fourth where another reading discloses more."""
    population = zebra_number(assessment.d_ece_bits)
    individual = zebra_number(assessment.worst_case_log10_lr)
    lines = f"{label}\nPopulation: {population} bit\nIndividual: {individual} ({assessment.tag})"
    return "\n".join(filter(None, (lines, reading_in_words(assessment))))


def similarity_lines(label: str, voices: VoiceSimilarity) -> str:
    """What the similarity matrices come to, as a short table; settings that were not given are left out."""
    shown = list(voices.matrices)
    words = partial(_of_speakers, voices)
    rows = [
        (say("similarity.speakers", count=len(voices.speakers)), [setting.upper() for setting in shown]),
        (say("similarity.d-diag"), [words("d_diag", voices.d_diag(setting)) for setting in shown]),
        (
            say("similarity.d-ece"),
            [words("d_ece_bits", voices.matrices[setting].d_ece_bits) for setting in shown],
        ),
        (
            say("similarity.min-cllr"),
            [words("min_cllr_bits", voices.matrices[setting].min_cllr_bits) for setting in shown],
        ),
    ]
    head = max(len(name) for name, _ in rows)
    width = max(len(cell) for _, cells in rows for cell in cells)
    lines = [
        label,
        *("  ".join([name.ljust(head), *(cell.rjust(width) for cell in cells)]) for name, cells in rows),
    ]
    if voices.op is not None and voices.oo is not None:
        lines.append(say("similarity.de-id", value=words("de_id", voices.de_id)))
    if voices.pp is not None and voices.oo is not None:
        lines.append(say("similarity.g-vd", value=words("g_vd_db", voices.g_vd_db)))
    return "\n".join(lines)


def _of_speakers(voices: VoiceSimilarity, figure: str, value: float | None) -> str:
    return rounded(figure, value, len(voices.speakers))
