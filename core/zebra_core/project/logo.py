"""A logo for the title block: PNG or SVG, looked at before it goes anywhere."""

from __future__ import annotations

import base64
import io
import re
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from zebra_core.errors import InputError
from zebra_core.files.opening import read_bounded

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


_SVG = "{http://www.w3.org/2000/svg}"
_DTD = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
# What may reach beyond the picture or run in it. Without a DTD there are no entities to expand either.
_FORBIDDEN = ("script", "image", "foreignObject", "use", "style", "a", "feImage", "filter", "marker")
# What is drawn again wherever it is referred to: references among these go round, or grow like a bomb.
_DRAWN_AGAIN = ("pattern", "mask", "clipPath", "symbol")
_DEEPEST = 64  # elements within one another; whoever draws them goes down as far, and far down is a crash
_MOST_ELEMENTS, _MOST_SPANS, _MOST_LETTERS, _MOST_LINKS = 20_000, 200, 2_000, 500
_MOST_DRAWN_AGAIN = 50_000  # elements, each as often as anything is referred to
_MOST_ARCS = 700  # of one path: those that lead nowhere are left out one within the other, far down
_LARGEST = 2e4  # of any number: how long an outline takes grows with its size
_NUMBER = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_NO_NUMBER = re.compile(r"url\([^)]*\)|#[\w-]+")  # names and colours
_ARCS = re.compile(r"[aA][^a-zA-Z]*(?:[eE][^a-zA-Z]*)*")
_NAMES = ("id", "class", "href")


def refuse_unless_plain(content: bytes) -> None:
    """Raise InputError for what is no SVG of paths and shapes alone, or more than a logo needs.

    The limits are such that drawing takes seconds at the most; nothing warns whoever draws of the others.
    """
    if _DTD.search(content):
        raise InputError("logo-not-plain")
    try:
        # As UTF-8, whatever it says itself: in another encoding it would be one picture here, and another
        # one for whoever draws it.
        root = ET.fromstring(content.decode("utf-8"))  # noqa: S314 - without a DTD there is nothing to expand
    except (ET.ParseError, ValueError) as error:
        raise InputError("logo-not-readable") from error
    if root.tag != f"{_SVG}svg":
        raise InputError("logo-not-readable")
    if not (all(map(_is_plain, root.iter())) and _is_drawn_soon(root)):
        raise InputError("logo-not-plain")


def _is_plain(element: ET.Element) -> bool:
    """Whether it neither runs nor refers to anything but parts of the picture."""
    if _tag(element) in _FORBIDDEN:
        return False
    for name, value in element.attrib.items():
        is_link = _is_link(name) and not value.startswith("#")
        leads_out = "url(" in value and "url(#" not in value.replace(" ", "").replace("'", "")
        if is_link or leads_out or name.lower().startswith("on"):
            return False
    return _is_of_bearable_size(element)


def _is_of_bearable_size(element: ET.Element) -> bool:
    """Whether its numbers are those of a picture, and few of them make arcs."""
    values = (value for name, value in element.attrib.items() if name not in _NAMES and "}" not in name)
    for value in values:
        numbers = _NUMBER.findall(_NO_NUMBER.sub(" ", value))
        if any(float(number) > _LARGEST for number in numbers):
            return False
    # An arc is five numbers at least: its two flags and what follows may be written as one.
    arcs = sum(len(_NUMBER.findall(arc)) / 5 for arc in _ARCS.findall(element.get("d", "")))
    return arcs <= _MOST_ARCS


def _is_drawn_soon(root: ET.Element) -> bool:
    """Whether it is neither too deep nor too much, as often as its parts are drawn."""
    counts: Counter[str] = Counter()
    level, depth = [(root, False)], 0
    while level:
        depth += 1
        for element, is_within in level:
            refers = any("url(" in value for value in element.attrib.values())
            if refers and (is_within or _tag(element) in _DRAWN_AGAIN):
                return False
            counts["elements"] += 1
            counts["within"] += is_within
            counts["references"] += refers
            counts["spans"] += _tag(element) in ("text", "tspan", "textPath")
            counts["letters"] += len((element.text or "").strip()) + len((element.tail or "").strip())
            counts["links"] += any(map(_is_link, element.attrib))
        level = [
            (inner, is_within or _tag(element) in _DRAWN_AGAIN)
            for element, is_within in level
            for inner in element
        ]
    return (
        depth <= _DEEPEST
        and counts["elements"] <= _MOST_ELEMENTS
        and counts["spans"] <= _MOST_SPANS
        and counts["letters"] <= _MOST_LETTERS
        and counts["links"] <= _MOST_LINKS
        and counts["within"] * counts["references"] <= _MOST_DRAWN_AGAIN
    )


def _is_link(name: str) -> bool:
    return name.rpartition("}")[2].lower() == "href"


def _tag(element: ET.Element) -> str:
    return str(element.tag).removeprefix(_SVG)
