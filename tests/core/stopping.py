"""Somebody who stops what is being worked on."""

from __future__ import annotations

from zebra_core.errors import Cancelled
from zebra_core.runtime.progress import Progress


def stop_after(share: float) -> Progress:
    """To be told of progress: stops when more than this share is done."""

    def on_progress(done: float) -> None:
        if done > share:
            raise Cancelled

    return on_progress
