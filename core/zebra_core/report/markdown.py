"""The report as Markdown for reading anywhere: no HTML in it, and nothing of the user's is markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatchmethod

from zebra_core.report.content import ReportContent
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    ExplainedFigure,
    FindingLine,
    Heading,
    Paragraph,
    ReportPicture,
    Run,
    TableBlock,
    TagLegend,
    Terms,
    in_order,
)
from zebra_core.report.tables import escape_markdown
from zebra_core.wording.texts import clauses, named, say, with_aside

_NUMBERED = re.compile(r"(\d+)[.)](?=\s|$)")
_LINK = re.compile(r"(?<!\\)\](?=[(\[])()")
_STARTS = re.compile(r"[-+*](?=\s|$)|[-=]+\s*$|-[-\s]*$|>|#{1,6}(?=\s|$)|\[[ x^]", re.IGNORECASE)


def report_markdown(content: ReportContent, folder: str) -> str:
    """The whole report; figures are links to the PNG files in `folder`, beside it."""
    writer = _Writer(folder)
    lines = [f"# {_plain(content.title)}", content.kind, _labelled(content.front)]
    if content.is_draft:
        lines.append(f"**{say('draft.word')}** {_plain(say('draft.brief', count=len(content.missing)))}")
    lines.append(f"## {say('answer.head')}")
    lines += [writer.write(block) for block in content.answer]
    if content.cut:
        lines += [f"**{say('answer.in-full')}**", _labelled(content.cut)]
    if content.is_draft:
        lines.append(f"**{say('draft.word')}** {_plain(say('draft.head'))}")
        lines += [_row_list([_plain(each) for each in content.missing]), _plain(say("draft.how"))]
    for number, section in enumerate(content.sections, start=1):
        lines.append(f"## {number} {_plain(section.heading)}")
        lines += [writer.write(block) for block in in_order(section.blocks)]
    if content.signers:
        lines.append(f"## {say('front.sign-off')}")
        lines += [named(say("front.signature"), _plain(signer)) for signer in content.signers]
    return "\n\n".join(lines) + "\n"


class _Writer:
    """Writes block after block, and counts figures and tables."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._figures = 0
        self._tables = 0

    @singledispatchmethod
    def write(self, block: Block) -> str:
        """A block as Markdown, without a newline at its end."""
        raise TypeError(block)

    @write.register
    def _(self, block: Paragraph) -> str:
        return _runs(block.runs)

    @write.register
    def _(self, block: Heading) -> str:
        return f"### {_plain(block.text)}"

    @write.register
    def _(self, block: Bullets) -> str:
        marks = [f"{k}." if block.numbered else "-" for k in range(1, len(block.items) + 1)]
        return "\n".join(f"{mark} {_runs(item)}" for mark, item in zip(marks, block.items, strict=True))

    @write.register
    def _(self, block: FindingLine) -> str:
        tagged = f"**{_plain(f'[{block.badge.tag}]')} {_plain(block.name)}**"
        said = f"{tagged} {named(_plain(block.condition), _plain(block.text))}"
        return "\n\n".join([said, *map(_plain, block.more)])

    @write.register
    def _(self, block: TableBlock) -> str:
        self._tables += 1
        head = _table_row([_plain(column.head) for column in block.columns])
        rule = _table_row(["---" if column.is_text else "---:" for column in block.columns])
        rows = [_table_row([_cell(cell) for cell in row]) for row in block.rows]
        caption = f"**{say('paper.table', number=self._tables)}.** {_plain(block.caption)}"
        return "\n\n".join([caption, "\n".join([head, rule, *rows])])

    @write.register
    def _(self, block: ReportPicture) -> str:
        self._figures += 1
        number = say("paper.figure", number=self._figures)
        return f"![{number}]({self._folder}/{block.stem}.png)\n\n**{number}.** {_plain(block.caption)}"

    @write.register
    def _(self, block: ExplainedFigure) -> str:
        formula = f"\n\n`{block.formula.words}`" if block.formula else ""
        return f"**{_plain(block.name)}.** {_plain(block.text)}{formula}"

    @write.register
    def _(self, block: Terms) -> str:
        return _row_list([f"**{_plain(term)}:** {_plain(meaning)}" for term, meaning in block.entries])

    @write.register
    def _(self, block: TagLegend) -> str:
        return _row_list([f"**{_plain(badge.tag)}** {_plain(badge.meaning)}" for badge in block.badges])


def _plain(text: str) -> str:
    """Text that is shown as typed; at the start of a line it must not become a list or a heading."""
    escaped = escape_markdown(text)
    if numbered := _NUMBERED.match(escaped):
        return f"{numbered[1]}\\{escaped[numbered.end(1) :]}"
    return f"\\{escaped}" if _STARTS.match(escaped) else escaped


def _runs(runs: Sequence[Run]) -> str:
    # A bracket that closes one run and another that opens the next would make a link of both.
    return _LINK.sub(r"\\]\1", "".join(map(_run, runs)))


def _run(run: Run) -> str:
    words = _plain(run.text)
    stripped = words.strip(" ")
    mark = ("**" if run.bold else "") + ("*" if run.italic else "")
    if not stripped or not mark:
        return words
    start = len(words) - len(words.lstrip(" "))
    # Emphasis must not begin or end with a space.
    return f"{words[:start]}{mark}{stripped}{mark[::-1]}{words[start + len(stripped) :]}"


def _cell(cell: Cell) -> str:
    parts = [cell.badge.tag if cell.badge else "", cell.text, cell.note]
    first, *others = [_plain(part) for part in parts if part] or [""]
    return with_aside(first, clauses(others))


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _labelled(rows: Sequence[tuple[str, str]]) -> str:
    return _row_list([f"**{_plain(label)}:** {_plain(value)}" for label, value in rows])


def _row_list(rows: Sequence[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)
