"""Checks of single assessments: do scores run the right way, and is the tag more than no disclosure shows?"""

from __future__ import annotations

import math
from collections.abc import Iterator

from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.reading import reading_in_words
from zebra_core.project.checks.outcome import CheckedCase, CheckOutcome, called
from zebra_core.project.headline import Population
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.wording.texts import written
from zebra_core.wording.wording import disclosure

MAY_BE_CHANCE = 0.05


def scores_run_the_right_way(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: does no other reading of its scores disclose more, by more than chance?"""
    for entry in project.entries:
        found, name = entry.assessment, called(entry)
        if found.all_scores_equal:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "direction-none", (entry.id,), {"name": name})
            continue
        figures = {
            "d_ece_bits": found.d_ece_bits,
            "reversed_bits": found.reversed.d_ece_bits,
            "unordered_bits": found.cross_fitted.d_ece_unordered_bits,
        }
        other = max(found.reversed.d_ece_bits, found.cross_fitted.d_ece_unordered_bits, 0.0)
        words = {"name": name, "bits": Population.of(entry).in_words, "other": disclosure(other)}
        words["told"] = reading_in_words(found)
        is_given = found.reading is EvidenceReading.GIVEN
        outcome, code = (
            (CheckOutcome.PASSED, "direction-right") if is_given else (CheckOutcome.FAILED, "direction-wrong")
        )
        yield CheckedCase(outcome, code, (entry.id,), words, figures, found.d_ece_bits - other)


def tag_is_beyond_chance(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: do at most one in twenty sets without disclosure show such a worst case?"""
    for entry in project.entries:
        share = chance_of_worst_case(entry)
        words: dict[str, object] = {"name": called(entry), "tag": entry.assessment.tag}
        if share is None:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "tag-unknown", (entry.id,), words)
            continue
        words["share"] = written(100.0 * share, f".{0 if share >= 0.095 else 1}f")
        outcome, code = (
            (CheckOutcome.PASSED, "tag-beyond")
            if share <= MAY_BE_CHANCE
            else (CheckOutcome.FAILED, "tag-by-chance")
        )
        margin = MAY_BE_CHANCE - share
        yield CheckedCase(outcome, code, (entry.id,), words, {"p_value": share}, margin)


def chance_of_worst_case(entry: Entry) -> float | None:
    """Which share of sets without disclosure show such a worst case or more; None where nobody knows."""
    null = entry.trust.null if entry.trust else None
    if null is None or not null.exchange.has_p_value:
        return None
    found = null.p_value("worst_case_log10_lr")
    return None if math.isnan(found) else found
