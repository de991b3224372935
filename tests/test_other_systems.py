"""What runs on Linux alone is known, stands behind a question for the system, and can be missed.

`make check-systems` asks mypy the same as if it ran on Windows and on macOS; here is what it cannot see.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "zebra_gui", "resources")
MODULES = set(
    """
    fcntl resource pwd grp termios tty pty syslog posix readline crypt spwd nis ossaudiodev
    """.split()  # noqa: SIM905
)
OS = set(
    """
    fork forkpty killpg getuid geteuid getgid getegid setuid setgid link symlink chown lchown chmod
    fchmod fchown mkfifo mknod nice sched_getaffinity sched_setaffinity getloadavg uname wait wait3
    wait4 waitpid setsid getpgid setpgid posix_spawn statvfs sysconf register_at_fork O_NOFOLLOW
    O_NONBLOCK O_DIRECTORY O_CLOEXEC O_TMPFILE kill set_blocking sync getgroups chroot openpty
    """.split()  # noqa: SIM905
)
SIGNALS = set(
    """
    SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGALRM SIGCHLD SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGXCPU alarm
    setitimer pthread_sigmask pthread_kill sigwait set_wakeup_fd pause
    """.split()  # noqa: SIM905
)
STARTING = frozenset(
    {"preexec_fn", "pass_fds", "process_group", "start_new_session", "user", "group", "umask"}
)

# Where each is used, and what is done elsewhere.
KNOWN = {
    "bounds_apart.py": {"resource"},  # not on Windows: returns before
    "memory.py": {"resource", "os.sysconf"},  # Windows has its own way, before
    "parallel.py": {"os.sched_getaffinity"},  # only where os has it
    "review.py": {"fcntl"},  # not on Windows, which locks no folder
    "room.py": {"fcntl", "os.getuid"},  # Windows has its own lock, before; only where os has it
    # Else the name is taken first; only where os has it; Windows knows the bit for writing alone.
    "access.py": {"os.link", "os.chown", "Path.chmod"},
    "settings.py": {"Path.chmod"},  # as the next
    "unsaved.py": {"Path.chmod"},  # Windows keeps the folders of one user from the others by itself
    "faults.py": {"os.set_blocking", "os.kill", "signal.set_wakeup_fd"},  # not on Windows: returns before
}


@pytest.fixture(scope="module")
def sources() -> list[tuple[Path, list[ast.AST]]]:
    """All nodes of every file of the program: parsed once for the tests of this module, which only look."""
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))]
    return [(file, list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))) for file in files]


@pytest.fixture(scope="module")
def uses(sources: list[tuple[Path, list[ast.AST]]]) -> list[tuple[Path, list[tuple[str, bool]]]]:
    """What other systems lack, by the files that use it; True where a file begins with importing it."""
    found = []
    for file, nodes in sources:
        at_the_top = {id(node) for node in nodes[0].body}
        found.append((file, [(name, id(node) in at_the_top) for name, node in used(nodes)]))
    return found


def used(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from ((name.name, node) for name in names if name.name in MODULES)
            case ast.ImportFrom(module=str(module)) if module in MODULES:
                yield module, node
            case ast.Attribute(value=ast.Name(id="os"), attr=attr) if attr in OS:
                yield f"os.{attr}", node
            case ast.Attribute(value=ast.Name(id="signal"), attr=attr) if attr in SIGNALS:
                yield f"signal.{attr}", node
            case ast.Attribute(attr="chmod" | "symlink_to" | "hardlink_to" | "owner" | "lchmod" as attr):
                yield f"Path.{attr}", node
            case ast.Call(
                func=ast.Attribute(attr="run" | "Popen" | "check_call" | "check_output"), keywords=keys
            ):
                yield from ((f"subprocess({key.arg})", node) for key in keys if key.arg in STARTING)


def test_what_other_systems_lack_is_used_in_known_places_only(uses):
    found: dict[str, set[str]] = {}
    for file, names in uses:
        for name, _ in names:
            found.setdefault(file.name, set()).add(name)
    assert found == KNOWN


def test_modules_that_other_systems_lack_are_imported_where_they_are_used(uses):
    for file, names in uses:
        assert not [name for name, is_at_the_top in names if is_at_the_top], file


def test_no_path_of_linux_is_opened_unless_it_may_be_missing(sources):
    # Read through one function that takes "not there" for an answer, or within try.
    # What Parquet and HDF5 are read from is named by its path on Windows, the only system without that name.
    allowed = {"memory.py", "bounds_apart.py", "columns_process.py"}
    for file, nodes in sources:
        texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
        named = [
            text
            for text in texts
            if isinstance(text, str) and text.startswith(("/proc", "/sys", "/dev", "/etc"))
        ]
        assert not named or file.name in allowed, (file, named)


def test_text_files_name_their_encoding(sources):
    # Elsewhere it is another one by default: cp1252, cp932.
    for file, nodes in sources:
        for node in nodes:
            match node:
                case ast.Call(func=ast.Attribute(attr="read_text" | "write_text"), args=args, keywords=keys):
                    ours = "resources" in ast.unparse(node.func)
                    assert ours or any(key.arg == "encoding" for key in keys) or len(args) > 1, (
                        file,
                        node.lineno,
                    )
                case ast.Call(
                    func=ast.Attribute(attr="open") | ast.Name(id="open"), args=args, keywords=keys
                ):
                    modes = [
                        a.value for a in args if isinstance(a, ast.Constant) and isinstance(a.value, str)
                    ]
                    is_text = not any("b" in mode for mode in modes)
                    named = any(key.arg == "encoding" for key in keys)
                    assert named or not (is_text and modes), (file, node.lineno)


@pytest.mark.parametrize(
    "source", ["import fcntl", "from resource import getrlimit", "os.fork()", "signal.SIGKILL"]
)
def test_each_kind_would_be_found(source):
    assert len(list(used(ast.walk(ast.parse(source))))) == 1


# All that is imported from elsewhere comes first: it is for its makers to run on Windows.
WINDOWS = r"""
import json, os, signal, sys
import click, matplotlib.figure, numpy, pandas, scipy.special, scipy.optimize, rich.progress, jinja2, typst
import click.testing, concurrent.futures, ctypes, multiprocessing, subprocess, tempfile, shutil, pypdf
import duckdb, ibis.backends.sql.compilers, types
import matplotlib.backends.backend_agg, matplotlib.backends.backend_pdf, matplotlib.backends.backend_svg

class Kernel:
    def GlobalMemoryStatusEx(self, status):
        status._obj.size_1 = 8 << 30
        return 1
    def SetErrorMode(self, mode):
        return 0

taken = json.loads(sys.argv[1])
for name in taken["modules"]:
    sys.modules[name] = None
for name in taken["os"]:
    if hasattr(os, name):
        delattr(os, name)
for name in taken["signals"]:
    if hasattr(signal, name):
        delattr(signal, name)
ctypes.windll = type("Libraries", (), {"kernel32": Kernel()})()
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)
sys.platform = "win32"
from zebra_gui.cli import main
for arguments in json.loads(sys.argv[2]):
    done = click.testing.CliRunner().invoke(main, arguments)
    if done.exit_code:
        raise SystemExit(f"{arguments}: {done.output}") from done.exception
    print(done.stdout.splitlines()[0])
from zebra_core.runtime.memory import free_bytes
print(free_bytes())
"""


def test_the_command_line_works_with_everything_taken_away_that_windows_lacks(tmp_path):
    (tmp_path / "scores").write_bytes(b"a b 2.0\r\na c -1.0\r\nd e 1.5\r\nd f 0.5\r\n")
    (tmp_path / "trials").write_bytes(b"a b target\r\na c nontarget\r\nd e target\r\nd f nontarget\r\n")
    # Python itself needs these for subprocesses, for the room on a disk, and since 3.13 to remove a folder.
    taken = {
        "modules": sorted(MODULES),
        "os": sorted(OS - {"kill", "statvfs", "waitpid", "O_NONBLOCK"}),
        "signals": sorted(SIGNALS),
    }
    commands = [
        ["assess", "-s", "scores", "-k", "trials", "-e", "pdf", "-e", "tex"],
        ["assess", "-s", "scores", "-k", "trials", "--stream"],
        ["compare", ".", "-o", "out"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS, json.dumps(taken), json.dumps(commands)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == str(8 << 30)
    assert (tmp_path / "ZEBRA-ZEBRA-profile.pdf").read_bytes().startswith(b"%PDF")
