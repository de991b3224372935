"""Whatever standard output can hold, and whatever files are called: figures or a sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
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


# Interpreters decode their arguments and set up their output as they start; one does so for several commands,
# each of which is a process of its own that writes into files called by its number.
NEXT = "and then"
PROGRAM = f"""
import os, sys
from zebra_core.project import arrival
from zebra_gui.cli import main
from zebra_gui.commands import report
from zebra_core.report import evidence  # as most of them do, and each anew

given = sys.argv[2:]
number = 0
while given:
    own = given[:given.index({NEXT!r})]
    given = given[len(own) + 1:]
    child = os.fork()
    if not child:
        for stream in (1, 2):
            kept = os.open(os.path.join(sys.argv[1], f"{{number}}-{{stream}}"), os.O_WRONLY | os.O_CREAT)
            os.dup2(kept, stream)
        sys.argv[1:] = own
        main()
        raise AssertionError("a command ends its program")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(os.path.join(sys.argv[1], f"{{number}}-status"), "w") as file:
        file.write(str(status))
    number += 1
"""


def zebra(
    folder: Path, told: Path, output: str, commands: Sequence[Sequence[str]]
) -> list[tuple[int, bytes, bytes]]:
    """The status, standard output and standard error of each command."""
    subprocess.run(
        [
            *(sys.executable, "-c", PROGRAM, str(told)),
            *(word for command in commands for word in (*command, NEXT)),
        ],
        check=True,
        cwd=folder,
        env={**os.environ, **OUTPUTS[output], "OPENBLAS_NUM_THREADS": "1"},  # threads are not forked
        timeout=120,
    )
    found = []
    for number in range(len(commands)):
        status, out, err = (told / f"{number}-{what}" for what in ("status", "1", "2"))
        assert b"Traceback" not in err.read_bytes()
        found.append((int(status.read_text()), out.read_bytes(), err.read_bytes()))
    return found


@pytest.mark.parametrize("output", OUTPUTS)
def test_names_of_files_and_labels_are_printed_or_escaped(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, output: str
) -> None:
    (tmp_path / NAME).write_text(SCORES)
    (tmp_path / "key").write_text(KEY)
    commands = [
        ["assess", "-s", NAME, "-k", "key", "-l", NAME, "--json"],
        ["assess", "-s", NAME, "-k", "key", "-l", NAME],
        ["assess", "-s", f"{NAME}x", "-k", "key"],
        ["report", NAME, "-o", f"{NAME}.pdf"],
    ]
    as_json, as_text, not_there, no_pair = zebra(tmp_path, tmp_path_factory.mktemp("told"), output, commands)
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
