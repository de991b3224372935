"""Runs a program that the system lets open no socket to another computer, and ends where it tries.

    python tests/no_network.py PROGRAM [ARGUMENTS...]

A filter of Linux (seccomp) looks at every call of `socket`, also those of libraries in C and Rust, of which
Python never hears; only sockets within the computer are let through: AF_UNIX, by which a screen is asked, and
AF_NETLINK, by which the system is. The filter is inherited by whatever the program starts, and nothing can
take it off again. Needs no rights.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}  # AUDIT_ARCH, number of the call
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2  # of prctl
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _IS_EQUAL, _RETURN = 0x20, 0x15, 0x06
_AT_ARCH, _AT_NUMBER, _AT_FAMILY = 4, 0, 16  # in what the filter is shown
_AF_UNIX, _AF_NETLINK, _EACCES = 1, 16, 13


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def forbid_network(*, kill: bool) -> None:
    """From now on in this process: an attempt ends it (SIGSYS), or else is refused (EACCES)."""
    arch, number = _SOCKET[platform.machine()]
    refused = _KILL if kill else _ERROR | _EACCES
    instructions = [
        (_LOAD, 0, 0, _AT_ARCH),
        (_IS_EQUAL, 0, 6, arch),  # calls of another kind of processor: none of ours
        (_LOAD, 0, 0, _AT_NUMBER),
        (_IS_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _AT_FAMILY),
        (_IS_EQUAL, 2, 0, _AF_UNIX),
        (_IS_EQUAL, 1, 0, _AF_NETLINK),
        (_RETURN, 0, 0, refused),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *one) for one in instructions)
    program = _Program(len(instructions), code)
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SECCOMP, _FILTER, ctypes.byref(program), 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the network cannot be forbidden")


if __name__ == "__main__":
    forbid_network(kill=True)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - whoever starts this says what
