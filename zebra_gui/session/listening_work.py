"""What evaluating listeners' answers does in other threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Watch


def hear(paths: Sequence[Path], known: Sequence[core.ListeningStudy], watch: Watch) -> core.HeardTest:
    """What dropped answers come to, with those of the same test that were there."""
    from zebra_core.project.listening import hear_dropped

    return hear_dropped(paths, known, watch)


def decide(study: core.ListeningStudy, left_out: Sequence[str], watch: Watch) -> core.HeardTest:
    """The same answers without those of these listeners."""
    from zebra_core.project.listening import hear_again

    return hear_again(study, left_out, watch)
