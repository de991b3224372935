"""Checks against unprotected speech: does the recogniser work, and do sides share pseudo-speakers?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attackers import unprotected_of
from zebra_core.project.checks.excess import excess
from zebra_core.project.checks.outcome import CheckedCase, CheckOutcome, called
from zebra_core.project.headline import Population
from zebra_core.project.items import Condition, Entry, dataset_as_said
from zebra_core.project.project import Project
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import visible

WORKS_FROM_BITS = FULL_DISCLOSURE_BITS / 2.0
"""What unprotected speech discloses to a recogniser that works, in bits: half of what perfect separation
does. Scores of normal classes of equal spread disclose as much at an EER of 15 %."""

APART = 0.05  # the p-value up to which one figure is called larger than another
HALF = 0.5


def recogniser_works(project: Project) -> Iterator[CheckedCase]:
    """For each dataset and recogniser that attacks: does it tell speakers apart where nothing is protected?

    Of several assessments of unprotected speech the one that discloses most counts: it shows what is there
    to be found. A recogniser that nobody named is taken for any other.
    """
    unprotected = unprotected_of(project.entries)
    attacks: dict[tuple[str, str], list[Entry]] = {}
    for entry in project.entries:
        if entry.condition is not Condition.OO:
            attacks.setdefault((entry.dataset, entry.recogniser), []).append(entry)
    for (dataset, recogniser), entries in attacks.items():
        ids = tuple(entry.id for entry in entries)
        names = {"dataset": visible(dataset_as_said(dataset)), "recogniser": visible(recogniser)}
        found = of_recogniser(unprotected.get(dataset, ()), recogniser)
        if not found:
            code = "recogniser-unknown-of" if recogniser else "recogniser-unknown"
            yield CheckedCase(CheckOutcome.CANNOT_TELL, _of(code, dataset), ids, names)
        else:
            yield _power(found, dataset, ids, names)


def pseudo_speakers_differ(project: Project) -> Iterator[CheckedCase]:
    """For each assessment with both sides protected: do its sides share pseudo-speakers?

    Score files do not say. But where a speaker has one pseudo-speaker on both sides, and others have others,
    pseudo-speakers are recognised as well as speakers: then more is disclosed than by unprotected speech, or
    about as much. Clearly more fails; clearly less than half of it passes.
    """
    unprotected = unprotected_of(project.entries)
    for entry in project.entries:
        if entry.condition is not Condition.PP:
            continue
        name = {"name": called(entry), "bits": Population.of(entry).lead_in_words}
        found = of_recogniser(unprotected.get(entry.dataset, ()), entry.recogniser)
        if not found:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "pseudo-speakers-no-original", (entry.id,), name)
            continue
        original = max(found, key=_bits)
        figures = {"d_ece_bits": _bits(entry), "unprotected_bits": _bits(original)}
        words = {**name, "unprotected": Population.of(original).lead_in_words}
        more, less = excess(entry, original), excess(original, entry, 1.0 / HALF)
        if _bits(original) < WORKS_FROM_BITS:  # it is the recogniser then
            outcome, code = CheckOutcome.CANNOT_TELL, "pseudo-speakers-open"
        elif more.p_value <= APART:
            outcome, code = CheckOutcome.FAILED, "pseudo-speakers-shared"
        elif less.p_value <= APART:
            outcome, code = CheckOutcome.PASSED, "pseudo-speakers-apart"
        else:
            outcome, code = CheckOutcome.CANNOT_TELL, "pseudo-speakers-open"
        yield CheckedCase(outcome, code, (entry.id,), words, figures, _bits(original) - _bits(entry))


def of_recogniser(entries: Sequence[Entry], recogniser: str) -> list[Entry]:
    """The entries whose recogniser is this one or is not stated; all of them for an empty name."""
    return [entry for entry in entries if not recogniser or entry.recogniser in ("", recogniser)]


def _power(found: Sequence[Entry], dataset: str, ids: tuple[str, ...], names: dict[str, str]) -> CheckedCase:
    best = max(found, key=_bits)
    bits, shown = _bits(best), Population.of(best)
    interval = shown.interval if shown.by_reading_bits == shown.bits else None
    low, high = (interval.low, interval.high) if interval else (bits, bits)
    outcome = CheckOutcome.CANNOT_TELL
    if low >= WORKS_FROM_BITS:
        outcome = CheckOutcome.PASSED
    elif high < WORKS_FROM_BITS:
        outcome = CheckOutcome.FAILED
    code = {
        CheckOutcome.PASSED: "recogniser-works",
        CheckOutcome.FAILED: "recogniser-fails",
        CheckOutcome.CANNOT_TELL: "recogniser-open",
    }[outcome]
    words = {**names, "bits": shown.lead_in_words, "bound": disclosure(WORKS_FROM_BITS)}
    figures = {"d_ece_bits": bits, "bound_bits": WORKS_FROM_BITS}
    away = low - WORKS_FROM_BITS if outcome is CheckOutcome.PASSED else high - WORKS_FROM_BITS
    return CheckedCase(outcome, _of(code, dataset), (*ids, best.id), words, figures, away)


def _of(code: str, dataset: str) -> str:
    return code if dataset else f"{code}-here"


def _bits(entry: Entry) -> float:
    return Population.of(entry).by_reading_bits
