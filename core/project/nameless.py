"""A project to be shared without names: ids and files under codes, and the key to the codes apart from it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Severity
from zebra_core.evidence.trials import IdOrder, Trials
from zebra_core.files.writing import make_folder, require_free, write_file, write_files
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.sorting.naming import UNDER_CODES
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.codes import Codes, Hidden, people_in
from zebra_core.project.items import Entry
from zebra_core.project.nameless_records import names_in, under_codes
from zebra_core.project.nameless_words import words_without
from zebra_core.project.project import Project
from zebra_core.project.reading import trials_of, try_planned
from zebra_core.project.scoring_records import attack_of, read_record
from zebra_core.project.speaker_study import speakers_of_entry
from zebra_core.runtime.progress import Progress, no_progress, part_of

_LABELS = {True: "target", False: "nontarget"}
_SAID = ("name", "dataset", "run", "attacker", "recogniser", "back_end")
_READ = 0.4  # of the work


@dataclass(frozen=True, eq=False)
class Nameless:
    """What can be shared, with the files that were written for it, and the key, which stays behind.

    `told` says in sentences what of the project was left behind.
    """

    project: Project
    told: tuple[str, ...]
    files: tuple[Path, ...]
    key_file: Path

    def undo(self) -> None:
        """Remove what was written, for what it was written for has failed."""
        _remove((self.key_file, *self.files))


@dataclass(frozen=True)
class Places:
    """Where what belongs to a shared report or project goes: score files into a folder, the key beside it."""

    folder: Path
    key_file: Path

    @classmethod
    def beside(cls, out: Path, *, is_folder: bool = False, key_file: Path | None = None) -> Places:
        """Of what is written to `out`: a file, or a folder, which then has the scores inside."""
        stem = out.name if is_folder else out.stem
        folder = out / "scores" if is_folder else out.with_name(f"{stem}-scores")
        return cls(folder, key_file or out.with_name(f"{stem}-codes.json"))


@dataclass(frozen=True, eq=False)
class _Named:
    """An assessment with its trials and who speaks in them, before there are codes."""

    entry: Entry
    trials: Trials
    speakers: Mapping[str, str]
    record: ScoringRecord | None  # of the recordings that these scores were made from
    attack: Mapping[str, Any] | None  # of that record

    @property
    def ids(self) -> frozenset[str]:
        assert self.trials.enrol is not None and self.trials.test is not None  # noqa: PT018, S101 - looked at
        return frozenset((*self.trials.enrol.names, *self.trials.test.names))


def without_names(project: Project, places: Places, on_progress: Progress = no_progress) -> Nameless:
    """The assessments of a project on copies of their files in which every id is a code.

    The copies go into the folder of `places`, which is made if need be, under names that are codes, with
    rows in the order of the codes; scores keep all digits, and the new project is read from them. Figures
    are the same (`evidence.ordering`), but for assessments that were dealt by names (of version 0.1.0):
    those are dealt anew. Intervals, differences and what leaving out speakers did are not taken along,
    since they name files and people: whoever wants them has them computed. Matrices of similarity, notes,
    answers, printed results, word error rates and ratings are left behind, and of titles, texts of the
    report and requirements whatever has an id or the name of a file in it; a label with an id in it becomes
    a code. The key is for its owner alone, has what was found in the files besides, and must not lie in the
    folder. Who has the scores with their names finds the names by the scores. Nothing is overwritten, and
    on failure nothing stays. Raises InputError for what cannot be shared so, OutputError as `write_files`.
    """
    folder, key_file = places.folder, places.key_file
    _refuse_what_cannot(project, folder, key_file)
    read = _read(project, part_of(on_progress, 0.0, _READ))
    codes, hidden = Codes(), _hidden(read)
    codes.of_people(people_in((one.trials for one in read), (one.speakers for one in read)))
    path_of: dict[bytes, Path] = {}  # what is the same to the last byte is one file
    by_entry: list[tuple[Path, ...]] = []
    for one in read:
        contents = _recoded(one, codes)
        by_entry.append(
            tuple(path_of.setdefault(content, folder / f"{codes.new()}.txt") for content in contents)
        )
    files = {path: content for content, path in path_of.items()}
    by_entry, records = _with_records(read, by_entry, files, codes, hidden)
    files |= records
    labels = [_labels(one.entry, codes, hidden) for one in read]
    for one in read:
        for file in one.entry.files:
            codes.of(file.name)
    said, told = words_without(project, hidden)
    make_folder(folder)
    write_file(key_file, codes.as_file(findings=_findings(read)), private=True)
    written = [key_file]
    try:
        written += write_files(files)
        for number, (one, paths, label) in enumerate(zip(read, by_entry, labels, strict=True)):
            ends = (_READ + (1.0 - _READ) * done / len(read) for done in (number, number + 1))
            said = said.with_items(_assessed(one.entry, paths, label, part_of(on_progress, *ends)))
    except BaseException:
        _remove(written)
        raise
    on_progress(1.0)
    return Nameless(said, told, tuple(files), key_file)


def _with_records(
    read: Sequence[_Named],
    by_entry: Sequence[tuple[Path, ...]],
    files: Mapping[Path, bytes],
    codes: Codes,
    hidden: Hidden,
) -> tuple[list[tuple[Path, ...]], dict[Path, bytes]]:
    """The files of each assessment with its record under codes, if it has one; and the records."""
    of_record: dict[str, list[int]] = {}
    for number, one in enumerate(read):
        if one.record is not None and one.attack is not None:
            of_record.setdefault(one.record.sha256, []).append(number)
    found, records = list(by_entry), {}
    for numbers in of_record.values():
        record = read[numbers[0]].record
        assert record is not None  # noqa: S101 - looked at above
        scores = {record.files[_scores_of(read[n])]: by_entry[n][0].name for n in numbers}
        written = {path: files[path] for n in numbers for path in by_entry[n]}
        hashes = {path.name: sha256(content).hexdigest() for path, content in written.items()}
        place = next(iter(written)).parent / f"{codes.new()}.json"
        records[place] = under_codes(record, scores, hashes, codes, hidden)
        for number in numbers:
            found[number] = (*by_entry[number], place)
    return found, records


def _scores_of(one: _Named) -> str:
    assert one.attack is not None  # noqa: S101 - the caller has looked
    return str(one.attack["scores"])


def _remove(files: Iterable[Path]) -> None:
    """Remove them, and the folders that are empty then."""
    for path in files:
        with contextlib.suppress(OSError):
            path.unlink()
            path.parent.rmdir()


def _refuse_what_cannot(project: Project, folder: Path, key_file: Path) -> None:
    if not project.entries:
        raise OutputError("nothing-to-report")
    if folder.resolve() in key_file.resolve().parents:
        raise OutputError("key-among-shared", file=key_file.name, folder=str(folder))
    require_free(key_file, overwrite=False)


def _read(project: Project, on_progress: Progress) -> list[_Named]:
    read = []
    for number, entry in enumerate(project.entries):
        part = part_of(on_progress, number / len(project.entries), (number + 1) / len(project.entries))
        trials = trials_of(entry, part)
        if trials.enrol is None or trials.test is None:
            raise InputError("nameless-more-than-scores", name=entry.full_name)
        known = {*trials.enrol.names, *trials.test.names}
        speakers = {one: of for one, of in (speakers_of_entry(entry) or {}).items() if one in known}
        record = read_record(entry)
        attack = attack_of(entry, record) if record else None
        read.append(_Named(entry, trials, speakers, record, attack))
    return read


def _hidden(read: Iterable[_Named]) -> Hidden:
    """Ids, speakers, and the names of files."""
    found: set[str] = set()
    for one in read:
        found |= {*one.ids, *one.speakers.values()}
        found.update(names_in(one.record) if one.record else ())
        for file in one.entry.files:
            found |= {file.path.name, Path(file.member).name}
    return Hidden(found)


def _recoded(one: _Named, codes: Codes) -> list[bytes]:
    """A score file, its key and perhaps its map of speakers, in the order of the codes."""
    trials = one.trials
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018, S101 - `_read` has looked
    enrol, test = ([codes.of(name) for name in ids.names] for ids in (trials.enrol, trials.test))
    rows = sorted(
        (enrol[first], test[second], score, _LABELS[label])
        for first, second, score, label in zip(
            trials.enrol.codes.tolist(),
            trials.test.codes.tolist(),
            trials.score.tolist(),
            trials.is_target.tolist(),
            strict=True,
        )
    )
    lines = [
        [f"{first} {second} {score!r}\n" for first, second, score, _ in rows],
        [f"{first} {second} {label}\n" for first, second, _, label in rows],
    ]
    if one.speakers:
        of = sorted((codes.of(segment), codes.of(speaker)) for segment, speaker in one.speakers.items())
        lines.append([f"{segment} {speaker}\n" for segment, speaker in of])
    return ["".join(each).encode("ascii") for each in lines]


def _labels(entry: Entry, codes: Codes, hidden: Hidden) -> dict[str, Any]:
    """What the entry is called, and whose attack it is, without names."""
    said = {one: getattr(entry, one) for one in _SAID}
    return {one: codes.of(text) if hidden.is_in(text) else text for one, text in said.items()}


def _findings(read: Iterable[_Named]) -> list[dict[str, object]]:
    """What the audit found in the files, by the names of the assessments."""
    return [
        {
            "assessment": one.entry.full_name,
            "files": [str(file.path) for file in one.entry.files],
            "decisions": [decision.value for decision in one.entry.audit.decisions]
            if one.entry.audit
            else [],
            "remarks": [str(remark) for remark in one.entry.assessment.remarks_on_files],
        }
        for one in read
    ]


def _assessed(entry: Entry, paths: tuple[Path, ...], label: dict[str, Any], on_progress: Progress) -> Entry:
    """The assessment of the copies, with a remark on what was remarked of the files themselves."""
    made = plan(dict.fromkeys(paths), {})
    all_of_it = (each for each in made.assessments if {file.source.path for file in each.files} == set(paths))
    if (planned := next(all_of_it, None)) is None:
        raise made.problems[0].error if made.problems else InputError("not-as-before", file=entry.name)
    known = entry.assessment.remarks_on_files
    finding = Finding(UNDER_CODES, Severity.NOTE, {"count": len(known)})
    settings = replace(entry.assessment.settings, dealt_by=IdOrder.SCORES)
    tried = try_planned(replace(planned, findings=(finding,)), settings=settings, on_progress=on_progress)
    if not isinstance(tried.entry, Entry):
        raise tried.failure or InputError("not-as-before", file=entry.name)
    return replace(
        tried.entry, colour=entry.colour, is_ticked=entry.is_ticked, condition=entry.condition, **label
    )
