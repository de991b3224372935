"""Fuzz the readers, each in a process of its own, and print what came of it: `python -m tests.fuzz --help`.

The fuzzer looks for inputs that reach new lines of `core`. An input that crashes a reader, takes longer than
two seconds or too much memory is kept in tests/data/fuzz/TARGET, where the tests find it from then on.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_KEPT = _ROOT / "tests" / "data" / "fuzz"
_SEEDS = _ROOT / "tests" / "data" / "intake"
_LONGEST_INPUT = 1 << 16
_HANG_SECONDS = 2
_MOST_MB = 10 * (_LONGEST_INPUT >> 20) + 1024  # ten times the input, and the libraries
_FAILED = re.compile(r"==\d+== ?(?:ERROR|ALARM)|Uncaught Python exception|out-of-memory|timeout after")


def main() -> int:
    """Fuzz the targets that were asked for, one after the other."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="which readers; all where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each of them (default: 60)")
    parser.add_argument("--inputs", type=int, default=-1, help="stop after so many")
    given = parser.parse_args()
    from tests.fuzz.targets import TARGETS

    wanted = given.targets or list(TARGETS)
    if unknown := [name for name in wanted if name not in TARGETS]:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(TARGETS)}")
    print(f"{'reader':14}{'inputs':>12}{'per second':>12}{'crashes':>9}{'seconds':>9}{'branches':>10}")
    return max(_fuzz_in_process(name, given.seconds, given.inputs) for name in wanted)


def _fuzz_in_process(name: str, seconds: int, inputs: int) -> int:
    """Fuzz one target until the time is over; a crash ends its process, and the next one goes on."""
    began, crashes, tried, branches = time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory() as corpus:
        while (left := int(seconds - (time.monotonic() - began))) > 0 and (inputs < 0 or tried < inputs):
            report = _one_process(name, Path(corpus), left, inputs - tried if inputs > 0 else -1)
            counts = [int(count) for count in re.findall(r"^#(\d+)", report, re.MULTILINE)]
            tried += max(counts, default=0)
            branches = max([branches, *(int(n) for n in re.findall(r"cov: (\d+)", report))])
            if _FAILED.search(report):
                crashes += 1
                print(report[-3000:], file=sys.stderr)
                if crashes == 5:  # that is enough to mend first
                    break
            elif not counts:
                raise SystemExit(f"the fuzzer did not start:\n{report[-3000:]}")
    took = time.monotonic() - began
    print(f"{name:14}{tried:12,}{tried / took:12,.0f}{crashes:9}{took:9.0f}{branches:10,}", flush=True)
    return 1 if crashes else 0


def _one_process(name: str, corpus: Path, seconds: int, inputs: int) -> str:
    kept = _KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    options = {
        "max_total_time": seconds,
        "runs": inputs,
        "timeout": _HANG_SECONDS,
        "rss_limit_mb": _MOST_MB,
        "max_len": _LONGEST_INPUT,
        "artifact_prefix": f"{kept}/",
    }
    seeds = [str(kept), str(_SEEDS), str(_SEEDS / "broken")]
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from tests.fuzz.fuzzer import fuzz; fuzz()", name),
            *(f"-{option}={value}" for option, value in options.items()),
            *(str(corpus), *seeds),
        ],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if not any(kept.iterdir()):
        kept.rmdir()
    return done.stderr + done.stdout


if __name__ == "__main__":
    sys.exit(main())
