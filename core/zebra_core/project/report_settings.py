"""What the user says about a report: for whom it is, what it asks, what it contains, how it is laid out."""

from __future__ import annotations

import base64
import datetime as dt
import io
import re
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree as ET

from msgspec import Meta
from msgspec.inspect import StrType, type_info

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import hints_of
from zebra_core.files.access import read_bounded
from zebra_core.wording.texts import current, languages, say

# A logo for the title block: PNG or SVG, looked at before it goes anywhere.


MOST_BYTES = 2 << 20
MOST_PIXELS = 16_000_000
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Logo:
    """A picture that was looked at. Raises InputError for anything but a small PNG or a plain SVG."""

    content: bytes

    def __post_init__(self) -> None:
        if len(self.content) > MOST_BYTES:
            raise InputError("logo-too-large", most=MOST_BYTES >> 20)
        if self.content.startswith(_PNG):
            _check_png(self.content)
        else:
            _check_svg(self.content)

    @property
    def extension(self) -> str:
        """The ending of a file with it: png or svg."""
        return "png" if self.content.startswith(_PNG) else "svg"

    @property
    def as_svg(self) -> bytes:
        """The logo as an SVG; a PNG is wrapped in one, for programs that take texts only."""
        return self.content if self.extension == "svg" else png_as_svg(self.content)

    @property
    def texts(self) -> str:
        """What can be read in the file: the source of an SVG, what a PNG says of itself."""
        if self.extension == "svg":
            return self.content.decode("utf-8")
        from PIL import Image

        with Image.open(io.BytesIO(self.content), formats=["PNG"]) as image:
            image.load()  # some of it stands behind the pixels
            said = [*image.info.items(), *image.getexif().items()]
        return "\n".join(
            one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one)
            for each in said
            for one in each
        )

    def as_json(self) -> str:
        """What `from_json` makes the logo from again: base64."""
        return base64.b64encode(self.content).decode("ascii")

    @classmethod
    def from_json(cls, saved: object) -> Logo:
        """The logo as it was saved. Raises InputError where it is none."""
        try:
            content = base64.b64decode(str(saved), validate=True)
        except ValueError as error:
            raise InputError("logo-not-readable") from error
        return cls(content)


def png_as_svg(png: bytes) -> bytes:
    """A PNG wrapped in an SVG of its size."""
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    href = base64.b64encode(png).decode("ascii")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{href}"/></svg>'
    ).encode("ascii")


def read_logo(path: Path) -> Logo:
    """The logo in a file. Raises InputError."""
    too_large = InputError("logo-too-large", most=MOST_BYTES >> 20)
    return Logo(read_bounded(path, MOST_BYTES, too_large))


def _check_png(content: bytes) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise InputError("logo-too-large", most=MOST_BYTES >> 20)
            image.load()
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError) as error:
        raise InputError("logo-not-readable") from error


def _check_svg(content: bytes) -> None:
    refuse_unless_plain(content)
    import typst  # takes its time

    files = {"main.typ": b'#image("logo.svg")', "logo.svg": content}
    try:
        typst.compile(files, format="svg", ignore_system_fonts=True)  # type: ignore[call-overload]
    except typst.TypstError as error:
        raise InputError("logo-not-readable") from error


_SVG = "{http://www.w3.org/2000/svg}"
_DTD = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
# What may reach beyond the picture or run in it. Without a DTD there are no entities to expand either.
_FORBIDDEN = ("script", "image", "foreignObject", "use", "style", "a", "feImage", "filter", "marker")
# What is drawn again wherever it is referred to: references among these go round, or grow like a bomb.
_DRAWN_AGAIN = ("pattern", "mask", "clipPath", "symbol")
_DEEPEST = 64  # elements within one another; whoever draws them goes down as far, and far down is a crash
_MOST_ELEMENTS, _MOST_SPANS, _MOST_LETTERS, _MOST_LINKS = 20_000, 200, 2_000, 500
_MOST_DRAWN_AGAIN = 50_000  # elements, each as often as anything is referred to
_MOST_ARCS = 700  # of one path: those that lead nowhere are left out one within the other, far down
_LARGEST = 2e4  # of any number: how long an outline takes grows with its size
_NUMBER = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_NO_NUMBER = re.compile(r"url\([^)]*\)|#[\w-]+")  # names and colours
_ARCS = re.compile(r"[aA][^a-zA-Z]*(?:[eE][^a-zA-Z]*)*")
_NAMES = ("id", "class", "href")


def refuse_unless_plain(content: bytes) -> None:
    """Raise InputError for what is no SVG of paths and shapes alone, or more than a logo needs.

    The limits are such that drawing takes seconds at the most; nothing warns whoever draws of the others.
    """
    if _DTD.search(content):
        raise InputError("logo-not-plain")
    try:
        # As UTF-8, whatever it says itself: in another encoding it would be one picture here, and another
        # one for whoever draws it.
        root = ET.fromstring(content.decode("utf-8"))  # noqa: S314 - without a DTD there is nothing to expand
    except (ET.ParseError, ValueError) as error:
        raise InputError("logo-not-readable") from error
    if root.tag != f"{_SVG}svg":
        raise InputError("logo-not-readable")
    if not (all(map(_is_plain, root.iter())) and _is_drawn_soon(root)):
        raise InputError("logo-not-plain")


def _is_plain(element: ET.Element) -> bool:
    """Whether it neither runs nor refers to anything but parts of the picture."""
    if _tag(element) in _FORBIDDEN:
        return False
    for name, value in element.attrib.items():
        is_link = _is_link(name) and not value.startswith("#")
        leads_out = "url(" in value and "url(#" not in value.replace(" ", "").replace("'", "")
        if is_link or leads_out or name.lower().startswith("on"):
            return False
    return _is_of_bearable_size(element)


def _is_of_bearable_size(element: ET.Element) -> bool:
    """Whether its numbers are those of a picture, and few of them make arcs."""
    values = (value for name, value in element.attrib.items() if name not in _NAMES and "}" not in name)
    for value in values:
        numbers = _NUMBER.findall(_NO_NUMBER.sub(" ", value))
        if any(float(number) > _LARGEST for number in numbers):
            return False
    # An arc is five numbers at least: its two flags and what follows may be written as one.
    arcs = sum(len(_NUMBER.findall(arc)) / 5 for arc in _ARCS.findall(element.get("d", "")))
    return arcs <= _MOST_ARCS


def _is_drawn_soon(root: ET.Element) -> bool:
    """Whether it is neither too deep nor too much, as often as its parts are drawn."""
    counts: Counter[str] = Counter()
    level, depth = [(root, False)], 0
    while level:
        depth += 1
        for element, is_within in level:
            refers = any("url(" in value for value in element.attrib.values())
            if refers and (is_within or _tag(element) in _DRAWN_AGAIN):
                return False
            counts["elements"] += 1
            counts["within"] += is_within
            counts["references"] += refers
            counts["spans"] += _tag(element) in ("text", "tspan", "textPath")
            counts["letters"] += len((element.text or "").strip()) + len((element.tail or "").strip())
            counts["links"] += any(map(_is_link, element.attrib))
        level = [
            (inner, is_within or _tag(element) in _DRAWN_AGAIN)
            for element, is_within in level
            for inner in element
        ]
    return (
        depth <= _DEEPEST
        and counts["elements"] <= _MOST_ELEMENTS
        and counts["spans"] <= _MOST_SPANS
        and counts["letters"] <= _MOST_LETTERS
        and counts["links"] <= _MOST_LINKS
        and counts["within"] * counts["references"] <= _MOST_DRAWN_AGAIN
    )


def _is_link(name: str) -> bool:
    return name.rpartition("}")[2].lower() == "href"


def _tag(element: ET.Element) -> str:
    return str(element.tag).removeprefix(_SVG)


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
