"""Comments in a report: to which places they can be pinned, and the table of them in the record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from zebra_core.project.review import Act, Comment, Reply
from zebra_core.report.content.values import Frame, shown
from zebra_core.report.document import (
    Block,
    Cell,
    Heading,
    ReportPicture,
    SectionContent,
    TableBlock,
    TableColumn,
    in_order,
    paragraph,
)
from zebra_core.wording.texts import begun, moment, say

WHOLE = "report"
_LONGEST_PLACE = 120  # characters, in a cell of the table


def places_in(frame: Frame, front: Sequence[Block], sections: Sequence[SectionContent]) -> dict[str, str]:
    """What a comment can be pinned to, by names that stay the same in every language, with their words.

    `report`, `answer`, `answer:SAFEGUARD`, `requirement:NAME`, the sections as they are called in files,
    `picture:NAME` as the files of pictures are called, and `table:SECTION:NUMBER`, counted in each section.
    """
    found = {WHOLE: say("review.whole"), "answer": say("answer.head")}
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


def said_by(one: Act | Comment | Reply) -> tuple[str, str]:
    """Who said something, and when."""
    return shown(one.by), moment(one.at.astimezone(dt.UTC))


def in_one_line(text: str) -> str:
    """What somebody typed, as a cell shows it."""
    return shown(" ".join(text.split()))


def review(frame: Frame, places: Mapping[str, str]) -> tuple[Block, ...]:
    """What reviewers said, where the user wants it in the report; nothing where nobody did."""
    comments = frame.project.review.comments
    if not comments or not frame.settings.with_comments:
        return ()
    return Heading(say("review.head")), paragraph(say("review.explained")), _table(comments, places)


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
