"""What programs that run apart lay on themselves before they touch a file; they find it by its folder.

Nothing of the package is imported: they are to start soon.
"""

from __future__ import annotations

import sys
from pathlib import Path


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


def _lower(which: int, most: int, beyond: int = 0) -> None:
    """Set a limit, unless a lower one is set already: whoever started us may have limits of its own."""
    if sys.platform == "win32":
        return
    import resource

    _, already = resource.getrlimit(which)
    highest = most + beyond if already == resource.RLIM_INFINITY else min(most + beyond, already)
    resource.setrlimit(which, (min(most, highest), highest))
