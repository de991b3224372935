"""Start a frozen ZEBRA from outside, on a sample, and fail on any output that is not known and explained.

    python smoke_test.py PROGRAM

Needs nothing but Python. Each run has an empty home of its own, in a folder whose name has spaces and letters
beyond ASCII, and an environment with next to nothing in it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# What may appear on standard error, and why. A line that fits none of these fails the test.
EXPLAINED = {
    r"This plugin does not support propagateSizeHints\(\)": "Qt without a screen says so of itself",
    r"This plugin does not support raise\(\)": "Qt without a screen says so of itself",
    r'Detected locale "C" with character encoding "ANSI_X3.4-1968", which is not UTF-8\.': "no locale is set",
    r'Qt depends on a UTF-8 locale, and has switched to "C.UTF-8" instead\.': "no locale is set",
    r"If this causes problems, reconfigure your locale\. .*": "no locale is set",
    r"for more information\.": "no locale is set",
    r"zebra: Linkability is not measurable .*": "the remark on few trials: meant for the user",
    r"zebra: Actual ECE and Cllr judge the scores as if .*": "the remark on raw scores: meant for the user",
}
SCORES = "e1 t1 2.5\ne1 t2 0.5\ne2 t1 -1.0\ne2 t2 1.5\n"
KEY = "e1 t1 target\ne1 t2 nontarget\ne2 t1 nontarget\ne2 t2 target\n"
_SECONDS = 300
_SECONDS_OPEN = 12
_DISPLAY = ("DISPLAY", "XAUTHORITY", "PATH")


@dataclass(frozen=True)
class Run:
    """One start of the program: what it is given, and what must come of it."""

    name: str
    arguments: tuple[str, ...]
    status: int
    judge: Callable[[str], str]  # what is wrong with standard output; "" if nothing
    says: str = ""  # what standard error must match as a whole, where the run is to fail


def _is_version(out: str) -> str:
    return "" if re.fullmatch(r"zebra \d+\.\d+\.\d+\S*( \([0-9a-f]{12}(-dirty)?\))?\n", out) else "no version"


def _is_help(out: str) -> str:
    missing = [word for word in ("Usage: zebra", "assess", "demo", "selftest") if word not in out]
    return f"the help lacks {missing}" if missing else ""


def _is_assessment(out: str) -> str:
    found = json.loads(out)
    counts = (found["n_target"], found["n_nontarget"], found["tag"])
    # Both targets are above both nontargets: everything is disclosed, 1/(2 ln 2) bit.
    if counts != (2, 2, "A") or abs(found["d_ece_bits"] - 0.7213475204444817) > 1e-12:
        return f"wrong figures: {counts}, {found['d_ece_bits']}"
    return ""


def _has_passed(out: str) -> str:
    return "" if re.search(r": PASSED$", out, re.MULTILINE) else "the known-answer tests did not pass"


def _is_demo(out: str) -> str:
    return "" if "report.pdf" in out and "evidence.json" in out else "the report set is not complete"


def _is_empty(out: str) -> str:
    return "output where there should be none" if out else ""


RUNS = (
    Run("version", ("--version",), 0, _is_version),
    Run("help", ("--help",), 0, _is_help),
    Run("assess", ("assess", "-s", "scores.txt", "-k", "key.txt", "--json"), 0, _is_assessment),
    Run(
        "missing file",
        ("assess", "-s", "none.txt", "-k", "key.txt"),
        1,
        _is_empty,
        r"zebra: none\.txt is not there: .+\n",
    ),
    Run("wrong usage", ("assess",), 2, _is_empty, r"Usage: zebra(?s:.+)Missing option '-s'\.\n"),
    Run("report set", ("demo", "--out", "out"), 0, _is_demo),
    Run("known answers", ("selftest",), 0, _has_passed),
)


def unexplained(errors: str) -> list[str]:
    """The lines of standard error that nothing on the list accounts for."""
    lines = [line for line in errors.splitlines() if line.strip()]
    return [line for line in lines if not any(re.fullmatch(known, line) for known in EXPLAINED)]


def verdict(run: Run, status: int, out: str, errors: str) -> list[str]:
    """What is wrong with how a run ended; empty if nothing."""
    wrong = [] if status == run.status else [f"status {status} instead of {run.status}"]
    if run.says:
        wrong += [] if re.fullmatch(run.says, errors) else [f"unexpected words: {errors!r}"]
    else:
        wrong += [f"unexplained output: {line}" for line in unexplained(errors)]
    try:
        if trouble := run.judge(out):
            wrong.append(trouble)
    except (ValueError, KeyError, TypeError) as error:
        wrong.append(f"output that cannot be read ({error!r}): {out[:500]!r}")
    return wrong


def window_trouble(program: Path, folder: Path) -> list[str]:
    """Open the window on the sample for some seconds: it must stay open and be quiet."""
    command, environment = [str(program), "scores.txt", "key.txt"], _environment(folder)
    if sys.platform == "linux":
        if "DISPLAY" not in os.environ and shutil.which("xvfb-run") is None:
            return ["there is neither a display nor xvfb-run, so no window can be opened"]
        if "DISPLAY" not in os.environ:
            command = ["xvfb-run", "-a", *command]
        environment |= {name: os.environ[name] for name in _DISPLAY if name in os.environ}
    with subprocess.Popen(
        command,
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as window:  # fmt: skip
        try:
            out, errors = window.communicate(timeout=_SECONDS_OPEN)
            wrong = [f"the window closed by itself, status {window.returncode}"]
        except subprocess.TimeoutExpired:  # as it should be: it waits for its user
            _end(window)
            out, errors = window.communicate(timeout=30)
            wrong = []
    lines = _plain((out + errors).decode("utf-8", "replace"))
    return wrong + [f"unexplained output: {line}" for line in unexplained(lines)]


def _end(window: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        os.killpg(window.pid, signal.SIGTERM)  # xvfb-run and what it has started
    else:
        window.terminate()


def main(program: Path) -> int:
    """Do all runs; prints one line each, and what is wrong. Returns the number of runs that failed."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="zebra smoke – größe ") as name:
        folder = Path(name)
        (folder / "scores.txt").write_text(SCORES, encoding="utf-8")
        (folder / "key.txt").write_text(KEY, encoding="utf-8")
        for run in RUNS:
            done = subprocess.run(
                [str(program), *run.arguments],
                cwd=folder, env=_environment(folder), capture_output=True, timeout=_SECONDS, check=False,
            )  # fmt: skip
            out, errors = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
            failed += _tell(run.name, verdict(run, done.returncode, _plain(out), _plain(errors)))
        failed += _tell("window", window_trouble(program, folder))
    return failed


def _tell(name: str, wrong: Sequence[str]) -> bool:
    print(
        f"{'FAILED' if wrong else 'passed'}  {name}",
        *(f"        {line}" for line in wrong),
        sep="\n",
        flush=True,
    )
    return bool(wrong)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


def _environment(home: Path) -> dict[str, str]:
    """Next to nothing: no path to a Python, no settings of whoever runs this."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return {**kept, "HOME": str(home), "USERPROFILE": str(home)}


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1]).resolve()) else 0)
