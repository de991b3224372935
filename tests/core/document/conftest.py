"""A good project file, to be spoilt."""

from pathlib import Path

import pytest

from tests.core.document.samples import rich_project
from zebra_core.document.project_file import save_project


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("good")
    save_project(rich_project(folder), folder / "case.zebra", {"prior": 100})
    return (folder / "case.zebra").read_bytes()


@pytest.fixture
def case(tmp_path: Path, good: bytes) -> Path:
    (tmp_path / "case.zebra").write_bytes(good)
    return tmp_path / "case.zebra"
