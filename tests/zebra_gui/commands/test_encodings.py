"""Whatever standard output can hold, and whatever files are called: figures or a sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"
NAME = 'it\'s "a"\n\udcff\u202e.txt'
OUTPUTS = {
    "the C locale": {"LC_ALL": "C"},
    "plain ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a pipe on Windows": {"PYTHONIOENCODING": "cp1252"},
    "strict UTF-8": {"PYTHONIOENCODING": "utf-8:strict"},
}


def zebra(folder: Path, environment: Mapping[str, str], *arguments: str) -> tuple[int, bytes, bytes]:
    """The status, standard output and standard error of a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "from zebra_gui.cli import main; main()", *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, **environment},
        timeout=120,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("output", OUTPUTS)
def test_names_of_files_and_labels_are_printed_or_escaped(tmp_path: Path, output: str) -> None:
    (tmp_path / NAME).write_text(SCORES)
    (tmp_path / "key").write_text(KEY)
    commands = [
        ["assess", "-s", NAME, "-k", "key", "-l", NAME, "--json"],
        ["assess", "-s", NAME, "-k", "key", "-l", NAME],
        ["assess", "-s", f"{NAME}x", "-k", "key"],
        ["report", NAME, "-o", f"{NAME}.pdf"],
    ]
    as_json, as_text, not_there, no_pair = (zebra(tmp_path, OUTPUTS[output], *each) for each in commands)
    status, out, told = as_json
    assert status == 0, told
    found = json.loads(out.decode("utf-8", "surrogateescape"))
    assert found["n_target"] == 2
    # Where arguments are ASCII every other byte of them is a surrogate: the bytes are the same.
    assert found["label"].encode("utf-8", "surrogateescape") == os.fsencode(NAME)
    status, out, told = as_text
    assert status == 0, told
    assert out.count(b"\n") == 4  # that it is too small, the name, and two lines of figures
    status, _, told = not_there
    assert status == 1
    assert told.startswith(b"zebra: ")
    assert told.count(b"\n") == 1
    status, _, told = no_pair
    assert status == 1
    assert told.count(b"\n") == 1
