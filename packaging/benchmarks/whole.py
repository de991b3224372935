"""Whole programs that are timed: the least that anybody can do, and what we do.

`floor scores labels …`: pandas reads both files, one sort, one isotonic regression, for each pair in turn.
Labels are target or nontarget in the third column; where there is none (utt2spk), every hundredth trial is a
target, for looking speakers up is no part of the floor. `assess scores key` is ours, so are `read`,
`assess_json`, `streamed` and `binned` of the same, `similarity utt2spk oo op pp`, and `folder root`, whose
floor is `floors root`.
`links folder` is ours of a matrix of scores (see making.write_matrix), `links_floor folder` its floor.
`growth scores key …` is `assess` of several without starting anew, `warm root` repeats both of a folder.
`words utterances trials` is whoever attacks by words.
Whatever a program does not need it does not import.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path


def floor(*paths: str) -> None:
    """The least, one pair after the other."""
    import numpy as np
    import pandas as pd
    from scipy.optimize import isotonic_regression

    for scores, labels in zip(paths[::2], paths[1::2], strict=True):
        score = pd.read_csv(scores, sep=" ", header=None)[2].to_numpy()
        known = pd.read_csv(labels, sep=" ", header=None)
        is_target = (known[2] == "target").to_numpy() if 2 in known else np.arange(len(score)) % 100 == 0
        isotonic_regression(is_target[np.argsort(score)].astype(np.float64))


def floors(root: str) -> None:
    """The least for every condition of a folder."""
    from benchmarks.making import pairs_below

    floor(*(str(path) for pair in pairs_below(Path(root)) for path in pair))


def assess(scores: str, key: str) -> None:
    """Read, match, audit, assess; prints bytes held for each trial."""
    from zebra_core.project.reading.reading import assess_files

    trials = assess_files(Path(scores), Path(key)).trials
    assert trials is not None
    columns = [trials.score, trials.is_target]
    columns += [ids.codes for ids in (trials.enrol, trials.test) if ids is not None]
    print(sum(column.nbytes for column in columns) / len(trials))


def assess_json(scores: str, key: str) -> None:
    """The command that prints figures, who is most exposed, linking and singling out as JSON."""
    _command("assess", "-s", scores, "-k", key, "--json")


def read(scores: str, key: str) -> None:
    """Read, match, audit, and no more: columns and codes of ids."""
    from zebra_core.intake.drop import read_trials

    print(len(read_trials(Path(scores), Path(key)).files))


def streamed(scores: str, *key: str) -> None:
    """The same piece by piece; prints the width of bins, 0 for none, and the number of distinct scores."""
    from zebra_core.evidence.trials import CountedTrials
    from zebra_core.intake.drop import read_trials
    from zebra_core.metrics.assessment import assess as assessed

    trials = read_trials(Path(scores), *map(Path, key), choices={"streaming": "yes"})
    assert isinstance(trials, CountedTrials)
    found = assessed(trials)
    print(trials.width, len(found.counts.score), found.n_target + found.n_nontarget)


def binned(scores: str, key: str) -> None:
    """The same with bounds so low that scores are rounded to bins."""
    from zebra_core.evidence.counting import ScoreCounter

    ScoreCounter.__init__.__defaults__ = (1 << 16, 1 << 14)
    streamed(scores, key)


def similarity(speakers: str, oo: str, op: str, pp: str) -> None:
    """Three settings, from files to matrices."""
    from zebra_core.project.reading.reading import read_similarity

    read_similarity(oo=Path(oo), op=Path(op), pp=Path(pp), speakers=Path(speakers))


def folder(root: str) -> None:
    """A folder of conditions, from the drop to all entries of the project."""
    from zebra_core.project.reading.arrival import arrive

    print(len(arrive([Path(root)]).entries))


def report(root: str, pdf: str) -> None:
    """The report on a folder, with intervals and tested differences."""
    _command("report", root, "-o", pdf)


def verify(root: str, pdf: str) -> None:
    """All of that report once more."""
    _command("verify", pdf, "--data", root)


def intervals(root: str, _pdf: str) -> None:
    """What comes after a folder was dropped: intervals of everything, and which differences are settled."""
    from zebra_core.project.comparison.difference_tests import with_certainty
    from zebra_core.project.reading.folder import project_of_folder

    found, faults = with_certainty(project_of_folder(Path(root)).project)
    print(len(found.entries), *faults)


def words(utterances: str, trials: str) -> None:
    """Scores by words of so many utterances of 100 speakers; prints the seconds of processors."""
    import numpy as np

    from zebra_core.attackers.fusion import fold_of_each
    from zebra_core.attackers.words import Texts, word_scores

    draw = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnoprstu"))
    known = ["".join(draw.choice(letters, draw.integers(2, 9))) for _ in range(5_000)]
    said = [" ".join(known[n] for n in draw.integers(0, 5_000, 12)) for _ in range(int(utterances))]
    fold = fold_of_each([str(who) for who in range(100)])[np.arange(int(utterances)) % 100]
    texts, pairs = Texts(said, fold), draw.integers(0, int(utterances), (int(trials), 2))
    start = time.process_time()
    word_scores(texts, texts, pairs, texts)
    print(time.process_time() - start)


def pitch(minutes: str) -> None:
    """The pitch of a voice whose frequency wanders; prints the seconds of processors for a minute of it."""
    import numpy as np

    from zebra_core.recordings.pitch import pitch_of
    from zebra_core.recordings.recogniser import RATE_HZ

    time_s = np.arange(int(minutes) * 60 * RATE_HZ) / RATE_HZ
    phase = 2.0 * np.pi * 150.0 * time_s + 20.0 * np.sin(2.0 * np.pi * 0.3 * time_s)
    voice = sum(np.cos(k * phase) / k for k in range(1, 11))
    noise = np.random.default_rng(0).normal(size=len(time_s))
    samples = (0.05 * voice + 0.01 * noise).astype(np.float32)
    start = time.process_time()
    pitch_of(samples)
    print((time.process_time() - start) / int(minutes))


def _command(*arguments: str) -> None:
    from zebra_gui.program import main

    sys.argv = ["zebra", *arguments]
    main()


def growth(*paths: str) -> None:
    """What `assess` takes for each pair of files when everything is imported already; see `_least`."""
    from zebra_core.project.reading.reading import assess_files

    assess_files(Path(paths[0]), Path(paths[1]))
    for scores, key in zip(paths[::2], paths[1::2], strict=True):
        print(*_least(lambda s=scores, k=key: assess_files(Path(s), Path(k)), 3))


def warm(root: str) -> None:
    """What `folder` and `floors` take in a program that has done them before; see `_least`."""
    from zebra_core.project.reading.arrival import arrive

    arrive([Path(root)])
    floors(root)
    for work in (lambda: arrive([Path(root)]), lambda: floors(root)):
        print(*_least(work, 7))


def _least(work: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The least seconds of several times, by the clock and of processors."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    clock, processors = zip(*taken, strict=True)
    return min(clock), min(processors)


def links(folder: str) -> None:
    """Link recordings to people in a matrix on the disk; prints π_link among all."""
    from zebra_core.speakers.matrix import links_in_file

    root = Path(folder)
    found = links_in_file(root / "scores.npy", root / "enrolled", root / "tests", _utt2spk(root))
    print(found.linkage(found.n_enrolled), found.ranks.mean_bits)


def links_floor(folder: str) -> None:
    """Read the matrix once and compare each column with the score of its own person."""
    import numpy as np

    scores = np.load(Path(folder) / "scores.npy", mmap_mode="r")
    own = np.arange(scores.shape[1]) % scores.shape[0]
    threshold = scores[own, np.arange(scores.shape[1])]
    higher = np.zeros(scores.shape[1], dtype=np.int64)
    for row in scores:
        higher += row > threshold
    print(float((higher == 0).mean()))


def _utt2spk(root: Path) -> dict[str, str]:
    lines = (root / "utt2spk").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines)


PROGRAMS: dict[str, Callable[..., None]] = {
    program.__name__: program
    for program in (
        floor,
        floors,
        assess,
        assess_json,
        report,
        verify,
        intervals,
        read,
        streamed,
        binned,
        similarity,
        folder,
        growth,
        warm,
        links,
        links_floor,
        words,
        pitch,
    )
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](*sys.argv[2:])
