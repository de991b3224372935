"""The Project, the document a user works on: safeguards, conditions, datasets, and what came of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from core.assessment import Assessment
from core.intake.answers import Answers
from core.intake.audit import Audit
from core.intake.decisions import Decision
from core.intake.published import PublishedResults
from core.remarks import Remark
from core.report.settings import ReportSettings
from core.scales import PAPER_SCALE, TagScale, VerbalScale
from core.texts import say
from core.trials import InputFile, InputState, Trials
from core.utility.measured import SpeechKey, Utility
from core.voices import VoiceSimilarity

if TYPE_CHECKING:
    from core.uncertainty.settled import Settled
    from core.uncertainty.trust import Trust
    from core.uncertainty.voices_trust import VoicesTrust


class Condition(Enum):
    """Which side of the comparisons was protected: enrolment first, then test; O original, P protected."""

    OO = "OO"
    OP = "OP"
    PP = "PP"


class Attacker(Enum):
    """What the adversary knows, in the words of the VoicePrivacy evaluations; a user may say it in others."""

    IGNORANT = "ignorant"  # does not know that speech was protected
    LAZY_INFORMED = "lazy-informed"  # protects the enrolment alike, but has not trained on protected speech
    SEMI_INFORMED = "semi-informed"  # has also trained the recogniser on protected speech


@dataclass(frozen=True, eq=False, kw_only=True)
class Named:
    """What is called after a safeguard. Texts are the user's, and foreign to us."""

    name: str = field(kw_only=False)  # of the safeguard
    dataset: str = ""  # of whose speech, "libri_f" say
    run: str = ""  # which instance of the safeguard, where there are several

    @cached_property
    def full_name(self) -> str:
        """The name with what it holds for: a figure is never shown without its condition."""
        return f"{self.name} {self.run}" if self.run else self.name


@dataclass(frozen=True, eq=False, kw_only=True)
class Item(Named, ABC):
    """What every row of the project has, whatever came of it."""

    notes: str = ""
    colour: int | None = 0  # number of its series; None for the unprotected baseline, which is grey
    is_ticked: bool = True  # shown in pictures of several
    choices: Mapping[str, str] = field(default_factory=dict)  # how its files were read, to read them again
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    @abstractmethod
    def files(self) -> tuple[InputFile, ...]:
        """The files it rests on."""

    @property
    @abstractmethod
    def trust(self) -> Trust | VoicesTrust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""

    @property
    @abstractmethod
    def figures(self) -> object:
        """What came of them: other figures are another object."""

    @property
    @abstractmethod
    def n_trials(self) -> int:
        """How many trials its figures rest on."""

    @property
    def is_as_read(self) -> bool:
        """Whether its files are still what its figures were computed from, as far as anybody has looked."""
        return all(file.state is InputState.AS_READ for file in self.files)


@dataclass(frozen=True, eq=False)
class Entry(Item):
    """One assessment in the project: what it is called, under which condition, and what came of it."""

    trials: Trials | None  # None: let go, or not read since the project was opened
    assessment: Assessment
    condition: Condition | None = None  # None: the user has not said
    attacker: str = ""  # a value of Attacker or the user's words; empty where not stated
    measured: Trust | None = None  # how far its figures can be trusted, as far as that was asked

    @property
    def speech(self) -> SpeechKey:
        """Whose speech an adversary hears in the test segments: protected, unless the condition is OO."""
        return SpeechKey.of(self, is_protected=self.condition is not Condition.OO)

    @cached_property
    def full_name(self) -> str:
        """The name with its condition, which is said even where nobody stated it, and its attacker."""
        name = super().full_name
        name = (
            f"{name} {self.condition.value}"
            if self.condition
            else say("name.condition-not-stated", name=name)
        )
        return say("name.with-attacker", name=name, attacker=self.attacker) if self.attacker else name

    @property
    def trust(self) -> Trust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""
        return self.measured if self.measured and self.measured.is_of(self.assessment) else None

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside its figures, and beside how far they can be trusted."""
        return (*self.assessment.remarks, *(self.trust.remarks if self.trust else ()))

    @property
    def audit(self) -> Audit | None:
        """What was found in its files, with the user's decisions; None for trials that came from no files."""
        return self.assessment.audit

    @property
    def files(self) -> tuple[InputFile, ...]:
        """The files that its figures rest on."""
        return self.assessment.files

    @property
    def figures(self) -> Assessment:
        """Its assessment."""
        return self.assessment

    @property
    def n_trials(self) -> int:
        """Its target and nontarget trials."""
        return self.assessment.n_target + self.assessment.n_nontarget


@dataclass(frozen=True, eq=False)
class SimilarityEntry(Item):
    """The similarity matrices of one safeguard on one dataset."""

    similarity: VoiceSimilarity
    allowed: frozenset[Decision] = frozenset()  # what the user decided about its scores
    measured: VoicesTrust | None = None  # how far its figures can be trusted, as far as that was asked

    @property
    def trust(self) -> VoicesTrust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""
        return self.measured if self.measured and self.measured.is_of(self.similarity) else None

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside its figures, and beside how far they can be trusted."""
        return (*self.similarity.remarks, *(self.trust.remarks if self.trust else ()))

    @property
    def files(self) -> tuple[InputFile, ...]:
        """The files of segment scores, and the map of speakers where there is one."""
        return self.similarity.files

    @property
    def figures(self) -> VoiceSimilarity:
        """Its matrices."""
        return self.similarity

    @property
    def n_trials(self) -> int:
        """The pairs of segments of all settings."""
        return sum(matrix.n_target + matrix.n_nontarget for matrix in self.similarity.matrices.values())


@dataclass(frozen=True, eq=False)
class Project:
    """Never changed: a change makes a new Project, and going back to the old one undoes it."""

    title: str = ""
    items: tuple[Item, ...] = ()  # in the user's order
    answers: Answers = field(default_factory=Answers)  # of the user, about files
    tag_scale: TagScale = PAPER_SCALE  # of every entry
    verbal_scale: VerbalScale | None = None  # shown beside the tags where given
    notes: str = ""
    report: ReportSettings = field(default_factory=ReportSettings)  # what is said about the report of it
    published: tuple[PublishedResults, ...] = ()  # what result files beside the scores print
    utilities: Mapping[SpeechKey, Utility] = field(default_factory=dict)  # of the speech of its entries
    differences: tuple[Settled, ...] = ()  # which ranks are settled, as far as that was asked

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessments, in the order of the project."""
        return tuple(item for item in self.items if isinstance(item, Entry))

    @property
    def similarities(self) -> tuple[SimilarityEntry, ...]:
        """The similarity matrices, in the order of the project."""
        return tuple(item for item in self.items if isinstance(item, SimilarityEntry))

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets, each once, in the order of the project."""
        return tuple(dict.fromkeys(item.dataset for item in self.items))

    @property
    def settled(self) -> tuple[Settled, ...]:
        """The differences that still hold: what they are of has not changed since."""
        by_id = {entry.id: entry for entry in self.entries}
        voices = [item.similarity for item in self.similarities]
        return tuple(one for one in self.differences if one.is_of(by_id, voices))

    def entry(self, entry_id: str) -> Entry:
        """The entry with this id. Raises KeyError."""
        item = self.item(entry_id)
        if not isinstance(item, Entry):
            raise KeyError(entry_id)
        return item

    def item(self, item_id: str) -> Item:
        """The item with this id. Raises KeyError."""
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)

    def with_items(self, *new: Item) -> Project:
        """With more items at the end, on the project's scales."""
        return replace(self, items=(*self.items, *(_on_scales_of(self, item) for item in new)))

    def replacing(self, *changed: Item) -> Project:
        """With these in the place of the items with their ids."""
        by_id = {item.id: item for item in changed}
        return replace(
            self, items=tuple(_on_scales_of(self, by_id.get(item.id, item)) for item in self.items)
        )

    def with_utility(self, key: SpeechKey, utility: Utility) -> Project:
        """With what is known of the utility of some speech; an empty one is forgotten."""
        others = {known: value for known, value in self.utilities.items() if known != key}
        return replace(self, utilities=others if utility.is_empty else {**others, key: utility})

    def with_scales(self, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Project:
        """With other scales, and every entry tagged anew."""
        return replace(self, tag_scale=tag_scale, verbal_scale=verbal_scale).replacing()

    def with_assessments(self, assessments: Mapping[str, Assessment]) -> Project:
        """With these assessments, by the id of their entry, in the place of the old ones."""
        return self.replacing(
            *(
                replace(entry, assessment=assessments[entry.id])
                for entry in self.entries
                if entry.id in assessments
            )
        )

    def with_trust(self, found: Mapping[str, Trust | VoicesTrust]) -> Project:
        """With how sure items are, by id; itself where none of it holds for what the items are now."""
        from core.uncertainty.trust import Trust  # only loaded where somebody has asked
        from core.uncertainty.voices_trust import VoicesTrust

        entries = [
            replace(entry, measured=trust)
            for entry in self.entries
            if isinstance(trust := found.get(entry.id), Trust) and trust.is_of(entry.assessment)
        ]
        matrices = [
            replace(entry, measured=trust)
            for entry in self.similarities
            if isinstance(trust := found.get(entry.id), VoicesTrust) and trust.is_of(entry.similarity)
        ]
        return self.replacing(*entries, *matrices) if entries or matrices else self

    def remembering(self, answers: Answers) -> Project:
        """With these answers, which are taken for granted when the same files come again."""
        return replace(self, answers=self.answers.and_then(answers))

    def publishing(self, results: Iterable[PublishedResults]) -> Project:
        """With these result files; one that is known by its place is read anew."""
        by_source = {one.source: one for one in (*self.published, *results)}
        return replace(self, published=tuple(by_source.values()))

    def without(self, item_ids: Iterable[str]) -> Project:
        """Without these items."""
        gone = set(item_ids)
        return replace(self, items=tuple(item for item in self.items if item.id not in gone))

    def colour_for(self, item: Item) -> int | None:
        """The colour of its safeguard; for a new one the first that is free; None for the unprotected."""
        if isinstance(item, Entry) and item.condition is Condition.OO:
            return None
        for known in self.items:
            if known.name == item.name and known.colour is not None:
                return known.colour
        taken = {known.colour for known in self.items}
        return next(number for number in range(len(taken) + 1) if number not in taken)


def distinct_names(items: Sequence[Named]) -> list[str]:
    """Their full names, with the dataset before them where they are of several."""
    if len({item.dataset for item in items}) < 2:
        return [item.full_name for item in items]
    return [name_with_dataset(item) for item in items]


def name_with_dataset(item: Named) -> str:
    """Its full name, with the dataset before it where that is stated."""
    if not item.dataset:
        return item.full_name
    return say("name.of-dataset", name=item.full_name, dataset=item.dataset)


def _on_scales_of(project: Project, item: Item) -> Item:
    if not isinstance(item, Entry):
        return item
    assessment = item.assessment.on_scales(project.tag_scale, project.verbal_scale)
    return item if assessment is item.assessment else replace(item, assessment=assessment)
