"""From folders of recordings to scores and keys of every attacker."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.writing import make_folder, write_file
from zebra_core.recordings import libraries, told
from zebra_core.recordings.attacks import ENOUGH_SPEAKERS, ORIGINAL, Arena, Attacked, attacks_on
from zebra_core.recordings.folder import Recording, look_into
from zebra_core.recordings.given_recogniser import given
from zebra_core.recordings.hearing import FolderStore, Heard, MemoryStore, Store, hear, matrix
from zebra_core.recordings.layout import (
    ACROSS,
    WITHIN,
    folder_of,
    require_name,
    write_data,
    write_scores,
    write_words,
)
from zebra_core.recordings.pairing import Pairing, paired
from zebra_core.recordings.recogniser import Recogniser, shipped
from zebra_core.recordings.speakers import Spoken, read_sex, who_speaks
from zebra_core.recordings.transcripts import beside, is_copy, read_transcripts
from zebra_core.recordings.trials import TrialList, apart, every_pair
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import VERSION
from zebra_core.wording.texts import say

WEAK_FROM = 0.25
"""The EER on unprotected speech from which on a recogniser says nothing of what a safeguard hides."""
RECORD = "recordings.json"
"""What was heard, by whom and how, beside the scores."""


@dataclass(frozen=True)
class Request:
    """What is to be compared, and how."""

    original: Path
    protected: Mapping[str, Path]  # by the name of the safeguard
    speakers: Path | SpeakerRule
    sex: Path | None = None
    transcripts: Path | None = None
    every_pair: bool = False  # else enrolment and test recordings apart, as in the challenge
    every_attacker: bool = True  # else the cosine alone
    enrol: int = 1  # recordings of a model
    channel: int | None = None
    model: Path | None = None  # a recogniser of the user's own
    keep: Path | None = None  # where embeddings are kept; else they are forgotten


@dataclass(frozen=True, eq=False)
class Compared:
    """Recordings that are there in every version, can be heard, and whose speaker is known."""

    recogniser: Recogniser
    pairing: Pairing
    spoken: Spoken
    ids: tuple[str, ...]
    heard: Mapping[Path, Heard] = field(repr=False)
    told: tuple[str, ...]
    sex: Mapping[str, str]
    transcripts: Mapping[str, str]
    understood: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by safeguard

    @property
    def speaker(self) -> dict[str, str]:
        """Who speaks in each recording that is compared."""
        return {name: self.spoken.speaker[name] for name in self.ids}

    @property
    def seconds(self) -> float:
        """Of original speech."""
        return sum(self.heard[self.pairing.originals[name].path].seconds for name in self.ids)


@dataclass(frozen=True, eq=False)
class Scored:
    """What was written, and what attackers found."""

    compared: Compared
    attacked: tuple[Attacked, ...]  # the strongest of each safeguard and condition first
    trials: Mapping[str, TrialList]  # by folder
    files: tuple[Path, ...]
    told: tuple[str, ...]
    record: Mapping[str, object] = field(repr=False)

    def as_json(self) -> dict[str, object]:
        """What is written beside the scores, and all that was told."""
        return {**self.record, "told": list(self.told)}


def score(
    request: Request, out: Path, *, overwrite: bool = False, on_progress: Progress = no_progress
) -> Scored:
    """Hear, attack and write, nothing before everything was heard. Raises InputError, OutputError."""
    for name in request.protected:
        require_name(name)
    libraries.require_all()
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=str(out.parent))
    compared = compare_recordings(request, part_of(on_progress, 0.0, 0.9))
    return _scored(request, compared, out, overwrite=overwrite, on_progress=part_of(on_progress, 0.9, 1.0))


def compare_recordings(request: Request, on_progress: Progress = no_progress) -> Compared:
    """Find, pair and hear. Raises InputError where nothing is left that could be compared."""
    recogniser = given(request.model) if request.model else shipped()
    originals = look_into(request.original, part_of(on_progress, 0.0, 0.01))
    folders = {
        name: look_into(path, part_of(on_progress, 0.01, 0.02)) for name, path in request.protected.items()
    }
    pairing = paired(originals.recordings, {name: folder.recordings for name, folder in folders.items()})
    sentences = [*told.of_folders(originals, folders), *told.of_pairing(pairing)]
    if not pairing.complete:
        raise InputError(
            "recordings-no-pairs", original=request.original.name, count=len(originals.recordings)
        )
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, request.speakers)
    ids = tuple(name for name in pairing.complete if name in spoken.speaker)
    sentences += told.of_speakers(spoken, request.speakers)
    wanted = [one for name in ids for one in _versions(pairing, name)]
    heard, faults = hear(
        wanted, recogniser, _store(request), request.channel, part_of(on_progress, 0.02, 1.0)
    )
    ids, more = told.usable(pairing, ids, heard, faults)
    if not ids:
        raise next(
            iter(faults.values()), InputError("recordings-no-pairs", original=request.original.name, count=0)
        )
    sex = read_sex(request.sex) if request.sex else {}
    words = read_transcripts(request.transcripts) if request.transcripts else beside(request.original)
    understood = {name: beside(path) for name, path in request.protected.items()}
    understood = {name: each for name, each in understood.items() if not is_copy(words, each)}
    return Compared(recogniser, pairing, spoken, ids, heard, (*sentences, *more), sex, words, understood)


def _versions(pairing: Pairing, name: str) -> list[Recording]:
    """A recording and its protected copies."""
    return [pairing.originals[name], *(of[name] for of in pairing.protected.values())]


def _store(request: Request) -> Store:
    return FolderStore(request.keep) if request.keep else MemoryStore()


def _scored(
    request: Request, compared: Compared, out: Path, *, overwrite: bool, on_progress: Progress
) -> Scored:
    lists = _trial_lists(request, compared)
    arenas = {folder: Arena(trials, _embeddings(compared, trials)) for folder, trials in lists.items()}
    attacks = attacks_on(tuple(request.protected), all_of_them=request.every_attacker)
    found: list[Attacked] = []
    files: list[Path] = []
    make_folder(out)
    for folder, trials in lists.items():
        files += write_data(out / folder, trials, compared.sex, compared.transcripts, overwrite=overwrite)
    nothing_learnt = False
    for number, attack in enumerate(attacks):
        on_progress(number / len(attacks))
        folder = _folder(request, attack.condition)
        attacked = arenas[folder].attacked(attack)
        if attacked is None:
            nothing_learnt = True
            continue
        found.append(attacked)
        files.append(write_scores(out / folder, attack, lists[folder], attacked.scores, overwrite=overwrite))
        words = compared.understood.get(attack.safeguard, {}) if attack.test_protected else {}
        files += write_words(out / folder, attack, lists[folder], words, overwrite=overwrite)
    sentences = (*compared.told, *_told_of_attacks(lists, found, nothing_learnt=nothing_learnt))
    ordered = _strongest_first(found)
    record = _record(request, compared, ordered)
    content = (json.dumps(record, indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode()
    files.append(write_file(out / RECORD, content, overwrite=overwrite))
    return Scored(compared, ordered, lists, tuple(files), sentences, record)


def _trial_lists(request: Request, compared: Compared) -> dict[str, TrialList]:
    if not request.every_pair:
        return {"": apart(compared.speaker, request.enrol, compared.sex)}
    lists = {WITHIN: every_pair(compared.speaker, across=False)}
    return {**lists, ACROSS: every_pair(compared.speaker, across=True)} if request.protected else lists


def _folder(request: Request, condition: str) -> str:
    if not request.every_pair:
        return ""
    return ACROSS if condition == "oa" else WITHIN


def _embeddings(compared: Compared, trials: TrialList) -> dict[str, np.ndarray]:
    pairing, heard = compared.pairing, compared.heard
    found = {ORIGINAL: matrix(heard, [pairing.originals[name] for name in trials.ids])}
    return {
        **found,
        **{s: matrix(heard, [of[name] for name in trials.ids]) for s, of in pairing.protected.items()},
    }


def _told_of_attacks(
    lists: Mapping[str, TrialList], found: Sequence[Attacked], *, nothing_learnt: bool
) -> Iterator[str]:
    left_out = next(iter(lists.values())).left_out
    if left_out:
        yield told.listed("left-out-speakers", left_out)
    taught = [one.taught_by for one in found if one.taught_by is not None]
    unprotected = min(one.eer for one in found if not one.attack.safeguard)
    if unprotected > WEAK_FROM:
        yield say(
            "recordings.weak-recogniser", eer=f"{100 * unprotected:.0f}", bound=f"{100 * WEAK_FROM:.0f}"
        )
    if nothing_learnt:
        yield say("recordings.nothing-learnt")
    elif taught and min(taught) < ENOUGH_SPEAKERS:
        yield say("recordings.few-speakers", count=min(taught), enough=ENOUGH_SPEAKERS)


def _strongest_first(found: Sequence[Attacked]) -> tuple[Attacked, ...]:
    """Unprotected speech, then each safeguard, by condition; of each the attacker first who errs least."""
    groups: dict[tuple[str, str], list[Attacked]] = {}
    for one in found:
        groups.setdefault((one.attack.safeguard, one.attack.condition), []).append(one)
    return tuple(one for group in groups.values() for one in sorted(group, key=lambda each: each.eer))


def _record(request: Request, compared: Compared, found: Sequence[Attacked]) -> dict[str, object]:
    """What each score goes back to: files with their hashes, recogniser, attackers. No embedding is in it."""
    recogniser = compared.recogniser
    return {
        "zebra": VERSION,
        "recogniser": {"name": recogniser.name, "licence": recogniser.licence, "sha256": recogniser.sha256},
        "trials": "all" if request.every_pair else "challenge",
        "enrol": request.enrol,
        "recordings": [_recording(compared, name) for name in compared.ids],
        "attacks": [_attack(request, one) for one in found],
    }


def _recording(compared: Compared, name: str) -> dict[str, object]:
    pairing = compared.pairing
    copies = {safeguard: _file(compared, of[name]) for safeguard, of in pairing.protected.items()}
    original = _file(compared, pairing.originals[name])
    return {"id": name, "speaker": compared.spoken.speaker[name], "original": original, "protected": copies}


def _file(compared: Compared, recording: Recording) -> dict[str, object]:
    heard = compared.heard[recording.path]
    return {
        "file": str(recording.place),
        "sha256": heard.sha256,
        "seconds": round(heard.seconds, 3),
        "speech_seconds": round(heard.loudness.speech_s, 2),
        "rate_hz": heard.rate_hz,
    }


def _attack(request: Request, one: Attacked) -> dict[str, object]:
    attack = one.attack
    return {
        "scores": "/".join(filter(None, [_folder(request, attack.condition), folder_of(attack), "scores"])),
        "safeguard": attack.safeguard,
        "condition": attack.condition,
        "attacker": attack.knowledge,
        "back_end": attack.kind.name.lower(),
        "adapted": attack.adapted,
        "eer": one.eer,
        "taught_by_speakers": one.taught_by,
        "shrinkages": list(one.shrinkages),
    }
