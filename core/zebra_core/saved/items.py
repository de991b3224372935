"""Items of a project in a project file: assessments by their counts, similarity matrices by their sums."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.decisions import Decision
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.metrics.assessment import Assessment, assess_counts
from zebra_core.metrics.scales import TagScale, VerbalScale
from zebra_core.metrics.similarity import Mean, SimilarityMatrix
from zebra_core.metrics.voices import SETTINGS, VoiceSimilarity
from zebra_core.project.inputs import moved_choices
from zebra_core.project.items import Condition, Entry, Item, SimilarityEntry
from zebra_core.saved.arrays import cells_as_bytes, cells_of, counts_as_bytes, counts_of
from zebra_core.saved.parts import (
    Json,
    audit_as_json,
    audit_of,
    choices_of,
    cross_fitted_as_json,
    cross_fitted_of,
    file_of,
    files_as_json,
    remark_as_json,
    remark_of,
    settings_as_json,
    settings_of,
    texts_of,
)
from zebra_core.saved.trust import trust_as_json, trust_of
from zebra_core.saved.values import LONGEST_NAME, LONGEST_NOTES, SavedValue, at_most, finite
from zebra_core.saved.voices_trust import is_of_its_figures, voices_trust_as_json, voices_trust_of
from zebra_core.uncertainty.trust import AssessmentTrust, VoicesTrust

Scales = tuple[TagScale, VerbalScale | None]
ReadMember = Callable[[str], bytes]

ASSESSMENT, SIMILARITY = "assessment", "similarity"
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_MOST_COLOURS = 100_000
_DIFFER = Remark("intervals-differ", {}, Severity.WARNING)
_SAME = 1e-9  # relative: what rounding on another computer may do
_FIGURES = ("d_ece_bits", "worst_case_log10_lr", "eer", "cllr_bits", "min_cllr_bits")


def item_as_json(
    item: Item, number: int, folder: Path, *, without_folders: bool = False
) -> tuple[Json, dict[str, bytes]]:
    """What project.json says of the item with this number, and its arrays as members of the container.

    `without_folders` leaves out what folders above that of the project are called.
    """
    if isinstance(item, Entry):
        of_kind, members = _entry(item, number)
    elif isinstance(item, SimilarityEntry):
        of_kind, members = _similarity(item, number)
    else:
        raise TypeError(type(item).__name__)
    shared = {
        "kind": ASSESSMENT if isinstance(item, Entry) else SIMILARITY,
        "id": item.id,
        "name": at_most(LONGEST_NAME, item.name),
        "dataset": at_most(LONGEST_NAME, item.dataset),
        "run": at_most(LONGEST_NAME, item.run),
        "notes": at_most(LONGEST_NOTES, item.notes),
        "colour": item.colour,
        "is_ticked": item.is_ticked,
    }
    files = files_as_json(item.files, folder, without_folders=without_folders)
    as_saved = {file.path: Path(str(one["path"])) for file, one in zip(item.files, files, strict=True)}
    choices = moved_choices(item.choices, as_saved)
    return {**shared, "choices": choices, **of_kind, "files": files}, members


def item_of(saved: SavedValue, scales: Scales, read_member: ReadMember) -> Item:
    """The item; an assessment is computed from its counts."""
    kind = saved["kind"].text()
    if kind not in (ASSESSMENT, SIMILARITY):
        raise InputError(
            "project-unknown-value", file=saved.file, place=saved["kind"].place, found=saved["kind"].text()
        )
    item_id = saved["id"].text()
    if not _ID.fullmatch(item_id):
        saved["id"].refuse("id")
    shared: dict[str, Any] = {
        "id": item_id,
        "name": saved["name"].text(LONGEST_NAME),
        "dataset": saved["dataset"].text(LONGEST_NAME),
        "run": saved["run"].text(LONGEST_NAME),
        "notes": saved["notes"].text(LONGEST_NOTES),
        "colour": saved["colour"].or_none(lambda colour: colour.whole(0, _MOST_COLOURS)),
        "is_ticked": saved["is_ticked"].flag(),
        "choices": choices_of(saved["choices"]),
    }
    if kind == SIMILARITY:
        allowed = frozenset(row.one_of(Decision) for row in saved["allowed"].rows(100))
        similarity, measured = _similarity_of(saved, read_member)
        return SimilarityEntry(**shared, similarity=similarity, allowed=allowed, measured=measured)
    assessment, trust = _assessment_of(saved, scales, read_member)
    return Entry(
        **shared,
        trials=None,
        assessment=assessment,
        measured=trust,
        condition=saved["condition"].or_none(lambda condition: condition.one_of(Condition)),
        attacker=saved["attacker"].text(LONGEST_NAME),
        recogniser=saved["recogniser"].text(LONGEST_NAME),
        back_end=saved["back_end"].text(LONGEST_NAME),
    )


# Assessments


def _entry(entry: Entry, number: int) -> tuple[Json, dict[str, bytes]]:
    known, member = entry.assessment, f"counts/{number}.npy"
    values = {
        "condition": entry.condition.value if entry.condition else None,
        "attacker": at_most(LONGEST_NAME, entry.attacker),
        "recogniser": at_most(LONGEST_NAME, entry.recogniser),
        "back_end": at_most(LONGEST_NAME, entry.back_end),
        "settings": settings_as_json(known.settings),
        "counts": member,
        "cross_fitted": cross_fitted_as_json(known.cross_fitted),
        "figures": {"tag": known.tag, **{name: finite(getattr(known, name)) for name in _FIGURES}},
        "remarks": [remark_as_json(remark) for remark in known.remarks_on_files],
        "audit": audit_as_json(entry.audit) if entry.audit else None,
        "trust": None,
    }
    members = {member: counts_as_bytes(known.counts)}
    if entry.trust is not None:
        values["trust"], of_trust = trust_as_json(entry.trust, number)
        members |= of_trust
    return values, members


def _assessment_of(
    saved: SavedValue, scales: Scales, read_member: ReadMember
) -> tuple[Assessment, AssessmentTrust | None]:
    """The assessment with how far it can be trusted; draws of other figures than its own are let go."""
    files = tuple(file_of(row) for row in saved["files"].rows(1000))
    member = saved["counts"].text()
    found = assess_counts(
        counts_of(read_member(member), saved.file, member),
        settings_of(saved["settings"], *scales),
        cross_fitted=cross_fitted_of(saved["cross_fitted"]),
        files=files,
        remarks_on_files=tuple(remark_of(row) for row in saved["remarks"].rows(1000)),
        audit=saved["audit"].or_none(lambda audit: audit_of(audit, files)),
    )
    found = _compared(found, saved["figures"])
    trust = saved["trust"].or_none(lambda value: trust_of(value, found, read_member))
    if trust is None:
        return found, None
    remarks = tuple(one for one in found.remarks_on_files if one.code != _DIFFER.code)
    if _is_of_its_figures(trust):
        found = (
            found if len(remarks) == len(found.remarks_on_files) else replace(found, remarks_on_files=remarks)
        )
        return found, replace(trust, figures=found)
    return replace(found, remarks_on_files=(*remarks, _DIFFER)), None


def _is_of_its_figures(trust: AssessmentTrust) -> bool:
    return all(
        math.isclose(draws.estimate, getattr(trust.figures, name), rel_tol=_SAME, abs_tol=_SAME)
        for name, draws in trust.uncertainty.figures.items()
    )


def _compared(found: Assessment, saved: SavedValue) -> Assessment:
    """The assessment, with a remark if its figures differ from those that were saved."""
    differing = []
    for name in _FIGURES:
        before, now = saved[name].or_none(SavedValue.number), finite(getattr(found, name))
        same = before == now if before is None or now is None else math.isclose(before, now, rel_tol=_SAME)
        if not same and not (before is not None and now is not None and abs(before - now) < _SAME):
            differing.append(name)
    if not differing:
        return found
    remark = Remark("figures-differ", {"names": ", ".join(differing)}, Severity.WARNING)
    remarks = tuple(one for one in found.remarks_on_files if one.code != remark.code)
    return replace(found, remarks_on_files=(*remarks, remark))


# Similarity matrices


def _similarity(entry: SimilarityEntry, number: int) -> tuple[Json, dict[str, bytes]]:
    voices = entry.similarity
    matrices: Json = {}
    members = {}
    for setting, matrix in voices.matrices.items():
        member = f"similarity/{number}-{setting}.npy"
        members[member] = cells_as_bytes(matrix)
        matrices[setting] = {
            "cells": member,
            "n_target": matrix.n_target,
            "n_nontarget": matrix.n_nontarget,
            "d_ece_bits": matrix.d_ece_bits,
            "min_cllr_bits": matrix.min_cllr_bits,
        }
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
    remarks = tuple(one for one in found.remarks_on_files if one.code != _DIFFER.code)
    if is_of_its_figures(trust):
        return replace(found, remarks_on_files=remarks), trust
    return replace(found, remarks_on_files=(*remarks, _DIFFER)), None


def _matrices_of(saved: SavedValue, read_member: ReadMember) -> VoiceSimilarity:
    speakers = tuple(row.text() for row in saved["speakers"].rows())
    if not speakers or any(one >= after for one, after in pairwise(speakers)):
        saved["speakers"].refuse("speakers")
    given = saved["matrices"].fields(len(SETTINGS))
    if not given or set(given) - set(SETTINGS):
        saved["matrices"].refuse("matrices")
    matrices: Mapping[str, SimilarityMatrix] = {
        setting: _matrix_of(matrix, speakers, read_member) for setting, matrix in given.items()
    }
    return VoiceSimilarity(
        speakers,
        oo=matrices.get("oo"),
        op=matrices.get("op"),
        pp=matrices.get("pp"),
        mean=saved["mean"].one_of(Mean),
        remarks_on_files=tuple(remark_of(row) for row in saved["remarks"].rows(1000)),
        files=tuple(file_of(row) for row in saved["files"].rows(1000)),
        sex=texts_of(saved["sex"]),
    )


def _matrix_of(saved: SavedValue, speakers: tuple[str, ...], read_member: ReadMember) -> SimilarityMatrix:
    member = saved["cells"].text()
    cells = cells_of(read_member(member), len(speakers), saved.file, member)
    d_ece, min_cllr = (_bits(saved[name]) for name in ("d_ece_bits", "min_cllr_bits"))
    if (d_ece is None) != (min_cllr is None):
        saved["min_cllr_bits"].refuse("number")
    counts = saved["n_target"].whole(), saved["n_nontarget"].whole()
    return SimilarityMatrix(speakers, *cells, *counts, d_ece, min_cllr)


def _bits(saved: SavedValue) -> float | None:
    return saved.or_none(lambda value: value.number(0.0, 1.0))
