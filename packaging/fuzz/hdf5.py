"""Fuzzed, too: HDF5, where everything stands at its place, and a file whose bytes have moved is no file."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

_MUSEUM = Path(__file__).parents[2] / "tests" / "data" / "intake"
_HEAP = b"GCOL"
_NOWHERE = b"\xff" * 8  # as an address
_ODD = tuple(
    number.to_bytes(size, "little")
    for size in (1, 2, 4, 8)
    for number in (
        0,
        1,
        2,
        3,
        4,
        8,
        16,
        24,
        127,
        128,
        255,
        256,
        65535,
        1 << 24,
        (1 << 31) - 1,
        1 << 31,
        1 << 40,
    )
    if number < 1 << 8 * size
)
_WORD = 8  # addresses and lengths have so many bytes, and mostly stand at multiples of it


def mutated(content: bytes, most: int, seed: int, otherwise: Callable[[bytes, int], bytes]) -> bytes:
    """A few bytes changed at their places; one time in twelve as the fuzzer likes it."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    if rng.random() < 1 / 12 or len(content) < 2 * _WORD:
        return otherwise(content, most)
    made = bytearray(content[:most])
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = _place(made, rng)
        struck = _struck(made, at, rng)
        made[at : at + len(struck)] = struck[: len(made) - at]
    if rng.random() < 0.97:
        _step_on(made)
    return bytes(made[:most])


def good() -> Iterator[bytes]:
    """Good files; the first is a file of scores as BOSARIS writes it."""
    for path in sorted(_MUSEUM.glob("*.h5"), key=lambda path: (path.name != "bosaris-scores.h5", path)):
        yield path.read_bytes()
    yield from _odd_files()


def _place(content: bytearray, rng: random.Random) -> int:
    """Where something stands, or shortly behind it: most bytes of a small file are none of its structure."""
    for _ in range(20):
        at = rng.randrange(len(content))
        if content[at]:
            break
    return min(len(content) - 1, at + rng.choice((0, 0, 0, 1, 2, 4, 8)))


def _struck(content: bytearray, at: int, rng: random.Random) -> bytes:
    """What to write over the bytes there."""
    act = rng.randrange(6)
    if act == 0:
        return bytes([content[at] ^ 1 << rng.randrange(8)])
    if act == 1:
        return bytes([(content[at] + rng.choice((-1, 1, -8, 8))) % 256])
    if act == 2:
        return rng.choice((rng.randbytes(1), rng.randbytes(2), rng.randbytes(4), _NOWHERE))
    if act == 3:  # an address or a length of something else
        other = rng.randrange(len(content) // _WORD) * _WORD
        return bytes(content[other : other + rng.choice((_WORD, _WORD, 2 * _WORD, 5 * _WORD))])
    return rng.choice(_ODD)


def _step_on(content: bytearray) -> None:
    """Let no heap of texts hold a gap of no length, at which the library stays for ever.

    It is read in steps of what each piece needs. That one loop would take most of the time there is.
    """
    start = content.find(_HEAP)
    while start >= 0:
        end, at = min(len(content), start + _whole(content, start + _WORD)), start + 2 * _WORD
        while at + 2 * _WORD <= end:
            size = _whole(content, at + _WORD)
            step = (2 * _WORD + -(-size // _WORD) * _WORD) % (1 << 64) if any(content[at : at + 2]) else size
            if not step:
                content[at + _WORD : at + 2 * _WORD] = (end - at).to_bytes(_WORD, "little")
                break
            at += step
        start = content.find(_HEAP, start + 1)


def _whole(content: bytearray, at: int) -> int:
    return int.from_bytes(content[at : at + _WORD], "little")


@cache
def _odd_files() -> tuple[bytes, ...]:
    """Other ways to store the same: pieces, filters, kinds of numbers and texts, links."""
    import h5py
    import numpy as np

    ids, score = [b"a", b"bc"], np.arange(4.0).reshape(2, 2)
    texts = {"data": ["a", "b\N{GREEK SMALL LETTER BETA}"], "dtype": h5py.string_dtype()}
    names: dict[str, Any] = {"enroll_ids": ids, "test_ids": texts}
    filters = {"chunks": (1, 2), "compression": "gzip", "shuffle": True, "fletcher32": True}
    kinds = (score.astype(">f4"), score.astype("f2"), score.astype("i1"), score > 1, score.astype("u8"))
    enum = h5py.enum_dtype({"no": 0, "yes": 1}, basetype="i1")
    masks = {"mask": {"data": score > 1, "dtype": enum}}
    return (
        _written(**names, scores=score, mask=score > 0),
        _written(**names, scores={"data": score, **filters}),
        _written(**names, scores={"data": score.astype("i4"), "chunks": (2, 2), "scaleoffset": 3}),
        _written(**names, scores={"data": score, "compression": "lzf", "maxshape": (None, None)}),
        *(_written(**names, scores=values) for values in kinds),
        _written(**names, **masks),
        _written(**names, scores={"shape": (2, 2), "dtype": "f8", "fillvalue": 0.5}),
        _written(**names, scores={"data": score.astype([("a", "f8")])}),
        _written("latest", **names, scores=score),
        _written("latest", **names, scores={"data": score, **filters, "maxshape": (None, 2)}),
        _written("v110", **names, scores={"data": score, "chunks": (1, 1), "maxshape": (None, None)}),
    )


def _written(version: str = "earliest", **sets: Any) -> bytes:
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w", libver=(version, "latest")) as file:
        for name, value in sets.items():
            file.create_dataset(name, **(value if isinstance(value, dict) else {"data": value}))
        file["soft"] = h5py.SoftLink("/scores")
        file["far"] = h5py.ExternalLink("other.h5", "/scores")
        file.create_group("group").attrs["about"] = 1
    return stream.getvalue()
