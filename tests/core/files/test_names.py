"""Names and paths of Windows, on any system."""

import os
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from zebra_core.files.names import is_device, without_backslashes


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


@pytest.mark.skipif(os.name == "nt", reason="Windows takes its paths apart itself")
@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (r"C:\Users\Anna\case\scores.txt", ("C:", "Users", "Anna", "case", "scores.txt")),
        (r"c:\case/exp\scores.txt", ("c:", "case", "exp", "scores.txt")),
        (r"\\server\share\case\scores.txt", ("//", "server", "share", "case", "scores.txt")),
        (r"\\?\C:\a very long path\scores.txt", ("//", "?", "C:", "a very long path", "scores.txt")),
    ],
)
def test_a_path_of_windows_has_the_name_of_its_file_elsewhere(path, parts):
    found = PurePosixPath(without_backslashes(path))
    assert found.name == "scores.txt"
    assert found.parts == parts


@pytest.mark.parametrize(
    "text", ["", "/home/anna/a\\b", "a\\b", "C:scores", "~\\x", "scores.txt", "reading", "\\\\server", "D:"]
)
def test_any_other_text_stays_as_it_is(text):
    assert without_backslashes(text) == text
