"""What a project says beside its items, in project.json: its report and published results."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from zebra_core.errors import InputError
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.tables.published import FigureDefinition, PrintedFigure, PublishedResults
from zebra_core.project.items import Condition
from zebra_core.project.report_settings import ReportSettings
from zebra_core.saved.parts import Json, path_of
from zebra_core.saved.values import SavedValue

T = TypeVar("T")


def report_of(saved: SavedValue) -> ReportSettings:
    """What is said about the report, as `ReportSettings.as_json` writes it."""
    return made_of(saved, ReportSettings.from_json)


def published_as_json(results: PublishedResults) -> Json:
    """A result file and what it prints."""
    return {
        "path": os.path.normpath(results.source.path.absolute()),
        "member": results.source.member,
        "sha256": results.sha256,
        "figures": [{**vars(printed), "kind": printed.kind.value} for printed in results.figures],
        "unread_lines": list(results.unread_lines),
    }


def published_of(saved: SavedValue) -> PublishedResults:
    """The published results that `published_as_json` wrote."""
    return PublishedResults(
        Source(path_of(saved["path"]), saved["member"].text()),
        saved["sha256"].text(),
        tuple(_printed_of(row) for row in saved["figures"].rows()),
        tuple(row.whole() for row in saved["unread_lines"].rows()),
    )


def _printed_of(saved: SavedValue) -> PrintedFigure:
    condition = saved["condition"].or_none(lambda one: one.one_of(Condition))
    return PrintedFigure(
        saved["kind"].one_of(FigureDefinition),
        saved["text"].text(),
        saved["line"].whole(),
        saved["pair"].text(),
        saved["trials"].text(),
        condition.value if condition else None,
        saved["safeguard"].text(),
        saved["is_retrained"].or_none(SavedValue.flag),
    )


def made_of(saved: SavedValue, make: Callable[[object], T]) -> T:
    """What the module of the thing makes of it, which refuses what it cannot be."""
    try:
        return make(saved.value)
    except InputError as error:
        raise InputError("project-part", file=saved.file, place=saved.place, reason=str(error)) from error
    except (OverflowError, ValueError, TypeError, KeyError, AttributeError):
        saved.refuse("object")
