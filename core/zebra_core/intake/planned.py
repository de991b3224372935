"""What a drop comes to, as values: files, assessments, questions with their alternatives, and problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from pathlib import Path
from threading import Lock

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.attack import StatedAttack
from zebra_core.evidence.audit import Finding
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.formats.reading import ColumnMeaning, Reading
from zebra_core.intake.formats.recognising import RecognisedFile, recognise
from zebra_core.intake.opening.opening import INSIDE, Source, open_source
from zebra_core.intake.opening.packing import LONGEST_NAME
from zebra_core.intake.tables.columns import text_as_before
from zebra_core.intake.tables.published import PublishedResults
from zebra_core.intake.tables.table import Dialect, FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say

Choices = Mapping[str, str]
"""The user's answers: the id of a question to the choice of one of its alternatives."""

Pair = tuple[str, str]

NO_KEY = "none"
YES, NO = "yes", "no"
LEFT_OUT = "none"  # the choice of one who does not want a file to be used
ACROSS_RUNS = "pp-across-runs"  # the choice of the setting PP where its sides are two runs of the safeguard


class Topic(Enum):
    """What a question is about."""

    READING = "reading"  # how a file is to be read
    KEY = "key"  # which key belongs to a score file
    SETTING = "setting"  # what was compared in a file of segment scores: OO, OP or PP
    SPEAKERS = "speakers"  # who speaks in segments without a map
    UNPACKING = "unpacking"  # whether what packs better than files of scores is unpacked
    SESSIONS = "sessions"  # in which session recordings were made; never asked, but remembered
    LISTENING = "listening"  # which attacker of a listening test it is; never asked, but remembered
    STREAMING = "streaming"  # whether a file is read piece by piece; never asked, but remembered


@dataclass(frozen=True)
class Alternative:
    """One answer: the text to put into the choices, in words, and the first rows as they would be read."""

    choice: str
    words: str
    preview: tuple[Mapping[ColumnMeaning, str], ...] = ()


@dataclass(frozen=True)
class Question:
    """Something that only the user can know."""

    topic: Topic
    source: Source
    alternatives: tuple[Alternative, ...]

    @property
    def id(self) -> str:
        """The id under which the answer stands in the choices."""
        return _id_of(self.topic, self.source)

    def __str__(self) -> str:
        return say(f"question.{self.topic.value}", file=self.source.name)


@dataclass(frozen=True)
class FoundFile:
    """A file of the drop: what it was taken for, and how it is written."""

    source: Source
    readings: tuple[Reading, ...]
    dialect: Dialect | None
    lines: tuple[str, ...] = ()  # the first ones, as they are
    previews: tuple[tuple[Mapping[ColumnMeaning, str], ...], ...] = ()  # of each reading
    pairs: frozenset[Pair] = frozenset()  # some of the pairs it lists
    ids: frozenset[str] = frozenset()  # some of the ids in it
    values: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # of a map, by id
    size: int = 0  # bytes, as it lies on disk
    sha256: str = ""
    alternatives: tuple[Alternative, ...] = ()  # all ways to read it, whatever was chosen or settled
    content_sha256: str = ""  # of what is read: unpacked, and of a member of an archive its own
    in_pieces: bool = False  # read piece by piece; then neither hash is known before that

    @property
    def reading(self) -> Reading:
        """The reading that was chosen, or the likeliest."""
        return self.readings[0]

    @property
    def role(self) -> FileRole:
        """What the file contributes."""
        return self.reading.role


@dataclass(frozen=True)
class PlannedAssessment(StatedAttack):
    """The files of one assessment, and by whom it was attacked, where the folders say so."""

    name: str
    scores: FoundFile
    key: FoundFile | None = None
    nontarget: FoundFile | None = None  # the second list, where `scores` are those of targets alone
    speakers: FoundFile | None = None
    attributes: tuple[FoundFile, ...] = ()  # of the speakers, one file for each attribute
    predictions: tuple[FoundFile, ...] = ()  # what a recogniser of attributes said of the recordings
    record: FoundFile | None = None  # from which recordings the scores were made, and how
    enrolled: FoundFile | None = None  # what is said in enrolled recordings, where `scores` is a transcript
    models: FoundFile | None = None  # which recordings make which model, where `speakers` does not say so
    rule: SpeakerRule | None = None  # who speaks, in a transcript or a matrix for which there is no map
    condition: str | None = None  # OO, OP or PP, where the folders say so
    dataset: str = ""  # of whose speech, where the folders say so
    run: str = ""  # which instance of the safeguard, where the folders say so
    findings: tuple[Finding, ...] = ()  # what was found when files were sorted out; a part of its audit

    @property
    def place(self) -> str:
        """The place of its scores, under which its decisions stand; no other assessment of a drop has it."""
        return self.scores.source.place

    @property
    def files(self) -> tuple[FoundFile, ...]:
        """All files that take part."""
        of_trials = (self.scores, self.nontarget, self.key, self.speakers)
        beside = (self.enrolled, self.models, *self.attributes, *self.predictions, self.record)
        return tuple(file for file in (*of_trials, *beside) if file)

    @property
    def is_by_words(self) -> bool:
        """Whether its scores are computed from the words of transcripts."""
        return self.scores.role is FileRole.TRANSCRIPT

    @property
    def in_pieces(self) -> bool:
        """Whether its trials are only counted, because a file of it is read piece by piece."""
        return any(file.in_pieces for file in self.files)

    @property
    def choices(self) -> dict[str, str]:
        """The choices that make this assessment, and no other, of its files."""
        made = {reading_id(file.source): file.reading.choice for file in self.files}
        made |= {streaming_id(file.source): YES for file in self.files if file.in_pieces}
        made |= _unpacked_as_asked(self.files)
        made |= {speakers_id(self.scores.source): self.rule.value} if self.rule else {}
        return {**made, key_id(self.scores.source): self.key.source.place} if self.key else made


@dataclass(frozen=True)
class PlannedSimilarity:
    """The files of the similarity matrices of one safeguard: segment scores of up to three settings."""

    name: str
    oo: FoundFile | None
    op: FoundFile | None
    pp: FoundFile | None
    speakers: FoundFile | SpeakerRule
    dataset: str = ""  # of whose speech, where the folders say so
    run: str = ""  # which instance of the safeguard, where names say so
    across_runs: bool = False  # PP compares one run of the safeguard with another
    sex: FoundFile | None = None  # of the speakers
    findings: tuple[Finding, ...] = ()  # what was found when files were sorted out

    @property
    def settings(self) -> dict[str, FoundFile]:
        """The score files there are, by "oo", "op" and "pp"."""
        given = {"oo": self.oo, "op": self.op, "pp": self.pp}
        return {setting: file for setting, file in given.items() if file is not None}

    @property
    def condition(self) -> str | None:
        """None: the matrices are of several conditions."""
        return None

    @property
    def place(self) -> str:
        """The place of a file that no other matrices have; originals may be shared by several safeguards."""
        return (self.op or self.pp or self.oo or next(iter(self.files))).source.place

    @property
    def files(self) -> tuple[FoundFile, ...]:
        """All files that take part."""
        speakers = () if isinstance(self.speakers, SpeakerRule) else (self.speakers,)
        return (*self.settings.values(), *speakers, *((self.sex,) if self.sex else ()))

    @property
    def choices(self) -> dict[str, str]:
        """The choices that make this, and nothing else, of its files."""
        made = {reading_id(file.source): file.reading.choice for file in self.files}
        across = {"pp": ACROSS_RUNS} if self.across_runs else {}
        made |= {setting_id(file.source): across.get(one, one) for one, file in self.settings.items()}
        made |= _unpacked_as_asked(self.files)
        if isinstance(self.speakers, SpeakerRule):
            made |= {speakers_id(file.source): self.speakers.value for file in self.settings.values()}
        return made


Planned = PlannedAssessment | PlannedSimilarity
"""Whatever a drop can come to."""


@dataclass(frozen=True)
class Problem:
    """A file that nothing can be made of, and why."""

    source: Source
    error: ZebraError


@dataclass(frozen=True)
class Plan:
    """What a drop comes to."""

    files: tuple[FoundFile, ...] = ()
    assessments: tuple[PlannedAssessment, ...] = ()
    similarities: tuple[PlannedSimilarity, ...] = ()
    questions: tuple[Question, ...] = ()
    unused: tuple[FoundFile, ...] = ()
    published: tuple[PublishedResults, ...] = ()  # result files, which say what others computed
    problems: tuple[Problem, ...] = ()
    transcripts: tuple[Source, ...] = ()  # what was said, and what was understood of it
    emotions: tuple[Source, ...] = ()  # of recordings: labels, and what a recogniser of emotion said
    ignored: tuple[Problem, ...] = ()  # what lay in folders and archives beside them and is nothing of ours

    @property
    def planned(self) -> tuple[Planned, ...]:
        """Everything that the files come to: assessments, then similarity matrices."""
        return (*self.assessments, *self.similarities)


def reading_id(source: Source) -> str:
    """The id under which choices say how a file is to be read."""
    return _id_of(Topic.READING, source)


def key_id(source: Source) -> str:
    """The id under which choices say which key belongs to a score file."""
    return _id_of(Topic.KEY, source)


def setting_id(source: Source) -> str:
    """The id under which choices say what was compared in a file of segment scores."""
    return _id_of(Topic.SETTING, source)


def speakers_id(source: Source) -> str:
    """The id under which choices say who speaks in the segments of a file."""
    return _id_of(Topic.SPEAKERS, source)


def unpacking_id(source: Source) -> str:
    """The id under which choices say whether a file is unpacked, however well it packs."""
    return _id_of(Topic.UNPACKING, source)


def unpacking_answer(path: Path, choices: Choices) -> str | None:
    """The choice for unpacking this file, a member of it, or all files; None where nobody said anything."""
    about = unpacking_id(Source(path))
    inside = (choice for name, choice in choices.items() if name.startswith(about + INSIDE))
    return choices.get(about, next(inside, choices.get(Topic.UNPACKING.value)))


def unasked(choices: Choices, *, any_ratio: bool = False) -> dict[str, str]:
    """These choices where nobody can be asked: what they do not allow to be unpacked is refused."""
    return {Topic.UNPACKING.value: YES if any_ratio else NO, **choices}


def unpacking_question(path: Path) -> Question:
    """May this file be unpacked?"""
    said = tuple(Alternative(choice, say(f"question.unpacking-{choice}")) for choice in (YES, NO))
    return Question(Topic.UNPACKING, Source(path), said)


def _unpacked_as_asked(files: Iterable[FoundFile]) -> dict[str, str]:
    return {unpacking_id(file.source): YES for file in files if file.source.any_ratio}


def streaming_id(source: Source) -> str:
    """The id under which choices say YES or NO to reading a file piece by piece; else its size decides."""
    return _id_of(Topic.STREAMING, source)


def _id_of(topic: Topic, source: Source) -> str:
    return f"{topic.value}:{source.place}"


# What the files of a drop hold, between telling what they are and reading them: each is opened once.


_MOST_BYTES = 128 << 20  # of what is kept; larger files are opened again


class Contents:
    """Recognised files that wait to be read, within bounds, each given out once; for threads."""

    def __init__(self) -> None:
        self._waiting: dict[Source, RecognisedFile] = {}
        self._bytes = 0
        self._lock = Lock()

    def keep(self, recognised: RecognisedFile) -> None:
        """Keep a file until it is read, as long as there is room."""
        size = _held(recognised)
        with self._lock:
            if self._bytes + size <= _MOST_BYTES and recognised.source not in self._waiting:
                self._waiting[recognised.source] = recognised
                self._bytes += size

    def read(self, file: FoundFile, on_progress: Progress = no_progress) -> Table | SpeakerMap:
        """Read a file by its likeliest reading; from disk where it is not kept. Raises InputError."""
        return _bounded(self._read(file, on_progress))

    def _read(self, file: FoundFile, on_progress: Progress) -> Table | SpeakerMap:
        with self._lock:
            if (kept := self._waiting.pop(file.source, None)) is not None:
                self._bytes -= _held(kept)
        if kept is None or kept.file.sha256 != file.sha256:
            return read_found(file, on_progress)
        if kept.text and file.dialect and _is_list(file):
            return file.reading.read(replace(kept.text, dialect=file.dialect), on_progress)
        return kept.read(on_progress, file.reading)

    def table(self, file: FoundFile, on_progress: Progress = no_progress) -> Table:
        """Read a file whose likeliest reading makes a table, as `read` does. Raises InputError."""
        found = self.read(file, on_progress)
        assert isinstance(found, Table)  # noqa: S101 - its role says so
        return found


def read_found(file: FoundFile, on_progress: Progress = no_progress) -> Table | SpeakerMap:
    """Read a file of a drop from disk by its likeliest reading. Raises InputError."""
    if file.in_pieces:
        raise InputError("read-in-pieces", file=file.source.name)
    opened = open_source(file.source, part_of(on_progress, 0.0, 0.3))
    rest, reading = part_of(on_progress, 0.3, 1.0), file.reading
    if _is_list(file) and file.dialect and opened.sha256 == file.sha256:
        return _bounded(reading.read(text_as_before(opened, file.dialect), rest))
    return _bounded(recognise(opened).read(rest, reading))


def _bounded(found: Table | SpeakerMap) -> Table | SpeakerMap:
    """What was read, whose ids and words are none too long to be names; transcripts have whole texts."""
    if isinstance(found, Table):
        names = chain.from_iterable(ids.names for ids in (found.enrol, found.test) if ids)
    else:
        names = chain(found.of, () if found.role is FileRole.TRANSCRIPT else found.of.values())
    longest = max(names, key=len, default="")
    if len(longest) > LONGEST_NAME:
        raise InputError("id-too-long", file=found.file.name, found=longest, most=LONGEST_NAME)
    return found


def _is_list(file: FoundFile) -> bool:
    return file.reading.by is None and file.reading.by_file is None


def _held(recognised: RecognisedFile) -> int:
    content, text = recognised.file.content, recognised.text
    return len(content) + (len(text.content) if text and text.content is not content else 0)
