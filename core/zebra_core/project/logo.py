"""A logo for the title block: PNG or SVG, looked at before it goes anywhere."""

from __future__ import annotations

import base64
import io
import struct
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.opening import read_bounded
from zebra_core.project.svg import refuse_unless_plain

MOST_BYTES = 2 << 20
MOST_PIXELS = 16_000_000
_PNG = b"\x89PNG\r\n\x1a\n"


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
        return self.content if self.extension == "svg" else png_as_svg(self.content)

    @property
    def texts(self) -> str:
        """What can be read in the file: the source of an SVG, what a PNG says of itself."""
        if self.extension == "svg":
            return self.content.decode("utf-8")
        from PIL import Image

        with Image.open(io.BytesIO(self.content), formats=["PNG"]) as image:
            image.load()  # some of it stands behind the pixels
            said = [*image.info.items(), *image.getexif().items()]
        return "\n".join(
            one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one)
            for each in said
            for one in each
        )

    def as_json(self) -> str:
        """What `from_json` makes the logo from again: base64."""
        return base64.b64encode(self.content).decode("ascii")

    @classmethod
    def from_json(cls, saved: object) -> Logo:
        """The logo as it was saved. Raises InputError where it is none."""
        try:
            content = base64.b64decode(str(saved), validate=True)
        except ValueError as error:
            raise InputError("logo-not-readable") from error
        return cls(content)


def png_as_svg(png: bytes) -> bytes:
    """A PNG wrapped in an SVG of its size."""
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    href = base64.b64encode(png).decode("ascii")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{href}"/></svg>'
    ).encode("ascii")


def read_logo(path: Path) -> Logo:
    """The logo in a file. Raises InputError."""
    too_large = InputError("logo-too-large", most=MOST_BYTES >> 20)
    return Logo(read_bounded(path, MOST_BYTES, too_large))


def _check_png(content: bytes) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise InputError("logo-too-large", most=MOST_BYTES >> 20)
            image.load()
    except (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError) as error:
        raise InputError("logo-not-readable") from error


def _check_svg(content: bytes) -> None:
    refuse_unless_plain(content)
    import typst  # takes its time

    files = {"main.typ": b'#image("logo.svg")', "logo.svg": content}
    try:
        typst.compile(files, format="svg", ignore_system_fonts=True)  # type: ignore[call-overload]
    except typst.TypstError as error:
        raise InputError("logo-not-readable") from error
