"""One process of the fuzzer, which instruments `core` to see which inputs reach new lines."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

HANG_SECONDS = 2.0
"""Of the processor's time: on a machine that is busy the wall clock says nothing of the program."""


MOST_BYTES = 256 << 20
"""What one input may cost beyond ten times its size: what is packed may unpack to 64 MB, and is copied."""


def fuzz() -> None:
    """Fuzz the target that the first argument names; does not return.

    The second argument names a file for the input that is tried: who is killed cannot keep it himself. The
    others are the fuzzer's.
    """
    import atheris

    with atheris.instrument_imports(include=["zebra_core"]):
        from fuzz.forked import forked
        from fuzz.state import IN_MEMORY, State
        from fuzz.targets import MUTATORS, TARGETS, seeds, survive

    warnings.simplefilter("error")
    if IN_MEMORY.is_dir():
        tempfile.tempdir = str(IN_MEMORY)
    name, state = sys.argv.pop(1), State(Path(sys.argv.pop(1)))
    target = TARGETS[name]
    seeds(name)  # what is made once must not count as the time of the first input

    def mutate(content: bytes, most: int, seed: int) -> bytes:
        return MUTATORS[name](content, most, seed, atheris.Mutate)

    def run(content: bytes) -> None:
        state.begin(content)
        timed(survive, target, content)
        state.end()

    options = {"custom_mutator": mutate} if name in MUTATORS else {}
    atheris.Setup(sys.argv, run, **options)
    with forked():
        atheris.Fuzz()


def timed(survive: Callable[..., None], target: Callable[[bytes], None], content: bytes) -> None:
    """Run the target on one input, which must take neither long nor much memory."""
    began, peak_before = time.process_time(), _peak_bytes()
    survive(target, content)
    took, grown = time.process_time() - began, _peak_bytes() - peak_before
    if grown > 10 * len(content) + MOST_BYTES:
        raise MemoryError(f"{grown >> 20} MB for {len(content)} bytes")
    if took > HANG_SECONDS:
        raise TimeoutError(f"{took:.1f} s of the processor's time")


def _peak_bytes() -> int:
    """The most memory that this process ever held; Linux counts in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
