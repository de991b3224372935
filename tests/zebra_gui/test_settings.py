"""Settings name recent files, and are for their owner alone."""

import stat
import sys
from pathlib import Path

import pytest

from zebra_gui.settings import settings


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_settings_are_private_and_stay_so():
    found = settings()
    found.setValue("recent", "of somebody")
    found.sync()
    assert stat.S_IMODE(Path(found.fileName()).stat().st_mode) == 0o600
