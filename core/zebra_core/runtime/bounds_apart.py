"""What programs that run apart lay on themselves before they touch a file; they find it by its folder.

Nothing of the package is imported: they are to start soon.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ENGINES_SHARE = 0.75  # of the memory; arrays are made beside what the engine holds

# What Windows calls a job: a process that joins one is ended by the system beyond its bounds.
_JOB_TIME, _JOB_MEMORY, _JOB_SILENT_END = 0x2, 0x100, 0x400
_EXTENDED_LIMITS = 9
_NO_BOX = 0x8003  # a process ends without asking anybody about it


def limit_memory(more: int) -> None:
    """So many bytes may be taken beyond those that this process has; and its end leaves no image on disk."""
    if sys.platform == "win32":
        _join_job(_JOB_MEMORY, memory=_taken_on_windows() + more)
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return  # elsewhere than on Linux nobody tells what is taken already
    _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + more)


def limit_time(more: float) -> None:
    """So many seconds of a processor may be used beyond those that this process has used.

    A signal of its own ends it then (SIGXCPU), for others mean another fault; on Windows its status says it.
    """
    if sys.platform == "win32":
        _join_job(_JOB_TIME, seconds=sum(os.times()[:2]) + more)
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + more) + 1, 1)


if sys.platform == "win32":

    def _taken_on_windows() -> int:
        """The bytes that this process has reserved so far."""
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            _fields_ = (
                *(("cb", wintypes.DWORD), ("PageFaultCount", wintypes.DWORD)),
                *((f"Size{number}", ctypes.c_size_t) for number in range(6)),
                *(("PagefileUsage", ctypes.c_size_t), ("PeakPagefileUsage", ctypes.c_size_t)),
            )

        found = Counters(cb=ctypes.sizeof(Counters))
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
        kernel.K32GetProcessMemoryInfo(kernel.GetCurrentProcess(), ctypes.byref(found), found.cb)
        return int(found.PagefileUsage)

    def _join_job(limit: int, memory: int = 0, seconds: float = 0.0) -> None:
        """Put this process into a job with this bound; one bound is added to another by one more job.

        Raises OSError where Windows refuses it.
        """
        import ctypes
        from ctypes import wintypes

        class Limits(ctypes.Structure):  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
            _fields_ = (
                *(("ProcessTime", ctypes.c_int64), ("JobTime", ctypes.c_int64), ("Flags", wintypes.DWORD)),
                *(("LeastSet", ctypes.c_size_t), ("MostSet", ctypes.c_size_t), ("Processes", wintypes.DWORD)),
                *(("Affinity", ctypes.c_size_t), ("Priority", wintypes.DWORD), ("Class", wintypes.DWORD)),
                *((f"Io{number}", ctypes.c_uint64) for number in range(6)),
                *(("ProcessMemory", ctypes.c_size_t), ("JobMemory", ctypes.c_size_t)),
                *(("PeakProcess", ctypes.c_size_t), ("PeakJob", ctypes.c_size_t)),
            )

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.SetErrorMode(_NO_BOX)
        for function in (kernel.GetCurrentProcess, kernel.CreateJobObjectW):
            function.restype = wintypes.HANDLE
        kernel.SetInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            ctypes.c_void_p,
            wintypes.DWORD,
        )
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        limits = Limits(ProcessTime=int(seconds * 1e7), Flags=limit | _JOB_SILENT_END, ProcessMemory=memory)
        job = kernel.CreateJobObjectW(None, None)  # left open: the bound lasts as long as the process
        if not (
            kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
            and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        ):
            raise ctypes.WinError(ctypes.get_last_error())


def engine_that_opens(paths: list[str], memory: int, **settings: object) -> DuckDBPyConnection:
    """DuckDB, which opens these files and nothing else, and reserves as much for its threads alone."""
    import duckdb

    engine = duckdb.connect(
        config={
            "threads": 1,
            "memory_limit": f"{int(memory * _ENGINES_SHARE) >> 20}MiB",
            "temp_directory": "",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
        }
    )
    closed = {"allowed_paths": paths, "enable_external_access": False, "lock_configuration": True}
    for name, value in {**settings, **closed}.items():  # which it only takes once it is open
        engine.execute(f"SET {name} = $value", {"value": value})
    return engine


def _lower(which: int, most: int, beyond: int = 0) -> None:
    """Set a limit, unless a lower one is set already: whoever started us may have limits of its own."""
    if sys.platform == "win32":
        return
    import resource

    _, already = resource.getrlimit(which)
    highest = most + beyond if already == resource.RLIM_INFINITY else min(most + beyond, already)
    resource.setrlimit(which, (min(most, highest), highest))
