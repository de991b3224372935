"""Which ranks are settled, in project.json: what was compared, and the interval and p of every pair."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.project.items import Entry, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.settled import Compared, Settled
from zebra_core.saved.parts import Json, remark_as_json, remark_of
from zebra_core.saved.trust import settings_as_json, settings_of
from zebra_core.saved.values import Saved
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES
from zebra_core.uncertainty.difference import Difference, Ranking, holm
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import UNITS
from zebra_core.uncertainty.weighted import FIGURES

MOST_GROUPS = 10_000
_MOST_PAIRS = 1_000_000
_SAME = 1e-9


def differences_as_json(project: Project) -> list[Json]:
    """Those that still hold."""
    return [_settled_as_json(one, project) for one in project.settled]


def differences_of(saved: Saved, project: Project) -> tuple[Settled, ...]:
    """The same again, of the items of this project; those of other figures than today's are let go.

    Raises InputError at what no comparison can be.
    """
    found = [_settled_of(row, project) for row in saved.rows(MOST_GROUPS)]
    return tuple(one for one in found if _is_of_its_figures(one))


def _settled_as_json(one: Settled, project: Project) -> Json:
    return {
        "entries": list(one.known),
        "voices": {entry_id: _item_of(voices, project).id for entry_id, voices in one.voices.items()},
        **settings_as_json(one.settings),
        "done": one.replicates,
        "remarks": [remark_as_json(remark) for remark in one.remarks],
        "compared": [
            {
                "figure": each.ranking.figure,
                "entries": list(each.ids),
                "values": list(each.ranking.values),
                "pairs": [
                    [pair.interval.low, pair.interval.high, pair.p_value] for pair in each.ranking.differences
                ],
            }
            for each in one.compared
        ],
    }


def _item_of(voices: VoiceSimilarity, project: Project) -> SimilarityEntry:
    """Those matrices of the project; their files may lie elsewhere by now."""
    return next(item for item in project.similarities if item.similarity.has_cells_of(voices))


def _settled_of(saved: Saved, project: Project) -> Settled:
    by_id = {item.id: item for item in project.items}
    known: dict[str, Entry] = {}
    for row in saved["entries"].rows():
        entry = by_id.get(row.text())
        if not isinstance(entry, Entry) or entry.id in known:
            row.refuse("id")
        known[entry.id] = entry
    voices: dict[str, VoiceSimilarity] = {}
    for entry_id, row in saved["voices"].fields().items():
        item = by_id.get(row.text())
        if not isinstance(item, SimilarityEntry) or entry_id not in known:
            row.refuse("id")
        voices[entry_id] = item.similarity
    settings = settings_of(saved)
    return Settled(
        known={entry.id: entry.assessment for entry in known.values()},
        voices=voices,
        compared=tuple(_compared_of(row, known) for row in saved["compared"].rows(len(UNITS))),
        settings=settings,
        replicates=saved["done"].whole(FEWEST_REPLICATES, settings.replicates),
        remarks=tuple(remark_of(row) for row in saved["remarks"].rows(100)),
    )


def _compared_of(saved: Saved, known: Mapping[str, Entry]) -> Compared:
    """Values and pairs; what follows from them is computed again."""
    figure = saved["figure"].text()
    if figure not in UNITS:
        saved["figure"].refuse("object")
    ids = tuple(row.text() for row in saved["entries"].rows())
    if len(set(ids)) < max(len(ids), 2) or not set(ids) <= set(known):
        saved["entries"].refuse("ids")
    values = tuple(row.number() for row in saved["values"].rows(len(ids)))
    places = list(combinations(range(len(ids)), 2))
    pairs = [tuple(value.number() for value in row.rows(3)) for row in saved["pairs"].rows(_MOST_PAIRS)]
    if len(values) != len(ids) or len(pairs) != len(places) or any(map(_is_none, pairs)):
        saved["pairs"].refuse("list")
    differences = tuple(
        Difference(figure, i, j, values[i] - values[j], Interval(low, high), p, adjusted)
        for (i, j), (low, high, p), adjusted in zip(places, pairs, holm([p for *_, p in pairs]), strict=True)
    )
    return Compared(ids, Ranking(figure, values, differences))


def _is_none(pair: tuple[float, ...]) -> bool:
    """Whether it is no interval with a p-value."""
    return len(pair) != 3 or pair[0] > pair[1] or not 0.0 < pair[2] <= 1.0


def _is_of_its_figures(one: Settled) -> bool:
    return all(
        math.isclose(value, getattr(one.known[entry_id], each.ranking.figure), rel_tol=_SAME, abs_tol=_SAME)
        for each in one.compared
        if each.ranking.figure in FIGURES
        for entry_id, value in zip(each.ids, each.ranking.values, strict=True)
    )
