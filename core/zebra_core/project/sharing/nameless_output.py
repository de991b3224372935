"""What is to be shared without names, searched for names after it was made and before it is written."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache

import zebra_resources
from zebra_core.errors import OutputError
from zebra_core.evidence.value_types import json_schema
from zebra_core.intake.recordings_file import RECORD
from zebra_core.project.satellites import SATELLITES, satellite_named
from zebra_core.project.sharing.codes import HiddenNames

_PDF, _ZIP = b"%PDF-", b"PK\x03\x04"
_PICTURES = (b"\x89PNG", b"\x93NUMPY")
_AT_ONCE = 1 << 20  # bytes of lines
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def refuse_names(files: Mapping[str, bytes], hidden: HiddenNames, ours: str = "") -> None:
    """Raise OutputError for the first file, by its name, in which one of the names stands.

    Looked at are the names of files, texts as they are and without the escapes of TeX, Markdown and JSON,
    members of archives, and of a PDF the text of pages, strings, attachments, metadata and alternative texts.
    Not looked for are names of fewer than four characters, numbers of fewer than twelve, and words that are
    in texts of ours or in `ours`, for these stand in every report. What is drawn is not looked at, nor a name
    that a line break cuts in two.
    """
    for name, content in files.items():
        for text in (name, *_texts(content)):
            found = hidden.found_in(text)
            found -= hidden.found_in(f"{_ours()}\n{ours}") if found else found
            if found:
                raise OutputError("name-left", file=name, found=min(found))


def _texts(content: bytes) -> Iterator[str]:
    if content.startswith(_ZIP):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for member in packed.namelist():
                yield member
                yield from _texts(packed.read(member))
    elif content.startswith(_PDF):
        yield from _texts_of_pdf(content)
    elif not content.startswith(_PICTURES):
        lines = io.BytesIO(content)
        while piece := b"".join(lines.readlines(_AT_ONCE)):
            text = piece.decode("utf-8", "replace")
            yield text
            if "\\" in text:
                yield _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text).replace("\\", "")


def _texts_of_pdf(content: bytes) -> Iterator[str]:
    from pypdf import PdfReader
    from pypdf.generic import StreamObject

    reader = PdfReader(io.BytesIO(content))
    for number in range(1, int(str(reader.trailer["/Size"]))):
        one = reader.get_object(number)
        yield "\n".join(_strings(one))
        # An image and a font are no text, and bytes of neither are to be taken for a name.
        if isinstance(one, StreamObject) and one.get("/Subtype") != "/Image" and "/Length1" not in one:
            yield from _texts(one.get_data())
    for page in reader.pages:
        yield page.extract_text()


def _strings(one: object) -> Iterator[str]:
    """The strings in an object of a PDF, in those inside it too, but not in those that it points to."""
    if isinstance(one, str):
        yield one
    elif isinstance(one, Mapping):
        for value in one.values():
            yield from _strings(value)
    elif isinstance(one, list):
        for value in one:
            yield from _strings(value)


@cache
def _ours() -> str:
    """All texts of the program in all languages, and the words of records and of what satellites found."""
    folders = ("texts", "templates")
    paths = (path for folder in folders for path in sorted(zebra_resources.path(folder).iterdir()))
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths if path.suffix != ".po"]
    described = (RECORD, *(satellite_named(one).outcome for one in SATELLITES))
    return "\n".join([*texts, *(json.dumps(json_schema(of)) for of in described)])
