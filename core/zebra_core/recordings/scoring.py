"""From folders of recordings to scores and keys of every attacker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, pairwise
from math import isnan
from pathlib import Path

import numpy as np

from zebra_core.attackers.fusion import FOLDS
from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import folder_of, is_leftover, size_of, write_file, written_together
from zebra_core.intake.recordings_file import ENOUGH_SPEAKERS, FILE, FORMAT, VERSION, WEAK_FROM, as_bytes
from zebra_core.recordings import doubtful_copies, libraries
from zebra_core.recordings.attacks import (
    ORIGINAL,
    Arena,
    Attack,
    AttackerChoice,
    AttackScores,
    BackEndKind,
    TrainingEmbeddings,
    Vectors,
)
from zebra_core.recordings.comparable import Begin, ComparableRecordings, compare_recordings, planned_attacks
from zebra_core.recordings.embedding import EmbeddedRecording, Store, matrix, pitches
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.layout import (
    ACROSS,
    WITHIN,
    WrittenFile,
    count_listed,
    require_name,
    voices_of,
    write_data,
    write_scores,
    write_similarity_lists,
    write_words,
)
from zebra_core.recordings.overview import ExpectedWork, of_steps
from zebra_core.recordings.pairing_offers import Pairing
from zebra_core.recordings.pairing_rules import PairingTable
from zebra_core.recordings.recogniser import AS_SHIPPED
from zebra_core.recordings.request import Request
from zebra_core.recordings.sound import hash_of
from zebra_core.recordings.speakers import AlikeSpeakers, SpeakerColumn, SpeakerSource, path_of
from zebra_core.recordings.trial_list import TrialList, apart, every_pair
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import VERSION as ZEBRA
from zebra_core.wording.spoken import normalised
from zebra_core.wording.texts import in_sentence, say, written

LEAST_SPEAKERS = 4
"""With several recordings; of fewer nobody can tell what is usual."""


def alike(trials: TrialList, originals: Vectors) -> tuple[AlikeSpeakers, ...] | None:
    """Pairs of speakers whose recordings are as alike as those of one speaker, the most alike first.

    None where nobody can tell.

    `originals` are unit vectors (n, dimensions) in the order of the ids. Two speakers are alike where the
    mean cosine between their recordings is no less than the lower quartile of those within speakers.
    That is a hint to look, not a test: some who differ are alike, and some who are one person are not.
    """
    names, numbers, counts = np.unique(np.array(trials.speaker), return_inverse=True, return_counts=True)
    sums = np.zeros((len(names), originals.shape[1]))
    np.add.at(sums, numbers, originals)
    several = counts > 1
    if several.sum() < LEAST_SPEAKERS:
        return None
    within = (np.sum(sums**2, axis=1)[several] - counts[several]) / (counts * (counts - 1))[several]
    between = sums @ sums.T / np.outer(counts, counts)
    low, high = (float(np.quantile(within, share)) for share in (0.25, 0.75))
    pairs = np.argwhere(np.triu(between >= low, 1))
    ordered = sorted(pairs.tolist(), key=lambda pair: -between[pair[0], pair[1]])
    return tuple(
        AlikeSpeakers((str(names[a]), str(names[b])), float(between[a, b]), (low, high)) for a, b in ordered
    )


@dataclass(frozen=True, eq=False)
class ScoringResult:
    """What was written, and what attackers found."""

    compared: ComparableRecordings
    attacked: tuple[AttackScores, ...]  # the strongest of each safeguard and condition first
    trials: Mapping[str, TrialList]  # by folder
    files: tuple[Path, ...]
    sentences: tuple[str, ...]
    record: Mapping[str, object] = field(repr=False)
    alike: tuple[AlikeSpeakers, ...] = ()

    def as_json(self) -> dict[str, object]:
        """What is written beside the scores, and all that was told."""
        return {**self.record, "told": list(self.sentences)}


def score(
    request: Request,
    out: Path,
    *,
    overwrite: bool = False,
    store: Store | None = None,
    on_progress: Progress = no_progress,
    on_begin: Begin = lambda _expected: None,
    on_heard: Callable[[Sequence[str]], object] = lambda _sentences: None,
) -> ScoringResult:
    """Hear, attack and write, nothing before everything was heard; `store` remembers what was heard before.

    `on_heard` is told what is to be said of recordings before anything is made of them. Raises InputError,
    OutputError.
    """
    for name in request.protected:
        require_name(name)
    libraries.require_all()
    for name in request.training.protected if request.training else ():
        if name not in request.protected:
            raise InputError("training-other-safeguard", found=name)
    is_free = not out.exists() or (out.is_dir() and (overwrite or all(map(is_leftover, out.iterdir()))))
    if not is_free:
        raise OutputError("exists", file=out.name, folder=folder_of(out))
    share = 0.0  # of hearing, as soon as it is known

    def begin(expected: ExpectedWork) -> None:
        nonlocal share
        share = expected.share_of_hearing
        on_begin(expected)

    compared = compare_recordings(request, lambda done: on_progress(share * done), store, begin)
    on_heard(compared.sentences)
    part = part_of(on_progress, share, 1.0)
    with written_together(out, FILE, overwrite=overwrite) as staged:
        scored = _scored(request, compared, staged, part)
    return replace(scored, files=tuple(out / path.relative_to(staged) for path in scored.files))


def _scored(
    request: Request, compared: ComparableRecordings, out: Path, on_progress: Progress
) -> ScoringResult:
    try:
        lists = _trial_lists(request, compared)
    except InputError as error:
        if not (why := compared.why_not_heard):
            raise
        count = compared.left_out["not_heard"]
        raise InputError("trials-not-heard", reason=str(error), count=count, why=why) from error
    training = _training(compared.training) if compared.training else None
    arenas = {
        folder: Arena(
            trials,
            _embeddings(compared, trials.ids),
            training,
            _by_version(compared, trials.ids, pitches),
            _said(compared, trials.ids),
        )
        for folder, trials in lists.items()
    }
    attacks = planned_attacks(request, compared.ids, compared.transcripts, compared.understood)
    voices = voices_of(next(iter(lists.values())), every_pair=request.every_pair)
    tried = _AttackRun(request, compared, lists, out)
    steps = _steps(request, compared, attacks, lists, len(voices), on_progress)
    next(steps)(0.0)
    for folder, trials in lists.items():
        words = compared.transcripts
        tried.files += write_data(out, trials, compared.sex, words, part=folder)
    for attack, scoring, writing in zip(attacks, steps, steps, strict=False):
        scoring(0.0)
        attacked = tried.attacked(attack, arenas[_folder(request, attack.condition)], scoring)
        if attacked is not None:
            writing(0.0)
            tried.write(attacked)
    embeddings_of = partial(_embeddings, compared)
    similar = write_similarity_lists(
        out, voices, tuple(request.protected), embeddings_of, on_progress=next(steps)
    )
    files = [*tried.files, *similar.files]
    found = tried.found
    lacking = [name for name in request.protected if _lacks_copies(request, name)]
    arena = next(iter(arenas.values()))
    pairs = alike(arena.trials, arena.embeddings[ORIGINAL])
    sentences = (
        *compared.sentences,
        *doubtful_copies.of_alike(pairs),
        *([say("recordings.nothing-to-adapt-to", names=in_sentence(lacking))] if lacking else ()),
        *_told_of_attacks(lists, found.values(), _eer_of_network(arena), nothing_learnt=tried.nothing_learnt),
        *_told_of_words(request, compared),
        *_told_of_pitch(compared),
        *similar.sentences,
        say("recordings.biometric"),
    )
    ordered = _strongest_first(found)
    hashes = {one.place: one.sha256 for one in files}
    values = record(request, compared, lists, ordered, hashes, _eer_of_network(arena), pairs or ())
    last = write_file(out / FILE, as_bytes(values))
    paths = (*(one.path for one in files), last)
    return ScoringResult(compared, tuple(ordered.values()), lists, paths, sentences, values, pairs or ())


@dataclass(eq=False)
class _AttackRun:
    """Attacks as they are made: those of a condition are kept until they were taken together."""

    request: Request
    compared: ComparableRecordings
    lists: Mapping[str, TrialList]
    out: Path
    files: list[WrittenFile] = field(default_factory=list)
    found: dict[str, AttackScores] = field(default_factory=dict)
    nothing_learnt: bool = False
    _parts: list[AttackScores] = field(default_factory=list)

    def attacked(self, attack: Attack, arena: Arena, on_progress: Progress) -> AttackScores | None:
        """The scores of an attack; None where nothing could be learnt for it."""
        self._parts = [one for one in self._parts if one.attack.group == attack.group]
        if attack.kind is BackEndKind.FUSED:
            return arena.together(attack, self._parts, on_progress)
        found = arena.attacked(attack, on_progress)
        if found is not None:
            self._parts.append(found)
        elif attack.kind.learns and not (attack.adapted and _lacks_copies(self.request, attack.safeguard)):
            self.nothing_learnt = True
        return found

    def write(self, attacked: AttackScores) -> None:
        """Its scores, and what was understood."""
        attack = attacked.attack
        folder = _folder(self.request, attack.condition)
        trials = self.lists[folder]
        placed = write_scores(self.out, attack, trials, attacked.scores, part=folder)
        words = self.compared.understood.get(attack.safeguard, {}) if attack.test_protected else {}
        self.files += [placed, *write_words(self.out, attack, trials, words, part=folder)]
        self.found[placed.place] = attacked


def _trial_lists(request: Request, compared: ComparableRecordings) -> dict[str, TrialList]:
    if not request.every_pair:
        return {"": apart(compared.speaker, request.enrol, compared.sex)}
    lists = {WITHIN: every_pair(compared.speaker, across=False)}
    return {**lists, ACROSS: every_pair(compared.speaker, across=True)} if request.protected else lists


def _folder(request: Request, condition: str) -> str:
    if not request.every_pair:
        return ""
    return ACROSS if condition == "oa" else WITHIN


def _steps(
    request: Request,
    compared: ComparableRecordings,
    attacks: Sequence[Attack],
    lists: Mapping[str, TrialList],
    voices: int,
    on_progress: Progress,
) -> Iterator[Progress]:
    """The progress of each step of attacking, in the order of `workload.of_steps`."""
    learnt_from, in_folds = len((compared.training or compared).ids), compared.training is None
    trials = {one.condition: len(lists[_folder(request, one.condition)].pairs) for one in attacks}
    listed = count_listed(voices, len(request.protected))
    seconds = list(of_steps(attacks, trials, listed, learnt_from, in_folds=in_folds))
    ends = [0.0, *(done / sum(seconds) for done in accumulate(seconds))]
    return (part_of(on_progress, start, end) for start, end in pairwise(ends))


def _embeddings(compared: ComparableRecordings, ids: Sequence[str]) -> dict[str, np.ndarray]:
    return _by_version(compared, ids, matrix)


def _by_version(
    compared: ComparableRecordings,
    ids: Sequence[str],
    of: Callable[[Mapping[Path, EmbeddedRecording], Sequence[Recording]], np.ndarray],
) -> dict[str, np.ndarray]:
    """What is known of originals ("") and of the copies under each safeguard, in the order of the ids."""
    pairing, heard = compared.pairing, compared.heard
    versions = {ORIGINAL: pairing.originals, **pairing.protected}
    return {name: of(heard, [copies[one] for one in ids]) for name, copies in versions.items()}


def _said(compared: ComparableRecordings, ids: Sequence[str]) -> dict[str, list[str]]:
    """What is said, and understood of each safeguard's speech, where it is known of all of them."""
    known = {ORIGINAL: compared.transcripts, **compared.understood}
    return {
        name: [words[one] for one in ids] for name, words in known.items() if all(one in words for one in ids)
    }


def _eer_of_network(arena: Arena) -> float:
    """How often the network errs on unprotected speech, by the cosine: whether it works at all."""
    found = arena.attacked(Attack(ORIGINAL, False, False, False, BackEndKind.COSINE))
    assert found is not None  # noqa: S101 - the cosine learns from nobody
    return found.eer


def _told_of_words(request: Request, compared: ComparableRecordings) -> Iterator[str]:
    """Why words were not compared, or whose words were."""
    if request.attacker not in (AttackerChoice.ALL, AttackerChoice.WORDS):
        return
    lacking = sum(one not in compared.transcripts for one in compared.ids)
    if 0 < lacking < len(compared.ids):
        yield say("recordings.words-lacking", count=lacking)
    elif not lacking and (kept := _kept_whole(request, compared)):
        yield say("recordings.words-kept", names=in_sentence(kept))


def _kept_whole(request: Request, compared: ComparableRecordings) -> list[str]:
    """Safeguards of whose speech nobody says what is understood of each recording."""
    of = compared.understood
    return [name for name in request.protected if any(one not in of.get(name, {}) for one in compared.ids)]


def _told_of_pitch(compared: ComparableRecordings) -> Iterator[str]:
    """In how many recordings too little is voiced."""
    versions = [compared.pairing.originals, *compared.pairing.protected.values()]
    several = [copies[name] for copies in versions for name in compared.ids]
    if count := sum(not compared.heard[one.path].pitch.is_known for one in several):
        yield say("recordings.no-pitch", count=count, all=len(several))


def _lacks_copies(request: Request, safeguard: str) -> bool:
    """Whether back ends learn from recordings of which there are no copies under a safeguard."""
    return request.training is not None and safeguard not in request.training.protected


def _training(compared: ComparableRecordings) -> TrainingEmbeddings:
    who = [compared.spoken.speaker[name] for name in compared.ids]
    people = np.unique(np.array(who), return_inverse=True)[1].astype(np.int64)
    pitch = _by_version(compared, compared.ids, pitches)
    return TrainingEmbeddings(_embeddings(compared, compared.ids), people, pitch)


def _told_of_attacks(
    lists: Mapping[str, TrialList],
    found: Collection[AttackScores],
    unprotected: float,
    *,
    nothing_learnt: bool,
) -> Iterator[str]:
    left_out = next(iter(lists.values())).left_out
    if left_out:
        yield doubtful_copies.listed("left-out-speakers", left_out)
    taught = [one.taught_by for one in found if one.taught_by is not None]
    if unprotected > WEAK_FROM:
        yield say(
            "recordings.weak-recogniser",
            eer=written(100 * unprotected, ".0f"),
            bound=written(100 * WEAK_FROM, ".0f"),
        )
    if nothing_learnt:
        yield say("recordings.nothing-learnt")
    elif taught and min(taught) < ENOUGH_SPEAKERS:
        yield say("recordings.few-speakers", count=min(taught), enough=ENOUGH_SPEAKERS)


def _strongest_first(found: Mapping[str, AttackScores]) -> dict[str, AttackScores]:
    """Unprotected speech, then each safeguard, by condition; of each the attacker first who errs least."""
    groups: dict[tuple[str, str], dict[str, AttackScores]] = {}
    for place, one in found.items():
        groups.setdefault((one.attack.safeguard, one.attack.condition), {})[place] = one
    return {
        place: one
        for group in groups.values()
        for place, one in sorted(group.items(), key=lambda each: each[1].eer)
    }


# The record beside scores: recordings with their hashes, recogniser, attackers and whom they learnt from.


Json = dict[str, object]


def record(
    request: Request,
    compared: ComparableRecordings,
    lists: Mapping[str, TrialList],
    attacked: Mapping[str, AttackScores],
    files: Mapping[str, str],
    eer: float,
    alike: Sequence[AlikeSpeakers] = (),
) -> Json:
    """What every score goes back to. No embedding is in it.

    `attacked` is by the places of the scores; `files` has the hash of everything that was written; `alike`
    are speakers who sound so; `eer` is that of the network's cosine on unprotected speech.
    """
    recogniser, trials = compared.recogniser, next(iter(lists.values()))
    learnt = any(one.taught_by is not None for one in attacked.values())
    return {
        "format": FORMAT,
        "version": VERSION,
        "zebra": ZEBRA,
        "libraries": libraries.versions(),
        "recogniser": {
            "name": recogniser.name,
            "licence": recogniser.licence,
            "sha256": recogniser.sha256,
            "eer": eer,
            **({"takes": recogniser.takes.as_json()} if recogniser.takes != AS_SHIPPED else {}),
        },
        "speakers_by": _source(request.speakers),
        "pairs_by": _pairs(compared.pairing),
        **_words(compared),
        "left_out_files": [
            {"safeguard": one.safeguard, "file": one.place, "why": one.why} for one in compared.left_out_files
        ],
        "trials": "all" if request.every_pair else "challenge",
        "enrol": request.enrol,
        "channel": request.channel,
        "same_sex": trials.same_sex,
        "asked": request.asked(),
        "folds": min(FOLDS, len(set(trials.speaker))) if learnt and compared.training is None else None,
        "is_coded": False,
        **(_alike(alike) if alike else {}),
        **({"one_person": [list(pair) for pair in request.one_person]} if request.one_person else {}),
        **_likeness_of_one_person(compared),
        "left_out": {**compared.left_out, "speakers": len(trials.left_out)},
        "recordings": list(_rows(compared, _sides(trials, every_pair=request.every_pair))),
        "training": list(_rows(compared.training, lambda _name: "both")) if compared.training else [],
        "files": dict(files),
        "attacks": [_attack(place, one) for place, one in attacked.items()],
    }


def _source(speakers: SpeakerSource) -> Json:
    if isinstance(speakers, SpeakerRule):
        return {"rule": speakers.value, "file": None, "sha256": None}
    column = {"column": speakers.column} if isinstance(speakers, SpeakerColumn) else {}
    path = path_of(speakers)
    return {"rule": None, "file": path.name, "sha256": hash_of(path), **column}


def _pairs(pairing: Pairing) -> Json:
    """By safeguard, how copies were found, and what has no partner on either side."""
    found: Json = {}
    for safeguard, source in pairing.sources.items():
        if isinstance(source, PairingTable):
            by: Json = {"rule": None, "file": source.path.name, "sha256": hash_of(source.path)}
        else:
            by = {"rule": str(source), "file": None, "sha256": None}
        same = pairing.delivered_twice(safeguard)
        otherwise = [one for one in pairing.named_otherwise(safeguard) if one not in same]
        extra = [one for one in pairing.strangers[safeguard] if one not in (*otherwise, *same)]
        repeated = [str(one.copy.place) for one in pairing.repeated.get(safeguard, ())]
        used = pairing.protected[safeguard]
        found[safeguard] = {
            **by,
            "missing": [_place(pairing, name) for name in pairing.unpaired[safeguard]],
            "ambiguous": [
                *(_place(pairing, name) for name in pairing.ambiguous[safeguard]),
                *(str(one.place) for one in pairing.competing[safeguard]),
            ],
            "extra": [str(one.place) for one in extra],
            "named_otherwise": [str(one.place) for one in otherwise],
            **({"repeated": repeated} if repeated else {}),
            **(
                {"twice": [[str(one.place), str(used[name].place)] for one, name in same.items()]}
                if same
                else {}
            ),
        }
    return found


def _words(compared: ComparableRecordings) -> Json:
    """Where what is understood of copies comes from, and of how many recordings."""
    found = {
        safeguard: {"sha256": sha256, "recordings": count}
        for safeguard, sha256 in compared.words_from.items()
        if (count := len(compared.understood[safeguard].keys() & {*compared.ids}))
    }
    return {"words_by": found} if found else {}


def _place(pairing: Pairing, name: str) -> str:
    return str(pairing.originals[name].place)


def _alike(pairs: Sequence[AlikeSpeakers]) -> Json:
    by = [[round(value, 4) for value in (one.likeness, *one.usual)] for one in pairs]
    return {"sound_alike": [list(one.names) for one in pairs], "sound_alike_by": by}


def _likeness_of_one_person(compared: ComparableRecordings) -> Json:
    """Where anybody has several recordings."""
    originals = {name: compared.heard[compared.pairing.originals[name].path] for name in compared.ids}
    found = doubtful_copies.likeness_of_one_person(originals, compared.speaker)
    return {} if isnan(found[0]) else {"likeness_of_one_person": [round(one, 4) for one in found]}


def _sides(trials: TrialList, *, every_pair: bool) -> Callable[[str], str]:
    """On which side of the trials a recording stands."""
    if every_pair:
        return lambda _name: "both"
    enrolled = {trials.ids[number] for members in trials.models for number in members}
    tested = set(trials.segments)

    def side(name: str) -> str:
        if name in enrolled:
            return "enrolment"
        return "test" if name in tested else "none"

    return side


def _rows(compared: ComparableRecordings, side: Callable[[str], str]) -> Iterator[Json]:
    pairing = compared.pairing
    said = {name: words for name in compared.ids if (words := normalised(compared.transcripts.get(name, "")))}
    text = {words: number for number, words in enumerate(dict.fromkeys(said.values()))}
    for name in compared.ids:
        original = compared.heard[pairing.originals[name].path]
        copies = {
            safeguard: {
                **_file(compared, of[name]),
                "likeness": round(doubtful_copies.likeness(compared.heard[of[name].path], original), 4),
            }
            for safeguard, of in pairing.protected.items()
        }
        yield {
            "id": name,
            "speaker": compared.spoken.speaker[name],
            "side": side(name),
            "original": _file(compared, pairing.originals[name]),
            "protected": copies,
            **({"text": text[said[name]]} if name in said else {}),
        }


def _file(compared: ComparableRecordings, recording: Recording) -> Json:
    heard = compared.heard[recording.path]
    level = heard.loudness.level_db
    return {
        "file": str(recording.place),
        "bytes": size_of(recording.path) or 0,
        "sha256": heard.sha256,
        "seconds": round(heard.seconds, 3),
        "speech_seconds": round(heard.loudness.speech_s, 2),
        "rate_hz": heard.rate_hz,
        "channels": heard.channels,
        "clipped": heard.loudness.is_clipped,
        "pitch_hz": round(heard.pitch.median_hz, 1) if heard.pitch.is_known else None,
        **({} if level is None else {"level_dbfs": round(level, 1)}),
    }


def _attack(place: str, attacked: AttackScores) -> Json:
    attack = attacked.attack
    parts = [_compared(one) for one in attacked.parts]
    return {
        "scores": place,
        "safeguard": attack.safeguard,
        "condition": attack.condition,
        "attacker": attack.knowledge,
        **_compared(attack),
        **({"together": parts} if parts else {}),
        "eer": attacked.eer,
        "taught_by_speakers": attacked.taught_by,
        "shrinkages": list(attacked.shrinkages),
    }


def _compared(attack: Attack) -> Json:
    return {"back_end": attack.kind.name.lower(), "adapted": attack.adapted}
