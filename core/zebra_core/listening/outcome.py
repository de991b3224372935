"""The outcome of a test as files: scores and keys in the folders of the challenge, ratings, and all figures.

Listeners are attackers: the panel, and each listener alone. Each has a folder for every safeguard, with a key
of its own, because not everybody hears every trial.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from zebra_core.errors import OutputError
from zebra_core.files.opening import folder_of
from zebra_core.files.writing import make_folder, write_files
from zebra_core.listening.evaluation import Evaluation, RatingResult
from zebra_core.listening.items import UNPROTECTED, UNPROTECTED_FOLDER, ItemTask
from zebra_core.listening.methods_text import account
from zebra_core.listening.scores import Panel

OUTCOME, ACCOUNT = "listening.json", "listening.txt"
PANEL, MACHINE = "panel", "machine"
_SETS = {ItemTask.SAME: "pairs", ItemTask.PLACEMENT: "canvases"}
_BACK_ENDS = {ItemTask.SAME: "confidence_out", ItemTask.PLACEMENT: "placement_out"}


def write_outcome(found: Evaluation, out: Path, *, overwrite: bool = False) -> list[Path]:
    """Write everything. Raises OutputError."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=folder_of(out))
    files: dict[Path, bytes] = {
        out / ACCOUNT: account(found).encode(),
        out / OUTCOME: (json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n").encode(),
    }
    for one in found.panels:
        files |= _scores(found, one.panel, PANEL, out)
        for listener in one.panel.listeners:
            alone = one.panel.of(listener)
            if alone is not None and alone.is_target.any() and not alone.is_target.all():
                files |= _scores(found, alone, listener, out)
    for one in found.machine:
        files |= _scores(found, one.panel, MACHINE, out)
    for rating in found.ratings:
        files |= _ratings(rating, out)
    for path in files:
        make_folder(path.parent)
    return write_files(files, overwrite=overwrite)


def _scores(found: Evaluation, panel: Panel, who: str, out: Path) -> dict[Path, bytes]:
    name = _SETS[panel.question]
    enrol, test = _suffixes(found, panel)
    top = out / who / (panel.safeguard or UNPROTECTED_FOLDER) / name
    by = ("asv_orig", "cosine_out") if who == MACHINE else (f"listeners_{who}", _BACK_ENDS[panel.question])
    place = top / "exp" / Path(*by)
    rows = list(zip(panel.pairs, panel.score.tolist(), panel.is_target.tolist(), strict=True))
    people = {each: found.plan.speaker[each] for pair in panel.pairs for each in pair}
    return {
        place / f"{name}_enrolls{enrol}-{name}_trials{test}" / "scores": _lines(
            {pair: f"{score!r}" for pair, score, _ in rows}
        ),
        top / "data" / f"{name}_trials" / "trials": _lines(
            {pair: "target" if same else "nontarget" for pair, _, same in rows}
        ),
        top / "data" / f"{name}_trials" / "utt2spk": "".join(
            f"{each} {who}\n" for each, who in sorted(people.items())
        ).encode(),
    }


def _suffixes(found: Evaluation, panel: Panel) -> tuple[str, str]:
    if panel.safeguard == UNPROTECTED:
        return "", ""
    both = panel.question is ItemTask.PLACEMENT or found.plan.enrol_protected
    return f"_{panel.safeguard}" if both else "", f"_{panel.safeguard}"


def _lines(rows: Mapping[tuple[str, str], str]) -> bytes:
    return "".join(f"{enrol} {test} {value}\n" for (enrol, test), value in rows.items()).encode()


def _ratings(rating: RatingResult, out: Path) -> dict[Path, bytes]:
    """A file of ratings for each safeguard, as `zebra utility --ratings` and the window read them."""
    of = rating.rated
    clean = _rows(rating, UNPROTECTED, "clean") if UNPROTECTED in of.safeguards else []
    return {
        out / "ratings" / f"{of.question.value}-{name}.txt": "".join(
            [*clean, *_rows(rating, name, "protected")]
        ).encode()
        for name in of.safeguards
        if name != UNPROTECTED
    }


def _rows(rating: RatingResult, safeguard: str, word: str) -> list[str]:
    table = rating.rated.under(safeguard)
    return [
        f"{rating.rated.recordings[row]} {rating.rated.listeners[column]} {int(table[row, column])} {word}\n"
        for row, column in np.argwhere(~np.isnan(table)).tolist()
    ]
