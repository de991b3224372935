"""A folder of safeguards whose people are women, men and others: a list of their sex lies beside the key."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tests.core.speaker_model import trials_of

SEX = {"f": "female", "m": "male", "x": "other"}


def write_safeguard(folder: Path, system: str, between: Iterable[float]) -> None:
    """A safeguard of ten women, nine men and two others, each sex against itself, in shuffled lines."""
    rng = np.random.default_rng(3)
    rows = []
    for sex, variance, n in zip(SEX, between, (10, 9, 2), strict=True):
        trials = trials_of(rng, n, variance)
        assert trials.enrol is not None
        assert trials.test is not None
        for k in range(len(trials)):
            what = "target" if trials.is_target[k] else "nontarget"
            rows.append((f"{sex}{trials.enrol[k]} {sex}{trials.test[k]}", f"{trials.score[k]:.5f}", what))
    rows = [rows[k] for k in rng.permutation(len(rows))]
    lists = folder / "data" / "libri_test_trials_mixed"
    lists.mkdir(parents=True, exist_ok=True)
    (lists / "trials").write_text("".join(f"{pair} {what}\n" for pair, _, what in rows))
    people = sorted({pair.split()[0] for pair, _, _ in rows})
    (lists / "sex").write_text("".join(f"{who} {SEX[who[0]]}\n" for who in people))
    made = folder / "exp" / system / "ASV-libri_test_enrolls_anon-libri_test_trials_mixed_anon"
    made.mkdir(parents=True)
    (made / "scores").write_text("".join(f"{pair} {score}\n" for pair, score, _ in rows))
