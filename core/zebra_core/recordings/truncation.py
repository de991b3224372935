"""Whether a file of sound is all there: what its chunks or pages promise, beside its size.

The library that decodes WAV, AIFF, AU, W64 and Ogg takes what is left of a file that was cut off for all of
it.
"""

from __future__ import annotations

from typing import IO

_NOT_SAID = 0x7FFF0000
"""From here on the size of a chunk was not known when it was written, as where a program wrote to a pipe."""
_MOST_CHUNKS = 1000  # before that of the samples; a file of many more was made to keep us busy
_W64 = b"riff\x2e\x91\xcf\x11"
_W64_HEAD = 40  # bytes before the first chunk; each chunk has 24 of its own, which its size counts
_OGG_HEAD = 27  # bytes of a page before the lengths of its segments
_LONGEST_PAGE = _OGG_HEAD + 255 + 255 * 255


def missing_bytes(stream: IO[bytes]) -> int:
    """How many bytes of samples a file promises beyond its end; 0 where all are there, or nothing tells.

    WAV, RF64, AIFF, AU and W64 say the size of their samples; Ogg that of its last page.
    """
    return max(0, end_of_samples(stream) - stream.seek(0, 2))


def end_of_samples(stream: IO[bytes]) -> int:
    """Where the samples end, as a file says; 0 where nothing tells."""
    size = stream.seek(0, 2)
    stream.seek(0)
    head = stream.read(12)
    if head[:4] in (b"RIFF", b"RF64"):
        return _end_of_chunk(stream, size, b"data", "little")
    if head[:4] == b"RIFX":
        return _end_of_chunk(stream, size, b"data", "big")
    if head[:4] == b"FORM":
        return _end_of_chunk(stream, size, b"SSND", "big")
    if head.startswith(b".snd"):
        start, length = (int.from_bytes(head[n : n + 4], "big") for n in (4, 8))
        return start + length if length < _NOT_SAID else 0
    if head.startswith(_W64):
        return _end_of_w64(stream, size)
    return _end_of_ogg(stream, size) if head.startswith(b"OggS") else 0


def _end_of_chunk(stream: IO[bytes], size_of_file: int, wanted: bytes, order: str) -> int:
    """Where the chunk of this name ends, as it says; 0 where none is found, or it does not say."""
    place, said_before = 12, 0
    for _ in range(_MOST_CHUNKS):
        if place + 8 > size_of_file:  # as far as it says, nobody might be able to go
            return 0
        stream.seek(place)
        head = stream.read(8)
        size = int.from_bytes(head[4:], order)  # type: ignore[arg-type]
        if head[:4] == b"ds64":  # RF64: of the whole file, then of the samples, in 64 bits
            said_before = int.from_bytes(stream.read(16)[8:], "little")
        if head[:4] == wanted:
            if size < _NOT_SAID:
                return place + 8 + size
            return place + 8 + said_before if said_before else 0
        place += 8 + size + size % 2
    return 0


def _end_of_w64(stream: IO[bytes], size_of_file: int) -> int:
    place = _W64_HEAD
    for _ in range(_MOST_CHUNKS):
        if place + 24 > size_of_file:
            return 0
        stream.seek(place)
        head = stream.read(24)
        size = int.from_bytes(head[16:], "little")
        if size < 24 or size >= 1 << 60:
            return 0
        if head[:4] == b"data":
            return place + size
        place += -(-size // 8) * 8
    return 0


def _end_of_ogg(stream: IO[bytes], size: int) -> int:
    """Where the last page ends, by the lengths of its segments."""
    start = max(0, size - _LONGEST_PAGE)
    stream.seek(start)
    tail = stream.read(_LONGEST_PAGE)
    place = tail.rfind(b"OggS\0")
    if place < 0:
        return 0
    head = tail[place : place + _OGG_HEAD]
    if len(head) < _OGG_HEAD:
        return start + place + _OGG_HEAD
    lengths = tail[place + _OGG_HEAD : place + _OGG_HEAD + head[-1]]
    return start + place + _OGG_HEAD + head[-1] + sum(lengths)
