"""A handful of files, in any order: which are scores, which is the key, and the trials they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.intake.kaldi import looks_like_key, read_key, read_scores
from core.intake.matching import match
from core.intake.opening import OpenedFile, open_file
from core.progress import Progress, no_progress
from core.trials import Trials


@dataclass(frozen=True)
class Drop:
    """Files sorted into their roles, by content. Either part may be empty: the rest is still to come."""

    scores: tuple[Path, ...] = ()
    keys: tuple[Path, ...] = ()

    def __add__(self, later: Drop) -> Drop:
        return Drop(self.scores + later.scores, self.keys + later.keys)


def sort_drop(paths: Sequence[Path]) -> Drop:
    """Tell scores from keys. Raises InputError at the first file that is neither."""
    is_key = [(path, looks_like_key(open_file(path))) for path in paths]
    return Drop(tuple(path for path, key in is_key if not key), tuple(path for path, key in is_key if key))


def read_trials(scores: str | Path, key: str | Path, on_progress: Progress = no_progress) -> Trials:
    """Read a score file and its key and match them by the pair of ids.

    Raises InputError, whose text names file and line, for everything that is wrong with them; nothing is
    dropped or repaired in silence. See `matching.match`.
    """
    on_progress(0.0)
    score_file, key_file = _open(scores), _open(key)
    on_progress(0.1)
    score_table = read_scores(score_file)
    on_progress(0.5)
    key_table = read_key(key_file)
    on_progress(0.8)
    trials = match(score_table, key_table)
    on_progress(1.0)
    return trials


def _open(path: str | Path) -> OpenedFile:
    return open_file(Path(path))
