"""Changed inputs without a look at which lines they reach: many times as many in the same time.

    python -m tests.fuzz.blind TARGET INPUTS SECONDS SEED STATE FOLDER...

tries changes of the files in the folders. STATE is a file that holds how many were tried, and the one that is
being tried: so it is known even of a process that was killed by what it read.
"""

from __future__ import annotations

import hashlib
import mmap
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parents[2]
_ENDLESS_SECONDS = 60
_HEAD = struct.Struct("<QQ")  # inputs tried, bytes of the present one
_IN_MEMORY = "/dev/shm"  # noqa: S108 - see fuzzer.py
_ODD = tuple(
    text.encode("utf-8", "surrogateescape")
    for text in (
        *(
            "1e400",
            "-1e400",
            "0x1p3",
            "١٢٣",
            "1_000",
            "NaN",
            "NaN(1)",
            "-inf",
            "1,5",
            "9" * 400,
            "-0",
            "5e-324",
        ),
        *("\0", "\ufeff", "\u202e", "\u2028", "\x85", "\x1f", "\x1a", "\udced\udca0\udc80", "\udcff\udcfe"),
        *(
            "\r\n",
            "\r",
            "\n\n",
            "\t",
            ";",
            ",",
            "|",
            '"',
            "'",
            "\\",
            "#",
            "=",
            "..",
            "/",
            "<b>",
            "{0}",
            "%1",
            "&",
        ),
        *("target", "nontarget", "tgt", "imp", "spoof", "True", "0", "1", "[", "]", "{", "}", "-"),
    )
)


class Tried(NamedTuple):
    """How many inputs one process tried; what it said and the input that it died of, where it did."""

    inputs: int
    report: str
    fatal: bytes | None


def try_blindly(name: str, inputs: int, seconds: int, folders: Sequence[Path], *, seed: int = 1) -> Tried:
    """Try so many changed inputs in a process of its own."""
    with tempfile.NamedTemporaryFile(dir=_IN_MEMORY if Path(_IN_MEMORY).is_dir() else None) as state:
        state.truncate(_HEAD.size + (1 << 20))
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "tests.fuzz.blind",
                    name,
                    str(inputs),
                    str(seconds),
                    str(seed),
                    state.name,
                ),
                *map(str, folders),
            ],
            cwd=_ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        content = Path(state.name).read_bytes()
    tried, present = being_tried(content)
    report = f"status {done.returncode}\n{done.stdout}{done.stderr}"
    return Tried(tried, report, present if done.returncode else None)


def being_tried(state: bytes) -> tuple[int, bytes]:
    """How many inputs were tried, and the one that was being tried, of the content of STATE."""
    tried, size = _HEAD.unpack_from(state)
    return tried, state[_HEAD.size :][:size]


def changed(content: bytes, others: Sequence[bytes], most: int, rng: random.Random) -> bytes:
    """A few places of an input changed, at random."""
    made = bytearray(content[:most])
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        at, length = rng.randrange(len(made) + 1), rng.choice((1, 1, 2, 4, 16, 64))
        act = rng.randrange(7)
        if act == 0:
            made[at : at + 1] = bytes([rng.randrange(256)])
        elif act == 1:
            made[at : at + 1] = bytes(byte ^ (1 << rng.randrange(8)) for byte in made[at : at + 1])
        elif act == 2:
            del made[at : at + length]
        elif act == 3:
            made[at:at] = made[at : at + length] * rng.choice((1, 1, 2, 9))
        elif act in (4, 5):
            made[at : at + rng.choice((0, 0, 1, 3, 8))] = rng.choice(_ODD)
        else:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            made[at : at + rng.choice((0, length))] = other[start : start + rng.choice((length, most))]
    return bytes(made[:most])


def main() -> None:
    """Try them. Ends with what the target raised; by a signal where it hangs or takes the process along."""
    from tests.fuzz.fuzzer import timed
    from tests.fuzz.targets import MUTATORS, TARGETS, longest, survive

    name, inputs, seconds, seed, state, *folders = sys.argv[1:]
    warnings.simplefilter("error")
    if Path(_IN_MEMORY).is_dir():
        tempfile.tempdir = _IN_MEMORY
    known = [path.read_bytes() for folder in folders for path in Path(folder).iterdir() if path.is_file()]
    most, rng, until = longest(name), random.Random(int(seed)), time.monotonic() + int(seconds)  # noqa: S311
    with Path(state).open("r+b") as file, mmap.mmap(file.fileno(), 0) as shared:
        for number in range(int(inputs)):
            if time.monotonic() > until:
                break
            content = rng.choice(known)
            if mutate := MUTATORS.get(name):
                content = mutate(
                    content, most, rng.getrandbits(32), lambda one, most: changed(one, known, most, rng)
                )
            else:
                content = changed(content, known, most, rng)
            _HEAD.pack_into(shared, 0, number, len(content))
            shared[_HEAD.size : _HEAD.size + len(content)] = content
            signal.alarm(_ENDLESS_SECONDS)
            timed(survive, TARGETS[name], content)
            _HEAD.pack_into(shared, 0, number + 1, 0)
    signal.alarm(0)


def fingerprint(content: bytes) -> str:
    """The name under which an input is kept."""
    return f"crash-{hashlib.sha1(content, usedforsecurity=False).hexdigest()}"


if __name__ == "__main__":
    main()
