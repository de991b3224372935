"""What is fuzzed: for each reader a function of bytes, which must return or raise ZebraError."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from fuzz import (
    beside,
    commands,
    hdf5 as hdf5_files,
    pages as pdf_files,
    parquet as parquet_files,
    saved,
)
from zebra_core.errors import ZebraError
from zebra_core.intake.formats import (
    arrays,
    columns_process,
    headed,
    json_scores,
    lists,
    parquet,
    reading as matrix,
    recognising,
    speakers,
)
from zebra_core.intake.formats.reading import Reading, TextSample, look_at
from zebra_core.intake.opening.opening import OpenedFile, Source, open_all
from zebra_core.intake.sorting.plan import audit_planned, plan
from zebra_core.intake.tables.columns import read_text
from zebra_core.report import printed_pages
from zebra_core.runtime.progress import no_progress

_LONGEST_INPUT = 4096  # what is longer and as harmless only takes the time of others
Family = Callable[[TextSample], list[Reading]]
Mutator = Callable[[bytes, int, int, Callable[[bytes, int], bytes]], bytes]

_FAMILIES: dict[str, Family] = {
    "headed": headed.recognise,
    "matrix": matrix.recognise,
    "asvspoof": lists.recognise_asvspoof,
    "lists": lists.recognise,
    "bob": lists.recognise_bob,
    "speakers": speakers.recognise,
}


def family(recognise: Family) -> Callable[[bytes], None]:
    """Read the text in every way that this family offers."""

    def target(content: bytes) -> None:
        text = read_text(opened(content))
        for reading in recognise(look_at(text)):
            _each_may_refuse(lambda reading=reading: (reading.preview(text), reading.read(text, no_progress)))

    return target


def anything(content: bytes) -> None:
    """Recognise and read as the program does, in every way that is offered."""
    found = recognising.recognise(opened(content))
    for reading in found.readings:
        _each_may_refuse(lambda reading=reading: (found.preview(reading), found.read(reading=reading)))


def numpy_file(content: bytes) -> None:
    """As a .npy or .npz file."""
    _by_file(arrays.recognise, content)


def json_file(content: bytes) -> None:
    """As JSON of trials, or of the ids of a matrix, also beside one; a name in it is never a path."""
    _by_file(json_scores.recognise, content)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "M.npy"), np.arange(6.0).reshape(2, 3))
        Path(folder, "M.npy.json").write_bytes(content)
        for planned in plan([Path(folder, "M.npy")]).assessments:
            _each_may_refuse(lambda planned=planned: audit_planned(planned))
        assert sorted(path.name for path in Path(folder).iterdir()) == ["M.npy", "M.npy.json"]


def hdf5_file(content: bytes) -> None:
    """As an HDF5 file, whose first bytes are right."""
    _by_file(
        columns_process.recognise,
        content if content.startswith(columns_process.MAGIC) else columns_process.MAGIC + content,
    )


def parquet_file(content: bytes) -> None:
    """As a Parquet file, whose first bytes are right: all its rows, and the first of them as it is shown."""
    file = opened(content if content.startswith(parquet.MAGIC) else parquet.MAGIC + content)
    for reading in parquet.recognise(file):
        if reading.format == parquet.COUNTS.format:
            assert sum(len(rows.score) for _, rows in parquet.counts(file, no_progress))
        else:
            assert sum(len(table) for _, table in parquet.tables(file, reading, no_progress))
        parquet.find(file, 0, [0])


def pages(content: bytes) -> None:
    """As the PDF of a report whose pages are drawn, and whose words are looked for, page by page."""
    for _page in printed_pages.pages_of(content, "report.pdf", (printed_pages.SEEN,)):
        pass


def packed(content: bytes) -> None:
    """As a file on disk, unpacked where it is packed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(content)
        open_all(path)


def drop(content: bytes) -> None:
    """Two files dropped together, cut at the first NUL: planned, read, matched and audited."""
    first, _, second = content.partition(b"\0")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "scores").write_bytes(first)
        Path(folder, "key").write_bytes(second)
        for planned in plan([Path(folder)]).assessments:
            _each_may_refuse(lambda planned=planned: audit_planned(planned))


TARGETS: dict[str, Callable[[bytes], None]] = {
    **{name: family(recognise) for name, recognise in _FAMILIES.items()},
    "anything": anything,
    "numpy": numpy_file,
    "json-scores": json_file,
    "hdf5": hdf5_file,
    "parquet": parquet_file,
    "pages": pages,
    "packed": packed,
    "drop": drop,
    "command-line": commands.command_line,
    **beside.TARGETS,
    **saved.TARGETS,
}
APART = {"hdf5": hdf5_files, "pages": pdf_files, "parquet": parquet_files}
"""Targets whose readers ask a program that works apart, with what makes and changes their files."""
_JSON = {
    "lines": b"""{"enrol": "a", "test": "b", "score": 0.5, "label": 1}
{"enrol": "a", "test": "c", "score": -2e-1, "label": 0}
""",
    "list": b"""[{"enroll": "a", "test": "b", "llr": 0.5, "target": true},
{"enroll": "a", "test": "c", "llr": null, "target": "non"}]""",
    "columns": b'{"scores": [0.1, 0.2, -1], "labels": [1, 0, 0]}',
    "key": b"""{"enrol": 1, "test": 2, "label": "target"}
{"enrol": 1, "test": 3, "label": "nontarget"}
""",
    "ids": b"""{"enroll_speakers": ["a", "b"], "test_speakers": ["b", "a", "../a"],
"metadata": {"attacker": "x", "L": 3}}""",
}
_WITH_SEEDS = {"json-scores", *beside.TARGETS, *saved.TARGETS, "command-line", *APART}
# Changes that keep an input what it is, for targets where most others would end at the first look.
MUTATORS: dict[str, Mutator] = {
    **dict.fromkeys(saved.IN_JSON, saved.mutated),
    "command-line": commands.mutated,
    **{name: module.mutated for name, module in APART.items()},
}


def seeds(name: str) -> dict[str, bytes]:
    """Good inputs of a target, by name; none for those that are given the files of the museum."""
    if name in APART:
        return {f"good-{number}": content for number, content in enumerate(APART[name].good())}
    if name == "json-scores":
        return _JSON
    return {**beside.seeds(name), **commands.seeds(name), **saved.seeds(name)}


def longest(name: str) -> int:
    """How many bytes an input of a target may have: those of a good one twice, at least."""
    return max([_LONGEST_INPUT, *(2 * len(good) for good in seeds(name).values())])


def takes_the_museum(name: str) -> bool:
    """Whether the files of the museum are inputs for a target."""
    return name not in _WITH_SEEDS


def opened(content: bytes) -> OpenedFile:
    """These bytes as an opened file."""
    return OpenedFile(Source(Path("file")), content, len(content), hashlib.sha256(content).hexdigest())


def survive(target: Callable[[bytes], None], content: bytes) -> None:
    """Run a target; a sentence for the user is a good ending."""
    _each_may_refuse(lambda: target(content))


def _by_file(recognise: Callable[[OpenedFile], list[Reading]], content: bytes) -> None:
    file = opened(content)
    for reading in recognise(file):
        assert reading.by_file is not None
        _each_may_refuse(lambda reading=reading: reading.by_file(file, reading, no_progress))


def _each_may_refuse(run: Callable[[], object]) -> None:
    try:
        run()
    except ZebraError as error:
        str(error)  # whose sentence can be made
