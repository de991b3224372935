"""What verifying a report does not cover: what it only states, and where it departs from the usual one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zebra_core.document.parts import scales_of
from zebra_core.document.reading import SavedValue
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.decisions import Decision
from zebra_core.intake.sorting.naming import OF_THE_DROP
from zebra_core.metrics.assessment import Settings
from zebra_core.project.checks.outcome import Check
from zebra_core.project.report_settings import CONTEXT, Section
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.wording.names import listed
from zebra_core.wording.texts import grouped, quoted, say, visible, written

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
_USUAL_DEALS = 199  # sets without disclosure, at least


@dataclass(frozen=True)
class NotCovered:
    """What is stated and nobody can compute, and what departs from the usual report, in a few words each."""

    stated: tuple[str, ...] = ()
    departures: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> NotCovered:
        """What the evidence says of it."""
        stated = ("names", *(code for code, is_there in _stated(values) if is_there))
        return cls(tuple(say(f"stated.{code}") for code in stated), tuple(_departures(values)))

    @property
    def departing(self) -> str:
        """Where it departs from the usual report, in a sentence; empty where it does not."""
        return say("verify.departs", what=_all(self.departures)) if self.departures else ""

    def stating(self, *more: str) -> str:
        """What is stated, in a sentence, with what else nobody has checked."""
        return say("verify.as-stated", what=_all(words)) if (words := (*self.stated, *more)) else ""


def _all(words: Sequence[str]) -> str:
    return listed(words, len(words), max(map(len, words)))


def _stated(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """What a report can state, and what of it is there."""
    report, assessments, pages = values["pages"]["report"], values["assessments"], values["pages"]
    for code, names in _REPORT.items():
        yield code, any(report.get(name) for name in names) or (code == "author" and pages["author"])
    yield "attackers", any(one[name] for one in assessments for name in ATTACK)
    yield "conditions", any(one["condition"] for one in assessments)
    items = [*assessments, *values["similarities"]]
    yield "item-notes", any(one["notes"] for one in items)
    yield "choices", any(one["choices"] for one in items)
    yield "drop", any(remark["code"] in OF_THE_DROP for one in items for remark in one["remarks"])
    yield "requirements", values["requirements"]
    yield "utilities", pages.get("utilities")
    yield "comments", values.get("review")
    yield "printed", any(one["cases"] for one in values["checks"] if one["check"] == Check.PRINTED.value)


def _departures(values: Mapping[str, Any]) -> Iterator[str]:
    report, assessments = values["pages"]["report"], values["assessments"]
    if gone := [Section(name).heading for name in report["order"] if name in report["left_out"]]:
        yield say("departs.sections", count=len(gone), names=_all([quoted(name) for name in gone]))
    if report["order"] != [section.value for section in Section]:
        yield say("departs.order")
    if values["pages"]["is_summary"]:
        yield say("departs.summary")
    if not all(values["pages"].get("ticked", [True])):
        yield say("departs.left-out")
    lower = [one for one in assessments if Decision.LOWER_IS_MORE_ALIKE.value in _decisions(one)]
    if lower:
        yield say("departs.lower-first", names=listed([quoted(visible(one["name"])) for one in lower]))
    decided = {each for one in assessments for each in _decisions(one)} - {Decision.LOWER_IS_MORE_ALIKE.value}
    if decided:
        yield say("departs.decisions", names=_all([say(f"decision.{each}") for each in sorted(decided)]))
    yield from dict.fromkeys(words for one in assessments for words in _of_settings(one["settings"]))
    yield from dict.fromkeys(words for one in assessments for words in _of_intervals(one["trust"]))


def _decisions(assessment: Mapping[str, Any]) -> Sequence[str]:
    return assessment["audit"]["decisions"] if assessment["audit"] else ()


def _of_settings(settings: Mapping[str, Any]) -> Iterator[str]:
    """Scales and priors of an assessment that are not the usual ones."""
    tags, words = scales_of(SavedValue(settings, "settings", "evidence.json"))
    if tags.is_own:
        yield say("departs.scale")
    if words is not None and words.is_own:
        yield say("departs.words")
    if settings["prior_one_in"] != Settings.prior_one_in:
        yield say("departs.prior", one_in=grouped(settings["prior_one_in"]))
    if settings["prior_log_odds_limit"] != Settings.prior_log_odds_limit:
        yield say("departs.profile", limit=written(settings["prior_log_odds_limit"], "g"))


def _of_intervals(trust: Mapping[str, Any] | None) -> Iterator[str]:
    usual = BootstrapSettings
    if trust is None:
        yield say("departs.no-intervals")
    elif (trust["level"], trust["replicates"], trust["seed"]) != (usual.level, usual.replicates, usual.seed):
        level = written(100.0 * trust["level"], "g")
        yield say("departs.intervals", level=level, count=trust["replicates"], seed=trust["seed"])
    if trust is not None and 0 < (count := trust["null_replicates"] or 0) < _USUAL_DEALS:
        yield say("departs.null", count=count)
