"""A project to be shared without names: ids and files under codes, and the key to the codes apart from it.

What is to be shared without names, searched for names after it was made and before it is written.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any

import zebra_resources
from zebra_core.errors import OutputError
from zebra_core.evidence.value_types import json_schema
from zebra_core.files.access import make_folder, require_empty, require_free, size_of, write_file, write_files
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.recordings_file import RECORD, ScoringRecord
from zebra_core.intake.sorting.naming import name_of
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail, Scope
from zebra_core.project.satellites import SATELLITES, provenance, satellite_named
from zebra_core.project.sharing.pseudonymised_files import (
    Codes,
    Content,
    HiddenNames,
    UncodedItem,
    UncodedTrials,
    people_in,
    read_named,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_english, say, visible

_READ = 0.4  # of the work
_SOURCES = {one.value for one in (FileRole.TRANSCRIPT, FileRole.RECORDINGS, FileRole.EMBEDDINGS)}
_OF_EVERYBODY = frozenset(
    {
        *("scores", "scores.txt", "score", "trials", "trials.txt", "key", "key.txt", "keys", "enrolls"),
        *("trials_all", "utt2spk", "spk2utt", "spk2gender", "text", "original", "protected", "results"),
        *("recordings", "recordings.json", "embeddings", "embeddings.json", "matrices", "within", "across"),
        *("recordings_trials", "recordings_enrolls", "protected.json"),
    }
)
"""What files and folders are called everywhere, or by ZEBRA: it names nobody, and is in every report."""


def own_folder() -> Path:
    """ZEBRA's folder of local data of this user; it need not be there."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ZEBRA"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ZEBRA"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (given if given.is_absolute() else home / ".local" / "share") / "ZEBRA"


@dataclass(frozen=True, eq=False)
class PseudonymisedProject:
    """What can be shared, with the files that were written for it, and the key, which stays behind.

    `sentences` say what of the project was left behind, `hidden` are the names.
    """

    project: Project
    sentences: tuple[str, ...]
    files: tuple[Path, ...]
    key_file: Path
    hidden: HiddenNames

    def refuse_names(self, files: Mapping[str, bytes], ours: str = "") -> None:
        """See `nameless_output.refuse_names`: of what was made of the project, and is about to be written."""
        refuse_names(files, self.hidden, ours)

    def undo(self) -> None:
        """Remove what was written, for what it was written for has failed."""
        _remove((self.key_file, *self.files))


@dataclass(frozen=True)
class Places:
    """Where to write what a shared report or project needs: a folder of score files, and the key."""

    folder: Path
    key_file: Path

    @classmethod
    def beside(
        cls, out: Path, *, is_folder: bool = False, key_file: Path | None = None, overwrite: bool = False
    ) -> Places:
        """The places for output written to `out`: beside a file, or with the scores inside of a folder.

        The key lies with neither, but in a folder of the user's, under a name that is free. Raises
        OutputError where something lies already in the folder that is to be shared, unless that is allowed.
        """
        stem = out.name if is_folder else out.stem
        folder = out / "scores" if is_folder else out.with_name(f"{stem}-scores")
        require_empty(out if is_folder else folder, overwrite=overwrite)
        names = (f"{stem}-codes{number}.json" for number in chain([""], count(-2, -1)))
        keys = keys_folder()
        return cls(folder, key_file or next(keys / name for name in names if size_of(keys / name) is None))


def keys_folder() -> Path:
    """Where keys to codes are kept unless somebody says otherwise: not among what is shared."""
    return own_folder() / "codes"


def without_names(
    project: Project, places: Places, on_progress: Progress = no_progress
) -> PseudonymisedProject:
    """The items of a project on copies of their files in which every id is a code.

    The copies go into the folder of `places`, which is made if need be, under names that are codes, with
    rows in an order that follows from the codes; scores keep all digits, and the new project is read from
    them. Figures are the same (`evidence.ordering`). Intervals, differences and what leaving out speakers
    did are not taken along, since they name files and people: whoever wants them has them computed. Values of
    attributes stay, unless one has a name in it. Notes, answers, reviews, printed results, word error rates,
    ratings and what listening tests came to beyond their assessments are left behind, and of titles, texts of
    the report and requirements whatever has an id or the name of a file in it; a label with an id becomes a
    code. Names of one character are replaced wherever they stand for somebody, but not looked for in texts;
    if any could be in one, a sentence of `told` says so. The key is for its owner alone, has what was found
    in the files besides, and must not lie in the folder. Who has the scores with their names finds the names
    by the scores. Nothing is overwritten, and on failure nothing stays. Raises InputError for what cannot be
    shared so, OutputError as `write_files`.
    """
    folder, key_file = places.folder, places.key_file
    _refuse_what_cannot(project, folder, key_file)
    read = _read(project, part_of(on_progress, 0.0, _READ))
    codes, hidden = Codes(), _hidden(read)
    ids = sorted(frozenset().union(*(one.ids for one in read)))
    codes.of_people(people_in(ids, (pair for one in read for pair in one.same_people())))
    words = frozenset().union(*(one.words for one in read))
    are_words_coded = any(_needs_code(word, hidden) for word in words)
    if are_words_coded:
        codes.of_words(words)  # of all, for they have an order
    path_of: dict[tuple[str, bytes], Path] = {}  # what is the same to the last byte is one file
    by_item = [
        {
            path_of.setdefault((each.kind, each.content), folder / f"{codes.new()}{each.kind}"): each
            for each in one.contents(codes)
        }
        for one in read
    ]
    for numbers, record in _records(read, by_item, codes, hidden):
        path = path_of.setdefault((record.kind, record.content), folder / f"{codes.new()}{record.kind}")
        for number in numbers:
            by_item[number][path] = record
    labels = [_labels(one, codes, hidden) for one in read]
    for one in read:
        for file in one.item.files:
            codes.of(file.name)
    said, remarks = words_without(project, hidden, [text for label in labels for text in label.values()])
    also = {
        "labels": any(label != one.called for one, label in zip(read, labels, strict=True)),
        "words": are_words_coded,
        "sources": any(file.role in _SOURCES for one in read for file in one.item.files),
        **{one.kind: True for one in project.studies},
    }
    remarks = (*remarks, *(say(f"nameless.{what}") for what, is_so in also.items() if is_so))
    if stay := _labels_left(read, labels):
        remarks = (*remarks, say("nameless.labels-stay", labels=", ".join(map(visible, stay))))
    remarks = (*remarks, say("recordings.biometric"))  # also under codes
    contents = {path.name: each.content for files in by_item for path, each in files.items()}
    refuse_names(contents, hidden)
    make_folder(folder)
    if key_file.parent == keys_folder():
        make_folder(key_file.parent)
    write_file(key_file, codes.as_file(findings=_findings(read, by_item)), private=True)
    written = [key_file]
    try:
        written += write_files({path: each.content for files in by_item for path, each in files.items()})
        for number, (one, files, label) in enumerate(zip(read, by_item, labels, strict=True)):
            ends = (_READ + (1.0 - _READ) * done / len(read) for done in (number, number + 1))
            said = said.with_items(one.again(files, label, codes, part_of(on_progress, *ends)))
    except BaseException:
        _remove(written)
        raise
    on_progress(1.0)
    return PseudonymisedProject(said, remarks, tuple(path_of.values()), key_file, hidden)


def _records(
    read: Sequence[UncodedItem], written: Sequence[Mapping[Path, Content]], codes: Codes, hidden: HiddenNames
) -> Iterator[tuple[list[int], Content]]:
    """Records of what scores were made from, under codes, and the places of the items of each."""
    of_record: dict[str, list[tuple[int, ScoringRecord, str]]] = {}
    for number, one in enumerate(read):
        if isinstance(one, UncodedTrials) and one.record is not None and one.attack is not None:
            scores = one.record.files[str(one.attack["scores"])]
            of_record.setdefault(one.record.sha256, []).append((number, one.record, scores))
    for several in of_record.values():
        names = {scores: next(iter(written[number])).name for number, _, scores in several}
        hashes = {
            path.name: sha256(each.content).hexdigest()
            for number, *_ in several
            for path, each in written[number].items()
        }
        (_, record, _), *_ = several
        coded = provenance().under_codes(record, names, hashes, codes, hidden)
        yield [number for number, *_ in several], Content(coded, ".json")


def _remove(files: Iterable[Path]) -> None:
    """Remove them, and the folders that are empty then."""
    for path in files:
        with contextlib.suppress(OSError):
            path.unlink()
            path.parent.rmdir()


def _refuse_what_cannot(project: Project, folder: Path, key_file: Path) -> None:
    if not project.items:
        raise OutputError("nothing-to-report")
    if folder.resolve() in key_file.resolve().parents:
        raise OutputError("key-among-shared", file=key_file.name, folder=str(folder))
    if key_file.parent != keys_folder():  # else it is made
        require_free(key_file, overwrite=False)


def _read(project: Project, on_progress: Progress) -> list[UncodedItem]:
    count = len(project.items)
    parts = (part_of(on_progress, number / count, (number + 1) / count) for number in range(count))
    return [read_named(item, part) for item, part in zip(project.items, parts, strict=True)]


def _hidden(read: Iterable[UncodedItem]) -> HiddenNames:
    """Ids, speakers, names of files with and without what follows a point, and what labels are made of these.

    Folders that name a safeguard in the usual layouts of evaluations are none of these; `without_names` tells
    which labels stay.
    """
    found: set[str] = set()
    for one in read:
        found |= {*one.ids, *one.places}
        for file in one.item.files:
            found.add(name_of(Source(file.path, file.member)))
            for path in (file.path, Path(file.member)):
                found |= {
                    path.name,
                    *(path.name.rsplit(".", n)[0] for n in range(1, path.name.count(".") + 1)),
                }
    return HiddenNames({name for name in found if name.lower() not in _OF_EVERYBODY})


def _needs_code(word: str, hidden: HiddenNames) -> bool:
    """Whether a name is in the value of an attribute, or what a table cannot hold; numbers are no names."""
    return not word.isdecimal() and ("\t" in word or '"' in word or hidden.is_in(word))


def _labels(one: UncodedItem, codes: Codes, hidden: HiddenNames) -> dict[str, str]:
    """What the item is called, and whose attack it is, without names."""
    return {name: codes.of(text) if hidden.is_in(text) else text for name, text in one.called.items()}


def _labels_left(read: Sequence[UncodedItem], labels: Sequence[Mapping[str, str]]) -> list[str]:
    """What safeguards, datasets and runs are still called, where these are not words of ours."""
    of_user = ("name", "dataset", "run")
    both = [
        (one.called[what], label[what]) for one, label in zip(read, labels, strict=True) for what in of_user
    ]
    return sorted({kept for said, kept in both if kept == said} - {"", in_english("name.unprotected")})


def _findings(read: Iterable[UncodedItem], written: Iterable[Iterable[Path]]) -> list[dict[str, object]]:
    """What the audit found in the files, by the names of the items, and what was written for each."""
    return [
        {
            "assessment": one.item.full_name,
            "files": [str(file.path) for file in one.item.files],
            "written": [path.name for path in paths],
            "decisions": [decision.value for decision in one.decisions],
            "remarks": [str(remark) for remark in one.remarks_on_files],
        }
        for one, paths in zip(read, written, strict=True)
    ]


def words_without(
    project: Project, hidden: HiddenNames, labels: Iterable[str] = ()
) -> tuple[Project, tuple[str, ...]]:
    """A project without items that says what this one says, but for texts with a name in them.

    A title that is the name of a folder is left behind as well.

    Notes, answers about files, what result files print, word error rates and ratings are left behind in any
    case: they are about files; and so is what reviewers said: it is free text about people, by people. A
    sentence tells of each kind of thing that was left behind, and one that
    names of one character may be in what is kept, these labels of items included.
    """
    report, left = _report(project.report, hidden)
    required = tuple(one for one in project.requirements if not hidden.is_in(_text_of(one)))
    folders = {part for item in project.items for file in item.files for part in file.path.parts}
    title = "" if hidden.is_in(project.title) or project.title in folders else project.title
    left += ["title"] if title != project.title else []
    left += ["requirements"] if len(required) < len(project.requirements) else []
    left += ["notes"] if project.notes or any(item.notes for item in project.items) else []
    left += ["published"] if project.published else []
    left += ["utilities"] if project.utilities else []
    left += ["review"] if project.review else []
    left += ["since"] if project.since else []
    made = Project(
        title,
        tag_scale=project.tag_scale,
        verbal_scale=project.verbal_scale,
        report=report,
        requirements=required,
    )
    kept = [title, *labels, *_texts_of(report), *(_text_of(one) for one in required)]
    left += ["short-names"] if any(map(hidden.may_be_in, kept)) else []
    return made, tuple(say(f"nameless.{what}") for what in left)


def _report(said: ReportSettings, hidden: HiddenNames) -> tuple[ReportSettings, list[str]]:
    texts = {field.name: "" for field in fields(said) if _is_named(getattr(said, field.name), hidden)}
    notes = {section: text for section, text in said.notes.items() if not hidden.is_in(text)}
    signers = tuple(name for name in said.signers if not hidden.is_in(name))
    logo = None if said.logo and hidden.is_in(said.logo.texts) else said.logo
    made: Any = replace(said, **texts, notes=notes, signers=signers, logo=logo)  # type: ignore[arg-type]
    lacks = texts or len(notes) < len(said.notes) or len(signers) < len(said.signers)
    return made, [*(["report"] if lacks else []), *(["logo"] if logo != said.logo else [])]


def _is_named(value: object, hidden: HiddenNames) -> bool:
    return isinstance(value, str) and hidden.is_in(value)


def _texts_of(report: ReportSettings) -> Iterator[str]:
    values = (getattr(report, field.name) for field in fields(report))
    yield from (value for value in values if isinstance(value, str))
    yield from (*report.notes.values(), *report.signers)


def _text_of(one: Requirement) -> str:
    """Every text of the user in a requirement, its scope included; no number, and no name of a field."""
    said = one.name, one.why, one.set_by, one.no_worse_than, one.scope, one.detail
    return "\n".join(_texts_within(said))


def _texts_within(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Scope | RequirementDetail):
        yield from _texts_within(tuple(vars(value).values()))
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts_within(each)


_PDF, _ZIP = b"%PDF-", b"PK\x03\x04"
_PICTURES = (b"\x89PNG", b"\x93NUMPY")
_AT_ONCE = 1 << 20  # bytes of lines
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def refuse_names(files: Mapping[str, bytes], hidden: HiddenNames, ours: str = "") -> None:
    """Raise OutputError for the first file, by its name, in which one of the names stands.

    Looked at are the names of files, texts as they are and without the escapes of TeX, Markdown and JSON,
    members of archives, and of a PDF the text of pages, strings, attachments, metadata and alternative texts.
    Not looked for are names of fewer than four characters, numbers of fewer than twelve, and words that are
    in texts of ours or in `ours`, for these stand in every report. What is drawn is not looked at, nor a name
    that a line break cuts in two.
    """
    for name, content in files.items():
        for text in (name, *_texts(content)):
            found = hidden.found_in(text)
            found -= hidden.found_in(f"{_ours()}\n{ours}") if found else found
            if found:
                raise OutputError("name-left", file=name, found=min(found))


def _texts(content: bytes) -> Iterator[str]:
    if content.startswith(_ZIP):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for member in packed.namelist():
                yield member
                yield from _texts(packed.read(member))
    elif content.startswith(_PDF):
        yield from _texts_of_pdf(content)
    elif not content.startswith(_PICTURES):
        lines = io.BytesIO(content)
        while piece := b"".join(lines.readlines(_AT_ONCE)):
            text = piece.decode("utf-8", "replace")
            yield text
            if "\\" in text:
                yield _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text).replace("\\", "")


def _texts_of_pdf(content: bytes) -> Iterator[str]:
    from pypdf import PdfReader
    from pypdf.generic import StreamObject

    reader = PdfReader(io.BytesIO(content))
    for number in range(1, int(str(reader.trailer["/Size"]))):
        one = reader.get_object(number)
        yield "\n".join(_strings(one))
        # An image and a font are no text, and bytes of neither are to be taken for a name.
        if isinstance(one, StreamObject) and one.get("/Subtype") != "/Image" and "/Length1" not in one:
            yield from _texts(one.get_data())
    for page in reader.pages:
        yield page.extract_text()


def _strings(one: object) -> Iterator[str]:
    """The strings in an object of a PDF, in those inside it too, but not in those that it points to."""
    if isinstance(one, str):
        yield one
    elif isinstance(one, Mapping):
        for value in one.values():
            yield from _strings(value)
    elif isinstance(one, list):
        for value in one:
            yield from _strings(value)


@cache
def _ours() -> str:
    """All texts of the program in all languages, and the words of records and of what satellites found."""
    folders = ("texts", "templates")
    paths = (path for folder in folders for path in sorted(zebra_resources.path(folder).iterdir()))
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths if path.suffix != ".po"]
    described = (RECORD, *(satellite_named(one).outcome for one in SATELLITES))
    return "\n".join([*texts, *(json.dumps(json_schema(of)) for of in described)])
