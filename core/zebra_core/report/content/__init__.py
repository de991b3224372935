"""What a report says, section by section, as plain values that every format sets in its own way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from zebra_core.errors import OutputError
from zebra_core.figures.series import ece_figure
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Section
from zebra_core.report.content.closing import (
    EVIDENCE_FILE,
    appendix,
    glossary,
    limitations,
    method,
    references,
    single_speakers,
)
from zebra_core.report.content.comparing import compared_pairs, comparison
from zebra_core.report.content.evidence_base import data, examined, examined_one_by_one
from zebra_core.report.content.opening import (
    LONGEST_FRONT,
    answer,
    attackers_in_full,
    findings,
    in_full,
    question,
    summary,
)
from zebra_core.report.content.opinion import opinion, people_in_full
from zebra_core.report.content.results import results, results_in_full
from zebra_core.report.content.review import places_in, review
from zebra_core.report.content.values import ExaminedFile, Frame, ReportContent, Result, distinct_files, shown
from zebra_core.report.document import Block, Heading, SectionContent, prose
from zebra_core.wording.texts import as_said, begun, dated, in_sentence, named, say

__all__ = [
    "EVIDENCE_FILE",
    "ExaminedFile",
    "ReportContent",
    "Result",
    "distinct_files",
    "front_words",
    "report_content",
    "report_title",
    "shown",
]

_LONGEST_TITLE = 200  # characters, of a summary

_SECTIONS: Mapping[Section, Callable[[Frame], tuple[Block, ...]]] = {
    Section.QUESTION: question,
    Section.FINDINGS: lambda frame: (*in_full(frame), *findings(frame)),
    Section.EXAMINED: examined,
    Section.DATA: data,
    Section.METHOD: method,
    Section.RESULTS: results,
    Section.COMPARISON: comparison,
    Section.OPINION: opinion,
    Section.LIMITATIONS: limitations,
    Section.GLOSSARY: glossary,
    Section.REFERENCES: references,
    Section.APPENDIX: appendix,
}

_DETAILS: Mapping[Section, Callable[[Frame], tuple[Block, ...]]] = {
    Section.FINDINGS: attackers_in_full,
    Section.EXAMINED: examined_one_by_one,
    Section.RESULTS: results_in_full,
    Section.COMPARISON: compared_pairs,
    Section.OPINION: people_in_full,
    Section.APPENDIX: single_speakers,
}
"""What only whoever verifies a section needs: in the appendix, and in the section where there is none."""


def report_content(
    material: StudiedProject,
    date: dt.date,
    versions: Mapping[str, str],
    *,
    evidence: bytes = b"",
    evidence_sha256: str = "",
    author: str = "",
    is_summary: bool = False,
) -> ReportContent:
    """Say in words and figures what the project found; `gathering.gathering.gather` makes the material.

    `versions` is name to version, as `provenance.versions` returns it, with the program as "zebra"; the id of
    the report is made from the hash of `evidence`, or from the one that is given for it, unless the user gave
    one; `author` takes the place of the project's.
    A summary has the answer alone, with what the figures mean, on a page or two; nobody signs it.
    Raises OutputError when there is nothing to report.
    """
    frame = Frame.of(material, versions)
    if not frame.entries:
        raise OutputError("nothing-ticked" if material.project.entries else "nothing-to-report")
    digest = evidence_sha256 or (sha256(evidence).hexdigest() if evidence else "")
    settings, entries = material.project.report, frame.entries
    report_id = shown(settings.report_id) or made_id(digest)
    front = _front(frame, date, report_id, author)
    cut = tuple((label, text) for label, text in front if len(text) > LONGEST_FRONT)
    title = report_title(material.project)
    first = summary(frame) if is_summary else answer(frame)
    sections = () if is_summary else tuple(_section(frame, section) for section in settings.sections)
    places = places_in(frame, first, sections)
    sections = tuple(_with_record(frame, one, places) for one in sections)
    return ReportContent(
        title=begun(title, _LONGEST_TITLE) if is_summary else title,
        kind=say("report.summary-kind" if is_summary else "report.kind"),
        front=tuple((label, begun(text, LONGEST_FRONT)) for label, text in front),
        cut=() if is_summary else cut,
        answer=first,
        author=shown(author or settings.author),
        missing=_missing(frame, author, is_summary=is_summary),
        date=date,
        report_id=report_id,
        evidence_sha256=digest,
        program=say("report.version", name="ZEBRA", version=versions["zebra"]),
        logo=settings.logo,
        sections=sections,
        signers=() if is_summary else tuple(shown(signer) for signer in settings.signers if signer.strip()),
        paper=settings.paper,
        language=settings.language,
        dpi=settings.dpi,
        results=tuple(frame.result(entry) for entry in entries),
        figure=ece_figure(entries),
        places=places,
    )


def report_title(project: Project) -> str:
    """The title of the project, or one that says what it is."""
    return shown(as_said(project.title, "demo")) or say("report.untitled")


def made_id(evidence_sha256: str) -> str:
    """An id that follows from the evidence: twelve digits of its SHA-256; empty without evidence."""
    if not evidence_sha256:
        return ""
    digits = evidence_sha256[:12].upper()
    return f"ZEBRA-{digits[:4]}-{digits[4:8]}-{digits[8:]}"


def front_words() -> dict[str, str]:
    """What stands on the front page and where it is signed, for templates."""
    words = {name: say(f"front.{name}") for name in ("contents", "sign-off", "place-date")}
    return words | {"signature": named(say("front.signature"), "")}


def _front(frame: Frame, date: dt.date, report_id: str, author: str) -> tuple[tuple[str, str], ...]:
    settings = frame.settings
    stated = {
        "case": settings.case,
        "requester": settings.requester,
        "author": author or settings.author,
        "organisation": settings.organisation,
        "date": dated(date),
        "report-id": report_id,
    }
    return tuple((say(f"front.{name}"), shown(text)) for name, text in stated.items() if text)


def _missing(frame: Frame, author: str, *, is_summary: bool) -> tuple[str, ...]:
    """What makes it a draft; a summary has as much of it as fits on a line each."""
    lacking = missing(frame, author)
    return tuple(begun(text, LONGEST_FRONT) for text in lacking) if is_summary else lacking


def _section(frame: Frame, section: Section) -> SectionContent:
    note = prose(frame.settings.notes.get(section, ""))
    if note:
        note = (Heading(say("section.note")), *note)
    blocks = (*_SECTIONS[section](frame), *_details(frame, section))
    return SectionContent(section, (*blocks, *note))


def _with_record(frame: Frame, section: SectionContent, places: Mapping[str, str]) -> SectionContent:
    """The appendix, which says how the report was made, with comments on it."""
    if section.section is not Section.APPENDIX:
        return section
    return replace(section, blocks=(*review(frame, places), *section.blocks))


def _details(frame: Frame, section: Section) -> Iterator[Block]:
    """The details that stand in a section: in the appendix those of all others that are shown."""
    sections = frame.settings.sections
    told = sections if section is Section.APPENDIX else () if frame.has_appendix else (section,)
    for one in told:
        if one in _DETAILS:
            yield from _DETAILS[one](frame)


_TEXTS = ("author", "requester", "question", "relevance")


def missing(frame: Frame, author: str = "") -> tuple[str, ...]:
    """What is not stated, in words; nothing where the report is no draft. `author` is one given beside it."""
    stated = {name: getattr(frame.settings, name) for name in _TEXTS}
    stated["author"] = author or stated["author"]
    sentences = [say(f"draft.{name}") for name, text in stated.items() if not text.strip()]
    if unknown := _without_attacker(frame.entries):
        sentences.append(
            say("draft.attacker", names=in_sentence([frame.names[entry.id] for entry in unknown]))
        )
    if unstated := frame.settings.unstated:
        names = [say(f"context.{name}") for name in unstated]
        sentences.append(say("draft.context", names=in_sentence(names, len(names))))
    return tuple(sentences)


def _without_attacker(entries: Sequence[Entry]) -> list[Entry]:
    """Assessments of protected speech of which nobody has said what the attacker knows."""
    return [entry for entry in entries if entry.condition is not Condition.OO and not entry.attacker.strip()]
