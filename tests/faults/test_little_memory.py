"""Memory that runs out while files are loaded: a sentence says so, and what was open goes on."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import zebra_resources
from tests.core import samples
from tests.faults.programs import run
from zebra_core.intake.sorting.plan import plan
from zebra_core.project import demo
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import made_pdf, make_report
from zebra_core.runtime import memory

OF_ALL = (
    "There is not enough memory for this. What was open still is; close other programs, or open fewer files "
    "at once."
)
OF_ONE = "{} needs more memory than is free. Close other programs, or give fewer files at once."
SENTENCES = {OF_ALL, OF_ONE.format("scores.txt"), OF_ONE.format("trials.txt")}


def test_scores_that_need_more_memory_than_there_is(tmp_path: Path) -> None:
    ended = run("little_memory", tmp_path, 20, 120)
    assert ended.returncode == 0, ended.stderr
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    told = [found_once.pop("told") for found_once in found]
    assert all(sentences and SENTENCES.issuperset(sentences) for sentences in told), told
    assert found == [{"items": 0, "saved": f"after {most}", "later": []} for most in (20, 120)]


def test_of_a_folder_only_the_file_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch) -> None:
    for file in (demo.FILES[2].path, zebra_resources.path(demo.KEY)):
        shutil.copy(file, tmp_path)
    np.lib.format.open_memmap(tmp_path / "large.npy", "w+", np.int8, (600_000_000,))
    monkeypatch.setattr(memory, "free_bytes", lambda: 300 << 20)

    made = plan([tmp_path])

    assert len(made.assessments) == 1
    assert [problem.error.code for problem in made.problems] == ["too-large-to-hold"]
    assert "large.npy" in str(made.problems[0].error)


def test_what_unpacks_to_more_than_is_free_is_left_out_while_it_is_unpacked(tmp_path, monkeypatch) -> None:
    for file in (demo.FILES[2].path, zebra_resources.path(demo.KEY)):
        shutil.copy(file, tmp_path)
    with zipfile.ZipFile(tmp_path / "large.zip", "w") as packed:  # archives are never read piece by piece
        packed.writestr("scores", b"anna otto 1.0\n" * (6 << 20))
    monkeypatch.setattr(memory, "_lines", lambda path: ["MemAvailable: 65000 kB"] * ("meminfo" in path))

    made = plan([tmp_path])

    assert len(made.assessments) == 1
    assert [str(problem.error) for problem in made.problems] == [OF_ONE.format("large.zip")]


def test_a_key_that_takes_too_much_memory_is_told_with_its_scores(tmp_path: Path, monkeypatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    for file in (demo.FILES[2].path, zebra_resources.path(demo.KEY)):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr("zebra_core.intake.planned.Contents.table", no_memory)

    assert len(plan([tmp_path]).files) == 2


def test_a_report_is_refused_where_its_engine_would_end_the_program(monkeypatch) -> None:
    monkeypatch.setattr(memory, "_lines", lambda path: ["MemAvailable: 130000 kB"] * ("meminfo" in path))

    with pytest.raises(MemoryError):
        made_pdf(make_report(gather(samples.demo())))
