"""Embeddings that somebody brings along: NumPy's npz, HDF5, Kaldi's text, folders of the evaluations.

An array, a data set or a line for each utterance, as ESPnet, SIDEKIT, legal-eval and Kaldi write them; or a
folder `utt-level` of VoicePrivacy, whose PyTorch file is never loaded. Nothing pickled ever is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.speaker_trials import speakers_of
from zebra_core.evidence.trials import BoolArray, Ids, IntArray
from zebra_core.files.access import is_folder, refuse_missing
from zebra_core.intake.drop import read_table_as
from zebra_core.intake.formats import arrays, columns_process, others
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import OpenedFile, decode, lines_of, open_file
from zebra_core.intake.planned import Choices
from zebra_core.intake.tables.table import FileRole, Table
from zebra_core.recordings.attacks import Vectors
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.speakers import who_speaks
from zebra_core.recordings.trial_list import MOST_TRIALS
from zebra_core.runtime import memory
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.texts import visible

MOST_NUMBERS = 16_384
"""Numbers of one embedding; recognisers have 128 to 2 048."""
LARGEST_NUMBER = 1e100
"""Beyond it squares are infinite."""
UTTERANCES = "utt-level"
"""The folder in which the evaluations keep embeddings of utterances."""
_VECTORS = "speaker_vectors"
_KALDI = re.compile(r"\s*(\S+)\s+\[([^\[\]]*)\]\s*")
_BEGINS = re.compile(r"\s*\S+\s+\[[^\]]*")
_INDEX = re.compile(r"(\S+)\s+(\S+)")
_SHOWN = 100  # characters

Found = Iterable[tuple[str, NDArray[Any]]]


@dataclass(frozen=True)
class EmbeddingFile:
    """A file that was read: its name, how it is written, its size and hash as it lies there."""

    name: str
    format: str  # npz, hdf5, kaldi, npy, index
    size: int
    sha256: str

    @classmethod
    def of(cls, file: OpenedFile, kind: str) -> EmbeddingFile:
        """What is known of a file that was opened."""
        return cls(file.name, kind, file.size, file.sha256)


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Embeddings, (n, dimensions), by the ids of what they are of; none is zero, all numbers are finite.

    `speaker` says who speaks in which of them, where files beside them do.
    """

    ids: tuple[str, ...]
    vectors: Vectors = field(repr=False)
    files: tuple[EmbeddingFile, ...]
    speaker: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def dimensions(self) -> int:
        """How many numbers each of them has."""
        return int(self.vectors.shape[1])


def read_embeddings(paths: Sequence[Path], on_progress: Progress = no_progress) -> Embeddings:
    """The embeddings of several files and folders together.

    Raises InputError, which names file and id, for what is no embedding, for an id that is there twice, and
    where they have different numbers of dimensions.
    """
    several = []
    for done, path in enumerate(paths):
        on_progress(done / len(paths))
        several.append(_read(path, on_progress))
    ids: dict[str, int] = {}
    for number, one in enumerate(several):
        file = one.files[0].name
        for name in one.ids:
            if ids.setdefault(name, number) != number:
                other = several[ids[name]].files[0].name
                raise InputError("embeddings-in-two", file=file, other=other, found=visible(name, _SHOWN))
        refuse_other_dimensions(one, several[0].dimensions)
    on_progress(1.0)
    if len(several) == 1:
        return several[0]
    return Embeddings(
        tuple(ids),
        np.concatenate([one.vectors for one in several]),
        tuple(file for one in several for file in one.files),
        {name: speaker for one in several for name, speaker in one.speaker.items()},
    )


def refuse_other_dimensions(found: Embeddings, expected: int) -> None:
    """Raise InputError where embeddings have another number of dimensions."""
    if found.dimensions != expected:
        facts = {"found": found.dimensions, "expected": expected}
        raise InputError(
            "embeddings-dimensions", file=found.files[0].name, id=visible(found.ids[0], _SHOWN), **facts
        )


def _read(path: Path, on_progress: Progress) -> Embeddings:
    refuse_missing(path)
    if is_folder(path):
        return _folder(path if path.name == UTTERANCES else _utterances(path))
    file = open_file(path, on_progress)
    others.refuse_binary(file)
    if packing.is_npz(file.content):
        return _together(file, "npz", _of_npz(file))
    if file.content.startswith(columns_process.MAGIC):
        return _together(file, "hdf5", columns_process.read_vectors(file, on_progress).items())
    if file.content.startswith(arrays.MAGIC):
        raise InputError("embeddings-without-ids", file=file.name)
    return _together(file, "kaldi", _of_kaldi(file))


def _together(file: OpenedFile, kind: str, found: Found) -> Embeddings:
    """One matrix of what was found, each id once. Raises InputError."""
    place: dict[str, int] = {}
    rows: list[NDArray[Any]] = []
    for name, array in found:
        if place.setdefault(name, len(rows)) != len(rows):
            raise InputError("embeddings-twice", file=file.name, found=visible(name, _SHOWN))
        rows.append(_as_vector(file, name, array))
        if len(rows[-1]) != len(rows[0]):
            facts = {"file": file.name, "found": len(rows[-1]), "expected": len(rows[0])}
            raise InputError("embeddings-dimensions", id=visible(name, _SHOWN), **facts)
    if not rows:
        raise InputError("embeddings-none", file=file.name)
    memory.require(3 * 8 * len(rows) * len(rows[0]))
    vectors = np.array(rows, dtype=np.float64)
    return Embeddings(
        tuple(place), _checked(file.name, tuple(place), vectors), (EmbeddingFile.of(file, kind),)
    )


def _as_vector(file: OpenedFile, name: str, array: NDArray[Any]) -> NDArray[Any]:
    """An array of shape (dimensions,) or (1, dimensions) as the former."""
    found = array[0] if array.ndim == 2 and len(array) == 1 else array
    if found.dtype.kind not in "fiu" or found.ndim != 1 or not 2 <= len(found) <= MOST_NUMBERS:
        shape = f"{array.dtype} {' × '.join(map(str, array.shape))}".strip()
        raise InputError(
            "embeddings-shape", file=file.name, id=visible(name, _SHOWN), found=shape, most=MOST_NUMBERS
        )
    return found


def _checked(file: str, ids: Sequence[str], vectors: Vectors) -> Vectors:
    """Finite embeddings, none of which is zero. Raises InputError with the id of the first that is not."""
    least, most = vectors.min(axis=1), vectors.max(axis=1)
    bounded = (least >= -LARGEST_NUMBER) & (most <= LARGEST_NUMBER)  # NaN is neither
    if not bounded.all():
        row = int(np.flatnonzero(~bounded)[0])
        raise InputError("embeddings-not-finite", file=file, id=visible(ids[row], _SHOWN))
    zero = np.linalg.norm(vectors, axis=1) == 0.0  # also where squares are too small for a computer
    if zero.any():
        row = int(np.flatnonzero(zero)[0])
        count = int(zero.sum())
        raise InputError("embeddings-zero", file=file, id=visible(ids[row], _SHOWN), count=count)
    return vectors


def _of_npz(file: OpenedFile) -> Iterator[tuple[str, NDArray[Any]]]:
    budget = packing.Budget(file.name, len(file.content), any_ratio=file.source.any_ratio)
    for member in packing.members(file.content, budget, most=packing.MOST_ARRAYS):
        yield member.name.removesuffix(".npy"), arrays.array_in(file, member.content)


def _of_kaldi(file: OpenedFile) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Lines of an id and numbers in brackets, as `copy-vector ark:… ark,t:…` writes them."""
    for number, line in enumerate(lines_of(decode(file)[0].decode()), start=1):
        if not line.strip():
            continue
        found = _KALDI.fullmatch(line)
        if found is None:
            code = "embeddings-matrix" if _BEGINS.fullmatch(line) else "embeddings-line"
            raise InputError(code, file=file.name, line=number, found=visible(line, _SHOWN))
        try:
            if "_" in found[2]:  # which Python takes for a separator
                raise ValueError
            values = np.array([float(cell) for cell in found[2].split()])
        except ValueError:
            facts = {"file": file.name, "line": number, "found": visible(line, _SHOWN)}
            raise InputError("embeddings-line", **facts) from None
        yield found[1], values


def _utterances(folder: Path) -> Path:
    """The folder with embeddings of utterances in one that is given."""
    return folder / UTTERANCES if (folder / UTTERANCES).is_dir() else folder


def _folder(folder: Path) -> Embeddings:
    """What VoicePrivacy keeps: `id2idx` numbers the rows of a matrix, `idx2spk` says who speaks in them."""
    vectors = next((p for end in ("npz", "npy") if (p := folder / f"{_VECTORS}.{end}").is_file()), None)
    index, spoken = folder / "id2idx", folder / "idx2spk"
    if vectors is None:
        code = "embeddings-torch" if (folder / f"{_VECTORS}.pt").is_file() else "embeddings-folder"
        raise InputError(code, file=folder.name, folder=folder)
    if not index.is_file():
        raise InputError("embeddings-folder", file=folder.name, folder=folder)
    file = open_file(vectors)
    matrix = _matrix(file)
    names, of_index = _index(index, len(matrix))
    row_of = {row: name for name, row in names.items()}
    lacking = next((row for row in range(len(matrix)) if row not in row_of), None)
    if lacking is not None:
        raise InputError("embeddings-row", file=index.name, row=lacking, count=len(matrix))
    ids = tuple(row_of[row] for row in range(len(matrix)))
    files = [EmbeddingFile.of(file, vectors.suffix[1:]), of_index]
    speaker: dict[str, str] = {}
    if spoken.is_file():
        lines, of_speakers = _pairs(spoken)
        files.append(of_speakers)
        for number, row, who in lines:
            is_row = row.isdecimal() and len(row) <= 9 and int(row) < len(ids)
            if not is_row or speaker.setdefault(ids[int(row)], who) != who:
                raise InputError("embeddings-index", file=spoken.name, line=number, found=f"{row} {who}")
    return Embeddings(ids, _checked(file.name, ids, matrix), tuple(files), speaker)


def _matrix(file: OpenedFile) -> Vectors:
    """The matrix of a file, (n, dimensions)."""
    if file.content.startswith(arrays.MAGIC):
        found = [arrays.array_in(file, file.content)]
    elif packing.is_npz(file.content):
        found = [array for _, array in _of_npz(file)]
    else:
        raise InputError("array-broken", file=file.name, reason="NumPy")
    [matrix] = found if len(found) == 1 else [np.empty(0)]
    fits = matrix.ndim == 2 and matrix.dtype.kind in "fiu" and 2 <= matrix.shape[1] <= MOST_NUMBERS
    if not fits or not 1 <= len(matrix) <= packing.MOST_ARRAYS:
        shape = " × ".join(map(str, matrix.shape))
        raise InputError("embeddings-shape", file=file.name, id=_VECTORS, found=shape, most=MOST_NUMBERS)
    memory.require(3 * 8 * matrix.size)
    return matrix.astype(np.float64)


def _index(path: Path, rows: int) -> tuple[dict[str, int], EmbeddingFile]:
    """The row of each id. Raises InputError for a row that there is not, and for an id or a row twice."""
    lines, file = _pairs(path)
    found: dict[str, int] = {}
    taken: set[int] = set()
    for number, name, row in lines:
        if not row.isdecimal() or len(row) > 9 or int(row) >= rows or name in found or int(row) in taken:
            raise InputError("embeddings-index", file=path.name, line=number, found=f"{name} {row}")
        found[name] = int(row)
        taken.add(int(row))
    return found, file


def _pairs(path: Path) -> tuple[list[tuple[int, str, str]], EmbeddingFile]:
    """Lines of two words, with their numbers."""
    file = open_file(path)
    found = []
    for number, line in enumerate(lines_of(decode(file)[0].decode()), start=1):
        if not line.strip():
            continue
        pair = _INDEX.fullmatch(line.strip())
        if pair is None:
            raise InputError("embeddings-index", file=path.name, line=number, found=visible(line, _SHOWN))
        found.append((number, pair[1], pair[2]))
    return found, EmbeddingFile.of(file, "index")


# From a key and embeddings to trials: which embeddings an enrolment averages, and who speaks in them.


SpeakerSource = Path | SpeakerRule
_KEY = (FileRole.KEY, FileRole.BOTH)
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
