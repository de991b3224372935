"""What tests of the core have at hand."""

from pathlib import Path

import pytest


@pytest.fixture
def put(tmp_path):
    """Writes a file and returns its path."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write
