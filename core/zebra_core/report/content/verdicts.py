"""Verdicts in a report: in a line each beside the answer, and with what decided them among the findings."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.verdict import Verdict, VerdictOutcome, if_awaited, worst_first
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown
from zebra_core.report.document import (
    Block,
    Cell,
    Heading,
    Paragraph,
    Run,
    TableBlock,
    TableColumn,
    paragraph,
)
from zebra_core.wording.names import clauses, shortened
from zebra_core.wording.texts import say

_MOST_ON_FRONT, _LONGEST_NAME, _LONGEST_DEMAND = 4, 60, 160


def on_front(frame: Frame, answers: Sequence[Conclusion]) -> list[Paragraph]:
    """Which requirement is met that no answer tells of, each in a line; of many how many are, worst first."""
    told = {each.requirement.name for one in answers for each in one.verdicts}
    found = worst_first([each for each in frame.verdicts if each.requirement.name not in told])
    lines = [_line(each) for each in found[:_MOST_ON_FRONT]]
    if len(found) > _MOST_ON_FRONT:
        counts = {outcome: sum(each.outcome is outcome for each in found) for outcome in VerdictOutcome}
        words = {outcome.value.replace("-", "_"): count for outcome, count in counts.items()}
        lines.append(paragraph(say(f"verdict.counts{if_awaited(found)}", count=len(found), **words)))
    return lines


def _line(each: Verdict) -> Paragraph:
    name = shortened(shown(each.requirement.name), _LONGEST_NAME)
    bound = f" {each.bound_in_words}" if each.bound_in_words else ""
    demand = shortened(shown(each.requirement.in_words), _LONGEST_DEMAND)
    said = say("verdict.front", name=name, demand=demand, verdict=each.in_words)
    return Paragraph((Run(said, bold=True), Run(bound)))


def requirements(frame: Frame) -> tuple[Block, ...]:
    """Every requirement with its verdict and what decided it; nothing where there is none."""
    found = frame.verdicts
    if not found:
        return ()
    columns = (
        TableColumn(say("verdict.column-name"), is_text=True, share=1.0),
        TableColumn(say("verdict.column-verdict"), is_text=True),
        TableColumn(say("verdict.column-why"), is_text=True, share=2.0),
    )
    rows = tuple(
        (
            Cell(shown(each.requirement.name), _demand(each.requirement)),
            Cell(each.in_words),
            Cell(shown(each.reason), _origin(each.requirement)),
        )
        for each in found
    )
    return (
        Heading(say("verdict.head")),
        paragraph(say("verdict.explained")),
        TableBlock(columns, rows, say("verdict.caption")),
    )


def _demand(asked: Requirement) -> str:
    return shown(say("verdict.demand", demand=asked.in_words, scope=asked.scope.in_words))


def _origin(asked: Requirement) -> str:
    """Why it was set, by whom, and whether the project shows it before its data."""
    by = say("requirement.set-by", by=asked.set_by) if asked.set_by else ""
    why = " ".join(asked.why.split()).removesuffix(".")
    return shown(clauses((why, by, str(asked.recorded))))
