"""One table: how fast the program is, each row a ratio to a floor measured in the same run, with peak memory.

    make bench                                  all of it: 3 GB of disk and some minutes
    make bench ARGS="--up-to 1000000"           no larger sets
    make bench ARGS="--only folder,start"       some parts of it
    BENCH_FOLDER=DIR make bench ARGS="--only report"    what a report on your own folder takes
    make bench ARGS=--keep                      keep the ratios: later runs stand beside them (kept.json)

Unless a row says otherwise the floor is `pandas.read_csv` of both files, one `argsort` and one isotonic
regression, for each condition or setting; ours and the floor are whole programs (see whole.py) that run in
turn, and times are medians. Ratios are of seconds of processors, so that others may use the machine, or of
the clock where a window is waited for. Ends with 1 where a target is missed. The finer measurements are
programs of their own, bench_*.py beside this file.
"""

import argparse
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import bench_start
from benchmarks.making import write_folder, write_matrix, write_settings, write_trials
from benchmarks.measuring import Run, Table, in_turn, medians, run

TRIALS = (12_000, 1_000_000, 14_000_000)
PAIRS = (270_000, 14_000_000)
DECADES = (1_400, 14_000, 140_000, 1_400_000, 14_000_000)
BINDING = 1_000_000  # smaller sets are nearly all start-up
MOST_READ = {1_000_000: 1.3, 14_000_000: 1.5}
MOST_ASSESS = {12_000: 1.2, 1_000_000: 1.4, 14_000_000: 1.5}
MOST_JSON = 2.0
MOST_IN_PIECES, MOST_SIMILARITY, MOST_EXPONENT = 2.5, 1.5, 1.1
MOST_FOLDER_COLD, MOST_FOLDER_WARM = 1.2, 3.5
MOST_WITHOUT_WRITING = 1.1  # of the start where bytecode may be written
MOST_WAITED = {"intervals": 20.0, "report": 30.0, "verify": 30.0}  # seconds of processors
OF_FOLDER = "BENCH_FOLDER"  # in the environment: a folder of your own to make a report on
MATRIX, MOST_LINKS, MOST_LINKS_PEAK = (10_000, 30_000), 3.0, 2.0  # gigabytes
PITCH_MINUTES, MOST_PITCH = 5, 0.3  # seconds of a processor for a minute
WORDS, MOST_WORDS = (10_000, 1_000_000), 60.0  # utterances and trials; seconds of a processor
MOST_HELD, MOST_PEAK = 32, 150  # bytes for each trial


def _repeats(n: int) -> int:
    return 5 if n < 100_000 else 3 if n < 5_000_000 else 1


def _numbers(told: str) -> list[list[float]]:
    return [[float(word) for word in line.split()] for line in told.splitlines()]


def bench_trials(table: Table, folder: Path, up_to: int) -> None:
    """From two files to an assessment; in memory, piece by piece, with bins, and all that JSON has."""
    base = run("assess", *write_trials(folder, DECADES[0])).peak
    for n in (n for n in TRIALS if n <= up_to):
        scores, key = write_trials(folder, n)
        repeats = _repeats(n)
        ours, floor = in_turn(["assess", scores, key], ["floor", scores, key], repeats)
        table.compare(f"read, match, assess {n:,} trials", (ours, floor), MOST_ASSESS[n])
        if n >= BINDING:
            pair = in_turn(["read", scores, key], ["floor", scores, key], repeats)
            table.compare("    columns, ids and audit alone", pair, MOST_READ[n])
            table.number("    bytes for each trial, held after reading", float(ours.told), MOST_HELD)
            table.number("    bytes for each trial, at the peak", (ours.peak - base) / n, MOST_PEAK)
            pair = in_turn(["streamed", scores, key], ["floor", scores, key], repeats)
            table.compare("    the same piece by piece", pair, MOST_IN_PIECES)
            table.compare("    the same in bins", (run("binned", scores, key), floor), None)
        if n == BINDING:
            pair = in_turn(["assess_json", scores, key], ["floor", scores, key], repeats)
            table.compare(f"zebra assess --json of {n:,} trials", pair, MOST_JSON)
        scores.unlink()
        key.unlink()


def bench_similarity(table: Table, folder: Path, up_to: int) -> None:
    """From three files and utt2spk to matrices."""
    for n in (n for n in PAIRS if n <= up_to):
        utt2spk, paths = write_settings(folder, n)
        both = [part for path in paths for part in (path, utt2spk)]
        pair = in_turn(["similarity", utt2spk, *paths], ["floor", *both], _repeats(n))
        table.compare(f"three settings of {n:,} pairs", pair, MOST_SIMILARITY)
        for path in paths:
            path.unlink()


def bench_folder(table: Table, folder: Path, _up_to: int) -> None:
    """36 conditions of 12 000 trials, from the drop to the project: as a program, and in one that runs."""
    root = folder / "challenge"
    root.mkdir()
    write_folder(root)
    table.compare(
        "folder of 36 conditions, cold", in_turn(["folder", root], ["floors", root], 5), MOST_FOLDER_COLD
    )
    ours, floor = (Run(clock, cpu=cpu) for clock, cpu in _numbers(run("warm", root).told))
    table.compare("    the same in a running program", (ours, floor), MOST_FOLDER_WARM)


def bench_report(table: Table, folder: Path, _up_to: int) -> None:
    """What somebody waits for who wants a report on a folder, seconds of processors; see OF_FOLDER."""
    root = Path(os.environ.get(OF_FOLDER, folder / "challenge"))
    if OF_FOLDER not in os.environ:
        root.mkdir()
        write_folder(root)
    for program, most in MOST_WAITED.items():
        taken = run(program, root, folder / "report.pdf").cpu
        table.number(f"{program} of {root.name}, seconds of processors", taken, most)


def bench_growth(table: Table, folder: Path, up_to: int) -> None:
    """Seconds against size, without what starting takes: the slope on logarithmic axes."""
    sizes = [n for n in DECADES if n <= max(up_to, DECADES[1])]
    files = [path for n in sizes for path in write_trials(folder, n)]
    taken = [clock for clock, _ in _numbers(run("growth", *files).told)]
    slope = float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
    decades = math.log10(sizes[-1] / sizes[0])
    table.number(f"exponent of cost over {decades:.0f} decades of size", slope, MOST_EXPONENT)
    for path in files:
        path.unlink()


def bench_starting(table: Table, _folder: Path, _up_to: int) -> None:
    """The help against `import pandas`, the first paint against a bare window of PySide6 and pyqtgraph."""
    helps, windows = [], []
    for repeat in range(bench_start.REPEATS + 1):
        commands = [*bench_start.SOURCE, "--help"], bench_start.PANDAS
        helps.append(tuple(Run(bench_start.seconds(command)) for command in commands))
        if shutil.which("Xvfb"):
            both = bench_start.SOURCE, bench_start.BARE
            windows.append(tuple(Run(bench_start.seconds_to_paint(command)) for command in both))
        if not repeat:  # the first time the files come from the disk
            helps.clear()
            windows.clear()
    table.compare("zebra --help (floor: import pandas)", medians(helps), bench_start.MOST_HELP)
    if windows:
        table.compare("first paint (floor: a bare window)", medians(windows), bench_start.MOST_WINDOW)
    else:
        print("first paint was not measured: there is no Xvfb (make test-setup)")
    pair = bench_start.without_writing()
    table.compare("zebra --help with PYTHONDONTWRITEBYTECODE", pair, MOST_WITHOUT_WRITING)


def bench_links(table: Table, folder: Path, up_to: int) -> None:
    """People linked in a matrix of scores on the disk, 10 000 enrolled by 30 000 recordings."""
    enrolled = min(MATRIX[0], max(100, math.isqrt(up_to // 3 * 20)))
    write_matrix(folder, enrolled, enrolled * MATRIX[1] // MATRIX[0])
    run("links_floor", folder)  # into the cache of the system, for both alike
    ours, floor = in_turn(["links", folder], ["links_floor", folder], 3)
    is_whole = enrolled == MATRIX[0]
    name = f"link {enrolled * MATRIX[1] // MATRIX[0]:,} recordings to {enrolled:,} people"
    table.compare(name, (ours, floor), MOST_LINKS if is_whole else None)
    if is_whole:
        table.number("    bytes at the peak, GB", ours.peak / 1e9, MOST_LINKS_PEAK)


def bench_words(table: Table, _folder: Path, up_to: int) -> None:
    """Scores by words alone, in seconds of one processor."""
    trials = min(up_to, WORDS[1])
    found = float(run("words", str(WORDS[0]), str(trials)).told)
    table.number(f"{WORDS[0]:,} texts, {trials:,} trials by words, seconds", found, MOST_WORDS)


def bench_pitch(table: Table, _folder: Path, _up_to: int) -> None:
    """The pitch of recordings, in seconds of one processor for a minute of speech."""
    found = float(run("pitch", str(PITCH_MINUTES)).told)
    table.number("pitch of a minute of speech, seconds", found, MOST_PITCH)


PARTS: dict[str, Callable[[Table, Path, int], None]] = {
    "trials": bench_trials,
    "similarity": bench_similarity,
    "folder": bench_folder,
    "report": bench_report,
    "growth": bench_growth,
    "start": bench_starting,
    "links": bench_links,
    "words": bench_words,
    "pitch": bench_pitch,
}


def main() -> int:
    """The table."""
    asked = argparse.ArgumentParser(prog="make bench", description="How fast it is, against floors.")
    asked.add_argument("--up-to", type=int, default=TRIALS[-1], metavar="N", help="trials of the largest set")
    asked.add_argument("--only", default=",".join(PARTS), metavar="PARTS", help=f"of {', '.join(PARTS)}")
    asked.add_argument("--keep", action="store_true", help="keep the ratios of this run, for later ones")
    wanted = asked.parse_args()
    if unknown := set(wanted.only.split(",")) - PARTS.keys():
        asked.error(f"no such part: {', '.join(sorted(unknown))}")
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    table = Table()
    for name in wanted.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](table, Path(folder), wanted.up_to)
    print(f"load of the machine {os.getloadavg()[0]:.1f}")
    if wanted.keep:
        table.keep()
    return int(not table.is_met)


if __name__ == "__main__":
    sys.exit(main())
