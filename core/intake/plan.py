"""A drop sorted out: which files make which assessments, what stays unclear, and what belongs to nothing.

`plan(paths, choices)` is a pure function of the files and of the user's choices: to answer a question, add
its `id` with the `choice` of one of its alternatives to the choices, and plan again. Choices are plain texts,
so a project can keep them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.counts import CountedTrials
from core.errors import InputError, ZebraError
from core.intake import layouts, naming
from core.intake.audit import Audit
from core.intake.auditing import make_trials
from core.intake.counted import count_planned
from core.intake.decisions import Decision, decisions
from core.intake.dialect import Dialect
from core.intake.formats.reading import Part, Reading
from core.intake.keys import KeyTables, read_found, table_of
from core.intake.large import recognise_beginning
from core.intake.opening import OpenedFile, Source, files_below, open_all
from core.intake.planned import (
    NO_KEY,
    Alternative,
    Choices,
    FoundFile,
    Pair,
    Plan,
    Planned,
    PlannedAssessment,
    PlannedSimilarity,
    Problem,
    Question,
    Topic,
    key_id,
    reading_id,
)
from core.intake.published import PublishedResults, published_in
from core.intake.recognising import Recognised, not_recognised, recognise
from core.intake.segment_plan import map_for, plan_segments
from core.intake.tables import Role, SpeakerMap, joined
from core.parallel import each
from core.progress import Progress, no_progress, part_of
from core.texts import say
from core.trials import Trials

_SAMPLED_PAIRS = 40
_NOTHING_OF_OURS = frozenset(
    {
        "not-recognised",
        "binary",
        "empty",
        "office-document",
        "array-without-ids",
        "arrays-unclear",
        "hdf5-unclear",
    }
)


def plan(
    paths: Iterable[Path],
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
    keys: KeyTables | None = None,
) -> Plan:
    """Sort the files of one drop, folders and archives included, into assessments.

    Raises nothing about single files: what is wrong with them is among the problems. Keys that had to be
    read are kept in `keys`.
    """
    sorter, given = _Sorter(choices or {}, keys or KeyTables()), tuple(paths)
    problems = sorter.look_at(given, part_of(on_progress, 0.0, 0.7))
    sorter.settle_readings()
    assessments, similarities = sorter.sorted_out(part_of(on_progress, 0.7, 1.0))
    assessments, copies = naming.each_baseline_once(assessments)
    similarities, same_again = naming.each_set_of_matrices_once(similarities)
    everything: tuple[Planned, ...] = (*assessments, *similarities)
    used = {file.source for planned in everything for file in planned.files}
    asked = {question.source for question in sorter.questions}
    published = tuple(sorter.published)
    if not assessments:  # nothing to compare them with
        alone = [one.source for one in published if one.source.path in given]
        problems += [Problem(one, InputError("published-alone", file=one.name)) for one in alone]
    rest = [file for file in sorter.files if file.source not in used | asked]
    beside = _beside(rest, assessments, (*copies, *same_again), given)
    unused = tuple(file for file in rest if file not in beside)
    on_progress(1.0)
    ignored = tuple(problem for problem in problems if _is_only_beside(problem, given))
    return Plan(
        tuple(sorter.files),
        tuple(assessments),
        tuple(similarities),
        tuple(sorter.questions),
        unused,
        published,
        beside,
        tuple(problem for problem in problems if problem not in ignored),
        ignored,
    )


def audit_planned(
    planned: PlannedAssessment,
    allow: Iterable[str | Decision] = (),
    on_progress: Progress = no_progress,
    keys: KeyTables | None = None,
) -> tuple[Trials | CountedTrials | None, Audit]:
    """Read, match and audit: the trials, or None and the errors in the audit.

    Trials of files that are too large to be held are only counted. Keys that are among `keys` are not read
    again. Raises InputError for what keeps a file from being read.
    """
    chosen = decisions(allow)
    if planned.in_pieces:
        return count_planned(planned, chosen, on_progress)
    scores = table_of(planned.scores, part_of(on_progress, 0.0, 0.4))
    keys = keys or KeyTables()
    key = keys.table(planned.key, part_of(on_progress, 0.4, 0.7)) if planned.key else None
    if planned.nontarget:
        scores, key = joined(scores, table_of(planned.nontarget, part_of(on_progress, 0.4, 0.7))), None
    speakers = read_found(planned.speakers) if planned.speakers else None
    return make_trials(
        scores,
        key,
        allow=chosen,
        speakers=speakers if isinstance(speakers, SpeakerMap) else None,
        on_progress=part_of(on_progress, 0.7, 1.0),
    )


def read_planned(
    planned: PlannedAssessment, allow: Iterable[str | Decision] = (), on_progress: Progress = no_progress
) -> Trials | CountedTrials:
    """The trials of a planned assessment. Raises InputError where reading or the audit fails."""
    trials, audit = audit_planned(planned, allow, on_progress)
    audit.refuse_errors()
    assert trials is not None  # noqa: S101 - an audit without errors comes with trials
    return trials


def key_question(made: Plan, file: FoundFile) -> Question | None:
    """Which key belongs to these scores? None for what needs no key, or where there is none."""
    asked = [one for one in made.questions if one.topic is Topic.KEY and one.source == file.source]
    if asked:
        return asked[0]
    keys = [other for other in made.files if len(other.readings) == 1 and other.role is Role.KEY]
    if not keys or len(file.readings) > 1 or file.role is not Role.SCORES:
        return None
    return _which_key(file, keys)


def rows_of(file: FoundFile, on_progress: Progress = no_progress) -> int:
    """How many rows of data a file has by its likeliest reading. Raises InputError."""
    return sum(record.rows for record in read_found(file, on_progress).records())


def found_file(recognised: Recognised) -> FoundFile:
    """A recognised file without its content."""
    text, file = recognised.text, recognised.file
    is_as_it_lies = not file.source.member and len(file.content) == file.size
    return FoundFile(
        recognised.source,
        recognised.readings,
        _dialect(recognised),
        tuple(line.text for line in text.sample[:5]) if text else (),
        tuple(recognised.preview(reading) for reading in recognised.readings),
        *_sampled(recognised),
        size=file.size,
        sha256=file.sha256,
        content_sha256=""
        if file.is_beginning
        else file.sha256
        if is_as_it_lies
        else hashlib.sha256(file.content).hexdigest(),
        in_pieces=file.is_beginning,
    )


def as_question(file: FoundFile) -> Question:
    """How is this file to be read?"""
    return Question(Topic.READING, file.source, _alternatives(file))


def words_of(reading: Reading) -> str:
    """What a reading is called."""
    name = say(f"format.{reading.format}")
    return (
        name
        if reading.target_word is None
        else say("format.with-word", format=name, word=reading.target_word)
    )


def chosen_reading(source: Source, choices: Choices) -> str | None:
    """The reading that the user chose for a file: under its question, or under its plain name."""
    names = (reading_id(source), source.place, source.name)
    return next((choices[name] for name in names if name in choices), None)


def _alternatives(file: FoundFile) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(reading.choice, words_of(reading), preview)
        for reading, preview in zip(file.readings, file.previews, strict=True)
    )


def _which_key(scores: FoundFile, keys: Sequence[FoundFile]) -> Question:
    alternatives = [Alternative(key.source.place, key.source.name, key.previews[0]) for key in keys]
    none = Alternative(NO_KEY, say("question.no-key"))
    return Question(Topic.KEY, scores.source, (*alternatives, none))


def _dialect(recognised: Recognised) -> Dialect | None:
    text = recognised.text
    if text and recognised.readings and recognised.readings[0].skips_header:
        text = text.with_header()
    return text.dialect if text else None


def _is_only_beside(problem: Problem, given: Sequence[Path]) -> bool:
    """Whether a file that is nothing of ours was not meant, but came along in a folder or an archive."""
    was_meant = problem.source.path in given and not problem.source.member
    return not was_meant and problem.error.code in _NOTHING_OF_OURS


def _beside(
    rest: Sequence[FoundFile],
    assessments: Sequence[PlannedAssessment],
    copies: Sequence[Planned],
    given: Sequence[Path],
) -> tuple[FoundFile, ...]:
    """What came along with assessments and would add nothing to them: copies, and maps that nobody needs."""
    repeated = {file.source for one in copies for file in one.files}
    keys = {one.key.content_sha256 for one in assessments if one.key and one.key.content_sha256}

    def came_along(file: FoundFile) -> bool:
        return file.source.path not in given or bool(file.source.member)

    return tuple(
        file
        for file in rest
        if file.source in repeated
        or (came_along(file) and file.role is Role.KEY and file.content_sha256 in keys)
        or (came_along(file) and file.role is Role.SPEAKERS and assessments)
    )


def _sampled(recognised: Recognised) -> tuple[frozenset[Pair], frozenset[str]]:
    """Some pairs and ids of a file, to be looked for in others; all ids of a speaker map.

    Lists are sampled from the lines that were looked at already; of anything else the file itself is read.
    """
    if not recognised.readings or (recognised.text is None and recognised.file.is_beginning):
        return frozenset(), frozenset()
    parts = recognised.readings[0].parts
    if recognised.text is None or not parts:
        whole = recognised.read()
        if isinstance(whole, SpeakerMap):
            return frozenset(), frozenset(whole.of)
        step = max(1, len(whole) // _SAMPLED_PAIRS)
        sides, rows_taken = whole.sides, range(0, len(whole), step)
        pairs = [(sides[0][row], sides[1][row]) for row in rows_taken] if sides else []
    elif Part.ENROL in parts and Part.TEST in parts:
        lines = recognised.text.sample[1 if recognised.readings[0].skips_header else 0 :]
        enrol, test = parts.index(Part.ENROL), parts.index(Part.TEST)
        rows = [line.cells for line in lines if len(line.cells) == len(parts)]
        pairs = [(row[enrol], row[test]) for row in rows[:: max(1, len(rows) // _SAMPLED_PAIRS)]]
    else:
        pairs = []
    return frozenset(pairs), frozenset(id_ for pair in pairs for id_ in pair)


@dataclass
class _Sorter:
    """The files of one drop on their way into a plan."""

    choices: Choices
    tables: KeyTables
    files: list[FoundFile] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    published: list[PublishedResults] = field(default_factory=list)

    def look_at(self, paths: Iterable[Path], on_progress: Progress) -> list[Problem]:
        """Open and recognise everything; what cannot be is returned."""
        problems: list[Problem] = []
        try:
            below = files_below(paths)
        except InputError as error:
            return [Problem(Source(Path(str(error.facts["file"]))), error)]
        for found in (one for several in each(self._look_into, below, on_progress) for one in several):
            if isinstance(found, Problem):
                problems.append(found)
            elif isinstance(found, PublishedResults):
                self.published.append(found)
            else:
                self.files.append(found)
        return problems

    def _look_into(self, path: Path, on_progress: Progress) -> list[FoundFile | Problem | PublishedResults]:
        try:
            if (found := recognise_beginning(path, self.choices)) is not None:
                return [self._found(found)]
            return [published_in(file) or self._recognise(file) for file in open_all(path, on_progress)]
        except ZebraError as error:
            return [Problem(Source(path), error)]

    def _recognise(self, file: OpenedFile) -> FoundFile | Problem:
        try:
            return self._found(recognise(file))
        except ZebraError as error:
            return Problem(file.source, error)

    def _found(self, recognised: Recognised) -> FoundFile | Problem:
        file = recognised.file
        try:
            if not recognised.readings:
                return Problem(file.source, not_recognised(recognised))
            found = found_file(recognised)
            choice = chosen_reading(file.source, self.choices)
            chosen = found_file(recognised.chosen(choice)) if choice else found
            return replace(chosen, alternatives=_alternatives(found))
        except ZebraError as error:
            return Problem(file.source, error)

    def settle_readings(self) -> None:
        """Where a file can be read in several ways, what the others are may settle it; else it is asked."""
        sure = {file.role for file in self.files if len(file.readings) == 1}
        for position, file in enumerate(self.files):
            if len(file.readings) > 1:
                self.files[position] = settled = _settled(file, sure)
                if len(settled.readings) > 1:
                    self.questions.append(as_question(settled))

    def sorted_out(
        self, on_progress: Progress
    ) -> tuple[list[PlannedAssessment], Sequence[PlannedSimilarity]]:
        """What the files make together, as far as it is clear."""
        clear = [file for file in self.files if len(file.readings) == 1]
        keys = [file for file in clear if file.role is Role.KEY]
        if len(keys) > 1:
            each(self.tables.read_ahead, keys, on_progress)

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
        maps = [file for file in clear if file.role is Role.SPEAKERS and file.reading.format != "spk2gender"]
        planned = [
            assessment
            for file in clear
            if file.role in (Role.SCORES, Role.BOTH)
            for assessment in self._with_key(file, keys, on_progress)
        ]
        planned += self._from_two_lists(clear)
        planned = [replace(one, speakers=map_for(one.scores, maps)) for one in planned]
        return naming.named_by_folders(planned, keys)

    def _with_key(
        self, scores: FoundFile, keys: Sequence[FoundFile], on_progress: Progress
    ) -> list[PlannedAssessment]:
        needs_key = scores.role is Role.SCORES
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
        self.questions.append(_which_key(scores, fitting))
        return []

    def _keys_for(
        self, scores: FoundFile, keys: Sequence[FoundFile], on_progress: Progress
    ) -> list[FoundFile]:
        """By ids shared; where several do, by the folders. A single key is always the one for mere scores."""
        if len(keys) == 1 and scores.role is Role.SCORES:
            return list(keys)
        called_after = _called_after(scores, keys)
        if called_after and all(self.tables.share(key, scores.pairs, on_progress) for key in called_after):
            return called_after  # no other needs to be looked into
        candidates = [key for key in keys if self.tables.share(key, scores.pairs, on_progress)]
        if not candidates and scores.role is Role.SCORES:
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
        targets = [file for file in clear if file.role is Role.TARGET_SCORES]
        others = [file for file in clear if file.role is Role.NONTARGET_SCORES]
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


def _settled(file: FoundFile, sure: set[Role]) -> FoundFile:
    """With the readings that make sense beside what the other files surely are."""
    wanted: tuple[Role, ...] = ()
    if Role.TARGET_SCORES in sure and Role.NONTARGET_SCORES not in sure:
        wanted = (Role.NONTARGET_SCORES,)
    elif Role.NONTARGET_SCORES in sure and Role.TARGET_SCORES not in sure:
        wanted = (Role.TARGET_SCORES,)
    elif Role.KEY in sure and not sure & {Role.SCORES, Role.BOTH}:
        wanted = (Role.SCORES,)
    elif Role.SCORES in sure and Role.KEY not in sure:
        wanted = (Role.KEY,)
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
    return PlannedAssessment(name_of(scores.source), scores, key, nontarget)


def name_of(source: Source) -> str:
    """What to call an assessment until the user says better: the file, or its folder where that says more."""
    *folders, file = source.folders
    stem = file.split(".")[0] or file
    says_nothing = stem.lower() in ("scores", "score")
    return folders[-1] if says_nothing and folders else file.rpartition(".")[0] or file
