"""Names that Windows takes for devices."""

from pathlib import PureWindowsPath

import pytest

from zebra_core.files.names import is_device


@pytest.mark.parametrize(
    "name", ["CON", "con", "nul.zebra", "COM1.tar.gz", "LPT9", "Aux ", "COM¹.txt", "PRN:x", "conin$"]
)
def test_a_device_is_known_whatever_its_ending(name):
    assert is_device(name)


@pytest.mark.parametrize(
    "name", ["", "CONSOLE", "COM0", "COM10", "nul-project.zebra", "icon", "ZEBRA-CON", ".con"]
)
def test_what_only_resembles_a_device_is_a_name_like_any_other(name):
    assert not is_device(name)


@pytest.mark.filterwarnings("ignore:.*is_reserved:DeprecationWarning")
@pytest.mark.parametrize("name", ["CON", "nul.zebra", "COM1.tar.gz", "ZEBRA-CON", "icon", "COM10"])
def test_python_judges_alike(name):
    assert is_device(name) == PureWindowsPath(name).is_reserved()
