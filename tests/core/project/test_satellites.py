"""What stands apart from projects is loaded when something of it is met, and not before."""

import subprocess
import sys

import pytest

from zebra_core.project.satellites import (
    SATELLITES,
    Provenance,
    Satellite,
    provenance,
    satellite_named,
    satellite_of,
)


@pytest.mark.parametrize("name", SATELLITES)
def test_each_is_where_the_table_says_and_knows_its_name(name):
    found = satellite_named(name)
    assert isinstance(found, Satellite)
    assert found.study.kind == name


def test_recordings_are_where_the_table_says():
    assert isinstance(provenance(), Provenance)


def test_items_of_other_files_are_of_none():
    assert satellite_of(()) is None


def test_a_project_needs_none_of_them():
    modules = "zebra_core.project.reading.reading, zebra_core.document.project_file"
    probe = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "zebra_core.project.satellites" in done.stdout.split()
    satellites = ("zebra_core.listening", "zebra_core.recordings")
    assert [name for name in done.stdout.split() if name.startswith(satellites)] == []
