"""Writing reports: one PDF, or the whole set for a folder."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from core.comparison import compare
from core.errors import OutputError
from core.figures.export import EXTENSIONS, figure_files, zebra_stem
from core.progress import Progress, no_progress
from core.project import Project
from core.provenance import versions
from core.report.content import EVIDENCE_FILE, report_content, report_title
from core.report.evidence import as_bytes, evidence
from core.report.tables import table_files
from core.writing import make_folder, write_file, write_files

# typst and matplotlib are loaded by the functions that need them: they take their time.

REPORT_PDF = "report.pdf"
TEX_FOLDER = "tex"  # of its own, for pdflatex writes report.pdf beside report.tex


def save_report(
    project: Project,
    path: Path,
    *,
    overwrite: bool = False,
    date: dt.date | None = None,
    author: str = "",
) -> Path:
    """Write the report as a PDF with the evidence attached; `date` is today's (UTC) unless given.

    The same project and date give the same bytes. Raises OutputError.
    """
    if path.suffix.lower() != ".pdf":
        raise OutputError("report-format", file=path.name)
    from core.report.pdf import report_pdf

    on, with_ = date or _today(), versions()
    content = report_content(project, on, with_, author=author)
    pdf = report_pdf(content, as_bytes(evidence(project, on, with_)))
    return write_file(path, pdf, overwrite=overwrite)


def report_set(
    project: Project,
    folder: Path,
    *,
    overwrite: bool = False,
    date: dt.date | None = None,
    author: str = "",
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Write everything into the folder, which is made if need be; returns the files in a fixed order.

    report.pdf; tex/report.tex with its figure; ZEBRA-<title> as PNG, PDF, SVG and TeX; the results as CSV,
    Markdown and TeX; evidence.json. All is made before the first file is written, and on failure none of
    the new files stays. Raises OutputError; `on_progress` may raise Cancelled.
    """
    from core.report.pdf import report_pdf
    from core.report.tex import report_tex

    on_progress(0.0)
    on, with_ = date or _today(), versions()
    content = report_content(project, on, with_, author=author)
    facts = as_bytes(evidence(project, on, with_))
    files = {REPORT_PDF: report_pdf(content, facts)}
    on_progress(0.4)
    files |= {f"{TEX_FOLDER}/{name}": made for name, made in report_tex(content).items()}
    stem = zebra_stem(report_title(project))
    for number, extension in enumerate(EXTENSIONS, start=1):
        files |= figure_files(content.figure, stem, extension)
        on_progress(0.4 + 0.5 * number / len(EXTENSIONS))
    files |= {
        **table_files(compare(project, only_ticked=False)),
        EVIDENCE_FILE: facts,
    }
    make_folder(folder / TEX_FOLDER)
    written = write_files({folder / name: made for name, made in files.items()}, overwrite=overwrite)
    on_progress(1.0)
    return written


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()
