"""One table: what whole programs take from files to figures, each as a ratio to a floor measured beside it.

The floor is `pandas.read_csv` of both files, one sort and one isotonic regression (see whole.py), itself a
whole program. With arguments, sizes in trials; by default 12 000 and 1 000 000. The largest that anybody
brings (`python tests/benchmarks/bench_whole.py 14000000`) needs 3 GB of disk and some minutes. Fails where a
row of a million and more is above its bound, or where cost grows faster than size.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parents[2]
SIZES = (12_000, 1_000_000)
DECADES = (1_400, 14_000, 140_000, 1_400_000)
"""And 14 000 000 where the largest is asked for."""
MOST_ASSESS, MOST_SIMILARITY, MOST_EXPONENT = 2.0, 2.5, 1.1
MOST_HELD, MOST_PEAK = 32, 150  # bytes for each trial
BINDING = 100_000  # smaller sets are nearly all start-up
BASE = 200 << 20  # bytes that any program with pandas and SciPy takes, whatever the data


class Run(NamedTuple):
    """One program, once: seconds by the clock, bytes at its peak, and what it printed."""

    seconds: float
    peak: int
    told: str


def run(*arguments: str | Path) -> Run:
    """Run one of the programs."""
    command = [sys.executable, "-m", "tests.benchmarks.whole", *map(str, arguments)]
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        told = program.stdout.read()
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{command} failed")
    return Run(time.perf_counter() - start, usage.ru_maxrss << 10, told)


def both(n: int, ours: list[str | Path], floor: list[str | Path]) -> tuple[Run, Run]:
    """Ours and the floor in turn, so that a busy moment meets both; the medians."""
    repeats = 5 if n < BINDING else 3 if n < 5_000_000 else 1
    pairs = [(run(*ours), run(*floor)) for _ in range(repeats)]
    return tuple(  # type: ignore[return-value]
        Run(median(one.seconds for one in of), int(median(one.peak for one in of)), of[0].told)
        for of in zip(*pairs, strict=True)
    )


def write_trials(folder: Path, n: int) -> tuple[Path, Path]:
    """Scores with six decimals and their key, enrolment by enrolment, segments of the speakers in turn."""
    enrolments = max(20, round(math.sqrt(n / 8)))
    tests = n // enrolments
    rng = np.random.default_rng(n)
    names = [f"{1000 + k % enrolments}-{170000 + k // 7}-{k:05d}" for k in range(tests)]
    scores, key = folder / f"scores-{n}", folder / f"key-{n}"
    with scores.open("w") as score_file, key.open("w") as key_file:
        for enrolment in range(enrolments):
            is_target = [k % enrolments == enrolment for k in range(tests)]
            noise = rng.normal(size=tests) + 2.0 * np.array(is_target)
            rows = zip(names, noise.tolist(), strict=True)
            score_file.writelines(f"{1000 + enrolment} {name} {score:.6f}\n" for name, score in rows)
            words = zip(names, is_target, strict=True)
            key_file.writelines(
                f"{1000 + enrolment} {name} {'target' if one else 'nontarget'}\n" for name, one in words
            )
    return scores, key


def write_settings(folder: Path, n: int) -> tuple[Path, list[Path]]:
    """utt2spk, and three files of about n unordered pairs of segments of 100 speakers."""
    segments = round(math.sqrt(2 * n))
    names = [f"p{k % 100:03d}_{k:05d}" for k in range(segments)]
    utt2spk = folder / f"utt2spk-{n}"
    utt2spk.write_text("".join(f"{name} {name[:4]}\n" for name in names))
    paths = [folder / f"{setting}-{n}" for setting in ("oo", "op", "pp")]
    for path in paths:
        rng = np.random.default_rng(len(path.name))
        with path.open("w") as file:
            for k, name in enumerate(names):
                others = range(k if path.name.startswith("op") else k + 1, segments)
                noise = rng.normal(size=len(others)).tolist()
                rows = zip(others, noise, strict=True)
                file.writelines(
                    f"{name} {names[j]} {score + 3.0 * (j % 100 == k % 100):.6f}\n" for j, score in rows
                )
    return utt2spk, paths


def row(name: str, ours: Run, floor: Run, most: float | None) -> bool:
    """Print a row; whether it keeps within its bound."""
    ratio = ours.seconds / floor.seconds
    bound = f"{most:5.1f}" if most else "    –"
    print(
        f"{name:<44} {ours.seconds:8.2f} {floor.seconds:8.2f} {ratio:6.2f} {bound} "
        f"{ours.peak / 2**20:8.0f} {floor.peak / 2**20:8.0f}",
        flush=True,
    )
    return most is None or ratio <= most


def bench_assess(folder: Path, n: int) -> Iterator[bool]:
    """From two files to an assessment."""
    scores, key = write_trials(folder, n)
    ours, floor = both(n, ["assess", scores, key], ["floor", scores, key])
    yield row(f"read, match, assess {n:,}", ours, floor, MOST_ASSESS if n >= BINDING else None)
    if n >= BINDING:
        held, peak = float(ours.told), (ours.peak - BASE) / n
        print(f"    bytes for each trial: {held:.0f} held (at most {MOST_HELD}), ", end="")
        print(f"{peak:.0f} at the peak (at most {MOST_PEAK})")
        yield held <= MOST_HELD and peak <= MOST_PEAK
    scores.unlink()
    key.unlink()


def bench_similarity(folder: Path, n: int) -> bool:
    """From three files and utt2spk to matrices."""
    utt2spk, paths = write_settings(folder, n)
    pairs = [part for path in paths for part in (path, utt2spk)]
    ours, floor = both(n, ["similarity", utt2spk, *paths], ["floor", *pairs])
    good = row(f"three settings of {n:,} pairs", ours, floor, MOST_SIMILARITY)
    for path in paths:
        path.unlink()
    return good


def bench_growth(folder: Path, sizes: list[int]) -> bool:
    """Seconds against size, without what starting takes: the slope on logarithmic axes."""
    files = [path for n in sizes for path in write_trials(folder, n)]
    taken = [float(line) for line in run("growth", *files).told.split()]
    slope = float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
    print(f"cost against size, {sizes[0]:,} … {sizes[-1]:,}: exponent {slope:.2f} ", end="")
    print(f"(at most {MOST_EXPONENT})")
    return slope <= MOST_EXPONENT


def main(sizes: list[int]) -> int:
    """The rows of these sizes."""
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{'':<44} {'ours, s':>8} {'floor':>8} {'ratio':>6} {'bound':>5} {'MiB':>8} {'floor':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good = [one for n in sizes or SIZES for one in bench_assess(folder, n)]
        good.append(bench_similarity(folder, 14_000_000 if max(sizes, default=0) > 10_000_000 else 270_000))
        decades = [*DECADES, *(n for n in sizes if n > 10_000_000)]
        good.append(bench_growth(folder, decades))
    print(f"load of the machine {os.getloadavg()[0]:.1f}")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]]))
