"""Work that may die dies apart: whatever becomes of the program, this process hears of it and goes on."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from zebra_core.errors import Cancelled, InputError
from zebra_core.runtime import apart, bounds_apart
from zebra_core.runtime.apart import NoAnswer, TookTooLong, can_run, refusal, running
from zebra_core.runtime.progress import Progress, no_progress

ECHO = "import sys; sys.stdout.buffer.write(sys.argv[1].encode() + sys.stdin.buffer.read())"
ENDLESS = "while True: pass"


def answer(
    folder: Path, program: str, content: bytes = b"", most: int = 1000, seconds: float = 60.0
) -> bytes:
    path = folder / "program.py"
    path.write_text(program)
    return whole_answer(path, ["a"], content, most, seconds)


def whole_answer(
    program: Path,
    arguments: list[str],
    content: bytes,
    most: int,
    seconds: float = 120.0,
    on_progress: Progress = no_progress,
) -> bytes:
    with running(program, arguments, content, seconds=seconds, on_progress=on_progress) as said:
        return said.rest(most)


def test_the_answer_of_the_program_is_what_it_wrote(tmp_path: Path) -> None:
    assert answer(tmp_path, ECHO, b"\0\xff") == b"a\0\xff"
    much = bytes(1 << 20)  # more than a pipe holds, both ways
    assert answer(tmp_path, ECHO, much, len(much) + 1) == b"a" + much
    assert answer(tmp_path, "print(end='b')", much) == b"b"  # without reading what it was given


@pytest.mark.parametrize(
    "program",
    [
        "import ctypes; ctypes.string_at(0)",  # what a library in C does with a bad file
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",  # what the system does where memory ends
        "raise MemoryError",
        "print('half'); raise SystemExit(1)",
    ],
)
def test_a_program_that_dies_gives_no_answer(tmp_path: Path, program: str) -> None:
    with pytest.raises(NoAnswer) as raised:
        answer(tmp_path, program, bytes(1 << 20))
    assert not isinstance(raised.value, TookTooLong)


def test_a_program_that_never_ends_is_ended(tmp_path: Path) -> None:
    for endless in (ENDLESS, f"import sys, os; sys.stdout.close(); os.close(1)\n{ENDLESS}"):
        with pytest.raises(TookTooLong):
            answer(tmp_path, endless, bytes(1 << 20), seconds=0.3)


def test_a_program_that_may_use_no_more_of_a_processor_took_too_long_and_did_not_crash(
    tmp_path: Path,
) -> None:
    bounds = Path(bounds_apart.__file__).read_text()
    with pytest.raises(TookTooLong) as raised:
        answer(tmp_path, f"{bounds}\nlimit_time(0.0)\n{ENDLESS}")
    told = refusal(raised.value, "parquet-hostile", "f")
    assert (told.code, told.facts) == ("took-too-long", {"file": "f", "seconds": raised.value.seconds})
    assert refusal(NoAnswer(), "parquet-hostile", "f").code == "parquet-hostile"


def test_how_long_it_took_counts_from_the_question(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nsys.stdin.readline()\nwhile True: pass")
    with running(program, [], None, seconds=1.0) as said:
        time.sleep(1.2)
        said.ask(b"why\n")
        with pytest.raises(TookTooLong) as raised:
            said.read(1)
    assert raised.value.seconds >= 1


def test_an_answer_without_end_is_cut_off(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer):
        answer(tmp_path, "while True: print('x' * 1000)")
    assert len(answer(tmp_path, "print('x' * 1000, end='')")) == 1000
    with pytest.raises(NoAnswer):
        answer(tmp_path, "print('x' * 1001, end='')")


def test_the_user_can_stop_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(ENDLESS)
    beats = iter(range(3))

    def stop_soon(_share: float) -> None:
        if next(beats, None) is None:
            raise Cancelled

    began = time.monotonic()
    with pytest.raises(Cancelled):
        whole_answer(tmp_path / "program.py", [], b"", 9, 600.0, stop_soon)
    assert time.monotonic() - began < 300


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What PyInstaller makes of ZEBRA, in short: a program that begins where the bundle begins."""
    program = tmp_path / "zebra"
    start = Path(__file__).parents[3] / "packaging" / "start.py"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{start}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(apart.sys, "executable", str(program))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    return program


@pytest.mark.usefixtures("bundle")
def test_a_bundle_is_the_program_itself_with_the_program_s_own_bounds() -> None:
    asked = {"ppi": 72.0, "most_pixels": 1 << 20, "backwards": False, "modes": [None], "memory": 4 << 30}
    asked["seconds"] = 60
    program = Path("nowhere", "printed_apart.py")
    found = whole_answer(program, [json.dumps(asked)], b"no PDF", 99)
    assert found[8:] == b'{"broken": true}' + bytes(8)  # and the end


@pytest.mark.usefixtures("bundle")
def test_a_bundle_is_nothing_but_its_own_programs() -> None:
    with pytest.raises(NoAnswer):
        whole_answer(Path("os.py"), [], b"", 99)
    with pytest.raises(KeyError):
        apart.be_apart(["os"])


def test_every_program_that_is_run_apart_can_be_run_by_a_bundle() -> None:
    core = Path(apart.__file__).parents[1]
    programs = {path.stem for path in core.rglob("*_apart.py")} - {"bounds_apart"}
    assert programs == set(apart._IN_A_BUNDLE)
    for name, module in apart._IN_A_BUNDLE.items():
        assert core.joinpath(*module.split(".")[1:]).with_suffix(".py").is_file(), name


def test_without_an_interpreter_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart.sys, "executable", "")
    assert not can_run()


def test_where_the_system_starts_no_process_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart.sys, "executable", str(tmp_path / "gone"))
    why = "No such file or directory" if os.name == "posix" else "[^.]*[Ff]ile[^.]*"
    with pytest.raises(InputError, match=rf"the system cannot start one now: {why}\."):
        answer(tmp_path, ECHO)
