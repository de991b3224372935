"""The same figures and audit from memory, from DuckDB and from Spark with two workers; and its sentences.

Prints one line for each thing that was tried; status 1 where one was not so.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

import zebra_core
import zebra_resources
from cluster.run_through import commands, put_files
from zebra_core.errors import InputError
from zebra_core.evidence.audit import decisions
from zebra_core.intake.streaming.remote_counting import SpeakerCounting, count_elsewhere, write_counts
from zebra_core.metrics.assessment import Assessment, assess
from zebra_core.project import demo
from zebra_core.project.reading.reading import assess_files, weighable_of
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

CLUSTER = "local-cluster[2,1,1024]"
FIGURES = (
    "d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "cllr_bits", "min_cllr_bits", "linkability",
    "n_target", "n_nontarget",
)  # fmt: skip
AUDIT = ("n_scores", "n_key", "agreeing_repeats", "scores_without_key", "key_without_score", "matched")


def main() -> None:
    """Try everything."""
    warnings.simplefilter("ignore")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for said, check in checks(Path(name)):
            began = time.monotonic()
            try:
                check()
            except Exception as error:  # noqa: BLE001 - told, and counted
                failed += 1
                print(f"FAILED  {said}: {type(error).__name__}: {str(error)[:400]}", flush=True)
            else:
                print(f"ok      {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(bool(failed))


def checks(folder: Path) -> list[tuple[str, Callable[[], None]]]:
    """What is tried, in words, and how."""
    scores, key = folder / "scores.txt", folder / "key.txt"
    scores.write_bytes(demo.FILES[2].path.read_bytes())
    key.write_bytes(zebra_resources.path(demo.KEY).read_bytes())
    odd, odd_key = odd_files(folder)
    return [
        ("the demo on Spark with two workers", lambda: same(scores, key, CLUSTER, folder)),
        ("ties, repeats, −0, NaN, infinities and decisions on Spark", lambda: same_odd(odd, odd_key, folder)),
        ("the run-through of the manual on Spark with two workers", lambda: run_through(folder)),
        ("the same in DuckDB", lambda: same(scores, key, "duckdb", folder)),
        ("draws of speakers from Spark are those of DuckDB", lambda: same_draws(odd, odd_key, folder)),
        ("a worker that is killed once is made up for", lambda: killed(scores, key, folder, times=1)),
        (
            "workers that are killed again and again are a sentence",
            lambda: killed(scores, key, folder, times=99),
        ),
        ("a disk that is full is a sentence", lambda: full(scores, key, folder)),
        (
            "columns that are missing are a sentence",
            lambda: refused(lacking(folder), odd_key, "has no column test"),
        ),
        ("a contradicting row is a sentence", lambda: refused(contradicted(odd), odd_key, "contradict")),
        ("a broken line is a sentence", lambda: refused(broken(odd), odd_key, "cannot do this")),
        ("a table that is not there is a sentence", lambda: refused("nowhere", odd_key, "cannot do this")),
        ("a cluster that is not there is a sentence within 10 s", nobody_answers),
    ]


def odd_files(folder: Path) -> tuple[Path, Path]:
    """3000 trials with everything that an audit knows, the key in another order."""
    rng = np.random.default_rng(1)
    pairs = [(f"s{a}", f"s{b}-{k}", a == b) for a in range(20) for b in range(20) for k in range(8)]
    lines = [f"{a} {b} {rng.normal() + 2 * same:.1f}" for a, b, same in pairs]
    lines[3], lines[4], lines[5] = (
        f"{line.rsplit(' ', 1)[0]} {odd}"
        for line, odd in zip(lines[3:6], ("nan", "inf", "-0.0"), strict=True)
    )
    key = [f"{a} {b} {'target' if same else 'nontarget'}" for a, b, same in pairs]
    rng.shuffle(key)
    (folder / "odd.txt").write_text("\n".join([*lines[:-1], lines[7], lines[7], "x y 0.5"]) + "\n")
    (folder / "odd-key.txt").write_text("\n".join([*key, key[0]]) + "\n")
    return folder / "odd.txt", folder / "odd-key.txt"


def same(scores: Path, key: Path, url: str, folder: Path, allow: tuple[str, ...] = ()) -> None:
    """The same figures to the last digit, and the same audit, as from memory."""
    counts = folder / "counts.parquet"
    write_counts(count_elsewhere(url, str(scores), str(key), decisions(allow)), counts, overwrite=True)
    held = zebra_core.read_trials(scores, key, allow=allow)
    others = [one for one in allow if one != "key-lines-without-score"]
    counted = zebra_core.read_trials(counts, allow=others)
    first, second = assess(held), assess(counted)
    for name in FIGURES:
        assert figure(first, name) == figure(second, name), (name, figure(first, name), figure(second, name))
    assert held.audit is not None
    assert counted.audit is not None
    for name in AUDIT:
        assert getattr(held.audit, name) == getattr(counted.audit, name), name
    assert "counted-elsewhere" in [finding.code for finding in counted.audit.findings]


def figure(assessment: Assessment, name: str) -> object:
    """A figure by the name of its property."""
    return getattr(assessment, name)


def run_through(folder: Path) -> None:
    """Its commands, as a user gives them."""
    place = folder / "run-through"
    place.mkdir()
    put_files(place)
    program = Path(sys.executable).with_name("zebra")
    for command in commands(CLUSTER):
        subprocess.run([program, *command], cwd=place, check=True, capture_output=True)
    held = assess(zebra_core.read_trials(place / "scores", place / "trials"))
    assert assess(zebra_core.read_trials(place / "B2.parquet")).d_ece_bits == held.d_ece_bits


def same_odd(scores: Path, key: Path, folder: Path) -> None:
    """With decisions."""
    same(scores, key, CLUSTER, folder, ("nan-scores", "infinite-scores", "key-lines-without-score"))


def same_draws(scores: Path, key: Path, folder: Path) -> None:
    """Counts for each pair of speakers under other codes: the same intervals to the last digit."""
    allow = ("nan-scores", "infinite-scores", "key-lines-without-score")
    found = []
    for url in (CLUSTER, "duckdb"):
        made = count_elsewhere(url, str(scores), str(key), decisions(allow), by_speakers=SpeakerCounting())
        write_counts(made, folder / "pairs.parquet", overwrite=True)
        entry = assess_files(folder / "pairs.parquet", allow=allow[:2])
        trust = trust_of(weighable_of(entry), entry.assessment, BootstrapSettings(20), deals=20)
        assert trust.null is not None
        draws = trust.uncertainty.figures["d_ece_bits"].draws.tolist()
        found.append((draws, trust.null.draws["d_ece_bits"].tolist()))
    assert found[0] == found[1]


def killed(scores: Path, key: Path, folder: Path, times: int) -> None:
    """Kill a worker as soon as there is one, so many times; Spark makes up for one, and gives up at last."""
    over = threading.Event()
    killer = threading.Thread(target=kill_workers, args=(times, over))
    killer.start()
    try:
        if times == 1:
            same(scores, key, CLUSTER, folder)
        else:
            refused(scores, key, "The engine|cannot do this", CLUSTER)
    finally:
        over.set()
        killer.join()


def kill_workers(times: int, over: threading.Event) -> None:
    """Only those that this program has started."""
    killed = 0
    while killed < times and not over.wait(0.5):
        for process in workers_of(os.getpid()):
            if over.wait(2.0):
                return
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
                killed += 1
            if killed == times:
                return


def workers_of(parent: int) -> list[int]:
    """The processes of executors below a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            name = (entry / "cmdline").read_bytes().split(b"\0")
            if any(b"CoarseGrainedExecutorBackend" in part for part in name) and b"-XX" not in name[0]:
                line, current = [], int(entry.name)
                while current > 1:
                    line.append(current)
                    current = int(
                        (Path("/proc") / str(current) / "stat").read_text().rpartition(")")[2].split()[1]
                    )
                if parent in line:
                    found.append(int(entry.name))
    return found


def full(scores: Path, key: Path, folder: Path) -> None:
    """What Spark writes goes to a disk with 16 kB of room, where one can be had (as root, on Linux)."""
    small = folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small], check=False).returncode:
        print("        (no small disk can be had here)")
        return
    asked = [Path(sys.executable).with_name("zebra"), "count", "--engine", CLUSTER, "-s", scores, "-k", key]
    asked += ["-o", folder / "full.parquet"]
    try:
        found = subprocess.run(
            asked,
            env=os.environ | {"SPARK_LOCAL_DIRS": str(small)},
            check=False,
            capture_output=True,
            text=True,
        )
    finally:
        subprocess.run(["umount", "-l", small], check=True)
    said = [line for line in found.stderr.splitlines() if line.startswith("zebra: ")]
    assert found.returncode == 1, found.stderr[-400:]
    assert len(said) == 1, found.stderr[-400:]
    assert not (folder / "full.parquet").exists()
    print(f"        {said[0]}")


def lacking(folder: Path) -> Path:
    """A table without the test segments."""
    path = folder / "lacking.csv"
    path.write_text("enrol,colour,score\ns0,red,1\n")
    return path


def contradicted(scores: Path) -> Path:
    """The file with a second score of a trial."""
    path = scores.with_name("contradicted.txt")
    path.write_text(scores.read_text() + "s0 s0-7 99\n")
    return path


def broken(scores: Path) -> Path:
    """The file with something that is no number."""
    path = scores.with_name("broken.txt")
    path.write_text(scores.read_text() + "s0 s0-99 many\n")
    return path


def refused(scores: Path | str, key: Path, said: str, url: str = "local[2]") -> None:
    """Refused with such a sentence."""
    try:
        count_elsewhere(url, str(scores), str(key))
    except InputError as error:
        assert re.search(said, str(error)), str(error)
        print(f"        {error}")
    else:
        raise AssertionError("nothing was refused")


def nobody_answers() -> None:
    """Port 9 throws everything away where it is open at all."""
    began = time.monotonic()
    try:
        count_elsewhere("spark://127.0.0.1:9", "scores", "key")
    except InputError as error:
        assert "has not answered" in str(error) or "cannot do this" in str(error), str(error)
        assert time.monotonic() - began < 30, time.monotonic() - began
    else:
        raise AssertionError("somebody answered")


if __name__ == "__main__":
    main()
