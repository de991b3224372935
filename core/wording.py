"""Figures as people read them: the same digits and the same words on screen, on paper and in the shell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.texts import grouped, say

if TYPE_CHECKING:
    from core.assessment import Assessment
    from core.voices import VoiceSimilarity

SMALLEST_FIXED = 5e-4  # below it three decimals would show nothing


def zebra_number(value: float) -> str:
    """A figure as the reference toolkit prints it: three decimals, tiny ones as 2e-05, zero as 0."""
    if value == 0.0:
        return "0"
    return f"{value:.3f}" if value >= SMALLEST_FIXED else f"{value:.0e}"


def disclosure(bits: float) -> str:
    """D_ECE for legends and badges: three decimals, or as small as it is."""
    return zebra_number(bits)


def log10_lr(value: float) -> str:
    """A base-10 LLR for legends and badges: two decimals, or as small as it is."""
    if value == 0.0:
        return "0"
    return f"{value:.2f}" if abs(value) >= 5e-3 else f"{value:.0e}"


def percent(share: float | None) -> str:
    """A rate as a percentage with two decimals; "not measurable" where it is None."""
    return say("word.not-measurable") if share is None else f"{100.0 * share:.2f} %"


def bits(value: float | None) -> str:
    """A cost in bits, or an index from 0 to 1, with three decimals; where there is no number, why."""
    if value is None or math.isnan(value):
        return say("word.not-measurable")
    return say("word.infinite") if math.isinf(value) else f"{value:.3f}"


def share(value: float) -> str:
    """A share in whole per cent, unless that would show nothing or everything where it is neither."""
    per_cent = 100.0 * value
    decimals = 0 if value == 0.0 or 1.0 <= per_cent <= 99.0 or value >= 1.0 else 2
    return f"{per_cent:.{decimals}f} %"


def signed(value: float) -> str:
    """A figure in bits that may be negative, with three decimals and a true minus sign."""
    return f"−{bits(-value)}" if value < 0.0 else bits(value)


def odds_in_words(worst_case: float) -> str:
    """What the worst case |log10 LR| means to an adversary who had no idea (even prior odds)."""
    if worst_case == 0.0:
        return say("odds.even")
    ratio = 10.0**worst_case
    if worst_case < 1.0:
        return say("odds.better-than-even", odds=f"{ratio:.1f}")
    return say("odds.one-wrong", odds=grouped(_about(ratio)))


def badge(assessment: Assessment) -> str:
    """The whole badge in one line: letter, number, odds in words, and the ceiling that the data allow."""
    return say(
        "badge.line",
        tag=assessment.tag,
        worst_case=log10_lr(assessment.worst_case_log10_lr),
        odds=odds_in_words(assessment.worst_case_log10_lr),
        ceiling=log10_lr(assessment.worst_case_ceiling_log10_lr),
    )


def zebra_lines(label: str, assessment: Assessment) -> str:
    """The three lines that the reference toolkit prints."""
    population = zebra_number(assessment.d_ece_bits)
    individual = zebra_number(assessment.worst_case_log10_lr)
    return f"{label}\nPopulation: {population} bit\nIndividual: {individual} ({assessment.tag})"


def _about(number: float) -> int:
    """Rounded to three digits below a thousand and to two above: nobody should read more into it."""
    digits = 2 if number >= 1000.0 else 3
    return int(round(number, digits - 1 - math.floor(math.log10(number))))


def similarity_lines(label: str, voices: VoiceSimilarity) -> str:
    """What the similarity matrices come to, as a short table; settings that were not given are left out."""
    shown = list(voices.matrices)
    rows = [
        (say("similarity.speakers", count=len(voices.speakers)), [setting.upper() for setting in shown]),
        (say("similarity.d-diag"), [bits(voices.d_diag(setting)) for setting in shown]),
        (say("similarity.d-ece"), [bits(voices.matrices[setting].d_ece_bits) for setting in shown]),
        (say("similarity.min-cllr"), [bits(voices.matrices[setting].min_cllr_bits) for setting in shown]),
    ]
    head = max(len(name) for name, _ in rows)
    width = max(len(cell) for _, cells in rows for cell in cells)
    lines = [
        label,
        *("  ".join([name.ljust(head), *(cell.rjust(width) for cell in cells)]) for name, cells in rows),
    ]
    if voices.op is not None and voices.oo is not None:
        lines.append(say("similarity.de-id", value=percent(voices.de_id).replace("-", "−")))
    if voices.pp is not None and voices.oo is not None:
        lines.append(say("similarity.g-vd", value=decibels(voices.g_vd_db)))
    return "\n".join(lines)


def decibels(value: float | None) -> str:
    """A gain in dB with two decimals and a true minus sign; "not measurable" where it is None."""
    if value is None:
        return say("word.not-measurable")
    shown = f"{abs(value):.2f}"
    return f"−{shown} dB" if value < 0.0 and float(shown) else f"{shown} dB"
