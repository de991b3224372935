"""What a file says once it is read: rows of ids, scores and labels; or who speaks which segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.audit import Example, Finding
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.tables.dialect import Dialect


class FileRole(Enum):
    """What a file contributes to an assessment."""

    SCORES = "scores"
    KEY = "key"
    BOTH = "both"
    TARGET_SCORES = "target-scores"  # one score a line, all of targets
    NONTARGET_SCORES = "nontarget-scores"
    SPEAKERS = "speakers"
    ATTRIBUTES = "attributes"  # of speakers: sex, age, accent
    PREDICTIONS = "predictions"  # what a recogniser of attributes said of recordings
    TRANSCRIPT = "transcript"  # what is said in each recording, beside scores
    RECORDINGS = "recordings"  # from which recordings scores were made, and how
    EMBEDDINGS = "embeddings-record"  # from which embeddings scores were made, and how
    LISTENING_PLAN = "listening-plan"  # what each item of a listening test was
    LISTENING_ANSWERS = "listening-answers"  # what one listener answered
    LISTENING_TEST = "listening-test"  # what one listener heard


def _no_lines(_rows: Sequence[int]) -> list[Example]:
    return []


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of one file. `enrol` and `test` are None where the file names no ids.

    Rows that were set aside (spoof trials) are not in the columns; `row` is then the number of each row left
    among all data of the file, counted from 0. `label_words` are the words of its labels, each
    with the row of the file, counted in the same way, that has it first.
    """

    file: OpenedFile
    format: str
    role: FileRole
    enrol: Ids | None = None
    test: Ids | None = None
    score: FloatArray | None = None
    is_target: BoolArray | None = None
    dialect: Dialect | None = None
    set_aside: int = 0
    row: IntArray | None = None
    label_words: Mapping[str, int] = field(default_factory=dict)
    distance: str = ""  # the name of the column of scores, where by that lower means more alike
    ratio: str = ""  # the same, where by that they are likelihood ratios, not their logarithms
    made_of: tuple[Table, ...] = ()  # the tables that were put one below the other
    computed_from: tuple[InputFile, ...] = ()  # transcripts, where scores were computed from their words
    shape: tuple[int, int] | None = None  # of a matrix whose ids stand in another file, and of these
    labels_are_guessed: bool = False  # the diagonal of a matrix: a key or a speaker map knows better
    find: Callable[[Sequence[int]], list[Example]] = field(default=_no_lines, repr=False)

    def __len__(self) -> int:
        for column in (self.score, self.is_target, self.enrol):
            if column is not None:
                return len(column)
        return 0

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    @property
    def sides(self) -> tuple[Ids, Ids] | None:
        """The ids of enrolment and test, or None where one of them is not known."""
        return None if self.enrol is None or self.test is None else (self.enrol, self.test)

    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """The lines of the file behind these rows of the table."""
        of_file = [int(row) if self.row is None else int(self.row[row]) for row in rows]
        return tuple(self.find(of_file))

    def records(self) -> tuple[InputFile, ...]:
        """The files behind the table, for the record of what a result rests on."""
        if self.made_of:
            return tuple(record for table in self.made_of for record in table.records())
        if self.computed_from:
            return self.computed_from
        return (_record(self, len(self) + self.set_aside),)

    def findings(self) -> tuple[Finding, ...]:
        """What is to be told of the files behind the table."""
        return tuple(finding for table in self.made_of or (self,) for finding in table.file.findings)


@dataclass(frozen=True, eq=False)
class SpeakerMap:
    """Who speaks: segment to speaker, or speaker to gender (spk2gender) or another attribute.

    Of a record of recordings or of embeddings: the hash of each file that it lists.
    """

    file: OpenedFile
    format: str
    of: Mapping[str, str]
    dialect: Dialect | None = None

    @property
    def role(self) -> FileRole:
        """What it contributes, by its format."""
        others = (FileRole.ATTRIBUTES, FileRole.PREDICTIONS, FileRole.RECORDINGS, FileRole.EMBEDDINGS)
        every = (*others, FileRole.TRANSCRIPT)
        return next((role for role in every if self.format.startswith(role.value)), FileRole.SPEAKERS)

    def __len__(self) -> int:
        return len(self.of)

    def records(self) -> tuple[InputFile, ...]:
        """The file behind the map."""
        return (_record(self, len(self)),)

    def findings(self) -> tuple[Finding, ...]:
        """What is to be told of the file behind the map."""
        return self.file.findings

    @property
    def is_gender(self) -> bool:
        """Whether the map tells genders of speakers, not speakers of segments."""
        return self.format == "spk2gender"


def joined(target: Table, nontarget: Table) -> Table:
    """One table from two lists of scores, one for each class; ids are not known."""
    parts = [table.score for table in (target, nontarget) if table.score is not None]
    first = len(target)

    def find(rows: Sequence[int]) -> list[Example]:
        return [target.find([row])[0] if row < first else nontarget.find([row - first])[0] for row in rows]

    return Table(
        target.file,
        target.format,
        FileRole.BOTH,
        score=np.concatenate(parts),
        is_target=np.arange(first + len(nontarget)) < first,
        dialect=target.dialect,
        made_of=(target, nontarget),
        find=find,
    )


def one_below_the_other(parts: Sequence[Table], find: Callable[[Sequence[int]], list[Example]]) -> Table:
    """One table from the parts of one file, at least one, in their order."""
    row = None
    firsts = np.cumsum([0, *(len(part) + part.set_aside for part in parts)])
    words: dict[str, int] = {}
    for first, part in zip(firsts, parts, strict=False):
        words = {word: int(first) + at for word, at in part.label_words.items()} | words
    if any(part.row is not None for part in parts):
        rows = (np.arange(len(part)) if part.row is None else part.row for part in parts)
        row = np.concatenate([first + of_part for first, of_part in zip(firsts, rows, strict=False)])
    return replace(
        parts[0],
        enrol=_ids_below([part.enrol for part in parts]),
        test=_ids_below([part.test for part in parts]),
        score=_below([part.score for part in parts]),
        is_target=_below([part.is_target for part in parts]),
        row=row,
        label_words=words,
        set_aside=sum(part.set_aside for part in parts),
        find=find,
    )


def _below(columns: Sequence[np.ndarray | None]) -> np.ndarray | None:
    present = [column for column in columns if column is not None]
    return np.concatenate(present) if present else None


def _ids_below(columns: Sequence[Ids | None]) -> Ids | None:
    present = [column for column in columns if column is not None]
    if not present:
        return None
    known: dict[str, int] = {}
    codes = [
        np.array([known.setdefault(name, len(known)) for name in ids.names], np.int32)[ids.codes]
        for ids in present
    ]
    return Ids(np.concatenate(codes), tuple(known))


def _record(read: Table | SpeakerMap, rows: int) -> InputFile:
    file = read.file
    return InputFile(
        path=file.source.path,
        role=read.role.value,
        size=file.size,
        sha256=file.sha256,
        rows=rows,
        member=file.source.member,
        format=read.format,
        dialect=read.dialect.in_english() if read.dialect else "",
    )
