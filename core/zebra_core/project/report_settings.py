"""What the user says about a report: for whom it is, what it asks, what it contains, how it is laid out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from zebra_core.errors import InputError
from zebra_core.project.logo import Logo
from zebra_core.wording.languages import current, languages
from zebra_core.wording.texts import say

LEAST_DPI, MOST_DPI = 72, 600
LONGEST_TEXT = 20_000  # characters of one field
LONGEST_CONTEXT = 2000  # of one field of the context, which is a cell of a table
MOST_SIGNERS = 8
FEWEST_PEOPLE, MOST_PEOPLE = 2, 10_000_000
USUAL_PEOPLE = 20
"""Among so many people somebody is named, unless the user says among how many, or fewer are enrolled."""


class Section(Enum):
    """The sections, in the order of forensic reports (ISO 21043-5); the values are stored."""

    QUESTION = "question"
    FINDINGS = "findings"
    EXAMINED = "examined"
    DATA = "data"
    METHOD = "method"
    RESULTS = "results"
    COMPARISON = "comparison"
    OPINION = "opinion"
    LIMITATIONS = "limitations"
    GLOSSARY = "glossary"
    REFERENCES = "references"
    APPENDIX = "appendix"

    @property
    def heading(self) -> str:
        """What stands above it."""
        return say(f"section.{self.value}")


class Paper(Enum):
    """The sizes of paper, by the names that Typst has for them."""

    A4 = "a4"
    LETTER = "us-letter"


class Access(Enum):
    """Who gets at what is released: anybody, or known recipients under conditions; the values are stored."""

    PUBLIC = "public"
    CONTROLLED = "controlled"

    @property
    def in_words(self) -> str:
        """As a report says it."""
        return say(f"context.access-{self.value}")


@dataclass(frozen=True)
class ReportSettings:
    """Settings of a report, never changed. Texts are the user's; empty ones are not stated.

    `question`, `propositions`, `relevance` and `notes` (by section) are Markdown, of which paragraphs,
    emphasis, lists and links are kept. `safeguard` is the one that the question is about, by its name. The
    fields named in `CONTEXT` are the context of a release; of these `people` is the number of people in
    question, 2 at least, among whom somebody is to be named.
    """

    case: str = ""
    requester: str = ""
    author: str = ""
    organisation: str = ""
    report_id: str = ""  # empty: made from the evidence
    question: str = ""
    propositions: str = ""
    relevance: str = ""  # of the data for the question
    date: dt.date | None = None  # None: the day on which the report is made
    notes: Mapping[Section, str] = field(default_factory=dict)
    order: tuple[Section, ...] = tuple(Section)
    left_out: frozenset[Section] = frozenset()
    paper: Paper = Paper.A4
    language: str = field(default_factory=current)  # whatever the window speaks
    dpi: int = 200  # of figures as PNG
    signers: tuple[str, ...] = ()  # one line to sign on for each
    logo: Logo | None = None
    safeguard: str = ""
    people: int | None = None  # None: as many as are enrolled, at most twenty
    recipients: str = ""
    access: Access | None = None
    other_knowledge: str = ""  # what else the recipients may hold
    motive: str = ""
    means: str = ""  # time, cost, skill
    domain: str = ""  # of the pseudonymisation
    retention: str = ""
    hears_originals: str = ""
    review_on: dt.date | None = None

    def __post_init__(self) -> None:
        if sorted(self.order, key=lambda one: one.value) != sorted(Section, key=lambda one: one.value):
            raise InputError("report-sections")
        if not LEAST_DPI <= self.dpi <= MOST_DPI:
            raise InputError("report-dpi", found=self.dpi, least=LEAST_DPI, most=MOST_DPI)
        if self.people is not None and not FEWEST_PEOPLE <= self.people <= MOST_PEOPLE:
            raise InputError("report-people", found=self.people, fewest=FEWEST_PEOPLE, most=MOST_PEOPLE)
        if self.language not in languages():
            raise InputError("report-language", found=self.language, known=", ".join(languages()))
        if len(self.signers) > MOST_SIGNERS:
            raise InputError("report-signers", most=MOST_SIGNERS)
        if any(len(text) > LONGEST_TEXT for text in (*self._texts, *self.notes.values(), *self.signers)):
            raise InputError("report-text-too-long", most=LONGEST_TEXT)
        if any(len(getattr(self, name)) > LONGEST_CONTEXT for name in CONTEXT_TEXTS):
            raise InputError("report-text-too-long", most=LONGEST_CONTEXT)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections that are ticked, in their order."""
        return tuple(section for section in self.order if section not in self.left_out)

    @property
    def unstated(self) -> tuple[str, ...]:
        """What of the context of the release is not stated, by the names of the fields."""
        return tuple(name for name in CONTEXT if not str(getattr(self, name) or "").strip())

    def noting(self, section: Section, text: str) -> ReportSettings:
        """The settings with this note on a section; an empty text removes it."""
        notes = {**self.notes, section: text}
        return replace(self, notes={one: notes[one] for one in Section if notes.get(one)})

    def ticking(self, section: Section, *, ticked: bool) -> ReportSettings:
        """The settings with a section included or left out."""
        others = self.left_out - {section}
        return replace(self, left_out=others if ticked else others | {section})

    def moving(self, section: Section, place: int) -> ReportSettings:
        """The settings with a section moved to this place, counted from 0 and limited to the ends."""
        rest = [one for one in self.order if one is not section]
        rest.insert(max(0, min(place, len(rest))), section)
        return replace(self, order=tuple(rest))

    @property
    def _texts(self) -> Sequence[str]:
        return [getattr(self, name) for name in _TEXTS]


CONTEXT_TEXTS = (
    "recipients",
    "other_knowledge",
    "motive",
    "means",
    "domain",
    "retention",
    "hears_originals",
)
CONTEXT = (
    "recipients",
    "access",
    "other_knowledge",
    "motive",
    "means",
    "domain",
    "people",
    "retention",
    "hears_originals",
    "review_on",
)
"""The fields that say in which context something is released, in the order of the report."""
_TEXTS = (
    "case",
    "requester",
    "author",
    "organisation",
    "report_id",
    "question",
    "propositions",
    "relevance",
    "safeguard",
)
