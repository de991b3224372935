"""A disk that is soon full: a small tmpfs which only this process sees, or files that may not grow."""

import ctypes
import os
import resource
import signal
from pathlib import Path

_NEW_NAMES, _NEW_USER = 0x00020000, 0x10000000  # CLONE_NEWNS, CLONE_NEWUSER
_OURS_ALONE = (1 << 18) | (1 << 14)  # MS_PRIVATE, MS_REC


class SmallDisk:
    """Made before the first thread starts: each thread has the disks of the one that started it.

    Where the system lets nobody mount anything, `fill` forbids that any file grows; what is told then is not
    that the disk is full, but that the file is too large for it.
    """

    def __init__(self, folder: Path, size: int, *, may_mount: bool = True) -> None:
        self.folder = folder
        self.is_real = may_mount and _mounted(folder, size)

    def fill(self, room: int) -> None:
        """Leave room for so many bytes, in whole pages."""
        if not self.is_real:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
            return
        filler = os.open(self.folder / ".filler", os.O_CREAT | os.O_WRONLY)
        disk = os.statvfs(self.folder)
        free = disk.f_bavail * disk.f_frsize
        os.posix_fallocate(filler, os.fstat(filler).st_size, max(free - room, 1))
        os.close(filler)

    def empty(self) -> None:
        """There is room again."""
        (self.folder / ".filler").unlink(missing_ok=True)
        if not self.is_real:
            unlimited = resource.RLIM_INFINITY
            resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))


def _mounted(folder: Path, size: int) -> bool:
    libc, user, group = ctypes.CDLL(None), os.getuid(), os.getgid()
    if libc.unshare(_NEW_NAMES) != 0:
        if libc.unshare(_NEW_NAMES | _NEW_USER) != 0:
            return False
        for name, said in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            Path("/proc/self", name).write_text(said)
    options = f"size={size},huge=never".encode()
    return (
        libc.mount(b"none", b"/", None, _OURS_ALONE, None) == 0
        and libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options) == 0
    )
