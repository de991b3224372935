"""The judge of a frozen program: what it lets pass, and what it does not."""

import json

import pytest
import smoke_test
from smoke_test import RUNS, main, unexplained, verdict

BY_NAME = {run.name: run for run in RUNS}
ASSESSMENT = {"n_target": 2, "n_nontarget": 2, "tag": "A", "d_ece_bits": 0.7213475204444817}


def test_known_lines_are_explained_and_others_are_not():
    known = "This plugin does not support propagateSizeHints()\n\n"

    assert unexplained(known) == []
    assert unexplained(known + "qt.qpa.plugin: Could not load\n") == ["qt.qpa.plugin: Could not load"]


def test_a_known_line_with_more_behind_it_is_not_known():
    assert unexplained("This plugin does not support raise() at all") != []


def test_a_good_run_passes():
    assert verdict(BY_NAME["assess"], 0, json.dumps(ASSESSMENT), "") == []


@pytest.mark.parametrize(
    ("status", "out", "errors", "told"),
    [
        (1, json.dumps(ASSESSMENT), "", "status 1 instead of 0"),
        (0, json.dumps(ASSESSMENT), "Traceback (most recent call last):", "unexplained output: Traceback"),
        (0, json.dumps({**ASSESSMENT, "d_ece_bits": 0.72}), "", "wrong figures"),
        (0, "", "", "output that cannot be read"),
        (0, "{}", "", "output that cannot be read"),
    ],
)
def test_what_is_wrong_is_told(status, out, errors, told):
    (line,) = verdict(BY_NAME["assess"], status, out, errors)

    assert line.startswith(told)


def test_where_a_run_is_to_fail_its_words_matter():
    run = BY_NAME["missing file"]

    assert verdict(run, 1, "", "zebra: none.txt is not there: there is no such file.\n") == []
    assert verdict(run, 1, "", "Segmentation fault\n") == ["unexpected words: 'Segmentation fault\\n'"]


def test_versions_and_verdicts_are_recognised():
    assert verdict(BY_NAME["version"], 0, "zebra 1.2.0 (0123456789ab)\n", "") == []
    assert verdict(BY_NAME["version"], 0, "zebra unknown\n", "") == ["no version"]
    assert verdict(BY_NAME["known answers"], 0, "3 of 70 checks: FAILED.\n", "") != []


def test_a_program_that_only_grumbles_fails_every_run(tmp_path, monkeypatch, capsys):
    program = tmp_path / "zebra"
    program.write_text("#!/bin/sh\necho cannot open shared object file >&2\nexit 127\n")
    program.chmod(0o755)
    monkeypatch.setattr(smoke_test, "_DISPLAY", ())
    monkeypatch.setenv("DISPLAY", ":none")

    assert main(program) == len(RUNS) + 1
    assert "unexplained output: cannot open shared object file" in capsys.readouterr().out
