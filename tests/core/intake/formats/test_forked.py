"""A program that works apart goes on with one input after the other, and answers each as the first."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
MUSEUM = Path(__file__).parents[3] / "data" / "intake"
Told = Callable[[str], list[str]]
# It takes memory without filling it: that alone may be as long as a child may be busy where others are, too.
PROGRAM = """
import ctypes, mmap, os, sys, time
from importlib import import_module

held = []

def main():
    import_module("bounds_apart").limit_memory(64 << 20)
    import_module("bounds_apart").limit_time(1.0)
    said = sys.stdin.buffer.read()
    if said == b"die":
        ctypes.string_at(0)
    while said == b"busy":
        pass
    if said == b"wait":
        time.sleep(60)
    if said == b"raise":
        raise MemoryError
    if said == b"much":
        mmap.mmap(-1, 100 << 20)
    if said == b"fits":
        mmap.mmap(-1, 30 << 20)
    if said == b"keep":
        held.append(mmap.mmap(-1, 50 << 20))
    if said == b"spoil":
        held.append(said)
    sys.stdout.buffer.write(b"%d %s %s" % (os.getpid(), sys.argv[1].encode(), said))
    sys.stdout.buffer.write(b" spoilt" if b"spoil" in held else b"")
    sys.path.append("more")
    sys.meta_path.insert(0, None)
    sys.meta_path.pop(0)
"""
ASK = """
def ask(content, seconds=20.0):
    try:
        answer = apart.run_apart(PATH, ["a"], content, most_bytes=3 << 20, seconds=seconds)
    except apart.NoAnswer:
        return None
    found.append(int(answer.split()[0]))
    return answer.split(b" ", 1)[1]

found, PATH = [], Path(PROGRAM)
"""
# What all of them import, once: it takes longer than most of them. Each code is run by a process of its own.
TELLER = """
import json, os, sys
from pathlib import Path
from zebra_core.runtime import apart
from tests.fuzz import blind, forked, hdf5, lasting, parquet, targets

for line in sys.stdin:
    code, said, wrong = json.loads(line)
    child = os.fork()
    if not child:
        for number, path in enumerate((os.devnull, said, wrong)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        exec(code)
        sys.stdout.flush()
        os._exit(0)  # to take all the modules down would take longer than most codes
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def teller() -> Iterator[subprocess.Popen[str]]:
    """A process that runs the codes of all tests here, each in a fork of itself: what it imports, they share.

    It does nothing else, so that each code finds the modules as they are when imported. It has no threads: a
    process with threads must not be forked.
    """
    with subprocess.Popen(
        [sys.executable, "-c", TELLER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    ) as process:
        yield process


@pytest.fixture
def told(teller: subprocess.Popen[str], tmp_path: Path) -> Told:
    """What a code prints in a process of its own."""

    def told(code: str) -> list[str]:
        program, said, wrong = (tmp_path / name for name in ("program.py", "said", "wrong"))
        program.write_text(PROGRAM)
        whole = f"PROGRAM = {str(program)!r}\n{ASK}\n{code}"
        assert teller.stdin is not None
        assert teller.stdout is not None
        print(json.dumps([whole, str(said), str(wrong)]), file=teller.stdin, flush=True)
        status = teller.stdout.readline()
        assert status == "0\n", wrong.read_text()
        return said.read_text().splitlines()

    return told


def test_one_process_answers_one_input_after_the_other(told: Told) -> None:
    code = """
with forked.forked() as children:
    print(ask(b"one"), ask(b""), ask(bytes(1 << 21)) == b"a " + bytes(1 << 21), ask(b"two"))
    print(len(set(found)), dict(children.counts))
"""
    assert told(code) == ["b'a one' b'a ' True b'a two'", "1 {'inputs': 4, 'born': 1}"]


def test_a_process_that_does_not_go_on_as_it_was_is_replaced(told: Told) -> None:
    code = """
lasting._BETWEEN_LOOKS, lasting.MOST_GROWN = 1, 40 << 20
with forked.forked() as children:
    for content in (b"die", b"busy", b"raise", b"much", b"keep"):
        print(ask(b"good"), ask(content), ask(b"good"), found[-1] != found[-2 if content != b"keep" else -3])
    print(ask(b"wait", 0.5), ask(b"good"), found[-1] != found[-2])
    print(children.counts.pop("inputs"), children.counts.pop("born"))
    print(dict(children.counts))
"""
    assert told(code) == [
        *4 * ["b'a good' None b'a good' True"],
        "b'a good' b'a keep' b'a good' True",
        "None b'a good' True",
        "17 7",
        "{'died of SIGSEGV': 1, 'died of SIGPROF': 1, 'failed': 2, 'replaced': 1, 'hung': 1}",
    ]


def test_what_keeps_a_process_busy_is_no_good_beginning(told: Told) -> None:
    code = """
with forked.forked() as children:
    print([blind._is_light(ask, content, children) for content in (b"good", b"busy", b"die", b"raise")])
"""
    assert told(code) == ["[True, False, True, True]"]


def test_a_process_is_replaced_after_so_many_inputs(told: Told) -> None:
    code = """
lasting.MOST_INPUTS = 3
with forked.forked() as children:
    print([ask(b"good") for _ in range(7)] == 7 * [b"a good"])
    print([found.count(pid) for pid in dict.fromkeys(found)], children.counts["replaced"])
"""
    assert told(code) == ["True", "[3, 3, 1] 2"]


def test_limits_are_laid_once_and_places_of_modules_stay_what_they_are(told: Told) -> None:
    code = """
with forked.forked() as children:
    print([ask(b"fits") for _ in range(200)] == 200 * [b"a fits"], ask(b"much"))
    print(children.counts["born"])
"""
    assert told(code) == ["True None", "1"]


def test_a_process_that_is_no_longer_right_is_replaced(told: Told) -> None:
    """What an input leaves behind must not be taken for the answer to those that follow."""
    code = """
forked.BETWEEN_CHECKS = 3
forked._KNOWN["program"] = lambda: (["known"], b"good")
patched = forked._answer
forked._answer = lambda child: patched(child).split(b" ", 1)[1]
with forked.forked() as children:
    print([ask(content) for content in (b"spoil", b"one", b"two", b"three")])
    print(dict(children.counts))
"""
    assert told(code) == [
        "[b'a spoil spoilt', b'a one spoilt', b'a two spoilt', b'a three']",
        "{'inputs': 4, 'born': 2, 'checks': 1, 'wrong': 1}",
    ]


def test_a_file_is_given_as_it_is(told: Told, tmp_path: Path) -> None:
    """The program may go to and fro in it, and the next input finds another one."""
    seeking = tmp_path / "seeking.py"
    seeking.write_text(
        "import os\n"
        "def main():\n"
        "    for place in (3, 0):\n"
        "        os.lseek(0, place, os.SEEK_SET)\n"
        "        os.write(1, os.read(0, 2))\n"
    )
    (tmp_path / "given").write_bytes(b"abcdef")
    code = f"""
path = Path({str(tmp_path)!r})
with forked.forked():
    for _ in range(2):
        with (path / "given").open("rb") as file:
            with apart.running(path / "seeking.py", [], file, seconds=20.0) as answer:
                print(answer.read(3), answer.rest(1))
"""
    assert told(code) == 2 * ["b'dea' b'b'"]


def test_programs_apart_read_what_they_read_otherwise(told: Told) -> None:
    code = f"""
from zebra_core.errors import InputError
from zebra_core.intake.formats import hdf5

good = Path({str(MUSEUM / "bosaris-scores.h5")!r}).read_bytes()
with forked.forked():
    for content in (good, good[:500]):
        try:
            print([one.format for one in hdf5.recognise(targets.opened(content))])
        except InputError as error:
            print(error.code)
"""
    assert told(code) == ["['hdf5-scores']", "hdf5-broken"]


@pytest.mark.parametrize("name", ["hdf5", "parquet"])
def test_a_good_file_is_read_as_well_after_hundreds_that_were_not(told: Told, name: str) -> None:
    """By the process that saw most of them; it says what the program says that is started for it."""
    code = f"""
import random

known, rng = [*targets.seeds("{name}").values()], random.Random(1)
program = Path("core/zebra_core/intake/formats/{name}_apart.py").resolve()
arguments, good = forked._KNOWN[program.stem]()

def read():
    return apart.run_apart(program, arguments, good, most_bytes=1 << 20, seconds=60.0)

alone = read()
with forked.forked() as children:
    first = read()
    for _ in range(300):
        content = targets.MUTATORS["{name}"](
            rng.choice(known), 20_000, rng.getrandbits(32), lambda content, most: content[:most // 2]
        )
        targets.survive(targets.TARGETS["{name}"], content)
        if children.counts["inputs"] > 300 and children.counts["checks"]:
            break  # of Parquet each is looked into several times
    last = read()
    print(first == last == alone, children.counts["checks"] > 0, children.counts["wrong"])
    print(children.counts["inputs"] > 10 * children.counts["born"])
"""
    assert told(code) == ["True True 0", "True"]
