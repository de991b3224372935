"""Columns that take their time: how well people are linked and singled out, what is told of attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attributes import in_a_cell
from zebra_core.project.by_group import D_ECE, figure_in_words
from zebra_core.project.comparison.column import NOTHING, BetterDirection, ComparisonColumn, ends
from zebra_core.project.comparison.row import AnsweredCell, ComparisonRow
from zebra_core.uncertainty.linking_points import PeoplePoint
from zebra_core.uncertainty.shown import rounded
from zebra_core.wording.names import clauses, with_aside
from zebra_core.wording.texts import say, visible, written


def _rank_bits(row: ComparisonRow) -> float | None:
    return row.people.ranks.mean_bits if row.people else None


def _ranks(row: ComparisonRow) -> str:
    """The mean over ranks, and the most that any discloses."""
    ranks = row.people.ranks if row.people else None
    return (
        NOTHING
        if ranks is None
        else f"{written(ranks.mean_bits, '.1f')} / {written(ranks.worst_bits, '.1f')}"
    )


def _of_people(code: str, of: Callable[[ComparisonRow], PeoplePoint | None]) -> ComparisonColumn:
    """A probability among so many people, with its interval where that is known."""

    def value(row: ComparisonRow) -> float | None:
        point = of(row)
        return point.probability if point else None

    def shown(row: ComparisonRow) -> str:
        point = of(row)
        if point is None:
            return NOTHING
        interval = point.interval
        share = rounded("eer", point.probability, point.people, interval)
        said = say("people.among", share=share, people=point.people)
        if interval is None:
            return said
        low, high = (rounded("eer", end, point.people, interval) for end in (interval.low, interval.high))
        return with_aside(said, say("uncertainty.between", low=low, high=high))

    def more(row: ComparisonRow) -> dict[str, Any]:
        point = of(row)
        return {
            f"{code}_people": point.people if point else None,
            **ends(code, point.interval if point else None),
            f"{code}_above_guessing": point.above_guessing if point else None,
        }

    return ComparisonColumn(
        code,
        value,
        shown,
        BetterDirection.LOWER,
        1.0,
        is_shown_first=False,
        kept_as=f"{code}_probability",
        more=more,
    )


def _answered(code: str, of: Callable[[ComparisonRow], AnsweredCell | None]) -> ComparisonColumn:
    """A figure of the answer, in its words."""

    def value(row: ComparisonRow) -> float | None:
        return found[0] if (found := of(row)) else None

    def shown(row: ComparisonRow) -> str:
        return found[1] if (found := of(row)) else NOTHING

    return ComparisonColumn(code, value, shown, BetterDirection.LOWER, is_shown_first=False)


ANSWER_COLUMNS = (
    _answered("average", lambda row: row.average),
    _answered("named", lambda row: row.named),
    _answered("exposed", lambda row: row.exposed),
)
"""What the answer says of each attack."""

PEOPLE_COLUMNS = (
    _of_people("linkage", lambda row: row.linkage),
    _of_people("singling_out", lambda row: row.singling_out),
    ComparisonColumn(
        "rank_disclosure",
        _rank_bits,
        _ranks,
        BetterDirection.LOWER,
        is_shown_first=False,
        kept_as="rank_disclosure_mean_bits",
        more=lambda row: {"rank_disclosure_worst_bits": row.people.ranks.worst_bits if row.people else None},
    ),
)
"""What is compared of people, where somebody asked: it takes its time."""


def _of_attributes(code: str, figure: str, bar_end: float) -> ComparisonColumn:
    """A figure of every attribute that came along, by its name; sorted by the largest."""

    def value(row: ComparisonRow) -> float | None:
        cells = [found.figures[figure].value for _, found in row.inference if figure in found.figures]
        return max(cells, default=None)

    def shown(row: ComparisonRow) -> str:
        cells = (in_a_cell(name, found, figure) for name, found in row.inference if figure in found.figures)
        return clauses(cells) or NOTHING

    return ComparisonColumn(code, value, shown, BetterDirection.LOWER, bar_end, is_shown_first=False)


INFERENCE_COLUMNS = (
    _of_attributes("attribute_similarity", "similarity", FULL_DISCLOSURE_BITS),
    _of_attributes("attribute_recall", "recall", 1.0),
    _of_attributes("attribute_accuracy", "accuracy", 1.0),
    _of_attributes("attribute_information", "information", 1.0),
)
"""What is told of attributes of the speakers, where labels of any came along."""


def _highest_of_groups(row: ComparisonRow) -> float | None:
    """D_ECE of the group that discloses most."""
    values = [group.value_of(D_ECE) for found in row.by_group for group in found.judged]
    return max((value for value in values if value is not None), default=None)


def _of_groups(row: ComparisonRow) -> str:
    """D_ECE of each group by its value."""
    cells = (
        f"{visible(f'{found.attribute}={group.value}', 40)} "
        f"{figure_in_words(D_ECE, group.value_of(D_ECE), with_unit=False)}"
        for found in row.by_group
        for group in found.groups
    )
    return clauses(cells) or NOTHING


BY_GROUP_COLUMN = ComparisonColumn(
    "by_group",
    _highest_of_groups,
    _of_groups,
    BetterDirection.LOWER,
    FULL_DISCLOSURE_BITS,
    is_shown_first=False,
)
"""What groups of people disclose, where somebody asked for groups."""
