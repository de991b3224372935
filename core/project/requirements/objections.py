"""Why no requirement is called met although a figure lies within: what speaks against the assessment."""

from __future__ import annotations

from collections.abc import Mapping

from zebra_core.metrics.assessment import Reading
from zebra_core.metrics.reading import reading_in_words
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.comparability import remarks_on_attacks
from zebra_core.project.comparison import baseline_of
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.wording.texts import say
from zebra_core.wording.wording import disclosure

LEAST_OF_BASELINE_BITS = FULL_DISCLOSURE_BITS / 2.0
"""A recogniser that finds less than half in unprotected speech does not work there."""

Objections = Mapping[str, tuple[str, ...]]
"""Sentences, by the id of the entry that they speak against."""


def objections(project: Project) -> Objections:
    """What speaks against each assessment: other readings, a weaker attacker, a recogniser that fails."""
    entries = project.entries
    on_attacks = remarks_on_attacks(entries)
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        told = [*_on_reading(entry), *map(str, on_attacks.get(entry.id, ())), *_on_recogniser(entry, entries)]
        if told:
            found[entry.id] = tuple(told)
    return found


def _on_reading(entry: Entry) -> list[str]:
    found = entry.assessment
    return [] if found.reading is Reading.GIVEN else [reading_in_words(found)]


def _on_recogniser(entry: Entry, entries: tuple[Entry, ...]) -> list[str]:
    if entry.condition is Condition.OO:
        return []
    baseline = baseline_of(entry, entries)
    if baseline is None or baseline.disclosed_by_reading_bits >= LEAST_OF_BASELINE_BITS:
        return []
    facts = {
        "bits": disclosure(baseline.disclosed_by_reading_bits),
        "full": disclosure(FULL_DISCLOSURE_BITS),
    }
    return [say("verdict.without-recogniser", **facts)]
