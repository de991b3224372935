"""The review round in a report: its version and status on the front, comments in the record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from zebra_core.project.review import Act, Comment, Reply, ReportVersion, StatusChange
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    Heading,
    ReportPicture,
    Run,
    SectionContent,
    TableBlock,
    TableColumn,
    in_order,
    paragraph,
)
from zebra_core.wording.names import begun, joined
from zebra_core.wording.texts import moment, say

WHOLE = "report"
_LONGEST_PLACE = 120  # characters, in a cell of the table


def places_in(frame: Frame, front: Sequence[Block], sections: Sequence[SectionContent]) -> dict[str, str]:
    """What a comment can be pinned to, by names that stay the same in every language, with their words.

    `report`, `answer:SAFEGUARD`, `requirement:NAME`, the sections as they are called in files,
    `picture:NAME` as the files of pictures are called, and `table:SECTION:NUMBER`, counted in each section.
    """
    found = {WHOLE: say("review.whole")}
    for one in frame.material.conclusions:
        found[f"answer:{one.safeguard}"] = say("review.answer", name=shown(one.safeguard))
    for asked in frame.project.requirements:
        found[f"requirement:{asked.name}"] = say("review.requirement", name=shown(asked.name))
    found |= _pictures(front)
    for section in sections:
        found[section.section.value] = section.heading
        found |= _pictures(section.blocks)
        tables = [one.caption for one in in_order(section.blocks) if isinstance(one, TableBlock)]
        for number, caption in enumerate(tables, start=1):
            words = say("review.table", caption=caption or section.heading)
            found[f"table:{section.section.value}:{number}"] = words
    return found


def _pictures(blocks: Sequence[Block]) -> dict[str, str]:
    pictures = [one for one in in_order(blocks) if isinstance(one, ReportPicture)]
    return {f"picture:{one.stem}": say("review.picture", caption=one.caption) for one in pictures}


def place_in_words(name: str, places: Mapping[str, str]) -> str:
    """Where a comment is pinned; of a place that the report has no more, its name."""
    return begun(places[name], _LONGEST_PLACE) if name in places else say("review.gone", name=shown(name))


def said_by(one: Act | Comment | Reply | StatusChange) -> tuple[str, str]:
    """Who said something, and when."""
    return shown(one.by), moment(one.at.astimezone(dt.UTC))


def in_one_line(text: str) -> str:
    """What somebody typed, as a cell shows it."""
    return shown(" ".join(text.split()))


def status_in_words(change: StatusChange, said: str, *, is_preview: bool = False) -> str:
    """Who gave the report a status, or an earlier version, where it says something else by now.

    Of a preview that is not said: the report may say more than it does.
    """
    by, when = said_by(change)
    status = change.status.value
    if change.is_of(said):
        return say(f"review.{status}", by=by, when=when)
    if is_preview:
        return say(f"review.{status}-unchecked", by=by, when=when)
    return say(f"review.{status}-earlier", by=by, when=when)


def review_in_short(frame: Frame, standing: ReportVersion | None) -> tuple[tuple[str, str], ...]:
    """Version, status and how many comments there are, as the front states them; nothing without a review."""
    review = frame.project.review
    if not review or standing is None:
        return ()
    stated = []
    if before := standing.replaces:
        text = say("review.replaces", version=standing.version, before=before.version)
        stated.append((say("review.version"), text))
    if standing.status:
        words = status_in_words(standing.status, standing.said, is_preview=standing.is_preview)
        stated.append((say("review.status"), words))
    if review.comments:
        counts = {state: review.count(state) for state in ("open", "answered", "closed")}
        stated.append((say("review.comments"), say("review.counts", **counts)))
    return tuple(stated)


def review(frame: Frame, places: Mapping[str, str], standing: ReportVersion | None) -> tuple[Block, ...]:
    """All that reviewers said, and what follows from it; nothing where nobody did."""
    found = frame.project.review
    if not found or standing is None:
        return ()
    said, is_preview = standing.said, standing.is_preview
    items = [status_in_words(each, said, is_preview=is_preview) for each in found.statuses]
    items = [*_on_version(standing), *items]
    table = [_table(found.comments, places)] if found.comments else []
    return (
        Heading(say("review.head")),
        paragraph(say("review.explained")),
        *([Bullets(tuple((Run(item),) for item in items))] if items else []),
        *table,
    )


def _on_version(standing: ReportVersion) -> list[str]:
    before = standing.replaces
    if before is None:
        return []
    signers = joined(tuple(map(shown, before.signers)))
    numbers = joined(tuple(map(str, standing.since)))
    return [
        say(
            "review.version-of",
            version=standing.version,
            before=before.version,
            names=signers,
            sha256=before.evidence_sha256,
        ),
        say("review.since", numbers=numbers) if numbers else say("review.since-none"),
    ]


def _table(comments: Sequence[Comment], places: Mapping[str, str]) -> TableBlock:
    columns = (
        TableColumn(say("review.column-number"), is_text=True),
        TableColumn(say("review.column-on"), is_text=True, share=1.0),
        TableColumn(say("review.column-text"), is_text=True, share=1.7),
        TableColumn(say("review.column-answer"), is_text=True, share=1.7),
        TableColumn(say("review.column-state"), is_text=True, share=0.8),
    )
    rows = [row for number, one in enumerate(comments, start=1) for row in _rows(number, one, places)]
    return TableBlock(columns, tuple(rows), say("review.caption"))


def _rows(number: int, comment: Comment, places: Mapping[str, str]) -> Iterator[tuple[Cell, ...]]:
    """A row for the comment with its first answer, and one more for each further answer."""
    answers = [_words(one) for one in comment.answers] or [Cell("–")]
    closed = ", ".join(said_by(comment.closed)) if comment.closed else ""
    state = Cell(say(f"review.{comment.state}"), closed)
    yield Cell(str(number)), Cell(place_in_words(comment.on, places)), _words(comment), answers[0], state
    for further in answers[1:]:
        yield Cell(), Cell(), Cell(), further, Cell()


def _words(said: Comment | Reply) -> Cell:
    return Cell(in_one_line(said.text), ", ".join(said_by(said)))
