"""Somebody who stops what is being worked on."""

from __future__ import annotations

from core.errors import Cancelled
from core.progress import Progress


def stop_after(share: float) -> Progress:
    """To be told of progress: stops when more than this share is done."""

    def on_progress(done: float) -> None:
        if done > share:
            raise Cancelled

    return on_progress
