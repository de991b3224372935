"""What the user says about a report: for whom it is, what it asks, what it contains, how it is laid out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Annotated

from msgspec import Meta
from msgspec.inspect import StrType, type_info

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import hints_of
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

Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
ContextText = Annotated[str, Meta(max_length=LONGEST_CONTEXT)]
People = Annotated[int, Meta(ge=FEWEST_PEOPLE, le=MOST_PEOPLE)]


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

    def __str__(self) -> str:
        return say(f"context.access-{self.value}")


@dataclass(frozen=True, kw_only=True)
class ReleaseContext:
    """In which context something is released, as the user states it, in the order of the report.

    What is not stated is empty or None. The types say how each field is asked for: in the form, in a case
    file, and within which bounds. `people` is the number of people in question, among whom somebody is to be
    named: as many as are enrolled, at most twenty, where it is None.
    """

    recipients: ContextText = ""
    access: Access | None = None
    other_knowledge: ContextText = ""  # what else the recipients may hold
    motive: ContextText = ""
    means: ContextText = ""  # time, cost, skill
    domain: ContextText = ""  # of the pseudonymisation
    people: People | None = None
    retention: ContextText = ""
    hears_originals: ContextText = ""
    review_on: dt.date | None = None


CONTEXT = tuple(one.name for one in fields(ReleaseContext))


@dataclass(frozen=True, kw_only=True)
class ReportSettings(ReleaseContext):
    """Settings of a report, never changed. Texts are the user's; empty ones are not stated.

    `question`, `propositions`, `relevance` and `notes` (by section) are Markdown, of which paragraphs,
    emphasis, lists and links are kept. `safeguard` is the one that the question is about, by its name.
    """

    case: Text = ""
    requester: Text = ""
    author: Text = ""
    organisation: Text = ""
    report_id: Text = ""  # empty: made from the evidence
    question: Text = ""
    propositions: Text = ""
    relevance: Text = ""  # of the data for the question
    date: dt.date | None = None  # None: the day on which the report is made
    notes: Mapping[Section, str] = field(default_factory=dict)
    order: tuple[Section, ...] = tuple(Section)
    left_out: frozenset[Section] = frozenset()
    paper: Paper = Paper.A4
    language: str = field(default_factory=current)  # whatever the window speaks
    dpi: int = 200  # of figures as PNG
    signers: tuple[str, ...] = ()  # one line to sign on for each
    logo: Logo | None = None
    with_comments: bool = False  # whether it lists what reviewers said of it
    safeguard: Text = ""

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
        texts = [(getattr(self, name), most) for name, most in TEXTS.items()]
        texts += [(text, LONGEST_TEXT) for text in (*self.notes.values(), *self.signers)]
        for text, most in texts:
            if len(text) > most:
                raise InputError("report-text-too-long", most=most)

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


TEXTS = {
    name: kind.max_length
    for name, of in hints_of(ReportSettings).items()
    if isinstance(kind := type_info(of), StrType) and kind.max_length
}
"""The fields that are texts of the user, and how many characters each may have."""
