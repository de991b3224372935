"""More trials than memory holds: 100 000 000, read piece by piece, and what 1 000 000 000 would take.

    python packaging/benchmarks/bench_beyond.py [trials]

Writes scores and key to a folder that is gone afterwards (66 bytes for each trial, and 34 more while they are
matched), assesses them, and a tenth of them, each in a program of its own. Time and room on disk are
projected along the line through both. Then come scores that nearly all differ, which are rounded to bins,
and ten times the trials, delivered as counts in Parquet. Seconds of a processor say more than those of the
clock where others use the machine.
"""

import math
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from benchmarks.making import write_trials
from benchmarks.measuring import Run, run

N = 100_000_000
_DISTINCT = 10_000_000  # of the counts
_WIDE = 1e3  # spreads scores so far that their six decimals hardly ever agree


class Room:
    """The most bytes that lie in a folder while something runs."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ended, self.most = folder, threading.Event(), 0
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Room":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            self.most = max(self.most, sum(map(_size, self._folder.rglob("*"))))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # gone in the meantime
        return 0


def told(name: str, trials: int, found: Run, room: int = 0) -> None:
    """One line of what was measured."""
    width, distinct, assessed = found.told.split()
    assert int(assessed) == trials, found.told
    bins = f"bins of 2^{math.log2(float(width)):.0f}" if float(width) else "exact"
    print(
        f"{name:<28} {trials:>14,} {found.seconds:7.0f} s ({found.cpu:.0f} s of a processor) "
        f"{found.peak / 2**20:6.0f} MiB "
        f"{room / 1e9:6.1f} GB on disk  {int(distinct):>11,} scores, {bins}",
        flush=True,
    )


def bench_lists(folder: Path, n: int, spread: float = 1.0) -> tuple[Run, int, int]:
    """Scores and key as text; the run, the most room for matching, and how many trials there are."""
    scores, key = write_trials(folder, n, spread)
    matching = folder / "matching"
    matching.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(matching)
    with Room(matching) as room:
        found = run("streamed", scores, key)
    lying = scores.stat().st_size + key.stat().st_size
    for path in (scores, key):
        path.unlink()
    trials = int(found.told.split()[2])
    told(
        "scores and key" if spread == 1.0 else "scores that differ, and key", trials, found, lying + room.most
    )
    return found, lying + room.most, trials


def bench_counts(folder: Path, n: int) -> None:
    """So many trials as counts of ten million scores, as a cluster may deliver them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(5)
    each = n // _DISTINCT
    targets = rng.integers(0, max(2, each // 10), _DISTINCT)
    columns = {"score": rng.permutation(_DISTINCT) / 1e6, "targets": targets, "nontargets": each - targets}
    path = folder / "counts.parquet"
    pq.write_table(pa.table(columns), path)
    told("counts in Parquet", each * _DISTINCT, run("streamed", path), path.stat().st_size)


def main(n: int) -> int:
    """All of it, and the projection."""
    start = time.perf_counter()
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        less, _, few = bench_lists(folder, n // 10)
        more, room, many = bench_lists(folder, n)
        slope = math.log(more.cpu / less.cpu) / math.log(many / few)
        growth = 10 ** max(1.0, slope)
        print(
            f"work grows with the power {slope:.2f} of the size; {10 * many:,} trials would take about "
            f"{more.seconds * growth / 60:.0f} minutes like this, {more.cpu * growth / 60:.0f} of a processor"
            f", and {10 * room / 1e9:.0f} GB on disk"
        )
        bench_lists(folder, n // 4, _WIDE)
        bench_counts(folder, 10 * n)
    print(f"{(time.perf_counter() - start) / 60:.0f} minutes in all, load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else N))
