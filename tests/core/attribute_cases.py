"""Scores of a few speakers with attributes, and what a recogniser said of their recordings, as files."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

SEX = {f"s{k}": "fm"[k % 2] for k in range(8)}
ACCENT = {name: ("Irish", "Scottish")[k // 4] for k, name in enumerate(SEX)}
RECORDINGS = tuple(f"{name}-{k}" for name in SEX for k in range(2))
SAID = {one: "m" if one == "s0-0" else SEX[one[:2]] for one in RECORDINGS}
"""Right of all recordings but the first, which is of a woman."""


def two_columns(of: Mapping[str, str]) -> str:
    """A line for each id."""
    return "".join(f"{one} {value}\n" for one, value in of.items())


def write_scores(folder: Path, seed: int = 0) -> None:
    """`scores` of everybody against everybody's recordings, those of one sex more alike; `trials`."""
    rng = np.random.default_rng(seed)
    pairs = [(name, heard) for name in SEX for heard in RECORDINGS]
    folder.mkdir(parents=True, exist_ok=True)
    score = [rng.normal() + 3 * (a == b[:2]) + 2 * (SEX[a] == SEX[b[:2]]) for a, b in pairs]
    (folder / "scores").write_text(
        "".join(f"{a} {b} {one:.4f}\n" for (a, b), one in zip(pairs, score, strict=True))
    )
    (folder / "trials").write_text(
        "".join(f"{a} {b} {'target' if a == b[:2] else 'nontarget'}\n" for a, b in pairs)
    )


def write_drop(folder: Path) -> None:
    """The same with the map of speakers, two attributes and one file of predictions, under any names."""
    write_scores(folder)
    (folder / "who").write_text(two_columns({one: one[:2] for one in RECORDINGS}))
    (folder / "sex").write_text(two_columns(SEX))
    (folder / "accent").write_text(two_columns(ACCENT))
    (folder / "heard").write_text(two_columns(SAID))


AGE = {name: "old" if name == "s0" else "young" for name in SEX}
"""Two people have each sex and accent; with the age s0 and s2 are alone, and nobody else."""
OF_PROTECTED = {
    "sex-heard": {one: SEX[one[:2]] for one in RECORDINGS},
    "accent-heard": dict.fromkeys(RECORDINGS, "Irish"),
    "age-heard": {one: "old" if one.startswith("s1") else "young" for one in RECORDINGS},
}
"""What recognisers make of protected speech: s1 alone is unique, and taken for s0 but for the sex."""


def write_before_and_after(folder: Path) -> None:
    """Original speech, of which every attribute is told, and a safeguard, with three attributes."""
    lists = folder / "data" / "libri_test_trials_mixed"
    write_scores(lists)
    (lists / "utt2spk").write_text(two_columns({one: one[:2] for one in RECORDINGS}))
    every = {"sex": SEX, "accent": ACCENT, "age": AGE}
    for name, of in every.items():
        (lists / name).write_text(two_columns(of))
    told = {f"{name}-heard": {one: of[one[:2]] for one in RECORDINGS} for name, of in every.items()}
    for place, said in (
        ("asv_orig/ASV-libri_test_enrolls-libri_test_trials_mixed", told),
        ("B1/ASV-libri_test_enrolls_anon-libri_test_trials_mixed_anon", OF_PROTECTED),
    ):
        made = folder / "exp" / place
        made.mkdir(parents=True)
        (made / "scores").write_bytes((lists / "scores").read_bytes())
        for name, of in said.items():
            (made / name).write_text(two_columns(of))
    (lists / "scores").unlink()
