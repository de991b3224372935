"""What verifying a report does not cover: what it only states, and where it departs from the usual one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zebra_core.document.parts import SavedValue, scales_of
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import Decision
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.metrics.assessment import Settings
from zebra_core.project.checks.outcome import Check
from zebra_core.project.report_settings import CONTEXT, Section
from zebra_core.report.verification import NotCovered, all_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.version import versions
from zebra_core.wording.texts import grouped, listed, quoted, say, visible, written

_REPORT = {
    "author": ("author", "organisation"),
    "case": ("case", "requester", "report_id"),
    "question": ("question", "safeguard", "propositions", "relevance"),
    "context": CONTEXT,
    "notes": ("notes",),
    "logo": ("logo",),
    "signers": ("signers",),
}
"""What the user says of a report, in the words of the outcome."""
_LOWER = Decision.LOWER_IS_MORE_ALIKE.value


def not_covered(values: Mapping[str, Any]) -> NotCovered:
    """What this evidence says of it."""
    stated = tuple(say(f"stated.{code}") for code, is_there in _stated(values).items() if is_there)
    assessments = values["assessments"]
    settings = (words for one in assessments for words in _of_settings(one["settings"]))
    intervals = (_of_intervals(one["trust"]) for one in assessments)
    departures = dict.fromkeys((*_of_report(values["pages"]), *_decided(assessments), *settings, *intervals))
    return NotCovered(stated, tuple(filter(None, departures)))


def _stated(values: Mapping[str, Any]) -> Mapping[str, object]:
    """What a report can state, and whether it is there."""
    pages, assessments = values["pages"], values["assessments"]
    items = [*assessments, *values["similarities"]]
    found = [
        each for one in items for each in (*one["remarks"], *(one.get("audit") or {}).get("findings", ()))
    ]
    report = {code: any(map(pages["report"].get, names)) for code, names in _REPORT.items()}
    return {
        "names": True,
        **report,
        "author": report["author"] or pages["author"],
        "attackers": any(one[name] for one in assessments for name in ATTACK),
        "conditions": any(one["condition"] for one in assessments),
        "item-notes": any(one["notes"] for one in items),
        "choices": any(one["choices"] for one in items),
        "drop": any(each["code"] in OF_THE_DROP for each in found),
        "requirements": values["requirements"],
        "utilities": pages.get("utilities"),
        "comments": values.get("review"),
        "python": values["versions"].get("python") != versions()["python"],
        "printed": any(one["cases"] for one in values["checks"] if one["check"] == Check.PRINTED.value),
    }


def _of_report(pages: Mapping[str, Any]) -> tuple[str, ...]:
    """What is left out of the pages, or stands elsewhere; empty texts where nothing is."""
    order, left_out = pages["report"]["order"], pages["report"]["left_out"]
    gone = [quoted(Section(name).heading) for name in order if name in left_out]
    return (
        say("departs.sections", count=len(gone), names=all_of(gone)) if gone else "",
        say("departs.order") if order != [section.value for section in Section] else "",
        say("departs.summary") if pages["is_summary"] else "",
        "" if all(pages.get("ticked", ())) else say("departs.left-out"),
    )


def _decided(assessments: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What was decided about scores and ids."""
    decisions = {n: set((one["audit"] or {}).get("decisions", ())) for n, one in enumerate(assessments)}
    lower = [quoted(visible(assessments[n]["name"])) for n, made in decisions.items() if _LOWER in made]
    others = [say(f"decision.{each}") for each in sorted(set().union(*decisions.values()) - {_LOWER})]
    return (
        say("departs.lower-first", names=listed(lower)) if lower else "",
        say("departs.decisions", names=all_of(others)) if others else "",
    )


def _of_settings(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Scales and priors of an assessment that are not the usual ones."""
    tags, words = scales_of(SavedValue(settings, "settings", "evidence.json"))
    one_in, limit, points = (settings[f"prior_{name}"] for name in ("one_in", "log_odds_limit", "points"))
    is_usual = (limit, points) == (Settings.prior_log_odds_limit, Settings.prior_points)
    return (
        say("departs.scale") if tags.is_own else "",
        say("departs.words") if words is not None and words.is_own else "",
        say("departs.prior", one_in=grouped(one_in)) if one_in != Settings.prior_one_in else "",
        "" if is_usual else say("departs.profile", limit=written(limit, "g"), count=points),
    )


def _of_intervals(trust: Mapping[str, Any] | None) -> str:
    usual = BootstrapSettings
    if trust is None:
        return say("departs.no-intervals")
    if (trust["level"], trust["replicates"], trust["seed"]) == (usual.level, usual.replicates, usual.seed):
        return ""
    level = written(100.0 * trust["level"], "g")
    return say("departs.intervals", level=level, count=trust["replicates"], seed=trust["seed"])
