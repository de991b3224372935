"""Transcripts, a key and a speaker map of people who say words of their own, as files."""

from pathlib import Path

import numpy as np

PEOPLE, EACH = 12, 6


def written(folder: Path, *, seed: int = 1, own: float = 0.5) -> Path:
    """`text`, `utt2spk` and `trials` of models: the first half of each one's recordings is not tested."""
    draw = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnoprstu"))
    words = ["".join(draw.choice(letters, draw.integers(2, 9))) for _ in range(300)]
    folder.mkdir(exist_ok=True)
    text, map_, trials = [], [], []
    for who in range(PEOPLE):
        mine = draw.integers(0, len(words), 6)
        for number in range(EACH):
            chosen = [mine[n % 6] if draw.random() < own else draw.integers(300) for n in range(12)]
            text.append(f"p{who:02}-{number} {' '.join(words[n] for n in chosen)}\n")
            map_.append(f"p{who:02}-{number} p{who:02}\n")
            trials += [
                f"p{other:02} p{who:02}-{number} {'target' if other == who else 'nontarget'}\n"
                for other in range(PEOPLE)
                if number >= EACH // 2
            ]
    for name, lines in (("text", text), ("utt2spk", map_), ("trials", trials)):
        (folder / name).write_text("".join(lines))
    return folder
