"""From folders of recordings to scores and keys of every attacker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.files.opening import folder_of
from zebra_core.files.writing import is_leftover, write_file, written_together
from zebra_core.intake.recordings_file import ENOUGH_SPEAKERS, FILE, WEAK_FROM, as_bytes
from zebra_core.recordings import libraries, remarks
from zebra_core.recordings.attacks import (
    ORIGINAL,
    Arena,
    Attack,
    AttackerChoice,
    AttackScores,
    TrainingEmbeddings,
)
from zebra_core.recordings.back_ends import BackEndKind, Vectors
from zebra_core.recordings.comparable import Begin, ComparableRecordings, compare_recordings, planned_attacks
from zebra_core.recordings.embedding import EmbeddedRecording, Store, matrix, pitches
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.layout import (
    ACROSS,
    WITHIN,
    WrittenFile,
    require_name,
    write_data,
    write_scores,
    write_words,
)
from zebra_core.recordings.record import record
from zebra_core.recordings.request import Request
from zebra_core.recordings.similarity_lists import count_listed, voices_of, write_similarity_lists
from zebra_core.recordings.speakers import AlikeSpeakers
from zebra_core.recordings.trial_list import TrialList, apart, every_pair
from zebra_core.recordings.workload import ExpectedWork, of_steps
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say, written

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
        *remarks.of_alike(pairs),
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
        yield remarks.listed("left-out-speakers", left_out)
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
