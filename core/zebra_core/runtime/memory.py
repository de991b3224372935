"""How much memory this program may still take."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.wording.texts import written

ASSUMED = 4 << 30
"""Bytes, where the system does not tell."""
LEAST = 256 << 20
"""However little is left: small files are small everywhere."""
LEAST_GIVEN = 128 << 20
"""The least that an engine works with."""
_UNITS = {"MB": 10**6, "GB": 10**9, "MIB": 1 << 20, "GIB": 1 << 30}


def free_bytes() -> int:
    """The bytes that are free, or would be at once; within the limits set for this program."""
    found = [_of_system(), *_limits()]
    return max(LEAST, min(size for size in found if size is not None))


def given_bytes(said: str) -> int:
    """How much somebody allows, as 4GB or 512MiB. Raises InputError for what is too little or not free."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([MG]I?B)", said.strip().upper())
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    free = free_bytes()
    if not LEAST_GIVEN <= size <= free:
        raise InputError(
            "memory-given", found=said[:100], least=LEAST_GIVEN >> 20, free=written(free / 1e9, ".1f")
        )
    return size


def require(size: int) -> None:
    """Raise MemoryError where so many bytes are not free: for libraries that end the program instead.

    Unlike `free_bytes` this knows no least amount.
    """
    found = [_of_system(), *_limits()]
    if size > min(free for free in found if free is not None):
        raise MemoryError


def _of_system() -> int:
    if sys.platform == "win32":
        return _of_windows()
    if (available := _kilobytes("/proc/meminfo", "MemAvailable")) is not None:
        return available
    try:  # half of all there is: what others hold nobody tells
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError):
        return ASSUMED


def _limits() -> list[int | None]:
    """What a container, or `ulimit -v`, leaves."""
    container = _of_container()
    if sys.platform == "win32":
        return [container]
    import resource

    most_addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most_addresses == resource.RLIM_INFINITY:
        return [container]
    pages = next((line.split()[0] for line in _lines("/proc/self/statm")), "0")
    return [container, most_addresses - int(pages) * os.sysconf("SC_PAGE_SIZE")]


def _of_container() -> int | None:
    folder = "/sys/fs/cgroup/memory"
    most, taken = _number(f"{folder}.max"), _number(f"{folder}.current")
    if most is None or taken is None:
        return None
    # Copies of files on disk are counted as taken, and given back when asked for.
    copies = [
        line.split() for line in _lines(f"{folder}.stat") if line.startswith(("active_file", "inactive_file"))
    ]
    return most - taken + sum(int(size) for _, size in copies)


def _kilobytes(path: str, name: str) -> int | None:
    """The bytes in a line such as `MemAvailable:  123 kB`."""
    found = (line.split()[1] for line in _lines(path) if line.startswith(f"{name}:"))
    return next((int(size) << 10 for size in found), None)


def _number(path: str) -> int | None:
    return next((int(line) for line in _lines(path) if line.strip().isdecimal()), None)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []


def _of_windows() -> int:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((f"size_{number}", ctypes.c_ulonglong) for number in range(7)),
        )

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - only there on Windows
    return int(status.size_1) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else ASSUMED
