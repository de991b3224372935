"""Is this assessment to be trusted? The check list, first among what a report does not show."""

from __future__ import annotations

from zebra_core.project.attackers import attack_groups
from zebra_core.project.checks.checklist import checklist
from zebra_core.report.content.files import shown
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Block, Bullets, Cell, Column, Heading, Run, Table
from zebra_core.wording.texts import say

MOST_GROUPS = 12
"""Of more groups of attackers only the number is told: the evidence has them."""


def checking(frame: Frame) -> tuple[Block, ...]:
    """Every check with its outcome, by sign and word, and its figures."""
    columns = (
        Column(say("check.outcome"), is_text=True),
        Column(say("check.check"), is_text=True, share=1.0),
        Column(say("check.figures"), is_text=True, share=2.0),
    )
    rows = tuple(
        (
            Cell(f"{line.outcome.sign} {line.outcome}"),
            Cell(str(line.check)),
            Cell(shown(" ".join(line.sentences()))),
        )
        for line in checklist(frame.project, frame.material.printed)
    )
    return Heading(say("check.title")), Table(columns, rows, say("check.caption"))


def strongest_attackers(frame: Frame) -> tuple[Block, ...]:
    """Of each safeguard that several have attacked, who finds most; all of them stay in the tables."""
    told = [group.in_words for group in attack_groups(frame.project) if group.in_words]
    if not told:
        return ()
    found = [shown(text) for text in told[:MOST_GROUPS]]
    if len(told) > MOST_GROUPS:
        found.append(say("attacker-section.more", count=len(told) - MOST_GROUPS))
    return Heading(say("attacker-section.head")), Bullets(tuple((Run(text),) for text in found))
