"""The counts in a project are those of its files, or nothing is reported of them."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.lib import format as npy

from tests.core.project.sharing.test_pseudonymised import more_in, named_in
from tests.core.samples import pdf_text
from zebra_core.document import container
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import trials_of, voice_trials_of
from zebra_gui.cli import main

COMMANDS = (
    ("compare", "--json"),
    ("compare", "--json", "--bootstrap", "20"),
    ("report", "--no-intervals", "-o", "{}/r.pdf"),
    ("copy", "-o", "{}/c.zebra"),
    ("copy", "--without-names", "-o", "{}/c.zebra"),
)


def members_of(path: Path) -> dict[str, bytes]:
    with container.Container(path) as packed:
        return {name: packed.read(name) for name in container_names(path)}


def container_names(path: Path) -> list[str]:
    import zipfile

    with zipfile.ZipFile(path) as packed:
        return packed.namelist()


def altered(path: Path, member: str) -> None:
    """Deal the columns of a table out anew, so that less is disclosed."""
    members = members_of(path)
    table = np.load(io.BytesIO(members[member]))
    rng = np.random.default_rng(0)
    if member.startswith("counts"):
        order = rng.permutation(len(table))
        for name in ("n_target", "n_nontarget"):
            table[name] = table[name][order]
    else:
        table["sum_llr"] *= 0.5
    written = io.BytesIO()
    npy.write_array(written, table, version=(1, 0), allow_pickle=False)
    path.write_bytes(container.pack({**members, member: written.getvalue()}))


@pytest.fixture
def case(tmp_path: Path) -> Path:
    save_project(named_in(tmp_path), tmp_path / "case.zebra", with_inputs=True)
    return tmp_path / "case.zebra"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("are_inside", [False, True])
def test_other_counts_than_those_of_the_files_end_every_command(
    case: Path, tmp_path: Path, command: tuple[str, ...], are_inside: bool
) -> None:
    altered(case, "counts/1.npy")
    if are_inside:
        for path in (tmp_path / "case-of-Anneliese").iterdir():
            path.unlink()
    name, *rest = command
    found = CliRunner().invoke(main, [name, str(case), *(one.format(tmp_path) for one in rest)])
    assert found.exit_code == 1, found.stdout
    assert "does not have for “B1 OP” what is in its files" in found.stderr
    assert not list(tmp_path.glob("[rc].*"))


def test_nor_are_they_reported_in_the_window(case: Path) -> None:
    altered(case, "counts/1.npy")
    project = open_project(case).project
    with pytest.raises(InputError, match="what is in its files"):
        trials_of(project.entries[0])
    with pytest.raises(InputError, match="what is in its files"):
        gather(project)


def test_nor_are_other_sums_of_matrices(tmp_path: Path) -> None:
    matrices = more_in(tmp_path)[0]
    path = tmp_path / "case.zebra"
    save_project(Project("", (matrices,)), path)
    altered(path, "similarity/1-op.npy")
    with pytest.raises(InputError, match="what is in its files"):
        gather(open_project(path).project)
    found = CliRunner().invoke(main, ["report", str(path), "-o", str(tmp_path / "r.pdf")])
    assert found.exit_code == 1
    assert "what is in its files" in found.stderr


def test_honest_projects_are_as_they_were(case: Path, tmp_path: Path) -> None:
    items = more_in(tmp_path)
    path = tmp_path / "more.zebra"
    save_project(Project("", items), path)
    project = open_project(path).project
    gather(project)
    assert voice_trials_of(project.similarities[0])
    for each in (case, path):
        found = CliRunner().invoke(main, ["compare", str(each), "--json"])
        assert found.exit_code == 0, found.stderr
        assert json.loads(found.stdout)["rows"]


def test_without_the_files_page_1_says_that_nobody_could_check(case: Path, tmp_path: Path) -> None:
    made = ["report", str(case), "--no-intervals", "--summary", "-o"]
    sentence = "nobody could check that the figures are theirs"
    assert CliRunner().invoke(main, [*made, str(tmp_path / "with.pdf")]).exit_code == 0
    assert sentence not in pdf_text(tmp_path / "with.pdf").replace("\n", " ")
    save_project(open_project(case).project, case)
    for path in (tmp_path / "case-of-Anneliese").iterdir():
        path.unlink()
    found = CliRunner().invoke(main, [*made, str(tmp_path / "without.pdf")])
    assert found.exit_code == 0, found.stderr
    assert sentence in pdf_text(tmp_path / "without.pdf").replace("\n", " ")
