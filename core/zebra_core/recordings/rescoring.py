"""Scores made again from recordings, as their record says, to be held against those that were kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.trials import Ids
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.sorting.segment_names import MATRICES
from zebra_core.recordings import libraries
from zebra_core.recordings.attacks import ORIGINAL, Arena, Attack, TrainingEmbeddings
from zebra_core.recordings.back_ends import BackEndKind
from zebra_core.recordings.embedding import EmbeddedRecording, MemoryStore, hear, matrix, pitches
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.network_input import NetworkInput
from zebra_core.recordings.onnx_recogniser import given
from zebra_core.recordings.recogniser import Recogniser, shipped
from zebra_core.recordings.trial_list import TrialList
from zebra_core.runtime.progress import Progress, no_progress

TOLERANCE_COSINE = 1e-4
TOLERANCE_LEARNT = 1e-3
"""How far scores may differ between machines: a plain cosine, and one by a back end that learns.

On one machine they are the same to the last bit. A network that is computed in another order moves embeddings
by 1e-6; that much noise moves cosines by 6e-6 and scores of back ends that learn by 1.4e-5 (48 speakers).
"""

Row = Mapping[str, Any]
_LIST = re.compile(rf"{MATRICES}/[^/]+/(?:(?P<safeguard>[^/]+)/)?scores_(?P<setting>oo|op|pp)\.txt")


def tolerance_of(attack: Row) -> float:
    """How far a score of this attack, by its record, may be another one."""
    return TOLERANCE_COSINE if attack["back_end"] == BackEndKind.COSINE.name.lower() else TOLERANCE_LEARNT


def recogniser_of(record: ScoringRecord, model: Path | None = None) -> Recogniser:
    """The recogniser that a record names, by its hash: the one that comes along, or the user's own.

    Raises InputError where it is neither.
    """
    libraries.require_all()
    said = record.values["recogniser"]
    found = shipped() if model is None else given(model, takes=NetworkInput.of(said.get("takes", {})))
    if found.sha256 != said["sha256"]:
        raise InputError("recogniser-other", found=said["name"], sha256=said["sha256"][:12])
    return found


@dataclass(frozen=True, eq=False)
class RecomputedEmbeddings:
    """Recordings that were heard again; their embeddings are forgotten with it."""

    record: ScoringRecord
    embeddings: Mapping[str, NDArray[np.float64]] = field(repr=False)  # original ("") and of each safeguard
    rows: Sequence[Row] = field(repr=False)  # in the order of the embeddings
    training: TrainingEmbeddings | None = field(default=None, repr=False)
    pitch: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)  # by version and id
    _arenas: dict[bytes, Arena] = field(default_factory=dict, init=False, repr=False)  # the last, by trials

    def list_of(self, content_sha256: str) -> Row | None:
        """How the scores of a file with this hash were made, where they are those of a similarity list."""
        for place, sha256 in self.record.files.items():
            found = _LIST.fullmatch(place)
            if found and sha256 == content_sha256:
                of = {"condition": found["setting"].replace("p", "a"), "safeguard": found["safeguard"] or ""}
                return {**of, "scores": place, "back_end": BackEndKind.COSINE.name.lower(), "adapted": False}
        return None

    @classmethod
    def of(
        cls,
        record: ScoringRecord,
        paths: Mapping[str, Path],
        recogniser: Recogniser,
        on_progress: Progress = no_progress,
        words: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    ) -> RecomputedEmbeddings:
        """Hear everything that a record lists; `paths` are by the hashes. Raises InputError.

        `words` has what is said, and what is understood of each safeguard's speech, by id.
        """
        sounds = {file["sha256"]: file for file in record.sounds}
        recordings = {sha256: _recording(paths[sha256], file) for sha256, file in sounds.items()}
        channel = record.values["channel"]
        heard, faults = hear(list(recordings.values()), recogniser, MemoryStore(), channel, on_progress)
        for fault in faults.values():
            raise fault
        for sha256, recording in recordings.items():
            if heard[recording.path].sha256 != sha256:
                raise InputError("changed", file=recording.path.name)
        compared = [row for row in record.values["recordings"] if row["side"] != "none"]
        rows = sorted(compared, key=lambda row: str(row["id"]))
        taught = record.values["training"]
        training = (
            TrainingEmbeddings(
                _of_versions(taught, recordings, heard, matrix),
                _people(taught),
                _of_versions(taught, recordings, heard, pitches),
            )
            if taught
            else None
        )
        of_all = (_of_versions(rows, recordings, heard, of) for of in (matrix, pitches))
        return cls(record, next(of_all), rows, training, next(of_all), words)

    def scores(
        self,
        attack: Row,
        enrol: Ids,
        test: Ids,
        on_progress: Progress = no_progress,
        *,
        each_alone: bool = False,
    ) -> NDArray[np.float64]:
        """The scores of an attack of the record, trial by trial as a score file lists them.

        `each_alone`: recordings are compared with recordings, as in a similarity list, whatever the trials.

        Raises InputError where it lists others than the record has, or where folds followed from names that
        are not told.
        """
        made = _attack(attack, attack)
        if self.record.values["is_coded"] and made.kind is not BackEndKind.COSINE:
            raise InputError("record-coded", back_end=attack["back_end"])
        parts = [_attack(attack, one) for one in attack.get("together", ())]
        arena = self._arena(self._trials(enrol, test, each_alone=each_alone))
        if BackEndKind.NGRAMS in (one.kind for one in (made, *parts)) and ORIGINAL not in arena.words:
            raise InputError("record-words")
        if parts:
            found = arena.together(
                made, [one for part in parts if (one := arena.attacked(part, on_progress))]
            )
        else:
            found = arena.attacked(made, on_progress)
        if found is None:
            raise InputError("not-as-before", file=attack["scores"])
        return found.scores

    def _arena(self, trials: TrialList) -> Arena:
        """That of the last attack where trials are the same: what was learnt from originals is kept."""
        known = {name: of for name, of in self.words.items() if all(one in of for one in trials.ids)}
        said = {name: [of[one] for one in trials.ids] for name, of in known.items()}
        key = hashlib.sha256(repr(trials.models).encode() + trials.pairs.tobytes()).digest()
        if key not in self._arenas:
            self._arenas.clear()
            self._arenas[key] = Arena(trials, self.embeddings, self.training, self.pitch, said)
        return self._arenas[key]

    def _trials(self, enrol: Ids, test: Ids, *, each_alone: bool) -> TrialList:
        ids = tuple(str(row["id"]) for row in self.rows)
        who = tuple(str(row["speaker"]) for row in self.rows)
        models = self._models(ids, who, each_alone=each_alone)
        left = _numbers(enrol, {name: number for number, name in enumerate(models)})
        right = _numbers(test, {name: number for number, name in enumerate(ids)})
        enrolled = np.array([who[members[0]] for members in models.values()])
        is_target = enrolled[left] == np.array(who)[right]
        return TrialList(
            ids,
            who,
            tuple(models),
            tuple(models.values()),
            np.stack([left, right], axis=1),
            is_target,
            same_sex=self.record.values["same_sex"],
        )

    def _models(
        self, ids: Sequence[str], who: Sequence[str], *, each_alone: bool
    ) -> dict[str, tuple[int, ...]]:
        """The recordings of each enrolment, by its id."""
        if each_alone or self.record.values["trials"] == "all":
            return {name: (number,) for number, name in enumerate(ids)}
        found: dict[str, tuple[int, ...]] = {}
        for number, row in enumerate(self.rows):
            if row["side"] == "enrolment":
                found[who[number]] = (*found.get(who[number], ()), number)
        return dict(sorted(found.items()))


def _recording(path: Path, file: Row) -> Recording:
    return Recording(path, PurePosixPath(file["file"]))


def _attack(row: Row, part: Row) -> Attack:
    """An attack of the record, or of several taken together one."""
    kind = BackEndKind[part["back_end"].upper()]
    enrol_protected, test_protected = (side == "a" for side in row["condition"])
    adapted = part["adapted"] and kind.learns  # what does not learn is the same for all
    return Attack(row["safeguard"], enrol_protected, test_protected, adapted, kind)


def _of_versions(
    rows: Sequence[Row],
    recordings: Mapping[str, Recording],
    heard: Mapping[Path, EmbeddedRecording],
    of: Callable[[Mapping[Path, EmbeddedRecording], Sequence[Recording]], NDArray[np.float64]],
) -> dict[str, NDArray[np.float64]]:
    safeguards = set.intersection(*(set(row["protected"]) for row in rows)) if rows else set()
    files = {ORIGINAL: [row["original"] for row in rows]}
    files |= {name: [row["protected"][name] for row in rows] for name in sorted(safeguards)}
    return {
        name: of(heard, [recordings[file["sha256"]] for file in several]) for name, several in files.items()
    }


def _people(rows: Sequence[Row]) -> NDArray[np.int64]:
    return np.unique(np.array([row["speaker"] for row in rows]), return_inverse=True)[1].astype(np.int64)


def _numbers(ids: Ids, known: Mapping[str, int]) -> NDArray[np.int64]:
    """The number of each id. Raises InputError for one that is not known."""
    for name in ids.names:
        if name not in known:
            raise InputError("record-other-trials", found=name)
    return np.array([known[name] for name in ids.names], dtype=np.int64)[ids.codes]
