"""Verifying goes on to the recordings where they are there: their hashes, and scores made of them again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.trials import Ids
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.sorting.segment_plan import MATRICES
from zebra_core.intake.transcript_files import KALDI, read_transcripts
from zebra_core.recordings import libraries
from zebra_core.recordings.attacks import ORIGINAL, Arena, Attack, BackEndKind, TrainingEmbeddings
from zebra_core.recordings.embedding import EmbeddedRecording, MemoryStore, hear, matrix, pitches
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.onnx_recogniser import given
from zebra_core.recordings.recogniser import NetworkInput, Recogniser, hash_of_shipped, shipped
from zebra_core.recordings.sound import hash_of
from zebra_core.recordings.trial_list import TrialList
from zebra_core.report.found_files import FoundInput, find_inputs
from zebra_core.report.recomputation import Recomputation
from zebra_core.report.verification import ProvenanceChecks, VerificationLine, VerificationStatus
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say, written

MOST_NAMED = 20  # recordings that are missing
_FINDING = 0.1  # of the work


def checked_recordings(
    again: Recomputation,
    on_progress: Progress,
    folders: Sequence[Path],
    *,
    is_asked: bool = False,
    model: Path | None = None,
) -> ProvenanceChecks:
    """One record after the other, with recordings below the folders; nothing where scores came without any.

    `is_asked` says that the user named a folder of them, `model` is a recogniser of the user's own. May raise
    Cancelled.
    """
    recorded = again.values["recordings"]
    found = [
        _of_record(
            one,
            again,
            folders,
            part_of(on_progress, n / len(recorded), (n + 1) / len(recorded)),
            is_asked=is_asked,
            model=model,
        )
        for n, one in enumerate(recorded)
    ]
    return ProvenanceChecks(
        tuple(line for one in found for line in one.checked),
        tuple(sentence for one in found for sentence in one.chain),
        all(one.is_whole for one in found),
        any(_is_own_recogniser(one["record"]) for one in recorded),
    )


def _of_record(
    recorded: Mapping[str, Any],
    again: Recomputation,
    folders: Sequence[Path],
    on_progress: Progress,
    *,
    is_asked: bool,
    model: Path | None,
) -> ProvenanceChecks:
    name, record = again.values["inputs"][recorded["input"]]["name"], _record(recorded, again)
    sounds = list({file["sha256"]: file for file in record.sounds}.values())
    wanted = [{"name": one["file"], "size": one["bytes"], "sha256": one["sha256"]} for one in sounds]
    where = find_inputs(wanted, folders, part_of(on_progress, 0.0, _FINDING))
    there = sum(one.path is not None for one in where)
    checked = [*_of_evidence(name, recorded, again)]
    if not there and not is_asked:
        return ProvenanceChecks(
            tuple(checked), (say("verify.to-scores", file=name, count=len(sounds)),), is_whole=False
        )
    checked += _of_sounds(name, sounds, where)
    if there < len(sounds):
        sentence = say("verify.not-all-recordings", file=name, found=there, count=len(sounds))
        return ProvenanceChecks(tuple(checked), (sentence,), is_whole=False)
    paths = {file["sha256"]: one.path for file, one in zip(sounds, where, strict=True) if one.path}
    made = list(_again(recorded, record, again, paths, folders, model, part_of(on_progress, _FINDING, 1.0)))
    is_whole = all(one.status is VerificationStatus.VERIFIED for one in made)
    code = "to-recordings" if is_whole else "recordings-there"
    return ProvenanceChecks(
        (*checked, *made), (say(f"verify.{code}", file=name, count=len(sounds)),), is_whole
    )


def _is_own_recogniser(record: Mapping[str, Any]) -> bool:

    return bool(record["recogniser"]["sha256"] != hash_of_shipped())


def _record(recorded: Mapping[str, Any], again: Recomputation) -> ScoringRecord:
    return ScoringRecord(recorded["record"], again.values["inputs"][recorded["input"]]["sha256"])


def _of_evidence(name: str, recorded: Mapping[str, Any], again: Recomputation) -> Iterator[VerificationLine]:
    """Whether the evidence says what the record does, where that was found."""
    if again.found[recorded["input"]].path is None:
        return
    try:
        is_same = again.record(recorded["input"]).values == recorded["record"]
    except ZebraError as error:
        yield VerificationLine(name, say("verify.record"), VerificationStatus.NOT_POSSIBLE, found=str(error))
        return
    yield VerificationLine(
        name, say("verify.record"), VerificationStatus.VERIFIED if is_same else VerificationStatus.DIFFERS
    )


def _of_sounds(
    name: str, sounds: Sequence[Mapping[str, Any]], where: Sequence[FoundInput]
) -> Iterator[VerificationLine]:
    """One line for all that are there; one each for those that are not, as long as they are few."""
    there = sum(one.path is not None for one in where)
    sentence = say("verify.recordings-count", count=there)
    if there:
        yield VerificationLine(
            name, say("verify.recordings"), VerificationStatus.VERIFIED, sentence, sentence
        )
    both = list(zip(sounds, where, strict=True))
    gone = [(file, one) for file, one in both if one.path is None]
    replaced = [(file, one) for file, one in both if one.status is VerificationStatus.FILE_REPLACED]
    for file, one in (*gone[:MOST_NAMED], *replaced[:MOST_NAMED]):
        yield one.line(file["file"], file["sha256"])
    if len(gone) > MOST_NAMED:
        rest = say("verify.recordings-count", count=len(gone) - MOST_NAMED)
        yield VerificationLine(name, say("verify.recordings"), VerificationStatus.FILE_MISSING, rest)


def _again(
    recorded: Mapping[str, Any],
    record: ScoringRecord,
    again: Recomputation,
    paths: Mapping[str, Path],
    folders: Sequence[Path],
    model: Path | None,
    on_progress: Progress,
) -> Iterator[VerificationLine]:
    """The scores of each assessment beside those made again, which differ by no more than is stated."""
    what = say("verify.scores-again")
    try:
        recogniser = recogniser_of(record, model)
        hearing = part_of(on_progress, 0.0, 0.9)
        stage = RecomputedEmbeddings.of(record, paths, recogniser, hearing, _words(record, again, folders))
    except ZebraError as error:
        for place in recorded["assessments"]:
            yield VerificationLine(
                _name(again, place), what, VerificationStatus.NOT_POSSIBLE, found=str(error)
            )
        return
    count = len(recorded["assessments"])
    for number, place in enumerate(recorded["assessments"]):
        part = part_of(on_progress, 0.9 + 0.1 * number / count, 0.9 + 0.1 * (number + 1) / count)
        try:
            yield _scores_again(stage, _name(again, place), again.values["assessments"][place], again, part)
        except ZebraError as error:
            yield VerificationLine(
                _name(again, place), what, VerificationStatus.NOT_POSSIBLE, found=str(error)
            )
    yield from _lists_again(stage, again)


def _words(record: ScoringRecord, again: Recomputation, folders: Sequence[Path]) -> dict[str, dict[str, str]]:
    """What is said in recordings, and understood of each safeguard's speech, where its files are there.

    The record has their hashes; they lie where the scores do. Raises InputError for one that cannot be read.
    """
    tops = [*folders, *_tops(record, again)]
    safeguards = {_words_beside(one["scores"]): one["safeguard"] for one in record.values["attacks"]}
    found: dict[str, dict[str, str]] = {}
    for place, sha256 in record.files.items():
        if PurePosixPath(place).name != KALDI:
            continue
        is_it = (path for top in tops if (path := top / place).is_file() and hash_of(path) == sha256)
        if (text := next(is_it, None)) is not None:
            found.setdefault(safeguards.get(place, ORIGINAL), read_transcripts(text))
    return found


def _words_beside(scores: str) -> str:
    return str(PurePosixPath(scores).with_name(KALDI))


def _tops(record: ScoringRecord, again: Recomputation) -> Iterator[Path]:
    """The folders below which scores lie as the record says."""
    for one in again.found:
        for place in record.files:
            if one.path is not None and one.path.as_posix().endswith(f"/{place}"):
                yield one.path.parents[len(PurePosixPath(place).parts) - 1]


def _lists_again(stage: Any, again: Recomputation) -> Iterator[VerificationLine]:
    """The similarity lists of the record, as far as they are there."""
    compared = set()  # scores of trials may be the same, byte by byte
    for place, (one, found) in enumerate(zip(again.values["inputs"], again.found, strict=True)):
        made = stage.list_of(one["sha256"])
        if made is not None and found.path is not None and made["scores"] not in compared:
            compared.add(made["scores"])
            try:
                yield _held_against(stage, made["scores"], made, place, again, each_alone=True)
            except ZebraError as error:
                what = say("verify.scores-again")
                yield VerificationLine(
                    made["scores"], what, VerificationStatus.NOT_POSSIBLE, found=str(error)
                )


def _scores_again(
    stage: Any, about: str, assessment: Mapping[str, Any], again: Recomputation, on_progress: Progress
) -> VerificationLine:
    what = say("verify.scores-again")
    place = next(n for n in assessment["inputs"] if again.values["inputs"][n]["role"] == "scores")
    attack = stage.record.attack_of(again.values["inputs"][place]["sha256"])
    if attack is None or again.found[place].path is None:
        reason = say("verify.scores-not-recorded" if attack is None else "verify.file-missing")
        return VerificationLine(about, what, VerificationStatus.NOT_POSSIBLE, found=reason)
    return _held_against(stage, about, attack, place, again, on_progress)


def _held_against(
    stage: Any,
    about: str,
    attack: Mapping[str, Any],
    place: int,
    again: Recomputation,
    on_progress: Progress = no_progress,
    *,
    each_alone: bool = False,
) -> VerificationLine:
    """Scores of a file beside those made again."""
    what = say("verify.scores-again")
    enrol, test, scores = again.scores(place)
    made = stage.scores(attack, enrol, test, on_progress, each_alone=each_alone)
    largest, most = float(np.abs(made - scores).max()), tolerance_of(attack)
    sentence = say("verify.difference", largest=written(largest, ".1e"), most=written(most, "g"))
    status = VerificationStatus.VERIFIED if largest <= most else VerificationStatus.DIFFERS
    return VerificationLine(about, what, status, say("verify.scores-count", count=len(made)), sentence)


def _name(again: Recomputation, place: int) -> str:
    one = again.values["assessments"][place]
    return " ".join(filter(None, (one["name"], one["run"], one["condition"], one["back_end"])))


# Scores made again from recordings, as their record says, to be held against those that were kept.


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
