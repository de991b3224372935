"""From bytes to UTF-8 text: the encoding of a file, and the line of the first byte that is no text."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from enum import Enum

from zebra_core.errors import InputError
from zebra_core.intake.opening import packing
from zebra_core.intake.opening.opening import LONGEST_LINE, OpenedFile

_SAMPLE_BYTES = 1 << 16
_RUBBISH = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NO_RUBBISH = bytes(set(range(256)) - {*range(9), 11, 12, *range(14, 32), 127})
# What people drop by mistake beside their scores, by its first bytes: each has a sentence of its own.
UNREAD_SOUND = re.compile(
    rb"....ftyp|\xff[\xf0\xf1\xf8\xf9]|ADIF|#!AMR|\x30\x26\xb2\x75\x8e\x66\xcf\x11|\x1aE\xdf\xa3|NIST_1A",
    re.DOTALL,
)
"""How sound, or a film, begins that is not read: MP4 (m4a, 3gp), AAC, AMR, WMA, Matroska, SPHERE."""
_MISTAKES = (
    (re.compile(rb"%PDF-"), "pdf"),
    (re.compile(rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*", re.DOTALL), "picture"),
    (re.compile(rb"RIFF.{4}WAVE|fLaC|OggS|ID3[\x02-\x04]|FORM.{4}AIF|\.snd\0", re.DOTALL), "recording"),
    (UNREAD_SOUND, "film"),
    (re.compile(rb"RIFF.{4}AVI ", re.DOTALL), "film"),
    (re.compile(rb"version https://git-lfs"), "lfs"),
    (re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE), "html"),
)
_ONLY_WINDOWS = re.compile(rb"[\x80-\x9f]")
_UTF_8_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_OUR_SEAL = b"evidence-sha256:"
_BINARY_MAGIC = (b"RIFF", b"\x7fELF")


class Encoding(Enum):
    """How the characters of a file are written; the values are Python's names."""

    UTF_8 = "utf-8"
    UTF_8_BOM = "utf-8-sig"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    LATIN_1 = "latin-1"
    WINDOWS_1252 = "windows-1252"  # Latin-1, with letters in place of most of its control characters


_MARKS = {
    codecs.BOM_UTF8: Encoding.UTF_8_BOM,
    codecs.BOM_UTF16_LE: Encoding.UTF_16_LE,
    codecs.BOM_UTF16_BE: Encoding.UTF_16_BE,
}

WESTERN = (Encoding.LATIN_1, Encoding.WINDOWS_1252)
"""What text is taken for that is no UTF-8."""


def decode(file: OpenedFile) -> tuple[bytes, Encoding]:
    """The text as UTF-8 without a byte-order mark, and what it was written in.

    The encoding is told by the bytes, Latin-1 and what Windows makes of it being the last resort.

    Raises InputError, with the line, when the file is no text, or UTF-8 but for some bytes (`StrayBytes`).
    Control characters far into a UTF-8 file are left to the reader of the ids, who sees every distinct id.
    """
    content = file.content
    if packing.is_packed(content):
        raise InputError("packed-too-deep", file=file.name)
    _refuse_mistakes(file)
    encoding, mark = _encoding(content)
    if encoding is None:
        raise InputError("binary", file=file.name, line=1, found=f"0x{content[0]:02x}")
    text = content[mark:]
    if encoding in (Encoding.UTF_16_LE, Encoding.UTF_16_BE):
        text = _as_promised(file, text, encoding, "not-utf16")
    elif encoding is Encoding.UTF_8_BOM:
        text = _as_promised(file, text, Encoding.UTF_8, "not-utf8")
    elif encoding in WESTERN:
        _refuse_rubbish(file, text)
        stray = StrayBytes()
        stray.look_at(text)
        stray.refuse_broken(file)
        text = _as_promised(file, text, Encoding.WINDOWS_1252, "not-windows-1252")
    # The C parser would end an id at a NUL, and take a number with a form feed; looking for these is cheap.
    is_suspect = any(byte in text for byte in (b"\0", b"\x0b", b"\x0c"))
    _refuse_rubbish(file, text if is_suspect else text[:_SAMPLE_BYTES])
    if not text or text.isspace():
        raise InputError("empty", file=file.name)
    _refuse_endless_lines(file, text)
    return text, encoding


def _refuse_mistakes(file: OpenedFile) -> None:
    for magic, kind in _MISTAKES:
        if magic.match(file.content):
            is_ours = kind == "pdf" and _OUR_SEAL in file.content
            raise InputError("own-report" if is_ours else f"mistake-{kind}", file=file.name)


def decode_part(file: OpenedFile, part: bytes, encoding: Encoding) -> bytes:
    """Whole lines of a text whose encoding is known, as UTF-8. Raises InputError as `decode` does."""
    if encoding in WESTERN:
        part = _as_promised(file, part, Encoding.WINDOWS_1252, "not-windows-1252")
    elif not part.isascii():
        part = _as_promised(file, part, Encoding.UTF_8, "broken-utf8")
    if any(byte in part for byte in (b"\0", b"\x0b", b"\x0c")):
        _refuse_rubbish(file, part)
    return part


class StrayBytes:
    """Bytes that are no UTF-8, in parts of a text that is none as a whole, beside its letters that are.

    In Latin-1 two bytes are a letter of UTF-8 by chance only (Ã¼, ß“), while bytes such as é alone abound. So
    a text that has as many letters of UTF-8 as other bytes above 127, or as many kinds, is broken UTF-8.
    """

    def __init__(self) -> None:
        self._letters, self._strays = Counter[bytes](), Counter[bytes]()
        self._lines = self._first_line = 0

    def look_at(self, part: bytes) -> None:
        """Count those of the next part of the text."""
        line_end = b"\n" if b"\n" in part else b"\r"
        self._letters.update(_UTF_8_LETTER.findall(part))
        strays = _NOT_ASCII.findall(rest := _UTF_8_LETTER.sub(b"", part))
        if strays and not self._strays:
            self._first_line = self._lines + rest[: rest.index(strays[0])].count(line_end) + 1
        self._strays.update(strays)
        self._lines += part.count(line_end)

    def refuse_broken(self, file: OpenedFile) -> None:
        """Raise InputError, with line and byte, where the text is broken UTF-8."""
        letters, strays = self._letters, self._strays
        if strays and (letters.total() >= strays.total() or len(letters) >= len(strays)):
            found = f"0x{next(iter(strays))[0]:02x}"
            raise InputError("broken-utf8", file=file.name, line=self._first_line, found=found)


def _encoding(content: bytes) -> tuple[Encoding | None, int]:
    """The encoding and how many bytes of mark come before the text; None for what is surely no text."""
    if content.startswith(_BINARY_MAGIC) or content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return None, 0
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding, len(mark)
    sample = content[:_SAMPLE_BYTES]
    if b"\0" in sample and len(content) % 2 == 0:
        # The text of these files is nearly all ASCII: every other byte of it is then zero.
        for encoding, zeros, others in ((Encoding.UTF_16_LE, 1, 0), (Encoding.UTF_16_BE, 0, 1)):
            if sample[zeros::2].count(0) * 2 > len(sample) // 2 and not sample[others::2].count(0):
                return encoding, 0
    try:
        content.isascii() or content.decode("utf-8")
    except UnicodeDecodeError:
        return Encoding.WINDOWS_1252 if _ONLY_WINDOWS.search(content) else Encoding.LATIN_1, 0
    return Encoding.UTF_8, 0


def lines_of(text: str) -> list[str]:
    """The lines of a text, which end at line feeds and nothing else; at CR where no line feed is there.

    `str.splitlines` ends them at U+0085, U+2028 and other characters that may stand within a line.
    """
    end = "\n" if "\n" in text else "\r"
    lines = text.removesuffix(end).split(end)
    return [line.removesuffix("\r") for line in lines] if text else []


def _as_promised(file: OpenedFile, content: bytes, encoding: Encoding, code: str) -> bytes:
    """The text as UTF-8. Raises InputError, with the line, where it is not what its first bytes say."""
    try:
        return content.decode(encoding.value).encode()
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[:at].decode(encoding.value, errors="replace").count("\n") + 1
        found = f"0x{content[at]:02x}" if at < len(content) else ""
        raise InputError(code, file=file.name, line=line, found=found) from error


def _refuse_endless_lines(file: OpenedFile, text: bytes) -> None:
    start = 0
    while len(text) - start > LONGEST_LINE:
        reach = start + LONGEST_LINE + 1
        end = max(text.rfind(b"\n", start, reach), text.rfind(b"\r", start, reach))
        if end < 0:
            line = len(text[:start].splitlines()) + 1  # of bytes, which end at LF and CR only
            raise InputError("line-too-long", file=file.name, line=line, most=LONGEST_LINE >> 20)
        start = end + 1


def _refuse_rubbish(file: OpenedFile, text: bytes) -> None:
    # Taking away what may stand in a text is ten times as fast as looking for what may not.
    if text.translate(None, _NO_RUBBISH) and (rubbish := _RUBBISH.search(text)):
        before = text[: rubbish.start()]
        line = before.count(b"\n") + 1 if b"\n" in text else before.count(b"\r") + 1
        raise InputError("binary", file=file.name, line=line, found=f"0x{rubbish.group()[0]:02x}")
