"""The validation matrix of Meuwly, Ramos and Haraksim (2017), filled with what was measured here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zebra_core.metrics.metric import NOTHING
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckOutcome
from zebra_core.project.items import Entry
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown
from zebra_core.report.document import Block, Cell, Heading, TableBlock, TableColumn, paragraph
from zebra_core.uncertainty.jackknife import LeftOutUnit
from zebra_core.uncertainty.shown import fewer, with_unit
from zebra_core.wording.names import clauses, named
from zebra_core.wording.texts import say

_MOST_CRITERIA = 4


def validation(frame: Frame) -> tuple[Block, ...]:
    """Six characteristics, by which figures and pictures, and what came out or that nobody looked."""
    results = {
        "accuracy": _of_llrs(frame, "cllr_bits"),
        "discrimination": say(
            "validation.two", one=_range(frame.entries, "eer"), two=_range(frame.entries, "min_cllr_bits")
        ),
        "calibration": _of_llrs(frame, "calibration_loss_bits"),
        "robustness": _robustness(frame),
        "coherence": _coherence(frame),
        "generalisation": _generalisation(frame),
    }
    criteria = _criteria(frame)
    columns = (
        TableColumn(say("validation.characteristic"), is_text=True, share=1.0),
        TableColumn(say("validation.metric"), is_text=True, share=1.5),
        TableColumn(say("validation.picture"), is_text=True, share=1.0),
        TableColumn(say("validation.result"), is_text=True, share=2.0),
        TableColumn(say("validation.decision"), is_text=True, share=1.0),
    )
    rows = tuple(
        (
            Cell(say(f"validation.{name}")),
            Cell(say(f"validation.{name}-metric")),
            Cell(say(f"validation.{name}-picture")),
            Cell(shown(result or say("validation.not-examined"))),
            Cell(shown(criteria.get(name) or say("validation.no-criterion"))),
        )
        for name, result in results.items()
    )
    return (
        Heading(say("validation.head")),
        paragraph(say("validation.intro")),
        TableBlock(columns, rows, say("validation.caption")),
    )


def _criteria(frame: Frame) -> dict[str, str]:
    """What the project requires, with its verdicts, by characteristic.

    All figures that may be required tell how well speakers are told apart; what is required of several
    datasets is a criterion of generalisation as well.
    """
    found = verdicts(frame.project)
    datasets = {item.id: item.dataset for item in frame.project.items}
    several = [one for one in found if len({datasets[row.entry_id] for row in one.rows}) > 1]
    return {"discrimination": _listed(found), "generalisation": _listed(several)}


def _listed(found: Sequence[Verdict]) -> str:
    """The first of them by name, and how many others there are; empty for none."""
    items = [
        say("validation.criterion", name=one.requirement.name, outcome=one.in_words)
        for one in found[:_MOST_CRITERIA]
    ]
    others = len(found) - len(items)
    return clauses([*items, say("validation.criteria-others", count=others) if others else ""])


def _range(entries: Iterable[Entry], figure: str) -> str:
    """The smallest and largest value of a figure over the assessments."""
    found = [
        (value, fewer(entry.assessment))
        for entry in entries
        if (value := getattr(entry.assessment, figure)) is not None
    ]
    if not found:
        return NOTHING
    key = "cllr_bits" if figure == "calibration_loss_bits" else figure
    low, high = (with_unit(key, *end) for end in (min(found), max(found)))
    return low if low == high else say("robustness.range", low=low, high=high)


def _of_llrs(frame: Frame, figure: str) -> str:
    """The range of a figure over assessments of declared LLRs alone: raw scores claim no calibration."""
    entries = [entry for entry in frame.entries if entry.assessment.has_llrs]
    return _range(entries, figure) if entries else ""


def _robustness(frame: Frame) -> str:
    """How far D_ECE moves at most when one speaker is left out."""
    moved = [
        (max(span.high - found.figures["d_ece_bits"], found.figures["d_ece_bits"] - span.low), entry)
        for entry in frame.entries
        if (found := frame.project.robust.get(entry.id))
        and (span := found.span("d_ece_bits", LeftOutUnit.SPEAKER)) is not None
    ]
    if not moved:
        return ""
    most, entry = max(moved, key=lambda one: one[0])
    bits = with_unit("d_ece_bits", most, fewer(entry.assessment))
    return say("validation.robustness-result", bits=bits, name=frame.row_name(entry))


def _coherence(frame: Frame) -> str:
    """Whether who knows more finds no less, as far as that can be told."""
    line = next(one for one in checklist(frame.project) if one.check is Check.ATTACKERS)
    if line.outcome is CheckOutcome.CANNOT_TELL:
        return ""
    return named(str(line.check), f"{line.outcome}. {line.sentences(1)[0]}")


def _generalisation(frame: Frame) -> str:
    """What one safeguard gives away in several datasets, where it was tried in several."""
    by_safeguard: dict[tuple[object, ...], list[Entry]] = {}
    for entry in frame.entries:
        key = (entry.name, entry.run, entry.condition, entry.attack)
        by_safeguard.setdefault(key, []).append(entry)
    several = [entries for entries in by_safeguard.values() if len({one.dataset for one in entries}) > 1]
    if not several:
        return ""
    widest = max(several, key=_spread)
    facts = {"name": widest[0].full_name, "count": len({one.dataset for one in widest})}
    return say("validation.generalisation-result", range=_range(widest, "d_ece_bits"), **facts)


def _spread(entries: list[Entry]) -> float:
    bits = [entry.assessment.d_ece_bits for entry in entries]
    return max(bits) - min(bits)
