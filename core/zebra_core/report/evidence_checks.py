"""What evidence says of attackers and of the check list; both follow from its assessments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zebra_core.project.attackers import attack_groups
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckedCase, CheckLine, CheckOutcome
from zebra_core.project.project import Project
from zebra_core.project.spans import robustness_as_json


def checks_as_json(project: Project) -> dict[str, object]:
    """`attackers`, one for each safeguard in a dataset, `checks` in their order, and `robustness`.

    Assessments are places among those of the project, from 0.
    """
    places = {entry.id: place for place, entry in enumerate(project.entries)}
    return {
        "attackers": [group.as_json(places) for group in attack_groups(project)],
        "checks": [line.as_json(places) for line in checklist(project)],
        "robustness": robustness_as_json(project),
    }


def outcomes_by_name(values: Mapping[str, Any]) -> dict[str, object]:
    """Outcomes and figures by the name of safeguard and check, but for what is printed elsewhere."""
    found: dict[str, object] = {
        " ".join(filter(None, (one["safeguard"], one["run"], one["dataset"]))): {
            key: one[key] for key in ("strongest", "d_ece_bits", "interval", "level")
        }
        for one in values["attackers"]
    }
    for line in values["checks"]:
        if line["check"] != Check.PRINTED.value:
            cases = [
                [one["outcome"], one["code"], one["assessments"], one["figures"]] for one in line["cases"]
            ]
            found[line["check"]] = [line["outcome"], cases]
    return found


def recorded_line(values: Mapping[str, Any], check: Check) -> CheckLine | None:
    """A line of the check list as it is recorded; None where there is none."""
    for line in values["checks"]:
        if line["check"] == check.value:
            cases = [(CheckOutcome(case["outcome"]), case["text"]) for case in line["cases"]]
            return CheckLine(
                check, tuple(CheckedCase(one, "printed-differs", (), {"told": text}) for one, text in cases)
            )
    return None
