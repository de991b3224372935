"""Whole programs that are timed by bench_whole.py: the least that anybody can do, and what we do.

`floor scores labels …`: pandas reads both files, one sort, one isotonic regression, for each pair in turn;
labels are target or nontarget in the third column, or for matrices utt2spk. `assess scores key` is ours, so
is `similarity utt2spk oo op pp`; `growth scores key …` is `assess` of several without starting anew.
Whatever a program does not need it does not import.
"""

import sys
from pathlib import Path


def floor(*paths: str) -> None:
    """The least, one pair after the other."""
    import numpy as np
    import pandas as pd
    from scipy.optimize import isotonic_regression

    for scores, labels in zip(paths[::2], paths[1::2], strict=True):
        table = pd.read_csv(scores, sep=" ", header=None)
        known = pd.read_csv(labels, sep=" ", header=None)
        if known.shape[1] == 3:
            is_target = (known[2] == "target").to_numpy()
        else:
            speaker = known.set_index(0)[1]
            is_target = speaker.reindex(table[0]).to_numpy() == speaker.reindex(table[1]).to_numpy()
        isotonic_regression(is_target[np.argsort(table[2].to_numpy())].astype(np.float64))


def assess(scores: str, key: str) -> None:
    """Read, match, audit, assess; prints bytes held for each trial."""
    from core.loading import assess_files

    trials = assess_files(Path(scores), Path(key)).trials
    assert trials is not None
    columns = [trials.score, trials.is_target]
    columns += [ids.codes for ids in (trials.enrol, trials.test) if ids is not None]
    print(sum(column.nbytes for column in columns) / len(trials))


def similarity(speakers: str, oo: str, op: str, pp: str) -> None:
    """Three settings, from files to matrices."""
    from core.similarity_files import read_similarity

    read_similarity(oo=Path(oo), op=Path(op), pp=Path(pp), speakers=Path(speakers))


def growth(*paths: str) -> None:
    """What `assess` takes for each pair of files, in seconds, when everything is imported already."""
    import time

    from core.loading import assess_files

    assess_files(Path(paths[0]), Path(paths[1]))
    for scores, key in zip(paths[::2], paths[1::2], strict=True):
        taken = []
        for _ in range(3):
            start = time.perf_counter()
            assess_files(Path(scores), Path(key))
            taken.append(time.perf_counter() - start)
        print(min(taken))


if __name__ == "__main__":
    {"growth": growth, "floor": floor, "assess": assess, "similarity": similarity}[sys.argv[1]](*sys.argv[2:])
