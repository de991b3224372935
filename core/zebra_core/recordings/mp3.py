"""MP3 that does not say its length: its frames are counted, where the decoder would only estimate.

Constant rates by SoX (`-C 64`), FFmpeg (`-write_xing 0`) and LAME (`-t`) are written so. libmpg123 then takes
the size of the file for a length, which is some frames too long, or too short where the rate varies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

_RATES_KBIT = {
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
"""By the version of MPEG, 2.5 being as 2; layer III."""
_SAMPLING_HZ = (44_100, 48_000, 32_000)  # of MPEG-1; half of it in 2, a quarter in 2.5
_OF_EVERY_FRAME = 0xFFFE0C00  # the bits of a header that stay: version, layer, sampling rate
_TAG, _OLD_TAG = 10, 128  # bytes: of the head of an ID3v2 tag, of a whole ID3v1 tag
_APE_FOOT = 32  # bytes, the last of an APE tag, or its first
_FARTHEST = 1 << 16  # bytes between a tag and the first frame
_MOST_STEPS = 1 << 18  # frames and tags; an hour has 150 000 frames


@dataclass(frozen=True)
class CountedFrames:
    """The samples of a stream of MP3 as far as frame follows frame, and the bytes that its last one lacks."""

    samples: int
    missing: int


def counted_frames(stream: IO[bytes]) -> CountedFrames | None:
    """What a file of MP3 holds that does not say its length; None where it does (Xing), or no frame is found.

    Where such a file was cut between two frames, nothing in it tells.
    """
    size = end_of_sound(stream)
    place, first = _first_frame(stream)
    said = _first_says(stream, place, first) if first else b""
    if not first or said[-1:] > b"\0":
        return None
    frames = -1 if said else 0  # that frame holds no sound
    for _ in range(_MOST_STEPS):
        stream.seek(place)
        head = stream.read(_TAG)
        if place >= size or not (step := _length(head, first) or _tag_length(head)):
            break
        frames += head[0] == 0xFF
        place += step
    return CountedFrames(frames * (1152 if _version(first) == 1 else 576), max(0, place - size))


def end_of_sound(stream: IO[bytes]) -> int:
    """Where the sound ends at the latest: the end of the file, or the tags that stand there."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _OLD_TAG))
    size -= _OLD_TAG if stream.read(3) == b"TAG" else 0
    stream.seek(max(0, size - _APE_FOOT))
    foot = stream.read(_APE_FOOT)
    if not foot.startswith(b"APETAGEX"):
        return size
    length = int.from_bytes(foot[12:16], "little") + (_APE_FOOT if foot[23] & 0x80 else 0)
    return size - length if length <= size else size


def _first_frame(stream: IO[bytes]) -> tuple[int, bytes]:
    """The place and the header of the first frame after the tags that another one follows; else nothing."""
    start = step = 0
    for _ in range(_MOST_STEPS):
        start += step
        stream.seek(start)
        if not (step := _tag_length(stream.read(_TAG))):
            break
    stream.seek(start)
    content = stream.read(_FARTHEST)
    place = content.find(0xFF)
    while place >= 0:
        head = content[place : place + 4]
        follows = content[place + _length(head) :][:4]
        if _length(head) and (not follows or _length(follows, head)):
            return start + place, head
        place = content.find(0xFF, place + 1)
    return 0, b""


def _first_says(stream: IO[bytes], place: int, first: bytes) -> bytes:
    """What the first frame says of the stream, behind what each tells of its channels: b"" if it is of sound.

    Else the last byte is odd where it says how many follow.
    """
    of_channels = {1: (32, 17), 2: (17, 9)}[_version(first)]
    stream.seek(place + 4 + of_channels[first[3] >> 6 == 3])
    mark = stream.read(8)
    return mark[:4] + bytes([mark[-1] & 1]) if mark[:4] in (b"Xing", b"Info") and len(mark) == 8 else b""


def _version(head: bytes) -> int:
    """Of MPEG: 1, or 2, 2.5 among it."""
    return 1 if head[1] & 0x18 == 0x18 else 2


def _length(head: bytes, first: bytes | None = None) -> int:
    """The bytes of the frame of layer III that begins so, of the same stream as `first`.

    0 where none does, or it leaves open how many they are (free format).
    """
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2 or head[1] & 0x18 == 0x08:
        return 0
    if first and (int.from_bytes(head[:4], "big") ^ int.from_bytes(first, "big")) & _OF_EVERY_FRAME:
        return 0
    rate, sampling, version = head[2] >> 4, head[2] >> 2 & 3, _version(head)
    if rate in (0, 15) or sampling == 3:
        return 0
    hertz = _SAMPLING_HZ[sampling] // {0x18: 1, 0x10: 2, 0x00: 4}[head[1] & 0x18]
    return 144_000 // version * _RATES_KBIT[version][rate] // hertz + (head[2] >> 1 & 1)


def _tag_length(head: bytes) -> int:
    """The bytes of the tag that begins so, which stands between two files put one behind the other, too."""
    if head.startswith(b"TAG"):
        return _OLD_TAG
    if not head.startswith(b"ID3") or len(head) < _TAG:
        return 0
    a, b, c, d = head[6:]
    return _TAG + (a << 21 | b << 14 | c << 7 | d) + (_TAG if head[5] & 0x10 else 0)
