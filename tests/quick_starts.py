"""Programs that work apart are forked off a process that has their libraries loaded: a start takes a tenth.

The tests start hundreds of them, and most of what each costs is Python loading DuckDB, h5py or NumPy. Nothing
else differs: each start is a process of its own, with its own limits, which its input may kill. What is none
of the programs of ZEBRA, and everything elsewhere than on Linux, is started as ZEBRA starts it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import IO, Self
from unittest.mock import patch

from zebra_core.runtime import apart

AS_ZEBRA = apart._started
"""How ZEBRA starts a program."""
_PYTHON = sys.executable
_CORE = Path(apart.__file__).resolve().parents[1]
_SERVER = Path(__file__).with_name("quick_starts_apart.py")
LIBRARIES = {
    "hdf5_apart": ["h5py"],
    "network_apart": ["numpy", "onnxruntime"],
    "parquet_apart": ["duckdb", "numpy"],
    "printed_apart": ["pypdfium2"],
    "sound_apart": ["numpy", "soundfile"],
}
"""What each program loads."""
# As `apart` starts a program, and network_apart its library: what is loaded is never loaded otherwise.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "ORT_DISABLE_TELEMETRY": "1"}


class Started:
    """As much of subprocess.Popen as `runtime.apart` and its tests use."""

    def __init__(
        self, args: Sequence[str], told: socket.socket, stdin: IO[bytes] | None, stdout: IO[bytes]
    ) -> None:
        self.args, self.stdin, self.stdout = args, stdin, stdout
        self._told = told
        _, [self._process], _, _ = socket.recv_fds(told, 1, 1)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status; None where it still runs."""
        return self._hear(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status. Raises TimeoutExpired."""
        status = self._hear(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("a program that works apart", timeout or 0.0)
        return status

    def send_signal(self, which: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._status is None:
            with suppress(ProcessLookupError):  # in this moment
                signal.pidfd_send_signal(self._process, which)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        if self.stdin is not None:
            self.stdin.close()
        self.wait()

    def _hear(self, timeout: float | None) -> int | None:
        if self._status is None:
            self._told.settimeout(timeout)
            try:
                said = self._told.recv(4)
            except (TimeoutError, BlockingIOError):
                return None
            # Who started it has ended, and that ended it.
            self._status = struct.unpack("<i", said)[0] if said else -signal.SIGKILL
            self._told.close()
            os.close(self._process)
        return self._status


class QuickStarts:
    """The process that starts them, which is itself started with the first."""

    def __init__(self) -> None:
        self._control, self._there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._server: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def start(
        self, program: Path, arguments: Sequence[str], given: bytes | IO[bytes] | None
    ) -> Started | subprocess.Popen[bytes]:
        """Instead of `apart._started`."""
        if not _is_ours(program) or sys.executable != _PYTHON or getattr(sys, "frozen", False):
            return AS_ZEBRA(program, arguments, given)
        self._begin()
        question = {
            "program": str(program),
            "libraries": LIBRARIES[program.stem],
            "arguments": list(arguments),
            "folder": str(Path.cwd()),
            "environment": {**os.environ, **_ENVIRONMENT},
        }
        told, tells = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        hears, says = os.pipe()
        if given is None or isinstance(given, bytes):
            inside, gives = os.pipe()
            stdin = os.fdopen(gives, "wb")
        else:
            inside, stdin = os.dup(given.fileno()), None
        socket.send_fds(self._control, [json.dumps(question).encode()], [inside, says, tells.fileno()])
        for file in (inside, says):
            os.close(file)
        tells.close()
        return Started([str(program), *arguments], told, stdin, os.fdopen(hears, "rb"))

    def close(self) -> None:
        """End what still runs."""
        self._control.close()
        self._there.close()
        if self._server is not None:
            self._server.wait()

    def _begin(self) -> None:
        with self._lock:
            if self._server is None:
                self._server = subprocess.Popen(
                    [sys.executable, "-P", str(_SERVER), str(self._there.fileno())],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[self._there.fileno()],
                    env={**os.environ, **_ENVIRONMENT},
                )
                self._there.close()


@contextmanager
def quick_starts() -> Iterator[None]:
    """Let programs that work apart start in this way."""
    if sys.platform != "linux":
        yield
        return
    starts = QuickStarts()
    try:
        with patch.object(apart, "_started", starts.start):
            yield
    finally:
        starts.close()


def _is_ours(program: Path) -> bool:
    return program.stem in LIBRARIES and _CORE in program.resolve().parents
