"""`zebra desktop`: an entry in the menu, an icon, and what a .zebra file is, for this user, on Linux.

Everything lies below $XDG_DATA_HOME (~/.local/share), where all desktops look; removing takes away what was
placed, and nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.files.access import make_folder, write_file
from zebra_core.wording.texts import say
from zebra_gui.commands.terminal import one_sentence

_ON_LINUX = sys.platform == "linux"
_ICONS = (("apps", "zebra"), ("mimetypes", "application-x-zebra-project"))
_RESERVED = '"`$\\'  # in the Exec line, inside quotation marks


@click.command(help=say("cli.desktop"))
@click.option("--install", "install", is_flag=True, help=say("cli.desktop-install"))
@click.option("--remove", "remove", is_flag=True, help=say("cli.desktop-remove"))
@one_sentence
def desktop(install: bool, remove: bool) -> None:
    """Place or remove the files."""
    if install == remove:
        raise click.UsageError(say("cli.desktop-which"))
    if not _ON_LINUX:
        raise InputError("no-desktop-entries")
    share = data_home()
    for path in place(share, program()) if install else take_away(share):
        click.echo(path)
    _tell_the_desktop(share)


def data_home() -> Path:
    """Where the user's entries and icons are; a relative path counts as none, as the specification says."""
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def program() -> Path:
    """The command of this very installation, whatever else is on the path."""
    here = Path(sys.executable)
    if getattr(sys, "frozen", False):
        return here
    beside = here.with_name("zebra")
    if beside.exists():
        return beside
    found = _which("zebra")
    if found is None:
        raise InputError("no-zebra-command", folder=here.parent)
    return Path(found).absolute()


def place(share: Path, command: Path) -> list[Path]:
    """Write the files below this folder; whatever of the same name was there is replaced."""
    written = []
    for path, content in _files(share, command):
        make_folder(path.parent)
        write_file(path, content, overwrite=True)
        written.append(path)
    return written


def take_away(share: Path) -> list[Path]:
    """Remove the files, as far as they are there; folders stay."""
    there = [path for path, _ in _files(share, Path("/zebra")) if path.exists()]
    for path in there:
        path.unlink()
    return there


def entry(command: Path) -> str:
    """The entry in the menu, which starts this command."""
    lines = zebra_resources.read_text("desktop/zebra.desktop").splitlines()
    starts = {
        "Exec=zebra": f"Exec={_quoted(str(command))}",
        "TryExec=zebra": f"TryExec={_escaped(str(command))}",
    }
    for number, line in enumerate(lines):
        for key, instead in starts.items():
            if line.startswith(key):
                lines[number] = instead + line.removeprefix(key)
    return "\n".join(lines) + "\n"


def _files(share: Path, command: Path) -> Iterator[tuple[Path, bytes]]:
    yield share / "applications" / "zebra.desktop", entry(command).encode()
    yield share / "mime" / "packages" / "zebra.xml", zebra_resources.read_bytes("desktop/zebra.xml")
    for kind, name in _ICONS:
        for size, ending in (("256x256", ".png"), ("scalable", ".svg")):
            icon = zebra_resources.read_bytes(f"icons/zebra{ending}")
            yield share / "icons" / "hicolor" / size / kind / f"{name}{ending}", icon


def _quoted(command: str) -> str:
    """A command as an argument of Exec: quoted, then escaped as every value; per cent signs are doubled."""
    inside = "".join(f"\\{char}" if char in _RESERVED else char for char in command)
    return _escaped(f'"{inside}"').replace("%", "%%")


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n")


def _tell_the_desktop(share: Path) -> None:
    """Renew the desktop's own lists with its programs, where there are any; others notice by themselves."""
    for name, folder in (("update-desktop-database", "applications"), ("update-mime-database", "mime")):
        found = _which(name)
        if found and (share / folder).is_dir():
            subprocess.run([found, str(share / folder)], capture_output=True, check=False)


def _which(name: str) -> str | None:
    return shutil.which(name)
