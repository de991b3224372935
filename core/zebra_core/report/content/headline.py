"""The pictures of the answer, and of which assessments the first page has room to tell."""

from __future__ import annotations

from dataclasses import replace

from zebra_core.figures.headline import ladder_figure, scale_figure
from zebra_core.project.items import Entry
from zebra_core.report.content.attackers import strongest_of_groups
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import ReportPicture
from zebra_core.wording.texts import say

MOST_ANSWERS = 6
"""More do not leave room for the pictures: the strongest attackers are there."""
MOST_PICTURED = 4
"""So many rows leave room for both pictures on the first page; of more they open the findings."""


def answered(frame: Frame) -> list[Entry]:
    """The assessments that the first page tells of: one of each group, the strongest attacker first."""
    return strongest_of_groups(frame.entries)[:MOST_ANSWERS]


def pictures_come_first(frame: Frame) -> bool:
    """Whether there is room for the pictures on the first page; else they open the findings."""
    required = min(len(frame.project.requirements), MOST_PICTURED)  # each has a line or two on that page
    return len(answered(frame)) + required <= MOST_PICTURED


def pictures(frame: Frame) -> tuple[ReportPicture, ...]:
    """Scale and ladder of what the first page tells of."""
    entries = answered(frame)
    if not entries:
        return ()
    made = {"scale": scale_figure(entries), "ladder": ladder_figure(entries)}
    one = len(entries) == 1
    return tuple(
        ReportPicture(
            f"headline-{name}",
            figure if one else replace(figure, title=""),
            say(f"answer.{name}-caption"),
            "overview",
            entries[0].id,
        )
        for name, figure in made.items()
    )
