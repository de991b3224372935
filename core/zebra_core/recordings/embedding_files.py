"""Embeddings that somebody brings along: NumPy's npz, HDF5, Kaldi's text, folders of the evaluations.

An array, a data set or a line for each utterance, as ESPnet, SIDEKIT, legal-eval and Kaldi write them; or a
folder `utt-level` of VoicePrivacy, whose PyTorch file is never loaded. Nothing pickled ever is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.files.opening import is_folder, refuse_missing
from zebra_core.intake.formats import arrays, hdf5, others
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.decoding import decode, lines_of
from zebra_core.intake.opening.opening import OpenedFile, open_file
from zebra_core.recordings.back_ends import Vectors
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
    if file.content.startswith(hdf5.MAGIC):
        return _together(file, "hdf5", hdf5.read_vectors(file, on_progress).items())
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
