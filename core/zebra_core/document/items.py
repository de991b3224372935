"""Items of a project in a project file: assessments by their counts, similarity matrices by their sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal, TypeVar

from zebra_core.document.container import cells_as_bytes, cells_of, counts_as_bytes, counts_of
from zebra_core.document.parts import (
    SETTINGS,
    Json,
    SavedValue,
    audit_as_json,
    audit_of,
    choices_of,
    fields_as_json,
    files_as_json,
    files_of,
    remark_as_json,
    remark_of,
    remarks_of,
    texts_of,
)
from zebra_core.document.trust import trust_as_json, trust_of
from zebra_core.document.voices_trust import is_of_its_figures, voices_trust_as_json, voices_trust_of
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import Decision, Remark, Severity
from zebra_core.evidence.value_types import Share, as_json
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess_counts
from zebra_core.metrics.cross_fitted import CrossFitted
from zebra_core.metrics.registry import drawn_values
from zebra_core.metrics.scales import TagScale, VerbalScale
from zebra_core.metrics.similarity import SETTINGS as SIDES, Mean, SimilarityMatrix, VoiceSimilarity
from zebra_core.project.group_differences import FigureRanking, GroupDifferences
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import moved_choices
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings
from zebra_core.uncertainty.difference import STRONGEST, Difference, Ranking, family_of
from zebra_core.uncertainty.intervals import UNITS, Interval
from zebra_core.uncertainty.trust import AssessmentTrust, VoicesTrust
from zebra_core.uncertainty.weighted import FIGURES

Scales = tuple[TagScale, VerbalScale | None]
Figures = TypeVar("Figures", Assessment, VoiceSimilarity)
ReadMember = Callable[[str], bytes]

_DIFFER = Remark("intervals-differ", {}, Severity.WARNING)
_SAME = 1e-9  # relative: what rounding on another computer may do
_SHARED = ("id", "name", "dataset", "run", "notes", "colour", "is_ticked")
_OF_ASSESSMENT = ("condition", *ATTACK)
_OF_MATRIX = ("n_target", "n_nontarget", "d_ece_bits", "min_cllr_bits")
_FIGURES = ("d_ece_bits", "worst_case_log10_lr", "eer", "cllr_bits", "min_cllr_bits")


def item_as_json(
    item: Item, number: int, folder: Path, *, without_folders: bool = False
) -> tuple[Json, dict[str, bytes]]:
    """What project.json says of the item with this number, and its arrays as members of the container.

    `without_folders` leaves out what folders above that of the project are called.
    """
    of_kinds = [_entry(entry, number) for entry in item.entries]
    of_kinds += [_similarity(matrices, number) for matrices in item.similarities]
    ((of_kind, members),) = of_kinds
    files = files_as_json(item.files, folder, without_folders=without_folders)
    as_saved = {file.path: Path(str(one["path"])) for file, one in zip(item.files, files, strict=True)}
    choices = moved_choices(item.choices, as_saved)
    shared = {"kind": item.kind, **fields_as_json(item, _SHARED), "choices": choices}
    return {**shared, **of_kind, "files": files}, members


def item_of(saved: SavedValue, scales: Scales, read_member: ReadMember) -> Item:
    """The item; an assessment is computed from its counts."""
    kind = saved["kind"].as_a(Literal["assessment", "similarity"])
    shared = {**saved.fields_of(Item, _SHARED), "choices": choices_of(saved["choices"])}
    if kind == SimilarityEntry.kind:
        allowed = frozenset(row.as_a(Decision) for row in saved["allowed"].rows(100))
        similarity, measured = _similarity_of(saved, read_member)
        return SimilarityEntry(**shared, similarity=similarity, allowed=allowed, measured=measured)
    assessment, trust = _assessment_of(saved, scales, read_member)
    of_kind = saved.fields_of(Entry, _OF_ASSESSMENT)
    return Entry(**shared, **of_kind, trials=None, assessment=assessment, measured=trust)


# Assessments


def _entry(entry: Entry, number: int) -> tuple[Json, dict[str, bytes]]:
    known, member = entry.assessment, f"counts/{number}.npy"
    values = {
        **fields_as_json(entry, _OF_ASSESSMENT),
        "settings": fields_as_json(known.settings, SETTINGS),
        "counts": member,
        "cross_fitted": as_json(known.cross_fitted),
        "figures": fields_as_json(known, ("tag", *_FIGURES)),
        "remarks": [remark_as_json(remark) for remark in known.remarks_on_files],
        "audit": audit_as_json(entry.audit) if entry.audit else None,
        "trust": None,
    }
    members = {member: counts_as_bytes(known.counts)}
    if entry.trust is not None:
        values["trust"], of_trust = trust_as_json(entry.trust, number)
        members |= of_trust
        for one in entry.readings[1:]:
            values["normalised"] = values.get("normalised", {}) | _normalised(one, number, members)
        if entry.trust.not_normalised is not None:
            values["not_normalised"] = remark_as_json(entry.trust.not_normalised)
    return values, members


def _normalised(reading: Entry, number: int, members: dict[str, bytes]) -> Json:
    """Normalised scores by their counts, with their trust, whose arrays are added to the members."""
    assert reading.normalisation is not None and reading.trust is not None  # noqa: S101, PT018 - likewise
    key = reading.normalisation.value
    trust, of_trust = trust_as_json(reading.trust, f"{number}-{key}")
    members |= {f"counts/{number}-{key}.npy": counts_as_bytes(reading.assessment.counts), **of_trust}
    return {key: {"cross_fitted": as_json(reading.assessment.cross_fitted), "trust": trust}}


def _assessment_of(
    saved: SavedValue, scales: Scales, read_member: ReadMember
) -> tuple[Assessment, AssessmentTrust | None]:
    """The assessment with how far it can be trusted; draws of other figures than its own are let go."""
    files = files_of(saved["files"])
    member = saved["counts"].as_a(str)
    tag_scale, verbal_scale = scales
    settings = saved["settings"].fields_of(Settings, SETTINGS)
    found = assess_counts(
        counts_of(read_member(member), saved.file, member),
        Settings(tag_scale, verbal_scale, **settings),
        cross_fitted=saved["cross_fitted"].as_a(CrossFitted),
        files=files,
        remarks_on_files=remarks_of(saved["remarks"], 1000),
        audit=saved["audit"].or_none(lambda audit: audit_of(audit, files)),
    )
    found = _compared(found, saved["figures"])
    trust = saved["trust"].or_none(lambda value: trust_of(value, found, read_member))
    if trust is None:
        return found, None
    holds = _is_of_its_figures(trust)
    found = _with_remark(found, _DIFFER, told=not holds)
    if not holds:
        return found, None
    known = saved.fields()
    why = known["not_normalised"].or_none(remark_of) if "not_normalised" in known else None
    others = known["normalised"].fields(len(Normalisation)) if "normalised" in known else {}
    if others and len(others) < len(Normalisation):
        known["normalised"].refuse("object")
    normalised = {
        replace(one, value=key).as_a(Normalisation): _normalised_of(key, one, found, member, read_member)
        for key, one in others.items()
    }
    return found, replace(trust, figures=found, normalised=normalised, not_normalised=why)


def _normalised_of(
    key: str, saved: SavedValue, given: Assessment, member: str, read_member: ReadMember
) -> AssessmentTrust:
    """The trust of normalised scores, by their counts."""
    member = member.replace(".npy", f"-{key}.npy")
    found = assess_counts(
        counts_of(read_member(member), saved.file, member),
        replace(given.settings, score_meaning=ScoreMeaning.RAW),
        cross_fitted=saved["cross_fitted"].as_a(CrossFitted),
        files=given.files,
        remarks_on_files=given.remarks_on_files,
        audit=given.audit,
    )
    return trust_of(saved["trust"], found, read_member, f"-{key}")


def _is_of_its_figures(trust: AssessmentTrust) -> bool:
    now = drawn_values(trust.figures)
    return all(
        math.isclose(draws.estimate, now[name], rel_tol=_SAME, abs_tol=_SAME)
        for name, draws in trust.uncertainty.figures.items()
    )


def _compared(found: Assessment, saved: SavedValue) -> Assessment:
    """The assessment, with a remark if its figures differ from those that were saved."""
    differing = []
    for name in _FIGURES:
        before, now = saved[name].as_a(float | None), as_json(getattr(found, name))
        same = before == now if before is None or now is None else math.isclose(before, now, rel_tol=_SAME)
        if not same and not (before is not None and now is not None and abs(before - now) < _SAME):
            differing.append(name)
    if not differing:
        return found
    remark = Remark("figures-differ", {"names": ", ".join(differing)}, Severity.WARNING)
    return _with_remark(found, remark, told=True)


def _with_remark(found: Figures, remark: Remark, *, told: bool) -> Figures:
    """The figures with this remark as the last on their files, in place of an earlier one, or without it."""
    others: tuple[Remark, ...] = tuple(one for one in found.remarks_on_files if one.code != remark.code)
    return replace(found, remarks_on_files=(*others, remark) if told else others)


# Similarity matrices


def _similarity(entry: SimilarityEntry, number: int) -> tuple[Json, dict[str, bytes]]:
    voices = entry.similarity
    matrices: Json = {}
    members = {}
    for setting, matrix in voices.matrices.items():
        member = f"similarity/{number}-{setting}.npy"
        members[member] = cells_as_bytes(matrix)
        matrices[setting] = {"cells": member, **fields_as_json(matrix, _OF_MATRIX)}
    values = {
        "mean": voices.mean.value,
        "sex": dict(voices.sex),
        "allowed": sorted(decision.value for decision in entry.allowed),
        "speakers": list(voices.speakers),
        "matrices": matrices,
        "remarks": [remark_as_json(remark) for remark in voices.remarks_on_files],
        "trust": None,
    }
    if entry.trust is not None:
        values["trust"], of_trust = voices_trust_as_json(entry.trust, number)
        members |= of_trust
    return values, members


def _similarity_of(saved: SavedValue, read_member: ReadMember) -> tuple[VoiceSimilarity, VoicesTrust | None]:
    """The matrices with how far they can be trusted; draws of other figures than theirs are let go."""
    found = _matrices_of(saved, read_member)
    trust = saved["trust"].or_none(lambda value: voices_trust_of(value, found, read_member))
    if trust is None:
        return found, None
    holds = is_of_its_figures(trust)
    return _with_remark(found, _DIFFER, told=not holds), trust if holds else None


def _matrices_of(saved: SavedValue, read_member: ReadMember) -> VoiceSimilarity:
    speakers = tuple(row.as_a(str) for row in saved["speakers"].rows())
    if not speakers or any(one >= after for one, after in pairwise(speakers)):
        saved["speakers"].refuse("speakers")
    given = saved["matrices"].fields(len(SIDES))
    if not given or set(given) - set(SIDES):
        saved["matrices"].refuse("matrices")
    matrices: Mapping[str, SimilarityMatrix] = {
        setting: _matrix_of(matrix, speakers, read_member) for setting, matrix in given.items()
    }
    return VoiceSimilarity(
        speakers,
        oo=matrices.get("oo"),
        op=matrices.get("op"),
        pp=matrices.get("pp"),
        mean=saved["mean"].as_a(Mean),
        remarks_on_files=remarks_of(saved["remarks"], 1000),
        files=files_of(saved["files"]),
        sex=texts_of(saved["sex"]),
    )


def _matrix_of(saved: SavedValue, speakers: tuple[str, ...], read_member: ReadMember) -> SimilarityMatrix:
    member = saved["cells"].as_a(str)
    cells = cells_of(read_member(member), len(speakers), saved.file, member)
    found = SimilarityMatrix(speakers, *cells, **saved.fields_of(SimilarityMatrix, _OF_MATRIX))
    if (found.d_ece_bits is None) != (found.min_cllr_bits is None):
        saved["min_cllr_bits"].refuse("number")
    return found


# Tested differences in project.json: what was compared, and the interval and p of every pair.


MOST_GROUPS = 10_000
_MOST_PAIRS = 1_000_000


def differences_as_json(project: Project) -> list[Json]:
    """The project's tested differences that still hold, as `differences_of` reads them."""
    return [_settled_as_json(one, project) for one in project.settled]


def differences_of(saved: SavedValue, project: Project) -> tuple[GroupDifferences, ...]:
    """Tested differences of the items of this project; those about figures that have changed are left out.

    Raises InputError at what no comparison can be.
    """
    found = [_settled_of(row, project) for row in saved.rows(MOST_GROUPS)]
    return tuple(one for one in found if _differences_is_of_its_figures(one))


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


def _differences_is_of_its_figures(one: GroupDifferences) -> bool:
    return all(
        math.isclose(
            value, getattr(one.assessments[entry_id], each.ranking.figure), rel_tol=_SAME, abs_tol=_SAME
        )
        for each in one.compared
        if each.ranking.figure in FIGURES
        for entry_id, value in zip(each.ids, each.ranking.values, strict=True)
    )
