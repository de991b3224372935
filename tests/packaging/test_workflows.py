"""The workflows, which nobody has run yet, are at least well formed, and pinned as everything else."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONLINT = shutil.which("actionlint", path=str(Path(sys.executable).parent))


@pytest.mark.skipif(ACTIONLINT is None, reason="no actionlint here")
def test_actionlint_finds_nothing():
    done = subprocess.run([ACTIONLINT, *WORKFLOWS], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(ACTIONLINT is None, reason="no actionlint here")
def test_actionlint_finds_a_planted_mistake(tmp_path):
    bad = tmp_path / "bad.yml"
    bad.write_text(
        WORKFLOWS[-1].read_text(encoding="utf-8").replace("matrix.suite", "matrix.sweet"), encoding="utf-8"
    )
    done = subprocess.run([ACTIONLINT, bad], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1
    assert "sweet" in done.stdout


def test_the_suite_is_run_on_every_python_that_is_promised():
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    promised = re.findall(r'Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert re.findall(r'"(3\.\d+)"', text) == promised
    assert all(f"{system}-latest" in text for system in ("ubuntu", "windows", "macos"))


def test_packages_are_installed_by_their_hashes():
    for workflow in WORKFLOWS:
        for line in workflow.read_text(encoding="utf-8").splitlines():
            if "pip install" in line:
                assert "--require-hashes" in line or "--no-deps" in line, (workflow.name, line)
