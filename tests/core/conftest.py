"""What tests of the core have at hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quick_starts import quick_starts


@pytest.fixture(scope="session", autouse=True)
def programs_start_quickly() -> Iterator[None]:
    """Programs that work apart are forked with libraries loaded, each a process of its own as ever."""
    with quick_starts():
        yield


@pytest.fixture
def put(tmp_path):
    """Writes a file and returns its path."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write
