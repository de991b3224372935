"""Files that evidence was read from: as they were when read, and how it stands with them today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath

from zebra_core.evidence.value_types import Sha256, Whole

BESIDE_TRIALS = frozenset({"attributes", "predictions"})
"""Roles of files that no figure of the trials rests on."""


class InputState(Enum):
    """How it stands today with a file that evidence was read from."""

    AS_READ = "as-read"
    MISSING = "missing"
    CHANGED = "changed"


@dataclass(frozen=True)
class ReplacementFile:
    """What lies today in the place of a file that has changed; None for what nobody knows."""

    size: int
    sha256: str | None = None
    rows: int | None = None
    path: Path | None = None  # its place, where the file that was read has been found in another


@dataclass(frozen=True)
class InputFile:
    """A file that evidence was read from, as it was when it was read, and how it stands with it today."""

    path: Path
    role: str  # a value of intake.tables.Role, "scores" or "key" for most
    size: Whole  # bytes
    sha256: Sha256  # of the file as it lies on disk
    rows: Whole  # lines that carry data
    member: str = ""  # which file of an archive
    format: str = ""  # code of what it was read as
    dialect: str = ""  # how it is written, in words
    state: InputState = InputState.AS_READ
    instead: ReplacementFile | None = None  # of a file that has changed, also where its bytes lie elsewhere

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return f"{self.path.name} › {self.member}" if self.member else self.path.name


def distinguishing_names(paths: Sequence[PurePath]) -> list[str]:
    """For each path its file name, with as many folders before it as tell it from its namesakes.

    Folders above those are nobody's business, and differ from machine to machine.
    """
    depth = {}
    for name in {path.name for path in paths}:
        namesakes = {path.parts for path in paths if path.name == name}
        longest = max(len(parts) for parts in namesakes)
        depth[name] = next(
            n for n in range(1, longest + 1) if len({p[-n:] for p in namesakes}) == len(namesakes)
        )
    return ["/".join(part.strip("/\\") for part in path.parts[-depth[path.name] :]) for path in paths]
