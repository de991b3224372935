"""What a report says, as plain values: text that is fit to be shown, not yet in any format."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zebra_core.evidence.files import InputFile, distinguishing_names
from zebra_core.figures.figure import Figure
from zebra_core.project.items import Item
from zebra_core.project.logo import Logo
from zebra_core.project.report_settings import Paper
from zebra_core.project.satellites import Study
from zebra_core.report.document import Badge, Block, ReportPicture, SectionContent
from zebra_core.wording.names import MOST_NAMES, listed
from zebra_core.wording.texts import grouped, knows, list_as_said, say, visible


@dataclass(frozen=True)
class ExaminedFile:
    """A file that figures rest on; `number` is how the results refer to it."""

    number: str
    file: str  # its name, with the folders that tell it from the others
    role: str
    rows: str
    size: str  # bytes
    sha256: str
    dialect: str  # how it is written, in words; empty where not known


@dataclass(frozen=True)
class Result:
    """One assessment: a row of the results, and the sentence that says what was found."""

    name: str
    condition: str
    trials: str  # target / nontarget
    files: str  # their numbers; empty where the scores came from no file
    figures: Mapping[
        str, tuple[str, str]
    ]  # those of the report's tables, by code, and what stands below each
    corrected: tuple[str, str]  # D_ECE without the optimism of small sets, and its interval
    tag: str
    colour: str  # of the tag
    finding: str
    may_be_chance: bool  # no disclosure at all would show such a tag too often
    is_open: bool  # the set is too small, or could not have shown a worse tag

    @property
    def badge(self) -> Badge:
        """Its tag as a badge."""
        return Badge(self.tag, self.colour, may_be_chance=self.may_be_chance, is_open=self.is_open)

    @property
    def from_files(self) -> str:
        """From which files, by their numbers; empty where the scores came from none."""
        return say("report.from-files", files=self.files) if self.files else ""


@dataclass(frozen=True)
class ReportContent:
    """Everything a report says, in its order. Foreign text in it is visible: one line, nothing hidden.

    Formats escape what has a meaning to them, and nothing else.
    """

    title: str
    kind: str  # what it is, which stands above the title
    front: tuple[tuple[str, str], ...]  # what the title block states: label and value, or as much as fits
    cut: tuple[tuple[str, str], ...]  # what it states of which there was too much, as a whole
    answer: tuple[Block, ...]  # what stands on the first page, before everything else
    author: str  # empty: not stated
    missing: tuple[str, ...]  # what must be stated before this is more than a draft
    date: dt.date
    report_id: str
    evidence_sha256: str  # empty where no evidence goes along
    program: str  # name and version
    logo: Logo | None
    sections: tuple[SectionContent, ...]
    signers: tuple[str, ...]
    paper: Paper
    language: str
    dpi: int
    results: tuple[Result, ...]
    figure: Figure  # the ECE profiles of all assessments
    places: Mapping[str, str] = field(default_factory=dict)  # what comments can be pinned to, and its words

    @property
    def is_draft(self) -> bool:
        """Whether it carries DRAFT on every page."""
        return bool(self.missing)

    @property
    def pictures(self) -> tuple[ReportPicture, ...]:
        """All figures, in the order of the report."""
        first = [block for block in self.answer if isinstance(block, ReportPicture)]
        return (*first, *(picture for section in self.sections for picture in section.pictures))


def shown(text: str) -> str:
    """Foreign text as a report shows it: whole, on one line, nothing invisible."""
    return visible(text, sys.maxsize)


def shown_list(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names as `listed` lists them, each as `shown` shows it."""
    return listed(names, most, sys.maxsize)


def distinct_files(items: Sequence[Item], studies: Sequence[Study] = ()) -> list[InputFile]:
    """Every file that the items rest on, once, in the order of the items; then those of studies."""
    of_each = [*(item.files for item in items), *(one.files for one in studies)]
    return list(dict.fromkeys(file for files in of_each for file in files))


def examined_files(files: Sequence[InputFile]) -> tuple[ExaminedFile, ...]:
    """The files as the report lists them."""
    names = _brief(distinguishing_names([file.path for file in files]))
    return tuple(
        ExaminedFile(
            number=str(number),
            file=shown(f"{name} › {file.member}" if file.member else name),
            role=_role(file.role),
            rows=grouped(file.rows),
            size=grouped(file.size),
            sha256=file.sha256,
            dialect=shown(list_as_said(file.dialect, "dialect")),
        )
        for number, (file, name) in enumerate(zip(files, names, strict=True), start=1)
    )


def _role(role: str) -> str:
    code = f"file-role.{role}"
    return say(code) if knows(code) else shown(role)


def _brief(names: Sequence[str]) -> Sequence[str]:
    """The names with the folders in the middle left out, as long as that leaves them distinct."""
    brief = [f"{parts[0]}/…/{parts[-1]}" if len(parts := name.split("/")) > 2 else name for name in names]
    return brief if len(set(brief)) == len(set(names)) else names
