"""What the bundle for Windows asks of the system: libraries.py FOLDER; fails where Windows may lack it.

Read from the files themselves: Wine has runtimes of its own, so that starting the program proves nothing.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pefile

# Not a part of Windows: they come with other programs, or do not.
BRING_ALONG = ("msvcp", "vcruntime", "concrt", "vcomp", "mfc", "python", "zlib", "libcrypto", "libssl", "qt6")
# Where packages have loaded libraries, or had them looked for, before these files are asked for.
BEFORE = {"PySide6/plugins": "PySide6", "PySide6": "shiboken6"}
_IMPORTS = ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT")


def asked_by(file: Path) -> set[str]:
    """The libraries that a program or library is linked to, in lower case."""
    read = pefile.PE(str(file), fast_load=True)
    read.parse_data_directories(
        [
            pefile.DIRECTORY_ENTRY[f"IMAGE_{kind}"]
            for kind in ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT")
        ]
    )
    return {entry.dll.decode().lower() for kind in _IMPORTS for entry in getattr(read, kind, [])}


def lacking(folder: Path) -> dict[str, list[str]]:
    """What has to come along and is not where whoever asks for it looks: library to who asks."""
    files = [file for file in folder.rglob("*") if file.suffix.lower() in (".exe", ".dll", ".pyd")]
    places = defaultdict(set)
    for file in files:
        places[file.name.lower()].add(file.parent)
    lacks = defaultdict(list)
    for file in files:
        reachable = {file.parent, folder, folder / "_internal"}
        # Libraries of a wheel in NAME.libs are loaded by it before they are asked for.
        reachable |= {place for place in set().union(*places.values()) if place.name.endswith(".libs")}
        inside = (
            file.relative_to(folder / "_internal").as_posix() if folder / "_internal" in file.parents else ""
        )
        reachable |= {
            folder / "_internal" / there for place, there in BEFORE.items() if inside.startswith(place + "/")
        }
        for library in asked_by(file):
            if (places[library] or library.startswith(BRING_ALONG)) and not places[library] & reachable:
                lacks[library].append(file.relative_to(folder).as_posix())
    return dict(lacks)


if __name__ == "__main__":
    found = lacking(Path(sys.argv[1]))
    for name, asking in sorted(found.items()):
        print(f"{name} is not beside {', '.join(asking[:8])}", file=sys.stderr)
    if found:
        sys.exit(1)
    print("passed  every library that Windows may lack lies beside who asks for it")
