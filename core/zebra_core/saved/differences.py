"""Tested differences in project.json: what was compared, and the interval and p of every pair."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from zebra_core.document.parts import remark_as_json, remarks_of
from zebra_core.document.reading import Json, SavedValue
from zebra_core.evidence.value_types import Share, as_json
from zebra_core.metrics.voices import VoiceSimilarity
from zebra_core.project.group_differences import FigureRanking, GroupDifferences
from zebra_core.project.items import Entry, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings
from zebra_core.uncertainty.difference import STRONGEST, Difference, Ranking, family_of
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import UNITS
from zebra_core.uncertainty.weighted import FIGURES

MOST_GROUPS = 10_000
_MOST_PAIRS = 1_000_000
_SAME = 1e-9


def differences_as_json(project: Project) -> list[Json]:
    """The project's tested differences that still hold, as `differences_of` reads them."""
    return [_settled_as_json(one, project) for one in project.settled]


def differences_of(saved: SavedValue, project: Project) -> tuple[GroupDifferences, ...]:
    """Tested differences of the items of this project; those about figures that have changed are left out.

    Raises InputError at what no comparison can be.
    """
    found = [_settled_of(row, project) for row in saved.rows(MOST_GROUPS)]
    return tuple(one for one in found if _is_of_its_figures(one))


def _settled_as_json(one: GroupDifferences, project: Project) -> Json:
    return {
        "entries": list(one.assessments),
        "voices": {entry_id: _item_of(voices, project).id for entry_id, voices in one.voices.items()},
        **as_json(one.settings),
        "done": one.replicates,
        "remarks": [remark_as_json(remark) for remark in one.remarks],
        "compared": [
            {
                "figure": each.ranking.figure,
                "entries": list(each.ids),
                "values": list(each.ranking.values),
                "speakers": each.ranking.differences[0].n_clusters,
                "pairs": [_pair_as_json(pair) for pair in each.ranking.differences],
            }
            for each in one.compared
        ],
    }


def _pair_as_json(pair: Difference) -> list[float | None]:
    p_value = pair.p_value if pair.is_tested else None
    return [pair.value, pair.interval.low, pair.interval.high, p_value]


def _item_of(voices: VoiceSimilarity, project: Project) -> SimilarityEntry:
    """The project's item with these similarity matrices; its files may lie elsewhere by now."""
    return next(item for item in project.similarities if item.similarity.has_cells_of(voices))


def _settled_of(saved: SavedValue, project: Project) -> GroupDifferences:
    assessments = {entry.id: entry for entry in project.entries}
    matrices = {item.id: item.similarity for item in project.similarities}
    known: dict[str, Entry] = {}
    for row in saved["entries"].rows():
        entry = assessments.get(row.as_a(str))
        if entry is None or entry.id in known:
            row.refuse("id")
        known[entry.id] = entry
    voices: dict[str, VoiceSimilarity] = {}
    for entry_id, row in saved["voices"].fields().items():
        of_id = matrices.get(row.as_a(str))
        if of_id is None or entry_id not in known:
            row.refuse("id")
        voices[entry_id] = of_id
    settings, compared = saved.as_a(BootstrapSettings), saved["compared"].rows(len(UNITS))
    has_strongest = any(row["figure"].as_a(str) == STRONGEST for row in compared)
    return GroupDifferences(
        assessments={entry.id: entry.assessment for entry in known.values()},
        voices=voices,
        compared=tuple(_compared_of(row, known, settings.level, has_strongest) for row in compared),
        settings=settings,
        replicates=saved["done"].whole(FEWEST_REPLICATES, settings.replicates),
        remarks=remarks_of(saved["remarks"]),
    )


def _compared_of(
    saved: SavedValue, known: Mapping[str, Entry], level: float, has_strongest: bool
) -> FigureRanking:
    """The ranking of one figure: its values and pairs are read, what follows from them is computed."""
    figure = saved["figure"].as_a(str)
    if figure not in UNITS:
        saved["figure"].refuse("object")
    ids = tuple(row.as_a(str) for row in saved["entries"].rows())
    if len(set(ids)) < max(len(ids), 2) or not set(ids) <= set(known):
        saved["entries"].refuse("ids")
    values = tuple(row.as_a(float) for row in saved["values"].rows(len(ids)))
    places = list(combinations(range(len(ids)), 2))
    pairs = [_pair_of(row) for row in saved["pairs"].rows(_MOST_PAIRS)]
    if len(values) != len(ids) or len(pairs) != len(places):
        saved["pairs"].refuse("list")
    n_clusters, family = (
        saved["speakers"].whole(2),
        family_of(figure, len(ids), level, has_strongest=has_strongest),
    )
    differences = tuple(
        Difference(figure, i, j, value, interval, p_value, family, n_clusters)
        for (i, j), (value, interval, p_value) in zip(places, pairs, strict=True)
    )
    return FigureRanking(ids, Ranking(figure, values, differences))


def _pair_of(saved: SavedValue) -> tuple[float, Interval, float]:
    """The difference, its interval and its p-value, NaN where it was not tested."""
    value, low, high, p_value = saved.as_a(tuple[float, float, float, Share | None])
    if not low <= value <= high:
        saved.refuse("list")
    return value, Interval(low, high), math.nan if p_value is None else p_value


def _is_of_its_figures(one: GroupDifferences) -> bool:
    return all(
        math.isclose(
            value, getattr(one.assessments[entry_id], each.ranking.figure), rel_tol=_SAME, abs_tol=_SAME
        )
        for each in one.compared
        if each.ranking.figure in FIGURES
        for entry_id, value in zip(each.ids, each.ranking.values, strict=True)
    )
