"""Taking the evidence out of a report or its own file: bounded, and believed only as far as checked."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from zebra_core.document.evidence import EARLIER, evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import Type, fault
from zebra_core.files import strict_json
from zebra_core.files.access import read_bounded, size_of
from zebra_core.project.satellites import SATELLITES
from zebra_core.report.content.closing import EVIDENCE_FILE
from zebra_core.report.evidence import SCHEMA, SCHEMA_VERSION

MOST_BYTES = 256 << 20
SEAL = "evidence-sha256:"
"""What stands in the keywords of a report before the SHA-256 of the evidence that it was made with."""

DRAFT = "draft"
"""What stands there, too, where it is one."""

WORD = ".docx"
"""The ending of reports as Word files, whose evidence lies beside them."""
_STATED = re.compile(rb"evidence-sha256:([0-9a-f]{64})")
_MOST_PROPERTIES = 1 << 20
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of others zipfile unpacks more than is asked
_MOST_WORD_BYTES = 64 << 20
_PDF = b"%PDF-"


@dataclass(frozen=True, eq=False)
class GivenEvidence:
    """Evidence as it was given. `seal` is the SHA-256 that the PDF states of it; None: it states none."""

    name: str  # of the file
    values: dict[str, Any]
    content: bytes
    seal: str | None
    pdf: bytes | None = None  # the report that it was attached to
    is_of_word: bool = False  # it lay beside a report as a Word file, which nobody can verify
    is_draft: bool = False  # the PDF says that it is one

    @cached_property
    def sha256(self) -> str:
        """The hash of the evidence, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @property
    def is_as_sealed(self) -> bool:
        """Whether it is, bit by bit, what the PDF was made with."""
        return self.seal is None or self.seal == self.sha256


def read_evidence(path: Path, *, is_earlier: bool = False) -> GivenEvidence:
    """The evidence in a report (PDF), beside one (Word), or in its own file (JSON). Raises InputError.

    Of what `is_earlier` only `EARLIER` is looked at: earlier versions said less, or said it elsewhere.
    """
    if path.suffix.lower() == WORD:
        return _beside_word(path, is_earlier=is_earlier)
    too_large = InputError("evidence-too-large", file=path.name, most=MOST_BYTES >> 20)
    content = read_bounded(path, MOST_BYTES, too_large)
    seal, is_draft, pdf = None, False, None
    if content.startswith(_PDF):
        pdf = content
        content, seal, is_draft = _attached(content, path.name)
    try:
        values: Any = strict_json.parse(content, _whole)
    except (ValueError, RecursionError) as error:
        reason = str(error) or type(error).__name__
        raise InputError("evidence-not-json", file=path.name, reason=reason) from error
    _refuse_others(values, path.name, EARLIER if is_earlier else evidence_type())
    if not is_earlier:
        _check(values, path.name)
    return GivenEvidence(path.name, values, content, seal, pdf, is_draft=is_draft)


def evidence_beside(path: Path) -> Path:
    """Where the evidence of a report goes that is a Word file."""
    return path.with_name(f"{path.stem}.{EVIDENCE_FILE}")


def _beside_word(path: Path, *, is_earlier: bool) -> GivenEvidence:
    """The evidence beside a Word file, with the hash that the file states of it."""
    too_large = InputError("evidence-too-large", file=path.name, most=_MOST_WORD_BYTES >> 20)
    document, beside = read_bounded(path, _MOST_WORD_BYTES, too_large), evidence_beside(path)
    if size_of(beside) is None:
        raise InputError("word-without-evidence", file=path.name, evidence=beside.name)
    found = set(_STATED.findall(_properties(document, path.name)))
    seal = found.pop().decode() if len(found) == 1 else ""
    return replace(read_evidence(beside, is_earlier=is_earlier), name=path.name, seal=seal, is_of_word=True)


def _properties(document: bytes, name: str) -> bytes:
    """What a Word file says of itself, as XML."""
    try:
        with zipfile.ZipFile(io.BytesIO(document)) as parts:
            stated = parts.getinfo("docProps/core.xml")
            if stated.file_size > _MOST_PROPERTIES or stated.compress_type not in _PACKED:
                raise zipfile.BadZipFile(stated.filename)
            return parts.read(stated)
    except MemoryError:
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("word-of-nothing", file=name) from error


def _whole(digits: str) -> int:
    """A whole number as evidence has them; with hundreds of digits it would fit no float."""
    if len(digits) > 19:
        raise ValueError(digits[:20])
    return int(digits)


def _attached(content: bytes, name: str) -> tuple[bytes, str | None, bool]:
    """The attachment of a PDF, the seal in its keywords, and whether they call it a draft."""
    import logging

    from pypdf import PdfReader, apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every oddity of a broken file
    try:
        # Else it would run another program on what a file says to be packed as JBIG2.
        with apply_configuration(jbig2dec_binary=None):
            reader = PdfReader(io.BytesIO(content))
            if reader.is_encrypted:
                raise InputError("report-encrypted", file=name)
            found = [one.content for one in reader.attachment_list if one.name == EVIDENCE_FILE]
            metadata = reader.metadata
            keywords = str(metadata.get("/Keywords", "")) if metadata else ""
    except (MemoryError, InputError):
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("report-broken", file=name) from error
    if not found:
        raise InputError("report-without-evidence", file=name, evidence=EVIDENCE_FILE)
    if len(found) > 1:
        raise InputError("report-evidence-twice", file=name, evidence=EVIDENCE_FILE)
    words = keywords.replace(",", " ").split()
    seals = [word.removeprefix(SEAL) for word in words if word.startswith(SEAL)]
    return found[0], seals[0] if len(seals) == 1 else None, DRAFT in words


def attachments_of(pdf: bytes, name: str) -> set[tuple[str, bytes]]:
    """What is attached to a PDF, each under its name. Raises InputError for a file that cannot be read."""
    from pypdf import PdfReader, apply_configuration

    try:
        with apply_configuration(jbig2dec_binary=None):
            return {(one.name, one.content) for one in PdfReader(io.BytesIO(pdf)).attachment_list}
    except MemoryError:
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("report-broken", file=name) from error


def _refuse_others(values: object, name: str, of: Type) -> None:
    """Raise InputError for what is no evidence of ours, or not of this type."""
    stated = values.get("schema") if isinstance(values, dict) else None
    if not isinstance(values, dict) or not isinstance(stated, dict) or stated.get("name") != SCHEMA:
        raise InputError("evidence-of-nothing", file=name)
    version = stated.get("version")
    if type(version) is not int or version != SCHEMA_VERSION:
        raise InputError("evidence-version", file=name, found=version, known=SCHEMA_VERSION)
    if (at := fault(values, of)) is not None:
        raise InputError("evidence-broken", file=name, at=at)


def _check(values: Mapping[str, Any], name: str) -> None:
    """Raise InputError where evidence refers to what is not in it."""
    if not _is_day(values["date"]):
        raise InputError("evidence-broken", file=name, at="date")
    count = len(values["inputs"])
    if any(place >= count for place in _named_inputs(values)):
        raise InputError("evidence-broken", file=name, at="inputs")
    if any(
        place >= len(values["assessments"]) for one in values["recordings"] for place in one["assessments"]
    ):
        raise InputError("evidence-broken", file=name, at="recordings")
    for number, one in enumerate(values["differences"]):
        if not _refers_to_what_is_there(one, len(values["assessments"]), len(values["similarities"])):
            raise InputError("evidence-broken", file=name, at=f"differences[{number}]")
    if not _are_its_items(values):
        raise InputError("evidence-broken", file=name, at="pages")


def _named_inputs(values: Mapping[str, Any]) -> Iterator[int]:
    """Every input that something refers to."""
    for item in (*values["assessments"], *values["similarities"]):
        yield from item["inputs"]
        yield from (choice[k] for choice in item["choices"] for k in ("input", "key") if k in choice)
    yield from (one["input"] for one in values["recordings"])
    yield from (place for name in SATELLITES for one in values[name] for place in one["inputs"])


def _is_day(written: str) -> bool:
    try:
        dt.date.fromisoformat(written)
    except ValueError:
        return False
    return True


def _are_its_items(values: Mapping[str, Any]) -> bool:
    """Whether the pages are of the assessments and similarities that there are."""
    kinds, colours = values["pages"]["kinds"], values["pages"]["colours"]
    of_each = colours, values["pages"].get("ticked", kinds)
    counts = len(values["assessments"]), len(values["similarities"])
    return (kinds.count("assessment"), kinds.count("similarity")) == counts and all(
        len(each) == len(kinds) for each in of_each
    )


def _refers_to_what_is_there(compared: Mapping[str, Any], n_assessments: int, n_similarities: int) -> bool:
    """Whether what was compared are entries of the evidence, each once, and pairs of them."""
    entries, matrices = compared["entries"], compared["matrices"]
    return (
        len(set(entries)) == len(entries) == len(matrices) > 1
        and max(entries) < n_assessments
        and all(place is None or place < n_similarities for place in matrices)
        and all(_is_of_pairs(figure, entries) for figure in compared["figures"].values())
    )


def _is_of_pairs(figure: Mapping[str, Any], entries: Collection[int]) -> bool:
    of, pairs = figure["of"], figure["differences"]
    places = (place for pair in pairs for place in (pair["first"], pair["second"]))
    return (
        len(of) == len(set(of)) == len(figure["values"])
        and set(of) <= set(entries)
        and all(place < len(of) for place in places)
    )
