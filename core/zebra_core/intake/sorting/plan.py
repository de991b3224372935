"""A drop sorted out: which files make which assessments, what stays unclear, and what belongs to nothing.

`plan(paths, choices)` is a pure function of the files and of the user's choices: to answer a question, add
its `id` with the `choice` of one of its alternatives to the choices, and plan again. Choices are plain texts,
so a project can keep them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Audit, Decision, Finding, Severity, and_more, decisions
from zebra_core.evidence.trials import CountedTrials, Trials
from zebra_core.intake.formats import arrays, json_scores, others
from zebra_core.intake.matching.auditing import make_trials
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import (
    Choices,
    FoundFile,
    Plan,
    Planned,
    PlannedAssessment,
    PlannedSimilarity,
    Problem,
    Question,
    Topic,
    read_found,
)
from zebra_core.intake.sorting import naming
from zebra_core.intake.sorting.naming import SHEETS_LEFT_OUT, is_workbook
from zebra_core.intake.sorting.recognised import chosen_reading
from zebra_core.intake.sorting.scoring_records import with_warnings
from zebra_core.intake.sorting.sorter import KeyTables, Sorter, which_key
from zebra_core.intake.sorting.word_plan import WordMaterial, needs_words
from zebra_core.intake.streaming.counting import count_planned
from zebra_core.intake.tables.table import FileRole, SpeakerMap, joined
from zebra_core.runtime.progress import Progress, no_progress, part_of

_TRANSCRIPT = "text"  # in Kaldi's way
_NOT_OF_TRIALS = frozenset(
    {FileRole.SPEAKERS, FileRole.ATTRIBUTES, FileRole.PREDICTIONS, FileRole.TRANSCRIPT}
)

_OF_RECORDINGS = frozenset({FileRole.SPEAKERS, FileRole.RECORDINGS, FileRole.EMBEDDINGS})

_NOTHING_OF_OURS = frozenset(
    {
        *others.CODES,
        "not-recognised",
        "binary",
        "empty",
        "office-document",
        "mistake-pdf",
        "mistake-picture",
        "mistake-recording",
        "mistake-film",
        "mistake-lfs",
        "mistake-html",
        "mistake-scp",
        "two-words",
        "not-windows-1252",
        "own-report",
        "listening-test-dropped",
        "listening-answers-dropped",
        "array-without-ids",
        "matrix-needs-ids",
        "arrays-unclear",
        "hdf5-unclear",
    }
)


_MOST_NAMED = 3
_LONGEST = 100  # characters of a name; a sheet has at most 31

Kind = TypeVar("Kind", PlannedAssessment, PlannedSimilarity)


def with_sheets_left_out(planned: Sequence[Kind], unused: Iterable[Source]) -> list[Kind]:
    """Assessments and matrices, with a note where other sheets of their workbook were left out."""
    left_out: dict[Path, list[str]] = {}
    for source in unused:
        if source.member and is_workbook(source.path):
            left_out.setdefault(source.path, []).append(source.member)
    return [_noted(one, left_out) for one in planned]


def _noted(one: Kind, left_out: dict[Path, list[str]]) -> Kind:
    books: dict[Path, None] = dict.fromkeys(
        file.source.path for file in one.files if file.source.path in left_out
    )
    if not books:
        return one
    return replace(one, findings=(*one.findings, *(_finding(book, left_out[book]) for book in books)))


def _finding(book: Path, sheets: Sequence[str]) -> Finding:
    facts = {"file": book.name, "count": len(sheets), "sheets": and_more(sheets, _MOST_NAMED, _LONGEST)}
    return Finding(SHEETS_LEFT_OUT, Severity.NOTE, facts)


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
    sorter, given = Sorter(choices or {}, keys or KeyTables()), tuple(paths)
    problems = sorter.look_at((*given, *_ids_of_matrices(given)), part_of(on_progress, 0.0, 0.7))
    sorter.files, problems, words = _transcripts_apart(sorter.files, problems, given, sorter.choices)
    problems, words = sorter.take_words(problems, words)
    sorter.settle_readings()
    assessments, similarities = sorter.sorted_out(part_of(on_progress, 0.7, 1.0))
    assessments = with_warnings(assessments, sorter.files)
    similarities = with_warnings(similarities, sorter.files)
    assessments, copies = naming.each_baseline_once(assessments)
    similarities, same_again = naming.each_set_of_matrices_once(similarities)
    everything: tuple[Planned, ...] = (*assessments, *similarities)
    used = {file.source for planned in everything for file in planned.files}
    asked = {question.source for question in sorter.questions}
    published = tuple(sorter.published)
    emotions = tuple(one.source for one in problems if one.error.code == others.EMOTIONS and assessments)
    problems = [one for one in problems if one.source not in emotions]
    if not assessments:  # nothing to compare them with
        alone = [one.source for one in published if one.source.path in given]
        problems += [Problem(one, InputError("published-alone", file=one.name)) for one in alone]
    rest = [file for file in sorter.files if file.source not in used | asked]
    without_ids = [one.source for one in rest if one.reading.format == arrays.MATRIX.format]
    problems += [_without_ids(one, problems) for one in without_ids]
    rest = [file for file in rest if file.source not in without_ids]
    beside = _beside(rest, assessments, (*copies, *same_again), given)
    unused = tuple(file for file in rest if file not in beside)
    on_progress(1.0)
    lists = (file for file in sorter.files if file.role in (FileRole.SCORES, FileRole.BOTH, FileRole.KEY))
    names = {file.source.path.name for file in lists}
    ignored = tuple(problem for problem in problems if _is_only_beside(problem, given, names))
    of_no_use = sorted({*(file.source for file in rest), *(problem.source for problem in problems)})
    assessments = with_sheets_left_out(assessments, of_no_use)
    similarities = with_sheets_left_out(similarities, of_no_use)
    return Plan(
        tuple(sorter.files),
        tuple(assessments),
        tuple(similarities),
        tuple(sorter.questions),
        unused,
        published,
        tuple(problem for problem in problems if problem not in ignored),
        words,
        emotions,
        ignored,
    )


def _without_ids(matrix: Source, problems: Sequence[Problem]) -> Problem:
    """Why a matrix has no ids: there is no file beside it, or one that cannot be read."""
    beside = (one.error for one in problems if one.source.place == matrix.place + json_scores.BESIDE)
    return Problem(matrix, next(beside, InputError("matrix-needs-ids", file=matrix.name)))


def _ids_of_matrices(given: Sequence[Path]) -> list[Path]:
    """The files with the ids of matrices among these, which their writers put beside them."""
    beside = (Path(f"{path}{json_scores.BESIDE}") for path in given if path.suffix == ".npy")
    return [path for path in beside if path.is_file()]


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
        if planned.is_by_words:
            raise InputError("words-too-large", file=(planned.key or planned.scores).source.name)
        return count_planned(planned, chosen, on_progress)
    keys = keys or KeyTables()
    key = keys.table(planned.key, part_of(on_progress, 0.0, 0.3)) if planned.key else None
    told: list[Finding] = []
    if planned.is_by_words and key is not None:
        scores, told = _material(planned).scored(key, part_of(on_progress, 0.3, 0.7))
    else:
        scores = keys.contents.table(planned.scores, part_of(on_progress, 0.3, 0.7))
    if planned.nontarget:
        others = keys.contents.table(planned.nontarget, part_of(on_progress, 0.4, 0.7))
        scores, key = joined(scores, others), None
    speakers = read_found(planned.speakers) if planned.speakers else None
    beside = [(read_found(file), role) for role, files in _beside_trials(planned) for file in files]
    return make_trials(
        scores,
        key,
        allow=chosen,
        speakers=speakers if isinstance(speakers, SpeakerMap) else planned.rule,
        beside=[replace(record, role=role.value) for read, role in beside for record in read.records()],
        told=[*told, *(finding for read, _ in beside for finding in read.findings())],
        on_progress=part_of(on_progress, 0.7, 1.0),
    )


def _material(planned: PlannedAssessment) -> WordMaterial:
    """The words of an assessment, and who speaks. Raises InputError for files that cannot be read."""
    tested, enrolled, models, speakers = (
        file and read_found(file)
        for file in (planned.scores, planned.enrolled, planned.models, planned.speakers)
    )
    assert isinstance(tested, SpeakerMap)  # noqa: S101 - by its role
    who = speakers.of if isinstance(speakers, SpeakerMap) else planned.rule
    assert who is not None  # noqa: S101 - it was asked
    return WordMaterial(
        enrolled if isinstance(enrolled, SpeakerMap) else tested,
        tested,
        who,
        models if isinstance(models, SpeakerMap) else None,
    )


def _beside_trials(planned: PlannedAssessment) -> tuple[tuple[FileRole, tuple[FoundFile, ...]], ...]:
    records = (planned.record,) if planned.record else ()
    return (
        (FileRole.ATTRIBUTES, planned.attributes),
        (FileRole.PREDICTIONS, planned.predictions),
        (FileRole.RECORDINGS, records),
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
    keys = [other for other in made.files if len(other.readings) == 1 and other.role is FileRole.KEY]
    if not keys or len(file.readings) > 1 or file.role is not FileRole.SCORES:
        return None
    return which_key(file, keys)


def rows_of(file: FoundFile, on_progress: Progress = no_progress) -> int:
    """How many rows of data a file has by its likeliest reading. Raises InputError."""
    return sum(record.rows for record in read_found(file, on_progress).records())


def _is_only_beside(problem: Problem, given: Sequence[Path], names: Container[str]) -> bool:
    """Whether a file that is nothing of ours was not meant, but came along in a folder or an archive.

    One that is called as scores or keys beside it are was meant: it is a broken one of them.
    """
    was_meant = problem.source.path in given and not problem.source.member
    is_one_of_them = not problem.source.member and problem.source.path.name in names
    return not was_meant and not is_one_of_them and problem.error.code in _NOTHING_OF_OURS


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
        or (came_along(file) and file.role is FileRole.KEY and file.content_sha256 in keys)
        or (came_along(file) and file.role in _OF_RECORDINGS and assessments)
    )


def _transcripts_apart(
    files: Sequence[FoundFile], problems: Sequence[Problem], given: Sequence[Path], choices: Choices
) -> tuple[list[FoundFile], list[Problem], tuple[Source, ...]]:
    """Files and problems without the transcripts, and these; a file that was itself given is none unasked.

    Lines of words may look like a map or like nothing; what is surely of trials is no transcript.
    """

    def may_be(source: Source) -> bool:
        came_along = source.path not in given or bool(source.member)
        return came_along and source.folders[-1] == _TRANSCRIPT

    are_compared = needs_words(files)
    taken = {
        *(
            file.source
            for file in files
            if not (are_compared and chosen_reading(file.source, choices))
            and (
                file.role is FileRole.TRANSCRIPT
                or (may_be(file.source) and {reading.role for reading in file.readings} <= _NOT_OF_TRIALS)
            )
        ),
        *(one.source for one in problems if may_be(one.source) and one.error.code == "not-recognised"),
    }
    return (
        [file for file in files if file.source not in taken],
        [one for one in problems if one.source not in taken],
        tuple(sorted(taken)),
    )
