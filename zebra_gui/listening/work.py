"""What listening tests do in other threads: taking one, making one, evaluating answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import zebra_resources
from zebra_core.listening import making, package as sounds
from zebra_core.listening.answers import SUFFIX, AnswerFile, is_begun
from zebra_core.listening.making import ListeningRequest, ListeningTest, Outlook
from zebra_core.listening.package import HeardItem, Package
from zebra_core.listening.recorded_folders import RecordedFolders, recorded_folders_of
from zebra_core.listening.study import HeardTest, ListeningStudy, hear_again, hear_dropped
from zebra_core.recordings.sound import Samples
from zebra_gui import core_types as core

Watch = Callable[[float], None]


def open_test(path: Path, watch: Watch) -> tuple[Package, AnswerFile | None]:
    """What is asked, and the session where one was begun already."""
    watch(0.0)
    package = sounds.read_package(path)
    answers = answers_of(path)
    return package, AnswerFile(answers, package) if is_begun(answers) else None


def answers_of(path: Path) -> Path:
    """Where the answers to a test are kept: beside it."""
    return path.with_suffix(SUFFIX)


def sounds_of(path: Path, package: Package, item: HeardItem, watch: Watch) -> list[tuple[Samples, int]]:
    """The recordings of an item."""
    watch(0.0)
    return sounds.samples_of(path, package, item)


def sound_check(watch: Watch) -> tuple[Samples, int]:
    """What is played before a test, to set the level."""
    watch(0.0)
    return sounds.sound_check()


def export(path: Path, package: Package, folder: Path, watch: Watch) -> int:
    """All recordings as files; how many."""
    watch(0.0)
    return len(sounds.export_sounds(path, package, folder))


def known_recordings(project: core.Project | None, watch: Watch) -> RecordedFolders:
    """The recordings that the scores of a project were made from, as far as they are found."""
    watch(0.0)
    if project is None:
        return RecordedFolders()
    return recorded_folders_of(project, [zebra_resources.path("recordings")])


def foresee(request: ListeningRequest, watch: Watch) -> Outlook:
    """What a test will come to."""
    return making.foresee(request, watch)


def make(request: ListeningRequest, out: Path, watch: Watch) -> ListeningTest:
    """Write the plan and the listeners' files."""
    return making.make_test(request, out, on_progress=watch)


def hear(paths: Sequence[Path], known: Sequence[ListeningStudy], watch: Watch) -> HeardTest:
    """The listening test of dropped answers, with the answers that it already had."""
    return hear_dropped(paths, known, watch)


def decide(study: ListeningStudy, left_out: Sequence[str], watch: Watch) -> HeardTest:
    """The listening test evaluated again without these listeners."""
    return hear_again(study, left_out, watch)
