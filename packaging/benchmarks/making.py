"""Files that benchmarks read: lists of any number of trials as evaluations write them, a folder of sets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Letters = NDArray[np.uint8]  # one row a line; zeros are no letters, and are left out
_POWERS = 10 ** np.arange(7, -1, -1)

SETS = [
    f"{corpus}_{part}_trials_{sex}"
    for corpus in ("libri", "vctk")
    for part in ("dev", "test")
    for sex in "fm"
]
SETS += [f"vctk_{part}_trials_{sex}_common" for part in ("dev", "test") for sex in "fm"]
_ENROLMENTS, _SEGMENTS = 30, 400


def write_trials(folder: Path, n: int, spread: float = 1.0) -> tuple[Path, Path]:
    """About n scores with six decimals and their key, enrolment by enrolment, speakers in turn.

    The wider the scores are spread, the more of them are different.
    """
    enrolments = max(20, round(math.sqrt(n / 8)))
    tests = n // enrolments
    rng, number = np.random.default_rng(n), np.arange(tests)
    of = number % enrolments
    names = _letters([f"{1000 + k % enrolments}-{170000 + k // 7}-{k:05d} " for k in range(tests)])
    words = _letters(["nontarget\n", "target\n"])
    scores, key = folder / f"scores-{n}", folder / f"key-{n}"
    with scores.open("wb") as score_file, key.open("wb") as key_file:
        for enrolment in range(enrolments):
            left = np.broadcast_to(_letters([f"{1000 + enrolment} "]), (tests, len(f"{1000 + enrolment} ")))
            is_target = of == enrolment
            score = spread * (rng.normal(size=tests) + 2.0 * is_target)
            score_file.write(_lines(left, names, _numbers(score)))
            key_file.write(_lines(left, names, words[is_target.astype(np.intp)]))
    return scores, key


def write_settings(folder: Path, n: int) -> tuple[Path, list[Path]]:
    """utt2spk, and three files of about n unordered pairs of segments of 100 speakers."""
    segments = round(math.sqrt(2 * n))
    names = [f"p{k % 100:03d}_{k:05d}" for k in range(segments)]
    utt2spk = folder / f"utt2spk-{n}"
    utt2spk.write_text("".join(f"{name} {name[:4]}\n" for name in names))
    letters, of = _letters([f"{name} " for name in names]), np.arange(segments) % 100
    paths = [folder / f"{setting}-{n}" for setting in ("oo", "op", "pp")]
    for seed, path in enumerate(paths):
        rng = np.random.default_rng(seed)
        with path.open("wb") as file:
            for k in range(segments):
                others = np.arange(k if seed == 1 else k + 1, segments)
                left = np.broadcast_to(letters[k], (len(others), letters.shape[1]))
                score = rng.normal(size=len(others)) + 3.0 * (of[others] == of[k])
                file.write(_lines(left, letters[others], _numbers(score)))
    return utt2spk, paths


def write_folder(root: Path) -> list[tuple[Path, Path]]:
    """Twelve sets in three conditions each, as the 2020 recipe leaves them; scores and key of each."""
    rng = np.random.default_rng(36)
    pairs = []
    for name in SETS:
        speakers = [f"{name[:3]}{1000 + n}" for n in range(_ENROLMENTS)]
        segments = [f"{speakers[n % _ENROLMENTS]}-{17000 + n // 7}-{n:04d}" for n in range(_SEGMENTS)]
        trials = [(e, n, n % _ENROLMENTS == i) for i, e in enumerate(speakers) for n in range(_SEGMENTS)]
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


def pairs_below(root: Path) -> Iterator[tuple[Path, Path]]:
    """Scores and key of each condition that `write_folder` made."""
    for scores in sorted(root.glob("exp/*/*/scores")):
        name = scores.parent.name.split("-", 2)[2].removesuffix("_anon")
        yield scores, root / "data" / name / "trials"


def _letters(words: list[str]) -> Letters:
    width = max(map(len, words))
    return np.array(words, f"S{width}").view(np.uint8).reshape(len(words), width)


def _numbers(values: NDArray[np.float64]) -> Letters:
    """Numbers below 10 000 with six decimals, each at the end of its line."""
    whole, millionths = np.divmod(np.rint(np.abs(values) * 1e6).astype(np.int64), 1_000_000)
    made = np.zeros((len(values), 13), np.uint8)
    made[:, 0] = np.where(values < 0.0, ord("-"), 0)
    made[:, 1:5] = whole[:, np.newaxis] // _POWERS[4:] % 10 + ord("0")
    made[:, 1:4][whole[:, np.newaxis] < _POWERS[4:7]] = 0
    made[:, 5] = ord(".")
    made[:, 6:12] = millionths[:, np.newaxis] // _POWERS[2:] % 10 + ord("0")
    made[:, 12] = ord("\n")
    return made


def _lines(*columns: Letters) -> bytes:
    letters = np.concatenate(columns, axis=1)
    return letters[letters != 0].tobytes()


def write_matrix(folder: Path, enrolled: int, recordings: int) -> None:
    """Scores of all enrolled against all recordings as .npy, with both lists of ids and utt2spk."""
    rng = np.random.default_rng(11)
    scores = np.lib.format.open_memmap(
        folder / "scores.npy", mode="w+", dtype=np.float32, shape=(enrolled, recordings)
    )
    own = np.arange(recordings) % enrolled
    for row in range(enrolled):
        scores[row] = rng.standard_normal(recordings, dtype=np.float32)
        scores[row, own == row] += 3.0
    scores.flush()
    (folder / "enrolled").write_text("".join(f"s{k}\n" for k in range(enrolled)))
    (folder / "tests").write_text("".join(f"t{k}\n" for k in range(recordings)))
    (folder / "utt2spk").write_text("".join(f"t{k} s{own[k]}\n" for k in range(recordings)))
