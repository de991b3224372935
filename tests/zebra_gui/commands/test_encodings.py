"""Whatever standard output can hold, and whatever files are called: figures or a sentence."""

import json
import os
import subprocess
import sys
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


def zebra(folder: Path, output: str, status: int, *arguments: str) -> tuple[bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-c", "from zebra_gui.cli import main\nmain()", *arguments],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, **OUTPUTS[output]},
        timeout=120,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == status, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("output", OUTPUTS)
def test_names_of_files_and_labels_are_printed_or_escaped(tmp_path: Path, output: str) -> None:
    (tmp_path / NAME).write_text(SCORES)
    (tmp_path / "key").write_text(KEY)
    out, _ = zebra(tmp_path, output, 0, "assess", "-s", NAME, "-k", "key", "-l", NAME, "--json")
    found = json.loads(out.decode("utf-8", "surrogateescape"))
    assert found["n_target"] == 2
    # Where arguments are ASCII every other byte of them is a surrogate: the bytes are the same.
    assert found["label"].encode("utf-8", "surrogateescape") == os.fsencode(NAME)
    out, _ = zebra(tmp_path, output, 0, "assess", "-s", NAME, "-k", "key", "-l", NAME)
    assert out.count(b"\n") == 3  # the name is one line, and two lines of figures
    _, told = zebra(tmp_path, output, 1, "assess", "-s", f"{NAME}x", "-k", "key")
    assert told.startswith(b"zebra: ")
    assert told.count(b"\n") == 1
    _, told = zebra(tmp_path, output, 1, "report", NAME, "-o", f"{NAME}.pdf")
    assert told.count(b"\n") == 1
