"""From a key and embeddings to trials: which embeddings an enrolment averages, and who speaks in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.speaker_trials import speakers_of
from zebra_core.evidence.trials import BoolArray, Ids, IntArray
from zebra_core.intake.drop import read_table_as
from zebra_core.intake.opening.decoding import decode, lines_of
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.planned import Choices
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.recordings.back_ends import Vectors
from zebra_core.recordings.embedding_files import EmbeddingFile, Embeddings
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.speakers import who_speaks
from zebra_core.recordings.trial_list import MOST_TRIALS
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import visible

SpeakerSource = Path | SpeakerRule
_KEY = (FileRole.KEY, FileRole.BOTH)
_SHOWN = 100  # characters
_NOBODY = -1


@dataclass(frozen=True, eq=False)
class EmbeddingTrials:
    """The trials of a key, in its order, with the embeddings that they compare.

    `pairs` (n, 2) are places of a model and of a test recording. A model is the average of the embeddings of
    its `members`, ids of recordings; where it is one recording, it is its embedding. `person_of_model` and
    `person_of_test` are places in `people`. `speaker` says who speaks in recordings of either side, and is
    empty where nobody says it: then people are those that target trials tell apart.
    """

    models: tuple[str, ...]
    tests: tuple[str, ...]
    pairs: IntArray
    is_target: BoolArray
    members: tuple[tuple[str, ...], ...]
    enrol: Vectors = field(repr=False)  # (models, dimensions)
    test: Vectors = field(repr=False)  # (tests, dimensions)
    people: tuple[str, ...]
    person_of_model: IntArray
    person_of_test: IntArray
    speaker: Mapping[str, str] = field(repr=False)

    @property
    def averages(self) -> bool:
        """Whether an enrolment is of several recordings."""
        return any(len(each) > 1 for each in self.members)


def speakers_in(ids: Iterable[str], source: SpeakerSource) -> dict[str, str]:
    """Who speaks in recordings of these ids, by a list or a rule; those of whom it says nothing lack.

    Raises InputError for a list that cannot be read, and where nothing is known of any of them.
    """
    if source is SpeakerRule.WHOLE_ID:
        return {name: name for name in ids}
    named = {name: Recording(Path(name), PurePosixPath(name)) for name in ids}
    return dict(who_speaks(named, source).speaker)


def read_key(path: Path, choices: Choices, on_progress: Progress = no_progress) -> Table:
    """A key with the ids of its trials. Raises InputError, also where it lists a trial twice."""
    table = read_table_as(_KEY, path, choices, on_progress)
    if table.enrol is None or table.test is None or table.is_target is None:
        raise InputError("no-ids", file=table.file.name)
    if len(table.enrol) > MOST_TRIALS:
        raise InputError("embeddings-trials", file=table.file.name, count=len(table.enrol), most=MOST_TRIALS)
    code = table.enrol.codes.astype(np.int64) * len(table.test.names) + table.test.codes
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    if len(first) < len(code):
        again = int(np.flatnonzero(code == code[first[counts > 1][0]])[1])
        raise _at_line("embeddings-trial-twice", table, again)
    if table.is_target.all() or not table.is_target.any():
        raise InputError("trials-no-nontarget" if table.is_target.all() else "trials-no-target")
    return table


def trials_of(
    key: Table,
    enrol: Embeddings,
    test: Embeddings,
    speaker: Mapping[str, str],
    enrolments: Mapping[str, Sequence[str]],
) -> EmbeddingTrials:
    """The trials of a key with the embeddings that its ids mean.

    `enrolments` has the recordings of models by their names; an enrolment that is not among them is one
    recording, or a speaker, whose recordings are averaged: those among the embeddings of enrolments, or
    those that the key does not test, where none were given apart. Raises InputError, with file and line, for
    an id without an embedding, for an average of two people or of nothing, for a test recording that is part
    of what it is compared with, and where speakers contradict a label.
    """
    assert key.enrol is not None  # noqa: S101 - see read_key
    assert key.test is not None  # noqa: S101
    assert key.is_target is not None  # noqa: S101
    rows = {name: row for row, name in enumerate(enrol.ids)}
    of_speaker: dict[str, list[str]] = defaultdict(list)
    models, tests = _used(key.enrol), _used(key.test)
    heard = frozenset(tests.names if enrol is test else ())
    for name in enrol.ids:
        if name in speaker and name not in heard:
            of_speaker[speaker[name]].append(name)

    def members_of(model: str) -> Sequence[str]:
        if model in enrolments:
            return enrolments[model]
        return (model,) if model in rows else of_speaker.get(model, ())

    members = tuple(tuple(members_of(name)) for name in models.names)
    lacking = [not each or any(name not in rows for name in each) for each in members]
    if any(lacking):
        at = next(code for code, lacks in enumerate(lacking) if lacks)
        code = "enrolment-unknown" if models.names[at] in set(speaker.values()) else "missing"
        raise _missing(f"embeddings-{code}", key, models, at, sum(lacking))
    test_rows = {name: row for row, name in enumerate(test.ids)}
    lacking = [name not in test_rows for name in tests.names]
    if any(lacking):
        raise _missing("embeddings-missing", key, tests, lacking.index(True), sum(lacking))
    _refuse_own_parts(key, models, tests, members)
    averages = np.stack([enrol.vectors[[rows[name] for name in each]].mean(axis=0) for each in members])
    length = np.linalg.norm(averages, axis=1)
    if not length.all():
        at = int(np.flatnonzero(length == 0.0)[0])
        raise _missing("embeddings-average-zero", key, models, at, 1)
    people, of_model, of_test = _people(key, models, tests, members, speaker)
    used = {*tests.names, *(name for each in members for name in each)}
    return EmbeddingTrials(
        models.names,
        tests.names,
        np.stack([models.codes, tests.codes], axis=1).astype(np.int64),
        key.is_target,
        members,
        averages,
        test.vectors[[test_rows[name] for name in tests.names]],
        people,
        of_model,
        of_test,
        {name: speaker[name] for name in sorted(used) if name in speaker},
    )


def _used(ids: Ids) -> Ids:
    """A column with the names that occur, and no others."""
    codes, where = np.unique(ids.codes, return_inverse=True)
    return Ids(where.astype(np.int32), tuple(ids.names[int(code)] for code in codes))


def _people(
    key: Table, models: Ids, tests: Ids, members: Sequence[Sequence[str]], speaker: Mapping[str, str]
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Who is enrolled and heard, by speakers where they are known, else by target trials."""
    assert key.is_target is not None  # noqa: S101 - see read_key
    if not speaker:
        enrolled, heard = speakers_of(models, tests, key.is_target, {})
        of_model, of_test = np.zeros(len(models.names), np.int64), np.zeros(len(tests.names), np.int64)
        of_model[models.codes], of_test[tests.codes] = enrolled, heard
        called: dict[int, str] = {}
        for name, code in zip(
            (*models.names, *tests.names), (*of_model.tolist(), *of_test.tolist()), strict=True
        ):
            called.setdefault(code, name)
        people = tuple(called[code] for code in range(len(called)))
        _refuse_contradiction(key, of_model[models.codes] == of_test[tests.codes])
        return people, of_model, of_test
    for at, name in enumerate(tests.names):
        if name not in speaker:
            raise _missing(
                "embeddings-speaker", key, tests, at, sum(one not in speaker for one in tests.names)
            )
    said: list[str] = []
    for at, each in enumerate(members):
        spoken = {speaker.get(name, "") for name in each}
        if "" in spoken:
            raise _missing("embeddings-speaker", key, models, at, 1)
        if len(spoken) > 1:
            raise _missing("embeddings-two-people", key, models, at, 1)
        said += spoken
    people = tuple(sorted({*said, *(speaker[name] for name in tests.names)}))
    place = {name: number for number, name in enumerate(people)}
    of_model = np.array([place[one] for one in said], dtype=np.int64)
    of_test = np.array([place[speaker[name]] for name in tests.names], dtype=np.int64)
    _refuse_contradiction(key, of_model[models.codes] == of_test[tests.codes])
    return people, of_model, of_test


def _refuse_contradiction(key: Table, is_same: BoolArray) -> None:
    differs = np.flatnonzero(is_same != key.is_target)
    if len(differs):
        raise _at_line("embeddings-contradiction", key, int(differs[0]), count=len(differs))


def _refuse_own_parts(key: Table, models: Ids, tests: Ids, members: Sequence[Sequence[str]]) -> None:
    """Raise InputError for a trial of a recording with an average of which it is a part."""
    place = {name: code for code, name in enumerate(tests.names)}
    parts = [
        model * len(place) + place[name]
        for model, each in enumerate(members)
        if len(each) > 1
        for name in each
        if name in place
    ]
    trial = models.codes.astype(np.int64) * len(place) + tests.codes
    own = np.flatnonzero(np.isin(trial, np.array(parts, dtype=np.int64)))
    if len(own):
        raise _at_line("embeddings-own-part", key, int(own[0]), count=len(own))


def _missing(code: str, key: Table, ids: Ids, at: int, count: int) -> InputError:
    row = int(np.flatnonzero(ids.codes == at)[0])
    return _at_line(code, key, row, id=visible(ids.names[at], _SHOWN), count=count)


def _at_line(code: str, key: Table, row: int, **facts: object) -> InputError:
    [example] = key.examples([row])
    return InputError(
        code, file=example.file, line=example.line, found=visible(example.text, _SHOWN), **facts
    )


def read_enrolments(
    path: Path, enrol: Embeddings, speaker: Mapping[str, str]
) -> tuple[dict[str, tuple[str, ...]], EmbeddingFile]:
    """Which recordings are averaged for which model.

    Lines are a model and its recordings, as in spk2utt; a recording and its model, as in utt2spk; or
    recordings alone, as in the `enrolls` of the evaluations: then the models are who speaks in them. Raises
    InputError, with file and line, for a recording without an embedding, or twice, and where nobody knows
    who speaks.
    """
    file = open_file(path)
    lines = [
        (number, cells)
        for number, line in enumerate(lines_of(decode(file)[0].decode()), start=1)
        if (cells := line.split())
    ]
    known = set(enrol.ids)
    alone = all(len(cells) == 1 for _, cells in lines)
    first = all(len(cells) == 2 for _, cells in lines) and sum(cells[0] in known for _, cells in lines) > sum(
        cells[1] in known for _, cells in lines
    )
    found: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for number, cells in lines:
        if alone:
            model, of = speaker.get(cells[0], ""), cells
        else:
            model, of = (cells[1], cells[:1]) if first else (cells[0], cells[1:])
        lacking = next((name for name in of if name not in known), None)
        if lacking is not None or not of:
            shown = visible(lacking or " ".join(cells), _SHOWN)
            raise InputError("enrolments-missing", file=path.name, line=number, found=shown)
        if not model:
            raise InputError(
                "enrolments-nobody", file=path.name, line=number, found=visible(cells[0], _SHOWN)
            )
        for name in of:
            if name in seen:
                raise InputError("enrolments-twice", file=path.name, line=number, found=visible(name, _SHOWN))
            seen.add(name)
        found[model] += of
    return {model: tuple(of) for model, of in found.items()}, EmbeddingFile.of(file, "enrolments")
