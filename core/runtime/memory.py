"""How much memory this program may still take, and that it takes no more."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ASSUMED = 4 << 30
"""Bytes, where the system does not tell."""
LEAST = 256 << 20
"""However little is left: small files are small everywhere."""


def free_bytes() -> int:
    """The bytes that are free, or would be at once; within the limits set for this program."""
    found = [_of_system(), *_limits()]
    return max(LEAST, min(size for size in found if size is not None))


class _Bound:
    """A bound on the data of this process, for as long as somebody wants one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted_by = 0
        self._is_ours = False

    @contextmanager
    def laid(self) -> Iterator[None]:
        with self._lock:
            self._wanted_by += 1
            self._set(_most_data())
        try:
            yield
        finally:
            with self._lock:
                self._wanted_by -= 1
                if not self._wanted_by:
                    self._set(None)

    def _set(self, most: int | None) -> None:
        if sys.platform != "linux":
            return
        import resource

        present, highest = resource.getrlimit(resource.RLIMIT_DATA)
        if present == resource.RLIM_INFINITY or self._is_ours:  # else whoever started us wants another
            self._is_ours = most is not None
            resource.setrlimit(
                resource.RLIMIT_DATA, (resource.RLIM_INFINITY if most is None else most, highest)
            )


no_more_than_free = _Bound().laid
"""A context: meanwhile whatever takes more memory than is free raises MemoryError.

Linux promises everybody more than there is, and ends whoever takes it, without a word; elsewhere nothing is
done. Of several at once the one that began last sets the bound; it is lifted when all have ended.
"""


def _most_data() -> int | None:
    """Bytes of data that this process may have; what can be moved to disk makes room, if slowly."""
    taken = _kilobytes("/proc/self/status", "VmData")
    on_disk = _kilobytes("/proc/meminfo", "SwapFree") or 0
    return None if taken is None else taken + free_bytes() + on_disk


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
