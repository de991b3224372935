"""Work on bytes that may kill whoever does it is done apart, by a program in a process of its own.

A library in C that stumbles over a file takes its whole process along, and no exception tells of it. The
program here is a Python file that needs nothing of this package. It finds the bytes on standard input, writes
what it made of them to standard output, and ends with status 0. In a bundle, where there are no files and no
interpreter, ZEBRA itself is started to be that program (`be_apart`), and never comes as far as a window.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import IO, Any
from weakref import finalize

from zebra_core.errors import InputError
from zebra_core.runtime.progress import Progress, no_progress

_BEAT = 0.05  # seconds between two looks at whether the user has stopped the work
_PIECE, _PIECES = 1 << 20, 8  # bytes, and how many pieces may lie here before they are asked for
# The status of a program that used more of a processor: Windows has no signals, but an error of its own.
_BUSY = -getattr(signal, "SIGXCPU", -1816)
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # a console would flash up on Windows


_RUNNING: set[subprocess.Popen[bytes]] = set()


class NoAnswer(Exception):  # noqa: N818 - what it means, its caller knows
    """The program died, did not end in time, or answered with more than it may, or less than it must."""


class TookTooLong(NoAnswer):
    """It did not end in time: the file was made to take long, or the computer is slow."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = int(seconds)  # by the clock, after which it was given up


def refusal(error: Exception, code: str, file: str) -> InputError:
    """What is told of a file of which there is no answer: that it took too long, else what `code` says."""
    if isinstance(error, TookTooLong):
        return InputError("took-too-long", file=file, seconds=error.seconds)
    return InputError(code, file=file)


BE_APART = "--be-apart"
"""What ZEBRA in a bundle is started with to be one of the programs, before its name."""

_IN_A_BUNDLE = {
    "printed_apart": "zebra_core.report.printed_apart",
    "word_apart": "zebra_core.report.word_apart",
    "network_apart": "zebra_core.recordings.network_apart",
    "sound_apart": "zebra_core.recordings.sound_apart",
    "columns_apart": "zebra_core.intake.formats.columns_apart",
    "database_apart": "zebra_core.engine.database_apart",
}


def can_run() -> bool:
    """Whether there is something to run a program with: Python, or the bundle itself."""
    return bool(sys.executable)


def be_apart(arguments: Sequence[str]) -> None:
    """Be the program of this name, in a bundle, and end: first comes the name, then what is for the program.

    Raises KeyError for a name that is none of ours.
    """
    name, *rest = arguments
    program = import_module(_IN_A_BUNDLE[name])
    sys.modules["bounds_apart"] = import_module(
        "zebra_core.runtime.bounds_apart"
    )  # found beside it elsewhere
    sys.argv = [name, *rest]
    program.main()
    sys.stdout.flush()
    os._exit(0)  # at an ordinary end, threads of a library sometimes abort the process


def end_all() -> None:
    """End all programs that are running: this one is about to end, and waits for no thread."""
    for process in tuple(_RUNNING):
        process.kill()


@contextmanager
def running(
    program: Path,
    arguments: Sequence[str],
    given: bytes | IO[bytes] | None,
    *,
    seconds: float,
    on_progress: Progress = no_progress,
) -> Iterator[ProgramOutput]:
    """The answer of the program, to be taken as it comes; outside of the context the program runs no more.

    It is given bytes, or an open file, in which it may go to and fro, or None: then it is asked
    (`ProgramOutput.ask`). It may keep us waiting for so many seconds in all, or after each question. What
    `on_progress` raises ends it, too. Raises InputError where the system starts no process. Call it only
    where `can_run`.
    """
    with _started(program, arguments, given) as process:
        _RUNNING.add(process)
        answer = ProgramOutput(process, seconds, on_progress)
        giver = Thread(target=_give, args=(process.stdin, given), daemon=True)
        try:
            giver.start()
            yield answer
        finally:
            process.kill()
            _RUNNING.discard(process)
            answer.close()
            giver.join()
            if given is None:
                answer.ask_no_more()


def _started(
    program: Path, arguments: Sequence[str], given: bytes | IO[bytes] | None
) -> subprocess.Popen[bytes]:
    # Threads of a library for linear algebra, which nothing here needs, would each reserve memory.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    try:
        return subprocess.Popen(
            [*_starting(program), *arguments],
            stdin=subprocess.PIPE if given is None or isinstance(given, bytes) else given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=_NO_WINDOW,
        )
    except OSError as error:
        raise InputError("no-process", reason=error.strerror or type(error).__name__) from error


def _starting(program: Path) -> list[str]:
    if not getattr(sys, "frozen", False):
        return [sys.executable or "", "-P", str(program)]
    # On Windows the program with a window has no standard input; the one for the command line lies beside it.
    console = Path(sys.executable).with_name("zebra.exe")
    return [str(console) if console.is_file() else sys.executable, BE_APART, program.stem]


class ProgramOutput:
    """What a program says, as it comes. Raises NoAnswer where it says no more, or keeps us waiting."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, on_progress: Progress) -> None:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        self.share = 0.0  # what is told to `on_progress` while we wait
        self.on_progress = on_progress  # whoever asks anew may want to know of it
        self._process, self._seconds = process, seconds
        self._patience, self._began = seconds, time.monotonic()
        self._pieces: Queue[bytes] = Queue(_PIECES)  # an empty one is the last
        self._here = b""
        self._thread = Thread(target=_take, args=(process.stdout, self._pieces), daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.poll() is None

    def ask(self, question: bytes) -> None:
        """Ask a program that was given nothing; it may keep us waiting as long as at the beginning."""
        assert self._process.stdin is not None  # noqa: S101 - it was given nothing
        self._seconds, self._began = self._patience, time.monotonic()
        try:
            self._process.stdin.write(question)
            self._process.stdin.flush()
        except OSError as error:
            raise NoAnswer from error

    def ask_no_more(self) -> None:
        """Close what questions go through."""
        if self._process.stdin is not None:
            with suppress(OSError):  # what it did not take
                self._process.stdin.close()

    def read(self, count: int) -> bytes:
        """So many bytes."""
        found, missing = [], count
        while missing > 0:
            self._here = self._here or self._piece()
            if not self._here:
                raise self._ended()
            found.append(self._here[:missing])
            self._here = self._here[missing:]
            missing -= len(found[-1])
        return b"".join(found)

    def rest(self, most: int) -> bytes:
        """All that is left, at most so many bytes, of a program that then ends well."""
        found, size = [self._here], len(self._here)
        while piece := self._piece():
            found.append(piece)
            size += len(piece)
            if size > most:
                raise NoAnswer
            self.on_progress(self.share)
        ended = self._ended()
        if self._process.returncode != 0 or size > most:
            raise ended
        return b"".join(found)

    def _ended(self) -> NoAnswer:
        """How it ended, which says no more."""
        try:
            status = self._process.wait(timeout=_BEAT * 20)
        except subprocess.TimeoutExpired:
            return self._too_long()
        return self._too_long() if status == _BUSY else NoAnswer()

    def _too_long(self) -> TookTooLong:
        return TookTooLong(time.monotonic() - self._began)

    def close(self) -> None:
        """Let go of what was not asked for; the program has ended."""
        while self._thread.is_alive():
            self._piece_within(_BEAT)
        self._thread.join()

    def _piece(self) -> bytes:
        began = time.monotonic()
        while (piece := self._piece_within(_BEAT)) is None:
            self.on_progress(self.share)
            if time.monotonic() - began > self._seconds:
                raise self._too_long()
        self._seconds -= time.monotonic() - began
        return piece

    def _piece_within(self, seconds: float) -> bytes | None:
        try:
            return self._pieces.get(timeout=seconds)
        except Empty:
            return None


def _give(stream: IO[bytes] | None, content: bytes | IO[bytes] | None) -> None:
    if stream is None or not isinstance(content, bytes):
        return  # it has the file itself
    try:
        with stream:
            stream.write(content)
    except OSError:
        pass  # it ended without reading everything; its status tells


def _take(stream: IO[bytes], pieces: Queue[bytes]) -> None:
    read = getattr(stream, "read1", stream.read)
    while piece := read(_PIECE):
        pieces.put(piece)
    pieces.put(b"")


# Programs apart that answer one question after the other, and wait for the next: a few of a kind at most.
#
# A question is a line of JSON, and bytes after it. The answer is four bytes that say the length of a JSON
# object, that object, and as many bytes as its "bytes" says; {"fault": WHY} where nothing comes of it.


_MOST_WORDS = 4096  # bytes of what is said
_MOST_IDLE = 4


class Fault(Exception):  # noqa: N818 - it is the program's word for it
    """What the program says is wrong with what it was given."""


class RunningProgram:
    """A program that runs. Call it only where `apart.can_run`."""

    def __init__(self, program: Path, seconds: float) -> None:
        self.is_busy = True  # until it answers: it may have died, or answer later
        self._running = ExitStack()
        self._answer = self._running.enter_context(running(program, [], None, seconds=seconds))

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._answer.is_alive

    def ask(
        self, question: Mapping[str, object], given: bytes = b"", on_progress: Progress = no_progress
    ) -> tuple[dict[str, Any], bytes]:
        """What it says, and the bytes that come with it. Raises Fault, and apart.NoAnswer."""
        self.is_busy = True
        self._answer.on_progress = on_progress
        self._answer.ask(json.dumps(question).encode("ascii") + b"\n" + given)
        size = int.from_bytes(self._answer.read(4), "big")
        if size > _MOST_WORDS:
            raise NoAnswer
        said: dict[str, Any] = json.loads(self._answer.read(size))
        content = self._answer.read(int(said.get("bytes", 0)))
        self.is_busy = False
        if "fault" in said:
            raise Fault(str(said["fault"]))
        return said, content

    def close(self) -> None:
        """End the program."""
        self._running.close()


class Pool:
    """Programs of a kind. They end with the pool."""

    def __init__(self, program: Path, seconds: float) -> None:
        self._program, self._seconds = program, seconds
        self._idle: list[RunningProgram] = []
        self._lock = Lock()
        finalize(self, _end, self._idle)

    @contextmanager
    def one(self, begin: Callable[[RunningProgram], object] | None = None) -> Iterator[RunningProgram]:
        """A program that nobody else asks meanwhile; `begin` asks a new one first.

        Raises what `begin` raises; InputError as `apart.running`.
        """
        with self._lock:
            found = self._idle.pop() if self._idle else None
        if found is not None and not found.is_alive:
            found.close()
            found = None
        if found is None:
            found = RunningProgram(self._program, self._seconds)
            if begin is not None:
                try:
                    begin(found)
                except BaseException:
                    found.close()
                    raise
        try:
            yield found
        finally:
            self._put_back(found)

    def end_idle(self) -> None:
        """End the programs that wait."""
        with self._lock:
            _end(self._idle)

    def _put_back(self, one: RunningProgram) -> None:
        """Let a program wait for another question, unless it does not answer."""
        with self._lock:
            if not one.is_busy and len(self._idle) < _MOST_IDLE:
                self._idle.append(one)
                return
        one.close()


def _end(idle: list[RunningProgram]) -> None:
    while idle:
        idle.pop().close()
