"""From folders of recordings to scores and keys of every attacker."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.writing import make_folder, write_file
from zebra_core.intake.recordings_file import ENOUGH_SPEAKERS, FILE, WEAK_FROM, as_bytes
from zebra_core.recordings import libraries, told
from zebra_core.recordings.attacks import (
    ORIGINAL,
    Arena,
    Attacked,
    Training,
    attacks_on,
)
from zebra_core.recordings.folder import Recording, look_into
from zebra_core.recordings.given_recogniser import given
from zebra_core.recordings.hearing import FolderStore, Heard, MemoryStore, Store, hear, matrix
from zebra_core.recordings.layout import (
    ACROSS,
    WITHIN,
    Placed,
    require_name,
    write_data,
    write_scores,
    write_words,
)
from zebra_core.recordings.pairing import Pairing, paired
from zebra_core.recordings.recogniser import Recogniser, shipped
from zebra_core.recordings.record import record
from zebra_core.recordings.speakers import Spoken, read_sex, who_speaks
from zebra_core.recordings.transcripts import beside, is_copy, read_transcripts
from zebra_core.recordings.trials import TrialList, apart, every_pair
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class Lesson:
    """Recordings of other speakers, whom back ends learn from instead of those that are compared."""

    original: Path
    protected: Mapping[str, Path]  # by the name of the safeguard, as far as there are copies
    speakers: Path | SpeakerRule


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
    training: Lesson | None = None  # else back ends learn in folds


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
    left_out: Mapping[str, int]  # by why
    understood: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by safeguard
    training: Compared | None = None

    @property
    def speaker(self) -> dict[str, str]:
        """Who speaks in each recording that is compared."""
        return {name: self.spoken.speaker[name] for name in self.ids}

    @property
    def hashes(self) -> dict[str, str]:
        """The originals, by their hash."""
        originals = (self.pairing.originals[name] for name in self.ids)
        return {self.heard[one.path].sha256: str(one.place) for one in originals}

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
    request: Request,
    out: Path,
    *,
    overwrite: bool = False,
    store: Store | None = None,
    on_progress: Progress = no_progress,
) -> Scored:
    """Hear, attack and write, nothing before everything was heard; `store` remembers what was heard before.

    Raises InputError, OutputError.
    """
    for name in request.protected:
        require_name(name)
    libraries.require_all()
    for name in request.training.protected if request.training else ():
        if name not in request.protected:
            raise InputError("training-other-safeguard", found=name)
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=str(out.parent))
    compared = compare_recordings(request, part_of(on_progress, 0.0, 0.9), store)
    return _scored(request, compared, out, overwrite=overwrite, on_progress=part_of(on_progress, 0.9, 1.0))


def compare_recordings(
    request: Request, on_progress: Progress = no_progress, store: Store | None = None
) -> Compared:
    """Find, pair and hear, what back ends learn from as well.

    Raises InputError where nothing is left that could be compared, or where back ends would learn from those
    who are compared.
    """
    recogniser = given(request.model) if request.model else shipped()
    store = _store(request) if store is None else store
    what = Lesson(request.original, request.protected, request.speakers)
    if request.training is None:
        return _heard(what, request, recogniser, store, on_progress)
    compared = _heard(what, request, recogniser, store, part_of(on_progress, 0.0, 0.5))
    training = _heard(request.training, request, recogniser, store, part_of(on_progress, 0.5, 1.0))
    if both := sorted(set(compared.speaker.values()) & set(training.speaker.values())):
        raise InputError("training-same-speakers", count=len(both), found=both[0])
    if both := sorted(compared.hashes.keys() & training.hashes.keys()):
        names = compared.hashes[both[0]], training.hashes[both[0]]
        raise InputError("training-same-recording", file=names[0], other=names[1])
    return replace(compared, told=(*compared.told, *training.told), training=training)


def _heard(
    what: Lesson, request: Request, recogniser: Recogniser, store: Store, on_progress: Progress
) -> Compared:
    originals = look_into(what.original, part_of(on_progress, 0.0, 0.01))
    folders = {
        name: look_into(path, part_of(on_progress, 0.01, 0.02)) for name, path in what.protected.items()
    }
    pairing = paired(originals.recordings, {name: folder.recordings for name, folder in folders.items()})
    sentences = [*told.of_folders(originals, folders), *told.of_pairing(pairing)]
    if not pairing.complete:
        raise InputError("recordings-no-pairs", original=what.original.name, count=len(originals.recordings))
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, what.speakers)
    known = tuple(name for name in pairing.complete if name in spoken.speaker)
    sentences += told.of_speakers(spoken, what.speakers)
    wanted = [one for name in known for one in _versions(pairing, name)]
    heard, faults = hear(wanted, recogniser, store, request.channel, part_of(on_progress, 0.02, 1.0))
    ids, more = told.usable(pairing, known, heard, faults)
    if not ids:
        raise next(
            iter(faults.values()), InputError("recordings-no-pairs", original=what.original.name, count=0)
        )
    not_heard = sum(any(one.path not in heard for one in _versions(pairing, name)) for name in known)
    left_out = {
        "same_name": len(pairing.twice),
        "without_copy": len(pairing.originals) - len(pairing.complete),
        "unknown_speaker": len(spoken.unknown),
        "not_heard": not_heard,
        "equal": len(known) - not_heard - len(ids),
    }
    sex = read_sex(request.sex) if request.sex else {}
    words = read_transcripts(request.transcripts) if request.transcripts else beside(what.original)
    understood = {name: beside(path) for name, path in what.protected.items()}
    understood = {name: each for name, each in understood.items() if not is_copy(words, each)}
    told_of_all = (*sentences, *more)
    return Compared(recogniser, pairing, spoken, ids, heard, told_of_all, sex, words, left_out, understood)


def _versions(pairing: Pairing, name: str) -> list[Recording]:
    """A recording and its protected copies."""
    return [pairing.originals[name], *(of[name] for of in pairing.protected.values())]


def _store(request: Request) -> Store:
    return FolderStore(request.keep) if request.keep else MemoryStore()


def _scored(
    request: Request, compared: Compared, out: Path, *, overwrite: bool, on_progress: Progress
) -> Scored:
    lists = _trial_lists(request, compared)
    training = _training(compared.training) if compared.training else None
    arenas = {
        folder: Arena(trials, _embeddings(compared, trials.ids), training) for folder, trials in lists.items()
    }
    attacks = attacks_on(tuple(request.protected), all_of_them=request.every_attacker)
    found: dict[str, Attacked] = {}
    files: list[Placed] = []
    make_folder(out)
    for folder, trials in lists.items():
        words = compared.transcripts
        files += write_data(out, trials, compared.sex, words, overwrite=overwrite, part=folder)
    nothing_learnt = False
    for number, attack in enumerate(attacks):
        on_progress(number / len(attacks))
        folder = _folder(request, attack.condition)
        attacked = arenas[folder].attacked(attack)
        if attacked is None:
            if not (attack.adapted and _lacks_copies(request, attack.safeguard)):
                nothing_learnt = True
            continue
        scores, trials = attacked.scores, lists[folder]
        placed = write_scores(out, attack, trials, scores, overwrite=overwrite, part=folder)
        words = compared.understood.get(attack.safeguard, {}) if attack.test_protected else {}
        files += [placed, *write_words(out, attack, trials, words, overwrite=overwrite, part=folder)]
        found[placed.place] = attacked
    lacking = [name for name in request.protected if _lacks_copies(request, name)]
    sentences = (
        *compared.told,
        *([say("recordings.nothing-to-adapt-to", names=listed(lacking))] if lacking else ()),
        *_told_of_attacks(lists, found.values(), nothing_learnt=nothing_learnt),
    )
    ordered = _strongest_first(found)
    values = record(request, compared, lists, ordered, {one.place: one.sha256 for one in files})
    last = write_file(out / FILE, as_bytes(values), overwrite=overwrite)
    paths = (*(one.path for one in files), last)
    return Scored(compared, tuple(ordered.values()), lists, paths, sentences, values)


def _trial_lists(request: Request, compared: Compared) -> dict[str, TrialList]:
    if not request.every_pair:
        return {"": apart(compared.speaker, request.enrol, compared.sex)}
    lists = {WITHIN: every_pair(compared.speaker, across=False)}
    return {**lists, ACROSS: every_pair(compared.speaker, across=True)} if request.protected else lists


def _folder(request: Request, condition: str) -> str:
    if not request.every_pair:
        return ""
    return ACROSS if condition == "oa" else WITHIN


def _embeddings(compared: Compared, ids: Sequence[str]) -> dict[str, np.ndarray]:
    pairing, heard = compared.pairing, compared.heard
    found = {ORIGINAL: matrix(heard, [pairing.originals[name] for name in ids])}
    return {**found, **{s: matrix(heard, [of[name] for name in ids]) for s, of in pairing.protected.items()}}


def _lacks_copies(request: Request, safeguard: str) -> bool:
    """Whether back ends learn from recordings of which there are no copies under a safeguard."""
    return request.training is not None and safeguard not in request.training.protected


def _training(compared: Compared) -> Training:
    who = [compared.spoken.speaker[name] for name in compared.ids]
    people = np.unique(np.array(who), return_inverse=True)[1].astype(np.int64)
    return Training(_embeddings(compared, compared.ids), people)


def _told_of_attacks(
    lists: Mapping[str, TrialList], found: Collection[Attacked], *, nothing_learnt: bool
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


def _strongest_first(found: Mapping[str, Attacked]) -> dict[str, Attacked]:
    """Unprotected speech, then each safeguard, by condition; of each the attacker first who errs least."""
    groups: dict[tuple[str, str], dict[str, Attacked]] = {}
    for place, one in found.items():
        groups.setdefault((one.attack.safeguard, one.attack.condition), {})[place] = one
    return {
        place: one
        for group in groups.values()
        for place, one in sorted(group.items(), key=lambda each: each[1].eer)
    }
