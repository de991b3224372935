"""The files of an item under codes: what is read of it, and what is written in which every id is a code."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import Decision, Finding, Remark, Severity
from zebra_core.evidence.segments import SegmentEvidence
from zebra_core.evidence.speaker_names import SpeakerRule, session_in, speaker_in
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import (
    ACROSS_RUNS,
    PlannedAssessment,
    PlannedSimilarity,
    reading_id,
    setting_id,
    speakers_id,
)
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.intake.sorting.naming import UNDER_CODES
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.sorting.segment_plan import as_chosen
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.comparison.inference import Labels, labels_of
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.reading.reading import (
    Attempt,
    evidence_of,
    speakers_of_entry,
    trials_of,
    try_planned,
    try_planned_similarity,
)
from zebra_core.project.satellites import provenance, record_file
from zebra_core.runtime.progress import Progress

Made = TypeVar("Made", PlannedAssessment, PlannedSimilarity)

_LABELS = {True: "target", False: "nontarget"}


@dataclass(frozen=True)
class Content:
    """A file that is to be written; `kind` is the end of its name, `choice` what it is read as."""

    content: bytes
    kind: str = ".txt"
    choice: str = ""


class UncodedItem(ABC):
    """An item with what its files say, before there are codes."""

    said: ClassVar[tuple[str, ...]]  # what the user calls it, and whose attack it is
    item: Item

    @property
    def called(self) -> dict[str, str]:
        """What the user calls it, by what of it is called so."""
        return {name: getattr(self.item, name) for name in self.said}

    @property
    @abstractmethod
    def ids(self) -> frozenset[str]:
        """Every id in its files: recordings, models, speakers."""

    @abstractmethod
    def same_people(self) -> Iterator[tuple[str, str]]:
        """Pairs of ids that are of one person."""

    @abstractmethod
    def contents(self, codes: Codes) -> list[Content]:
        """The item's files under codes."""

    @abstractmethod
    def tried(
        self, written: Mapping[Path, Content], finding: Finding, on_progress: Progress
    ) -> Attempt[Item]:
        """The attempt to assess the pseudonymised copies. Raises InputError."""

    @property
    @abstractmethod
    def remarks_on_files(self) -> tuple[Remark, ...]:
        """What was remarked of its files."""

    @property
    @abstractmethod
    def decisions(self) -> list[Decision]:
        """What the user decided about its files."""

    @property
    def words(self) -> frozenset[str]:
        """The values of attributes in its files."""
        return frozenset()

    @property
    def places(self) -> frozenset[str]:
        """What else in its files is a name: of recordings, and where these lay."""
        return frozenset()

    def again(
        self, written: Mapping[Path, Content], label: Mapping[str, Any], _codes: Codes, on_progress: Progress
    ) -> Item:
        """The item made of what was written, with its remarks on the original files."""
        finding = Finding(UNDER_CODES, Severity.NOTE, {"count": len(self.remarks_on_files)})
        made: Item = self.tried(written, finding, on_progress).made
        kept: dict[str, Any] = {"colour": self.item.colour, "is_ticked": self.item.is_ticked, **label}
        return replace(made, **kept)


@dataclass(frozen=True, eq=False)
class UncodedTrials(UncodedItem):
    """An assessment: its trials, who speaks in them, attributes of the speakers and predictions of these."""

    said = ("name", "dataset", "run", *ATTACK)

    item: Entry
    trials: Trials
    speakers: Mapping[str, str]
    labels: tuple[tuple[FileRole, Labels], ...]
    record: ScoringRecord | None  # of the recordings that these scores were made from
    attack: Mapping[str, Any] | None  # of that record

    @classmethod
    def read(cls, entry: Entry, on_progress: Progress) -> UncodedTrials:
        """Raises InputError for trials that are only counted, and where a file has changed."""
        trials = trials_of(entry, on_progress)
        if trials.enrol is None or trials.test is None:
            raise InputError("nameless-more-than-scores", name=entry.full_name)
        labels = tuple((role, each) for role in _OF_LABELS for each in labels_of(entry, role))
        heard = {one for role, each in labels if role is FileRole.PREDICTIONS for one in each.of}
        known = {*trials.enrol.names, *trials.test.names, *heard}
        speakers = {one: of for one, of in (speakers_of_entry(entry) or {}).items() if one in known}
        record = provenance().read(entry) if record_file(entry) else None
        attack = provenance().attack_of(entry, record) if record else None
        return cls(entry, trials, speakers, labels, record, attack)

    @property
    def ids(self) -> frozenset[str]:
        """The ids in trials, map, attributes and predictions."""
        enrol, test = _both(self.trials)
        labelled = (one for _, labels in self.labels for one in labels.of)
        return frozenset((*enrol.names, *test.names, *self.speakers, *self.speakers.values(), *labelled))

    @property
    def remarks_on_files(self) -> tuple[Remark, ...]:
        """The remarks on the files of the assessment."""
        return self.item.assessment.remarks_on_files

    @property
    def decisions(self) -> list[Decision]:
        """The decisions in the audit."""
        return list(self.item.audit.decisions) if self.item.audit else []

    @property
    def words(self) -> frozenset[str]:
        """The values of attributes and predictions."""
        return frozenset(word for _, labels in self.labels for word in labels.of.values())

    @property
    def places(self) -> frozenset[str]:
        """The names and places in the record of recordings."""
        return frozenset(provenance().names_in(self.record) if self.record else ())

    def same_people(self) -> Iterator[tuple[str, str]]:
        """Pairs of ids of one person, by target trials and by the map of speakers."""
        enrol, test = _both(self.trials)
        of_target = self.trials.is_target
        pairs = set(zip(enrol.codes[of_target].tolist(), test.codes[of_target].tolist(), strict=True))
        yield from ((enrol.names[one], test.names[other]) for one, other in pairs)
        yield from self.speakers.items()

    def contents(self, codes: Codes) -> list[Content]:
        """Scores, their key, perhaps a map of speakers, attributes and predictions."""
        enrol, test = ([codes.of(name) for name in ids.names] for ids in _both(self.trials))
        first, second = _both(self.trials)
        rows = _mixed(
            (enrol[one], test[other], repr(score), _LABELS[label])
            for one, other, score, label in zip(
                first.codes.tolist(),
                second.codes.tolist(),
                self.trials.score.tolist(),
                self.trials.is_target.tolist(),
                strict=True,
            )
        )
        made = [
            Content(_lines(f"{one} {other} {score}" for one, other, score, _ in rows)),
            Content(_lines(f"{one} {other} {label}" for one, other, _, label in rows)),
        ]
        if self.speakers:
            made.append(Content(_map(self.speakers, codes)))
        for role, labels in self.labels:
            rows_of = sorted((codes.of(one), codes.word(value)) for one, value in labels.of.items())
            made.append(Content(_lines(map("\t".join, rows_of)), choice=role.value))
        return made

    def tried(
        self, written: Mapping[Path, Content], finding: Finding, on_progress: Progress
    ) -> Attempt[Item]:
        """Assess the pseudonymised copies of trials. Raises InputError."""
        choices = {reading_id(Source(path)): each.choice for path, each in written.items() if each.choice}
        made = plan(dict.fromkeys(written), choices)
        planned = _of_all(written, made.assessments)
        if planned is None:
            raise (
                made.problems[0].error if made.problems else InputError("not-as-before", file=self.item.name)
            )
        planned = replace(planned, findings=(finding,))
        return try_planned(planned, settings=self.item.assessment.settings, on_progress=on_progress)

    def again(
        self, written: Mapping[Path, Content], label: Mapping[str, Any], codes: Codes, on_progress: Progress
    ) -> Item:
        """The item made of what was written, with its condition and its sessions, which have codes, too."""
        made = super().again(written, {"condition": self.item.condition, **label}, codes, on_progress)
        if (sessions := self.item.sessions) is None:
            return made
        of = {name: session_in(sessions, name) for ids in _both(self.trials) for name in ids.names}
        called = {session: codes.new() for session in {*of.values()}}
        (entry,) = made.entries
        return entry.in_sessions({codes.of(name): called[session] for name, session in of.items()})


@dataclass(frozen=True, eq=False)
class UncodedVoices(UncodedItem):
    """Similarity matrices: segment scores of up to three settings, who speaks in them, and of which sex."""

    said = ("name", "dataset", "run")

    item: SimilarityEntry
    evidence: SegmentEvidence

    @classmethod
    def read(cls, item: SimilarityEntry, on_progress: Progress) -> UncodedVoices:
        """Raises InputError where a file has changed."""
        return cls(item, evidence_of(item, on_progress))

    @property
    def ids(self) -> frozenset[str]:
        """The ids of segments and speakers."""
        return frozenset(
            (*self._segments, *self.item.similarity.speakers, *self.evidence.sex, *self._of.values())
        )

    @property
    def remarks_on_files(self) -> tuple[Remark, ...]:
        """The remarks on the files of the matrices."""
        return self.item.similarity.remarks_on_files

    @property
    def decisions(self) -> list[Decision]:
        """The decisions about the segment scores."""
        return sorted(self.item.allowed, key=lambda decision: decision.value)

    def same_people(self) -> Iterator[tuple[str, str]]:
        """Segments with their speakers."""
        yield from self._of.items()

    @property
    def _segments(self) -> dict[str, None]:
        """Every segment once."""
        scores = self.evidence.scores.values()
        return dict.fromkeys(
            name for each in scores for ids in (each.first, each.second) for name in ids.names
        )

    @property
    def _of(self) -> dict[str, str]:
        """Who speaks in each segment, as far as that is known."""
        found = ((name, speaker_in(self.evidence.speakers, name)) for name in self._segments)
        return {name: speaker for name, speaker in found if speaker is not None}

    def contents(self, codes: Codes) -> list[Content]:
        """The scores of each setting; a map of speakers, unless ids are speakers; their sex."""
        made = []
        for setting, scores in self.evidence.scores.items():
            first, second = ([codes.of(name) for name in ids.names] for ids in (scores.first, scores.second))
            sides = scores.first.codes.tolist(), scores.second.codes.tolist()
            rows = _mixed(
                (first[one], second[other], repr(score))
                for one, other, score in zip(*sides, scores.score.tolist(), strict=True)
            )
            choice = ACROSS_RUNS if setting == "pp" and self.evidence.across_runs else setting
            made.append(Content(_lines(map(" ".join, rows)), f"-{setting}.txt", choice))
        if self.evidence.speakers is not SpeakerRule.WHOLE_ID:
            made.append(Content(_map(self._of, codes)))
        if self.evidence.sex:
            made.append(Content(_map_of_words(self.evidence.sex, codes)))
        return made

    def tried(
        self, written: Mapping[Path, Content], finding: Finding, on_progress: Progress
    ) -> Attempt[Item]:
        """Compute the similarity matrices of the pseudonymised copies. Raises InputError."""
        of_settings = {path: each.choice for path, each in written.items() if each.choice}
        choices = {setting_id(Source(path)): choice for path, choice in of_settings.items()}
        if self.evidence.speakers is SpeakerRule.WHOLE_ID:
            choices |= {speakers_id(Source(path)): SpeakerRule.WHOLE_ID.value for path in of_settings}
        made = plan(dict.fromkeys(written), choices)
        chosen = as_chosen(made.files, choices)
        planned = _of_all(written, [chosen] if chosen else [])
        if planned is None:
            raise (
                made.problems[0].error if made.problems else InputError("not-as-before", file=self.item.name)
            )
        return try_planned_similarity(replace(planned, findings=(finding,)), on_progress=on_progress)


def read_named(item: Item, on_progress: Progress) -> UncodedItem:
    """What the files of an item say. Raises InputError."""
    read: list[UncodedItem] = [UncodedTrials.read(entry, on_progress) for entry in item.entries]
    read += [UncodedVoices.read(matrices, on_progress) for matrices in item.similarities]
    return read[0]


_OF_LABELS = (FileRole.ATTRIBUTES, FileRole.PREDICTIONS)


def _both(trials: Trials) -> tuple[Ids, Ids]:
    assert trials.enrol is not None and trials.test is not None  # noqa: PT018, S101 - `read` has looked
    return trials.enrol, trials.test


def _mixed(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Rows in an order that follows from their codes, with all sorts of people in any part of it.

    Who looks at the first lines of a file sees what is in it, as they do in lists by test segment.
    """
    return sorted(rows, key=lambda row: (zlib.crc32(f"{row[0]} {row[1]}".encode()), row))


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _map(of: Mapping[str, str], codes: Codes) -> bytes:
    """A map of speakers, both sides under codes."""
    return _lines(
        f"{one} {who}" for one, who in sorted((codes.of(one), codes.of(who)) for one, who in of.items())
    )


def _map_of_words(of: Mapping[str, str], codes: Codes) -> bytes:
    return _lines(f"{who} {word}" for who, word in sorted((codes.of(who), word) for who, word in of.items()))


def _of_all(written: Iterable[Path], made: Sequence[Made]) -> Made | None:
    """What is made of all these files, and of no others."""
    wanted = set(written)
    return next((one for one in made if {file.source.path for file in one.files} == wanted), None)


# Random codes for names, the same everywhere, and the key that leads back to the names.


_LETTERS = "bcdfghjkmnpqrstvwxyz"  # no digits, which a score could have, too; no vowels, no words
_LENGTH = 12  # 51 bits


class Codes:
    """Codes for all names that were asked for; their order, length and list reveal nothing of the names.

    Only the codes of one person are in the order of their ids, since recordings are pooled in that order.
    """

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._used: set[str] = set()

    def of(self, name: str) -> str:
        """The code of a name."""
        if name not in self._codes:
            self._codes[name] = self.new()
        return self._codes[name]

    def of_people(self, people: Iterable[Sequence[str]]) -> None:
        """Give codes to the ids of each of these people, none of which has one yet."""
        for ids in people:
            codes = sorted(self.new() for _ in ids)
            self._codes |= dict(zip(sorted(ids), codes, strict=True))

    def of_words(self, words: Iterable[str]) -> None:
        """Give codes to words that are no ids, such as values of attributes; in the order of the words."""
        words = sorted(set(words))
        self._words = dict(zip(words, sorted(self.new() for _ in words), strict=True))

    def word(self, word: str) -> str:
        """The code of a word, or the word where it needs none."""
        return self._words.get(word, word)

    def new(self) -> str:
        """A new code, which stands for nothing yet."""
        while True:
            code = "".join(_LETTERS[secrets.randbelow(len(_LETTERS))] for _ in range(_LENGTH))
            if code not in self._used:
                self._used.add(code)
                return code

    def names(self) -> dict[str, str]:
        """The names by their codes, which ascend."""
        known = (*self._codes.items(), *self._words.items())
        return dict(sorted((code, name) for name, code in known))

    def as_file(self, **about: object) -> bytes:
        """The key to the codes, as JSON, with what else only its owner should know."""
        return (json.dumps({"names": self.names(), **about}, indent=1) + "\n").encode("ascii")


class HiddenNames:
    """Names that must not be read anywhere: looked for as whole words, in capitals or not, however composed.

    A name of one character would be found in every text; where it may be, `may_be_in` says so.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._folded = frozenset(_folded(name) for name in names if len(name) > 1)
        self._words = frozenset(name for name in self._folded if _PLAIN.fullmatch(name))
        self._others = tuple(self._folded - self._words)  # with marks in them, that cut texts into words
        self._short = frozenset(_folded(name) for name in names if len(name) == 1)

    def is_in(self, text: str) -> bool:
        """Whether one of the names is in a text."""
        folded = _folded(text)
        if not self._words.isdisjoint(_PLAIN.findall(folded)):
            return True
        return any(name in folded for name in self._others)

    def found_in(self, text: str) -> set[str]:
        """The names that are whole words of a text which anybody wrote, of those long enough to be no chance.

        A name with a letter is, from four characters on; one without, from twelve on.
        """
        folded = _folded(text)
        words = frozenset(_PLAIN.findall(folded))
        found = {name for name in self._words & words if _is_telling(name)}
        for name in self._others:
            if _is_telling(name) and words.issuperset(_PLAIN.findall(name)):
                found |= {name} if re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", folded) else set()
        return found

    def may_be_in(self, text: str) -> bool:
        """Whether a name of one character is a word of a text; it may be nobody's name there."""
        return not self._short.isdisjoint(_PLAIN.findall(_folded(text)))


_PLAIN = re.compile(r"[^\W_]+")  # what stands before _ in the name of a file is a word


def _is_telling(name: str) -> bool:
    return len(name) >= 12 or (len(name) >= 4 and any(map(str.isalpha, name)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


def people_in(ids: Iterable[str], same: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The ids of each person, of whom pairs are known to be the same; an id by itself is one, too."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := first.setdefault(name, name)) != name:
            first[name] = first[above]
            name = above
        return name

    for name in ids:
        root(name)
    for one, other in same:
        first[root(one)] = root(other)
    found: dict[str, list[str]] = {}
    for name in list(first):
        found.setdefault(root(name), []).append(name)
    return list(found.values())
