"""Fuzz the readers, each in a process of its own, and print what came of it: `python -m tests.fuzz --help`.

The fuzzer looks for inputs that reach new lines of `core`. An input that crashes a reader or kills its
process, takes more than two seconds of the processor's time or too much memory is kept in
tests/data/fuzz/TARGET, where the tests find it from then on. With --keep the smallest inputs are kept of
those that reached something new.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.targets import TARGETS, seeds, takes_the_museum

_ROOT = Path(__file__).parents[2]
_KEPT = _ROOT / "tests" / "data" / "fuzz"
_SEEDS = _ROOT / "tests" / "data" / "intake"
_LONGEST_INPUT = 1 << 16
_ENDLESS_SECONDS = (
    60  # of the wall clock; what takes long and ends is found by the processor's, see fuzzer.py
)
_LONGEST_KEPT = 16_384
_MOST_MB = 10 * (_LONGEST_INPUT >> 20) + 1024  # ten times the input, and the libraries
_WITHOUT_A_WORD = "it ended without a word"
_FAILED = re.compile(
    rf"==\d+== ?(?:ERROR|ALARM)|Uncaught Python exception|out-of-memory|timeout after|{_WITHOUT_A_WORD}"
)
_ENDED = re.compile(r"^Done \d+ runs|run interrupted", re.MULTILINE)


def main() -> int:
    """Fuzz the targets that were asked for, one after the other."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="which readers; all where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each of them (default: 60)")
    parser.add_argument("--inputs", type=int, default=-1, help="stop after so many")
    parser.add_argument("--keep", type=int, default=0, help="so many small inputs, for the tests")
    given = parser.parse_args()
    wanted = given.targets or list(TARGETS)
    if unknown := [name for name in wanted if name not in TARGETS]:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(TARGETS)}")
    print(
        f"{'target':14}{'inputs':>12}{'per second':>12}{'crashes':>9}{'seconds':>9}"
        f"{'edges':>8}{'features':>10}"
    )
    outcomes = [_fuzz_in_process(name, given.seconds, given.inputs, given.keep) for name in wanted]
    if len(outcomes) > 1:
        inputs, crashes, took, *_ = (sum(column) for column in zip(*outcomes, strict=True))
        print(f"{'all':14}{inputs:12,}{inputs / took:12,.0f}{crashes:9}{took:9.0f}")
    return int(any(outcome.crashes for outcome in outcomes))


class _Outcome(NamedTuple):
    """What came of a target. Edges and features are the fuzzer's: how much of `core` was reached."""

    inputs: int
    crashes: int
    seconds: float
    edges: int
    features: int


def _line(name: str, inputs: int, crashes: int, seconds: float, edges: int, features: int) -> str:
    speed = inputs / max(1e-9, seconds)
    return f"{name:14}{inputs:12,}{speed:12,.0f}{crashes:9}{seconds:9.0f}{edges:8,}{features:10,}"


def _fuzz_in_process(name: str, seconds: int, inputs: int, keep: int) -> _Outcome:
    """Fuzz one target until the time is over; a crash ends its process, and the next one goes on."""
    began, crashes, tried, edges, features = time.monotonic(), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as corpus:
        for seed, content in seeds(name).items():
            Path(corpus, seed).write_bytes(content)
        while (left := int(seconds - (time.monotonic() - began))) > 0 and (inputs < 0 or tried < inputs):
            report = _one_process(name, Path(corpus), left, inputs - tried if inputs > 0 else -1)
            counts = _numbers(r"^#(\d+)", report)
            tried += max(counts)
            edges, features = (
                max(edges, *_numbers(r"cov: (\d+)", report)),
                max(features, *_numbers(r"ft: (\d+)", report)),
            )
            if _FAILED.search(report):
                crashes += 1
                print(report[-3000:], file=sys.stderr)
                if crashes == 5:  # that is enough to mend first
                    break
            elif len(counts) == 1:
                raise SystemExit(f"the fuzzer did not start:\n{report[-3000:]}")
        outcome = _Outcome(tried, crashes, time.monotonic() - began, edges, features)
        print(_line(name, *outcome), flush=True)
        if keep:
            _keep(name, Path(corpus), keep)
    return outcome


def _numbers(pattern: str, report: str) -> list[int]:
    """What the fuzzer counted, beginning with 0."""
    return [0, *map(int, re.findall(pattern, report, re.MULTILINE))]


def _one_process(name: str, corpus: Path, seconds: int, inputs: int) -> str:
    kept = _KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    options = {"max_total_time": seconds, "runs": inputs, "artifact_prefix": f"{kept}/"}
    with tempfile.TemporaryDirectory() as folder:
        tried = Path(folder, "tried")
        report = _fuzzer(name, tried, options, [corpus, kept, *_seed_folders(name)])
        # The fuzzer keeps an input when it hears of a signal; of some ends it does not hear.
        if tried.exists() and not (_FAILED.search(report) or _ENDED.search(report)):
            content = tried.read_bytes()
            Path(kept, f"died-{sha1(content, usedforsecurity=False).hexdigest()}").write_bytes(content)
            report += f"\n{_WITHOUT_A_WORD}"
    if not any(kept.iterdir()):
        kept.rmdir()
    return report


def _seed_folders(name: str) -> list[Path]:
    return [_SEEDS, _SEEDS / "broken"] if takes_the_museum(name) else []


def _keep(name: str, corpus: Path, most: int) -> None:
    """Of the inputs that each reached something new the smallest, so many; crashes that are kept stay."""
    good = {*seeds(name).values()}
    found = {path.name: path.read_bytes() for path in corpus.iterdir()}
    fitting = [one for one in found.items() if one[1] not in good and len(one[1]) <= _LONGEST_KEPT]
    for kept, content in sorted(fitting, key=lambda one: (len(one[1]), one[0]))[:most]:
        (_KEPT / name).mkdir(parents=True, exist_ok=True)
        Path(_KEPT / name / kept).write_bytes(content)


def _fuzzer(name: str, tried: Path, options: Mapping[str, object], folders: Sequence[Path]) -> str:
    """What the fuzzer said when it ran in a process of its own."""
    limits = {"timeout": _ENDLESS_SECONDS, "rss_limit_mb": _MOST_MB, "max_len": _LONGEST_INPUT}
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from tests.fuzz.fuzzer import fuzz; fuzz()", name, str(tried)),
            *(f"-{option}={value}" for option, value in {**limits, **options}.items()),
            *map(str, folders),
        ],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stderr + done.stdout


if __name__ == "__main__":
    sys.exit(main())
