"""recordings.json, which stands beside scores made from recordings: what was heard, by whom, and how."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.files import strict_json
from zebra_core.files.schema import fault

FILE = "recordings.json"
FORMAT, VERSION = "zebra-recordings", 1
ENOUGH_SPEAKERS = 40
"""The speakers to learn from; with fewer a back end may make an attacker weaker than the cosine does."""
WEAK_FROM = 0.25
"""The EER on unprotected speech from which on a recogniser says nothing of what a safeguard hides."""
_RESOURCE = "schema/recordings.schema.json"
_HEAD = 200  # bytes


@dataclass(frozen=True, eq=False)
class ScoringRecord:
    """How scores were made, as their record says it; it is believed only as far as somebody checks it."""

    values: Mapping[str, Any] = field(repr=False)  # of the schema
    sha256: str  # of the file

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of what was written with it, by its place below the folder of the record."""
        found: Mapping[str, str] = self.values["files"]
        return found

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The recordings that were compared, then those that back ends learnt from."""
        return [*self.values["recordings"], *self.values["training"]]

    @property
    def sounds(self) -> Iterator[Mapping[str, Any]]:
        """Every file of sound, originals and their copies."""
        return (file for row in self.rows for file in (row["original"], *row["protected"].values()))

    def attack_of(self, content_sha256: str, attacker: str = "") -> Mapping[str, Any] | None:
        """The attack that made the scores of this hash, by this attacker if several did; None for others."""
        attacks = [one for one in self.values["attacks"] if self.files[one["scores"]] == content_sha256]
        return next((one for one in attacks if one["attacker"] == attacker), next(iter(attacks), None))


def is_record(content: bytes) -> bool:
    """Whether a file begins like one."""
    return content[:_HEAD].lstrip().startswith(b"{") and f'"{FORMAT}"'.encode() in content[:_HEAD]


@lru_cache(maxsize=2)  # each of several assessments asks for it
def record_of(content: bytes, name: str) -> ScoringRecord:
    """Read such a file. Raises InputError for what is broken, of a later version, or contradicts itself."""
    try:
        values: Any = strict_json.parse(content)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError("record-not-json", file=name, reason=reason) from error
    if isinstance(values, dict) and isinstance(values.get("version"), int) and values["version"] > VERSION:
        raise InputError("record-newer", file=name, found=values["version"], known=VERSION)
    if (at := fault(values, record_schema())) is not None:
        raise InputError("record-broken", file=name, at=at)
    if (at := _contradiction(values)) is not None:
        raise InputError("record-broken", file=name, at=at)
    return ScoringRecord(values, sha256(content).hexdigest())


def as_bytes(values: Mapping[str, Any]) -> bytes:
    """A record as it is written; what it is stands in its first line."""
    return (json.dumps(values, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


@cache
def record_schema() -> dict[str, Any]:
    """What such a file follows. Nobody changes it."""
    schema: dict[str, Any] = json.loads(zebra_resources.read_text(_RESOURCE))
    return schema


def _contradiction(values: Mapping[str, Any]) -> str | None:
    """The place where a record contradicts itself; None where it does not.

    It may name scores that it does not list, a safeguard that a recording has no copy under, or an id twice.
    """
    for number, one in enumerate(values["attacks"]):
        if one["scores"] not in values["files"]:
            return f"attacks[{number}].scores"
    safeguards = {one["safeguard"] for one in values["attacks"]} - {""}
    for number, row in enumerate(values["recordings"]):
        if not safeguards <= row["protected"].keys():
            return f"recordings[{number}].protected"
    ids = [row["id"] for row in values["recordings"]]
    return None if len(set(ids)) == len(ids) else "recordings"
