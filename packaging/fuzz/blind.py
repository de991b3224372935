"""Changed inputs without a look at which lines they reach: many times as many in the same time.

    python -m fuzz.blind TARGET INPUTS SECONDS SEED STATE FOLDER...

tries changes of the files in the folders. STATE is a file that holds how many were tried, and the one that is
being tried: so it is known even of a process that was killed by what it read.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fuzz.state import IN_MEMORY, State, being_tried, state_file

if TYPE_CHECKING:
    from fuzz.forked import Children

_ROOT = Path(__file__).parents[2]
_ENDLESS_SECONDS = 60
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


class Attempt(NamedTuple):
    """How many inputs one process tried; what it said and the input that it died of, where it did."""

    inputs: int
    report: str
    fatal: bytes | None


def try_blindly(name: str, inputs: int, seconds: int, folders: Sequence[Path], *, seed: int = 1) -> Attempt:
    """Try so many changed inputs in a process of its own."""
    with state_file() as state:
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "fuzz.blind",
                    name,
                    str(inputs),
                    str(seconds),
                    str(seed),
                    str(state),
                ),
                *map(str, folders),
            ],
            cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": f"{_ROOT}{os.pathsep}{_ROOT / 'packaging'}"},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        content = state.read_bytes()
    tried, present = being_tried(content)
    report = f"status {done.returncode}\n{done.stdout}{done.stderr}"
    return Attempt(tried, report, present if done.returncode else None)


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


def try_all(
    name: str, known: Sequence[bytes], inputs: int, seconds: int, rng: random.Random, state: State
) -> None:
    """Try so many changes of what is known. Raises what the target raises."""
    from fuzz.fuzzer import timed
    from fuzz.targets import MUTATORS, TARGETS, longest, survive

    def otherwise(content: bytes, most: int) -> bytes:
        return changed(content, known, most, rng)

    target, mutate, most = TARGETS[name], MUTATORS.get(name), longest(name)
    until = time.monotonic() + seconds
    try:
        for _ in range(inputs):
            if time.monotonic() > until:
                break
            content = rng.choice(known)
            if mutate:
                content = mutate(content, most, rng.getrandbits(32), otherwise)
            else:
                content = otherwise(content, most)
            state.begin(content)
            signal.alarm(_ENDLESS_SECONDS)
            timed(survive, target, content)
            state.end()
    finally:
        signal.alarm(0)


def _is_light(target: Callable[[bytes], None], content: bytes, children: Children) -> bool:
    """Whether no program is busy with it as long as it may: with its changes it mostly would be, too."""
    from fuzz.forked import BUSY
    from fuzz.targets import survive

    before = children.counts[BUSY]
    with suppress(Exception):  # what fails is kept already
        survive(target, content)
    return children.counts[BUSY] == before


def main() -> None:
    """Try them. Ends with what the target raised; by a signal where it hangs or takes the process along."""
    from fuzz.forked import forked
    from fuzz.targets import APART, TARGETS

    name, inputs, seconds, seed, state_path, *folders = sys.argv[1:]
    warnings.simplefilter("error")
    if IN_MEMORY.is_dir():
        tempfile.tempdir = str(IN_MEMORY)
    known = [path.read_bytes() for folder in folders for path in Path(folder).iterdir() if path.is_file()]
    rng = random.Random(int(seed))  # noqa: S311 - to be repeated, not to be secret
    with State(Path(state_path)) as state, forked() as children:
        if name in APART:
            known = [content for content in known if _is_light(TARGETS[name], content, children)]
        try_all(name, known, int(inputs), int(seconds), rng, state)
    if children.counts:
        print("programs apart:", *(f"{count:,} {what}" for what, count in children.counts.items()), sep="  ")


if __name__ == "__main__":
    main()
