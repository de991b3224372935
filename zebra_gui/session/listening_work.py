"""What evaluating listeners' answers does in other threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Watch


def hear(paths: Sequence[Path], known: Sequence[core.ListeningStudy], watch: Watch) -> core.HeardTest:
    """The listening test of dropped answers, with the answers that it already had."""
    from zebra_core.listening.study import hear_dropped

    return hear_dropped(paths, known, watch)


def decide(study: core.ListeningStudy, left_out: Sequence[str], watch: Watch) -> core.HeardTest:
    """The listening test evaluated again without these listeners."""
    from zebra_core.listening.study import hear_again

    return hear_again(study, left_out, watch)
