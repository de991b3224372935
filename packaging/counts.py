"""How large the program is: files, lines, statements and classes of values, the core and the window apart.

`python packaging/counts.py [COMMIT ...]` counts commits, in the order given, or the files as they lie here.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("core", "zebra_gui")


@dataclass(frozen=True)
class Counts:
    """What some modules have of each."""

    files: int = 0
    lines: int = 0
    statements: int = 0  # what Python's grammar calls so, without docstrings
    imports: int = 0  # of the statements
    own_imports: int = 0  # modules and names of the program that imports name, a line "from" once
    field_classes: int = 0  # with at least one annotated field

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def counts_of(source: str) -> Counts:
    """The counts of one module."""
    nodes = list(ast.walk(ast.parse(source)))
    statements = [node for node in nodes if isinstance(node, ast.stmt) and not _is_text(node)]
    imports = [node for node in statements if isinstance(node, ast.Import | ast.ImportFrom)]
    own = [name for node in imports for name in _imported(node) if name.split(".")[0].startswith("zebra_")]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    with_fields = [each for each in classes if any(isinstance(line, ast.AnnAssign) for line in each.body)]
    return Counts(1, source.count("\n"), len(statements), len(imports), len(own), len(with_fields))


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, or a string that stands alone."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def here() -> Iterable[tuple[str, str]]:
    """Every module of the program as it lies here: its place, and its source."""
    for room in ROOMS:
        for path in sorted((_ROOT / room).rglob("*.py")):
            yield path.relative_to(_ROOT).as_posix(), path.read_text(encoding="utf-8")


def at(commit: str) -> Iterable[tuple[str, str]]:
    """The same of a commit."""
    archive = subprocess.run(
        ["git", "archive", commit, *ROOMS], cwd=_ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            content = files.extractfile(member) if member.name.endswith(".py") else None
            if content is not None:
                yield member.name, content.read().decode()


def by_room(modules: Iterable[tuple[str, str]]) -> dict[str, Counts]:
    """The counts of each room, and of both."""
    found = dict.fromkeys([*ROOMS, "both"], Counts())
    for place, source in modules:
        counts = counts_of(source)
        found[place.partition("/")[0]] += counts
        found["both"] += counts
    return found


def as_table(found: Iterable[tuple[str, Counts]]) -> str:
    """A table in Markdown, a row for each name."""
    head = ["", *(name.replace("_", " ") for name in Counts.__dataclass_fields__)]
    rows = [
        [name, *(f"{number:,}".replace(",", " ") for number in astuple(counts))] for name, counts in found
    ]
    ruled = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ruled, *rows])


def main() -> None:
    """Print the counts."""
    commits = sys.argv[1:]
    counted = {commit: by_room(at(commit)) for commit in commits} or {"": by_room(here())}
    print(
        as_table(
            (f"{room} {name}".strip(), counts) for name, of in counted.items() for room, counts in of.items()
        )
    )


if __name__ == "__main__":
    main()
