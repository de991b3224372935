"""Reading sound: what kind a file is by its first bytes, and its samples, in blocks and within bounds.

Whether a file of sound is all there: what its chunks or pages promise, beside its size.

The library that decodes WAV, AIFF, AU, W64 and Ogg takes what is left of a file that was cut off for all of
it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.files.access import open_regular, unreadable
from zebra_core.intake.opening.opening import UNREAD_SOUND
from zebra_core.recordings import libraries
from zebra_core.runtime import apart
from zebra_core.runtime.apart import Fault, NoAnswer, Pool, RunningProgram, refusal
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import written

Samples = NDArray[np.float32]
"""Shape (n,), one channel; full scale is −1 … 1."""

LONGEST_S = 3600
"""Seconds; a longer recording takes more memory than is promised."""
MOST_SAMPLES = LONGEST_S * 96_000
"""Of all channels that are taken, 1.4 GB: silence at a high rate unpacks from a small file to any size."""
LOWEST_HZ, HIGHEST_HZ = 4_000, 400_000
_BLOCK = 1 << 18  # samples of all channels
_PIECE = 1 << 20  # bytes that are hashed at once
_COARSE = frozenset({"PCM_U8", "PCM_S8"})
_MOST_AFTER = 4096  # bytes: tags that some programs append, and what a decoder does not look at
_LOOK = 64  # bytes that tell the kind

SUFFIXES = frozenset(
    {".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3", ".aif", ".aiff", ".aifc", ".w64", ".caf", ".au"}
)
"""How files of sound are usually called; what they are is told by their content."""


@dataclass(frozen=True)
class SoundHeader:
    """What a file of sound says of itself before its samples are read."""

    format: str  # WAV, FLAC, OGG, MP3, AIFF, … as libsndfile calls it
    subtype: str  # PCM_16, FLOAT, VORBIS, …
    rate_hz: int
    channels: int
    frames: int

    @property
    def is_coarse(self) -> bool:
        """Whether its samples have 8 bits, of equal steps: then its noise is to be heard."""
        return self.subtype in _COARSE

    @classmethod
    def of(cls, file: SoundFile) -> SoundHeader:
        """What the file says that a process has open."""
        said = file.said
        return cls(said["format"], said["subtype"], said["rate_hz"], said["channels"], said["frames"])


@dataclass(frozen=True, eq=False)
class Sound:
    """One channel of a recording at its own rate."""

    kind: SoundHeader
    sha256: str  # of the file
    samples: Samples

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.samples) / self.kind.rate_hz


def looks_like_sound(head: bytes) -> bool:
    """Whether the first bytes of a file are those of a format of sound that is read here."""
    riff = head[:4] in (b"RIFF", b"RIFX", b"RF64") and head[8:12] == b"WAVE"
    aiff = head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC")
    others = head.startswith((b"fLaC", b"OggS", b"caff", b".snd", b"riff\x2e\x91\xcf\x11"))
    return riff or aiff or others or _is_mp3(head)


def is_sound(path: Path) -> bool:
    """Whether a file begins as a format of sound that is read here; False if it cannot be read."""
    return looks_like_sound(_head_of(path))


def is_unread_sound(path: Path) -> bool:
    """Whether a file begins as a format of sound, or of films, that is not read here, such as AAC."""
    return UNREAD_SOUND.match(_head_of(path)) is not None


def _head_of(path: Path) -> bytes:
    """The bytes that tell the kind; none if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(_LOOK)
    except (InputError, OSError):
        return b""


def read_sound(
    path: Path, channel: int | None = None, *, name: str = "", on_progress: Progress = no_progress
) -> Sound:
    """One channel of a recording; `channel` counts from 1, and must be said where there are several.

    Raises InputError for what is no sound, breaks off, is empty, longer than `LONGEST_S`, or holds samples
    that are no finite numbers.
    """
    with opened(path, name=name, on_progress=part_of(on_progress, 0.0, 0.0)) as (digest, file, kind):
        wanted = _wanted_channel(name or path.name, kind, channel)
        whole = blocks_of(file, kind, name or path.name, on_progress)
        blocks = [block[:, wanted].copy() for block in whole]  # a view would keep all channels
    return Sound(kind, digest, np.concatenate(blocks))


def read_channels(
    path: Path, *, name: str = "", on_progress: Progress = no_progress
) -> tuple[SoundHeader, str, Samples]:
    """All channels, shape (n, channels), with the kind and the SHA-256 of the file. Raises InputError."""
    with opened(path, name=name, on_progress=part_of(on_progress, 0.0, 0.0)) as (digest, file, kind):
        whole = blocks_of(file, kind, name or path.name, on_progress, taken=kind.channels)
        return kind, digest, np.concatenate(list(whole))


def hash_of(path: Path) -> str:
    """The SHA-256 of a file. Raises InputError for what is no regular file."""
    try:
        with open_regular(path) as stream:
            return _hashed(stream)
    except OSError as error:
        raise unreadable(path.name, error) from error


@contextmanager
def opened(
    path: Path, *, name: str = "", hashed: bool = True, on_progress: Progress = no_progress
) -> Iterator[tuple[str, SoundFile, SoundHeader]]:
    """The SHA-256 of a file ("" unless `hashed`), the file as opened by a process of its own, and its kind.

    Hashing reads the whole file. Raises InputError, and what `on_progress` raises while waiting for the
    process.
    """
    name = name or path.name
    try:
        with open_regular(path, name) as stream:
            head = stream.read(_LOOK)
            end = _end_of_mp3(stream, head)
            counted = counted_frames(stream) if end else None
            missing = missing_bytes(stream) if looks_like_sound(head) else 0
    except OSError as error:
        raise unreadable(name, error) from error
    if not head:
        raise InputError("sound-empty-file", file=name)
    if UNREAD_SOUND.match(head):
        raise InputError("sound-unread", file=name)
    if not looks_like_sound(head):
        raise InputError("sound-none", file=name)
    kind: SoundHeader | None = None
    try:
        unsaid = counted is not None
        with decoding(path, hashed=hashed, end=end, length_unsaid=unsaid, on_progress=on_progress) as file:
            kind = SoundHeader.of(file)
            if counted:
                kind, missing = replace(kind, frames=counted.samples), missing or counted.missing
            if missing:
                raise InputError("sound-cut-off", file=name, missing=missing)
            _refuse_out_of_bounds(name, kind)
            yield file.said["sha256"], file, kind
    except Fault as error:
        if kind and counted and counted.samples > 0:  # the decoder went on behind the last frame
            seconds = written(counted.samples / kind.rate_hz, ".1f")
            raise InputError("sound-gap", file=name, second=seconds) from error
        raise InputError("sound-broken", file=name, reason=str(error).strip().removesuffix(".")) from error
    except (NoAnswer, ValueError) as error:
        raise refusal(error, "sound-hostile", name) from error


def blocks_of(
    file: SoundFile, kind: SoundHeader, name: str, on_progress: Progress, *, taken: int = 1
) -> Iterator[Samples]:
    """The samples in blocks of shape (n, channels), of which so many channels are taken.

    Raises InputError where they are not what was said, or more than may be, or where the file holds more.
    """
    frames, share, size = 0, 0.0, max(1, _BLOCK // kind.channels)
    longest_s = min(LONGEST_S, MOST_SAMPLES / (kind.rate_hz * taken))
    while len(block := file.read(size, part_of(on_progress, share, share))):
        if not np.isfinite(block).all():
            first = int(np.argmin(np.isfinite(block).all(axis=1)))
            raise InputError(
                "sound-not-finite", file=name, second=written((frames + first) / kind.rate_hz, ".3f")
            )
        frames += len(block)
        if frames > longest_s * kind.rate_hz:  # whatever its header says
            raise InputError("sound-too-long", file=name, most=written(longest_s / 60, ".3g"))
        share = min(1.0, frames / kind.frames)
        on_progress(share)
        yield block
    if frames == 0:
        raise InputError("sound-no-samples", file=name)
    if (
        frames > kind.frames and kind.subtype == "MPEG_LAYER_III"
    ):  # the decoder went on behind what is no frame
        raise InputError("sound-gap", file=name, second=written(kind.frames / kind.rate_hz, ".1f"))
    if frames < kind.frames:
        raise InputError(
            "sound-breaks-off",
            file=name,
            found=written(frames / kind.rate_hz, ".1f"),
            expected=written(kind.frames / kind.rate_hz, ".1f"),
        )
    if file.after > _MOST_AFTER:
        seconds = written(frames / kind.rate_hz, ".1f")
        raise InputError("sound-holds-more", file=name, after=file.after, seconds=seconds)


def at_rate(samples: Samples, rate_hz: int, wanted_hz: int) -> Samples:
    """Resampled by soxr at high quality; the samples themselves where the rate is the wanted one."""
    if rate_hz == wanted_hz:
        return samples
    found: Samples = libraries.soxr().resample(samples, rate_hz, wanted_hz, quality="HQ")
    return found


def _is_mp3(head: bytes) -> bool:
    """An ID3 tag, or the mark of a frame of layer III."""
    is_frame = len(head) > 2 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2 and head[1] & 0x18 != 0x08
    return head.startswith(b"ID3") or (is_frame and head[2] & 0xF0 != 0xF0 and head[2] & 0x0C != 0x0C)


def _is_mp3_in_wav(head: bytes) -> bool:
    """WAV whose samples are MP3: the length that it says is an estimate of the decoder."""
    return head[:4] == b"RIFF" and head[8:16] == b"WAVEfmt " and head[20:22] == b"\x55\0"


def _end_of_mp3(stream: IO[bytes], head: bytes) -> int | None:
    """Where the sound of MP3 ends, be it in WAV; None if it is no MP3."""
    if _is_mp3(head):
        return end_of_sound(stream)
    if not _is_mp3_in_wav(head):
        return None
    end, size = end_of_samples(stream), stream.seek(0, 2)
    return min(end or size, size)


def _hashed(stream: IO[bytes]) -> str:
    stream.seek(0)
    digest = sha256()
    while piece := stream.read(_PIECE):
        digest.update(piece)
    stream.seek(0)
    return digest.hexdigest()


def _refuse_out_of_bounds(name: str, kind: SoundHeader) -> None:
    if not LOWEST_HZ <= kind.rate_hz <= HIGHEST_HZ:
        raise InputError("sound-rate", file=name, rate=kind.rate_hz, lowest=LOWEST_HZ, highest=HIGHEST_HZ)
    if kind.frames <= 0:
        raise InputError("sound-no-samples", file=name)
    if kind.frames > LONGEST_S * kind.rate_hz and kind.frames < 1 << 60:  # libsndfile's word for "not said"
        raise InputError("sound-too-long", file=name, most=LONGEST_S // 60)


def _wanted_channel(name: str, kind: SoundHeader, channel: int | None) -> int:
    """Counted from 0."""
    if channel is None and kind.channels > 1:
        raise InputError("sound-channels", file=name, count=kind.channels)
    if channel is not None and not 1 <= channel <= kind.channels:
        raise InputError("sound-no-channel", file=name, count=kind.channels, channel=channel)
    return (channel or 1) - 1


def decibels(amplitude: float) -> float:
    """An amplitude against full scale; −inf for 0."""
    return 20.0 * math.log10(amplitude) if amplitude > 0.0 else -math.inf


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


# Sound is decoded by processes of their own, which a hostile file may kill; they wait for the next file.


_SECONDS = 60.0  # for one answer: a file is hashed, or a block decoded, in far less
_READERS = Pool(Path(__file__).with_name("sound_apart.py"), _SECONDS)


class SoundFile:
    """A file that a process has open."""

    def __init__(self, reader: RunningProgram, said: dict[str, Any]) -> None:
        self._reader = reader
        self.said = said
        """Its format, subtype, rate_hz, channels and frames, and its SHA-256 where that was wanted."""
        self.after = 0
        """Once all is read: the bytes after its sound that nothing in the file tells of."""

    def read(self, count: int, on_progress: Progress = no_progress) -> NDArray[np.float32]:
        """So many frames, or those that are left, shape (n, channels). Raises Fault, NoAnswer.

        `on_progress` is called while we wait, and may stop it.
        """
        said, content = self._reader.ask({"read": count}, on_progress=on_progress)
        self.after = int(said.get("after", 0))
        return np.frombuffer(content, dtype=np.float32).reshape(-1, int(self.said["channels"]))


@contextmanager
def decoding(
    source: Path | bytes,
    *,
    hashed: bool,
    end: int | None = None,
    length_unsaid: bool = False,
    on_progress: Progress = no_progress,
) -> Iterator[SoundFile]:
    """A file of sound, or what is in one, open in a process; `on_progress` may stop its opening.

    Of a file with an `end` what comes after that is hashed and not decoded; if `length_unsaid` it is read to
    there, wherever the library expects the end from its size.

    Raises Fault for what the library cannot read, and NoAnswer where the file ended the process; InputError
    where the libraries are missing, or no process can be started.
    """
    libraries.soundfile()
    if not apart.can_run():
        raise InputError("sound-not-tried")
    given = source if isinstance(source, bytes) else b""
    which = (
        {"given": len(source)}
        if isinstance(source, bytes)
        else {"open": _in_hex(source), "end": end, "unsaid": length_unsaid}
    )
    with _READERS.one() as reader:
        try:
            yield SoundFile(reader, reader.ask({**which, "hashed": hashed}, given, on_progress)[0])
        finally:
            if not reader.is_busy:
                with suppress(apart.NoAnswer, ValueError):
                    reader.ask({"close": True})


def _in_hex(path: Path) -> str:
    return os.fsencode(path.absolute()).hex()


def end_idle() -> None:
    """End the processes that wait."""
    _READERS.end_idle()


# MP3 that does not say its length: its frames are counted, where the decoder would only estimate.
#
# Constant rates by SoX (`-C 64`), FFmpeg (`-write_xing 0`) and LAME (`-t`) are written so. libmpg123 then
# takes the size of the file for a length, which is some frames too long, or too short where the rate varies.


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
