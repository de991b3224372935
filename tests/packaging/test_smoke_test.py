"""The judge of a frozen program: what it lets pass, and what it does not."""

import json
import sys
from pathlib import Path

import pytest
import smoke_test
from smoke_test import PROJECT, RUNS, WINDOWS, main, unexplained, verdict

from zebra_core.document.project_file import open_project

BY_NAME = {run.name: run for run in RUNS}
ASSESSMENT = {"n_target": 2, "n_nontarget": 2, "tag": "A", "d_ece_bits": 0.7213475204444817}


def test_known_lines_are_explained_and_others_are_not():
    known = "This plugin does not support propagateSizeHints()\n\n"

    assert unexplained(known) == []
    assert unexplained(known + "qt.qpa.plugin: Could not load\n") == ["qt.qpa.plugin: Could not load"]


def test_a_known_line_with_more_behind_it_is_not_known():
    assert unexplained("This plugin does not support raise() at all") != []


def test_remarks_of_today_are_explained(tmp_path):
    smoke_test._write_sample(tmp_path)
    program = Path(sys.executable).with_name("zebra")
    for name in ("assess", "similarity", "comparison", "project", "report"):
        assert smoke_test.run_trouble(program, BY_NAME[name], tmp_path) == [], name


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

    assert verdict(run, 1, "", "zebra: error: none.txt was not found in case.\n") == []
    assert verdict(run, 1, "", "Segmentation fault\n") == ["unexpected words: 'Segmentation fault\\n'"]


def test_versions_and_verdicts_are_recognised():
    assert verdict(BY_NAME["version"], 0, "zebra 1.2.0 (0123456789ab)\n", "") == []
    assert verdict(BY_NAME["version"], 0, "zebra unknown\n", "") == ["no version"]
    assert verdict(BY_NAME["known answers"], 0, "3 of 70 checks: FAILED.\n", "") != []


@pytest.mark.parametrize(
    ("name", "status", "out", "told"),
    [
        (
            "report verified",
            0,
            "All 49 figures, files and pages are those of the evidence. As stated, not checked: names.\n",
            [],
        ),
        (
            "report verified",
            4,
            "Not everything is verified: 48 verified, 1 differs.\n",
            ["status 4", "the report"],
        ),
        (
            "false report",
            0,
            "All 49 figures, files and pages are those of the evidence.\n",
            ["status 0", "a report that was"],
        ),
        ("similarity", 0, '{"speakers": ["a", "b"], "d_diag": {"oo": 0.7272727272727273}}', []),
        ("similarity", 0, '{"speakers": ["a", "b"], "d_diag": {"oo": 0.9}}', ["wrong figures"]),
        ("comparison", 0, json.dumps({"rows": [ASSESSMENT]}), []),
        ("comparison", 0, json.dumps({"rows": []}), ["output that cannot be read"]),
    ],
)
def test_reports_matrices_and_comparisons_are_judged(name, status, out, told):
    wrong = verdict(BY_NAME[name], status, out, "")

    assert len(wrong) == len(told)
    assert all(line.startswith(words) for line, words in zip(wrong, told, strict=True))


def test_the_report_is_tampered_with_in_one_figure(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "evidence.json").write_text('{"d_ece_bits": 0.7213475204444817, "eer": 0.0}')

    BY_NAME["false report"].before(tmp_path)

    assert (tmp_path / "false.json").read_text() == '{"d_ece_bits": 0.0213475204444817, "eer": 0.0}'


def test_the_sample_project_opens_and_keeps_its_figures():
    (entry,) = open_project(PROJECT).project.entries

    assert entry.assessment.d_ece_bits == ASSESSMENT["d_ece_bits"]
    assert entry.assessment.tag == "A"


def test_a_program_that_only_grumbles_fails_every_run(tmp_path, monkeypatch, capsys):
    program = tmp_path / "zebra"
    program.write_text("#!/bin/sh\necho cannot open shared object file >&2\nexit 127\n")
    program.chmod(0o755)
    monkeypatch.setattr(smoke_test, "_DISPLAY", ())
    monkeypatch.setenv("DISPLAY", ":none")

    assert main(program) == len(RUNS) + len(WINDOWS)
    assert "unexplained output: cannot open shared object file" in capsys.readouterr().out
