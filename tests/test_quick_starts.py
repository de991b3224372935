"""A program that is started quickly finds, does and answers what it does when ZEBRA starts it."""

import json
import os
import signal
import subprocess
import sys
import wave
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO

import pytest

from tests import quick_starts
from tests.fuzz import forked
from zebra_core.runtime import apart

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere programs start as ZEBRA starts them"
)
CORE = Path(apart.__file__).parents[1]
Start = Callable[[Path, list[str], bytes | IO[bytes] | None], quick_starts.Started | subprocess.Popen[bytes]]
# What a program finds, as far as it is told by whoever starts it.
FINDS = """
import json, os, resource, signal, sys, threading
print(json.dumps({
    "argv": sys.argv, "folder": os.getcwd(), "environment": dict(os.environ), "path": sys.path,
    "name": __name__, "file": __file__, "main": sys.modules["__main__"].__file__,
    "given": sys.stdin.read(), "terminals": [os.isatty(place) for place in range(3)],
    "open": len(os.listdir("/proc/self/fd")), "threads": threading.active_count(),
    "limits": [resource.getrlimit(getattr(resource, f"RLIMIT_{of}")) for of in ("AS", "CPU", "CORE")],
    "signals": [str(signal.getsignal(which)) for which in sorted(signal.valid_signals())],
    "begins anew": sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) < 1,
}))
"""


@pytest.fixture
def starts() -> Iterator[quick_starts.QuickStarts]:
    made = quick_starts.QuickStarts()
    yield made
    made.close()


@pytest.fixture
def as_zebra(monkeypatch: pytest.MonkeyPatch) -> Start:
    """How ZEBRA starts a program, with the variable that is set for all of them here."""
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "1")
    return quick_starts.AS_ZEBRA


@pytest.fixture
def any_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Makes a program, which is started quickly though it is none of ZEBRA's."""
    monkeypatch.setattr(quick_starts, "_is_ours", lambda program: program.parent == tmp_path)

    def program(text: str) -> Path:
        path = tmp_path / f"program_{len([*tmp_path.iterdir()])}.py"
        path.write_text(text)
        monkeypatch.setitem(quick_starts.LIBRARIES, path.stem, [])
        return path

    return program


def ended(
    start: Start, program: Path, arguments: list[str], given: bytes | IO[bytes], *, asked: bool = False
) -> tuple[bytes, int]:
    """What the program answers, and its exit status."""
    if asked:
        assert isinstance(given, bytes)
    with start(program, arguments, None if asked else given) as process:
        assert process.stdout is not None
        if process.stdin is not None:
            assert isinstance(given, bytes)
            process.stdin.write(given)
            process.stdin.close()
        return process.stdout.read(), process.wait(60.0)


def sound(folder: Path) -> str:
    with wave.open(str(folder / "a.wav"), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(range(200)) * 4)
    return os.fsencode(folder / "a.wav").hex()


def questions(program: Path, folder: Path) -> tuple[list[str], bytes | IO[bytes], bool]:
    """What a program is asked here: arguments, what it is given, and whether it waits for more."""
    if program.stem in forked._KNOWN:
        return *forked._KNOWN[program.stem](), False
    if program.stem == "network_apart":
        return [], b'{"given": 8, "takes": null}\nnonsense', True
    open_it = json.dumps({"open": sound(folder), "hashed": True})
    return [], f'{open_it}\n{{"read": 300}}\n{{"close": true}}\n'.encode(), True


@pytest.mark.parametrize("name", quick_starts.LIBRARIES)
def test_every_program_answers_as_when_zebra_starts_it(
    starts: quick_starts.QuickStarts, as_zebra: Start, tmp_path: Path, name: str
) -> None:
    [program] = CORE.rglob(f"{name}.py")
    answers = []
    for start in (as_zebra, starts.start, starts.start):
        arguments, given, asked = questions(program, tmp_path)
        with nullcontext() if isinstance(given, bytes) else given:
            answers.append(ended(start, program, arguments, given, asked=asked))
    assert len(answers[0][0]) > 40
    assert answers == [(answers[0][0], 0)] * 3


def test_a_program_finds_what_it_finds_when_zebra_starts_it(
    starts: quick_starts.QuickStarts,
    as_zebra: Start,
    any_program: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    program = any_program(FINDS)
    ended(starts.start, program, [], b"")  # who starts them began elsewhere, with another environment
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHAT_A_TEST_SETS", "é")
    expected, found = (
        json.loads(ended(start, program, ["a", "é"], b"given")[0]) for start in (as_zebra, starts.start)
    )
    assert expected["folder"] == str(tmp_path)
    assert found == expected


@pytest.mark.parametrize(
    "program",
    [
        "",
        "raise SystemExit",
        "raise SystemExit(3)",
        "raise SystemExit('why')",
        "raise MemoryError",
        "import ctypes; ctypes.string_at(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "print('said', end='')",
    ],
)
def test_a_program_ends_as_when_zebra_starts_it(
    starts: quick_starts.QuickStarts, as_zebra: Start, any_program: Callable[[str], Path], program: str
) -> None:
    path = any_program(program)
    assert ended(starts.start, path, [], b"") == ended(as_zebra, path, [], b"")
    assert ended(starts.start, any_program("print(end='next')"), [], b"") == (b"next", 0)


def test_what_one_does_to_itself_the_next_does_not_find(
    starts: quick_starts.QuickStarts, any_program: Callable[[str], Path]
) -> None:
    program = any_program(
        "import json, os, resource, sys\n"
        "limit = resource.getrlimit(resource.RLIMIT_AS)\n"
        "print(json.dumps([limit, sys.path, hasattr(json, 'mine'), os.getcwd()]))\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "sys.path.append('mine'); json.mine = True; os.chdir('/')\n"
    )
    assert len({ended(starts.start, program, [], b"") for _ in range(3)}) == 1


def test_one_that_is_ended_ends_alone(
    starts: quick_starts.QuickStarts, any_program: Callable[[str], Path]
) -> None:
    program = any_program("import sys\nfor line in sys.stdin: print(line, end='', flush=True)")
    with starts.start(program, [], None) as one, starts.start(program, [], None) as other:
        assert (one.poll(), other.poll()) == (None, None)
        one.send_signal(signal.SIGSTOP)
        one.kill()
        assert one.wait(60.0) == -signal.SIGKILL
        assert one.poll() == -signal.SIGKILL
        one.kill()  # as often as anybody likes
        assert other.poll() is None
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write(b"still here\n")
        other.stdin.close()
        assert (other.stdout.read(), other.wait(60.0)) == (b"still here\n", 0)


def test_what_comes_when_one_has_ended_does_no_harm(
    starts: quick_starts.QuickStarts, any_program: Callable[[str], Path]
) -> None:
    program = any_program("")
    for _ in range(100):
        with starts.start(program, [], b"") as process:
            process.kill()
            process.kill()
            assert process.wait(60.0) in (0, -signal.SIGKILL)


def test_none_is_left_behind(starts: quick_starts.QuickStarts, any_program: Callable[[str], Path]) -> None:
    with starts.start(any_program("while True: pass"), [], b"") as endless:
        with pytest.raises(subprocess.TimeoutExpired):
            endless.wait(0.1)
        starts.close()
        assert endless.wait(60.0) == -signal.SIGKILL


def test_what_is_none_of_zebras_programs_is_started_as_zebra_does(
    starts: quick_starts.QuickStarts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hdf5_apart.py").write_text("print(end='mine')")
    with starts.start(tmp_path / "hdf5_apart.py", [], b"") as process:
        assert isinstance(process, subprocess.Popen)
        assert process.communicate() == (b"mine", None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(apart.InputError):
        starts.start(CORE / "intake" / "formats" / "hdf5_apart.py", [], b"")
