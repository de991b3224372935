"""A handful of files with their roles given, or to be told: the short ways into the intake."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Decision, InputFile, decisions
from zebra_core.evidence.segments import SegmentEvidence, SegmentScores
from zebra_core.evidence.speaker_names import SessionRule, Sessions, SpeakerRule, Speakers
from zebra_core.evidence.trials import CountedTrials, Trials
from zebra_core.intake.formats import lists, speakers
from zebra_core.intake.formats.recognising import RecognisedFile, not_recognised, recognise
from zebra_core.intake.matching.auditing import audited_scores, make_trials
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.planned import (
    YES,
    Choices,
    FoundFile,
    PlannedAssessment,
    PlannedSimilarity,
    Topic,
    read_found,
    unasked,
    unpacking_answer,
)
from zebra_core.intake.sorting.naming import name_of
from zebra_core.intake.sorting.plan import plan, read_planned
from zebra_core.intake.sorting.recognised import alternatives_of, chosen_reading, found_file
from zebra_core.intake.streaming.counting import count_planned
from zebra_core.intake.streaming.pieces import recognise_beginning
from zebra_core.intake.tables.published import published_in
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table, joined
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import alternatives, say, visible

_SCORES = (FileRole.SCORES, FileRole.BOTH)
_KEY = (FileRole.KEY, FileRole.BOTH)


def read_trials(
    scores: str | Path,
    key: str | Path | None = None,
    on_progress: Progress = no_progress,
    *,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
) -> Trials | CountedTrials:
    """Read a score file and its key, match them by the pair of ids, and audit them.

    Nothing is dropped or corrected silently.

    Parameters
    ----------
    `scores`
        The score file, or an archive.
    `key`
        Without it the labels must be in the score file, or the key beside it in the archive.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.
    `allow`
        Decisions of the user (see `Decision`).
    `choices`
        By the name of a file, how to read one that can be read in several ways. Its "streaming" is "yes" or
        "no": whether files are read piece by piece and their trials only counted, which otherwise depends on
        their size (see `large`). Its "unpacking" is "yes" where a file that is packed tighter than score
        files are may be unpacked all the same. Its "speakers" says who speaks in a matrix of recordings: the
        path of a map (utt2spk), or the name of a rule (`SpeakerRule`).

    Returns
    -------
    Trials or CountedTrials
        The latter where trials were only counted.

    Raises
    ------
    InputError
        For everything that is wrong; its text names file and line.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import read_trials
    >>> demo = zebra_resources.path("demo")
    >>> scores = demo / "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
    >>> trials = read_trials(scores, demo / "data/libri_test_trials_f/trials")
    >>> trials.n_target, trials.n_nontarget
    (156, 9672)
    >>> trials.enrol[0], trials.test[0], float(trials.score[0])
    ('39', '39-121914-0000-1', -6.52429)
    """
    on_progress(0.0)
    if key is None:
        return _read_alone(Path(scores), allow, choices or {}, on_progress)
    chosen = decisions(allow)
    if _is_in_pieces(Path(scores), Path(key), choices or {}):
        return _count(Path(scores), Path(key), chosen, choices or {}, on_progress)
    found = _going_together(
        _recognised(Path(scores), choices or {}, part_of(on_progress, 0.0, 0.2)),
        _recognised(Path(key), choices or {}, part_of(on_progress, 0.2, 0.4)),
    )
    score_table = _table(found[0], part_of(on_progress, 0.4, 0.6))
    key_table: Table | None = _table(found[1], part_of(on_progress, 0.6, 0.8))
    if key_table and key_table.role is FileRole.NONTARGET_SCORES:
        score_table, key_table = joined(score_table, key_table), None
    trials, audit = make_trials(
        score_table, key_table, allow=chosen, on_progress=part_of(on_progress, 0.8, 1.0)
    )
    audit.refuse_errors()
    assert trials is not None  # noqa: S101 - an audit without errors comes with trials
    return trials


def _read_alone(
    scores: Path, allow: Iterable[str | Decision], choices: Choices, on_progress: Progress
) -> Trials | CountedTrials:
    rules, said = [rule.value for rule in SpeakerRule], choices.get(Topic.SPEAKERS.value)
    made = plan(
        [scores, *([Path(said)] if said and said not in rules else [])],
        unasked(choices),
        part_of(on_progress, 0.0, 0.3),
    )
    if made.problems:
        raise made.problems[0].error
    if made.questions:
        question = made.questions[0]
        if question.topic is Topic.SPEAKERS:
            raise InputError("matrix-speakers", file=scores.name, rules=", ".join(rules))
        raise _ambiguous(next(file for file in made.files if file.source == question.source))
    if not made.assessments:
        columns = next((file.dialect.header for file in made.files if file.dialect), ())
        code = "needs-key-columns" if columns else "needs-key"
        raise InputError(code, file=scores.name, columns=", ".join(columns))
    if len(made.assessments) > 1:
        raise InputError("archive-of-several", file=scores.name, count=len(made.files))
    return read_planned(made.assessments[0], allow, part_of(on_progress, 0.3, 1.0))


def _is_in_pieces(scores: Path, key: Path, choices: Choices) -> bool:
    return any(recognise_beginning(path, choices) is not None for path in (scores, key))


def _count(
    scores: Path, key: Path, allow: frozenset[Decision], choices: Choices, on_progress: Progress
) -> CountedTrials:
    """Both files piece by piece, as soon as one of them has to be."""
    streamed = {**choices, Topic.STREAMING.value: YES}
    both = []
    for path in (scores, key):
        found = recognise_beginning(path, streamed)
        if found is None:
            _recognised(path, choices, no_progress)  # which may tell what is wrong with it
            raise InputError("not-in-pieces", file=path.name)
        choice = chosen_reading(found.source, choices)
        both.append(found.chosen(choice) if choice else found)
    files = [found_file(one) for one in _going_together(*both)]
    planned = PlannedAssessment(name_of(files[0].source), files[0], files[1])
    if files[1].role is FileRole.NONTARGET_SCORES:
        planned = PlannedAssessment(planned.name, files[0], None, files[1])
    counted, audit = count_planned(planned, allow, on_progress)
    audit.refuse_errors()
    assert counted is not None  # noqa: S101 - an audit without errors comes with counts
    return counted


def read_as(
    roles: Sequence[FileRole], path: Path, choices: Choices, on_progress: Progress
) -> Table | SpeakerMap:
    """Read a file that was given for one of these roles. Raises InputError where it is something else."""
    found = _recognised(path, choices, part_of(on_progress, 0.0, 0.3))
    return _in_role(found, roles).read(part_of(on_progress, 0.3, 1.0))


def read_table_as(roles: Sequence[FileRole], path: Path, choices: Choices, on_progress: Progress) -> Table:
    """Read a file as `read_as` does, given for roles that only tables have. Raises InputError."""
    found = _recognised(path, choices, part_of(on_progress, 0.0, 0.3))
    return _table(_in_role(found, roles), part_of(on_progress, 0.3, 1.0))


def _table(found: RecognisedFile, on_progress: Progress) -> Table:
    table = found.read(on_progress)
    assert isinstance(table, Table)  # noqa: S101 - by its role
    return table


def _recognised(path: Path, choices: Choices, on_progress: Progress) -> RecognisedFile:
    """The file with the readings that are left to choose from. Raises InputError."""
    found = recognise(open_file(path, on_progress, any_ratio=unpacking_answer(path, choices) == YES))
    choice = chosen_reading(found.source, choices)
    return found.chosen(choice) if choice else found


def _going_together(scores: RecognisedFile, key: RecognisedFile) -> tuple[RecognisedFile, RecognisedFile]:
    """Both with the one reading that goes with the other: two lists of scores, or scores and a key.

    Raises InputError where there is none, or several.
    """
    are_lists = FileRole.TARGET_SCORES in scores.roles and not key.roles & set(_KEY)
    if are_lists and FileRole.NONTARGET_SCORES in key.roles:
        return scores.only((FileRole.TARGET_SCORES,)), key.only((FileRole.NONTARGET_SCORES,))
    return _in_role(scores, _SCORES), _in_role(key, _KEY)


def _in_role(found: RecognisedFile, roles: Sequence[FileRole]) -> RecognisedFile:
    """The file with the one reading in the role that the user gave. Raises InputError for none or several."""
    if found.text and published_in(found.file):
        results = say("role.published")
        raise InputError(f"{roles[0].value}-wanted", file=found.file.name, found=results)
    fitting = found.only(roles)
    if roles[0] is FileRole.KEY and found.only(roles[:1]).readings:
        fitting = found.only(roles[:1])
    if not fitting.readings and (found.text is None or _is_surely_something_else(found)):
        role = say(f"role.{found.readings[0].role.value}")
        raise InputError(f"{roles[0].value}-wanted", file=found.file.name, found=role)
    if not fitting.readings and found.text and roles[0] is not FileRole.SPEAKERS:
        said = not_recognised(found)
        if said.code != "not-recognised" or found.text.dialect.width != len(lists.SCORES.parts):
            raise said
    if not fitting.readings:
        # Nothing is known of this file but its role: reading it as the usual format tells what is wrong.
        usual = {
            FileRole.SCORES: lists.SCORES,
            FileRole.KEY: lists.KEY,
            FileRole.SPEAKERS: speakers.SEGMENT_FIRST,
        }
        return RecognisedFile(found.file, found.text, (usual[roles[0]],))
    if len(fitting.readings) > 1:
        raise _ambiguous(found_file(fitting))
    return fitting


def _is_surely_something_else(found: RecognisedFile) -> bool:
    """Whether the file is surely of another kind than the user says.

    Two words a line may be a speaker map, or what is left of a list.
    """
    return bool(found.readings) and found.readings[0].role is not FileRole.SPEAKERS


def _ambiguous(file: FoundFile) -> InputError:
    """The sentence for a file that can be read in several ways, with all of them and what they are called."""
    name, columns = file.source.name, file.dialect.header if file.dialect else ()
    ways = [
        say("input.way", way=shlex.quote(visible(f"{name}={one.choice}", 400)), words=one.words)
        for one in alternatives_of(file)
    ]
    code = "ambiguous-columns" if columns else "ambiguous"
    return InputError(code, file=name, columns=", ".join(columns), choices=alternatives(ways))


# Files of segment pair scores, of which similarity matrices are made: read and audited as all files are.


def read_evidence(
    *,
    oo: Path | None = None,
    op: Path | None = None,
    pp: Path | None = None,
    speakers: Path | SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> SegmentEvidence:
    """Segment scores of up to three settings, with who speaks in them: a map (utt2spk) or a rule.

    Labels in the files play no part. `choices` say, by the name of a file, how to read one that can be read
    in several ways. Raises InputError, whose text names file and line.
    """
    given = {setting: path for setting, path in (("oo", oo), ("op", op), ("pp", pp)) if path is not None}
    chosen, files = decisions(allow), []
    known: Speakers
    if isinstance(speakers, SpeakerRule):
        known = speakers
    else:
        found = _map_of(speakers, choices)
        known, files = found.of, [*found.records()]
    scores = {}
    for done, (setting, path) in enumerate(given.items()):
        share = part_of(on_progress, done / len(given), (done + 1) / len(given))
        table = read_table_as(_SCORES, path, choices or {}, share)
        scores[setting] = _segment_scores(table, chosen)
        files += table.records()
    return SegmentEvidence(scores, known, files=tuple(files))


def read_planned_similarity(
    planned: PlannedSimilarity, allow: Iterable[str | Decision] = (), on_progress: Progress = no_progress
) -> SegmentEvidence:
    """Read what a drop was planned to come to. Raises InputError, an AuditError for what may be decided."""
    chosen = decisions(allow)
    known, sex, files = _speakers_of(planned)
    scores = {}
    for done, (setting, file) in enumerate(planned.settings.items()):
        share = part_of(on_progress, done / len(planned.settings), (done + 1) / len(planned.settings))
        table = read_found(file, share)
        assert isinstance(table, Table)  # noqa: S101 - its role says so
        scores[setting] = _segment_scores(table, chosen)
        files += table.records()
    return SegmentEvidence(scores, known, sex, tuple(files), planned.across_runs)


def _speakers_of(planned: PlannedSimilarity) -> tuple[Speakers, dict[str, str], list[InputFile]]:
    """Who speaks, of which sex where that is known, and from which files."""
    if isinstance(planned.speakers, SpeakerRule):
        return planned.speakers, {}, []
    spoken = _as_map(read_found(planned.speakers))
    sex = _as_map(read_found(planned.sex)) if planned.sex else None
    if sex is None:
        return spoken.of, {}, [*spoken.records()]
    return spoken.of, dict(sex.of), [*spoken.records(), *sex.records()]


def read_speaker_map(path: Path, choices: Choices | None = None) -> dict[str, str]:
    """Read a map of speakers, utt2spk or spk2utt: segment → speaker. Raises InputError with file and line."""
    return dict(_map_of(path, choices).of)


def sessions_named(word: str, folder: Path) -> Sessions:
    """The rule of this name, or the sessions of a file of recordings and sessions: its place in the folder.

    Raises InputError where it is neither.
    """
    rules = {rule.value: rule for rule in SessionRule}
    return rules[word] if word in rules else read_speaker_map(folder / word)


def _segment_scores(table: Table, allow: frozenset[Decision]) -> SegmentScores:
    first, second, score, audit = audited_scores(table, allow=allow)
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    return SegmentScores(first, second, score, table.name, remarks)


def _map_of(path: Path, choices: Choices | None) -> SpeakerMap:
    return _as_map(read_as((FileRole.SPEAKERS,), path, choices or {}, no_progress))


def _as_map(found: Table | SpeakerMap) -> SpeakerMap:
    assert isinstance(found, SpeakerMap)  # noqa: S101 - by its role
    return found
