"""A logo for the title block: PNG or SVG, looked at before it goes anywhere."""

from __future__ import annotations

import base64
import binascii
import io
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from core.errors import InputError

MOST_BYTES = 2 << 20
MOST_PIXELS = 16_000_000
_PNG = b"\x89PNG\r\n\x1a\n"
_SVG = "{http://www.w3.org/2000/svg}"
# What may reach beyond the picture or run in it. Without a DTD there are no entities to expand either.
_FORBIDDEN_TAGS = ("script", "image", "foreignObject", "use", "style", "a", "feImage")
_DTD = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)


@dataclass(frozen=True)
class Logo:
    """A picture that was looked at. Raises InputError for anything but a small PNG or a plain SVG."""

    content: bytes

    def __post_init__(self) -> None:
        if len(self.content) > MOST_BYTES:
            raise InputError("logo-too-large", most=MOST_BYTES >> 20)
        if self.content.startswith(_PNG):
            _check_png(self.content)
        else:
            _check_svg(self.content)

    @property
    def extension(self) -> str:
        """The ending of a file with it: png or svg."""
        return "png" if self.content.startswith(_PNG) else "svg"

    @property
    def as_svg(self) -> bytes:
        """The logo as an SVG; a PNG is wrapped in one, for programs that take texts only."""
        if self.extension == "svg":
            return self.content
        width, height = (int.from_bytes(self.content[start : start + 4], "big") for start in (16, 20))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f'<image width="{width}" height="{height}" href="data:image/png;base64,{self.as_json()}"/></svg>'
        ).encode("ascii")

    def as_json(self) -> str:
        """What `from_json` makes the logo from again: base64."""
        return base64.b64encode(self.content).decode("ascii")

    @classmethod
    def from_json(cls, saved: object) -> Logo:
        """The logo as it was saved. Raises InputError where it is none."""
        try:
            return cls(base64.b64decode(str(saved), validate=True))
        except binascii.Error as error:
            raise InputError("logo-not-readable") from error


def read_logo(path: Path) -> Logo:
    """The logo in a file. Raises InputError."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("unreadable", file=path.name, reason=reason) from error
    return Logo(content)


def _check_png(content: bytes) -> None:
    from PIL import Image  # comes with matplotlib

    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise InputError("logo-too-large", most=MOST_BYTES >> 20)
            image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError("logo-not-readable") from error


def _check_svg(content: bytes) -> None:
    if _DTD.search(content):
        raise InputError("logo-not-plain")
    try:
        root = ET.fromstring(content)  # noqa: S314 - without a DTD there is nothing to expand
    except (ET.ParseError, ValueError, LookupError) as error:
        raise InputError("logo-not-readable") from error
    if root.tag != f"{_SVG}svg":
        raise InputError("logo-not-readable")
    for element in root.iter():
        if str(element.tag).removeprefix(_SVG) in _FORBIDDEN_TAGS:
            raise InputError("logo-not-plain")
        for name, value in element.attrib.items():
            is_link = name.rpartition("}")[2].lower() == "href" and not value.startswith("#")
            leads_out = "url(" in value and "url(#" not in value.replace(" ", "").replace("'", "")
            if is_link or leads_out or name.lower().startswith("on"):
                raise InputError("logo-not-plain")
