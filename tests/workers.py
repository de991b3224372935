"""Over how many processes the tests are shared out: as many as there are cores, where that is quicker."""

from collections.abc import Sequence
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None where nothing is gained, or where somebody watches what is printed; else pytest-xdist decides."""
    is_watched = config.option.capture == "no" or config.option.trace
    return 0 if is_watched or not are_worth_workers(config.args) else None


def are_worth_workers(arguments: Sequence[str]) -> bool:
    """Whether pytest's arguments are about several files of tests: to start workers takes seconds.

    Single tests are few, and what does not exist is told by pytest itself, but not by its workers.
    """
    paths = [Path(argument) for argument in arguments]
    if not all(path.exists() for path in paths):  # as no single test does: tests/test_pins.py::test_...
        return False
    files = {
        file.resolve() for path in paths for file in (path.rglob("test_*.py") if path.is_dir() else [path])
    }
    return len(files) > 1
