"""Fuzzed, too: what ZEBRA wrote itself, and somebody has had in his hands since: projects and reports."""

from __future__ import annotations

import atexit
import datetime as dt
import io
import json
import random
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from zebra_core.document import container
from zebra_core.document.project_file import open_project, restore_inputs, save_project
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.attachment import SEAL, read_evidence
from zebra_core.report.content.closing import EVIDENCE_FILE
from zebra_core.report.export import make_report
from zebra_core.report.verify import verify

_DATE = dt.date(2026, 11, 20)
_COUNTS = "counts/1.npy"
# What a leaf of the JSON is replaced with: what checks are most likely to forget.
_ODD: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1 << 31, 1 << 63, 10**400, -(1 << 64)),
    *(0.0, -0.0, 0.5, 1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf")),
    *("", "\0", "..", "/", "\ud800", "\u202e", "x" * 5000, "1", "NaN", "<b>", "{0}", "{n:n}", "%1", "0" * 64),
    *([], {}, [[]], [{}], [None], {"": None}, [0] * 1000),
)


def project(content: bytes) -> None:
    """As a project file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "case.zebra")
        path.write_bytes(content)
        restore_inputs(path, open_project(path).project, Path(folder))


def project_text(content: bytes) -> None:
    """As project.json in a container that is good otherwise."""
    project(_with(container.PROJECT, content))


def project_counts(content: bytes) -> None:
    """As an array of a project that is good otherwise."""
    project(_with(_COUNTS, content))


def evidence(content: bytes) -> None:
    """As evidence.json, beside the files that the good one rests on."""
    path = _good_files() / "evidence.json"
    path.write_bytes(content)
    verify(path, [path.parent]).as_json()


def report(content: bytes) -> None:
    """As the PDF of a report."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.pdf")
        path.write_bytes(content)
        read_evidence(path)


def seeds(name: str) -> dict[str, bytes]:
    """Good inputs of a target, by name; small ones, for the fuzzer's sake."""
    good = _good_members()
    made = {
        "project": lambda: container.pack(good),
        "project-text": lambda: good[container.PROJECT],
        "project-counts": lambda: good[_COUNTS],
        "evidence": lambda: _good_report()[0],
        "report": lambda: _good_report()[1],
    }
    return {f"good-{name}": made[name]()} if name in made else {}


def mutated(content: bytes, most: int, seed: int, otherwise: Callable[[bytes, int], bytes]) -> bytes:
    """JSON changed in one place that keeps it JSON, three times in four; else as the fuzzer likes it."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    if rng.random() < 0.25:
        return otherwise(content, most)
    try:
        values = json.loads(content)
        for _ in range(rng.choice((1, 1, 2, 5))):
            values = _changed(values, rng)
        made = json.dumps(values).encode()
    except (ValueError, RecursionError, OverflowError):
        return otherwise(content, most)
    return made if len(made) <= most else otherwise(content, most)


def _changed(values: Any, rng: random.Random) -> Any:
    """One value replaced, removed, doubled, or put into the place of another."""
    places = list(_places(values))
    if not places:
        return deepcopy(rng.choice(_ODD))
    holder, key = rng.choice(places)
    act = rng.randrange(5)
    if act == 0:
        del holder[key]
    elif act == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), holder[key])
    elif act == 2:
        other, other_key = rng.choice(places)
        holder[key] = json.loads(json.dumps(other[other_key]))
    elif act == 3 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = rng.choice((-holder[key], holder[key] + 1, float(holder[key]), str(holder[key])))
    else:
        holder[key] = deepcopy(rng.choice(_ODD))  # what is put in is changed later on, too
    return values


def _places(values: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside, as its holder and its key there."""
    if isinstance(values, dict):
        inside = [*values.items()]
    else:
        inside = [*enumerate(values)] if isinstance(values, list) else []
    for key, value in inside:
        yield values, key
        yield from _places(value)


@cache
def _good_members() -> dict[str, bytes]:
    from tests.core.document.samples import rich_project

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "case.zebra")
        save_project(rich_project(Path(folder)), path, {"pane": 2}, with_inputs=True)
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@cache
def _good_report() -> tuple[bytes, bytes]:
    """Evidence of a report on one small assessment, and a small PDF with it attached and sealed."""
    from pypdf import PdfWriter

    from tests.core.document.samples import write_case
    from zebra_core.project.project import Project
    from zebra_core.project.reading.reading import assess_files

    with tempfile.TemporaryDirectory() as folder:
        entry = assess_files(*write_case(Path(folder)), allow=["infinite-scores"])
    facts = make_report(gather(Project(items=(entry,))), date=_DATE).evidence
    pdf = PdfWriter()
    pdf.add_blank_page(100, 100)
    pdf.add_attachment(EVIDENCE_FILE, facts)
    pdf.add_metadata({"/Keywords": f"{SEAL}{sha256(facts).hexdigest()}"})
    file = io.BytesIO()
    pdf.write(file)
    return facts, file.getvalue()


@cache
def _good_files() -> Path:
    """A folder with the files that the good evidence rests on; it stays until the process ends."""
    from tests.core.document.samples import write_case

    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    write_case(Path(folder.name))
    return Path(folder.name)


def _with(name: str, content: bytes) -> bytes:
    """The good project with other bytes for one of its members; not packed, which takes most of the time."""
    file = io.BytesIO()
    file.write(_without(name))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, content)
    return file.getvalue()


@cache
def _without(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for other, content in _good_members().items():
            if other != name:
                archive.writestr(other, content)
    return file.getvalue()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "project": project,
    "project-text": project_text,
    "project-counts": project_counts,
    "evidence": evidence,
    "report": report,
}
IN_JSON = ("project-text", "evidence")
