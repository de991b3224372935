"""What the jobs about recordings do; each imports in its thread what it needs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.evidence.audit import Answers
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Watch
from zebra_gui.session.unsaved import KeptInside


@dataclass(frozen=True, eq=False)
class FolderContents:
    """What is in dropped folders: recordings where there are some, and whether there are score files, too."""

    dropped: core.DroppedFolders | None = None
    seen: Mapping[Path, core.SurveyedRecording] | None = None
    has_scores: bool = False


@dataclass(frozen=True)
class HearingProgress:
    """How far it is: recordings heard before, heard now, and all of them; seconds that these took.

    Attacking, and assessing after it, take as long as hearing so many recordings more.
    """

    before: int
    now: int
    total: int
    seconds: float
    to_attack: float = 0.0
    attacked: float = 0.0

    @property
    def left_s(self) -> float | None:
        """How long the rest takes; None before anybody can know."""
        if self.now < 2:
            return None
        left = self.total - self.before - self.now + self.to_attack - self.attacked
        return self.seconds / self.now * left


@dataclass(frozen=True, eq=False)
class WrittenScores:
    """Scores and keys that were written, and what is said of them."""

    folder: Path
    recogniser: str
    sentences: tuple[str, ...]
    alike: tuple[core.AlikeSpeakers, ...] = ()  # of whom nothing is among the sentences


@dataclass(frozen=True)
class ProtectionRequest:
    """What to protect, how, and where to put it."""

    folder: Path
    out: Path
    coefficient: float | None = None  # else drawn
    drawn_by: str = ""  # "speaker" or "utterance"
    seed: int = 0
    speakers: core.Source | None = None


@dataclass(frozen=True, eq=False)
class ProtectedFolder:
    """What was made, and what is to be said of it."""

    out: Path
    count: int
    sentences: tuple[str, ...]


def look(
    paths: Sequence[Path],
    divided: Mapping[Path, bool],
    known: Mapping[Path, core.SurveyedRecording],
    shown: Sequence[Path],
    on_progress: Progress,
) -> FolderContents:
    """Whether these, with those that are shown already, are folders of recordings, and which."""
    from zebra_core.recordings import libraries
    from zebra_core.recordings.folder_roles import find_versions, hold_recordings

    every = tuple(dict.fromkeys((*shown, *paths)))
    if not hold_recordings(every) or (shown and _are_scores(paths, on_progress)):
        return FolderContents()
    libraries.require_all()
    found = find_versions(every, divided, part_of(on_progress, 0.0, 0.3))
    if not shown and _has_scores(paths, found, part_of(on_progress, 0.3, 0.5)):
        return FolderContents(has_scores=True)
    from zebra_core.recordings.embedding import glance

    recordings = [one for version in found.versions for one in version.folder.recordings]
    return FolderContents(found, glance(recordings, known, part_of(on_progress, 0.5, 1.0)))


def _has_scores(paths: Sequence[Path], found: core.DroppedFolders, on_progress: Progress) -> bool:
    """Whether score files lie among the recordings, which then are what was meant."""
    others = [path for path in (*paths, *found.others) if not path.is_dir()]
    return bool(others) and bool(_planned(others, on_progress).planned)


def _are_scores(paths: Sequence[Path], on_progress: Progress) -> bool:
    """Whether files dropped beside recordings have nothing to do with them."""
    from zebra_core.intake.tables.table import FileRole

    if not paths or any(path.is_dir() for path in paths):
        return False
    return any(file.role in (FileRole.SCORES, FileRole.KEY) for file in _planned(paths, on_progress).files)


def _planned(paths: Sequence[Path], on_progress: Progress) -> core.Plan:
    from zebra_core.project.reading.arrival import plan_with

    return plan_with(paths, Answers(), on_progress)


@dataclass(frozen=True, eq=False)
class RecordingsReview:
    """What choices come to, what is said of each recording, and whose samples nobody has looked at yet."""

    overview: core.Overview
    rows: tuple[core.RecordingRow, ...]
    unseen: tuple[core.Recording, ...]


def oversee(
    dropped: core.DroppedFolders,
    choices: core.RecordingChoices,
    seen: Mapping[Path, core.SurveyedRecording],
    watch: Progress,
) -> RecordingsReview:
    """What the choices come to. Samples are not looked at before it is known which channel is meant."""
    from zebra_core.recordings.overview import overview
    from zebra_core.recordings.recording_table import rows

    found = overview(dropped, choices, seen)
    watch(0.5)
    versions = [] if found.channels > 1 and choices.channel is None else [found.original, *found.protected]
    every = (one for version in versions if version is not None for one in version.folder.recordings)
    return RecordingsReview(
        found, rows(found, seen), tuple(one for one in every if _is_unseen(seen.get(one.path)))
    )


def _is_unseen(seen: core.SurveyedRecording | None) -> bool:
    return seen is None or (seen.measured is None and seen.fault is None)


def survey(
    recordings: Sequence[core.Recording],
    seen: Mapping[Path, core.SurveyedRecording],
    channel: int | None,
    watch: Watch,
) -> Mapping[Path, core.SurveyedRecording]:
    """Look at the samples of recordings."""
    from zebra_core.recordings.embedding import survey as look_at

    return look_at(recordings, seen, channel, watch)


def score(
    request: core.Request, out: Path, total: int, store: CountedStore, kept_in: Path | None, watch: Watch
) -> WrittenScores:
    """Hear, attack and write; what was heard stays in the store, whoever stops it."""
    from zebra_core.recordings import doubtful_copies
    from zebra_core.recordings.embedding import FolderStore
    from zebra_core.recordings.scoring import score as make_scores

    store.begin(total, watch, FolderStore(kept_in) if kept_in else None)
    scored = make_scores(request, out, store=store, on_progress=store.telling, on_begin=store.expect)
    compared = scored.compared
    known = {
        *doubtful_copies.of_pairs(compared.pairing),
        *doubtful_copies.of_speakers(compared.spoken, request.speakers),
    }
    known |= {*doubtful_copies.of_alike(scored.alike)}
    sentences = tuple(one for one in scored.sentences if one not in known)  # by whoever asked
    return WrittenScores(out, scored.compared.recogniser.name, sentences, scored.alike)


@dataclass(frozen=True, eq=False)
class LastTime:
    """A project made as another one, without items yet; and what was chosen, where it was from recordings."""

    before: core.Project
    project: core.Project
    same: core.SameAgain | None


def as_last_time(path: Path, folder: Path, on_progress: Progress) -> LastTime:
    """The choices of a saved project for a new delivery, and the project that is held against it."""
    from zebra_core.document.project_file import open_project
    from zebra_core.project.again import answers_for, as_before
    from zebra_core.project.project import Project
    from zebra_core.report.baselines import held_against

    before = open_project(path, part_of(on_progress, 0.0, 0.1)).project
    made = Project(folder.name, answers=answers_for(before, folder))
    made = held_against(as_before(made, before), path, part_of(on_progress, 0.1, 0.7))
    return LastTime(before, made, choices_of_last_time(path, before, folder, part_of(on_progress, 0.7, 1.0)))


def like_last_time(path: Path, before: core.Project, folder: Path, watch: Watch) -> core.SameAgain | None:
    """The choices of a saved project for a folder; None where its originals are not where they were then."""
    from zebra_core.recordings.folder_roles import FolderRole

    same = choices_of_last_time(path, before, folder, watch)
    return same if same and FolderRole.ORIGINAL in same.choices.roles.values() else None


def choices_of_last_time(
    path: Path, before: core.Project, folder: Path, on_progress: Progress
) -> core.SameAgain | None:
    """The choices of a saved project for another delivery; None where it was not made from recordings."""
    from zebra_core.files.access import temporary_folder
    from zebra_core.recordings.again import same_again
    from zebra_core.recordings.section import record_of_project

    with temporary_folder() as kept:
        record = record_of_project(path, before, Path(kept))
    return None if record is None else same_again(record, folder, on_progress)


def find_lesson(folder: Path, on_progress: Progress) -> core.BackgroundFolders:
    """What back ends may learn from in a folder."""
    from zebra_core.recordings import folder_roles

    return folder_roles.find_lesson(folder, on_progress)


def forget(folder: Path, _progress: Progress) -> int:
    """Remove kept embeddings."""
    from zebra_core.recordings.embedding import forget_kept

    return sum(forget_kept(folder))


def try_model(path: Path, on_progress: Progress) -> str:
    """What is said of a recogniser of the user's own that passes its test."""
    from zebra_core.recordings.onnx_recogniser import given

    found = given(path, on_progress)
    tried = say("recordings.model-tried", name=path.name, count=found.dimensions, sha256=found.sha256[:12])
    return f"{tried}\n{say('recordings.model-takes', takes=found.takes.in_words)}"


def protect(asked: ProtectionRequest, on_progress: Progress) -> ProtectedFolder:
    """Protected copies of all recordings in a folder."""
    from zebra_core.recordings import doubtful_copies, protecting
    from zebra_core.recordings.folder import look_into
    from zebra_core.recordings.speakers import who_speaks

    found = look_into(asked.folder, part_of(on_progress, 0.0, 0.02))
    how = protecting.McAdams(asked.coefficient, asked.drawn_by, asked.seed)
    of_place: Mapping[str, str] = {}
    sentences: list[str] = []
    if asked.drawn_by == "speaker" and asked.speakers is not None:
        spoken = who_speaks({str(one.place): one for one in found.recordings}, asked.speakers)
        sentences += doubtful_copies.of_speakers(spoken, asked.speakers)
        found, of_place = protecting.of_known_speakers(found, spoken), spoken.speaker
    outcome = protecting.protect(
        found,
        asked.out,
        how,
        lambda one: of_place.get(str(one.place), ""),
        on_progress=part_of(on_progress, 0.02, 1.0),
    )
    sentences += [*doubtful_copies.of_folders(found, {}), *map(str, outcome.faults)]
    if quieter := sum(one.is_quieter for one in outcome.done):
        sentences.append(say("recordings.quieter", count=quieter))
    return ProtectedFolder(asked.out, len(outcome.done), tuple(sentences))


class CountedStore:
    """What was heard, kept in memory as long as the program runs; tells how many recordings that is."""

    def __init__(self, inside: KeptInside) -> None:
        self._kept: dict[str, core.EmbeddedRecording] = {}
        self._inside = inside
        self._total, self._began, self._seconds = 0, 0.0, 0.0
        self._share, self._to_attack, self._to_assess = 1.0, 0.0, 0.0  # of hearing, and what comes after it
        self._met: set[str] = set()  # that were there before
        self._new: set[str] = set()
        self._has_all = False
        self._watch: Watch | None = None
        self._folder: core.FolderStore | None = None  # where the user wants them kept as well

    def __len__(self) -> int:
        return len(self._kept.keys() | self._inside.heard.keys())

    def begin(self, total: int, watch: Watch, folder: core.FolderStore | None = None) -> None:
        """Count from here on for this watch."""
        self._folder = folder
        self._total, self._began, self._watch = total, time.monotonic(), watch
        self._met, self._new, self._has_all = set(), set(), False
        self._share, self._to_attack, self._to_assess = 1.0, 0.0, 0.0

    def expect(self, expected: core.ExpectedWork) -> None:
        """Told what lies ahead, which begins now."""
        self._total, self._began = expected.recordings, time.monotonic()
        self._share, self._to_attack = expected.share_of_hearing, expected.attacking_as_recordings
        self._to_assess = expected.assessing_as_recordings

    def telling(self, share: float) -> None:
        """Progress, with how many recordings were heard; called in the thread of the job alone."""
        assert self._watch is not None  # noqa: S101 - `begin` comes first
        self._watch(share)
        is_attacking = self._share < 1.0 and share >= self._share
        now = len(self._new)
        before = self._total - now if is_attacking else len(self._met)  # files that are equal are met once
        if not is_attacking:
            self._seconds = time.monotonic() - self._began
        attacked = (share - self._share) / (1.0 - self._share) * self._to_attack if is_attacking else 0.0
        after = self._to_attack + self._to_assess
        hearing = HearingProgress(before, now, self._total, self._seconds, after, attacked)
        is_last, self._has_all = is_attacking and not self._has_all, is_attacking
        self._watch.give_partial(hearing, is_last=is_last)

    def get(self, key: str) -> core.EmbeddedRecording | None:
        """What is kept under a key."""
        found = self._kept.get(key) or self._inside.heard.get(key)
        if found is None and self._folder is not None:
            found = self._folder.get(key)
        if found is not None:
            self._met.add(key)
            self._keep(key, found)
        return found

    def put(self, key: str, heard: core.EmbeddedRecording) -> None:
        """Keep it."""
        self._keep(key, heard)
        self._new.add(key)

    def _keep(self, key: str, heard: core.EmbeddedRecording) -> None:
        self._kept[key] = self._inside.heard[key] = heard
        if self._folder is not None and self._folder.get(key) is None:
            self._folder.put(key, heard)

    def forget(self) -> int:
        """Forget everything; returns of how many recordings."""
        count = len(self)
        self._kept.clear()
        self._inside.heard.clear()
        return count
