"""The files of one drop on their way into a plan: recognised, told apart, and joined to assessments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.opening import size_of, unreadable
from zebra_core.intake.formats import json_scores
from zebra_core.intake.formats.matrix import SQUARE
from zebra_core.intake.formats.recognising import RecognisedFile, not_recognised, recognise
from zebra_core.intake.formats.transcripts import AS_SAID
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile, Source, files_below, open_all
from zebra_core.intake.planned import (
    LEFT_OUT,
    NO_KEY,
    YES,
    Alternative,
    Choices,
    FoundFile,
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
from zebra_core.intake.sorting import attributes, layouts, naming, scoring_records, word_plan
from zebra_core.intake.sorting.keys import KeyTables
from zebra_core.intake.sorting.recognised import alternatives_of, as_question, chosen_reading, found_file
from zebra_core.intake.sorting.segment_plan import map_for, plan_segments, who_speaks
from zebra_core.intake.streaming.large import recognise_beginning
from zebra_core.intake.tables.published import PublishedResults, published_in
from zebra_core.intake.tables.table import FileRole
from zebra_core.runtime.parallel import each
from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import say

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
        self.files[:] = attributes.told_apart(self.files)
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
        planned = attributes.with_attributes([*planned, *by_words], clear, self.given)
        planned = naming.named_by_folders(scoring_records.with_records(planned, clear), keys)
        return [word_plan.named_as_words(one) for one in planned]

    def _spoken(self, planned: PlannedAssessment) -> PlannedAssessment | None:
        """The assessment; None where who speaks in a matrix is to be asked, or it is left out."""
        if planned.key or planned.speakers or planned.scores.reading != SQUARE:
            return planned
        about = speakers_id(planned.scores.source)
        rule = self.choices.get(about, self.choices.get(Topic.SPEAKERS.value))
        if rule is None:
            self.questions.append(who_speaks(planned.scores))
        return None if rule in (None, LEFT_OUT) else replace(planned, rule=SpeakerRule(rule))

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
        return [sources[source] for source in layouts.nearest(scores.source, sources)]

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
    found = [sources[source] for source in layouts.keys_by_layout(scores.source, sources)]
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
