"""The outcome of a check as a PDF for the file: what was checked, when, with what, and every line."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import zebra_resources
from zebra_core.errors import InputError, OutputError
from zebra_core.figures.lettering import FAMILY, in_inter
from zebra_core.files.access import open_regular, refuse_in_place, write_files
from zebra_core.project.report_settings import png_as_svg
from zebra_core.report.pdf import filed_pdf
from zebra_core.report.verification import PageDifference, Verification, VerificationLine, VerificationStatus
from zebra_core.runtime import memory
from zebra_core.version import VERSION, versions
from zebra_core.wording.texts import ENGLISH, current, language_tag, moment, named, say, shortened, visible

RECORD_FILE = "verification.json"
_SETTING_BYTES = 200 << 20
_AT_ONCE = 1 << 20
_LONGEST = 700  # characters in a cell
_LONGEST_VERIFIED = 80
_MOST_PICTURES = 12  # pairs: a report that was made anew throughout differs on every page


@dataclass(frozen=True)
class OutcomeLine:
    """A line of the table, and whether it is as it should be."""

    cells: Sequence[str]
    passed: bool


@dataclass(frozen=True)
class PagePair:
    """What differs, as it is and as it was made again: two pictures as PNG."""

    caption: str
    looks: PageDifference


@dataclass(frozen=True)
class OutcomeSection:
    """A part of the page with a heading: what is said in it, and a table of its own, if it has one."""

    heading: str
    paragraphs: Sequence[str]
    heads: Sequence[str]
    widths: Sequence[int]
    lines: Sequence[OutcomeLine]


@dataclass(frozen=True)
class OutcomePage:
    """Everything that stands on the page; texts are the user's as far as they come from files."""

    title: str
    front: Sequence[tuple[str, str]]
    verdict: str
    passed: bool
    heads: Sequence[str]
    widths: Sequence[int]  # shares of the width
    lines: Sequence[OutcomeLine]
    when: datetime
    record: bytes = b""  # all of it as JSON, which is attached
    pictures: Sequence[PagePair] = ()
    record_name: str = RECORD_FILE
    sections: Sequence[OutcomeSection] = ()  # below the table
    signing: Sequence[str] = ()  # as what people sign; without them there is one place for one signature


def outcome_pdf(page: OutcomePage) -> bytes:
    """The page as PDF/A-3a and PDF/UA-1, over as many sheets as it takes; the same page, the same bytes."""
    memory.require(_SETTING_BYTES)
    language, _, region = language_tag(current()).partition("-")
    values = {
        "font": FAMILY,
        "language": language,
        "region": region.lower() or None,
        "hyphenate": current() != ENGLISH,
        "title": _shown(page.title),
        "date": {"year": page.when.year, "month": page.when.month, "day": page.when.day},
        "front": [[label, _shown(value)] for label, value in page.front],
        "verdict": _shown(page.verdict),
        "passed": page.passed,
        "heads": list(page.heads),
        "widths": list(page.widths),
        "rows": _rows(page.lines),
        "sections": [
            {
                "heading": _shown(one.heading),
                "paragraphs": list(map(_shown, one.paragraphs)),
                "heads": list(one.heads),
                "widths": list(one.widths),
                "rows": _rows(one.lines),
            }
            for one in page.sections
        ],
        "signing": list(page.signing),
        "program": in_inter(say("outcome.program", version=VERSION)),
        "page": say("paper.page", page="{page}", pages="{pages}"),
        "attached": {"name": page.record_name, "description": say("outcome.record")} if page.record else None,
        "heads-of-pictures": [say("outcome.there"), say("outcome.again")],
        "pictures": [_picture(*each) for each in enumerate(page.pictures[:_MOST_PICTURES])],
        "not-shown": _not_shown(len(page.pictures) - _MOST_PICTURES),
        "words": [say("front.place-date"), say("front.signature")],
        "name-and-function": say("outcome.name-and-function"),
    }
    files = {
        "main.typ": zebra_resources.read_bytes("templates/outcome.typ"),
        "outcome.json": json.dumps(values).encode("ascii"),
        **({page.record_name: page.record} if page.record else {}),
        **_svgs(page.pictures[:_MOST_PICTURES]),
    }
    return filed_pdf(files, page.when.replace(microsecond=0))


def _rows(lines: Sequence[OutcomeLine]) -> list[dict[str, object]]:
    return [{"cells": list(map(_shown, line.cells)), "passed": line.passed} for line in lines]


def _picture(number: int, one: PagePair) -> dict[str, object]:
    """What is said of two pictures, and what they are called."""
    files = [
        {
            "name": f"picture-{number}-{which}.svg",
            "alt": _shown(named(one.caption, say(f"outcome.{which}"))),
            "is-wide": _is_wide(content),
        }
        for which, content in (("there", one.looks.there), ("again", one.looks.again))
    ]
    return {"caption": _shown(one.caption), "files": files}


def _is_wide(png: bytes) -> bool:
    """Whether a picture that is as wide as half of the page is not too high for it."""
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    return height <= width


def _svgs(pictures: Sequence[PagePair]) -> dict[str, bytes]:
    return {
        f"picture-{number}-{which}.svg": png_as_svg(content)
        for number, one in enumerate(pictures)
        for which, content in (("there", one.looks.there), ("again", one.looks.again))
    }


def _not_shown(count: int) -> str:
    return say("outcome.not-shown", count=count) if count > 0 else ""


def verification_pdf(
    path: Path, found: Verification, folders: Sequence[Path] = (), *, when: datetime | None = None
) -> bytes:
    """The page about a report that was verified: what is not verified comes first."""
    when = when or datetime.now(UTC)
    others = [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]
    verified = [one for one in found.checked if one.status is VerificationStatus.VERIFIED]
    front = [
        (say("outcome.file"), f"{path.name} ({path.absolute().parent})"),
        ("SHA-256", _sha256(path)),
        (say("outcome.title"), found.title),
        *((say("outcome.folders"), str(folder)) for folder in folders),
        *((say("outcome.namesakes"), sentence) for sentence in found.namesakes),
        *((say("outcome.chain"), sentences) for sentences in found.chain),
        *((say("outcome.signatures"), sentences) for sentences in found.about_signatures),
        *made_with(when),
        *((say("outcome.not-checked"), say(f"outcome.{what}")) for what in _not_checked(found)),
    ]
    return outcome_pdf(
        OutcomePage(
            say("outcome.verification", name=path.name),
            front,
            found.summary,
            found.is_verified,
            [say(f"outcome.{head}") for head in ("outcome", "about", "what", "recorded", "found")],
            (3, 4, 4, 6, 6),
            [
                *(
                    OutcomeLine((str(one.status), one.about, one.what, one.recorded, one.found), False)
                    for one in others
                ),
                *map(_verified, verified),
            ],
            when,
            verification_json(path, found, folders, when=when),
            [PagePair(f"{one.about}, {one.what}", one.looks) for one in others if one.looks is not None],
        )
    )


def verification_json(
    path: Path, found: Verification, folders: Sequence[Path] = (), *, when: datetime | None = None
) -> bytes:
    """The outcome of verifying a report as JSON: its file, versions, every line, and what was not checked."""
    when = when or datetime.now(UTC)
    values = {
        "record": "zebra-verification",
        "version": 1,
        "file": path.name,
        "sha256": _sha256(path),
        "folders": [str(folder) for folder in folders],
        "when": when.replace(microsecond=0).isoformat(),
        "machine": platform.platform(),
        "versions": versions(),
        **found.as_json(),
        "about_signatures": list(found.about_signatures),
        "not_checked": [say(f"outcome.{what}") for what in _not_checked(found)],
    }
    text = json.dumps(values, indent=1, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def save_record(
    path: Path, found: Verification, folders: Sequence[Path], into: Path, *, overwrite: bool = False
) -> list[Path]:
    """Write the record as a PDF, and beside it as JSON. Raises OutputError."""
    if into.suffix.lower() != ".pdf":
        raise OutputError("report-format", file=into.name)
    refuse_in_place(path, into, "record-in-place")
    when = datetime.now(UTC)
    made = {
        into: verification_pdf(path, found, folders, when=when),
        into.with_suffix(".json"): verification_json(path, found, folders, when=when),
    }
    return write_files(made, overwrite=overwrite)


def _not_checked(found: Verification) -> tuple[str, ...]:
    """What nobody must take for checked."""
    if not found.has_pages:
        return ("no-pages", "no-truth")
    return (*(["no-revocation"] if found.signatures else []), "no-truth")


def _verified(one: VerificationLine) -> OutcomeLine:
    """What holds is told shortly: all of it stands in the evidence of the report."""
    found = say("outcome.same") if one.found == one.recorded else one.found
    recorded = shortened(one.recorded, _LONGEST_VERIFIED)
    return OutcomeLine((str(one.status), one.about, one.what, recorded, found), True)


def made_with(when: datetime) -> list[tuple[str, str]]:
    """When, where and by which versions a check was made."""
    with_ = ", ".join(f"{name} {version}" for name, version in versions().items())
    return [
        (say("outcome.when"), moment(when)),
        (say("outcome.machine"), platform.platform()),
        (say("outcome.versions"), with_),
    ]


def _sha256(path: Path) -> str:
    made = sha256()
    try:
        with open_regular(path) as file:
            while piece := file.read(_AT_ONCE):
                made.update(piece)
    except (OSError, InputError):
        return say("outcome.no-longer-there")
    return made.hexdigest()


def _shown(text: str) -> str:
    return in_inter(visible(text, _LONGEST))
