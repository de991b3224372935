"""Why no requirement is called met although a figure lies within: what the check list says against it."""

from __future__ import annotations

from collections.abc import Mapping

from zebra_core.project.checks.checklist import REFUSING, checklist
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckOutcome
from zebra_core.project.project import Project
from zebra_core.wording.texts import say

UNTESTED = "attackers-untested"
"""An attacker who knows more found less, and without intervals nobody can say whether that is chance."""

Objections = Mapping[str, tuple[str, ...]]
"""Sentences, by the id of the item that they speak against."""


def objections(project: Project) -> Objections:
    """What speaks against each item: nothing to be found, a weaker attacker, another reading.

    A recogniser must be shown to work: where it fails on unprotected speech, or where no such speech shows
    that it does, little disclosure says nothing about the safeguard. That speaks against the matrices of that
    speech, too. Constant scores, of which nothing can be learnt, show no safeguard either.
    """
    found: dict[str, list[str]] = {}
    for entry in project.entries:
        if len(entry.assessment.counts.score) == 1:
            found[entry.id] = [say("verdict.constant-scores")]
    for line in checklist(project):
        if line.check not in REFUSING:
            continue
        for case in line.cases:
            if _speaks_against(line.check, case):
                too = _matrices(project, case) if line.check is Check.RECOGNISER else []
                for item_id in (*case.entry_ids, *too):
                    found.setdefault(item_id, []).append(str(case))
    return {item_id: tuple(dict.fromkeys(sentences)) for item_id, sentences in found.items()}


def _speaks_against(check: Check, case: CheckedCase) -> bool:
    if check is Check.RECOGNISER:
        return case.outcome is not CheckOutcome.PASSED
    return case.outcome is CheckOutcome.FAILED or case.code == UNTESTED


def _matrices(project: Project, case: CheckedCase) -> list[str]:
    """The similarity matrices of the datasets that a case is about, by their ids."""
    datasets = {entry.dataset for entry in project.entries if entry.id in case.entry_ids}
    return [item.id for item in project.similarities if item.dataset in datasets]
