"""What may be told of a fault in the program: what kind and where in the code, and nothing of the user's."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from pathlib import Path

_OURS = ("zebra_core", "zebra_gui")
_FIRST, _LAST = 20, 40  # places told of one exception: endless recursion has a thousand


def fault_report(error: BaseException, versions: Mapping[str, str]) -> str:
    """A report to send to us: versions, then what was raised and where, from the first cause on.

    The message of an exception often quotes the file it stumbled over, and its path whose computer it was:
    neither is in here. `versions` is name to version.
    """
    lines = [f"{name} {version}" for name, version in versions.items()]
    for number, one in enumerate(reversed(_chain(error))):
        lines += ["", *(["then"] if number else []), type(one).__qualname__, *_ends(_places(one))]
    return "\n".join(lines).strip()


def place_of_fault(error: BaseException) -> str:
    """Where in our code the exception came up, as file:line; empty where it never was in it."""
    ours = [
        place for place in _places(error) if place.strip().startswith(tuple(f"{name}/" for name in _OURS))
    ]
    return ours[-1].strip().split(" ")[0] if ours else ""


def _chain(error: BaseException) -> list[BaseException]:
    """The exception, what caused it, and so on; each once."""
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return chain


def _places(error: BaseException) -> list[str]:
    frames = traceback.StackSummary.extract(
        traceback.walk_tb(error.__traceback__), lookup_lines=False, capture_locals=False
    )
    return [f"  {_in_package(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _ends(places: list[str]) -> list[str]:
    """The first and the last of them."""
    left_out = len(places) - _FIRST - _LAST
    return [*places[:_FIRST], f"  … {left_out} more", *places[-_LAST:]] if left_out > 1 else places


def _in_package(file: str) -> str:
    """The path from the package on: what lies above it says who the user is."""
    path = Path(file)
    if not path.is_absolute():
        return path.as_posix()  # in a bundle, whose files are named by their packages alone
    above = [folder for folder in path.parents if folder.name in ("site-packages", "dist-packages")]
    # In a checkout: as the packages were found, which may be by a link.
    above += [folder.parent for folder in _folders() if path.is_relative_to(folder)]
    return path.relative_to(above[0]).as_posix() if above else path.name


def _folders() -> list[Path]:
    files = (sys.modules[name].__file__ for name in _OURS if name in sys.modules)
    return [Path(file).parent for file in files if file]
