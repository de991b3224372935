"""embeddings.json, beside scores made from embeddings that were brought along: from which, and how."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import (
    Amount,
    Count,
    Positive,
    Sha256,
    Share,
    array_of,
    fault,
    json_object,
    note,
    nullable,
    optional,
)
from zebra_core.files import strict_json

FILE = "embeddings.json"
FORMAT, VERSION = "zebra-embeddings", 1
_HEAD = 200  # bytes

_INPUT = json_object(
    "EmbeddingInput",
    file=str,
    format=Literal["npz", "hdf5", "kaldi", "npy", "index", "enrolments", "key", "speakers"],
    bytes=Count,
    sha256=Sha256,
)
_SIDE = json_object("EmbeddingSide", files=array_of(_INPUT), embeddings=Positive)
_SPEAKERS_BY = json_object(
    "EmbeddingSpeakersBy",
    rule=Literal["first-folder", "before-hyphen", "before-underscore", "whole-id", None],
    file=str | None,
    sha256=nullable(Sha256),
)
_LINKAGE = json_object("EmbeddingLinkage", people=Positive, probability=Share, chance=Share)
_SINGLING = json_object(
    "EmbeddingSingling", people=Positive, probability=Share, chance=Share, sets=nullable(Positive)
)
_PEOPLE = json_object(
    "EmbeddingPeople",
    pooled_by=note(
        Literal["embeddings", "scores"],
        "the average of the embeddings of so many recordings, or the mean of their scores",
    ),
    recordings=Positive,
    linkage=array_of(_LINKAGE),
    singling_out=array_of(_SINGLING),
)
_ATTACK = json_object(
    "EmbeddingAttack",
    scores=str,
    back_end=Literal["cosine", "centred", "within", "normalised"],
    adapted=note(bool, "the back end has learnt from protected speech of other speakers"),
    eer=Amount,
    taught_by_speakers=note(nullable(Count), "the fewest that a back end learnt from"),
    shrinkages=list[Amount],
    people=note(array_of(_PEOPLE), "every test recording against everybody who is enrolled"),
)
RECORD = json_object(
    "EmbeddingsRecord",
    format=Literal["zebra-embeddings"],
    version=Literal[1],
    zebra=str,
    biometric=note(str, "what is to be kept in mind of embeddings and of scores: they are biometric data"),
    key=_INPUT,
    tests=_SIDE,
    enrolments=note(optional(_SIDE), "absent where both sides are of the same files"),
    models=note(optional(_INPUT), "the list of the recordings that are averaged"),
    others=note(optional(_SIDE), "people who are only enrolled"),
    speakers_by=nullable(_SPEAKERS_BY),
    dimensions=Positive,
    n_trials=Positive,
    n_models=Positive,
    n_tests=Positive,
    n_unused=note(Count, "embeddings that no trial of the key needs"),
    n_enrolled=note(Positive, "people, without the others"),
    n_others=note(Count, "people who are only enrolled"),
    safeguard=str,
    condition=Literal["oo", "oa", "aa"],
    dataset=str,
    recogniser_trained_on=Literal["original", "protected"],
    files=note(dict[str, Sha256], "what was written, by its place, with its SHA-256"),
    attacks=array_of(_ATTACK),
)
"""How scores were made from embeddings. No embedding is in it, and no id of a recording."""


@dataclass(frozen=True, eq=False)
class EmbeddingsRecord:
    """What such a record says; it is believed only as far as somebody checks it."""

    values: Mapping[str, Any] = field(repr=False)  # a RECORD

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of what was written with it, by its place below the folder of the record."""
        found: Mapping[str, str] = self.values["files"]
        return found

    @property
    def inputs(self) -> list[Mapping[str, Any]]:
        """The files of embeddings: of tests, enrolments and others."""
        sides = (self.values.get(side) for side in ("tests", "enrolments", "others"))
        return [file for side in sides if side for file in side["files"]]


def is_embeddings_record(content: bytes) -> bool:
    """Whether a file begins like one."""
    return content[:_HEAD].lstrip().startswith(b"{") and f'"{FORMAT}"'.encode() in content[:_HEAD]


@lru_cache(maxsize=2)  # each of several assessments asks for it
def embeddings_record_of(content: bytes, name: str) -> EmbeddingsRecord:
    """Read such a file. Raises InputError for what is broken, of a later version, or contradicts itself."""
    try:
        values: Any = strict_json.parse(content)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError("record-not-json", file=name, reason=reason) from error
    if isinstance(values, dict) and isinstance(values.get("version"), int) and values["version"] > VERSION:
        raise InputError("record-newer", file=name, found=values["version"], known=VERSION)
    if (at := fault(values, RECORD)) is not None:
        raise InputError("record-broken", file=name, at=at)
    for number, one in enumerate(values["attacks"]):
        if one["scores"] not in values["files"]:
            raise InputError("record-broken", file=name, at=f"attacks[{number}].scores")
    return EmbeddingsRecord(values)


def as_bytes(values: Mapping[str, Any]) -> bytes:
    """A record as it is written; what it is stands in its first lines."""
    return (json.dumps(values, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")
