"""The program as a user runs it: `zebra …` in this process, with what it prints, and how it ends."""

import contextlib
import io
import json
import os
import random
import secrets
import shlex
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMIT = "0123456789ab"
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ending:
    """What a command printed, its exit status, and the code of the error that ended it."""

    printed: str
    on_stderr: str
    status: int
    error: str

    def as_json(self) -> dict[str, Any] | str:
        """The same as values; what it printed alone, where that is no JSON."""
        try:
            printed = json.loads(self.printed) if self.printed.startswith(("{", "[")) else None
        except ValueError:
            printed = None
        if printed is None:
            return self.printed
        ends = {"status": self.status, "error": self.error, "on_stderr": self.on_stderr.splitlines()}
        return {**ends, "lines": self.printed.count("\n"), "printed": printed}

    def in_short(self) -> Any:
        """How it was refused; otherwise what it told, and of figures a few."""
        if self.status:
            return f"{self.error or self.status}: {self.on_stderr.strip()}"
        said = self.as_json()
        if isinstance(said, dict) and "tag" in said["printed"]:
            few = ("n_target", "n_nontarget", "d_ece_bits", "cllr_bits", "tag", "remarks")
            return {key: said["printed"].get(key) for key in few} | {"on_stderr": said["on_stderr"]}
        return said

    def as_text(self, command: str) -> str:
        """As a terminal shows it."""
        parts = [f"$ {command}\n", self.printed]
        if self.on_stderr:
            parts += ["--- on standard error\n", self.on_stderr]
        error = f" ({self.error})" if self.error else ""
        return "".join([*parts, f"--- exit status {self.status}{error}\n"])


def zebra(*arguments: str) -> Ending:
    """Run the program's entry point with these arguments. One process speaks one language."""
    from zebra_gui.program import main

    printed, on_stderr = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    status, error, before = 0, "", sys.argv
    sys.argv = ["zebra", *arguments]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(on_stderr):
            main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        error = _code_of(end.__context__)
    finally:
        sys.argv = before
    printed.flush()
    return Ending(printed.buffer.getvalue().decode(), on_stderr.getvalue(), status, error)


def _code_of(error: BaseException | None) -> str:
    from zebra_core import ZebraError

    return f"{type(error).__name__} {error.code}" if isinstance(error, ZebraError) else ""


class Case:
    """A folder in which commands run; all that they write below `out`, and what they say, is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out, self.said = folder / "out", folder / "said"
        self.out.mkdir()
        self.said.mkdir()
        os.chdir(folder)

    def zebra(self, name: str, *arguments: str) -> Ending:
        """Run a command in the folder, and keep under this name what it said."""
        end = zebra(*arguments)
        command = shlex.join(["zebra", *arguments])
        if isinstance(said := end.as_json(), str):
            (self.said / f"{name}.txt").write_text(end.as_text(command), encoding="utf-8")
        else:
            self.keep_said(name, {"command": command, **said})
        return end

    def keep_said(self, name: str, value: object) -> None:
        """Keep values of this case's own."""
        (self.said / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def stand_alone(home: Path) -> None:
    """Nothing of whoever runs it: neither home, nor language, nor screen, nor width of the terminal."""
    for variable, folder in {
        "HOME": "",
        "USERPROFILE": "",
        "XDG_CONFIG_HOME": "config",
        "XDG_CACHE_HOME": "cache",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
    }.items():
        (home / folder).mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(home / folder)
    os.environ.setdefault("MPLCONFIGDIR", str(CHECKOUT / ".cache" / "matplotlib"))
    os.environ.update(ZEBRA_LANGUAGE="en", COLUMNS="80", QT_QPA_PLATFORM="offscreen")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SOURCE_DATE_EPOCH", "NO_COLOR", "FORCE_COLOR"):
        os.environ.pop(variable, None)
    _same_commit(home / "bin")
    secrets.randbelow = random.Random(7).randrange  # noqa: S311 - of codes of names
    warnings.simplefilter("error")
    sys.modules["__main__"].__package__ = ""  # so that the program is called as it was typed


def _same_commit(folder: Path) -> None:
    """The commit is always the same: reports are numbered by all that they say, and it is a word of each."""
    folder.mkdir(exist_ok=True)
    git = folder / "git"
    git.write_text(f"#!/bin/sh\necho {COMMIT}\n", encoding="utf-8")
    git.chmod(0o755)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
