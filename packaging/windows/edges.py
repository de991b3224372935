"""What only Windows does to files, tried with the installed program: edges.py ZEBRA.EXE."""

import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_SHARED_FOR_READING, _READ_WRITE, _OPEN = 1, 0xC0000000, 3  # as Word opens a document
HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "zebra-tests" / "packaging" / "sample.zebra"


def exported(program: str, target: Path) -> tuple[int, str]:
    """The status and the words of an export over whatever is there."""
    command = [program, "report", str(SAMPLE), "-o", str(target), "--overwrite"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def main(program: str) -> int:
    """Try all; prints one line each and returns how many failed."""
    failed = 0

    def told(name: str, target: Path, words: str) -> None:
        nonlocal failed
        before = sorted(path.name for path in target.parent.iterdir())
        status, said = exported(program, target)
        left = sorted(path.name for path in target.parent.iterdir())
        good = status == 1 and words in said and left == before
        failed += not good
        print(
            f"{'passed' if good else 'FAILED'}  {name}",
            "" if good else (status, said, before, left),
            flush=True,
        )

    with tempfile.TemporaryDirectory(prefix="größe und mehr ") as name:
        folder = Path(name)
        locked = folder / "word.docx"
        locked.write_bytes(b"x")
        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
        handle = kernel.CreateFileW(str(locked), _READ_WRITE, _SHARED_FOR_READING, None, _OPEN, 0, None)
        told("a file that another program has open", locked, "is open in another program")
        kernel.CloseHandle(handle)
        marked = folder / "read-only.docx"
        marked.write_bytes(b"x")
        marked.chmod(0o444)
        told("a read-only file", marked, "is marked as read-only")
        marked.chmod(0o666)
        for impossible in ("CON.docx", "nul.docx", "COM1.docx"):
            told(f"a file called {impossible}", folder / impossible, "is not a possible file name")
        os.chdir(folder)
        status, said = exported(program, folder / "made here.docx")
        good = status == 0 and (folder / "made here.docx").exists()
        failed += not good
        print(f"{'passed' if good else 'FAILED'}  a folder with umlauts and blanks", "" if good else said)
        os.chdir(HERE)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
