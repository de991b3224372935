"""Verifying goes on to the recordings where they are there: their hashes, and scores made of them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from zebra_core.errors import ZebraError
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.transcript_files import KALDI, read_transcripts
from zebra_core.recordings.attacks import ORIGINAL
from zebra_core.recordings.sound import hash_of
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
    from zebra_core.recordings.recogniser import hash_of_shipped

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
    from zebra_core.recordings.rescoring import RecomputedEmbeddings, recogniser_of

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
    from zebra_core.recordings.rescoring import tolerance_of

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
