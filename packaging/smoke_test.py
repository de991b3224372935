"""Start a frozen ZEBRA from outside, on a sample, and fail on any output that is not known and explained.

    python smoke_test.py PROGRAM

Needs nothing but Python. Each run has an empty home of its own, in a folder whose name has spaces and letters
beyond ASCII, and an environment with next to nothing in it. On Linux the system ends whatever opens a
socket to another computer.
"""

from __future__ import annotations

import ctypes
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
from typing import Any

# What may appear on standard error, and why. A line that fits none of these fails the test.
EXPLAINED = {
    r"This plugin does not support propagateSizeHints\(\)": "Qt without a screen says so of itself",
    r"This plugin does not support raise\(\)": "Qt without a screen says so of itself",
    r'Detected locale "C" with character encoding "ANSI_X3.4-1968", which is not UTF-8\.': "no locale is set",
    r'Qt depends on a UTF-8 locale, and has switched to "C.UTF-8" instead\.': "no locale is set",
    r"If this causes problems, reconfigure your locale\. .*": "no locale is set",
    r"for more information\.": "no locale is set",
    r"Matplotlib is building the font cache; this may take a moment\.": "a machine that is busy, once",
    r"Terminated": "xvfb-run says how the window ended that was open long enough",
    r"zebra: Linkability .* is not measurable .*": "the remark on few trials: meant for the user",
    r"zebra: Actual ECE and Cllr judge the scores as if .*": "the remark on raw scores: meant for the user",
    r"zebra: A threshold parts the scores of .*": "a remark for the user",
    r"zebra: Embeddings are biometric data, .*": "a remark for the user",
    r"zebra: Who speaks in which trial is not known, .*": "a remark for the user",
    r"zebra: .* has no intervals: There are only 2 speakers, .*": "a remark for the user",
    r"zebra: No two enrolled people have two recordings each, .*": "a remark for the user",
    r"zebra: (scores|key)\.txt is no longer in .*": "the sample project is on its own",
    r"zebra: No speaker map was given: .*": "the remark on names of speakers: meant for the user",
    r"zebra: Speakers are identified by the rule first-folder: .*": "the rule, for the user",
    r"zebra: Listening to [0-9]+ recordings; .*": "how much there is to do, for the user",
    r"zebra: What goes into the network: .*": "what a recogniser of one's own is given, for the user",
    r"zebra: counts\.parquet says that its trials were matched .*": "where they were counted, for the user",
    r"zebra: counts\.parquet is known only as counts, .*": "the remark on counts: meant for the user",
    r"zebra: 4 trials were read piece by piece and counted, .*": "the same",
    r"zebra: OO: 6 pairs are scored in both orders; both count\.": "the remark on pairs: meant for the user",
}
# What libraries say of Wine, which has no graphics card and tells little of the processor.
UNDER_WINE = {
    r"Failed to create DXGI factory\..*": "onnxruntime looks for graphics cards",
    r"Error in cpuinfo: .*": "onnxruntime looks for caches of the processor",
    r".*\[W:onnxruntime:Default, cpuid_info\.cc:.*": "the same",
    r"(\x1b\[m)*\s*": "it paints its warnings",
}
if sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version"):
    EXPLAINED |= UNDER_WINE
SCORES = "e1 t1 2.5\ne1 t2 0.5\ne2 t1 -1.0\ne2 t2 1.5\n"
KEY = "e1 t1 target\ne1 t2 nontarget\ne2 t1 nontarget\ne2 t2 target\n"
# Every segment against every other: two speakers with two segments each.
SEGMENTS = """a-1 a-2 3.1\na-1 b-1 -1.8\na-1 b-2 -1.7\na-2 a-1 3.4\na-2 b-1 -1.4\na-2 b-2 -1.3
b-1 a-1 -0.7\nb-1 a-2 -0.6\nb-1 b-2 3.6\nb-2 a-1 -0.3\nb-2 a-2 -0.2\nb-2 b-1 3.9\n"""
HDF5 = b"\x89HDF\r\n\x1a\n"
RESOURCES = Path(__file__).resolve().parents[1] / "resources" / "zebra_resources"
SPEAKERS = 4  # of the ten whose recordings come along
MOST_ERRORS = 0.05
PROJECT = Path(__file__).resolve().parent / "sample.zebra"  # SCORES and KEY, saved by ZEBRA 0.1.0
DISCLOSED = 0.7213475204444817  # bit, all there is, 1/(2 ln 2): both targets are above both nontargets
_SECONDS = 300
_SECONDS_OPEN = 12
_NO_NETWORK = Path(__file__).resolve().parents[1] / "tests" / "no_network.py"
_DISPLAY = ("DISPLAY", "XAUTHORITY", "PATH")


@dataclass(frozen=True)
class Run:
    """One start of the program: what it is given, and what must come of it."""

    name: str
    arguments: tuple[str, ...]
    status: int
    judge: Callable[[str], str]  # what is wrong with standard output; "" if nothing
    says: str = ""  # what standard error must match as a whole, where the run is to fail
    before: Callable[[Path], None] | None = None  # what is done in the folder first


def _is_version(out: str) -> str:
    return "" if re.fullmatch(r"zebra \d+\.\d+\.\d+\S*( \([0-9a-f]{12}(-dirty)?\))?\n", out) else "no version"


def _is_help(out: str) -> str:
    missing = [word for word in ("Usage: zebra", "assess", "demo", "selftest") if word not in out]
    return f"the help lacks {missing}" if missing else ""


def _is_assessment(out: str) -> str:
    return _wrong_figures(json.loads(out))


def _is_comparison(out: str) -> str:
    (row,) = json.loads(out)["rows"]
    return _wrong_figures(row)


def _wrong_figures(found: dict[str, Any]) -> str:
    counts = (found["n_target"], found["n_nontarget"], found["tag"])
    if counts != (2, 2, "A") or abs(found["d_ece_bits"] - DISCLOSED) > 1e-12:
        return f"wrong figures: {counts}, {found['d_ece_bits']}"
    return ""


def _is_similarity(out: str) -> str:
    found = json.loads(out)
    # PAV with Laplace's rule, at prior odds of 4 to 8: 5 targets to 1 nontarget within a speaker, 1 to 9
    # across. That makes LRs of 10 and 2/9, at even odds 10/11 and 2/11: D_diag is their difference.
    if found["speakers"] != ["a", "b"] or abs(found["d_diag"]["oo"] - 8 / 11) > 1e-12:
        return f"wrong figures: {found['speakers']}, {found['d_diag']}"
    return ""


def _is_verified(out: str) -> str:
    return (
        ""
        if re.fullmatch(r"All \d+ figures, files and pages are those of .+\n(.+\n)*", out)
        else "the report is not verified"
    )


def _is_found_out(out: str) -> str:
    found = "differs: case, d_ece_bits: reported 0.02134" in out and "Not everything is verified" in out
    return "" if found else "a report that was tampered with passes"


def _has_passed(out: str) -> str:
    return "" if re.search(r": PASSED$", out, re.MULTILINE) else "the known-answer tests did not pass"


def _has_report(out: str) -> str:
    return "" if "report.pdf" in out and "evidence.json" in out else "the report set is not complete"


def _has_word(out: str) -> str:
    return "" if "made.docx" in out and "made.evidence.json" in out else "the Word file is not complete"


def _is_heard(out: str) -> str:
    count = len(re.findall(r"^Population: ", out, re.MULTILINE))
    return "" if count and "report" in out else f"{count} assessments of recordings"


def _is_scored(out: str) -> str:
    found = json.loads(out)
    heard = {(one["condition"], one["safeguard"]): one["eer"] for one in found["attacks"]}
    # Four people with three recordings each: each is told from the others, with a safeguard as without.
    wrong = set(heard) != {("oo", ""), ("oa", "B2"), ("aa", "B2")} or max(heard.values()) > MOST_ERRORS
    return f"wrong figures: {heard}" if wrong or len(found["recordings"]) != 12 else ""


def _is_empty(out: str) -> str:
    return "output where there should be none" if out else ""


def _tamper(folder: Path) -> None:
    """The evidence of a report with another figure in it."""
    said = (folder / "made" / "evidence.json").read_text(encoding="utf-8")
    other = said.replace(str(DISCLOSED), "0.0213475204444817")
    (folder / "false.json").write_text(other, encoding="utf-8")


def _is_counted(out: str) -> str:
    return "" if "counts.parquet" in out else "no counts"


_SCORES, _KEY = str(Path("case", "scores.txt")), str(Path("case", "key.txt"))
_BOTH = ("-s", _SCORES, "-k", _KEY)
RUNS = (
    Run("version", ("--version",), 0, _is_version),
    Run("help", ("--help",), 0, _is_help),
    Run("assess", ("assess", "-s", _SCORES, "-k", _KEY, "--json"), 0, _is_assessment),
    Run(
        "missing file",
        ("assess", "-s", "none.txt", "-k", _KEY),
        1,
        _is_empty,
        r"zebra: error: none\.txt was not found in .+\n",
    ),
    Run("wrong usage", ("assess",), 2, _is_empty, r"Usage: zebra(?s:.+)Give either scores \(-s\) .+\n"),
    Run(
        "no HDF5 inside",
        ("assess", "-s", "scores.h5", "-k", _KEY),
        1,
        _is_empty,
        r"zebra: error: scores\.h5 is an HDF5 file, which needs .+\n",
    ),
    Run(
        "similarity",
        ("similarity", "--oo", "oo.txt", "--speakers", "before-hyphen", "--json"),
        0,
        _is_similarity,
    ),
    Run("comparison", ("compare", "case", "--json"), 0, _is_comparison),
    Run("project", ("compare", "sample.zebra", "--json"), 0, _is_comparison),
    Run("counting", ("count", "--engine", "duckdb", *_BOTH, "-o", "counts.parquet"), 0, _is_counted),
    Run("counts in Parquet", ("assess", "-s", "counts.parquet", "--json"), 0, _is_assessment),
    Run(
        "broken Parquet",
        ("assess", "-s", "broken.parquet"),
        1,
        _is_empty,
        r"zebra: error: broken\.parquet is not a complete Parquet file: .+\n",
    ),
    Run(
        "another language",
        ("--language", "de", "assess", "-s", "none.txt", "-k", _KEY),
        1,
        _is_empty,
        r"zebra: Fehler: none\.txt wurde in .+ nicht gefunden.*\n",
    ),
    Run("report", ("report", "case", "-o", "made"), 0, _has_report),
    Run("report for Word", ("report", "case", "-o", "made.docx"), 0, _has_word),
    Run("report verified", ("verify", str(Path("made", "report.pdf")), "--data", "case"), 0, _is_verified),
    Run("false report", ("verify", "false.json", "--data", "case"), 4, _is_found_out, before=_tamper),
    Run("report set", ("demo", "--out", "out"), 0, _has_report),
    Run("from recordings", ("demo", "--recordings", "--out", "heard"), 0, _is_heard),
    Run(
        "recordings heard by a recogniser that was given",
        (
            *("score", "--original", str(Path("speech", "original")), "--speakers", "first-folder"),
            *("--protected", f"B2={Path('speech', 'B2')}", "--trials", "all", "--attacker", "cosine"),
            *("--model", "given.onnx", "-o", "scored", "--json"),
        ),
        0,
        _is_scored,
    ),
    Run("known answers", ("selftest",), 0, _has_passed),
)


WINDOWS = {
    "window": (_SCORES, _KEY),
    "window with a project": ("sample.zebra",),
    "window with the demo": ("demo",),
}


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


def run_trouble(program: Path, run: Run, folder: Path) -> list[str]:
    """Do the run in this folder; what is wrong with how it ended."""
    try:
        if run.before:
            run.before(folder)
    except OSError as error:
        return [f"the runs before left nothing to go on from: {error}"]
    done = subprocess.run(
        without_network([str(program), *run.arguments]),
        cwd=folder, env=_environment(folder), capture_output=True, timeout=_SECONDS, check=False,
    )  # fmt: skip
    out, errors = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    return verdict(run, done.returncode, _plain(out), _plain(errors))


def without_network(command: Sequence[str]) -> list[str]:
    """The same command, which the system ends where it opens a socket to another computer."""
    return [*([sys.executable, str(_NO_NETWORK)] if sys.platform == "linux" else []), *command]


def window_trouble(program: Path, arguments: Sequence[str], folder: Path) -> list[str]:
    """Open the window for some seconds: it must stay open and be quiet."""
    command, environment = without_network([str(program), *arguments]), _environment(folder)
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
    """The program alone: one whose screen is taken away at the same time complains. xvfb-run ends with it."""
    started = Path(f"/proc/{window.pid}/task/{window.pid}/children")
    if isinstance(window.args, list) and window.args[0] == "xvfb-run" and started.exists():
        for process in started.read_text().split():
            if Path("/proc", process, "comm").read_text().strip() != "Xvfb":
                os.kill(int(process), signal.SIGTERM)
    else:
        window.terminate()


def main(program: Path) -> int:
    """Do all runs; prints one line each, and what is wrong. Returns the number of runs that failed."""
    with tempfile.TemporaryDirectory(prefix="zebra smoke – größe ") as place:
        folder = Path(place)
        _write_sample(folder)
        failed = sum(_tell(run.name, run_trouble(program, run, folder)) for run in RUNS)
        for name, arguments in WINDOWS.items():
            failed += _tell(name, window_trouble(program, arguments, folder))
    return failed


def _write_sample(folder: Path) -> None:
    (folder / "case").mkdir()
    (folder / _SCORES).write_text(SCORES, encoding="utf-8")
    (folder / _KEY).write_text(KEY, encoding="utf-8")
    (folder / "oo.txt").write_text(SEGMENTS, encoding="utf-8")
    (folder / "broken.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    (folder / "scores.h5").write_bytes(HDF5 + bytes(100))
    shutil.copy(PROJECT, folder)
    shutil.copy(RESOURCES / "recogniser" / "campplus-16k-zh-en.onnx", folder / "given.onnx")
    for version in ("original", "B2"):
        for speaker in sorted(filter(Path.is_dir, (RESOURCES / "recordings" / version).iterdir()))[:SPEAKERS]:
            shutil.copytree(speaker, folder / "speech" / version / speaker.name)


def _tell(name: str, wrong: Sequence[str]) -> bool:
    print(
        f"{'FAILED' if wrong else 'passed'}  {name}",
        *(f"        {line}" for line in wrong),
        sep="\n",
        flush=True,
    )
    return bool(wrong)


def _plain(text: str) -> str:
    # onnxruntime writes UTF-16 on Windows.
    return text.replace("\0", "").replace("\r\n", "\n")


def _environment(home: Path) -> dict[str, str]:
    """Next to nothing: no path to a Python, no settings of whoever runs this."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return {**kept, "HOME": str(home), "USERPROFILE": str(home)}


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1]).resolve()) else 0)
