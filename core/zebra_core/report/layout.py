"""How wide the columns of a table are, in points: the same in all formats for paper."""

from __future__ import annotations

from zebra_core.figures.lettering import in_inter, width_in_points
from zebra_core.project.report_settings import Paper
from zebra_core.report.document import Cell, TableBlock, TableColumn

TEXT_WIDTHS = {Paper.A4: 476.0, Paper.LETTER: 493.0}  # between margins of 21 mm
TABLE_SIZE, LARGEST_TABLE_SIZE = 7.6, 9.0
GAP = 7.0  # between columns
_NOTE_WIDTH = 84.0  # notes may wrap: they ask for no more
_NOTE_SHARE = 0.92  # their letters are smaller
_BADGE_WIDTH = 16.0
_LEAST_SHARE = 70.0  # of a column that takes what is left
_HASH_WIDTH = 150.0  # half a SHA-256 in one line
_WIDEST = 150.0
_SPARE = 1.07  # other fonts run a little wider, and so do heads in a heavier weight


def table_size(table: TableBlock, paper: Paper) -> float:
    """How large its letters are, in points: as those of the text where the columns have room for that."""
    room, needs, least = _room_and_needs(table, paper)
    return min(max(TABLE_SIZE * (room - least) / max(sum(needs), 1.0), TABLE_SIZE), LARGEST_TABLE_SIZE)


def column_widths(table: TableBlock, paper: Paper, size: float = TABLE_SIZE) -> tuple[float, ...]:
    """The widths of the columns for letters of so many points; with the gaps they fill the page."""
    room, small, least = _room_and_needs(table, paper)
    needs = [need * size / TABLE_SIZE for need in small]
    shares = [column.share for column in table.columns]
    left = room - sum(needs)
    if left < least and any(needs):  # the others wrap
        needs = _levelled(needs, room - least)
        left = least
    total = sum(shares)
    if not total:
        return tuple(need * room / sum(needs) for need in needs)
    return tuple(left * share / total if share else need for share, need in zip(shares, needs, strict=True))


def _levelled(needs: list[float], room: float) -> list[float]:
    """The widest are made alike narrow: they can wrap, but short figures would run into each other."""
    rest, count = room, len(needs)
    for need in sorted(needs):
        if need * count > rest:
            break
        rest, count = rest - need, count - 1
    return [min(need, rest / max(count, 1)) for need in needs]


def _room_and_needs(table: TableBlock, paper: Paper) -> tuple[float, list[float], float]:
    """The room for all columns, what each needs in small letters, and the least for those that share."""
    room = TEXT_WIDTHS[paper] - GAP * (len(table.columns) - 1)
    needs = [
        0.0 if column.share else _need(column, [row[k] for row in table.rows])
        for k, column in enumerate(table.columns)
    ]
    return room, needs, _LEAST_SHARE * sum(bool(column.share) for column in table.columns)


def _need(column: TableColumn, cells: list[Cell]) -> float:
    # Two lines of a head, as long as no word is longer.
    head = column.head.replace("log10 LR", "log10\u00a0LR")  # the template keeps it together, bars and all
    words = max([_width(head) / 2.0, *map(_width, head.split(" "))]) * 1.08
    return _SPARE * max([words, *map(_cell_width, cells)])


def _cell_width(cell: Cell) -> float:
    if cell.mono:
        return _HASH_WIDTH
    badge = _BADGE_WIDTH + (_width(cell.badge.tag) if cell.badge and len(cell.badge.tag) > 1 else 0.0)
    text = badge if cell.badge else min(_width(cell.text), _WIDEST)
    return max(text, min(_NOTE_SHARE * _width(cell.note), _NOTE_WIDTH)) if cell.note else text


def _width(text: str) -> float:
    return width_in_points(in_inter(text), TABLE_SIZE)
