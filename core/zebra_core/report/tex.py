"""The report as TeX: a document for plain pdflatex, figures as pgfplots and tables as booktabs."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.figures.figure import CellsFigure, tag_ink
from zebra_core.figures.pgfplots import tikz, tikz_and_image
from zebra_core.project.report_settings import Logo, Paper
from zebra_core.report.content import ReportContent, front_words
from zebra_core.report.document import Block, Cell, ExplainedFigure, ReportPicture, Run, TableBlock, in_order
from zebra_core.report.layout import column_widths
from zebra_core.wording.tex import Tex, escape, fill
from zebra_core.wording.texts import language_tag, say

REPORT_FILE = "report.tex"
_PAPERS = {Paper.A4: "a4paper", Paper.LETTER: "letterpaper"}
_LONGEST_NAME = 60  # characters of a title in the head of the pages


def report_tex(content: ReportContent) -> dict[str, bytes]:
    """The files of the report, name to content; pdflatex makes report.tex into a PDF. Text is pure ASCII."""
    files: dict[str, bytes] = {}
    for picture in content.pictures:
        files |= _figure_files(picture)
    logo = ""
    if content.logo:
        name, made = _logo_file(content.logo)
        files[name], logo = made, name
    report = fill(
        "report.tex",
        paper=Tex(_PAPERS[content.paper]),
        language=Tex(language_tag(content.language)),
        title=content.title,
        kind=content.kind,
        cut=content.cut,
        cut_head=say("answer.in-full"),
        draft_brief=say("draft.brief", count=len(content.missing)),
        front=content.front,
        draft=say("draft.word") if content.is_draft else "",
        missing_head=say("draft.head"),
        missing=content.missing,
        missing_how=say("draft.how"),
        logo=Tex(logo),
        report_id=content.report_id,
        program=content.program,
        words=front_words(),
        signers=content.signers,
        figure=_numbered("paper.figure", r"\thezebrafigure{}"),
        table=_numbered("paper.table", r"\thezebratable{}"),
        sections=[
            (heading, [_block(block, content.paper) for block in in_order(blocks)])
            for heading, blocks in (
                (say("answer.head"), content.answer),
                *((section.heading, section.blocks) for section in content.sections),
            )
        ],
    )
    return {REPORT_FILE: report.encode("ascii"), **files}


def _figure_files(picture: ReportPicture) -> dict[str, bytes]:
    """The picture to input, and the colours of cells where it has any."""
    if isinstance(picture.figure, CellsFigure):
        image = f"{picture.stem}-cells.png"
        drawn, colours = tikz_and_image(picture.figure, image)
        return {f"{picture.stem}.tex": drawn.encode("ascii"), image: colours}
    return {f"{picture.stem}.tex": tikz(picture.figure).encode("ascii")}


def _logo_file(logo: Logo) -> tuple[str, bytes]:
    """The logo as pdflatex can read it: an SVG becomes a PDF of its own size."""
    if logo.extension == "png":
        return "logo.png", logo.content
    import typst

    source = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("logo.svg", height: 16mm)\n'
    files = {"main.typ": source, "logo.svg": logo.content}
    made = typst.compile(files, format="pdf", ignore_system_fonts=True, timestamp=0)  # type: ignore[call-overload]
    return "logo.pdf", bytes(made)


def _block(block: Block, paper: Paper) -> dict[str, object]:
    """What the template needs of a block: its kind, and its values with the styles of words set already."""
    values: dict[str, object] = {"kind": type(block).__name__, "it": block}
    if isinstance(block, TableBlock):
        widths = column_widths(block, paper)
        values["columns"] = [
            {"kind": Tex(f"{'L' if column.is_text else 'R'}{{{width:.1f}bp}}"), "head": column.head}
            for column, width in zip(block.columns, widths, strict=True)
        ]
        values["rows"] = [[_cell(cell) for cell in row] for row in block.rows]
    elif isinstance(block, ReportPicture):
        values["file"] = Tex(f"{block.stem}.tex")
        values["is_wide"] = isinstance(block.figure, CellsFigure)  # made for a sheet of its own
    elif isinstance(block, ExplainedFigure):
        values["formula"] = Tex(block.formula.tex) if block.formula else None
    if runs := getattr(block, "runs", None):
        values["text"] = _runs(runs)
    if hasattr(block, "items") and not isinstance(block, TableBlock):
        values["items"] = [_runs(item) for item in block.items]
    if badge := getattr(block, "badge", None):
        values["badge"] = _badge(badge.tag, badge.colour)
    if hasattr(block, "badges"):
        values["badges"] = [(_badge(step.tag, step.colour), step.meaning) for step in block.badges]
    return values


def _numbered(code: str, counter: str) -> Tex:
    """A text with a number that TeX alone knows."""
    return Tex(escape(say(code, number="{number}")).replace(escape("{number}"), counter))


def _runs(runs: Sequence[Run]) -> Tex:
    return Tex("".join(map(_run, runs)))


def _run(run: Run) -> Tex:
    words = escape(run.text, breakable=True)
    for wanted, command in ((run.mono, "texttt"), (run.italic, "emph"), (run.bold, "textbf")):
        if wanted:
            words = Tex(rf"\{command}{{{words}}}")
    return words


def _cell(cell: Cell) -> Tex:
    parts = [_badge(cell.badge.tag, cell.badge.colour)] if cell.badge else []
    if cell.mono:
        half = len(cell.text) // 2
        parts.append(Tex(rf"{{\tiny\ttfamily {escape(cell.text[:half])} {escape(cell.text[half:])}}}"))
    elif cell.text:
        parts.append(escape(cell.text, breakable=True))
    joined = " ".join(parts)
    if not cell.note:
        return Tex(joined)
    note = rf"{{\tiny\textcolor{{quiet}}{{{escape(cell.note, breakable=True)}}}}}"
    return Tex(rf"{joined}\newline {note}" if joined else note)


def _badge(tag: str, colour: str) -> Tex:
    ground, ink = (one.removeprefix("#") for one in (colour, tag_ink(colour)))
    return Tex(rf"\badge{{{ground}}}{{{ink}}}{{{escape(tag)}}}")
