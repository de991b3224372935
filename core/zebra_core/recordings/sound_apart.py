"""A program of its own, not to be imported: reads files of sound, one after the other, while it is asked.

A file made for it may crash the library that decodes it, or make it take all memory; then it is this process
that dies. Nothing of the package is imported. Input, a line of JSON each; answer, four bytes that say the
length of a JSON object, that object, and as many bytes as it says:

    {"open": PATH in hex, "hashed": BOOL, "end": of its sound, or null, "unsaid": whether its length is}
                                            {"format", "subtype", "rate_hz", "channels", "frames", "sha256"}
    {"given": SIZE, "hashed": BOOL}         the same of a file whose bytes come after the line
    {"read": COUNT}                         {"bytes": SIZE}, then COUNT frames or fewer as 32-bit floats;
                                            after the last "after", the bytes that the file does not tell of
    {"close": true}                         {}

and {"fault": WHY} to either.
"""

from __future__ import annotations

import io
import json
import os
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import IO, Any

_MOST_MEMORY = 1 << 30  # bytes, beyond those of the libraries
_PIECE = 1 << 20
_CHUNKS = {b"RIFF": (8, "little"), b"RF64": (8, "little"), b"RIFX": (8, "big"), b"FORM": (8, "big"),
           b"caff": (12, "big")}  # fmt: skip
"""The bytes before a chunk: its name, of 4, then how long it is, in this order."""
_SOUND = (*_CHUNKS, b"data", b"SSND")
"""Chunks that are no notes."""


def main() -> None:
    """Answer until nobody asks any more."""
    sys.path.append(str(Path(__file__).parents[1] / "runtime"))
    bounds = import_module("bounds_apart")
    import_module("numpy")
    library = import_module("soundfile")
    bounds.limit_memory(_MOST_MEMORY)
    reader = _Reader(library)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            given = sys.stdin.buffer.read(int(asked.get("given", 0)))
            said, content = reader.answer(asked, given)
        except Exception as error:  # noqa: BLE001 - whatever the library says of a file
            said, content = {"fault": _reason(error)}, b""
        head = json.dumps(said).encode("ascii")
        for piece in (len(head).to_bytes(4, "big"), head, content):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


class _Reader:
    """The file that is open."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._stream: IO[bytes] | None = None
        self._file: Any = None

    def answer(self, asked: dict[str, Any], given: bytes) -> tuple[dict[str, object], bytes]:
        if "read" in asked:
            return self._read(int(asked["read"]))
        self._close()
        if "given" in asked:
            return self._opened(io.BytesIO(given), hashed=asked["hashed"])
        if "open" in asked:
            path = os.fsdecode(bytes.fromhex(asked["open"]))
            if asked["end"] is None:
                return self._opened(Path(path).open("rb"), hashed=asked["hashed"])
            part = _SoundOfFile(path, asked["end"], seems_endless=asked["unsaid"])
            return self._opened(part, hashed=asked["hashed"])
        return {}, b""

    def _opened(self, stream: IO[bytes], *, hashed: bool) -> tuple[dict[str, object], bytes]:
        self._stream = stream
        digest = self._hash() if hashed else ""
        if isinstance(self._stream, _SoundOfFile):
            self._stream.leave_tags()
        self._file = file = self._library.SoundFile(self._stream)
        said = {"format": file.format, "subtype": file.subtype, "rate_hz": file.samplerate}
        return {**said, "channels": file.channels, "frames": file.frames, "sha256": digest}, b""

    def _read(self, count: int) -> tuple[dict[str, object], bytes]:
        content = self._file.read(count, dtype="float32", always_2d=True).tobytes()
        after = {} if content or self._stream is None else {"after": _untold(self._stream)}
        return {"bytes": len(content), **after}, content

    def _hash(self) -> str:
        assert self._stream is not None  # noqa: S101 - it was opened just now
        digest = sha256()
        while piece := self._stream.read(_PIECE):
            digest.update(piece)
        self._stream.seek(0)
        return digest.hexdigest()

    def _close(self) -> None:
        for one in (self._file, self._stream):
            if one is not None:
                one.close()
        self._file = self._stream = None


class _SoundOfFile(io.FileIO):
    """A file without the tags at its end, where the library would look for sound.

    It may seem to be longer than it is, for the library stops where it expects the end by the size.
    """

    _beyond = 0

    def __init__(self, path: str, end: int, *, seems_endless: bool) -> None:
        super().__init__(path)
        self._sound_end, self._end = end, 1 << 62
        self._far = (1 << 30) * seems_endless  # 7 hours at least; on Windows the library counts to 1 << 31

    def leave_tags(self) -> None:
        """From now on the tags are not there."""
        self._end = self._sound_end

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._beyond = self._far if whence == 2 else 0
        if whence == 2 and self._end == self._sound_end:
            return super().seek(self._end + offset)
        return super().seek(offset, whence)

    def tell(self) -> int:
        return super().tell() + self._beyond

    def readinto(self, buffer: Any, /) -> int:
        count = max(0, min(len(buffer), self._end - super().tell()))
        return super().readinto(memoryview(buffer)[:count]) or 0

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, self._end - super().tell())
        return super().read(left if size is None or size < 0 else min(size, left)) or b""


def _untold(stream: IO[bytes]) -> int:
    """How many bytes come after those that were decoded, and after the chunks of notes behind them."""
    place = stream.tell()
    size = stream.seek(0, 2)
    stream.seek(0)
    head, order = _CHUNKS.get(stream.read(4), (0, "big"))
    while head and place + head <= size:
        place += place % 2 if head == 8 else 0
        stream.seek(place)
        name, length = stream.read(4), int.from_bytes(stream.read(head - 4), order)  # type: ignore[arg-type]
        is_note = name.isascii() and name.decode("ascii").isprintable() and name not in _SOUND
        if not is_note or place + head + length > size:
            break
        place += head + length
    return max(0, size - place)


def _reason(error: Exception) -> str:
    said = getattr(error, "error_string", None) or getattr(error, "strerror", None) or str(error)
    return str(said or type(error).__name__).removeprefix("Error : ")[:300]


if __name__ == "__main__":
    main()
