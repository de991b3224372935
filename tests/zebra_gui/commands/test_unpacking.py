"""What packs better than files of scores do, on the command line: refused, with a flag that is there."""

import gzip
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from zebra_core.document.project_file import save_project
from zebra_core.evidence.audit import Answers
from zebra_core.intake.opening import packing
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_gui.cli import main
from zebra_gui.manual.fills import commands

REFUSED = (
    "scores.gz unpacks to more than 2 times its size, as score files never do. If you trust it, say so in "
    "the window or with --unpack, or give its contents as plain text."
)
PAIRS = [(f"s{a}", f"s{b}-{n}", 3 * (a == b) + n % 3) for a in range(4) for b in range(4) for n in range(9)]
SEGMENTS = [
    (f"s{a}-{m}", f"s{b}-{n}", a == b) for a in range(4) for b in range(4) for m in "012" for n in "345"
]


def zebra(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores that count as a bomb, for what packs to less than the half does, and their key beside them."""
    monkeypatch.setattr(packing, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(packing, "MOST_RATIO", 2)
    made = tmp_path / "B2"
    made.mkdir()
    lines = "".join(f"{enrol} {test} {score}\n" for enrol, test, score in PAIRS)
    (made / "scores.gz").write_bytes(gzip.compress(lines.encode()))
    labels = (
        f"{one} {other} {'target' if other.startswith(f'{one}-') else 'nontarget'}\n"
        for one, other, _ in PAIRS
    )
    (made / "key").write_text("".join(labels))
    return made


def refused(*arguments: object) -> None:
    done = zebra(*arguments)
    assert done.exit_code == 1
    assert done.stderr == f"zebra: error: {REFUSED}\n"


def test_each_command_that_reads_files_of_scores_has_the_flag() -> None:
    with click.Context(main):
        has_it = [
            name for name, command in commands().items() if "unpack" in {one.name for one in command.params}
        ]
    assert has_it == ["assess", "calibration", "similarity", "compare", "report", "copy", "again", "verify"]


def test_compare_and_report_of_a_folder(folder: Path, tmp_path: Path) -> None:
    refused("compare", folder)
    done = zebra("compare", folder, "--unpack", "--json")
    assert done.exit_code == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert (row["n_target"], row["n_nontarget"]) == (36, 108)

    report = tmp_path / "report.pdf"
    refused("report", folder, "-o", report)
    assert zebra("report", folder, "-o", report, "--no-intervals", "--unpack").exit_code == 0
    assert zebra("verify", report, "--data", folder).exit_code == 4
    assert zebra("verify", report, "--data", folder, "--unpack").exit_code == 0


def test_what_is_left_out_of_a_folder_names_the_flag(folder: Path) -> None:
    scores = gzip.decompress((folder / "scores.gz").read_bytes())
    (folder / "other").write_bytes(scores)
    done = zebra("compare", folder)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == f"zebra: {REFUSED}"


def test_of_a_project_its_trials_are_read_again(folder: Path, tmp_path: Path) -> None:
    (entry,) = arrive([folder], Answers({"unpacking": "yes"})).entries
    project = tmp_path / "case.zebra"
    save_project(Project(items=(entry,)), project)
    done = zebra("compare", project, "--bootstrap", 20)
    assert done.exit_code == 1
    assert REFUSED in done.stderr
    done = zebra("compare", project, "--bootstrap", 20, "--unpack", "--json")
    assert REFUSED not in done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert row["worst_case_log10_lr_low"] < row["worst_case_log10_lr_high"]


def test_calibration(folder: Path) -> None:
    files = "-s", folder / "scores.gz", "-k", folder / "key"
    training = "--train-scores", folder / "scores.gz", "--train-key", folder / "key"
    refused("calibration", *files, *training)
    done = zebra("calibration", *files, *training, "--unpack")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("linear: C_ECE ")


def test_similarity(folder: Path) -> None:
    lines = "".join(f"{one} {other} {2.5 if same else -1.5}\n" for one, other, same in SEGMENTS)
    (folder / "scores.gz").write_bytes(gzip.compress(lines.encode()))
    files = "--oo", folder / "scores.gz", "--speakers", "before-hyphen"
    refused("similarity", *files)
    done = zebra("similarity", *files, "--unpack", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["speakers"] == ["s0", "s1", "s2", "s3"]
