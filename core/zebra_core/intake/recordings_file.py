"""recordings.json, which stands beside scores made from recordings: what was heard, by whom, and how."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Literal

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import (
    Amount,
    Count,
    Positive,
    Sha256,
    array_of,
    fault,
    json_object,
    map_of,
    note,
    nullable,
    optional,
)
from zebra_core.files import strict_json

FILE = "recordings.json"
FORMAT, VERSION = "zebra-recordings", 1
ENOUGH_SPEAKERS = 40
"""The speakers to learn from; with fewer a back end may make an attacker weaker than the cosine does."""
WEAK_FROM = 0.25
"""The EER on unprotected speech from which on a recogniser says nothing of what a safeguard hides."""
_HEAD = 200  # bytes
Cosine = Annotated[float, Meta(ge=-1.0, le=1.0)]
Line = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f]{1,200}$")]

TAKES = {
    "input": Literal["filter-banks", "samples"],
    "axes": optional(Literal["frames-bands", "bands-frames"]),
    "bands": optional(Literal[40, 64, 80]),
    "window": optional(Literal["povey", "hamming", "hann"]),
    "full_scale": optional(note(Literal[1, 32768], "what a sample at full scale counts as")),
    "mean": optional(note(Literal["subtracted", "kept"], "of each band over the recording")),
    "output": optional(Line),
}
"""What a recogniser of the user's own takes."""
_RECOGNISER = json_object(
    "Recogniser",
    name=str,
    licence=str,
    sha256=Sha256,
    eer=note(Amount, "on unprotected speech, by the cosine"),
    takes=optional(
        note(
            json_object("NetworkInput", **TAKES),
            "what a recogniser of the user's own takes; without it what the one takes that comes along",
        )
    ),
)
_SPEAKERS_BY = json_object(
    "SpeakersBy",
    rule=Literal["first-folder", "before-hyphen", "before-underscore", None],
    file=str | None,
    sha256=nullable(Sha256),
    column=optional(
        note(str, "of a table, that names the speakers; without it a column whose name says so, or a list")
    ),
)
_PAIRS_BY = json_object(
    "PairsBy",
    rule=note(
        str | None,
        "patterns for names of originals and copies; null where a table says it, or names are codes",
    ),
    file=str | None,
    sha256=nullable(Sha256),
    missing=note(list[str], "originals without a copy"),
    ambiguous=note(list[str], "originals that fit several copies, or share one, and these copies"),
    extra=note(list[str], "copies of no original"),
    named_otherwise=note(list[str], "copies whose names do not follow the rule"),
    repeated=optional(
        note(list[str], "copies that a later line of the table names of an original that has one already")
    ),
    twice=optional(
        note(
            list[tuple[str, str]],
            "copies that are left out, each with the copy in use that has the same bytes",
        )
    ),
)
_LEFT_OUT = json_object(
    "LeftOutFile",
    safeguard=note(str, '"" for originals'),
    file=note(str, "its place below its folder"),
    why=note(
        Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$")],
        "not-sound, unread, closed (a folder), same-name, unknown-speaker, equal; "
        "else the code of why it cannot be heard",
    ),
)
_SOUND = json_object(
    "Sound",
    file=note(str, "its place below its folder"),
    bytes=Count,
    sha256=Sha256,
    seconds=Amount,
    speech_seconds=Amount,
    rate_hz=Positive,
    channels=Positive,
    clipped=bool,
    pitch_hz=note(
        nullable(Amount), "the median of its fundamental frequency; null where too little is voiced"
    ),
    level_dbfs=optional(note(float, "mean power of the speech in it, dB of full scale")),
    likeness=optional(note(Cosine, "of a copy to its original, by the recogniser")),
)
_RECORDING = json_object(
    "Recording",
    id=str,
    speaker=str,
    side=Literal["enrolment", "test", "both", "none"],
    original=_SOUND,
    protected=map_of(_SOUND),
    text=optional(note(Count, "recordings of one number say the same words; absent without a transcript")),
)
_ASKED = json_object(
    "Asked",
    attacker=Literal["all", "cosine", "words", "pitch"],
    original=note(str, "the folder of originals, as seen from that in which all of them lie"),
    protected=note(dict[str, str], "likewise the folder of copies under each safeguard"),
    sex=note(str | None, "the name of the file"),
    transcripts=note(str | None, "the name of the file"),
    model=note(str | None, "the name of a recogniser of the user's own"),
)
_BACK_END = note(
    Literal["cosine", "centred", "within", "normalised", "gaussian", "ngrams", "fused"],
    "of pitch gaussian, of words ngrams, of all attackers together fused; the others are of embeddings",
)
_ADAPTED = note(
    bool,
    "the attacker has protected speech of other speakers, from which whatever learns learns; the network "
    "never does",
)
_ATTACK = json_object(
    "Attack",
    scores=str,
    safeguard=str,
    condition=Literal["oo", "oa", "aa"],
    attacker=Literal["none", "ignorant", "lazy-informed", "semi-informed"],
    back_end=_BACK_END,
    adapted=_ADAPTED,
    together=optional(
        note(
            array_of(json_object("AttackPart", back_end=_BACK_END, adapted=_ADAPTED)),
            "the attackers of this condition whose scores were taken together",
        )
    ),
    eer=Amount,
    taught_by_speakers=note(nullable(Count), "the fewest that a back end learnt from"),
    shrinkages=list[Amount],
)
RECORD = json_object(
    "Record",
    format=Literal["zebra-recordings"],
    version=Literal[1],
    zebra=str,
    libraries=dict[str, str],
    recogniser=_RECOGNISER,
    speakers_by=_SPEAKERS_BY,
    pairs_by=optional(
        note(
            map_of(_PAIRS_BY),
            "by safeguard, how copies and originals were paired, and the places of those without a partner",
        )
    ),
    words_by=optional(
        note(
            map_of(json_object("WordsBy", sha256=Sha256, recordings=Positive)),
            "by safeguard, the file text that lay with the copies: its hash, and of how many recordings it "
            "says what is understood; absent where there is none",
        )
    ),
    left_out_files=optional(
        note(array_of(_LEFT_OUT), "files of which nothing is compared, but for those in pairs_by")
    ),
    trials=Literal["challenge", "all"],
    enrol=note(Positive, "recordings of an enrolment"),
    channel=note(nullable(Positive), "the one that was heard, from 1"),
    sound_alike=optional(
        note(
            list[tuple[str, str]],
            "pairs of speakers whose original recordings are as alike as those of one speaker; "
            "absent where there are none",
        )
    ),
    sound_alike_by=optional(
        note(
            list[tuple[Cosine, Cosine, Cosine]],
            "of each of these pairs the mean cosine between them, and the quartiles of that of one speaker",
        )
    ),
    one_person=optional(
        note(
            list[tuple[str, str]],
            "names of one person, as the user says: the second counts as the first everywhere here",
        )
    ),
    likeness_of_one_person=optional(
        note(
            tuple[Cosine, Cosine],
            "that half, and 99 of 100, of the pairs of original recordings of one person do not reach",
        )
    ),
    same_sex=note(bool, "nontarget trials are of one sex"),
    asked=optional(
        note(
            _ASKED,
            "what was asked beside, so that the same can be asked of another delivery; absent under codes",
        )
    ),
    folds=note(
        nullable(Annotated[int, Meta(ge=2)]),
        "that speakers fall into, in the order of the SHA-256 of their names; null where back ends learnt "
        "from other speakers, in training, or none learnt",
    ),
    is_coded=note(
        bool,
        "codes stand for the names of files, recordings and speakers; folds do not follow from them",
    ),
    left_out=dict[str, Count],
    recordings=array_of(_RECORDING),
    training=note(array_of(_RECORDING), "of other speakers, whom the back ends learnt from"),
    files=note(dict[str, Sha256], "what was written, by its place, with its SHA-256"),
    attacks=array_of(_ATTACK),
)
"""How scores were made from recordings. Rates are fractions; null stands for what does not apply."""


@dataclass(frozen=True, eq=False)
class ScoringRecord:
    """How scores were made, as their record says it; it is believed only as far as somebody checks it."""

    values: Mapping[str, Any] = field(repr=False)  # a RECORD
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
    if (at := fault(values, RECORD)) is not None:
        raise InputError("record-broken", file=name, at=at)
    if (at := _contradiction(values)) is not None:
        raise InputError("record-broken", file=name, at=at)
    return ScoringRecord(values, sha256(content).hexdigest())


def as_bytes(values: Mapping[str, Any]) -> bytes:
    """A record as it is written; what it is stands in its first line."""
    return (json.dumps(values, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


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
