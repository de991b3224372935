"""Is this assessment to be trusted? The check list, first among what a report does not show."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.attackers import AttackGroup, attack_groups
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckLine
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown
from zebra_core.report.document import Block, Bullets, Cell, Heading, Run, TableBlock, TableColumn, paragraph
from zebra_core.wording.texts import say

MOST_IN_SENTENCES = 3
"""Of so many groups of attackers each has a sentence; of more there is a table."""

MOST_GROUPS = 12
"""Of more groups of attackers only the number is told: the evidence has them."""


def checking(frame: Frame) -> tuple[Block, ...]:
    """Every check with its outcome, by sign and word, and its figures."""
    columns = (
        TableColumn(say("check.outcome"), is_text=True),
        TableColumn(say("check.check"), is_text=True, share=1.0),
        TableColumn(say("check.figures"), is_text=True, share=2.0),
    )
    rows = tuple(
        (
            Cell(_outcome(line)),
            Cell(str(line.check)),
            Cell(shown(_as_stated(line))),
        )
        for line in checklist(frame.project, frame.material.printed, frame.material.designs)
    )
    return Heading(say("check.title")), TableBlock(columns, rows, say("check.caption"))


def _outcome(line: CheckLine) -> str:
    """By sign and word; what is only stated has neither, because it is no result."""
    if line.check is Check.PRINTED and line.cases:
        return say("report.stated")
    return f"{line.outcome.sign} {line.outcome_in_words}"


def _as_stated(line: CheckLine) -> str:
    """Its figures; of what is printed elsewhere nobody who verifies the report has the files."""
    text = " ".join(line.sentences())
    return say("report.as-stated", text=text) if line.check is Check.PRINTED and line.cases else text


def strongest_attackers(frame: Frame, *, in_table: bool) -> tuple[Block, ...]:
    """The strongest attacker on each safeguard that several attacked: in sentences, or of many in a table.

    Nothing where it is the other one of both.
    """
    groups = [group for group in attack_groups(frame.project) if group.in_words]
    if not groups or in_table is not (len(groups) > MOST_IN_SENTENCES):
        return ()
    found = groups[:MOST_GROUPS]
    more = len(groups) - len(found)
    rest = [paragraph(say("attacker-section.more", count=more), quiet=True)] if more else []
    if in_table:
        return Heading(say("attacker-section.head")), _strongest(found), *rest
    items = tuple((Run(shown(group.in_words)),) for group in found)
    return Heading(say("attacker-section.head")), Bullets(items), *rest


def _strongest(groups: Sequence[AttackGroup]) -> TableBlock:
    columns = (
        TableColumn(say("attacker-section.who"), is_text=True, share=1.0),
        TableColumn(say("attacker-section.of")),
        TableColumn(say("attacker-section.finds")),
    )
    rows = tuple(
        (Cell(shown(group.who)), Cell(str(len(group.attacks))), Cell(group.shown_bits)) for group in groups
    )
    has_interval = all(group.interval for group in groups)
    return TableBlock(columns, rows, say(f"attacker-section.caption{'' if has_interval else '-uncorrected'}"))
