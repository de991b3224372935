"""How far headline figures moved when speakers were left out, in project.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.spans import robustness_as_json
from zebra_core.saved.parts import Json
from zebra_core.saved.values import LONGEST_NAME, SavedValue
from zebra_core.uncertainty.jackknife import HEADLINES, FiguresWithout, LeftOutUnit, Robustness


def saved_robustness(project: Project) -> list[Json]:
    """A list of objects, which `robustness_of_saved` reads; assessments by their place among assessments."""
    return robustness_as_json(project)


def robustness_of_saved(saved: SavedValue, entries: Sequence[Entry]) -> dict[str, Robustness]:
    """The robustness that `saved_robustness` wrote, by the id of the entry. Raises InputError."""
    found: dict[str, Robustness] = {}
    for row in saved.rows(len(entries)):
        entry = entries[row["assessment"].whole(0, len(entries) - 1)]
        if entry.id in found:
            row.refuse("ids")
        found[entry.id] = Robustness(
            entry.assessment.rests_on,
            row["speakers"].whole(1),
            _figures_of(row["figures"]),
            tuple(_left_out_of(one) for one in row["left_out"].rows()),
        )
    return found


def _left_out_of(saved: SavedValue) -> FiguresWithout:
    return FiguresWithout(
        saved["part"].one_of(LeftOutUnit),
        saved["name"].text(LONGEST_NAME),
        saved["speakers"].whole(1),
        _figures_of(saved["figures"]),
    )


def _figures_of(saved: SavedValue) -> Mapping[str, float]:
    known = saved.fields(len(HEADLINES))
    if not known.keys() <= set(HEADLINES):
        saved.refuse("object")
    return {name: value.number() for name, value in known.items()}
