"""A project as one file, `*.zebra`: saved whole or not at all, and opened without trusting a byte of it.

The file is a zip with these members and no others:

    project.json           everything below, as indented UTF-8
    counts/<n>.npy         distinct scores of the n-th item: columns score, n_target, n_nontarget; shape (m,)
    similarity/<n>-oo.npy  sums of a similarity matrix (also -op, -pp): columns n_trials, sum_llr,
                           sum_log_posterior; shape (speakers, speakers)
    trust/<n>-<part>.npy   how far figures can be trusted: draws, left-out, band, null, null-band,
                           others and others-left-out; shape
                           (figures, replicates), (figures, clusters left out), (2, priors) …; of matrices
                           draws, left-out and null-oo, null-op, null-pp, shape (1, sets)
    inputs/<sha256>        a file that figures rest on, as it is, where the user wanted the scores inside
    voices/biometric.json  embeddings of recordings, where the user wanted them inside: biometric data

project.json, version 1, is an object with:

    format      "zebra-project";  version  1;  written_by  which ZEBRA
    title, notes                texts of the user
    tag_scale, verbal_scale     of every assessment; verbal_scale may be null
    answers     {choices, allowed}: what the user said about files
    report      what is said about the report; published: result files and what they print; utilities:
                word error rates and ratings, by the speech they are of; differences: which ranks are settled;
                requirements: what it must show; robustness: how far figures move without some speakers;
                listening: tests by ear {id, files, values}; review: what reviewers said of the report, absent
                where nobody did; since: the earlier assessment it is held against, absent where there is none
    has_inputs  whether the files are inside
    items       in the user's order, each {kind: "assessment" | "similarity", id, name, dataset, run, notes,
                colour, is_ticked, choices, files [{path, relative, size, sha256, role, rows, member, format,
                dialect}], remarks} and for an assessment {condition, attacker, recogniser, back_end,
                settings, counts, figures, cross_fitted, audit, trust}, for matrices {mean, speakers, sex,
                allowed, matrices, trust}
    view        what the window looked like; of no meaning for the figures but for `prior`, 1 in so many, at
                which decisions are judged

Figures are computed again from the counts when a project is opened; those in project.json are for the
reader, and a difference is told. Intervals follow from the draws that are saved, for they need the trials;
`trust` and `differences` are null and empty where nobody asked. `cross_fitted` needs the trials as well.
`relative` is the way to a file from the folder of the project.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PureWindowsPath
from typing import Any

from zebra_core.document import container
from zebra_core.document.items import differences_as_json, differences_of, item_as_json, item_of
from zebra_core.document.parts import (
    SavedValue,
    answers_of,
    fields_as_json,
    read,
    scales_as_json,
    scales_of,
    written,
)
from zebra_core.document.project import (
    MOST_PUBLISHED,
    has_approvals,
    published_as_json,
    published_of,
    report_as_json,
    report_of,
    requirements_of,
    review_as_json,
    review_of,
    robustness_of,
    since_as_json,
    since_of,
    studies_as_json,
    studies_of,
    utilities_as_json,
    utilities_of,
)
from zebra_core.errors import InputError, OutputError, ZebraError
from zebra_core.evidence.audit import InputFile, InputState, distinguishing_names
from zebra_core.evidence.value_types import as_json
from zebra_core.files.access import behind_link, is_device, make_folder, open_regular, write_file
from zebra_core.metrics.assessment import FIRST_PRIOR, HIGHEST_PRIOR
from zebra_core.project.comparison.spans import robustness_as_json
from zebra_core.project.items import Item
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import (
    FileKey,
    FileOnDisk,
    Findings,
    check,
    input_files,
    is_same,
    kept_elsewhere,
    look_at,
    with_findings,
)
from zebra_core.project.requirements.figures import FORMER
from zebra_core.project.review import Review
from zebra_core.project.satellites import SATELLITES, provenance
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import VERSION
from zebra_core.wording.texts import say

SUFFIX = ".zebra"
FORMAT = "zebra-project"
FORMAT_VERSION = 1
MOST_ITEMS = 10_000
_TEXTS = ("title", "notes")
_CALLS_SERVERS = os.name == "nt"

View = Mapping[str, Any]
"""How a window looked, in plain values: texts, numbers, flags, lists and objects of these."""


@dataclass(frozen=True, eq=False)
class OpenedProject:
    """A project as it was saved. `inputs` is what could be told about its files without reading them."""

    project: Project
    view: View = field(default_factory=dict)
    inputs: Findings = field(default_factory=Findings)
    has_inputs: bool = False  # the files are inside
    voices: Mapping[str, Any] = field(default_factory=dict, repr=False)  # biometric data, by their keys
    remarks: tuple[str, ...] = ()  # sentences on what of the file was left out


@dataclass(frozen=True)
class SavedProject:
    """Where a project was saved, and which files could not be put inside, as they are not what they were."""

    path: Path
    left_out: tuple[Path, ...] = ()


def save_project(  # noqa: PLR0913 - one for each choice of who saves
    project: Project,
    path: str | Path,
    view: View | None = None,
    *,
    with_inputs: bool = False,
    kept_at: Mapping[FileKey, Path] | None = None,
    overwrite: bool = True,
    private: bool = False,
    without_folders: bool = False,
    voices: Mapping[str, Any] | None = None,
    look: Callable[[Mapping[str, bytes]], None] = lambda _files: None,
    on_progress: Progress = no_progress,
) -> SavedProject:
    """Save in one step: at any moment there is the whole old file or the whole new one.

    The same project, view and path make the same bytes. A file with voices is for its owner alone.

    Parameters
    ----------
    `project`
        What to save.
    `path`
        Where to save it.
    `view`
        What is selected and in front.
    `with_inputs`
        Whether the files are put inside, as they are on disk.
    `kept_at`
        Where to read those files that lie elsewhere for the time being.
    `overwrite`
        Whether a file that is there may be replaced.
    `private`
        Whether the file is for its owner alone.
    `without_folders`
        Whether it says where files are as seen from the project alone.
    `voices`
        Inside only where they are given.
    `look`
        Is given what was made before it is written.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled; then nothing has changed.

    Returns
    -------
    SavedProject
        Where it is, and which files could not be put inside.

    Raises
    ------
    OutputError
        Where it cannot be written, or a file is there that may not be replaced.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from zebra_core import Project, open_project, save_project
    >>> project = Project("Our study", notes="Two safeguards.")
    >>> with TemporaryDirectory() as folder:
    ...     saved = save_project(project, Path(folder, "study.zebra"))
    ...     again = open_project(saved.path).project
    >>> again.title, again.notes
    ('Our study', 'Two safeguards.')
    """
    path = behind_link(Path(path))
    inputs: dict[str, bytes] = {}
    left_out: list[Path] = []
    if with_inputs:
        inputs, left_out = _inputs_of(project, kept_at or {}, part_of(on_progress, 0.0, 0.5))
    folder = path.parent
    members = _members(project, folder, view or {}, inputs, without_folders=without_folders)
    if voices:
        members[container.VOICES] = provenance().voices_as_member(voices)
    on_progress(0.6)
    content = container.pack(members)
    on_progress(0.8)
    look({path.name: content})
    write_file(path, content, overwrite=overwrite, private=private or bool(voices))
    return SavedProject(path, tuple(left_out))


def open_project(path: str | Path, on_progress: Progress = no_progress) -> OpenedProject:
    """Open what `save_project` saved, with all figures, and without its files.

    The files are looked for where they were, seen from the project and on the whole disk, and marked where
    they are missing or of another size; `inputs.check` reads them.

    Parameters
    ----------
    `path`
        Where it was saved.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    OpenedProject
        The project, what was in view, and what could be told about its files.

    Raises
    ------
    InputError
        For what is no project, truncated, from a newer version, or made to do harm.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import zebra_resources
    >>> from zebra_core import open_project, project_of_folder, save_project
    >>> project = project_of_folder(zebra_resources.path("demo")).project
    >>> with TemporaryDirectory() as folder:
    ...     saved = save_project(project, Path(folder, "demo.zebra"))
    ...     found = open_project(saved.path)
    >>> for entry in found.project.entries:
    ...     print(entry.name, round(entry.assessment.d_ece_bits, 3))
    B1w 0.037
    B2 0.205
    B2r 0.214
    unprotected 0.678
    """
    path = Path(path)
    with container.Container(path) as packed:
        saved = read(packed.read(container.PROJECT), path.name)
        _refuse_format(saved)
        scales = scales_of(saved)
        rows = saved["items"].rows(MOST_ITEMS)
        items: list[Item] = []
        for number, row in enumerate(rows):
            on_progress(number / len(rows))
            items.append(item_of(row, scales, packed.read))
        if len({item.id for item in items}) < len(items):
            saved["items"].refuse("ids")
        view = saved["view"]
        view.fields()
        has_voices = container.VOICES in packed
        voices = provenance().voices_of(packed.read(container.VOICES), path.name) if has_voices else {}
    tag_scale, verbal_scale = scales
    project = Project(
        items=tuple(items),
        answers=answers_of(saved["answers"]),
        tag_scale=tag_scale,
        verbal_scale=verbal_scale,
        report=report_of(saved["report"]),
        published=tuple(published_of(row) for row in saved["published"].rows(MOST_PUBLISHED)),
        utilities=utilities_of(saved["utilities"]),
        studies=studies_of(saved),
        requirements=requirements_of(saved["requirements"]),
        review=review_of(saved),
        since=since_of(saved),
        **saved.fields_of(Project, _TEXTS),
    )
    project = replace(project, robustness=robustness_of(saved["robustness"], project.entries))
    project = replace(project, differences=differences_of(saved["differences"], project)).at_prior(
        _prior_of(view, project)
    )
    rows += [row for name in SATELLITES for row in saved[name].rows()]
    found = _found_again(input_files(project), _relatives(rows), path.absolute().parent)
    on_progress(1.0)
    view_values: dict[str, Any] = view.value if isinstance(view.value, dict) else {}
    return OpenedProject(
        with_findings(project, found),
        view_values,
        found,
        saved["has_inputs"].as_a(bool),
        voices,
        (*((say("review.approvals-left-out"),) if has_approvals(saved) else ()), *_former_names(saved)),
    )


def _former_names(saved: SavedValue) -> list[str]:
    """A sentence for each figure that the requirements in the file call as it was called before."""
    named = [row["figure"].as_a(str) for row in saved["requirements"].rows()]
    known = {name: FORMER[name] for name in named if name in FORMER}
    return [say("requirement.former-name", found=name, now=now) for name, now in known.items()]


def _prior_of(view: SavedValue, project: Project) -> int:
    """The prior that the user considered; where the view names none, as in the window without one."""
    prior, first = view.fields().get("prior"), project.report.people or FIRST_PRIOR
    try:
        return prior.whole(2, HIGHEST_PRIOR) if prior else first
    except InputError:
        return first


def save_review(path: Path, review: Review) -> Path:
    """Put what reviewers said into a project file, of which all else stays as it is, byte for byte.

    Raises InputError for what is no project, OutputError as `write_file`.
    """
    path = behind_link(path)
    with container.Container(path) as packed:
        members = {name: packed.read(name) for name in packed.names}
    saved = read(members[container.PROJECT], path.name)
    _refuse_format(saved)
    document = {name: part.value for name, part in saved.fields().items() if name != "review"}
    members[container.PROJECT] = written({**document, **review_as_json(review)})
    return write_file(path, container.pack(members), overwrite=True, private=container.VOICES in members)


def restore_inputs(
    path: Path,
    project: Project,
    folder: Path,
    on_progress: Progress = no_progress,
    *,
    only_missing: bool = True,
) -> dict[FileKey, Path]:
    """Write the files that are missing on disk, or all, that are inside the project file into this folder.

    Returns where each is now. Each has a folder of its own, and keeps its name, with as many of its folders
    as tell it from its namesakes: a report calls it the same, and files of the same bytes stay two. Raises
    InputError for a file whose content is not that of its hash, and where all are more than was ever put
    inside.
    """
    moves: dict[FileKey, Path] = {}
    written_bytes = 0
    files = input_files(project)
    with container.Container(path) as packed:
        for key, name in zip(files, distinguishing_names([at for at, _ in files]), strict=True):
            on_progress(0.0)
            file = files[key]
            if (only_missing and file.state is not InputState.MISSING) or _member(file) not in packed:
                continue
            content = packed.read(_member(file))
            written_bytes += len(content)
            if written_bytes > container.MOST_BYTES or len(moves) >= container.MOST_MEMBERS:
                raise InputError("project-too-many-inputs", file=path.name, most=container.MOST_BYTES >> 30)
            if len(content) != file.size or sha256(content).hexdigest() != file.sha256:
                raise InputError("project-input-differs", file=path.name, member=file.path.name)
            own = folder / sha256(f"{file.sha256} {key}".encode(errors="backslashreplace")).hexdigest()
            try:
                moves[key] = _put(Path(own, *_harmless_parts(name)), content)
            except OutputError:  # folders of another computer, whose names are none here, or lead too deep
                moves[key] = _put(own / _harmless_parts(name)[-1], content)
    return moves


def find_inputs(
    project: Project,
    path: Path | None,
    folders: Iterable[Path],
    keep_in: Path | None,
    on_progress: Progress,
) -> tuple[Findings, dict[FileKey, Path]]:
    """How it stands with the files of a project, and where those are that were inside its file.

    What is found nowhere is taken out of the project file, where it is inside and there is room for it.
    """
    beside = [path.parent] if path else []
    found = check(project, [*folders, *beside], part_of(on_progress, 0.0, 0.8))
    if path is None or keep_in is None or not found.of_state(InputState.MISSING):
        return found, {}
    kept: dict[FileKey, Path] = {}
    with suppress(ZebraError):  # the project file itself has gone: then nothing is inside
        kept = restore_inputs(path, with_findings(project, found), keep_in, part_of(on_progress, 0.8, 1.0))
    return kept_elsewhere(found, kept), kept


def _put(there: Path, content: bytes) -> Path:
    make_folder(there.parent)
    return write_file(there, content, overwrite=True, private=True)


def _harmless_parts(name: str) -> list[str]:
    """The folders and the name of a file that somebody wrote into a project, as parts that lead nowhere."""
    parts = [part for part in name.split("/") if part.strip(". ")]
    if os.name == "nt":
        parts = ["input" if is_device(part) else re.sub(r'[\\:*?"<>|]', "-", part) for part in parts]
    return parts or ["input"]


def _members(
    project: Project,
    folder: Path,
    view: View,
    inputs: Mapping[str, bytes],
    *,
    without_folders: bool = False,
) -> dict[str, bytes]:
    """The members of the container; project.json first."""
    items: list[object] = []
    arrays: dict[str, bytes] = {}
    if len(project.items) > MOST_ITEMS:
        raise OutputError("project-too-many-items", most=MOST_ITEMS)
    for number, item in enumerate(project.items, start=1):
        values, members = item_as_json(item, number, folder, without_folders=without_folders)
        items.append(values)
        arrays.update(members)
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": f"ZEBRA {VERSION}",
        **fields_as_json(project, _TEXTS),
        **scales_as_json(project.tag_scale, project.verbal_scale),
        "answers": as_json(project.answers),
        "report": report_as_json(project.report),
        "published": [published_as_json(results) for results in project.published],
        "utilities": utilities_as_json(project.utilities),
        **studies_as_json(project.studies, folder, without_folders=without_folders),
        "requirements": as_json(project.requirements),
        "robustness": robustness_as_json(project),
        "differences": differences_as_json(project),
        "has_inputs": bool(inputs),
        "items": items,
        "view": dict(view),
        **review_as_json(project.review),
        **since_as_json(project.since),
    }
    return {container.PROJECT: written(document), **arrays, **inputs}


def _inputs_of(
    project: Project, kept_at: Mapping[FileKey, Path], on_progress: Progress
) -> tuple[dict[str, bytes], list[Path]]:
    """The files as members, by their hash, and those that are not what they were."""
    members: dict[str, bytes] = {}
    left_out: list[Path] = []
    files = input_files(project)
    if sum(file.size for file in files.values()) > container.MOST_BYTES:
        raise OutputError("project-too-large", most=container.MOST_BYTES >> 30)
    for number, (name, file) in enumerate(files.items()):
        on_progress(number / len(files))
        content = _content(kept_at.get(name, file.path), file)
        if content is None:
            left_out.append(file.path)
        else:
            members[_member(file)] = content
    return dict(sorted(members.items())), left_out


def _content(path: Path, file: InputFile) -> bytes | None:
    """The bytes that were read; None where they are no longer there."""
    if not is_same(path, file):
        return None
    try:
        with open_regular(path) as opened:
            content = opened.read(file.size + 1)
    except (OSError, InputError):
        return None
    return content if sha256(content).hexdigest() == file.sha256 else None  # it may have changed since


def _member(file: InputFile) -> str:
    return f"inputs/{file.sha256}"


def _refuse_format(saved: SavedValue) -> None:
    if saved["format"].as_a(str) != FORMAT:
        raise InputError("project-not-one", file=saved.file)
    version, written_by = saved["version"].whole(1), saved["written_by"].as_a(str)
    if version > FORMAT_VERSION:
        raise InputError("project-newer", file=saved.file, written_by=written_by)


def _relatives(rows: list[SavedValue]) -> dict[Path, str]:
    """The way to each file from the folder of the project, by where it was, where there is a way."""
    found = {}
    for row in rows:
        for file in row["files"].rows(1000):
            if (relative := file["relative"].or_none(SavedValue.path)) is not None:
                found[file["path"].path()] = str(relative)
    return found


def _found_again(files: Mapping[FileKey, InputFile], relatives: Mapping[Path, str], folder: Path) -> Findings:
    """Seen from the project first: a case that was copied as a whole rests on its own copy."""
    moves: dict[FileKey, Path] = {}
    standings: dict[FileKey, FileOnDisk] = {}
    for name, file in files.items():
        way = relatives.get(file.path)
        places = [*([Path(os.path.normpath(folder / way))] if way else []), file.path]
        near = [place for place in places if not _is_on_another_server(place, folder)]
        near = near or [folder / file.path.name]
        looked = {place: look_at(place, file.size) for place in near}
        as_read = [place for place, standing in looked.items() if standing.state is InputState.AS_READ]
        there = [place for place, standing in looked.items() if standing.state is not InputState.MISSING]
        place = next(iter([*as_read, *there, near[-1]]))
        standings[name] = looked[place]
        if (taken := looked[near[0]].instead) is not None and standings[name].state is InputState.AS_READ:
            standings[name] = FileOnDisk(instead=replace(taken, path=near[0]))
        if place != file.path:
            moves[name] = place
    return Findings(moves, standings)


def _is_on_another_server(path: Path, folder: Path) -> bool:
    r"""Whether to look at the path would call a server that the project itself is not on.

    Windows asks \\server\share over the network, and tells it who the user is, for the sake of a path that
    somebody wrote into a project.
    """
    there, here = (PureWindowsPath(str(place)).drive.casefold() for place in (path, folder))
    return _CALLS_SERVERS and there.startswith("\\\\") and there != here
