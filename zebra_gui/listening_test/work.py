"""What a listening test does in other threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zebra_core.listening.answers import AnswerFile
    from zebra_core.listening.package import HeardItem, Package
    from zebra_core.recordings.sound import Samples

Watch = Callable[[float], None]


def open_test(path: Path, watch: Watch) -> tuple[Package, AnswerFile | None]:
    """What is asked, and the session where one was begun already."""
    from zebra_core.listening.answers import AnswerFile, is_begun
    from zebra_core.listening.package import read_package

    watch(0.0)
    package = read_package(path)
    answers = answers_of(path)
    return package, AnswerFile(answers, package) if is_begun(answers) else None


def answers_of(path: Path) -> Path:
    """Where the answers to a test are kept: beside it."""
    from zebra_core.listening.answers import SUFFIX

    return path.with_suffix(SUFFIX)


def sounds_of(path: Path, package: Package, item: HeardItem, watch: Watch) -> list[tuple[Samples, int]]:
    """The recordings of an item."""
    from zebra_core.listening.sounds import samples_of

    watch(0.0)
    return samples_of(path, package, item)


def export(path: Path, package: Package, folder: Path, watch: Watch) -> int:
    """All recordings as files; how many."""
    from zebra_core.listening.sounds import export_sounds

    watch(0.0)
    return len(export_sounds(path, package, folder))
