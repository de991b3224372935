"""What a report says, as plain values: text that is fit to be shown, not yet in any format."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from zebra_core.figures.figure import Figure
from zebra_core.project.logo import Logo
from zebra_core.project.report_settings import Paper
from zebra_core.report.document import Block, ReportPicture, SectionContent
from zebra_core.wording.texts import say


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

    @property
    def counts(self) -> str:
        """How many trials, and from which files."""
        return say("report.counts", trials=self.trials, files=self.files) if self.files else self.trials


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

    @property
    def is_draft(self) -> bool:
        """Whether it carries DRAFT on every page."""
        return bool(self.missing)

    @property
    def pictures(self) -> tuple[ReportPicture, ...]:
        """All figures, in the order of the report."""
        first = [block for block in self.answer if isinstance(block, ReportPicture)]
        return (*first, *(picture for section in self.sections for picture in section.pictures))
