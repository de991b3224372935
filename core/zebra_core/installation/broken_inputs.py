"""Files that are broken, each refused with a sentence: a sample of what a laboratory may be given."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.files.writing import temporary_folder
from zebra_core.installation.examined import ExaminedRequirement
from zebra_core.intake.drop import read_trials
from zebra_core.saved.project_file import open_project
from zebra_core.wording.texts import say

_KEY = b"a a1 target\na b1 nontarget\nb a1 nontarget\nb b1 target\n"
_SCORES = b"a a1 2.5\na b1 -1.0\nb a1 0.5\nb b1 1.5\n"
_INTAKE, _SAVED = "tests/core/intake", "tests/core/saved"


@dataclass(frozen=True)
class BrokenInput:
    """What is wrong, scores and key, and the code of the sentence that must come."""

    name: str
    code: str
    scores: bytes = _SCORES
    key: bytes = _KEY


BROKEN = (
    BrokenInput("empty", "empty", scores=b""),
    BrokenInput("word", "score-not-a-number", scores=_SCORES.replace(b"0.5", b"high")),
    BrokenInput("infinite", "infinite-scores", scores=_SCORES.replace(b"0.5", b"inf")),
    BrokenInput("overflow", "score-too-large", scores=_SCORES.replace(b"0.5", b"1e999")),
    BrokenInput("columns", "columns", scores=_SCORES.replace(b" 0.5", b"")),
    BrokenInput("nul", "binary", scores=_SCORES.replace(b"b a1", b"b\0 a1")),
    BrokenInput("missing", "trial-without-score", scores=_SCORES.replace(b"b b1 1.5\n", b"")),
    BrokenInput("twice", "repeats-contradict", scores=_SCORES + b"a a1 0.0\n"),
    BrokenInput("contradiction", "repeats-contradict", key=_KEY + b"a a1 nontarget\n"),
    BrokenInput("label", "label-unknown", key=_KEY.replace(b"b b1 target", b"b b1 perhaps")),
    BrokenInput("one-class", "no-nontargets", key=_KEY.replace(b"nontarget", b"target")),
    BrokenInput("cut", "packing-broken", scores=gzip.compress(_SCORES * 50, mtime=0)[:-12]),
    BrokenInput("bomb", "unpacks-too-much", scores=gzip.compress(b"a a1 0.5\n" * 100_000, mtime=0) * 90),
    BrokenInput("picture", "mistake-picture", scores=b"\x89PNG\r\n\x1a\n" + bytes(64)),
    BrokenInput(
        "pickle", "mistake-pickle", scores=b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07scores.\x94."
    ),
)
PROJECT_CODE = "project-not-one"


def refused() -> list[ExaminedRequirement]:
    """Each file, and whether it was refused with the sentence that tells what is wrong with it."""
    lines = []
    with temporary_folder() as name:
        folder = Path(name)
        for broken in BROKEN:
            scores, key = folder / f"{broken.name}-scores", folder / f"{broken.name}-key"
            scores.write_bytes(broken.scores)
            key.write_bytes(broken.key)
            try:
                read_trials(scores, key)
            except InputError as error:
                lines.append(_line(broken.name, broken.code, error, _INTAKE))
            else:
                lines.append(_line(broken.name, broken.code, None, _INTAKE))
        lines.append(_project(folder))
    return lines


def _project(folder: Path) -> ExaminedRequirement:
    """A saved project that is none."""
    path = folder / "broken.zebra"
    path.write_bytes(b"not a project")
    try:
        open_project(path)
    except InputError as error:
        return _line("project", PROJECT_CODE, error, _SAVED)
    return _line("project", PROJECT_CODE, None, _SAVED)


def _line(name: str, code: str, error: InputError | None, test: str) -> ExaminedRequirement:
    found = say("dossier.read") if error is None else f"{error.code}: {error}"
    return ExaminedRequirement(
        say(f"dossier.broken-{name}"),
        say("dossier.broken-criterion", code=code),
        found,
        error is not None and error.code == code,
        say("dossier.broken-source"),
        test,
    )
