"""The logs: they say where the program failed, they do not grow, and nothing of the user's is in them."""

import logging
import re
import subprocess
import sys

import pytest

from zebra_core.errors import InputError
from zebra_gui.faults.logs import start_logging, stop_logging

log = logging.getLogger("zebra_gui.test")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "logs"
    assert start_logging(folder) == folder
    yield folder
    stop_logging()


def log_error(error):
    try:
        raise error
    except Exception:
        log.exception("it failed")


def test_a_fault_is_logged_by_kind_and_place_without_its_message(folder):
    log_error(ValueError("1089-134691-0004 got -17.3"))

    text = (folder / "zebra.log").read_text()
    assert "ERROR zebra_gui.test it failed\nValueError\n  test_logs.py:" in text
    assert "1089" not in text
    assert "17.3" not in text


def test_what_the_user_could_mend_is_logged_by_its_code(folder):
    log_error(InputError("empty", file="case-12.txt"))

    text = (folder / "zebra.log").read_text()
    assert "code empty" in text
    assert "case-12" not in text


def test_of_what_libraries_say_there_is_only_where_they_said_it(folder):
    library = logging.getLogger("matplotlib.font_manager")
    library.warning("cannot read %s", "/home/anna/1089.pdf", stack_info=True)

    text = (folder / "zebra.log").read_text()
    assert "WARNING matplotlib.font_manager said something in test_logs.py:" in text
    assert "1089" not in text
    assert "anna" not in text


def test_logs_rotate(folder):
    for _ in range(6):
        log.error("x" * 200_000)

    assert sorted(path.name for path in folder.glob("zebra*")) == [
        "zebra.log",
        "zebra.log.1",
        "zebra.log.2",
    ]
    assert sum(path.stat().st_size for path in folder.iterdir()) < 800_000


def test_where_nothing_can_be_written_nothing_is_logged(tmp_path):
    taken = tmp_path / "a file"
    taken.write_text("")

    assert start_logging(taken) is None
    log.error("goes nowhere")
    assert taken.read_text() == ""


def test_a_crash_below_python_is_written_to_the_log(tmp_path):
    program = (
        "import pathlib, sys, faulthandler; from zebra_gui.faults.logs import start_logging;"
        "start_logging(pathlib.Path(sys.argv[1])); faulthandler._sigsegv()"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, check=False)

    assert done.returncode < 0
    start_logging(tmp_path)  # as the user does next; what is told of the crash must outlast it
    stop_logging()
    text = (tmp_path / "crash.log").read_text()
    assert re.match(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ZEBRA \S+ started\nFatal Python error: Segmentation", text
    )
    assert len(re.findall(" started$", text, re.MULTILINE)) == 2


def test_what_is_told_of_crashes_does_not_grow_for_ever(tmp_path):
    (tmp_path / "crash.log").write_text("x" * 300_000)
    for _ in range(2):
        start_logging(tmp_path)
        stop_logging()
    assert (tmp_path / "crash.log.1").stat().st_size == 300_000
    assert (tmp_path / "crash.log").stat().st_size < 200
