"""Whole programs measured beside their floor, and the table that says how they did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("kept.json")
"""The ratio of every row when it was last kept, by its name below the row that it belongs to."""
DRIFT = 0.15  # of a ratio: less is the machine
_WIDTHS = (48, 8, 8, 7, 7, 15, 7, 8, 7, 6, 9)
HEAD = ("", "ours, s", "floor, s", "ratio", "target", "", "kept", "since", "(clock)", "MiB", "floor MiB")


@dataclass(frozen=True)
class Run:
    """One program, once: seconds by the clock and of processors, bytes at its peak, and what it printed."""

    seconds: float
    peak: int = 0
    told: str = ""
    cpu: float = 0.0


def run(*arguments: str | Path) -> Run:
    """Run one of the programs of whole.py."""
    command = [sys.executable, "-m", "benchmarks.whole", *map(str, arguments)]
    start = time.perf_counter()
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'packaging'}"}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        told = program.stdout.read()
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{command} failed")
    seconds = time.perf_counter() - start
    return Run(seconds, usage.ru_maxrss << 10, told, usage.ru_utime + usage.ru_stime)


def in_turn(ours: Sequence[str | Path], floor: Sequence[str | Path], repeats: int) -> tuple[Run, Run]:
    """Ours and the floor in turn, so that a busy moment meets both; the medians."""
    return medians([(run(*ours), run(*floor)) for _ in range(repeats)])


def medians(pairs: Sequence[tuple[Run, Run]]) -> tuple[Run, Run]:
    """The median of ours and that of the floor."""
    ours, floor = zip(*pairs, strict=True)
    return _median(ours), _median(floor)


def _median(runs: Sequence[Run]) -> Run:
    return Run(
        median(one.seconds for one in runs),
        int(median(one.peak for one in runs)),
        runs[0].told,
        median(one.cpu for one in runs),
    )


class Table:
    """Rows that are printed as they are measured, beside what was kept; knows whether targets were met."""

    def __init__(self) -> None:
        self.is_met = True
        self._kept: dict[str, float] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        self._found: dict[str, float] = {}
        self._above = ""
        print_row(*HEAD)

    def keep(self) -> None:
        """Keep the rows of this run, beside those that were not measured."""
        KEPT.write_text(json.dumps(self._kept | self._found, indent=1) + "\n", encoding="utf-8")

    def compare(self, name: str, pair: tuple[Run, Run], target: float | None) -> None:
        """A row with a ratio of seconds of processors, or else of the clock; and the peaks of both."""
        ours, floor = pair
        peaks = [f"{one.peak / 2**20:.0f}" if one.peak else "" for one in (ours, floor)]
        by_clock = ours.seconds / floor.seconds
        ratio, clock = (ours.cpu / floor.cpu, f"{by_clock:.2f}") if floor.cpu else (by_clock, "")
        taken = [one.cpu or one.seconds for one in (ours, floor)]
        times = [f"{one:.3g}" if one < 1.0 else f"{one:.2f}" for one in taken]
        print_row(name, *times, *self._judged(name, ratio, target), clock, *peaks)

    def number(self, name: str, found: float, target: float | None) -> None:
        """A row with a number that needs no floor."""
        print_row(name, "", "", *self._judged(name, found, target), "", "", "")

    def _judged(self, name: str, found: float, target: float | None) -> tuple[str, str, str, str, str]:
        self._above = self._above if name.startswith(" ") else name
        place = self._above if name == self._above else f"{self._above}: {name.strip()}"
        self._found[place], before = round(found, 3), self._kept.get(place)
        kept = "" if before is None else f"{before:.2f}"
        since = f"{100 * (found / before - 1):+.0f} %" if before and abs(found / before - 1) > DRIFT else ""
        if target is None:
            return f"{found:.2f}", "–", "", kept, since
        is_met = found <= target
        self.is_met &= is_met
        word = "met" if is_met else f"missed by {100 * (found / target - 1):.0f} %"
        return f"{found:.2f}", f"{target:g}", word, kept, since


def print_row(*cells: str) -> None:
    """One line of the table."""
    first, *rest = cells
    columns = (f"{cell:>{width}}" for cell, width in zip(rest, _WIDTHS[1:], strict=True))
    print(f"{first:<{_WIDTHS[0]}}", *columns, flush=True)
