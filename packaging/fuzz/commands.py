"""Fuzzed, too: the command line, beside a few good files."""

from __future__ import annotations

import random
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

from zebra_core.document.project_file import save_project
from zebra_core.project.gathering.gathering import gather

_GOOD = (
    "assess -s scores -k key -l B1 --allow infinite-scores --json",
    "assess -s scores -k key --allow infinite-scores -e svg -o out --overwrite --read scores=kaldi-scores",
    "assess -s scores -k key --allow infinite-scores --bootstrap 3 --seed 1 --no-stream",
    "calibration -s scores -k key --train-scores scores --train-key key --json",
    "similarity --oo pairs --op pairs --pp pairs --speakers whole-id --mean sigmoid-of-mean --json",
    "similarity --oo pairs --utt2spk map -o out --bootstrap 2",
    "compare case.zebra --json",
    "compare . -o out",
    "report case.zebra -o out --date 2026-11-20",
    "verify evidence.json --data . --json",
    "--version",
    "--help",
    "scores key",
)
_ODD = (
    "",
    "-",
    "--",
    "=",
    "\udcff",
    "\u202e",
    "{",
    "%s",
    "1e400",
    "-1",
    "0",
    "1",
    "9" * 400,
    "none",
    "a b",
)
# What takes long because it is asked for, or would write outside of the folder: nothing that is to be found.
_NOT_TRIED = re.compile(r"/|\.\.|~|\bdemo\b|\bselftest\b|\bvalidate\b")
_MUCH = re.compile(r"\d{3}")


def command_line(content: bytes) -> None:
    """As arguments of the program, which ends with one of its exit statuses and without opening a window."""
    from click.testing import CliRunner

    from zebra_gui import cli
    from zebra_gui.commands import showing
    from zebra_gui.commands.report import NOT_VERIFIED

    # A NUL ends an argument: none has ever one in it.
    text = content.replace(b"\0", b" ").decode("utf-8", "surrogateescape")
    try:
        arguments = shlex.split(text)
    except ValueError:
        return
    text = " ".join(arguments)
    if _NOT_TRIED.search(text) or ("bootstrap" in text and _MUCH.search(text)):
        return
    with _in_a_folder(), patch.object(showing, "open_window", return_value=0), _without_pages():
        done = CliRunner().invoke(cli.main, arguments)
    if done.exit_code not in (0, 1, 2, NOT_VERIFIED):
        raise AssertionError(f"exit status {done.exit_code}: {done.stderr}")


def seeds(name: str) -> dict[str, bytes]:
    """Good command lines."""
    if name != "command-line":
        return {}
    return {f"good-{number}": line.encode() for number, line in enumerate(_GOOD)}


def mutated(content: bytes, most: int, seed: int, otherwise: Callable[[bytes, int], bytes]) -> bytes:
    """Words changed for words that the program knows, three times in four; else as the fuzzer likes it."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    if rng.random() < 0.25:
        return otherwise(content, most)
    words = content.decode("utf-8", "surrogateescape").split(" ")
    known = [*_ODD, *" ".join(_GOOD).split()]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.choice((0, 1, 1, 2))] = rng.sample(known, rng.choice((0, 1, 1, 1, 2)))
    made = " ".join(words).encode("utf-8", "surrogateescape")
    return made if len(made) <= most else otherwise(content, most)


@contextmanager
def _without_pages() -> Iterator[None]:
    """A report takes seconds to set and a picture tenths to draw, whatever the words of the command are."""
    from zebra_core.figures import matplotlib_
    from zebra_core.report import export

    with (
        patch.object(export, "report_set", return_value=[]),
        patch.object(export, "save_report"),
        patch.object(matplotlib_, "render", return_value=b""),
    ):
        yield


@contextmanager
def _in_a_folder() -> Iterator[None]:
    """In a folder of its own with good files, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in _files().items():
            Path(folder, name).write_bytes(content)
        with chdir(folder):
            yield


@cache
def _files() -> dict[str, bytes]:
    from tests.core.document.samples import write_case
    from zebra_core.project.project import Project
    from zebra_core.project.reading.reading import assess_files
    from zebra_core.report.export import make_report

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for written, name in zip(write_case(folder), ("scores", "key"), strict=True):
            shutil.move(written, folder / name)
        entry = assess_files(folder / "scores", folder / "key", allow=["infinite-scores"])
        project = Project(items=(entry,))
        save_project(project, folder / "case.zebra", {}, with_inputs=True)
        (folder / "evidence.json").write_bytes(make_report(gather(project)).evidence)
        speakers = range(4)
        (folder / "map").write_text("".join(f"s{n}-{k} s{n}\n" for n in speakers for k in (0, 1)))
        pairs = (
            f"s{a}-{i} s{b}-{j} {a * b + i - j}\n"
            for a in speakers
            for b in speakers
            for i in (0, 1)
            for j in (0, 1)
            if (a, i) != (b, j)
        )
        (folder / "pairs").write_text("".join(pairs))
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
