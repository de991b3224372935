"""Programs that tests use and Python does not bring along: TeX, PDF tools, a screen."""

import os
import shutil

import pytest

ALL_ARE_NEEDED = "ZEBRA_TEST_PROGRAMS"
"""Set by `make test`, in which nothing may be left out."""
MISSING = "is missing: run `make test-setup`, which installs what the tests use"


def needed(program: str) -> str:
    """Where this program is; without it the test is skipped, or fails in `make test`."""
    if (found := shutil.which(program)) is None:
        leave = pytest.fail if os.environ.get(ALL_ARE_NEEDED) else pytest.skip
        leave(f"{program} {MISSING}")
    return found
