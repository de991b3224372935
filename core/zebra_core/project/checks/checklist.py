"""The check list of a project: is this assessment to be trusted?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.reading import reading_in_words
from zebra_core.project.checks.knowledge import knowing_more_finds_no_less
from zebra_core.project.checks.material import all_is_there, enough_was_compared, printed_figures_agree
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckLine, CheckOutcome, called
from zebra_core.project.checks.power import pseudo_speakers_differ, recogniser_works
from zebra_core.project.headline import Population
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import written

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


_CHECKS: Mapping[Check, Callable[[Project], Iterator[CheckedCase]]] = {
    Check.RECOGNISER: recogniser_works,
    Check.ATTACKERS: knowing_more_finds_no_less,
    Check.ENOUGH: enough_was_compared,
    Check.DIRECTION: scores_run_the_right_way,
    Check.COMPLETE: all_is_there,
    Check.PRINTED: printed_figures_agree,
    Check.TAG: tag_is_beyond_chance,
    Check.PSEUDO_SPEAKERS: pseudo_speakers_differ,
}

REFUSING = (Check.RECOGNISER, Check.ATTACKERS, Check.DIRECTION)
"""Where one of these failed, figures are too favourable: nothing may be called protected by them."""


def checklist(project: Project, printed: CheckLine | None = None) -> tuple[CheckLine, ...]:
    """Every check, in the order of `Check`; a pure function of the project, without reading a file.

    `printed` takes the place of the line on printed figures. Figures are compared with their intervals as far
    as these are known: asked again, more can be told.
    """
    known = {printed.check: printed} if printed else {}
    return tuple(known.get(check) or CheckLine(check, tuple(of(project))) for check, of in _CHECKS.items())
