"""The files of one drop on their way into a plan: recognised, told apart, and joined to assessments."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import ID_MAPPINGS
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import size_of, unreadable
from zebra_core.intake.formats import json_scores
from zebra_core.intake.formats.attributes import ATTRIBUTES, PREDICTIONS
from zebra_core.intake.formats.others import AS_SAID, SEX
from zebra_core.intake.formats.reading import SQUARE, Reading
from zebra_core.intake.formats.recognising import RecognisedFile, not_recognised, recognise
from zebra_core.intake.formats.speakers import GENDER, SEGMENT_FIRST
from zebra_core.intake.matching import matching
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile, Source, files_below, open_all
from zebra_core.intake.planned import (
    LEFT_OUT,
    NO_KEY,
    YES,
    Alternative,
    Choices,
    Contents,
    FoundFile,
    Pair,
    PlannedAssessment,
    PlannedSimilarity,
    Problem,
    Question,
    Topic,
    key_id,
    speakers_id,
    unpacking_answer,
    unpacking_question,
)
from zebra_core.intake.sorting import naming, scoring_records, word_plan
from zebra_core.intake.sorting.recognised import alternatives_of, as_question, chosen_reading, found_file
from zebra_core.intake.sorting.segment_plan import map_for, plan_segments, who_speaks
from zebra_core.intake.streaming.pieces import recognise_beginning
from zebra_core.intake.tables.published import PublishedResults, published_in
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import LastUsed, Progress, no_progress
from zebra_core.wording.texts import say

# The keys of a drop: each read once, however many score files it belongs to, and looked up in.


_MOST_BYTES = 256 << 20  # of the files behind the tables that are kept


class KeyTables:
    """The keys of a drop, read when first needed and kept, those used last and within bounds; for threads.

    One that cannot be read is not tried again for the next score file.

    `contents` are its files that were told apart and not yet read, keys among them.
    """

    def __init__(self) -> None:
        self.contents = Contents()
        self._tables = LastUsed[Table](_MOST_BYTES)
        self._broken: dict[tuple[Source, str, str], InputError] = {}
        self._locks: dict[Source, Lock] = {}
        self._lock = Lock()

    def table(self, key: FoundFile, on_progress: Progress = no_progress) -> Table:
        """The table of a key. Raises InputError."""
        name = (key.source, key.reading.choice, key.sha256)
        with self._lock:
            reading = self._locks.setdefault(key.source, Lock())
        with reading:  # whoever comes second waits for the first instead of reading as well
            if (known := self._tables.find(name)) is not None:
                return known
            with self._lock:
                if (refusal := self._broken.get(name)) is not None:
                    raise refusal
            try:
                read = self.contents.table(key, on_progress)
            except InputError as error:
                with self._lock:
                    self._broken[name] = error
                raise
            self._tables.keep(name, read, len(read.file.content))
            return read

    def read_ahead(self, key: FoundFile, on_progress: Progress = no_progress) -> None:
        """Read a key that will be looked into, as long as there is room to keep it."""
        if key.size <= self._tables.has_room_for:
            self._sides(key, on_progress)

    def share(self, key: FoundFile, pairs: frozenset[Pair], on_progress: Progress = no_progress) -> bool:
        """Whether a key lists at least half of these pairs; of one read in pieces, any id."""
        if key.in_pieces:
            return any(a in key.ids or b in key.ids for a, b in pairs)
        sides = self._sides(key, on_progress)
        return sides is not None and 2 * matching.count_shared(sides, pairs) >= max(1, len(pairs))

    def resemble(self, key: FoundFile, pairs: frozenset[Pair], on_progress: Progress = no_progress) -> bool:
        """Whether at least half of these pairs are of ids that the key has, however they are spelt."""
        sides = self._sides(key, on_progress)
        if not sides:
            return False
        way = matching.IdMapping(frozenset(ID_MAPPINGS))
        enrol, test = ({way(name) for name in ids.names} for ids in sides)
        return 2 * sum(way(a) in enrol and way(b) in test for a, b in pairs) >= max(1, len(pairs))

    def _sides(self, key: FoundFile, on_progress: Progress) -> matching.Sides | None:
        on_progress(0.0)
        try:
            return self.table(key).sides
        except (ZebraError, MemoryError):  # told when the assessment is made
            return None


OF_LISTENERS = {
    ".zebra-listening": "listening-test-dropped",
    ".zebra-answers": "listening-answers-dropped",
}
"""Files of listening tests, which have a way of their own."""

_TRANSCRIPTS = frozenset(reading.choice for reading in AS_SAID)

_Found = FoundFile | Problem | PublishedResults | Question


@dataclass
class Sorter:
    """The files of one drop on their way into a plan."""

    choices: Choices
    tables: KeyTables
    files: list[FoundFile] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    published: list[PublishedResults] = field(default_factory=list)
    given: frozenset[Path] = frozenset()  # files and folders themselves

    def look_at(self, paths: Iterable[Path], on_progress: Progress) -> list[Problem]:
        """Open and recognise everything; what cannot be is returned."""
        problems: list[Problem] = []
        self.given = frozenset(paths := tuple(paths))
        try:
            closed: list[OSError] = []
            links: list[Path] = []
            below = files_below(paths, closed.append, links.append)
        except InputError as error:
            return [Problem(Source(Path(str(error.facts["file"]))), error)]
        for refused in closed:
            folder = Path(os.fsdecode(refused.filename))
            problems.append(Problem(Source(folder), unreadable(folder.name, refused)))
        problems += [Problem(Source(link), InputError("linked-folder", file=link.name)) for link in links]
        size = sum(size_of(path) or 0 for path in below)
        looked_into = each(self._look_into, below, on_progress, size)
        for found in (one for several in looked_into for one in several):
            if isinstance(found, Problem):
                problems.append(found)
            elif isinstance(found, Question):
                if found not in self.questions:  # as members of one archive ask
                    self.questions.append(found)
            elif isinstance(found, PublishedResults):
                self.published.append(found)
            else:
                self.files.append(found)
        return problems

    def _look_into(self, path: Path, on_progress: Progress) -> list[_Found]:
        if path.suffix in OF_LISTENERS:
            return [Problem(Source(path), InputError(OF_LISTENERS[path.suffix], file=path.name))]
        try:
            if (beginning := recognise_beginning(path, self.choices)) is not None:
                return [self._found(beginning)]
            left_out: list[str] = []
            may = unpacking_answer(path, self.choices)
            files = open_all(path, on_progress, left_out.append, any_ratio=may == YES)
            found = [published_in(file) or self._recognise(file) for file in files]
            return [*found, *(_left_out(Source(path, name)) for name in left_out)]
        except ZebraError as error:
            return [self._refused(Source(path), error)]
        except MemoryError:
            return [_too_large(Source(path))]

    def _refused(self, source: Source, error: ZebraError) -> Problem | Question:
        """Why nothing is made of a file; or the question whether it may be unpacked."""
        if error.code == packing.TOO_MUCH and unpacking_answer(source.path, self.choices) is None:
            return unpacking_question(source.path)
        return Problem(source, error)

    def _recognise(self, file: OpenedFile) -> FoundFile | Problem | Question:
        try:
            recognised = recognise(file)
            self.tables.contents.keep(recognised)
            return self._found(recognised)
        except ZebraError as error:
            return self._refused(file.source, error)
        except MemoryError:
            return _too_large(file.source)

    def _found(self, recognised: RecognisedFile) -> FoundFile | Problem | Question:
        file = recognised.file
        try:
            choice = chosen_reading(file.source, self.choices)
            if not recognised.readings and choice not in _TRANSCRIPTS:
                return Problem(file.source, not_recognised(recognised))
            found = found_file(recognised)
            chosen = found_file(recognised.chosen(choice)) if choice else found
            return replace(chosen, alternatives=alternatives_of(found))
        except ZebraError as error:
            return self._refused(file.source, error)

    def take_words(
        self, problems: Sequence[Problem], transcripts: Sequence[Source]
    ) -> tuple[list[Problem], tuple[Source, ...]]:
        """Take transcripts for what is compared where there is a key without scores; what is left over."""
        refused = [one.source for one in problems if one.error.code in word_plan.CANDIDATES]
        if not word_plan.needs_words(self.files):
            return list(problems), tuple(transcripts)
        found = word_plan.transcripts_among((*transcripts, *refused), self.files)
        self.files += found
        taken = {file.source for file in found}
        left = tuple(source for source in transcripts if source not in taken)
        return [one for one in problems if one.source not in taken], left

    def settle_readings(self) -> None:
        """Where a file can be read in several ways, what the others are may settle it; else it is asked."""
        sure = {file.role for file in self.files if len(file.readings) == 1}
        lists = [file for file in self.files if file.pairs]
        for position, file in enumerate(self.files):
            if len(file.readings) > 1:
                self.files[position] = settled = _settled(_speakers_or_words(file, lists), sure)
                if len(settled.readings) > 1:
                    self.questions.append(as_question(settled))

    def sorted_out(
        self, on_progress: Progress
    ) -> tuple[list[PlannedAssessment], Sequence[PlannedSimilarity]]:
        """What the files make together, as far as it is clear."""
        self.files[:] = told_apart(self.files)
        clear = [file for file in self.files if len(file.readings) == 1]
        keys = [file for file in clear if file.role is FileRole.KEY]
        if len(keys) > 1:
            each(self.tables.read_ahead, keys, on_progress, sum(key.size for key in keys))

        def has_key(file: FoundFile) -> bool:
            chosen = self.choices.get(key_id(file.source), NO_KEY) != NO_KEY
            return chosen or any(self.tables.share(key, file.pairs, on_progress) for key in keys)

        segments = plan_segments([file for file in clear if not file.in_pieces], self.choices, has_key)
        self.questions += segments.questions
        taken = {file.source for file in segments.files}
        rest = [file for file in clear if file.source not in taken]
        return self._assessments(rest, keys, on_progress), segments.similarities

    def _assessments(
        self, clear: Sequence[FoundFile], keys: Sequence[FoundFile], on_progress: Progress
    ) -> list[PlannedAssessment]:
        maps = [
            file for file in clear if file.role is FileRole.SPEAKERS and file.reading.format != "spk2gender"
        ]
        planned = [
            assessment
            for file in clear
            if file.role in (FileRole.SCORES, FileRole.BOTH)
            for assessment in self._with_key(file, keys, on_progress)
        ]
        planned += self._from_two_lists(clear)
        spoken = [self._spoken(replace(one, speakers=map_for(one.scores, maps))) for one in planned]
        planned = [one for one in spoken if one is not None]
        by_words, questions = word_plan.planned_by_words(clear, self.choices, which_key)
        self.questions += questions
        planned = with_attributes([*planned, *by_words], clear, self.given)
        planned = naming.named_by_folders(scoring_records.with_records(planned, clear), keys)
        return [word_plan.named_as_words(one) for one in planned]

    def _spoken(self, planned: PlannedAssessment) -> PlannedAssessment | None:
        """The assessment; None where who speaks in a matrix is to be asked, or it is left out."""
        if planned.speakers:
            return planned
        about = speakers_id(planned.scores.source)
        rule = self.choices.get(about, self.choices.get(Topic.SPEAKERS.value))
        if not planned.key and planned.scores.reading == SQUARE:
            if rule is None:
                self.questions.append(who_speaks(planned.scores))
            return None if rule in (None, LEFT_OUT) else replace(planned, rule=SpeakerRule(rule))
        return replace(planned, rule=next((one for one in SpeakerRule if one.value == rule), None))

    def _with_key(
        self, scores: FoundFile, keys: Sequence[FoundFile], on_progress: Progress
    ) -> list[PlannedAssessment]:
        needs_key = scores.role is FileRole.SCORES
        if not keys or not (needs_key or scores.reading.format == "matrix"):
            return [] if needs_key else [_planned(scores, None)]
        choice = self.choices.get(key_id(scores.source))
        if choice == NO_KEY:
            return []
        if chosen := [key for key in keys if key.source.place == choice]:
            return [_planned(scores, chosen[0])]
        fitting = self._keys_for(scores, keys, on_progress)
        if not fitting:
            return [] if needs_key else [_planned(scores, None)]
        if len(fitting) == 1:
            return [_planned(scores, fitting[0])]
        self.questions.append(which_key(scores, fitting))
        return []

    def _keys_for(
        self, scores: FoundFile, keys: Sequence[FoundFile], on_progress: Progress
    ) -> list[FoundFile]:
        """The keys that share ids with the scores, chosen by folder where there are several.

        A single key is always the one for mere scores.
        """
        beside = [key for key in keys if key.source.place == scores.source.place + json_scores.BESIDE]
        if beside or (len(keys) == 1 and scores.role is FileRole.SCORES):
            return beside or list(keys)
        called_after = _called_after(scores, keys)
        if called_after and all(self.tables.share(key, scores.pairs, on_progress) for key in called_after):
            return called_after  # no other needs to be looked into
        candidates = [key for key in keys if self.tables.share(key, scores.pairs, on_progress)]
        if not candidates and scores.role is FileRole.SCORES:
            # Ids may be spelt differently; the audit will tell and offer a mapping.
            candidates = [key for key in keys if self.tables.resemble(key, scores.pairs, on_progress)]
        if len(candidates) < 2:
            return candidates
        if called_after := _called_after(scores, candidates):
            return called_after
        sources = {key.source: key for key in candidates}
        return [sources[source] for source in naming.nearest(scores.source, sources)]

    def _from_two_lists(self, clear: Sequence[FoundFile]) -> list[PlannedAssessment]:
        """Lists of target and of nontarget scores, folder by folder."""
        targets = [file for file in clear if file.role is FileRole.TARGET_SCORES]
        others = [file for file in clear if file.role is FileRole.NONTARGET_SCORES]
        if len(targets) == len(others) == 1:
            return [_planned(targets[0], None, others[0])]
        planned = []
        for target in targets:
            beside = [file for file in others if file.source.folders[:-1] == target.source.folders[:-1]]
            if len(beside) == 1:
                planned.append(_planned(target, None, beside[0]))
        return planned


def _called_after(scores: FoundFile, keys: Sequence[FoundFile]) -> list[FoundFile]:
    """The keys that the folder of the scores is called after; copies of one key are one key."""
    sources = {key.source: key for key in keys}
    found = [sources[source] for source in naming.keys_by_layout(scores.source, sources)]
    contents = {key.content_sha256 for key in found}
    return found[:1] if len(contents) == 1 and "" not in contents else found


def _settled(file: FoundFile, sure: set[FileRole]) -> FoundFile:
    """The file with the readings that make sense beside what the other files surely are; else as it is."""
    wanted: tuple[FileRole, ...] = ()
    if FileRole.TARGET_SCORES in sure and FileRole.NONTARGET_SCORES not in sure:
        wanted = (FileRole.NONTARGET_SCORES,)
    elif FileRole.NONTARGET_SCORES in sure and FileRole.TARGET_SCORES not in sure:
        wanted = (FileRole.TARGET_SCORES,)
    elif FileRole.KEY in sure and not sure & {FileRole.SCORES, FileRole.BOTH}:
        wanted = (FileRole.SCORES,)
    elif {FileRole.SCORES, FileRole.TRANSCRIPT} & sure and FileRole.KEY not in sure:
        wanted = (FileRole.KEY,)
    kept = [n for n, reading in enumerate(file.readings) if reading.role in wanted]
    if not kept:
        return file
    return replace(
        file,
        readings=tuple(file.readings[n] for n in kept),
        previews=tuple(file.previews[n] for n in kept),
    )


def _planned(
    scores: FoundFile, key: FoundFile | None, nontarget: FoundFile | None = None
) -> PlannedAssessment:
    return PlannedAssessment(naming.name_of(scores.source), scores, key, nontarget)


def which_key(scores: FoundFile, keys: Sequence[FoundFile]) -> Question:
    """Which of these keys belongs to these scores?"""
    alternatives = [Alternative(key.source.place, key.source.name, key.previews[0]) for key in keys]
    none = Alternative(NO_KEY, say("question.no-key"))
    return Question(Topic.KEY, scores.source, (*alternatives, none))


def _too_large(source: Source) -> Problem:
    return Problem(source, InputError("file-memory", file=source.name))


def _left_out(source: Source) -> Problem:
    return Problem(source, InputError("left-out-of-archive", file=source.name))


def _speakers_or_words(file: FoundFile, lists: Sequence[FoundFile]) -> FoundFile:
    """The file; as a speaker map where it may be a transcript, but surely is none or not of these lists."""
    if [reading.role for reading in file.readings] != [FileRole.SPEAKERS, FileRole.TRANSCRIPT]:
        return file
    enrolled = {pair[0] for one in lists for pair in one.pairs}
    name = file.source.folders[-1].lower()
    is_map = "spk" in name or "speaker" in name or enrolled.intersection(file.values.values())
    if is_map or not any(file.ids & one.ids for one in lists):
        return replace(file, readings=file.readings[:1], previews=file.previews[:1])
    return file


# Which files of two columns in a drop say attributes of speakers, or what a recogniser said of recordings.
#
# A line of two words may be a segment and its speaker, a speaker and their accent, or a recording and
# what a recogniser heard in it. The ids of the lists that came along tell them apart: attributes are of
# speakers and of no recording; predictions are of recordings and use the words of an attribute.


def told_apart(files: Sequence[FoundFile]) -> list[FoundFile]:
    """The files, with those of two columns read as what they are; a list of genders stays one."""
    lists = [file for file in files if len(file.readings) == 1 and file.pairs]
    enrolled, heard = (frozenset(pair[side] for file in lists for pair in file.pairs) for side in (0, 1))
    if not lists:
        return list(files)
    maps = _maps(files, enrolled, heard)
    speakers = enrolled.union(*(one.values.values() for one in maps)) - heard
    made = [
        _read_as(file, ATTRIBUTES)
        if file.readings == (SEGMENT_FIRST,) and _is_of_speakers(file, speakers, heard)
        else file
        for file in files
    ]
    words = {word for file in made if _says_attributes(file, speakers) for word in _words(file)}
    return [
        _read_as(file, PREDICTIONS)
        if file.readings in ((SEGMENT_FIRST,), (GENDER,), (ATTRIBUTES,))
        and file.ids & heard
        and not file.ids & speakers
        and words & _words(file)
        else file
        for file in made
    ]


def with_attributes(
    planned: Sequence[PlannedAssessment], files: Sequence[FoundFile], given: Container[Path] = ()
) -> list[PlannedAssessment]:
    """Assessments with the attributes of their speakers, and with what was predicted of their recordings.

    An attribute that all speakers share says nothing and is left, unless its file itself was given.
    Predictions belong to the only assessment of their recordings, or to those whose scores lie in their
    folder. What is read piece by piece has none.
    """
    known = [file for file in files if file.reading in (ATTRIBUTES, GENDER, SEX)]
    said = [file for file in files if file.role is FileRole.PREDICTIONS]
    found = []
    for one in planned:
        of_these = [(file, _n_values(one, file)) for file in known if not one.in_pieces]
        mine = _each_once([file for file, n in of_these if n > (file.source.path not in given)])
        fitting = [file for file in said if mine and _belongs(file, one, planned)]
        found.append(replace(one, attributes=tuple(mine), predictions=tuple(_one_for_each(mine, fitting))))
    return found


def _maps(files: Sequence[FoundFile], enrolled: frozenset[str], heard: frozenset[str]) -> list[FoundFile]:
    """The files that say who speaks in the recordings.

    Where one surely does, or recordings are called after who is enrolled, another that uses the words of an
    attribute does not: it says what a recogniser heard.
    """
    pairs = [one for one in files if one.readings[:1] == (SEGMENT_FIRST,)]
    maps = [one for one in pairs if one.ids & heard]
    sure = [one for one in maps if _is_map(one) or enrolled.intersection(one.values.values())]
    if not sure and not all(any(name.startswith(one) for one in enrolled) for name in heard):
        return maps
    people = enrolled.union(*(one.values.values() for one in sure))
    of_people = [one for one in pairs if one.ids & people and not one.ids & heard]
    words = {word for one in of_people for word in one.values.values()}
    return [one for one in maps if one in sure or not words.intersection(one.values.values())]


def _is_map(file: FoundFile) -> bool:
    """Whether each id begins with its word, as that of a segment with its speaker's."""
    return all(one.startswith(word) for one, word in file.values.items())


def _words(file: FoundFile) -> set[str]:
    """What it says, in small letters: where F and f meet, they are the same attribute, and that is told."""
    return set(map(str.casefold, file.values.values()))


def _read_as(file: FoundFile, reading: Reading) -> FoundFile:
    return replace(file, readings=(reading,), previews=((),))


def _is_of_speakers(file: FoundFile, speakers: frozenset[str], heard: frozenset[str]) -> bool:
    """Whether it knows speakers and no recording, and says of many what it says of others.

    A map of enrolled models says who they are of: by a word that their ids begin with, or that none shares.
    """
    if file.ids & heard or not file.ids & speakers:
        return False
    words = set(file.values.values())
    return not _is_map(file) and 2 * len(words) <= len(file.values) and not words & speakers


def _says_attributes(file: FoundFile, speakers: frozenset[str]) -> bool:
    return file.readings in ((ATTRIBUTES,), (GENDER,), (SEX,)) and bool(file.ids & speakers)


def _n_values(one: PlannedAssessment, file: FoundFile) -> int:
    """How many values of the attribute the speakers of these trials have.

    They are those of the map of speakers, and those in the lines that were looked at, which in a sorted list
    may all be of one value.
    """
    who = one.speakers.values if one.speakers else {}
    people = {who.get(name, name) for pair in one.scores.pairs for name in pair} | set(who.values())
    return len({file.values[name] for name in people if name in file.values})


def _each_once(files: Sequence[FoundFile]) -> list[FoundFile]:
    """Copies of one file are one."""
    return list({tuple(sorted(file.values.items())): file for file in reversed(files)}.values())[::-1]


def _belongs(said: FoundFile, one: PlannedAssessment, planned: Sequence[PlannedAssessment]) -> bool:
    of_these = [each for each in planned if said.ids & {pair[1] for pair in each.scores.pairs}]
    if len(of_these) == 1:
        return of_these[0] is one
    return one in of_these and said.source.folders[:-1] == one.scores.source.folders[:-1]


def _one_for_each(attributes: Sequence[FoundFile], said: Sequence[FoundFile]) -> list[FoundFile]:
    """The predictions of each attribute, by their words; where there are several of one, none is chosen."""
    chosen = []
    for attribute in attributes:
        fitting = [file for file in said if _words(attribute) & _words(file)]
        chosen += fitting if len(fitting) == 1 else []
    return list({file.source: file for file in chosen}.values())
