"""Whatever standard output can hold, and whatever files are called: figures or a sentence."""

import json
import os
from pathlib import Path

import pytest

from tests.zebra_gui.forked_commands import ended

SCORES = "a x 1\na y 0.5\nb x 0.25\nb y 2.5\n"
KEY = "a x target\na y nontarget\nb x nontarget\nb y target\n"
NAME = 'it\'s "a"\n\udcff\u202e.txt'
OUTPUTS = {
    "the C locale": {"LC_ALL": "C"},
    "plain ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a pipe on Windows": {"PYTHONIOENCODING": "cp1252"},
    "strict UTF-8": {"PYTHONIOENCODING": "utf-8:strict"},
}


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
    each = ended(commands, OUTPUTS[output], folder=tmp_path)
    assert not any(b"Traceback" in one.stderr for one in each)
    as_json, as_text, not_there, no_pair = each
    status, out, told = as_json
    assert status == 0, told
    found = json.loads(out.decode("utf-8", "surrogateescape"))
    assert found["n_target"] == 2
    # Where arguments are ASCII every other byte of them is a surrogate: the bytes are the same.
    assert found["label"].encode("utf-8", "surrogateescape") == os.fsencode(NAME)
    status, out, told = as_text
    assert status == 0, told
    assert out.count(b"\n") == 3  # the name is one line, and two lines of figures
    status, _, told = not_there
    assert status == 1
    assert told.startswith(b"zebra: ")
    assert told.count(b"\n") == 1
    status, _, told = no_pair
    assert status == 1
    assert told.count(b"\n") == 1
