"""What a project requires, in project.json."""

from __future__ import annotations

from collections.abc import Iterable

from zebra_core.errors import InputError
from zebra_core.project.requirements.requirement import (
    MOST_PATTERNS,
    MOST_REQUIREMENTS,
    RecordedWhen,
    Requirement,
    Scope,
    Sense,
)
from zebra_core.saved.parts import Json
from zebra_core.saved.values import SavedValue


def requirements_as_json(requirements: Iterable[Requirement]) -> list[Json]:
    """A list of objects, which `requirements_of` reads."""
    return [
        {
            "name": each.name,
            "figure": each.figure,
            "bound": each.bound,
            "sense": each.sense.value,
            "confidence": each.confidence,
            "scope": {name: list(patterns) for name, patterns in vars(each.scope).items()},
            "no_worse_than": each.no_worse_than,
            "tag": each.tag,
            "why": each.why,
            "set_by": each.set_by,
            "recorded": each.recorded.value,
        }
        for each in requirements
    ]


def requirements_of(saved: SavedValue) -> tuple[Requirement, ...]:
    """The requirements that `requirements_as_json` wrote. Raises InputError at what is no requirement."""
    found = tuple(_requirement_of(row) for row in saved.rows(MOST_REQUIREMENTS))
    if len({each.name for each in found}) < len(found):
        saved.refuse("ids")
    return found


def _requirement_of(saved: SavedValue) -> Requirement:
    bound, scope = saved["bound"], saved["scope"]
    patterns = {
        name: tuple(row.text() for row in scope[name].rows(MOST_PATTERNS))
        for name in ("datasets", "conditions", "attackers", "safeguards")
    }
    try:
        return Requirement(
            saved["name"].text(),
            saved["figure"].text(),
            bound.text() if isinstance(bound.value, str) else bound.number(),
            saved["sense"].one_of(Sense),
            saved["confidence"].or_none(SavedValue.number),
            Scope(**patterns),
            saved["no_worse_than"].text(),
            saved["tag"].text(),
            saved["why"].text(),
            saved["set_by"].text(),
            saved["recorded"].one_of(RecordedWhen),
        )
    except InputError as error:
        if error.code.startswith("project-"):
            raise
        raise InputError("project-part", file=saved.file, place=saved.place, reason=str(error)) from error
