"""How long a challenge folder of 36 conditions takes until its project stands, against 36 floors.

A floor is pandas.read_csv of scores and key, one sort and one isotonic regression, one after the other. Fails
above `MOST`, or when the results hold more than `MOST_BYTES` for each trial.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from core.arrival import Arrival, arrive

SETS = [
    f"{corpus}_{part}_trials_{sex}"
    for corpus in ("libri", "vctk")
    for part in ("dev", "test")
    for sex in "fm"
]
SETS += [f"vctk_{part}_trials_{sex}_common" for part in ("dev", "test") for sex in "fm"]
ENROLMENTS, SEGMENTS = 30, 400
ROUNDS = 7
MOST = 1.5
MOST_BYTES = 64


def write_folder(root: Path) -> list[tuple[Path, Path]]:
    """Twelve sets in three conditions each, as the 2020 recipe leaves them; scores and key of each."""
    rng = np.random.default_rng(36)
    pairs = []
    for name in SETS:
        speakers = [f"{name[:3]}{1000 + n}" for n in range(ENROLMENTS)]
        segments = [f"{speakers[n % ENROLMENTS]}-{17000 + n // 7}-{n:04d}" for n in range(SEGMENTS)]
        trials = [(e, n, n % ENROLMENTS == i) for i, e in enumerate(speakers) for n in range(SEGMENTS)]
        key = root / "data" / name / "trials"
        key.parent.mkdir(parents=True)
        key.write_text("".join(f"{e} {segments[n]} {'target' if t else 'nontarget'}\n" for e, n, t in trials))
        corpus = name.partition("_trials")[0]
        for enrols, tested in (("", ""), ("", "_anon"), ("_anon", "_anon")):
            folder = root / "exp" / "results-2020" / f"ASV-{corpus}_enrolls{enrols}-{name}{tested}"
            folder.mkdir(parents=True)
            noise = rng.normal(size=len(trials)).tolist()
            lines = (
                f"{e} {segments[n]} {3 * t + s:.6f}\n" for (e, n, t), s in zip(trials, noise, strict=True)
            )
            (folder / "scores").write_text("".join(lines))
            pairs.append((folder / "scores", key))
    return pairs


def floor(pairs: list[tuple[Path, Path]]) -> None:
    """What nobody can do without, for each condition."""
    for scores, key in pairs:
        score = pd.read_csv(scores, sep=" ", header=None)[2].to_numpy()
        is_target = (pd.read_csv(key, sep=" ", header=None)[2] == "target").to_numpy()
        isotonic_regression(is_target[np.argsort(score)].astype(np.float64))


def seconds(work: Callable[[], object]) -> float:
    """Once, by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def held_bytes(found: Arrival) -> int:
    """What the trials of all entries hold, shared columns once."""
    arrays = {}
    for entry in found.entries:
        if entry.trials is not None:
            sides = [ids.codes for ids in (entry.trials.enrol, entry.trials.test) if ids is not None]
            arrays.update(
                {id(array): array.nbytes for array in (entry.trials.score, entry.trials.is_target, *sides)}
            )
        counts = entry.assessment.counts
        arrays.update({id(a): a.nbytes for a in (counts.score, counts.n_target, counts.n_nontarget)})
    return sum(arrays.values())


def main() -> int:
    """Measure both in turn, so that a busy moment meets both."""
    with tempfile.TemporaryDirectory() as name:
        pairs = write_folder(Path(name))
        found = arrive([Path(name)])  # imports and first pages are not what is measured
        times = [
            (seconds(lambda: arrive([Path(name)])), seconds(lambda: floor(pairs))) for _ in range(ROUNDS)
        ]
    ours, theirs = (min(column) for column in zip(*times, strict=True))
    n_trials = sum(entry.assessment.n_target + entry.assessment.n_nontarget for entry in found.entries)
    per_trial = held_bytes(found) / n_trials
    print(
        f"{len(found.entries)} conditions, {n_trials} trials: {ours:.2f} s, 36 floors {theirs:.2f} s, ",
        end="",
    )
    print(f"ratio {ours / theirs:.2f}; {per_trial:.0f} bytes held for each trial")
    return int(ours > MOST * theirs or per_trial > MOST_BYTES or len(found.entries) != len(pairs))


if __name__ == "__main__":
    sys.exit(main())
