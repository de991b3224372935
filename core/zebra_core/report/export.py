"""Writing reports of what `project.gathering` gathered: a PDF, a Word file, or the whole set."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from zebra_core.document.evidence import SCHEMA_FILE, schema_as_bytes
from zebra_core.errors import OutputError
from zebra_core.figures.export import EXTENSIONS, figure_files, zebra_stem
from zebra_core.files.access import new_folders, require_free, write_file, write_files
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.gathering.material import StudiedProject
from zebra_core.report.attachment import WORD, evidence_beside
from zebra_core.report.citation import BIBLIOGRAPHY, bibtex
from zebra_core.report.content import EVIDENCE_FILE, ReportContent, report_content, report_title
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.tables import TABLES, table_files
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.version import versions
from zebra_core.wording.texts import say, speaking

# typst, matplotlib and docx are loaded by the functions that need them: they take their time.

REPORT_PDF = "report.pdf"
REPORT_MARKDOWN = "report.md"
TEX_FOLDER = "tex"  # of its own, for pdflatex writes report.pdf beside report.tex
FIGURES_FOLDER = "figures"
MANIFEST = "SHA256SUMS"
_IN_EVERY_SET = (REPORT_PDF, REPORT_MARKDOWN, *TABLES, EVIDENCE_FILE, SCHEMA_FILE, MANIFEST)


def manifest(files: Mapping[str, bytes]) -> bytes:
    """One line for each file, in the order given: hash, two blanks, name with forward slashes.

    Whoever signs this one file, by whatever means, has signed them all.
    """
    return "".join(f"{sha256(made).hexdigest()}  {name}\n" for name, made in files.items()).encode()


@dataclass(frozen=True, eq=False)
class MadeReport:
    """What a report says, with the files that go along with it."""

    content: ReportContent
    evidence: bytes
    tables: dict[str, bytes]  # name to content


def make_report(
    material: StudiedProject,
    *,
    date: dt.date | None = None,
    author: str = "",
    is_summary: bool = False,
) -> MadeReport:
    """Everything but the setting, in the report's language.

    `date` is that of the project's report, or today's (UTC), unless given.

    A summary says the answer alone, with the same evidence.
    """
    project = material.project
    on, with_ = date or project.report.date or _today(), versions()
    with speaking(project.report.language):
        facts = as_bytes(evidence(material, on, with_, author=author, is_summary=is_summary))
        content = report_content(material, on, with_, evidence=facts, author=author, is_summary=is_summary)
        return MadeReport(content, facts, table_files(compare(project)))


def made_pdf(made: MadeReport, on_progress: Progress = no_progress) -> bytes:
    """The report as a PDF with evidence, its schema and the tables attached."""
    from zebra_core.report.pdf import Attachment, report_pdf

    json_type = "application/json"
    with speaking(made.content.language):
        attachments = (
            Attachment(EVIDENCE_FILE, made.evidence, json_type, say("paper.evidence")),
            Attachment(SCHEMA_FILE, schema_as_bytes(), json_type, say("paper.schema")),
            Attachment("results.csv", made.tables["results.csv"], "text/csv", say("paper.table-csv")),
            Attachment("results.md", made.tables["results.md"], "text/markdown", say("paper.table-md")),
        )
    return report_pdf(made.content, attachments, on_progress)


def require_place(out: Path, *, is_set: bool, overwrite: bool) -> None:
    """Raise the OutputError with which writing would end, as far as that is known before computing.

    `out` is the folder of a whole set, a PDF, or a Word file, beside which its evidence goes.
    """
    if not is_set:
        if out.suffix.lower() not in (".pdf", WORD):
            raise OutputError("report-format", file=out.name)
        require_free(out, overwrite=overwrite)
        if out.suffix.lower() == WORD:
            require_word()
            require_free(evidence_beside(out), overwrite=overwrite)
    elif out.is_dir():  # else the folder is made
        for name in _IN_EVERY_SET:
            require_free(out / name, overwrite=overwrite)


def require_word() -> None:
    """Raise OutputError where this installation cannot write Word files."""
    if find_spec("docx") is None:  # on Macs with Intel what it takes is not to be had
        raise OutputError("word-not-here")


def save_report(
    material: StudiedProject,
    path: Path,
    *,
    overwrite: bool = False,
    date: dt.date | None = None,
    author: str = "",
    is_summary: bool = False,
    look: Callable[[Mapping[str, bytes], str], None] = lambda _files, _ours: None,
    on_progress: Progress = no_progress,
) -> Path:
    """Write the report or its summary as a PDF with the evidence attached; see `make_report` for the date.

    The same project and date give the same bytes. Raises OutputError, and whatever `look` does, which is
    given what was made, and the words of ours in evidence, before anything is written.
    """
    require_place(path, is_set=False, overwrite=overwrite)
    on_progress(0.0)
    made = make_report(material, date=date, author=author, is_summary=is_summary)
    pdf = made_pdf(made, part_of(on_progress, 0.3, 0.9))
    look({path.name: pdf}, schema_as_bytes().decode())
    on_progress(0.95)
    return write_file(path, pdf, overwrite=overwrite)


def save_word_report(  # noqa: PLR0913 - those of a PDF, and the template
    material: StudiedProject,
    path: Path,
    *,
    template: Path | None = None,
    overwrite: bool = False,
    date: dt.date | None = None,
    author: str = "",
    is_summary: bool = False,
    look: Callable[[Mapping[str, bytes], str], None] = lambda _files, _ours: None,
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Write the report or its summary as a Word file, a working copy, and its evidence beside it.

    A Word file can be changed by anybody: what is verified is the evidence, or the PDF of the same project.
    A `template` lends its styles, headers and footers. Otherwise as `save_report`; raises InputError for
    what is no template.
    """
    require_place(path, is_set=False, overwrite=overwrite)
    from zebra_core.report.word import report_docx, words_of

    on_progress(0.0)
    made, beside = (
        make_report(material, date=date, author=author, is_summary=is_summary),
        evidence_beside(path),
    )
    document = report_docx(made.content, beside.name, template, part_of(on_progress, 0.3, 0.9))
    look({path.name: words_of(document), beside.name: made.evidence}, schema_as_bytes().decode())
    on_progress(0.95)
    return write_files({path: document, beside: made.evidence}, overwrite=overwrite)


def report_set(
    material: StudiedProject,
    folder: Path,
    *,
    overwrite: bool = False,
    date: dt.date | None = None,
    author: str = "",
    look: Callable[[Mapping[str, bytes], str], None] = lambda _files, _ours: None,
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Write everything into the folder, which is made if need be; returns the files in a fixed order.

    report.pdf; report.md; tex/report.tex with its figures; figures/ as PNG; ZEBRA-<title>, the profiles of
    all assessments, as PNG, PDF, SVG and TeX; the results as CSV, Markdown and TeX; references.bib;
    evidence.json with its schema; SHA256SUMS of all of these. All is made before the first file is written,
    and on failure none of the new files stays. Raises OutputError as `save_report`; `on_progress` may raise
    Cancelled.
    """
    from zebra_core.report.markdown import report_markdown
    from zebra_core.report.tex import report_tex

    require_place(folder, is_set=True, overwrite=overwrite)
    on_progress(0.0)
    made = make_report(material, date=date, author=author)
    content = made.content
    files = {REPORT_PDF: made_pdf(made, part_of(on_progress, 0.1, 0.35))}
    on_progress(0.4)
    with speaking(content.language):
        files[REPORT_MARKDOWN] = report_markdown(content, FIGURES_FOLDER).encode()
        files |= {f"{TEX_FOLDER}/{name}": part for name, part in report_tex(content).items()}
        files |= _figures(content, part_of(on_progress, 0.4, 0.8))
        stem = zebra_stem(report_title(material.project))
        for number, extension in enumerate(EXTENSIONS, start=1):
            files |= figure_files(content.figure, stem, extension)
            on_progress(0.8 + 0.15 * number / len(EXTENSIONS))
    files |= {
        **made.tables,
        BIBLIOGRAPHY: bibtex(files[REPORT_MARKDOWN].decode()).encode(),
        EVIDENCE_FILE: made.evidence,
        SCHEMA_FILE: schema_as_bytes(),
    }
    files[MANIFEST] = manifest(files)
    named = {f"{folder.name}/{name}": content for name, content in files.items()}
    look(named, schema_as_bytes().decode())
    with new_folders(folder / TEX_FOLDER, folder / FIGURES_FOLDER):
        return write_files({folder / name: content for name, content in files.items()}, overwrite=overwrite)


def _figures(content: ReportContent, on_progress: Progress) -> dict[str, bytes]:
    """Every figure of the report as PNG at the resolution that was chosen."""
    from zebra_core.figures.matplotlib_ import render

    made = {}
    for number, picture in enumerate(content.pictures):
        on_progress(number / len(content.pictures))
        drawn = render(picture.figure, "png", dpi=content.dpi, axes_height=picture.height)
        made[f"{FIGURES_FOLDER}/{picture.stem}.png"] = drawn
    return made


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()
