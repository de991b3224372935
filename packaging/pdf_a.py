"""Whether our PDFs are PDF/A: `make pdf-a`, or with PDFs of one's own, `make pdf-a ARGS="report.pdf"`.

A report and a dossier are made and looked at; the manual is not filed, and is PDF/UA alone. The judge is
pikepdf.pdfa, which has the rules of veraPDF's profile for PDF/A-3b and refuses whatever it does not know.
What it refuses although ISO 19005-3 allows it, or does not look into, stands in `ALLOWED`, each with its
reason; any other finding fails. Level A asks for tags beyond that, which is no rule of it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import click
import pikepdf
from pikepdf import pdfa

from zebra_gui.cli import main as command_line

ROOT = Path(__file__).resolve().parent.parent

ALLOWED = {
    r"/Dest: '.*' is not valid under any": "a destination may be an indirect array (ISO 32000-1, 12.3.2)",
    r"XMP namespace pdfa(Extension|Schema|Property)=": "describes schemas of one's own (6.6.2.3.3)",
    r"XMP property pdfaExtension:schemas": "describes schemas of one's own (6.6.2.3.3)",
    r"XMP property pdfuaid:part": "described in pdfaExtension:schemas, as 6.6.2.3.1 asks",
    r"XMP (namespace xmpTPg=|property xmpTPg:NPages)": "predefined in XMP 2005, as 6.6.2.3.1 asks",
    r"pdfaid:conformance is 'A', expected 'B'": "A is B, and tags",
    r"^\[unsupported\].*/CIDSet on a CIDFontType2": "not looked into",
    r"^\[unsupported\].*CFF FDArray FontMatrix": "not looked into: the font of formulas",
    r"^\[unsupported\].*xmpMM:History": "not looked into: when the file was made",
}


@click.command()
@click.argument("pdfs", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(pdfs: tuple[Path, ...]) -> None:
    """Say of each PDF whether it is PDF/A-3; status 1 unless all are."""
    with tempfile.TemporaryDirectory() as folder:
        found = {pdf: disapproved(pdf) for pdf in pdfs or ours(Path(folder))}
    for pdf, faults in found.items():
        click.echo(f"{pdf.name}: {'PDF/A-3' if not faults else 'not PDF/A-3'}")
        for fault, count in faults.items():
            click.echo(f"    {count} x {fault}")
    sys.exit(any(found.values()))


def ours(folder: Path) -> list[Path]:
    """A report and a dossier, made here."""
    report = folder / "report.pdf"
    arguments = [
        "report",
        str(ROOT / "resources" / "demo"),
        "-o",
        str(report),
        "--no-intervals",
        "--language",
        "de",
    ]
    command_line(arguments, standalone_mode=False)
    with suppress(SystemExit):  # its status says whether all lines passed, which is not asked here
        command_line(["validate", "-o", str(folder / "dossier")], standalone_mode=False)
    return [report, *sorted((folder / "dossier").glob("*.pdf"))]


def disapproved(pdf: Path) -> Counter[str]:
    """What is not allowed, and how often, without the numbers of objects."""
    with pikepdf.open(pdf) as opened:
        found = [str(one) for one in pdfa.check(opened, "3b").findings]
    faults = [one for one in found if not any(re.search(pattern, one) for pattern in ALLOWED)]
    return Counter(re.sub(r"\d+ 0 R|obj \d+ \d+", "…", one) for one in faults)


if __name__ == "__main__":
    main()
