"""What programs that run apart lay on themselves before they touch a file; they find it by its folder.

Nothing of the package is imported: they are to start soon.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ENGINES_SHARE = 0.75  # of the memory; arrays are made beside what the engine holds


def limit_memory(more: int) -> None:
    """So many bytes may be taken beyond those that this process has; and its end leaves no image on disk."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetErrorMode(0x8003)  # it ends without asking anybody about it
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return  # elsewhere than on Linux nobody tells what is taken already
    _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + more)


def limit_time(more: float) -> None:
    """So many seconds of a processor may be used beyond those that this process has used; on Windows any.

    A signal of its own ends it then (SIGXCPU), for others mean another fault.
    """
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + more) + 1, 1)


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
