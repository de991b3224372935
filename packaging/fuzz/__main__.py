"""Fuzz the readers, each in a process of its own, and print what came of it: `python -m fuzz --help`.

The fuzzer looks for inputs that reach new lines of `core`. An input that crashes a reader or kills its
process, takes more than two seconds of the processor's time or too much memory is kept in
tests/data/fuzz/TARGET, where the tests find it from then on. With --keep the smallest inputs are kept of
those that reached something new. With --blind what was found is changed so many times more without a look
at what it reaches, which takes far less time for each.

`python -m fuzz meaning --help`: whether what spreadsheets and e-mail do to right files goes unnoticed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fuzz import meaning
from fuzz.blind import try_blindly
from fuzz.state import being_tried, fingerprint, state_file
from fuzz.targets import TARGETS, longest, seeds, takes_the_museum

_ROOT = Path(__file__).parents[2]
_KEPT = _ROOT / "tests" / "data" / "fuzz"
_SEEDS = _ROOT / "tests" / "data" / "intake"
_ENDLESS_SECONDS = (
    60  # of the wall clock; what takes long and ends is found by the processor's, see fuzzer.py
)
_LONGEST_KEPT = 16_384
_ENOUGH = 5  # crashes of one target, to be mended first
_MOST_MB = 1024  # of the whole process, with the libraries; see fuzzer.py for what one input may take
_WITHOUT_A_WORD = "it ended without a word"
_FAILED = re.compile(
    rf"==\d+== ?(?:ERROR|ALARM)|Uncaught Python exception|out-of-memory|timeout after|{_WITHOUT_A_WORD}"
)
_ENDED = re.compile(r"^Done \d+ runs|run interrupted", re.MULTILINE)


def main() -> int:
    """Fuzz the targets that were asked for, one after the other."""
    if sys.argv[1:2] == ["meaning"]:
        return meaning.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="which readers; all where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each of them (default: 60)")
    parser.add_argument("--inputs", type=int, default=-1, help="stop after so many")
    parser.add_argument("--keep", type=int, default=0, help="so many small inputs, for the tests")
    parser.add_argument("--blind", type=int, default=0, help="then so many without a look at the lines")
    parser.add_argument("--blind-seconds", type=int, default=86_400, help="but not longer for any target")
    given = parser.parse_args()
    wanted = given.targets or list(TARGETS)
    if unknown := [name for name in wanted if name not in TARGETS]:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(TARGETS)}")
    print(
        f"{'target':14}{'inputs':>12}{'per second':>12}{'crashes':>9}{'seconds':>9}"
        f"{'edges':>8}{'features':>10}"
    )
    outcomes = [_fuzz_in_process(name, given) for name in wanted]
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


def _fuzz_in_process(name: str, asked: argparse.Namespace) -> _Outcome:
    """Fuzz one target until the time is over; a crash ends its process, and the next one goes on."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as corpus:
        for seed, content in seeds(name).items():
            Path(corpus, seed).write_bytes(content)
        seen = _looking(name, Path(corpus), asked.seconds, asked.inputs)
        inputs, crashes = _blindly(name, Path(corpus), asked.blind, asked.blind_seconds)
        outcome = seen._replace(
            inputs=seen.inputs + inputs, crashes=seen.crashes + crashes, seconds=time.monotonic() - began
        )
        print(_line(name, *outcome), flush=True)
        if asked.keep:
            _keep(name, Path(corpus), asked.keep)
    return outcome


def _looking(name: str, corpus: Path, seconds: int, inputs: int) -> _Outcome:
    """Fuzz with a look at the lines that are reached; what reaches new ones comes into the corpus."""
    began, crashes, tried, edges, features = time.monotonic(), 0, 0, 0, 0
    while (left := int(seconds - (time.monotonic() - began))) > 0 and (inputs < 0 or tried < inputs):
        report = _one_process(name, corpus, left, inputs - tried if inputs > 0 else -1)
        counts = _numbers(r"^#(\d+)", report)
        tried += max(counts)
        edges, features = (
            max(edges, *_numbers(r"cov: (\d+)", report)),
            max(features, *_numbers(r"ft: (\d+)", report)),
        )
        if _FAILED.search(report):
            crashes += 1
            print(report[-3000:], file=sys.stderr)
            if crashes == _ENOUGH:
                break
        elif len(counts) == 1:
            raise SystemExit(f"the fuzzer did not start:\n{report[-3000:]}")
    return _Outcome(tried, crashes, 0.0, edges, features)


def _blindly(name: str, corpus: Path, inputs: int, seconds: int) -> tuple[int, int]:
    """Try so many changed inputs of the corpus more. Returns how many they were, and how many crashed."""
    began, tried, crashes = time.monotonic(), 0, 0
    folders = [corpus, *(folder for folder in (_KEPT / name, *_seed_folders(name)) if folder.is_dir())]
    while tried < inputs and crashes < _ENOUGH:
        left = int(seconds - (time.monotonic() - began))
        found = try_blindly(name, inputs - tried, left, folders, seed=tried + 1)
        tried += found.inputs
        if found.fatal is not None:
            crashes, tried = crashes + 1, tried + 1
            print(found.report[-3000:], file=sys.stderr)
            (_KEPT / name).mkdir(parents=True, exist_ok=True)
            Path(_KEPT / name / fingerprint(found.fatal)).write_bytes(found.fatal)
        else:
            print(name, *found.report.splitlines()[1:], file=sys.stderr)
            break
    return tried, crashes


def _numbers(pattern: str, report: str) -> list[int]:
    """What the fuzzer counted, beginning with 0."""
    return [0, *map(int, re.findall(pattern, report, re.MULTILINE))]


def _one_process(name: str, corpus: Path, seconds: int, inputs: int) -> str:
    kept = _KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    options = {
        "max_total_time": seconds,
        "runs": inputs,
        "artifact_prefix": f"{kept}/",
        "max_len": longest(name),
    }
    with state_file() as state:
        report = _fuzzer(name, state, options, [corpus, kept, *_seed_folders(name)])
        # The fuzzer keeps an input when it hears of a signal; of some ends it does not hear.
        if not (_FAILED.search(report) or _ENDED.search(report)):
            _, content = being_tried(state.read_bytes())
            Path(kept, fingerprint(content)).write_bytes(content)
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


def _fuzzer(name: str, state: Path, options: Mapping[str, object], folders: Sequence[Path]) -> str:
    """What the fuzzer said when it ran in a process of its own."""
    limits = {"timeout": _ENDLESS_SECONDS, "rss_limit_mb": _MOST_MB}
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from fuzz.fuzzer import fuzz; fuzz()", name, str(state)),
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
