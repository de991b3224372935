"""The validation dossier as it is filed: pages (PDF/A-3a) with places for names, and the same as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zebra_core.files.writing import new_folders, require_free, write_files
from zebra_core.installation.dossier import Dossier
from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.report.outcome_page import OutcomeLine, OutcomePage, OutcomeSection, made_with, outcome_pdf
from zebra_core.wording.texts import say

PDF, JSON = "validation.pdf", "validation.json"


def save(made: Dossier, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the PDF and the JSON into the folder. Raises OutputError."""
    record = record_of(made)
    files = {folder / PDF: dossier_pdf(made), folder / JSON: record}
    return write_files(files, overwrite=overwrite)


@contextmanager
def room_in(folder: Path, *, overwrite: bool = False) -> Iterator[None]:
    """The folder, with nothing in the way, before anything is computed; a new one goes again if that fails.

    Raises OutputError.
    """
    with new_folders(folder):
        for name in (PDF, JSON):
            require_free(folder / name, overwrite=overwrite)
        yield


def record_of(made: Dossier) -> bytes:
    """The JSON as it is written, and attached to the PDF."""
    text = json.dumps(made.as_json(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def dossier_pdf(made: Dossier) -> bytes:
    """The pages (PDF/A-3a), with the JSON attached."""
    heads = [
        say(f"dossier.head-{head}") for head in ("requirement", "criterion", "result", "outcome", "trace")
    ]
    sections = [
        OutcomeSection(
            part.heading,
            (part.about,),
            heads,
            (5, 4, 6, 2, 5),
            [
                OutcomeLine(
                    (line.requirement, line.criterion, line.result, line.outcome, _trace(line)),
                    line.passed is not False,
                )
                for line in part.lines
            ],
        )
        for part in made.parts
    ]
    missing = OutcomeSection(
        say("dossier.not-heading"),
        (say("dossier.not-about"), *made.not_covered),
        (),
        (),
        (),
    )
    return outcome_pdf(
        OutcomePage(
            say("dossier.title"),
            [*made_with(made.when), (say("dossier.after"), say("dossier.standards"))],
            made.verdict,
            made.passed,
            (),
            (),
            (),
            made.when,
            record_of(made),
            record_name=JSON,
            sections=(*sections, missing),
            signing=[say(f"dossier.{who}") for who in ("carried-out", "checked", "approved")],
        )
    )


def _trace(line: ExaminedRequirement) -> str:
    return say("dossier.trace", source=line.source, test=line.test)
