"""The results as TeX that fits a column of text: narrow tables, with the figures that matter most."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zebra_core.project.attributes import AttributeInference, figure_in_words
from zebra_core.project.comparison.columns import COLUMNS, column
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import (
    INFERENCE_COLUMNS,
    NOTHING,
    PEOPLE_COLUMNS,
    ComparisonColumn,
    ComparisonRow,
)
from zebra_core.uncertainty.shown import interval_of
from zebra_core.wording.texts import rounded, say, shortened, shortened_apart, visible

LONGEST_NAME = 40  # characters, on several lines
CHOICES = {one.key: one.code for one in (*COLUMNS, *PEOPLE_COLUMNS) if one.code != "name"}
"""The columns that may be chosen: their codes by their keys."""

_LONGEST_ATTRIBUTE = 14  # on one line
_LONGEST_GROUP = 200
_WIDEST_HEAD = 11
_WITH_INTERVAL = re.compile(r"(?P<value>[^(]*[^( ]) (?P<interval>\(.*\))(?P<unit>\s?%)?")
_NUMBER = re.compile(r"[-+−]?[\d.,]+(?P<percent>\s?%)?")
_FIGURES = (
    *("d_ece_corrected", "d_ece", "worst_case", "tag", "ceiling"),
    *("rocch_eer", "min_cllr", "linkability", "trials"),
)
"""What is disclosed, and how well the recogniser does; what else there is has room in CSV only."""

_COLUMN = 240.0
_PAGE = 345.0
_OF_NAMES = 0.26  # of the width, as the template has it
_SIZE, _SMALL = 8.0, 7.6  # \footnotesize and \scriptsize, whose letters are wider for their size
_GAP = 5.0
_NARROW, _WIDE = " .,:;'|()[]ijlt", "…%MW−"
_MOST_LINES = 48  # of a table: more do not fit into a column


_TexValues = dict[str, Any]  # what the template asks for by name


@dataclass(frozen=True)
class TexTables:
    """How the tables are to be: of these `columns` (codes of `CHOICES`; none: those that matter most).

    Figures have as many decimals as they bear, or `digits`. `is_long` goes on over pages by itself, which
    longtable does, and no document in two columns can have.
    """

    columns: tuple[str, ...] = ()
    digits: int | None = None
    is_long: bool = False


@dataclass(frozen=True)
class _TexRow:
    group: str
    name: str
    cells: tuple[dict[str, str], ...]

    @property
    def lines(self) -> int:
        """How high it is, nearly."""
        of_name = math.ceil(_width(self.name, _SIZE) / (_OF_NAMES * _COLUMN))
        return max(of_name, *(2 if cell["interval"] else 1 for cell in self.cells))


def results_tex(comparison: Comparison, tables: TexTables | None = None, *, is_file: bool = True) -> str:
    r"""Tables of all rows to \input, for a document that loads booktabs, and longtable if that is asked for.

    Each fits a column of 240pt, or the 345pt of an article on A4 or letter where it is long; as many columns
    as have room stand in one table, and as many rows. Linking and singling out, and what is told of
    attributes, follow where somebody asked. Rows stand below the dataset, condition and attacker of their
    group; intervals stand below figures.
    A comment says where the other figures are: beside a file, or in Python.
    """
    from zebra_core.wording.tex import fill  # and with it jinja2, which takes its time

    tables = tables or TexTables()
    codes = tables.columns or [code for code in _FIGURES if _is_known(code, comparison)]
    made = [*_tables(_of_figures(codes, comparison, tables.digits), tables)]
    if comparison.has("people") and not tables.columns:
        people = [one.code for one in PEOPLE_COLUMNS]
        made += _tables(_of_figures(people, comparison, tables.digits), tables)
    if comparison.has("inference") and not tables.columns:
        made += _tables(_of_attributes(comparison), tables, n_leading=2)
    return fill("results.tex", tables=made, is_long=tables.is_long, is_file=is_file)


_Content = tuple[list[_TexValues], list[_TexRow]]  # heads, the name's first, and rows


def _of_figures(codes: Sequence[str], comparison: Comparison, digits: int | None) -> _Content:
    columns = [column(code) for code in codes]
    heads = [_head(one) for one in (column("name"), *columns)]
    return heads, _rows(comparison, lambda row: [tuple(_cell(one, row, digits) for one in columns)])


def _is_known(code: str, comparison: Comparison) -> bool:
    return any(column(code).shown(row) != NOTHING for row in comparison.rows)


def _of_attributes(comparison: Comparison) -> _Content:
    """An assessment has a row for each attribute."""
    heads = [one for one in INFERENCE_COLUMNS if one.code != "attribute_accuracy"]  # it has no room
    figures = [one.code.removeprefix("attribute_") for one in heads]

    def cells(row: ComparisonRow) -> list[tuple[dict[str, str], ...]]:
        return [
            (
                {"value": visible(attribute, _LONGEST_ATTRIBUTE), "interval": ""},
                *(_attribute_cell(found, figure) for figure in figures),
            )
            for attribute, found in row.inference
        ]

    attribute = {"lines": [say("inference.attribute")], "alignment": "l"}
    return [_head(column("name")), attribute, *map(_head, heads)], _rows(comparison, cells)


def _rows(
    comparison: Comparison, cells: Callable[[ComparisonRow], list[tuple[dict[str, str], ...]]]
) -> list[_TexRow]:
    """The rows of each dataset, condition and attacker, under its name."""
    full = [column("name").shown(row) for row in comparison.rows]
    names = dict(zip(full, shortened_apart(full, LONGEST_NAME), strict=True))
    return [
        _TexRow(shortened(str(group), _LONGEST_GROUP), names[column("name").shown(row)], line)
        for group in comparison.groups
        for row in comparison.of(group)
        for line in cells(row)
    ]


def _tables(content: _Content, tables: TexTables, n_leading: int = 1) -> Iterator[_TexValues]:
    """As many tables as have room for these columns and rows; the leading ones are in each."""
    heads, rows = content
    for chosen in _columns_with_room(heads, rows, _PAGE if tables.is_long else _COLUMN, n_leading):
        cut = [replace(row, cells=tuple(row.cells[place - 1] for place in chosen[1:])) for row in rows]
        for part in [cut] if tables.is_long else _rows_with_room(cut):
            groups = dict.fromkeys(row.group for row in part)
            of = {group: [row for row in part if row.group == group] for group in groups}
            yield {
                "heads": [heads[place] for place in chosen],
                "groups": [{"name": name, "rows": found} for name, found in of.items()],
            }


def _columns_with_room(
    heads: Sequence[_TexValues], rows: Sequence[_TexRow], room: float, n_leading: int
) -> Iterator[list[int]]:
    """The places of the columns of each table."""
    widths = [_OF_NAMES * room] + [
        _GAP
        + max(
            *(_width(line, _SIZE) for line in heads[place]["lines"]),
            *(_width(row.cells[place - 1]["value"], _SIZE) for row in rows),
            *(_width(row.cells[place - 1]["interval"], _SMALL) for row in rows),
        )
        for place in range(1, len(heads))
    ]
    leading = list(range(n_leading))
    chosen = leading.copy()
    for place in range(n_leading, len(heads)):
        if len(chosen) > n_leading and sum(widths[each] for each in (*chosen, place)) > room:
            yield chosen
            chosen = leading.copy()
        chosen.append(place)
    yield chosen


def _rows_with_room(rows: Sequence[_TexRow]) -> Iterator[list[_TexRow]]:
    part: list[_TexRow] = []
    lines = 0
    for row in rows:
        heading = 0 if part and part[-1].group == row.group else 2
        if part and lines + heading + row.lines > _MOST_LINES:
            yield part
            part, lines, heading = [], 0, 2
        part.append(row)
        lines += heading + row.lines
    yield part


def _width(text: str, size: float) -> float:
    """About how wide TeX sets a line, in points."""
    ems = (0.36 if c in _NARROW else 1.3 if c in _WIDE else 0.72 if c.isupper() else 0.53 for c in text)
    return size * sum(ems)


def _attribute_cell(found: AttributeInference, figure: str) -> dict[str, str]:
    value_found = found.figures.get(figure)
    if value_found is None:
        return {"value": NOTHING, "interval": ""}
    value = figure_in_words(figure, value_found.value)
    if value_found.interval is None:
        return {"value": value, "interval": ""}
    low, high = (
        figure_in_words(figure, end) for end in (value_found.interval.low, value_found.interval.high)
    )
    return {"value": value, "interval": _between(low, high)}


def _between(low: str, high: str) -> str:
    return f"({say('uncertainty.between', low=low, high=high)})"


def _head(one: ComparisonColumn) -> _TexValues:
    lines = textwrap.wrap(one.head, _WIDEST_HEAD, break_long_words=False, break_on_hyphens=False)
    return {"lines": lines, "alignment": "l" if one.is_text else "r"}


def _cell(one: ComparisonColumn, row: ComparisonRow, digits: int | None) -> dict[str, str]:
    shown = one.shown(row)
    parts = _WITH_INTERVAL.fullmatch(shown)
    value, interval = (parts["value"] + (parts["unit"] or ""), parts["interval"]) if parts else (shown, "")
    if digits is not None and (number := _NUMBER.fullmatch(value)):
        value, interval = _with_digits(one, row, number["percent"] or "", interval, digits) or (
            value,
            interval,
        )
    return {"value": value, "interval": interval}


def _with_digits(
    one: ComparisonColumn, row: ComparisonRow, percent: str, between: str, digits: int
) -> tuple[str, str] | None:
    """A figure and its interval with so many decimals; None for what is counted."""
    value, trust, factor = one.value(row), row.entry.trust, 100.0 if percent else 1.0
    if not isinstance(value, float):
        return None
    interval = interval_of(one.figure, trust) if one.figure and between else None
    if trust is not None and interval is not None:
        value = trust.uncertainty.shown(one.figure)
        between = _between(*(rounded(factor * end, digits) for end in (interval.low, interval.high)))
    return f"{rounded(factor * value, digits)}{percent}", between
