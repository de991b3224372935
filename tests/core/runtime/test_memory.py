"""How much memory is free: what the system says, within the limits of a container and of this program."""

import subprocess
import sys
from pathlib import Path

import pytest

from zebra_core.errors import InputError
from zebra_core.runtime import memory

GIB = 1 << 30


@pytest.fixture
def told(monkeypatch):
    """Answers in the place of the files of the system, by path."""
    files: dict[str, str] = {"/proc/meminfo": f"MemTotal: 99 kB\nMemAvailable: {8 << 20} kB\n"}
    monkeypatch.setattr(memory, "_lines", lambda path: files.get(path, "").splitlines())
    monkeypatch.setattr(memory.sys, "platform", "linux")
    return files


def test_it_is_what_the_system_says_is_available(told) -> None:
    assert memory.free_bytes() == 8 * GIB


def test_a_container_leaves_less_and_copies_of_files_count_as_free(told) -> None:
    folder = "/sys/fs/cgroup/memory"
    told |= {f"{folder}.max": f"{4 * GIB}\n", f"{folder}.current": f"{3 * GIB}\n"}
    assert memory.free_bytes() == GIB
    told[f"{folder}.stat"] = f"anon 5\nactive_file {GIB // 4}\ninactive_file {GIB // 2}\nfile 7\n"
    assert memory.free_bytes() == GIB + GIB // 4 + GIB // 2
    told[f"{folder}.max"] = "max\n"
    assert memory.free_bytes() == 8 * GIB


def test_however_little_there_is_it_is_taken_for_a_quarter_of_a_gibibyte(told) -> None:
    told["/proc/meminfo"] = "MemAvailable: 1000 kB\n"
    assert memory.free_bytes() == 256 << 20


def test_a_system_that_tells_nothing_is_asked_for_its_pages_else_four_gibibytes_are_assumed(
    told, monkeypatch
) -> None:
    told.clear()
    pages = {"SC_PHYS_PAGES": 4 << 20, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(memory.os, "sysconf", pages.__getitem__)
    assert memory.free_bytes() == 8 * GIB

    def tells_nothing(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(memory.os, "sysconf", tells_nothing)
    monkeypatch.setattr(memory, "_limits", lambda: [None])
    assert memory.free_bytes() == 4 * GIB


def test_a_limit_of_this_program_is_kept() -> None:
    """As `ulimit -v` sets it, less what is taken already; in a program of its own."""
    probe = """
import resource
from zebra_core.errors import InputError
from zebra_core.runtime import memory
before = memory.free_bytes()
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, resource.RLIM_INFINITY))
print(before, memory.free_bytes())
"""
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, cwd=root, check=True)
    before, after = map(int, done.stdout.split())
    assert memory.LEAST <= after < min(before, 1 << 30)


def test_what_is_not_free_is_refused_beforehand(told) -> None:
    told["/proc/meminfo"] = "MemAvailable: 1000 kB\n"
    memory.require(1000 << 10)
    with pytest.raises(MemoryError):
        memory.require((1000 << 10) + 1)


@pytest.mark.parametrize(
    ("said", "size"),
    [
        ("4GB", 4 * 10**9),
        ("512 mb", 512 * 10**6),
        ("1.5GiB", 3 << 29),
        ("128MiB", 128 << 20),
        ("8GiB", 8 * GIB),
    ],
)
def test_what_somebody_allows_is_read_as_it_is_written(told, said, size) -> None:
    assert memory.given_bytes(said) == size


@pytest.mark.parametrize(
    "said", ["", "4", "much", "-4GB", "127MB", "9GiB", "1e3GB", "4TB", "nanGB", "9" * 99 + "GB"]
)
def test_what_is_no_amount_too_little_or_not_free_is_a_sentence(told, said) -> None:
    with pytest.raises(
        InputError, match=r"is not an amount of memory between 128 MiB and the 8\.6 GB that are"
    ):
        memory.given_bytes(said)
