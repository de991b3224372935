"""Typst keeps no documents in memory once they are set."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]

# Sets twelve documents that have nothing in common, of which each leaves megabytes behind; prints the growth.
PROGRAM = """
import ctypes, os, sys
import typst
from zebra_core.report.pdf import forgetting

class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo

def set_one(number):
    words = " ".join(f"{number}x{k}" for k in range(4000)).encode()
    if sys.argv[1] == "fails":
        words += b" #panic()"
    with forgetting():
        typst.compile(words, ignore_system_fonts=True)

def set_and_mend(number):
    try:
        set_one(number)
    except typst.TypstError:
        pass

set_and_mend(0)
set_and_mend(1)
before = libc.mallinfo2().h
for number in range(2, 12):
    set_and_mend(number)
print((libc.mallinfo2().h - before) / 1e6)
"""


def growth_mb(how: str, program: str = PROGRAM) -> float:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, "-c", program, how], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


def test_documents_are_forgotten() -> None:
    assert growth_mb("succeeds") < 1.0


def test_documents_that_cannot_be_set_are_forgotten_too() -> None:
    assert growth_mb("fails") < 1.0


def test_without_it_they_would_be_kept() -> None:
    assert growth_mb("succeeds", PROGRAM.replace("with forgetting()", "if True")) > 5.0
