"""Why no requirement is called met although a figure lies within: what the check list says against it."""

from __future__ import annotations

from collections.abc import Mapping

from zebra_core.project.checks.checklist import REFUSING, checklist
from zebra_core.project.checks.outcome import Outcome
from zebra_core.project.project import Project

UNTESTED = "attackers-untested"
"""An attacker who knows more found less, and without intervals nobody can say whether that is chance."""

Objections = Mapping[str, tuple[str, ...]]
"""Sentences, by the id of the entry that they speak against."""


def objections(project: Project) -> Objections:
    """What speaks against each assessment: a recogniser that fails, a weaker attacker, another reading."""
    found: dict[str, list[str]] = {}
    for line in checklist(project):
        if line.check not in REFUSING:
            continue
        for case in line.cases:
            if case.outcome is Outcome.FAILED or case.code == UNTESTED:
                for entry_id in case.entry_ids:
                    found.setdefault(entry_id, []).append(str(case))
    return {entry_id: tuple(dict.fromkeys(told)) for entry_id, told in found.items()}
