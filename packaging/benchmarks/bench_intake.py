"""How long a million trials take: read, matched and audited, against pandas.read_csv alone on the same files.

Fails when the intake takes more than twice the time, or holds more than 64 bytes per trial.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import zebra_core
from zebra_core.intake.drop import read_trials

ENROLMENTS, SEGMENTS = 500, 2000
MOST_TIMES_PANDAS = 2.0
MOST_BYTES_PER_TRIAL = 64
ROUNDS = 5


def write_files(folder: Path) -> None:
    """Scores with six decimals and their key, enrolment by enrolment, as Kaldi writes them."""
    score = np.random.default_rng(1).normal(size=ENROLMENTS * SEGMENTS).tolist()
    segments = [f"{1000 + n % ENROLMENTS}-{170000 + n // 7}-{n:04d}" for n in range(SEGMENTS)]
    pairs = [(enrol, n) for enrol in range(ENROLMENTS) for n in range(SEGMENTS)]
    with (folder / "scores").open("w") as file:
        file.writelines(f"{1000 + e} {segments[n]} {s:.6f}\n" for (e, n), s in zip(pairs, score, strict=True))
    with (folder / "key").open("w") as file:
        file.writelines(
            f"{1000 + e} {segments[n]} {'target' if n % ENROLMENTS == e else 'nontarget'}\n" for e, n in pairs
        )
    lines = (folder / "scores").read_text().splitlines(keepends=True)
    np.random.default_rng(2).shuffle(lines)
    (folder / "shuffled").write_text("".join(lines))


def seconds(*tasks: Callable[[], object]) -> list[float]:
    """The median time of each task; they take turns, so that a busy machine is unfair to none."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(ROUNDS):
        for task, taken in zip(tasks, times, strict=True):
            start = time.perf_counter()
            task()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def held_bytes(trials: zebra_core.Trials) -> int:
    """What the columns of the trials and the names of their ids take in memory."""
    sides = [ids for ids in (trials.enrol, trials.test) if ids is not None]
    names = sum(sys.getsizeof(ids.names) + sum(map(sys.getsizeof, ids.names)) for ids in sides)
    return names + sum(
        array.nbytes for array in (trials.score, trials.is_target, *(ids.codes for ids in sides))
    )


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)

        def pandas_alone(**how: object) -> Callable[[], object]:
            return lambda: [pd.read_csv(folder / file, **how) for file in ("scores", "key")]

        ours, shuffled, default, blanks, single = seconds(
            lambda: read_trials(folder / "scores", folder / "key"),
            lambda: read_trials(folder / "shuffled", folder / "key"),
            pandas_alone(),
            pandas_alone(sep=r"\s+", header=None),
            pandas_alone(sep=" ", header=None),
        )
        trials = read_trials(folder / "scores", folder / "key")
    per_trial = held_bytes(trials) / len(trials)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(trials)} trials read, matched and audited in {ours:.2f} s, shuffled in {shuffled:.2f} s")
    for how, taken in (("default", default), (r"sep='\s+'", blanks), ("sep=' '", single)):
        print(f"pandas.read_csv of both files, {how}: {taken:.2f} s; ratio {ours / taken:.2f}")
    print(f"{per_trial:.0f} bytes held per trial, {peak:.0f} MiB at the peak of this program")
    return int(ours > MOST_TIMES_PANDAS * blanks or per_trial > MOST_BYTES_PER_TRIAL)


if __name__ == "__main__":
    sys.exit(main())
