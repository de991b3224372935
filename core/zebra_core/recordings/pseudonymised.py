"""The record of recordings under codes: the same hashes and attackers, and no name of anybody or any file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from zebra_core.intake.recordings_file import ScoringRecord, as_bytes
from zebra_core.project.sharing.pseudonymised_files import Codes, HiddenNames
from zebra_core.recordings.pairing_rules import SAME_NAME

_PAIRS = ("sound_alike", "one_person")
_PLACES = ("missing", "ambiguous", "extra", "named_otherwise", "repeated")


def names_in(record: ScoringRecord) -> Iterator[str]:
    """Recordings, speakers, and every part of where files lay."""
    for row in record.rows:
        yield row["id"]
        yield row["speaker"]
    for key in _PAIRS:
        for pair in record.values.get(key, []):
            yield from pair
    places = [sound["file"] for sound in record.sounds]
    places += [place for found in _without_partner(record.values) for place in found]
    tables = (record.values["speakers_by"], *record.values.get("pairs_by", {}).values())
    for place in (*places, *(table["file"] or "" for table in tables)):
        path = PurePosixPath(place)
        yield from (*path.parts, path.stem)


def _without_partner(values: Mapping[str, Any]) -> Iterator[list[str]]:
    """The places of originals without a copy, of copies without an original, and of what was left out."""
    for by in values.get("pairs_by", {}).values():
        yield from (by[key] for key in _PLACES if key in by)
        yield from by.get("twice", ())
    yield [one["file"] for one in values.get("left_out_files", [])]


def under_codes(
    record: ScoringRecord,
    scores: Mapping[str, str],
    files: Mapping[str, str],
    codes: Codes,
    hidden: HiddenNames,
) -> bytes:
    """The record of those attacks whose scores were written anew: `scores` has their names by the old hash.

    `files` has the hash of all that was written anew. The hashes of recordings stay: they tell nothing to
    those who do not have the recordings, and whoever has them finds the names by the scores as well. Folds
    are not told, because they follow from the names.
    """

    def said(text: str) -> str:
        return codes.of(text) if hidden.is_in(text) else text

    def sound(file: Mapping[str, Any]) -> dict[str, Any]:
        return {**file, "file": codes.of(file["file"])}

    def rows(found: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
        coded = [
            {
                **row,
                "id": codes.of(row["id"]),
                "speaker": codes.of(row["speaker"]),
                "original": sound(row["original"]),
                "protected": {said(name): sound(file) for name, file in row["protected"].items()},
            }
            for row in found
        ]
        return sorted(coded, key=lambda row: str(row["id"]))

    def coded_pairs(by: Mapping[str, Any]) -> dict[str, Any]:
        lists: dict[str, list[Any]] = {key: sorted(map(codes.of, by[key])) for key in _PLACES if key in by}
        if "twice" in by:
            lists["twice"] = sorted([*map(codes.of, pair)] for pair in by["twice"])
        rule = by["rule"] if by["rule"] == str(SAME_NAME) else None  # any other may hold a name
        return {**by, "rule": rule, "file": codes.of(by["file"]) if by["file"] else None, **lists}

    values = record.values
    pairs = {key: [[*map(codes.of, pair)] for pair in values[key]] for key in _PAIRS if key in values}
    by, recogniser = values["speakers_by"], values["recogniser"]
    attacks = [
        {**one, "scores": scores[sha256], "safeguard": said(one["safeguard"])}
        for one in values["attacks"]
        if (sha256 := record.files[one["scores"]]) in scores
    ]
    paired = values.get("pairs_by", {})
    lost = [
        {**one, "safeguard": said(one["safeguard"]), "file": codes.of(one["file"])}
        for one in values.get("left_out_files", [])
    ]
    words = {said(name): one for name, one in values.get("words_by", {}).items()}
    return as_bytes(
        {
            **{key: value for key, value in values.items() if key != "asked"},  # names of folders and files
            "is_coded": True,
            **pairs,
            "folds": None,
            "recogniser": {**recogniser, **{key: said(recogniser[key]) for key in ("name", "licence")}},
            "speakers_by": {  # the name of a column may be that of its owner
                "rule": by["rule"],
                "file": codes.of(by["file"]) if by["file"] else None,
                "sha256": by["sha256"],
            },
            **(
                {"pairs_by": {said(name): coded_pairs(one) for name, one in paired.items()}} if paired else {}
            ),
            **({"left_out_files": sorted(lost, key=lambda one: str(one["file"]))} if lost else {}),
            **({"words_by": words} if words else {}),
            "recordings": rows(values["recordings"]),
            "training": rows(values["training"]),
            "files": dict(files),
            "attacks": attacks,
        }
    )
