"""The Project, the document a user works on: assessments and matrices, answers, requirements, and results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from zebra_core.evidence.audit import Answers
from zebra_core.evidence.speaker_names import Sessions
from zebra_core.evidence.value_types import Name, Notes
from zebra_core.intake.tables.published import PublishedResults
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.scales import PAPER_SCALE, TagScale, VerbalScale
from zebra_core.project.baseline import Baseline
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Entry, Item, SimilarityEntry, SpeechKey, on_one_basis
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement, required
from zebra_core.project.review import Review
from zebra_core.project.satellites import Study
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.trust import AssessmentTrust, Trust
from zebra_core.uncertainty.weighted import Robustness
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.word_errors import WordErrors


@dataclass(frozen=True, eq=False, repr=False)
class Project:
    """The document. Never changed: a change makes a new Project, and going back to the old one undoes it.

    Attributes
    ----------
    `title`, `notes`, `report`
        What the user says of it, and about its report.
    `items`
        Assessments (`entries`) and similarity matrices (`similarities`), in the user's order; those of one
        dataset are on one basis, see `on_one_basis`.
    `answers`
        What the user decided about files.
    `tag_scale`, `verbal_scale`
        The scale of every entry, and words shown beside the tags where given.
    `published`
        What result files beside the scores print.
    `utilities`
        Word errors, emotions and ratings of the speech of its entries.
    `differences`, `robustness`
        Which ranks are settled, and what leaving out speakers does (by the id of the entry), as far as that
        was asked.
    `studies`
        What satellites have in it, such as tests by ear, each with assessments among the items.
    `requirements`
        What it is to show, in the user's order, each of its own name.
    `review`
        What reviewers of its report said.
    `since`
        An earlier assessment that it is held against.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import project_of_folder
    >>> project = project_of_folder(zebra_resources.path("demo")).project
    >>> [entry.name for entry in project.entries]
    ['B1w', 'B2', 'B2r', 'unprotected']
    >>> [matrices.name for matrices in project.similarities]
    ['B1w', 'B2']
    >>> weak = [entry.id for entry in project.entries if entry.assessment.d_ece_bits > 0.1]
    >>> [entry.name for entry in project.without(weak).entries]
    ['B1w']
    """

    title: Name = ""
    items: tuple[Item, ...] = ()
    answers: Answers = field(default_factory=Answers)
    tag_scale: TagScale = PAPER_SCALE
    verbal_scale: VerbalScale | None = None
    notes: Notes = ""
    report: ReportSettings = field(default_factory=ReportSettings)
    published: tuple[PublishedResults, ...] = ()
    utilities: Mapping[SpeechKey, Utility] = field(default_factory=dict)
    differences: tuple[GroupDifferences, ...] = ()
    robustness: Mapping[str, Robustness] = field(default_factory=dict)
    studies: tuple[Study, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    review: Review = field(default_factory=Review)
    since: Baseline | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", on_one_basis(self.items))

    def __repr__(self) -> str:
        return f"<Project: {len(self.entries)} assessments, {len(self.similarities)} sets of matrices>"

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessments, in the order of the project."""
        return tuple(entry for item in self.items for entry in item.entries)

    @property
    def attacks(self) -> tuple[Entry, ...]:
        """The assessments, each followed by the same with normalised scores, as far as that was tried."""
        return tuple(reading for entry in self.entries for reading in entry.readings)

    @property
    def similarities(self) -> tuple[SimilarityEntry, ...]:
        """The similarity matrices, in the order of the project."""
        return tuple(matrices for item in self.items for matrices in item.similarities)

    @property
    def ticked(self) -> Project:
        """The project without what is not ticked: what answers, pictures and reports are of.

        Requirements are judged over all of it nevertheless.
        """
        kept = tuple(item for item in self.items if item.is_ticked)
        if len(kept) == len(self.items):
            return self
        ids = {item.id for item in kept}
        among = (each for one in self.settled if (each := one.among(ids)) is not None)
        return replace(self, items=kept, differences=tuple(among))

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets, each once, in the order of the project."""
        return tuple(dict.fromkeys(item.dataset for item in self.items))

    @property
    def settled(self) -> tuple[GroupDifferences, ...]:
        """The differences that still hold: what they are of has not changed since."""
        by_id = {entry.id: entry for entry in self.entries}
        voices = [item.similarity for item in self.similarities]
        return tuple(one for one in self.differences if one.is_of(by_id, voices))

    @property
    def robust(self) -> dict[str, Robustness]:
        """What leaving out speakers did, by the id of the entry, of those that are what they were then."""
        return {
            entry.id: found
            for entry in self.entries
            if (found := self.robustness.get(entry.id)) and found.rests_on == entry.assessment.rests_on
        }

    def entry(self, entry_id: str) -> Entry:
        """The entry with this id. Raises KeyError."""
        for entry in self.item(entry_id).entries:
            return entry
        raise KeyError(entry_id)

    def item(self, item_id: str) -> Item:
        """The item with this id. Raises KeyError."""
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)

    def with_items(self, *new: Item) -> Project:
        """The project with more items at the end, on its own scales."""
        return replace(self, items=(*self.items, *new)).replacing()

    def replacing(self, *changed: Item) -> Project:
        """The project with these items in the place of those with the same ids."""
        by_id = {item.id: item for item in changed}
        new = (by_id.get(item.id, item) for item in self.items)
        return replace(self, items=tuple(item.on_scales(self.tag_scale, self.verbal_scale) for item in new))

    def with_utility(self, key: SpeechKey, utility: Utility) -> Project:
        """The project with the utility of some speech; an empty one is removed."""
        others = {known: value for known, value in self.utilities.items() if known != key}
        return replace(self, utilities=others if utility.is_empty else {**others, key: utility})

    def with_words(self, found: Mapping[SpeechKey, WordErrors]) -> Project:
        """The project with newly counted word errors; a rate that the user typed in is kept."""
        project = self
        for key, words in found.items():
            known = project.utilities.get(key, Utility())
            if not known.is_typed:
                project = project.with_utility(key, known.counted(words))
        return project

    def with_emotions(self, found: Mapping[SpeechKey, Emotions]) -> Project:
        """The project with what was newly told of emotions."""
        project = self
        for key, emotions in found.items():
            project = project.with_utility(key, project.utilities.get(key, Utility()).with_emotions(emotions))
        return project

    def holding(self, like: Entry) -> Entry | None:
        """The assessment of the same contents and the same speech, if there is one."""
        alike = (one for one in self.entries if one.speech == like.speech)
        return next((one for one in alike if one.assessment.rests_on == like.assessment.rests_on), None)

    def with_study(self, study: Study) -> Project:
        """The project with this study, in the place of an earlier outcome of the same test."""
        others = tuple(one for one in self.studies if one.test != study.test)
        return replace(self, studies=(*others, study))

    def with_scales(self, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Project:
        """The project with other scales; every entry gets a new tag."""
        return replace(self, tag_scale=tag_scale, verbal_scale=verbal_scale).replacing()

    def among(self, people: int) -> Project:
        """The project with so many people in question, 2 at least: each is the right one with 1 in so many.

        That is the prior at which decisions are judged, unless another one is asked for afterwards.
        """
        return replace(self, report=replace(self.report, people=people)).at_prior(people)

    def in_sessions(self, sessions: Sessions | None) -> Project:
        """The project with recordings made in these sessions, or in none, of all of its assessments."""
        return self.replacing(*(entry.in_sessions(sessions) for entry in self.entries))

    def at_prior(self, one_in: int) -> Project:
        """The project with decisions judged at a prior of 1 in `one_in`, from 2 on."""
        changed = [each for entry in self.entries if (each := entry.at_prior(one_in)) is not entry]
        return self.replacing(*changed) if changed else self

    def with_assessments(self, assessments: Mapping[str, Assessment]) -> Project:
        """The project with these assessments, by the id of the entry, in the place of the old ones."""
        return self.replacing(
            *(
                replace(entry, assessment=assessments[entry.id])
                for entry in self.entries
                if entry.id in assessments
            )
        )

    def with_trust(self, found: Mapping[str, Trust]) -> Project:
        """The project with new intervals, by the id of the item; unchanged if none still apply."""
        measured = [changed for item in self.items if (changed := _with_trust(item, found)) is not item]
        return self.replacing(*measured) if measured else self

    def remembering(self, answers: Answers) -> Project:
        """The project with these answers, which hold when the same files come again."""
        return replace(self, answers=self.answers.and_then(answers))

    def requiring(self, *added: Requirement) -> Project:
        """The project with further requirements. Raises InputError if two have one name, see `required`."""
        return replace(self, requirements=required(self.requirements, added, self.items))

    def publishing(self, results: Iterable[PublishedResults]) -> Project:
        """The project with these result files; one from the same place is replaced."""
        by_source = {one.source: one for one in (*self.published, *results)}
        return replace(self, published=tuple(by_source.values()))

    def without(self, item_ids: Iterable[str]) -> Project:
        """The project without these items, and without studies that have no item left."""
        gone = set(item_ids)
        items = tuple(item for item in self.items if item.id not in gone)
        rests_on = {file.sha256 for item in items for file in item.files}
        studies = tuple(one for one in self.studies if one.plan.sha256 in rests_on)
        return replace(self, items=items, studies=studies)

    def colour_for(self, item: Item) -> int | None:
        """The colour of its safeguard; for a new one the first that is free; None for the unprotected."""
        if item.is_original:
            return None
        for known in self.items:
            if known.name == item.name and known.colour is not None:
                return known.colour
        taken = {known.colour for known in self.items}
        return next(number for number in range(len(taken) + 1) if number not in taken)


def _with_trust(item: Item, found: Mapping[str, Trust]) -> Item:
    """The item with new intervals of its own, and of its normalised readings."""
    if (trust := found.get(item.id)) and trust.is_of(item.figures):
        item = replace(item, measured=trust)
    for entry in item.entries:
        new = {
            one.normalisation: trust
            for one in entry.readings[1:]
            if isinstance(trust := found.get(one.id), AssessmentTrust) and one.normalisation
        }
        if new and entry.trust:
            normalised = {**entry.trust.normalised, **new}
            return replace(entry, measured=replace(entry.trust, normalised=normalised))
    return item
