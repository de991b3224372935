"""The results as TeX that fits a page: two narrow tables, with the figures that matter most."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from zebra_core.project.attributes import AttributeInference, figure_in_words
from zebra_core.project.comparison.column import NOTHING, ComparisonColumn
from zebra_core.project.comparison.columns import column
from zebra_core.project.comparison.comparison import Comparison, ComparisonRow
from zebra_core.project.comparison.people_columns import INFERENCE_COLUMNS, PEOPLE_COLUMNS
from zebra_core.wording.names import shortened, shortened_apart
from zebra_core.wording.texts import say, visible

LONGEST_NAME = 40  # characters, on several lines
_LONGEST_ATTRIBUTE = 14  # on one
_LONGEST_GROUP = 200
_WIDEST_HEAD = 11
_WITH_INTERVAL = re.compile(r"(?P<value>[^(]*[^( ]) (?P<interval>\(.*\))")
_TABLES = (
    ("name", "d_ece_corrected", "d_ece", "worst_case", "tag", "ceiling"),
    ("name", "rocch_eer", "min_cllr", "linkability", "trials"),
)
"""What is disclosed, and how well the recogniser does; what else there is has room in CSV only."""

_OF_PEOPLE = ("name", *(one.code for one in PEOPLE_COLUMNS))


_TexValues = dict[str, Any]  # what the template asks for by name


def results_tex(comparison: Comparison) -> str:
    r"""Two tables of all rows to \input, for a document that loads booktabs and longtable.

    A third has linking and singling out, a fourth what is told of attributes, where it was asked for; there
    an assessment has a row for each attribute. Each fits a text width of 345pt, that of an
    article on A4 or letter, and goes on over as many pages as it takes. Rows stand below the dataset,
    condition and attacker of their group; intervals stand below figures.
    """
    from zebra_core.wording.tex import fill  # and with it jinja2, which takes its time

    codes_of_tables = (*_TABLES, *((_OF_PEOPLE,) if comparison.has_people else ()))
    tables = [_table([column(code) for code in codes], comparison) for codes in codes_of_tables]
    tables += [_of_attributes(comparison)] if comparison.has_inference else []
    return fill("results.tex", tables=tables)


def _of_attributes(comparison: Comparison) -> _TexValues:
    names = _names(comparison)
    heads = [one for one in INFERENCE_COLUMNS if one.code != "attribute_accuracy"]  # it has no room
    figures = [one.code.removeprefix("attribute_") for one in heads]

    def rows(row: ComparisonRow) -> list[_TexValues]:
        return [
            {
                "name": names[column("name").shown(row)],
                "cells": [
                    {"value": visible(attribute, _LONGEST_ATTRIBUTE), "interval": ""},
                    *(_attribute_cell(found, figure) for figure in figures),
                ],
            }
            for attribute, found in row.inference
        ]

    attribute = {"lines": [say("inference.attribute")], "alignment": "l"}
    groups = [group for group in _groups(comparison, rows) if group["rows"]]
    return {"heads": [_head(column("name")), attribute, *map(_head, heads)], "groups": groups}


def _attribute_cell(found: AttributeInference, figure: str) -> _TexValues:
    value_found = found.figures.get(figure)
    if value_found is None:
        return {"value": NOTHING, "interval": ""}
    value = figure_in_words(figure, value_found.value)
    if value_found.interval is None:
        return {"value": value, "interval": ""}
    low, high = (
        figure_in_words(figure, end) for end in (value_found.interval.low, value_found.interval.high)
    )
    return {"value": value, "interval": f"({say('uncertainty.between', low=low, high=high)})"}


def _names(comparison: Comparison) -> dict[str, str]:
    full = [column("name").shown(row) for row in comparison.rows]
    return dict(zip(full, shortened_apart(full, LONGEST_NAME), strict=True))


def _table(columns: Sequence[ComparisonColumn], comparison: Comparison) -> _TexValues:
    name, *figures = columns
    names = _names(comparison)

    def rows(row: ComparisonRow) -> list[_TexValues]:
        return [{"name": names[name.shown(row)], "cells": [_cell(one.shown(row)) for one in figures]}]

    return {"heads": [_head(one) for one in columns], "groups": _groups(comparison, rows)}


def _groups(comparison: Comparison, rows: Callable[[ComparisonRow], list[_TexValues]]) -> list[_TexValues]:
    """The rows of each dataset, condition and attacker, under its name."""
    return [
        {
            "name": shortened(str(group), _LONGEST_GROUP),
            "rows": [line for row in comparison.of(group) for line in rows(row)],
        }
        for group in comparison.groups
    ]


def _head(one: ComparisonColumn) -> _TexValues:
    lines = textwrap.wrap(one.head, _WIDEST_HEAD, break_long_words=False, break_on_hyphens=False)
    return {"lines": lines, "alignment": "l" if one.is_text else "r"}


def _cell(shown: str) -> _TexValues:
    parts = _WITH_INTERVAL.fullmatch(shown)
    return parts.groupdict() if parts else {"value": shown, "interval": ""}
