"""Over how many processes the tests are shared out: as many as there are cores, where that is quicker."""

from collections.abc import Sequence
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None of them where one file is run, or where somebody watches it: a worker takes seconds to start."""
    is_watched = config.option.capture == "no" or config.option.trace
    return 0 if is_watched or not are_several_files(config.args) else None


def are_several_files(arguments: Sequence[str]) -> bool:
    """Whether pytest's arguments, paths and names of single tests, are about more than one file of tests."""
    files: set[Path] = set()
    for argument in arguments:
        path = Path(argument.split("::")[0]).resolve()
        files.update(path.rglob("test_*.py") if path.is_dir() else [path])
        if len(files) > 1:
            return True
    return False
